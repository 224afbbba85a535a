"""The rounds of a tournament, and the seating of each of them: by name and by table.

Rules: docs/how-to/publishing.md, "A tournament's pages". The room page shows the current round, with its clock; these
two show every seated round, also of a tournament without a plan. With many tables a page shows those of the latest
round, and links to the others.
"""

from collections.abc import Mapping
from operator import itemgetter

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tournaments.boards import Board, board
from tournaments.boards.seats import SeatAtTable
from tournaments.boards.winners import Round, RoundTable, rounds_of, sitting_out
from tournaments.models import Tournament
from tournaments.models.people import search_key
from tournaments.rendering.i18n.formatting import place_text
from tournaments.web.public.base.answers import (
    Context,
    Subpage,
    answer_subpage,
    evidence_context,
    is_public,
    page_tag,
    quick_subpage,
    seen_tournament,
    tournament_tag,
)
from tournaments.web.public.base.parts import Part, answer_part, part_text
from tournaments.web.public.base.words import number_text, number_title
from tournaments.web.public.boards.boards import LIVE, RESTING
from tournaments.web.public.boards.plan_words import stage_title

# How many tables a page of rounds shows, unless it shows one round.
MOST_TABLES = 60


@require_safe
def rounds(request: HttpRequest, club_slug: str, slug: str, number: int | None = None) -> HttpResponse:
    """List every round, the latest first: its tables with their winners and numbers, and who qualified.

    For a large tournament the latest, or the one with this number, with links to the others.
    """
    if (quick := quick_subpage(request, club_slug, slug)) is not None:
        return quick
    tournament = seated_tournament(request, club_slug, slug, number)
    return answer_subpage(request, tournament, lambda: _rounds_page(tournament, number))


@require_safe
def seating(request: HttpRequest, club_slug: str, slug: str, number: int | None = None) -> HttpResponse:
    """Show the seating of a round: from A to Z, and by table. Without a number that of the latest one."""
    tournament = seated_tournament(request, club_slug, slug, number)
    out = sitting_out(tournament.id)
    return answer_subpage(
        request, tournament, lambda: _seating_page(tournament, _part(tournament, number, out)), *out.values()
    )


@require_safe
def seating_part(request: HttpRequest, club_slug: str, slug: str, number: int | None = None) -> HttpResponse:
    """Return the part of the page that changes; with `?since=` the difference."""
    tournament = seated_tournament(request, club_slug, slug, number)
    return answer_part(request, _part(tournament, number, sitting_out(tournament.id)), is_shared=is_public(tournament))


def seated_tournament(request: HttpRequest, club_slug: str, slug: str, number: int | None) -> Tournament:
    """Return the tournament. Raises Http404 for a round that was never seated."""
    tournament = seen_tournament(request, club_slug, slug)
    if number is not None and not tournament.tables.filter(round=number).exists():
        raise Http404
    return tournament


def _rounds_page(tournament: Tournament, number: int | None) -> Subpage:
    public_board = board(tournament)
    board_rounds = rounds_of(public_board)[::-1]
    whole = whole_rounds({board_round.number: len(board_round.tables) for board_round in board_rounds}, number)
    out = sitting_out(tournament.id)
    return Subpage(
        template="pages/rounds.html",
        title=gettext("Rounds"),
        description=gettext("Every round of %(name)s: tables, winners and who qualified.") % {"name": tournament.name},
        context={
            "rounds": [
                _round_shown(public_board, board_round, out)
                if board_round.number in whole
                else _round_folded(public_board, board_round)
                for board_round in board_rounds
            ],
            **evidence_context(tournament, public_board),
        },
    )


def whole_rounds(tables: Mapping[int, int], number: int | None) -> set[int]:
    """Return the rounds whose tables are on the page: the requested one, and the latest ones that fit.

    `tables` is how many each round has.
    """
    whole: set[int] = set()
    room = MOST_TABLES
    for round_number in sorted(tables, key=lambda one: (one == number, one), reverse=True):
        room -= tables[round_number]
        if room < 0 and whole:
            break
        whole.add(round_number)
    return whole


def _seating_page(tournament: Tournament, part: Part) -> Subpage:
    return Subpage(
        template="pages/seating.html",
        title=gettext("Seating"),
        description=gettext("Seating at %(name)s: from A to Z, and by table.") % {"name": tournament.name},
        context={"part": part_text(part)},
    )


def _part(tournament: Tournament, number: int | None, out: Mapping[str, str]) -> Part:
    """Return the seating of a round, or of the latest one, as a part for polling."""
    tag = tournament_tag(tournament, "seating", number, *out.values())
    words = [tournament.club.slug, tournament.slug]
    address = reverse("pages:seating_part", args=words)
    if number is not None:
        address = reverse("pages:seating_part_of_round", args=[*words, number])

    def make() -> str:
        context = _seating_context(tournament, number, out) | {"tag": tag, "address": address}
        return render_to_string("pages/seating_part.html", context)

    return Part(owner=f"seating:{tournament.id}:{number or ''}", tag=tag, make=make, club=tournament.club)


def _seating_context(tournament: Tournament, number: int | None, out: Mapping[str, str]) -> Context:
    public_board = board(tournament)
    board_rounds = rounds_of(public_board)
    chosen = next(
        (board_round for board_round in board_rounds if board_round.number == number),
        board_rounds[-1] if board_rounds else None,
    )
    by_name = _by_name(tournament, public_board, chosen) if chosen else []
    return {
        "tournament": tournament,
        "club": tournament.club,
        "poll": RESTING if tournament.closed_at else LIVE,
        "rounds": [board_round.number for board_round in board_rounds],
        "chosen": _round_shown(public_board, chosen, out) if chosen else None,
        "is_latest": chosen is not None and chosen is board_rounds[-1],
        "by_name": by_name,
        # Deals do not change the seating: only a new seat is announced to screen readers.
        "told": page_tag(chosen and chosen.number, *by_name).strip('"'),
        **evidence_context(tournament, public_board),
    }


def _by_name(tournament: Tournament, shown: Board, chosen: Round) -> list[Context]:
    """List where each player sits, from A to Z, with the page of the player's row on the leaderboard."""
    rows = {row.line.player for row in shown.rows}
    words = [tournament.club.slug, tournament.slug]
    lines: list[Context] = [
        {
            "name": shown.seat_called(seat.line.player, chosen.number),
            "page": reverse("pages:explanation", args=[*words, seat.line.player]) if seat.line.player in rows else "",
            "player": seat.line.player,
            "table": table.line.number,
            "seat": seat.number,
        }
        for table in chosen.seated
        for seat in table.seats
    ]
    return sorted(lines, key=lambda line: (search_key(line["name"]), line["table"]))


def _round_folded(shown: Board, each: Round) -> Context:
    """Return a round without its tables."""
    return {
        "round": each,
        "stage": stage_title(shown.plan, each.stage) if each.stage else "",
        "finished": sum(table.line.is_finished for table in each.seated),
    }


def _round_shown(shown: Board, each: Round, out: Mapping[str, str]) -> Context:
    """Return a round with its tables. `goes_to` is the stage for which players qualified."""
    race = shown.terms_of(each.stage).rules.race
    return _round_folded(shown, each) | {
        "tables": [_table_shown(shown, table, race) for table in each.tables],
        "number_title": number_title(race),
        "sits_out": tuple(sorted((out[player] for player in each.sits_out if player in out), key=search_key)),
        "went_on": tuple(shown.names[player] for player in each.went_on if player in shown.names),
        "goes_to": stage_title(shown.plan, each.stage + 1) if each.went_on else "",
    }


def _table_shown(shown: Board, table: RoundTable, race: str) -> Context:
    """Return a table as its card shows it, by places, and by seats for the seating."""
    seats = [_seat_shown(shown, table, seat, race) for seat in table.by_place]
    return {"table": table, "seats": seats, "by_seat": sorted(seats, key=itemgetter("seat"))}


def _seat_shown(shown: Board, table: RoundTable, seat: SeatAtTable, race: str) -> Context:
    line, has_begun = seat.line, table.line.has_begun
    level = [other.place for other in table.seats].count(seat.place) > 1
    return {
        "name": shown.seat_called(line.player, table.line.round),
        "player": line.player,
        "seat": seat.number,
        "place": place_text(seat.place, is_tied=level) if has_begun and seat.place else "",
        "number": number_text(race, getattr(line, race)) if has_begun else "",
        "is_winner": line.player in table.winners,
    }
