"""Tournaments, their tables, and who sits where; draft seatings, and what the projectors show.

Once a table is open its options and seats are frozen in the log; these rows are what the log was opened from. An
unpublished seating is stored so that a director can leave the page and come back to it. Knows nothing of deals, scores
or money.
"""

import json
import uuid

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy

from scoring.messages import Message, say, words
from scoring.money.payouts import MOST_MINOR, MOST_POINT_VALUE
from tournaments.models.bounds import (
    MOST_COUNT,
    MOST_POSITION,
    checks,
    is_as_long,
    json_fits,
    numbers_fit,
    texts_fit,
    within_the_calendar,
)
from tournaments.models.people import Club, Player, currency_shape

MOST_OPTIONS = 20_000
MOST_ROUND, MOST_NUMBER = 9_999, 9_999
MOST_PLACES = 10_000
MOST_TABLE_NAME = 100
MOST_SEATS = 10
# Forty changes to a round of five hundred players.
MOST_DRAFT = 4_000_000
MOST_MESSAGE = 160
MOST_LINES = 40
# The name and seconds of every screen.
MOST_CHOSEN = 1_000
MOST_KEY = 200
MOST_REASON = 200
# The sheet of the largest table with every card, many times over.
MOST_LATE = 50_000
MOST_DEVICE_KEY = 40
# The largest list of cards that a device holds.
MOST_WAITING = 500


class LevyOn(models.TextChoices):
    """The amount that a levy is a share of."""

    GROSS = "gross", gettext_lazy("all that is paid in")
    FEE = "fee", gettext_lazy("the house fee")


class EntrantsShown(models.TextChoices):
    """What the public sees of those who have entered a tournament to come."""

    NOTHING = "nothing", gettext_lazy("nothing")
    NUMBER = "number", gettext_lazy("the number")
    NAMES = "names", gettext_lazy("names as published")


class Tournament(models.Model):
    """A tournament of a club, with the house options and stakes its tables are opened with."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="tournaments", db_index=False, verbose_name=gettext_lazy("club")
    )
    slug = models.SlugField(max_length=80)
    name = models.CharField(max_length=200, verbose_name=gettext_lazy("name"))
    preset = models.CharField(max_length=40, blank=True, default="")
    variant = models.CharField(max_length=40, verbose_name=gettext_lazy("variant"))
    options = models.JSONField(default=dict, blank=True)
    currency = models.CharField(max_length=3, default="INR")
    entry_minor = models.BigIntegerField(default=0)
    fee_bp = models.IntegerField(default=0, help_text=gettext_lazy("Basis points: 1000 is 10 %"))
    fee_floor_minor = models.BigIntegerField(default=0, help_text=gettext_lazy("Minimum house fee of a pot or deal"))
    fee_cap_minor = models.BigIntegerField(
        null=True, blank=True, help_text=gettext_lazy("Maximum house fee of a pot or deal")
    )
    levy_bp = models.IntegerField(
        default=0, help_text=gettext_lazy("A levy or tax beside the fee, in basis points; passed on")
    )
    levy_name = models.CharField(max_length=40, default="levy")
    levy_on = models.CharField(max_length=5, choices=LevyOn, default=LevyOn.GROSS)
    point_value_minor = models.BigIntegerField(default=0)
    starts_at = models.DateTimeField(default=now, verbose_name=gettext_lazy("starts at"))
    is_published = models.BooleanField(default=True, verbose_name=gettext_lazy("is published"))
    # When it was unpublished after it had been closed: a season that counted it says so.
    unpublished_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False, verbose_name=gettext_lazy("closed at"))
    is_cancelled = models.BooleanField(
        default=False, editable=False, help_text=gettext_lazy("Abandoned: closed, and nothing is owed")
    )
    # How people enter by themselves: docs/decisions/0082-players-enter-by-themselves.md.
    takes_entries = models.BooleanField(
        gettext_lazy("players may enter themselves"), default=False, db_default=False, editable=False
    )
    entries_until = models.DateTimeField(null=True, blank=True, editable=False)
    places = models.PositiveIntegerField(null=True, blank=True, editable=False)
    shows_entrants = models.CharField(
        max_length=8,
        choices=EntrantsShown,
        default=EntrantsShown.NUMBER,
        db_default=EntrantsShown.NUMBER.value,
        editable=False,
    )
    asks_email = models.BooleanField(default=True, db_default=True, editable=False)
    asks_phone = models.BooleanField(default=False, db_default=False, editable=False)
    created_at = models.DateTimeField(default=now, editable=False)
    board_position = models.BigIntegerField(
        default=0, editable=False, help_text=gettext_lazy("Log position of the last change to the leaderboard")
    )

    class Meta:
        verbose_name = gettext_lazy("tournament")
        verbose_name_plural = gettext_lazy("tournaments")
        ordering = ["-starts_at", "name"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="tournament_slug_once_per_club"),
            checks("tournament_entry_not_negative", entry_minor__gte=0),
            checks("tournament_fee_0_to_100_percent", fee_bp__gte=0, fee_bp__lte=10_000),
            checks("tournament_fee_floor_not_negative", fee_floor_minor__gte=0),
            checks(
                "tournament_fee_cap_not_under_the_floor",
                models.Q(fee_cap_minor__isnull=True) | models.Q(fee_cap_minor__gte=models.F("fee_floor_minor")),
            ),
            checks("tournament_levy_0_to_100_percent", levy_bp__gte=0, levy_bp__lte=10_000),
            checks("tournament_levy_on_is_known", levy_on__in=LevyOn.values),
            checks("tournament_shows_entrants_is_known", shows_entrants__in=EntrantsShown.values),
            checks("tournament_point_value_not_negative", point_value_minor__gte=0),
            checks("tournament_board_position_not_negative", board_position__gte=0),
            currency_shape("tournament_currency_is_three_capitals"),
            texts_fit("tournament", slug=80, name=200, preset=40, variant=40, levy_name=40),
            json_fits("tournament", options=MOST_OPTIONS),
            numbers_fit(
                "tournament",
                entry_minor=(0, MOST_MINOR),
                fee_floor_minor=(0, MOST_MINOR),
                fee_cap_minor=(0, MOST_MINOR),
                point_value_minor=(0, MOST_POINT_VALUE),
                board_position=(0, MOST_POSITION),
                places=(1, MOST_PLACES),
            ),
            within_the_calendar(
                "tournament", "starts_at", "unpublished_at", "closed_at", "created_at", "entries_until"
            ),
        ]

    def __str__(self) -> str:
        return self.name


def moved_title(number: int, place: int | str) -> str:
    """The title of a table that players were moved to: its new number, and where it is in the room."""
    return f"Table {number} (at {place})"


# The name of a cancelled table whose number another one has now, after "Table 1".
BEFORE_THE_CHANGE = " (before the seat change)"


def called(name: str, number: int) -> str | Message:
    """The name a table was given, else its number; for one created by a move, its number and place in the room.

    A table that was opened again under its number keeps that number in its name.
    """
    if name == moved_title(number, place := name.partition(" (at ")[2].removesuffix(")")):
        return say("Table {number} (at {what})", number=number, what=place)
    before = name.removeprefix("Table ").removesuffix(BEFORE_THE_CHANGE)
    if name == f"Table {before}{BEFORE_THE_CHANGE}" and before.isdecimal():
        return say("Table {number}, before the seat change", number=int(before))
    return name or say("Table {number}", number=number)


class Table(models.Model):
    """One table of one tournament round. Its stream in the log carries the same UUID."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(
        Tournament,
        on_delete=models.PROTECT,
        related_name="tables",
        db_index=False,
        verbose_name=gettext_lazy("tournament"),
    )
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+", db_index=False, editable=False)
    round = models.PositiveSmallIntegerField(default=1, verbose_name=gettext_lazy("round"))
    number = models.PositiveSmallIntegerField(verbose_name=gettext_lazy("number"))
    name = models.CharField(max_length=MOST_TABLE_NAME, blank=True, default="")
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        verbose_name = gettext_lazy("table")
        verbose_name_plural = gettext_lazy("tables")
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round", "number"], name="table_number_once_per_round"),
            checks("table_round_from_1", round__gte=1),
            checks("table_number_from_1", number__gte=1),
            texts_fit("table", name=MOST_TABLE_NAME),
            numbers_fit("table", round=(1, MOST_ROUND), number=(1, MOST_NUMBER)),
            within_the_calendar("table", "created_at"),
        ]

    def __str__(self) -> str:
        return str(self.called)

    @property
    def called(self) -> str | Message:
        """Its name or number, as a page says it."""
        return called(self.name, self.number)


class Seat(models.Model):
    """A player's seat at a table."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_number_once_per_table"),
            models.UniqueConstraint(fields=["table", "player"], name="seat_player_once_per_table"),
            checks("seat_number_1_to_10", number__gte=1, number__lte=MOST_SEATS),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.player}"


class LateSheet(models.Model):
    """A deal that arrived after its table had ended, stored as typed until a director accepts or refuses it.

    It is not part of the log. An accepted deal is recorded at the table, under the director's name.
    """

    class Answer(models.TextChoices):
        """Whether the sheet still waits, or what the director decided."""

        WAITING = "waiting"
        ACCEPTED = "accepted"
        REFUSED = "refused"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+", db_index=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="late_sheets")
    key = models.CharField(max_length=MOST_KEY)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the request, in hex: tells a resend")
    body = models.TextField(help_text="The event as it would have been recorded, as JSON")
    actor = models.CharField(max_length=100)
    sent_at = models.DateTimeField()
    answer = models.CharField(max_length=10, choices=Answer, default=Answer.WAITING)
    answered_by = models.CharField(max_length=100, blank=True, default="")
    answered_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=MOST_REASON, blank=True, default="")

    class Meta:
        ordering = ["sent_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["club", "key"], name="latesheet_key_once"),
            checks("latesheet_answer_is_known", answer__in=["waiting", "accepted", "refused"]),
            checks("latesheet_answered_at_a_moment", models.Q(answer="waiting") ^ models.Q(answered_at__isnull=False)),
            is_as_long("latesheet_digest_is_64_hex_digits", "digest", 64),
            texts_fit("latesheet", key=MOST_KEY, body=MOST_LATE, actor=100, answered_by=100, reason=MOST_REASON),
            within_the_calendar("latesheet", "sent_at", "answered_at"),
        ]
        indexes = [
            models.Index(fields=["table"], condition=models.Q(answer="waiting"), name="latesheet_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.answer}"

    @property
    def event(self) -> dict[str, object]:
        """The typed event, as the API contract writes it."""
        return dict(json.loads(self.body))


class Device(models.Model):
    """A phone or laptop used for scoring: when it was last heard of, and how many unsent deals it holds.

    It reports this itself, so that a director sees a phone that has lost the network. It is not part of the log.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="devices", db_index=False)
    key = models.CharField(max_length=MOST_DEVICE_KEY)
    actor = models.CharField(max_length=100)
    seen_at = models.DateTimeField()
    waiting = models.PositiveSmallIntegerField(default=0)
    oldest_at = models.DateTimeField(null=True, blank=True, help_text="since when the oldest deal waits")

    class Meta:
        ordering = ["table_id", "key"]
        constraints = [
            models.UniqueConstraint(fields=["table", "key"], name="device_once_per_table"),
            checks("device_oldest_of_what_waits", models.Q(waiting=0) ^ models.Q(oldest_at__isnull=False)),
            numbers_fit("device", waiting=(0, MOST_WAITING)),
            texts_fit("device", key=MOST_DEVICE_KEY, actor=100),
            within_the_calendar("device", "seen_at", "oldest_at"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.waiting}"


class SeatingDraft(models.Model):
    """The draft of one round of one tournament: its restrictions and changes as JSON, and who changed it last."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="seating_drafts", db_index=False)
    round = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField(default=1)
    plan = models.TextField()
    actor = models.CharField(max_length=100, blank=True, default="")
    changed_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round"], name="seatingdraft_once_per_round"),
            checks("seatingdraft_round_from_1", round__gte=1),
            checks("seatingdraft_version_from_1", version__gte=1),
            texts_fit("seatingdraft", plan=MOST_DRAFT, actor=100),
            numbers_fit("seatingdraft", round=(1, MOST_ROUND), version=(1, MOST_COUNT)),
            within_the_calendar("seatingdraft", "changed_at"),
        ]

    def __str__(self) -> str:
        return f"Round {self.round} of {self.tournament}, draft {self.version}"


class Screen(models.TextChoices):
    """One screen that a projector can show; a long list takes several pages."""

    SEATING = words("seating")
    STANDINGS = words("standings")
    TABLES = "tables"
    CLOCK = words("clock")
    WINNERS = words("winners")
    ADDRESS = words("address")
    MESSAGE = words("message")


class ScreenProgramme(models.Model):
    """How a tournament's projectors are controlled. Without a row they follow the state of the tournament.

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
            checks("screenprogramme_pinned_is_known", pinned__in=["", *Screen.values]),
            checks("screenprogramme_lines_to_40", lines__lte=MOST_LINES),
            texts_fit("screenprogramme", message=MOST_MESSAGE, actor=100),
            json_fits("screenprogramme", chosen=MOST_CHOSEN, seconds=MOST_CHOSEN),
            numbers_fit("screenprogramme", lines=(0, MOST_LINES), skips=(0, MOST_COUNT)),
            within_the_calendar("screenprogramme", "changed_at"),
        ]

    def __str__(self) -> str:
        return f"Screens of {self.tournament}"
