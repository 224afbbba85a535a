"""Which part of a club's books somebody asks for: days on the club's clock, or one tournament.

Rules: docs/books.md.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from scoring.ledger.journal import Scope
from scoring.models import Account, SettledCause
from scoring.money import AccountKind
from tournaments.models import Club, Player, Table, Tournament
from tournaments.people.actors import actor_names
from tournaments.rendering.i18n.local_times import zone_of

# How the log names somebody who signed in.
USER = re.compile(r"user:[0-9]{1,18}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """Which part of a club's books: days on the club's clock, both included, or one tournament."""

    club: Club
    first: date | None = None
    last: date | None = None
    tournament: Tournament | None = None

    @property
    def zone(self) -> ZoneInfo:
        return zone_of(self.club.timezone)

    @property
    def name(self) -> str:
        """A name for the file, without its ending."""
        if self.tournament is not None:
            return f"{self.club.slug}-{self.tournament.slug}"
        days = [f"{day}" for day in (self.first, self.last) if day is not None]
        return "-".join([self.club.slug, *days])

    @property
    def title(self) -> str:
        """What the books call themselves."""
        return self.club.name if self.tournament is None else f"{self.club.name}: {self.tournament.name}"


def scope_of(extract: Extract) -> Scope:
    """The same in the words of the books."""
    causes = None if extract.tournament is None else tuple(_causes(extract.tournament))
    return Scope(
        club=extract.club.pk,
        since=_midnight(extract.first, extract.zone),
        before=_midnight(extract.last + timedelta(days=1) if extract.last else None, extract.zone),
        causes=causes,
    )


def names_of(club: Club) -> dict[str, str]:
    """What owners of the club's accounts are called: its players, tournaments with a pool, side pots, who had a till.

    In a few queries, however many there are.
    """
    owners = Account.objects.filter(club=club.pk).exclude(kind=AccountKind.PLAYER).exclude(owner="")
    found: dict[str, set[str]] = {}
    for kind, owner in owners.values_list("kind", "owner"):
        found.setdefault(kind, set()).add(owner)
    pots, tills = found.get(AccountKind.SIDE_POT, set()), found.get(AccountKind.CASH, set())
    pools = Tournament.objects.filter(club=club, pk__in=found.get(AccountKind.PRIZE_POOL, set()))
    players = Player.objects.filter(club=club)
    return {
        **{pot: pot for pot in pots},
        **holders_of(tills),
        **{str(row): name for rows in (pools, players) for row, name in rows.values_list("id", "name")},
    }


def holders_of(tills: Collection[str]) -> dict[str, str]:
    """Whose the tills are, by their words; one of somebody unknown keeps its word."""
    people = {till for till in tills if USER.fullmatch(till)}
    return {till: till for till in tills} | (actor_names(people) if people else {})


def _causes(tournament: Tournament) -> Iterator[str]:
    """Everything that money of a tournament is booked under."""
    yield f"tournament:{tournament.pk}"
    yield from _entry_causes(tournament)
    for table in Table.objects.filter(tournament=tournament).values_list("pk", flat=True):
        yield f"table:{table}"


def _entry_causes(tournament: Tournament) -> Iterable[str]:
    """Each player's entry is booked by itself."""
    settled = SettledCause.objects.filter(club=tournament.club_id, cause__startswith=f"entry:{tournament.pk.hex}:")
    return settled.order_by("cause").values_list("cause", flat=True)


def _midnight(day: date | None, zone: ZoneInfo) -> datetime | None:
    return None if day is None else datetime.combine(day, time.min, zone)
