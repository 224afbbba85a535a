"""Rebuilds rows of the cash desk and imported tournaments from their streams, and what spans tournaments from boards.

It also compares them. The published table of a closed season is not rebuilt: it is stored for itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F, Model, Q
from django.utils.timezone import now

from scoring.cash import dump_book
from scoring.events import cash as events
from scoring.events.reading import read_stored
from scoring.events.table import EventLeftOut
from tournaments import log
from tournaments.cash import book_from_log
from tournaments.importing.standings import past_columns, write_past
from tournaments.integrity import unequal
from tournaments.log.auditing import as_far_as_it_goes, not_judged
from tournaments.log.context import club_lock
from tournaments.models import CashBook as CashBookRow
from tournaments.models import (
    ClubReadings,
    NightResult,
    PastTournament,
    PlayerCredit,
    PlayerRating,
    Season,
    SeasonTable,
    Tournament,
)
from tournaments.models.statements import unique_key
from tournaments.seasons.commands.update import (
    BATCH,
    BEHIND,
    rate,
    rating_rows,
    row_of,
    season_table,
    write_ratings,
    write_results,
    write_tables,
)
from tournaments.seasons.results import (
    ReadResult,
    counting_tournaments,
    past_results,
    publication_digest,
    read_results,
    results_that_count,
)

# The cash desk's rows: rebuild them from the books' streams, or compare them.

Books = Mapping[UUID, list[log.StoredEvent]]


class Credit(NamedTuple):
    """The player and the currency of a credit limit."""

    player: UUID
    currency: str


class RebuiltCash(NamedTuple):
    """The number of cash book events read, and those that could not be read."""

    events: int
    problems: list[str]


def rebuild_cash(club_id: UUID) -> RebuiltCash:
    """Write a club's books and credit limits again. Books with an unreadable event stay as they are."""
    with club_lock(club_id, even_moved=True):
        list(CashBookRow.objects.select_for_update().filter(club_id=club_id).order_by("id").values_list("id"))
        events_by_book = _stored(club_id)
        unread = _unread(events_by_book)
        CashBookRow.objects.bulk_create(
            [CashBookRow(**values) for values in _wanted(events_by_book) if values["id"] not in unread],
            update_conflicts=True,
            unique_fields=unique_key("club", "id"),
            update_fields=["version", "state", "is_closed", "closed_at"],
        )
        write_credits(club_id, events_by_book, unread)
    return RebuiltCash(sum(map(len, events_by_book.values())), [line for lines in unread.values() for line in lines])


def write_credits(club_id: UUID, stored: Books, unread: Mapping[UUID, list[str]]) -> None:
    """Rewrite the credit limits of a club if all its books can be read."""
    if unread:
        return
    PlayerCredit.objects.filter(club_id=club_id).delete()
    PlayerCredit.objects.bulk_create(
        [
            PlayerCredit(club_id=club_id, player_id=credit.player, currency=credit.currency, limit_minor=limit)
            for credit, limit in _credits(stored).items()
        ]
    )


def cash_differences(club_id: UUID) -> Iterator[str]:
    """Every difference between the rows of a club's cash desk and the log."""
    events_by_book = _stored(club_id)
    unread = _unread(events_by_book)
    yield from (line for lines in unread.values() for line in lines)
    row_by_id = {row.id: row for row in CashBookRow.objects.filter(Q(club_id=club_id) | Q(id__in=events_by_book))}
    for values in _wanted(events_by_book):
        row = row_by_id.pop(values["id"], None)
        if values["id"] not in unread:
            yield from unequal(f"cash book {values['id']}", row, values)
    strays = row_by_id.keys() - log.last_positions(row_by_id).keys()
    yield from (f"cash book {book_id} has no events" for book_id in sorted(strays))
    if not unread:
        yield from _credit_differences(club_id, _credits(events_by_book))


def _credit_differences(club_id: UUID, granted: Mapping[Credit, int]) -> Iterator[str]:
    rows = PlayerCredit.objects.filter(club_id=club_id).values_list("player_id", "currency", "limit_minor")
    limit_by_credit = {Credit(player, currency): limit for player, currency, limit in rows}
    for credit in sorted(granted.keys() | limit_by_credit.keys()):
        if granted.get(credit) != limit_by_credit.get(credit):
            text = f"{limit_by_credit.get(credit, 0)}, the log says {granted.get(credit, 0)}"
            yield f"credit of player {credit.player} in {credit.currency} is {text}"


def _stored(club_id: UUID) -> dict[UUID, list[log.StoredEvent]]:
    """Every book's stream, the oldest book first."""
    events_by_book = log.read_clubs(log.streams(log.StreamKind.CASH, club_id))
    events_by_book = {book_id: its for book_id, its in events_by_book.items() if its}
    return dict(sorted(events_by_book.items(), key=lambda one: one[1][0].position))


def _unread(stored: Books) -> dict[UUID, list[str]]:
    """The unreadable events of each book, as lines of a proof."""
    return {
        book_id: not_judged(f"cash book {book_id}", its, unread)
        for book_id, its in stored.items()
        if (unread := book_from_log(its).unreadable)
    }


def _wanted(stored: Books) -> Iterator[dict[str, Any]]:
    """The columns of each book, books of a club and currency numbered in the order in which they were opened."""
    numbers: dict[tuple[UUID, str], int] = {}
    for book_id, its in stored.items():
        book = book_from_log(its)
        # Only its row has the currency of a book whose opening cannot be read.
        stored_currency = CashBookRow.objects.filter(id=book_id).values_list("currency", flat=True)
        currency = book.currency or stored_currency.first() or ""
        key = (its[0].club_id, currency)
        numbers[key] = numbers.get(key, 0) + 1
        yield {
            "id": book_id,
            "club_id": its[0].club_id,
            "number": numbers[key],
            "currency": currency,
            "version": book.version,
            "state": dump_book(book),
            "is_closed": book.is_closed,
            "opened_at": its[0].recorded_at,
            "closed_at": _closed_at(its) if book.is_closed else None,
        }


def _closed_at(stored: list[log.StoredEvent]) -> datetime:
    """When the last line was written; events that leave out an event do not count."""
    return next(event.recorded_at for event in reversed(stored) if event.kind != EventLeftOut.kind)


def _credits(stored: Books) -> dict[Credit, int]:
    """The latest credit limits above 0, from the events in the order of the log."""
    granted: dict[Credit, int] = {}
    everything = [
        (stored_event, its[0])
        for its in stored.values()
        for stored_event in its
        if stored_event.kind == "credit_granted"
    ]
    for stored_event, first in sorted(everything, key=lambda one: one[0].position):
        event = read_stored(stored_event.kind, stored_event.schema, stored_event.body)
        opened = read_stored(first.kind, first.schema, first.body)
        if isinstance(event, events.CreditGranted) and isinstance(opened, events.CashBookOpened):
            granted[Credit(UUID(event.player), opened.currency)] = event.limit_minor
    return {credit: limit for credit, limit in granted.items() if limit}


# Imported tournaments: their rows, rebuilt from the club's own stream or compared with it. Only names are their own.


def rebuild_past(club_id: UUID) -> None:
    """Write a club's imported tournaments again."""
    with club_lock(club_id, even_moved=True):
        write_past(club_id, log.read(club_id, club_id))


def past_differences(club_id: UUID) -> Iterator[str]:
    """Every difference between the rows of a club's imported tournaments and the log."""
    derived = past_columns(log.read(club_id, club_id))
    rows = {row.pk: row for row in PastTournament.objects.filter(Q(club_id=club_id) | Q(id__in=derived))}
    for key, columns in derived.items():
        yield from unequal(f"imported tournament {key}", rows.pop(key, None), {"club_id": club_id, **columns})
    yield from (f"imported tournament {key} has no event" for key in sorted(rows))


# Data over several tournaments: stored results, season tables and ratings, rebuilt from the boards or compared.

RESULT = ("position", "closed_position", "corrected_at", "state")
TABLE = ("position", "state")
RATING = ("mu", "sigma", "nights", "tables", "history")


def rebuild_readings(club_id: UUID) -> list[str]:
    """Write a club's stored results, season tables and ratings again in any case. Returns what could not be rebuilt."""
    return list(as_far_as_it_goes(_of(club_id), partial(_rebuilt, club_id)))


def _of(club_id: UUID) -> str:
    return f"what spans nights of club {club_id}"


def _rebuilt(club_id: UUID) -> tuple[str, ...]:
    if not _has_any(club_id):
        return ()
    with transaction.atomic():
        ClubReadings.objects.get_or_create(club_id=club_id)
        list(ClubReadings.objects.select_for_update().filter(club_id=club_id))
        NightResult.objects.filter(club_id=club_id).delete()
        for batch in _read(club_id):
            write_results(club_id, batch)
        results, past, moment = results_that_count(club_id), past_results(club_id), now()
        seasons = Season.objects.filter(club_id=club_id)
        write_tables([season_table(season, results, past, moment) for season in seasons])
        write_ratings(club_id, rate(results))
        ClubReadings.objects.filter(club_id=club_id).update(done=F("due"), computed_at=moment, problem="")
    return ()


def reading_differences(club_id: UUID) -> Iterator[str]:
    """Every stored result, season table and rating that differs from the boards.

    A club with work left for a worker is skipped: there they must differ.
    """
    if _has_any(club_id) and not ClubReadings.objects.filter(BEHIND, club_id=club_id).exists():
        yield from as_far_as_it_goes(_of(club_id), partial(_differences, club_id))


def _differences(club_id: UUID) -> Iterator[str]:
    rows = {row.pk: row for row in NightResult.objects.filter(club_id=club_id)}
    expected_rows = {result.tournament: row_of(club_id, result) for batch in _read(club_id) for result in batch}
    yield from _unequal_readings("night of tournament", rows, expected_rows, (*RESULT, "club_id"))
    yield from _changed_publications(club_id)
    results, past, moment = results_that_count(club_id), past_results(club_id), now()
    tables = {row.pk: row for row in SeasonTable.objects.filter(club_id=club_id)}
    seasons = Season.objects.filter(club_id=club_id)
    wanted_tables = {season.pk: season_table(season, results, past, moment) for season in seasons}
    yield from _unequal_readings("table of season", tables, wanted_tables, (*TABLE, "club_id"))
    ratings = {row.pk: row for row in PlayerRating.objects.filter(club_id=club_id)}
    wanted_ratings = {row.player_id: row for row in rating_rows(club_id, rate(results))}
    yield from _unequal_readings("rating of player", ratings, wanted_ratings, (*RATING, "club_id"))


def _changed_publications(club_id: UUID) -> Iterator[str]:
    """Closed seasons that differ from what was published."""
    for season in Season.objects.filter(club_id=club_id, closed_at__isnull=False).order_by("id"):
        if bytes(season.final_digest) != publication_digest(season):
            yield f"season {season.pk} is closed, and not what was published: a column of it was changed"


def _unequal_readings(
    what: str, found: Mapping[UUID, Model], wanted: Mapping[UUID, Model], columns: Sequence[str]
) -> Iterator[str]:
    for key in sorted(found.keys() | wanted.keys()):
        if key in wanted:
            values = {column: getattr(wanted[key], column) for column in columns}
            yield from unequal(f"{what} {key}", found.get(key), values, "the boards say")
        else:
            yield f"{what} {key} follows from nothing"


def _read(club_id: UUID) -> Iterator[list[ReadResult]]:
    tournaments = counting_tournaments(club_id)
    for start in range(0, len(tournaments), BATCH):
        yield read_results(tournaments[start : start + BATCH])


def _has_any(club_id: UUID) -> bool:
    """Whether a club has a closed or imported tournament, or stored data of this kind."""
    closed = Tournament.objects.filter(club_id=club_id, closed_at__isnull=False).order_by().values("club_id")
    past = PastTournament.objects.filter(club_id=club_id).order_by().values("club_id")
    return closed.union(past, ClubReadings.objects.filter(club_id=club_id).order_by().values("club_id")).exists()
