"""What the night board reads: one row a tournament, written with the fact, rebuildable from its stream at any time.

`due_position` is raised in the transaction of the fact that makes money owed; `settled_position` follows when the
journal entries stand. So an obligation survives any broker.
"""

from django.db import models
from django.utils.translation import gettext_lazy

from tournaments.models.bounds import MOST_COUNT, MOST_POSITION, numbers_fit, within_the_calendar
from tournaments.models.people import Club
from tournaments.models.play import Tournament


class EveningSheet(models.Model):
    """A tournament's evening as of one version of its stream: entries, seatings, cuts and clocks as canonical JSON."""

    tournament = models.OneToOneField(
        Tournament, on_delete=models.PROTECT, primary_key=True, related_name="evening_sheet"
    )
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField()
    state = models.TextField()
    has_plan = models.BooleanField(default=False)
    is_rehearsal = models.BooleanField(
        default=False, help_text=gettext_lazy("Played for training: never published, never settled")
    )
    last_position = models.BigIntegerField()
    due_position = models.BigIntegerField(
        default=0, help_text=gettext_lazy("Club position of the fact that made money owed")
    )
    settled_position = models.BigIntegerField(default=0)
    settle_problem = models.TextField(blank=True, default="")
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(version__gte=1), name="evening_version_from_1"),
            models.CheckConstraint(condition=models.Q(last_position__gte=1), name="evening_position_from_1"),
            numbers_fit(
                "evening",
                version=(1, MOST_COUNT),
                last_position=(1, MOST_POSITION),
                due_position=(0, MOST_POSITION),
                settled_position=(0, MOST_POSITION),
            ),
            within_the_calendar("evening", "settled_at"),
        ]
        indexes = [
            models.Index(
                fields=["due_position"],
                condition=models.Q(due_position__gt=models.F("settled_position")),
                name="evening_settlement_due",
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament} at version {self.version}"
