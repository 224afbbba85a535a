"""Read models of the boards: written in the transaction of the event, and rebuildable from the log at any time.

The log is authoritative; `rebuild --check` proves that these rows equal it.
"""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy

from scoring.messages import Message, restored
from scoring.money.payouts import MOST_SUM
from tournaments.models.bounds import (
    MOST_COUNT,
    MOST_POSITION,
    MOST_SMALL,
    checks,
    is_as_long,
    numbers_fit,
    texts_fit,
    within_the_calendar,
)
from tournaments.models.people import Club, Player
from tournaments.models.play import Table, Tournament

# The cash desk's rows: a cash book, updated with each of its events, and the credit limits of players.


class CashBook(models.Model):
    """One cash book of a club's cash desk, in one currency; its id is that of its stream. One is open at a time."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="cash_books", db_index=False)
    currency = models.CharField(max_length=3)
    number = models.PositiveIntegerField(help_text="Counts the books of a club in one currency")
    version = models.PositiveIntegerField(default=0)
    state = models.TextField()
    is_closed = models.BooleanField(default=False)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["club", "currency", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["club", "currency", "number"], name="cashbook_number_once"),
            models.UniqueConstraint(
                fields=["club", "currency"], condition=models.Q(is_closed=False), name="cashbook_one_open"
            ),
            is_as_long("cashbook_currency_code", "currency", 3),
            checks(
                "cashbook_closed_at_a_moment",
                models.Q(is_closed=False, closed_at=None) | models.Q(is_closed=True, closed_at__isnull=False),
            ),
            numbers_fit("cashbook", number=(1, MOST_COUNT), version=(0, MOST_COUNT)),
            within_the_calendar("cashbook", "opened_at", "closed_at"),
        ]

    def __str__(self) -> str:
        return f"night {self.number} ({self.currency})"


class PlayerCredit(models.Model):
    """How far below zero a player's balance may go in one currency, as last set."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="credits", db_index=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+", db_index=False)
    currency = models.CharField(max_length=3)
    limit_minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "currency"], name="playercredit_once"),
            checks("playercredit_above_nought", limit_minor__gte=1),
            is_as_long("playercredit_currency_code", "currency", 3),
            numbers_fit("playercredit", limit_minor=(1, MOST_SUM)),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.limit_minor} {self.currency}"


class Scoresheet(models.Model):
    """One row per table: its state, whether it is over, and whether its money is settled.

    `due_version` is raised in the transaction of the event that makes money owed; `settled_version` follows when the
    journal entries are posted. So the obligation survives the loss of any message.
    """

    table = models.OneToOneField(Table, on_delete=models.PROTECT, primary_key=True, related_name="scoresheet")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField()
    state = models.TextField()
    is_finished = models.BooleanField(default=False)
    is_closed = models.BooleanField(default=False)
    is_cancelled = models.BooleanField(default=False)
    has_conflict = models.BooleanField(default=False)
    has_dispute = models.BooleanField(default=False)
    has_moved_on = models.BooleanField(default=False)
    unconfirmed = models.PositiveIntegerField(default=0, help_text="Deals that wait for somebody else's word")
    deals = models.PositiveIntegerField(default=0)
    has_totals = models.BooleanField(
        default=False, db_default=False, help_text="Entered by its totals: no deal of it is known"
    )
    last_position = models.BigIntegerField()
    last_recorded_at = models.DateTimeField()
    due_version = models.PositiveIntegerField(default=0)
    settled_version = models.PositiveIntegerField(default=0)
    settle_problem = models.TextField(blank=True, default="")
    settle_attempts = models.PositiveIntegerField(default=0)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            checks("scoresheet_version_from_1", version__gte=1),
            checks("scoresheet_position_from_1", last_position__gte=1),
            numbers_fit(
                "scoresheet",
                version=(1, MOST_COUNT),
                unconfirmed=(0, MOST_COUNT),
                deals=(0, MOST_COUNT),
                last_position=(1, MOST_POSITION),
                due_version=(0, MOST_COUNT),
                settled_version=(0, MOST_COUNT),
                settle_attempts=(0, MOST_COUNT),
            ),
            within_the_calendar("scoresheet", "last_recorded_at", "settled_at"),
        ]
        indexes = [
            models.Index(
                # In the order of the sweep: only by it does PostgreSQL see that few of all tables are due.
                fields=["settle_attempts", "last_recorded_at"],
                condition=models.Q(due_version__gt=models.F("settled_version")),
                name="scoresheet_settlement_due",
            )
        ]

    def __str__(self) -> str:
        return f"{self.table} at version {self.version}"

    @property
    def has_begun(self) -> bool:
        """Whether a deal counts, or the totals are recorded. In a query: `HAS_BEGUN`."""
        return self.has_totals or self.deals > 0

    @property
    def why_not_settled(self) -> Message | None:
        """The reason why the money could not be settled."""
        return restored(self.settle_problem) if self.settle_problem else None


# Score sheets with a deal or totals on them.
HAS_BEGUN = models.Q(deals__gt=0) | models.Q(has_totals=True)


class EveningSheet(models.Model):
    """The state of a tournament as of one version of its stream: entries, seatings, cuts and clocks as canonical JSON.

    `due_position` and `settled_position` play the part that `due_version` and `settled_version` play for a score sheet.
    """

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
            checks("evening_version_from_1", version__gte=1),
            checks("evening_position_from_1", last_position__gte=1),
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
        """The reason why the money could not be settled."""
        return restored(self.settle_problem) if self.settle_problem else None


class Standing(models.Model):
    """One seat's row on the board."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="standings", db_index=False)
    seat_number = models.PositiveSmallIntegerField()
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="standings", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="standings", db_index=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+", db_index=False)
    round = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField(null=True)
    total = models.IntegerField(null=True)
    chips = models.IntegerField(null=True)
    net_points = models.IntegerField(default=0)
    is_in = models.BooleanField(default=True)
    out_in_deal = models.PositiveIntegerField(null=True)
    has_left = models.BooleanField(default=False, db_default=False)
    drops_left = models.IntegerField(null=True)
    may_rejoin = models.BooleanField(default=False)
    deals_played = models.PositiveIntegerField(default=0)
    deals_won = models.PositiveIntegerField(default=0)
    wrong_shows = models.PositiveIntegerField(default=0)
    drops = models.PositiveIntegerField(default=0)
    rank_key = models.JSONField(default=list, help_text="List of integers; the lower one stands higher")
    payout_minor = models.BigIntegerField(null=True)
    is_finished = models.BooleanField(default=False)
    position = models.BigIntegerField(help_text="Club position of the fact this row was last written for")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "seat_number"], name="standing_once_per_seat"),
            checks("standing_seat_1_to_10", seat_number__gte=1, seat_number__lte=10),
            numbers_fit(
                "standing",
                round=(0, MOST_SMALL),
                place=(0, MOST_SMALL),
                **dict.fromkeys(("total", "chips", "net_points", "drops_left"), (-MOST_COUNT, MOST_COUNT)),
                **dict.fromkeys(("out_in_deal", "deals_played", "deals_won", "wrong_shows", "drops"), (0, MOST_COUNT)),
                position=(0, MOST_POSITION),
            ),
        ]
        indexes = [
            models.Index(fields=["tournament", "place"], name="standing_by_tournament"),
            models.Index(fields=["player", "tournament"], name="standing_by_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.total if self.total is not None else self.chips}"


class WorkerHeartbeat(models.Model):
    """When a background process was last seen running."""

    name = models.CharField(max_length=100, primary_key=True)
    beat_at = models.DateTimeField()
    broker_down_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            texts_fit("workerheartbeat", name=100),
            within_the_calendar("workerheartbeat", "beat_at", "broker_down_since"),
        ]

    def __str__(self) -> str:
        return f"{self.name} at {self.beat_at}"


# The checks that somebody is told of, by their names in `manage.py doctor`, and as sentences for *Today*.
CHECKS = [
    ("settlements", gettext_lazy("Money waits to be settled.")),
    ("worker", gettext_lazy("Nothing is being settled.")),
    ("broker", gettext_lazy("The message queue is out of reach.")),
    ("cache", gettext_lazy("The shared cache is out of reach.")),
    ("copies", gettext_lazy("Published files are behind.")),
    ("seals", gettext_lazy("The log is not sealed.")),
    ("room", gettext_lazy("The disk is nearly full.")),
    ("backups", gettext_lazy("There is no recent backup.")),
    ("archive", gettext_lazy("The log of PostgreSQL is not archived.")),
    ("restores", gettext_lazy("A backup, its copy elsewhere or its trial restore failed.")),
    ("boxes", gettext_lazy("A tournament has no box.")),
    (
        "certificate",
        gettext_lazy("The site does not answer at its own address, or its certificate is refused or ends soon."),
    ),
    ("checks", gettext_lazy("The site is no longer checked.")),
]
# An error of a program, with room for several.
MOST_PROBLEM = 4_000


class SiteCheck(models.Model):
    """What workers found when they last ran a check of `manage.py doctor`, and when those who run the site were told.

    A check that was never bad, and has no last success to show, has no row. How serious it is: 1 for each finding that
    is not fine, and BAD for each that is bad.
    """

    BAD = 100

    subject = models.CharField(max_length=20, primary_key=True, choices=CHECKS)
    problem = models.TextField(blank=True, default="")
    severity = models.PositiveIntegerField(default=0, db_default=0)
    # The most serious that was told, since it was fine or was told again.
    told_severity = models.PositiveIntegerField(default=0, db_default=0)
    # The first and the last time that it was bad; null while it is fine.
    since = models.DateTimeField(null=True, blank=True)
    bad_at = models.DateTimeField(null=True, blank=True)
    told_at = models.DateTimeField(null=True, blank=True)
    # A process is telling of it until then.
    held_until = models.DateTimeField(null=True, blank=True)
    # Of backups and restores: the last one that was made, or proven. Of checks: when a worker last ran all of them.
    good_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            texts_fit("sitecheck", subject=20, problem=MOST_PROBLEM),
            within_the_calendar("sitecheck", "since", "bad_at", "told_at", "held_until", "good_at"),
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.problem or 'fine'}"


class ProjectionRelease(models.Model):
    """Which release of the code last wrote the boards. After an update `manage.py migrate` rewrites them."""

    name = models.CharField(max_length=20, primary_key=True, default="boards")
    stamp = models.CharField(max_length=32)
    rebuilt_at = models.DateTimeField()

    class Meta:
        constraints = [
            texts_fit("projection_release", name=20, stamp=32),
            within_the_calendar("projection_release", "rebuilt_at"),
        ]

    def __str__(self) -> str:
        return f"{self.name} by {self.stamp}"


class ShownVersion(models.Model):
    """How often the content of a club's pages changed without an event: names, texts, settings, what is published.

    `names` counts the real names, which only users of the club see: no public tag may reveal their changes. Triggers
    raise both, whichever program writes: `tournaments.projections.shown`. A club without a row has had no such change.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="shown_version")
    version = models.BigIntegerField(default=0)
    names = models.BigIntegerField(default=0)

    class Meta:
        constraints = [numbers_fit("shownversion", version=(0, MOST_POSITION), names=(0, MOST_POSITION))]

    def __str__(self) -> str:
        return f"{self.club}: {self.version}"
