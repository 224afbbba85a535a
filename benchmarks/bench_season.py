"""What a season costs its workers: 50 closed nights of 200 players at 40 tables, and one correction in an old night.

Processor time of this process on a fresh SQLite database. The nights' events are copied from one night that was played
through the commands, so that the figures are those of reading fifty nights, not of playing them.

    python -m benchmarks.bench_season [--json]
"""

import time
import uuid
from copy import copy
from datetime import UTC, date, datetime, timedelta
from typing import Any

from benchmarks.figures import sized, tell, throwaway_site

NIGHTS, TABLES, SEATS = sized((50, 40, 5), smallest=(3, 2, 5))
AT_MOST = {"season_s": 10.0, "one_correction_s": 10.0}


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_most=AT_MOST)


def figures() -> dict[str, float]:
    """Every figure, in a database of its own that is thrown away."""
    with throwaway_site(LOG_LEVEL="ERROR"):
        club = _club()
        _copy_nights(_first_night(club))
        return _measured(club)


def _club() -> Any:
    from tests.builders.public_tables import a_club  # noqa: PLC0415 - the site comes first
    from tournaments.seasons.commands import SeasonDraft, create_season  # noqa: PLC0415

    club = a_club(slug="season")
    year = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    formula = {"best": 30, "attendance": 2, "minimum_nights": 10, "field_base": 40}
    create_season(club, SeasonDraft(name="Year", formula=formula, is_published=True, **year))
    return club


def _first_night(club: Any) -> Any:
    """Forty tables of five, closed, by the commands."""
    from tests.builders.public_tables import a_tournament, context, seat  # noqa: PLC0415 - the site comes first
    from tournaments.running.commands.close import close_tournament  # noqa: PLC0415

    tournament = a_tournament(club, "pool_101", starts_at=datetime(2026, 1, 2, 19, tzinfo=UTC))
    for number in range(1, TABLES + 1):
        table = seat(tournament, *(f"Player {number}-{place}" for place in range(1, SEATS + 1)), number=number)
        table.deal("show", 60, 61, 62, 63).deal("show", 60, 61, 62, 63)
        table.event(kind="table_closed")
    close_tournament(tournament.pk, context=context())
    tournament.refresh_from_db()
    return tournament


def _copy_nights(first: Any) -> None:
    """The same night again and again, every time with the players turned at their tables."""
    from tournaments.models import Standing  # noqa: PLC0415
    from tournaments.models.log import Event  # noqa: PLC0415

    closing = Event.objects.get(stream_id=first.pk, kind="tournament_closed")
    lines = list(Standing.objects.filter(tournament=first).order_by("table__number", "seat_number"))
    for night in range(1, NIGHTS):
        _copy_night(first, lines, closing, night)


def _copy_night(first: Any, lines: list[Any], closing: Any, night: int) -> None:
    from tournaments.models import EveningSheet, Scoresheet, Standing, Table, Tournament  # noqa: PLC0415
    from tournaments.models.log import Stream  # noqa: PLC0415

    position = closing.position + night
    own = copy(first)
    own.pk, own.slug, own.board_position = uuid.uuid4(), f"night-{night}", position
    own.starts_at = first.starts_at + timedelta(days=7 * night)
    Tournament.objects.bulk_create([own])
    sheet = copy(EveningSheet.objects.get(tournament=first))
    sheet.tournament_id = own.pk
    EveningSheet.objects.bulk_create([sheet])
    tables = {
        line.table_id: Table(id=uuid.uuid4(), tournament=own, club=own.club, number=line.table.number) for line in lines
    }
    Table.objects.bulk_create(tables.values())
    sheets = {row.table_id: row for row in Scoresheet.objects.filter(table__tournament=first)}
    for old, new in tables.items():
        sheets[old].table_id = new.pk
    Scoresheet.objects.bulk_create(sheets.values())
    players = [line.player_id for line in lines]
    turned = players[night:] + players[:night]
    copies = []
    for line, player in zip(lines, turned, strict=True):
        seat = copy(line)
        seat.pk, seat.tournament_id, seat.table_id, seat.player_id = None, own.pk, tables[line.table_id].pk, player
        copies.append(seat)
    Standing.objects.bulk_create(copies)
    Stream.objects.bulk_create(
        [Stream(id=own.pk, club_id=own.club_id, kind="tournament", version=1, head_hash=bytes(closing.hash))]
    )
    _copy_closing(closing, own, position)


def _copy_closing(closing: Any, night: Any, position: int) -> None:
    from tournaments.models.log import Event  # noqa: PLC0415

    event = copy(closing)
    event.pk, event.stream_id, event.position, event.key = uuid.uuid4(), night.pk, position, uuid.uuid4()
    Event.objects.bulk_create([event])


def _measured(club: Any) -> dict[str, float]:
    """The whole season from nothing, then one old night that changed."""
    from django.utils.timezone import now  # noqa: PLC0415

    from tournaments.models import SeasonTable, Tournament  # noqa: PLC0415
    from tournaments.projections.stale import mark_stale  # noqa: PLC0415
    from tournaments.seasons.commands.update import bring_up  # noqa: PLC0415

    start = time.process_time()
    brought = bring_up(club.pk, now=now())
    whole = time.process_time() - start
    if (brought.tournaments, brought.ratings) != (NIGHTS, TABLES * SEATS):
        raise AssertionError(brought)
    old = Tournament.objects.get(slug="night-1")
    Tournament.objects.filter(pk=old.pk).update(board_position=old.board_position + NIGHTS)
    mark_stale(club.pk)
    start = time.process_time()
    brought = bring_up(club.pk, now=now())
    again = time.process_time() - start
    if brought.tournaments != 1:
        raise AssertionError(brought)
    return {
        "season_s": whole,
        "one_correction_s": again,
        "season_kb": len(SeasonTable.objects.get().state) / 1000,
        **_pages(club),
    }


def _pages(club: Any) -> dict[str, float]:
    """What the pages of such a season weigh, and cost."""
    from benchmarks.bench_pages import cpu_ms, door  # noqa: PLC0415

    ask = door()
    page = f"/en-gb/c/{club.slug}/seasons/year/"
    tag = ask(page, {})[1]["ETag"]
    return {
        "season_page_ms": cpu_ms(lambda: ask(page, {})),
        "season_page_kb": len(ask(page, {})[2]) / 1000,
        "season_unchanged_ms": cpu_ms(lambda: ask(page, {"HTTP_IF_NONE_MATCH": tag})),
        "ratings_page_ms": cpu_ms(lambda: ask(f"/en-gb/c/{club.slug}/ratings/", {})),
    }


if __name__ == "__main__":
    main()
