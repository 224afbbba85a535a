"""What the night board reads: one row a tournament, written with the fact, rebuildable from its stream at any time.

`due_position` is raised in the transaction of the fact that makes money owed; `settled_position` follows when the
journal entries stand. So an obligation survives any broker.
"""

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy

from scoring.messages import Message, restored, words
from tournaments.models.bounds import MOST_COUNT, MOST_POSITION, json_fits, numbers_fit, texts_fit, within_the_calendar
from tournaments.models.people import Club
from tournaments.models.play import MOST_ROUND, Tournament

# Seatings that nobody has published yet: kept so that a director can leave the page and come back to it.

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
        default=False, help_text=gettext_lazy("Practice: never published, never settled")
    )
    last_position = models.BigIntegerField()
    due_position = models.BigIntegerField(
        default=0, help_text=gettext_lazy("Position of the log record that made money owed")
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

    @property
    def why_not_settled(self) -> Message | None:
        """What keeps the money from being settled."""
        return restored(self.settle_problem) if self.settle_problem else None


# What a director has said about the projector of a tournament: which screens, how long, which one now, which words.

MOST_MESSAGE = 160
MOST_LINES = 40
# Every screen by its name, with its seconds.
MOST_CHOSEN = 1_000


class Screen(models.TextChoices):
    """One thing that a projector can show; a long list takes several pages."""

    SEATING = words("seating")
    STANDINGS = words("standings")
    TABLES = "tables"
    CLOCK = words("clock")
    WINNERS = words("winners")
    ADDRESS = words("address")
    MESSAGE = words("message")


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
