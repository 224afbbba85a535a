"""Seatings that nobody has published yet: kept so that a director can leave the page and come back to it.

Not facts: a draft may be changed and thrown away, and no board reads it.
"""

from django.db import models
from django.utils.timezone import now

from tournaments.models.bounds import MOST_COUNT, numbers_fit, texts_fit, within_the_calendar
from tournaments.models.play import MOST_ROUND, Tournament

# Forty changes of a round of five hundred players.
MOST_DRAFT = 4_000_000


class SeatingDraft(models.Model):
    """The draft of one round of one tournament: its wishes and its changes as JSON, and who changed it last."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="seating_drafts")
    round = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField(default=1)
    plan = models.TextField()
    actor = models.CharField(max_length=100, blank=True, default="")
    changed_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round"], name="seatingdraft_once_per_round"),
            models.CheckConstraint(condition=models.Q(round__gte=1), name="seatingdraft_round_from_1"),
            models.CheckConstraint(condition=models.Q(version__gte=1), name="seatingdraft_version_from_1"),
            texts_fit("seatingdraft", plan=MOST_DRAFT, actor=100),
            numbers_fit("seatingdraft", round=(1, MOST_ROUND), version=(1, MOST_COUNT)),
            within_the_calendar("seatingdraft", "changed_at"),
        ]

    def __str__(self) -> str:
        return f"Round {self.round} of {self.tournament}, draft {self.version}"
