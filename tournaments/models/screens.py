"""What a director has said about the projector of a tournament: which screens, how long, which one now, which words.

Not facts: nothing of it says how an evening went, so it is not in the log. Why: docs/decisions/0022.
"""

from django.db import models
from django.utils.timezone import now

from tournaments.models.bounds import MOST_COUNT, json_fits, numbers_fit, texts_fit, within_the_calendar
from tournaments.models.people import Club
from tournaments.models.play import Tournament

MOST_MESSAGE = 160
MOST_LINES = 40
# Every screen by its name, with its seconds.
MOST_CHOSEN = 1_000


class Screen(models.TextChoices):
    """One thing that a projector can show; a long list takes several pages."""

    SEATING = "seating"
    STANDINGS = "standings"
    TABLES = "tables"
    CLOCK = "clock"
    WINNERS = "winners"
    ADDRESS = "address"
    MESSAGE = "message"


class ScreenProgramme(models.Model):
    """How a tournament's projectors are steered. Without a row they go by the state of the evening.

    `seconds` is how long each screen stays, where it was changed; `lines` how many a page has, 0 for as many as can be
    read; `skips` counts how often the director went on to the next screen.
    """

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, primary_key=True, related_name="screen_programme"
    )
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    is_automatic = models.BooleanField(default=True)
    chosen = models.JSONField(default=list, blank=True, help_text="Names of screens, where they are chosen by hand")
    seconds = models.JSONField(default=dict, blank=True, help_text="Seconds by the name of a screen")
    pinned = models.CharField(max_length=20, choices=Screen, blank=True, default="")
    message = models.CharField(max_length=MOST_MESSAGE, blank=True, default="")
    lines = models.PositiveSmallIntegerField(default=0)
    skips = models.PositiveIntegerField(default=0)
    actor = models.CharField(max_length=100, blank=True, default="")
    changed_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(pinned__in=["", *Screen.values]), name="screenprogramme_pinned_is_known"
            ),
            models.CheckConstraint(condition=models.Q(lines__lte=MOST_LINES), name="screenprogramme_lines_to_40"),
            texts_fit("screenprogramme", message=MOST_MESSAGE, actor=100),
            json_fits("screenprogramme", chosen=MOST_CHOSEN, seconds=MOST_CHOSEN),
            numbers_fit("screenprogramme", lines=(0, MOST_LINES), skips=(0, MOST_COUNT)),
            within_the_calendar("screenprogramme", "changed_at"),
        ]

    def __str__(self) -> str:
        return f"Screens of {self.tournament}"
