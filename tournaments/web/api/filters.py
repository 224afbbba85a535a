"""The filters of lists: which query parameters they take, and what each leaves in the list.

Rules: docs/reference/api.md, "Lists". `doors.filtered` applies them, and `schema.describes` describes them.
"""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.timezone import now
from django_filters import CharFilter, ChoiceFilter, DateFilter, FilterSet, ModelChoiceFilter, NumberFilter

from scoring.ledger.readings import entries_of_owners
from scoring.money import AccountKind
from tournaments.books.queries import BookScope, scope_of
from tournaments.models import Club, Delivery, MessageKind, Player, Receiver, Role, Season, Tournament
from tournaments.models.people import MOST_MEMBER_NUMBER, names_with
from tournaments.models.play import MOST_ROUND
from tournaments.people.players import rows_of
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.seasons.results import days_of

YES_OR_NO = [("true", "true"), ("false", "false")]
STATUS = [("open", "open"), ("closed", "closed"), ("cancelled", "cancelled")]
FIRST_YEAR, LAST_YEAR = 2000, 9998


class WholeNumberFilter(NumberFilter):  # type: ignore[misc]  # django-filter is untyped
    """A whole number between `min_value` and `max_value`."""

    field_class = forms.IntegerField


class DayField(forms.DateField):
    """A day as ISO 8601 writes it, in a year that a calendar of any time zone has."""

    input_formats = ["%Y-%m-%d"]

    def clean(self, value: Any) -> date | None:
        """Raises ValidationError."""
        day: date | None = super().clean(value)
        if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise forms.ValidationError("Enter a day from the year 2000 on.")
        return day


class DayFilter(DateFilter):  # type: ignore[misc]
    """A day in the club's time zone."""

    field_class = DayField


def yes_or_no(field: str, help_text: str) -> ChoiceFilter:
    """Whether a column is true; django-filter's own takes `maybe` for no filter at all."""

    def only(rows: QuerySet[Any], _: str, value: str) -> QuerySet[Any]:
        return rows.filter(**{field: value == "true"})

    return ChoiceFilter(choices=YES_OR_NO, method=only, help_text=help_text)


class TournamentFilter(FilterSet):  # type: ignore[misc]
    """Tournaments of a club. `only_published` leaves out seasons that the club does not publish."""

    status = ChoiceFilter(choices=STATUS, method="by_status", help_text="`closed` is without `cancelled`")
    # A keyword of Python, but the word that people look for.
    vars()["from"] = DayFilter(method="from_day", help_text="Starts on this day or later, in the club's time zone")
    to = DayFilter(method="to_day", help_text="Starts on this day or earlier")
    season = ModelChoiceFilter(queryset=Season.objects.none(), method="of_season", help_text="Starts in this season")
    preset = CharFilter(max_length=40, help_text="Name of its preset, such as `pool_101`")
    published = yes_or_no("is_published", "Whether it is published")

    def __init__(self, *args: Any, club: Club, only_published: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seasons = Season.objects.filter(club=club)
        self.filters["season"].queryset = seasons.filter(is_published=True) if only_published else seasons
        self.club, self.zone = club, zone_of(club.timezone)

    def by_status(self, rows: QuerySet[Tournament], _: str, status: str) -> QuerySet[Tournament]:
        """Tournaments of a status."""
        if status == "open":
            return rows.filter(closed_at__isnull=True)
        return rows.filter(closed_at__isnull=False, is_cancelled=status == "cancelled")

    def from_day(self, rows: QuerySet[Tournament], _: str, day: date) -> QuerySet[Tournament]:
        """Tournaments that start on a day or later."""
        return rows.filter(starts_at__gte=datetime.combine(day, time.min, self.zone))

    def to_day(self, rows: QuerySet[Tournament], _: str, day: date) -> QuerySet[Tournament]:
        """Tournaments that start on a day or earlier."""
        return rows.filter(starts_at__lt=datetime.combine(day + timedelta(days=1), time.min, self.zone))

    def of_season(self, rows: QuerySet[Tournament], _: str, season: Season) -> QuerySet[Tournament]:
        """Tournaments that start within a season."""
        season.club = self.club
        return rows.filter(**days_of(season))


class SeasonFilter(FilterSet):  # type: ignore[misc]
    """Seasons of a club."""

    status = ChoiceFilter(choices=STATUS[:2], method="by_status", help_text="`closed`: its standings are final")
    published = yes_or_no("is_published", "Whether it is published")

    def by_status(self, rows: QuerySet[Any], _: str, status: str) -> QuerySet[Any]:
        """Seasons of a status."""
        return rows.filter(closed_at__isnull=status == "open")


class PlayerFilter(FilterSet):  # type: ignore[misc]
    """Players of a club."""

    q = CharFilter(max_length=200, method="named", help_text="Words of the name, in any order and spelling")
    member = yes_or_no("is_member", "Whether they are members of the club")
    number = CharFilter("member_number", max_length=MOST_MEMBER_NUMBER, help_text="The club's number for the player")

    def named(self, rows: QuerySet[Any], _: str, text: str) -> QuerySet[Any]:
        """Players with all of these words in their name."""
        return rows.filter(names_with(text))


class TableFilter(FilterSet):  # type: ignore[misc]
    """Tables of a tournament, as score sheets."""

    round = WholeNumberFilter("table__round", min_value=1, max_value=MOST_ROUND, help_text="Only this round")
    status = ChoiceFilter(choices=STATUS, method="by_status", help_text="`closed` is without `cancelled`")

    def by_status(self, rows: QuerySet[Any], _: str, status: str) -> QuerySet[Any]:
        """Tables of a status."""
        if status == "cancelled":
            return rows.filter(is_cancelled=True)
        return rows.filter(is_cancelled=False, is_closed=status == "closed")


class ReceiverFilter(FilterSet):  # type: ignore[misc]
    """Receivers of a club's messages."""

    channel = ChoiceFilter(choices=Receiver.Channel.choices, help_text="How it is reached")
    on = yes_or_no("is_on", "Whether it is switched on")


class DeliveryFilter(FilterSet):  # type: ignore[misc]
    """Messages to one receiver."""

    state = ChoiceFilter(choices=Delivery.State.choices, help_text="`failed`: not accepted; `dropped`: not sent")
    kind = ChoiceFilter(choices=MessageKind.choices, help_text="What it tells")


class AccountFilter(FilterSet):  # type: ignore[misc]
    """Accounts of the books."""

    kind = ChoiceFilter(choices=[(kind.value, kind.value) for kind in AccountKind], help_text="Whose money it holds")
    currency = CharFilter(max_length=3, help_text="Its currency, such as `INR`")
    owner = CharFilter(max_length=64, help_text="A player's or tournament's id, a till, or a side pot")


class EntryFilter(FilterSet):  # type: ignore[misc]
    """Entries of the journal of a club."""

    vars()["from"] = DayFilter(method="from_day", help_text="Posted on this day or later, in the club's time zone")
    to = DayFilter(method="to_day", help_text="Posted on this day or earlier")
    currency = CharFilter(max_length=3, help_text="Their currency, such as `INR`")
    cause = CharFilter(max_length=80, help_text="What they were posted for, such as `table:ID`")
    tournament = ModelChoiceFilter(
        queryset=Tournament.objects.none(), method="of_tournament", help_text="Posted for it or one of its tables"
    )
    player = ModelChoiceFilter(
        queryset=Player.objects.none(), method="of_player", help_text="With an amount on the player's account"
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.filters["tournament"].queryset = Tournament.objects.filter(club=club)
        self.filters["player"].queryset = Player.objects.filter(club=club)
        self.club, self.zone = club, zone_of(club.timezone)

    def from_day(self, rows: QuerySet[Any], _: str, day: date) -> QuerySet[Any]:
        """Entries of a day or later."""
        return rows.filter(posted_at__gte=datetime.combine(day, time.min, self.zone))

    def to_day(self, rows: QuerySet[Any], _: str, day: date) -> QuerySet[Any]:
        """Entries of a day or earlier."""
        return rows.filter(posted_at__lt=datetime.combine(day + timedelta(days=1), time.min, self.zone))

    def of_tournament(self, rows: QuerySet[Any], _: str, tournament: Tournament) -> QuerySet[Any]:
        """Entries posted for a tournament and its tables."""
        return rows.filter(cause__in=scope_of(BookScope(club=self.club, tournament=tournament)).causes or ())

    def of_player(self, rows: QuerySet[Any], _: str, player: Player) -> QuerySet[Any]:
        """Entries that move anything for a person."""
        return entries_of_owners(rows, rows_of(self.club.pk, [str(player.pk)]))


class PersonFilter(FilterSet):  # type: ignore[misc]
    """People of a club."""

    role = ChoiceFilter(choices=[(role.value, role.value) for role in Role], help_text="Only this role")


class InvitationFilter(FilterSet):  # type: ignore[misc]
    """Links that let somebody in."""

    kind = ChoiceFilter(
        choices=[("invite", "invite"), ("password", "password")],
        help_text="`invite`: invitations to a role; `password`: links for a new password",
    )


class TokenFilter(FilterSet):  # type: ignore[misc]
    """Device links of a club."""

    status = ChoiceFilter(
        choices=[("active", "active"), ("ended", "ended"), ("revoked", "revoked")],
        method="by_status",
        help_text="`ended`: its time is over",
    )

    def by_status(self, rows: QuerySet[Any], _: str, status: str) -> QuerySet[Any]:
        """Links of a status."""
        if status == "revoked":
            return rows.filter(revoked_at__isnull=False)
        ended = Q(expires_at__lte=now())
        return rows.filter(ended if status == "ended" else ~ended | Q(expires_at__isnull=True), revoked_at__isnull=True)
