"""The leaderboard of a tournament, now or at a past moment: page, swapped part, JSON, CSV, XLSX."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from functools import partial
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, gettext_noop, ngettext
from django.views.decorators.http import require_safe

from scoring.money.formatting import money
from scoring.money.payouts import FeeTerms
from scoring.rules.variants import variant
from scoring.sheets.event_messages import isolated
from tournaments.boards import Board
from tournaments.boards.seats import TableLine
from tournaments.boards.winners import planned_states
from tournaments.log.seals import Change
from tournaments.models import Tournament
from tournaments.outbox.subscriptions import key_for
from tournaments.printing import game_text, notation_of, unlisted_text
from tournaments.printing.exports import board_csv, board_json, board_workbook
from tournaments.projections.shown import Shown, shown_by_address, shown_of
from tournaments.release import tag_digest
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.web.packed import HTML, JSON, is_known
from tournaments.web.public.base.answers import (
    Context,
    address_tag,
    cached_answer,
    is_public,
    page_tag,
    quick_answer,
    seen_tournament,
    shown_tag,
    tournament_tag,
    unless_unchanged,
)
from tournaments.web.public.base.exports import export_answer
from tournaments.web.public.base.parts import Part, answer_part, is_base_known, kept_news, part_text
from tournaments.web.public.base.words import listed, moment, plain
from tournaments.web.public.boards.coming import coming_context
from tournaments.web.public.boards.moments import (
    NOW,
    BadMoment,
    RequestedMoment,
    asked_of,
    no_such_moment,
    past_banner,
    shown_position,
    slider_of,
)
from tournaments.web.public.boards.plan_words import Terms, fee_text, levy_text, shown_prizes, tie_breaks_text
from tournaments.web.public.boards.standings import BAR_WIDTH, board_groups

ROW_KEY = re.compile("[0-9a-f]{8}")
MOST_FOLLOWED = 12


# Corrections on the public pages: which deal, of which table, and when on the club's clock.

MOST_LISTED = 6


def board_changes(shown: Board, zone: tzinfo) -> list[str]:
    """Return the latest corrections of a tournament as sentences."""
    has_rounds = len({table.round for table in shown.tables}) > 1
    changed = {change.table for change in shown.changes[:MOST_LISTED]}
    tables = {table.id: _called(table, has_rounds=has_rounds) for table in shown.tables if table.id in changed}
    return change_texts(shown.changes, zone, tables)


def change_texts(changes: Sequence[Change], zone: tzinfo, tables: Mapping[UUID, str] | None = None) -> list[str]:
    """Return each change as a sentence, the latest first; of many changes the number of the others."""
    texts = [_change_text(change, zone, (tables or {}).get(change.table, "")) for change in changes[:MOST_LISTED]]
    more = len(changes) - len(texts)
    return [*texts, gettext("And {number} earlier.").format(number=plain(more))] if more else texts


def _change_text(change: Change, zone: tzinfo, table: str) -> str:
    if table:
        text = gettext("Deal {deal} of {table} was corrected at {time}.")
        text = gettext("Deal {deal} of {table} was cancelled at {time}.") if change.is_void else text
    else:
        text = gettext("Deal {deal} was corrected at {time}.")
        text = gettext("Deal {deal} was cancelled at {time}.") if change.is_void else text
    if not change.deal:
        text = gettext("The totals were corrected at {time}.")
        text = gettext("The totals of {table} were corrected at {time}.") if table else text
    return text.format(deal=plain(change.deal), table=table, time=moment(change.recorded_at, zone).short)


def _called(table: TableLine, *, has_rounds: bool) -> str:
    name = table.name or gettext("table {number}").format(number=plain(table.number))
    return gettext("{table}, round {round}").format(table=name, round=plain(table.round)) if has_rounds else name


FILES: dict[str, Callable[[Board], object]] = {"json": board_json, "csv": board_csv, "xlsx": board_workbook}
Make = Callable[[HttpRequest, RequestedMoment, Tournament, str], HttpResponse]
TagOf = Callable[[HttpRequest, Shown], str]
LIVE, RESTING = "every 1500ms", "every 15s"
POINT_VALUES = {"chips": gettext_noop("{amount} a chip")}
POINT_VALUE = gettext_noop("{amount} a point")


@require_safe
def tournament(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Show the leaderboard with its tables; with `?at=` as of then, with a slider."""
    return _answer(request, club_slug, slug, _page, _page_tag)


@require_safe
def board_part(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Return the part of the page that changes; with `?since=` the difference."""

    def make(request: HttpRequest, asked: RequestedMoment, shown: Tournament, tag: str) -> HttpResponse:
        return HttpResponse(_board_text(_context(asked, shown, tag)))

    if request.GET.get("at"):
        return _answer(request, club_slug, slug, make)
    if (quick := _quick_part(request, club_slug, slug)) is not None:
        return quick
    tournament = seen_tournament(request, club_slug, slug)
    tag = tournament_tag(tournament)
    part = board_as_part(tournament, tag, lambda: _context(NOW, tournament, tag))
    return answer_part(request, part, is_shared=is_public(tournament))


def _quick_part(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse | None:
    """Return the part from the cache, unless a difference is requested that this process cannot compute yet."""
    board_state, since = shown_by_address(club_slug, slug), request.GET.get("since", "")
    if board_state is None or (since and not is_base_known(f"board:{board_state.tournament}", since)):
        return None
    tag = shown_tag(board_state)
    if since and not is_known(request, tag):
        return kept_news(request, f"board:{board_state.tournament}", tag, since) if board_state.is_public else None
    return quick_answer(request, board_state, tag, HTML)


@require_safe
def board_file(request: HttpRequest, club_slug: str, slug: str, kind: str) -> HttpResponse:
    """Return the leaderboard as JSON, CSV or a workbook, now or as of `?at=`."""

    def make(_: HttpRequest, asked: RequestedMoment, shown: Tournament, __: str) -> HttpResponse:
        return export_answer(FILES[kind](asked.board_of(shown)), slug, kind)

    if kind == "json":
        return _answer(request, club_slug, slug, _json, _json_tag)
    return _answer(request, club_slug, slug, make)


def board_as_part(tournament: Tournament, tag: str, context: Callable[[], Context]) -> Part:
    """Return the current board as a part for polling."""
    return Part(owner=f"board:{tournament.id}", tag=tag, make=lambda: _board_text(context()), club=tournament.club)


def board_context(shown: Board, tag: str, asked: RequestedMoment = NOW) -> Context:
    """Return the template context of the board."""
    tournament, groups = shown.tournament, board_groups(shown)
    if asked.at is not None:
        suffixes = {f"r{table.round}/table-{table.number}/": asked.sheet_suffix(table) for table in shown.tables}
        for group in groups:
            group.rows[:] = [row._replace(address=row.address + suffixes[row.address]) for row in group.rows]
    rows = [row for group in groups for row in group.rows]
    over = sum(table.is_finished for table in shown.listed)
    leaders = [shown.names[row.line.player] for row in shown.rows if row.place == 1]
    has_begun = any(table.has_begun for table in shown.tables)
    return {
        "board": shown,
        "tournament": tournament,
        "club": tournament.club,
        "tag": tag,
        "poll": RESTING if tournament.closed_at else LIVE,
        "columns": groups[0].columns,
        "groups": groups,
        "rows": rows,
        "bar_width": BAR_WIDTH,
        "tables_over": over,
        "deals": sum(table.deals for table in shown.tables),
        "has_begun": has_begun,
        "leaders": leaders if has_begun and len(leaders) <= 3 else (),
        "as_of": moment(shown.recorded_at, zone_of(tournament.club.timezone)) if shown.recorded_at else None,
        "conflicts": [table for table in shown.tables if table.has_conflict],
        "has_waiting": any(row.waits for row in rows),
        "corrected": shown.corrected,
        "changes": board_changes(shown, zone_of(tournament.club.timezone)),
        "summary": _summary(shown, leaders if has_begun else [], over),
        "tables": [(table, asked.sheet_suffix(table)) for table in shown.listed],
        "unlisted": unlisted_text(shown),
        "tie_breaks": tie_breaks_text(shown.plan),
        "is_seated": asked.at is None and _is_seated(shown),
        "prizes": shown_prizes(shown) if asked.at is None else None,
        "asked": asked,
        "suffix": asked.suffix,
    }


def stakes_line(tournament: Tournament, terms: Terms | None = None) -> str:
    """Describe the stakes in one line. `terms` bound the fee: a plan's where there is one, else the tournament's."""
    parts = []
    bounds, notation = terms or FeeTerms(), notation_of(tournament)
    if tournament.entry_minor:
        parts.append(gettext("Entry fee {amount}").format(amount=money(tournament.entry_minor, *notation)))
    if tournament.point_value_minor:
        text = gettext(POINT_VALUES.get(variant(tournament.variant).race, POINT_VALUE))
        parts.append(text.format(amount=money(tournament.point_value_minor, *notation)))
    if fee := fee_text(tournament.fee_bp, bounds, notation):
        parts.append(gettext("house fee {fee}").format(fee=fee))
    if levy := levy_text(bounds, notation):
        parts.append(f"{isolated(bounds.levy_name)} {levy}")
    return " · ".join(parts)


def _is_seated(shown: Board) -> bool:
    """Whether a round of a planned tournament runs: then the room page shows the seating."""
    is_planned = shown.state is not None and bool(shown.state.rounds)
    return is_planned and any(not table.is_closed and not table.is_cancelled for table in shown.tables)


def _answer(request: HttpRequest, club_slug: str, slug: str, make: Make, tag_of: TagOf | None = None) -> HttpResponse:
    """Find the tournament, and return what `make` builds of it unless the visitor has that already.

    With `tag_of` a public board of now is made once for each tag.
    """
    kind = JSON if make is _json else HTML
    if tag_of is not None and not request.GET:
        shown = shown_by_address(club_slug, slug)
        quick = None if shown is None else quick_answer(request, shown, tag_of(request, shown), kind)
        if quick is not None:
            return quick
    tournament = seen_tournament(request, club_slug, slug)
    try:
        requested_moment = asked_of(request, tournament)
    except BadMoment as error:
        return no_such_moment(request, error)
    # The slider stops at every event; without it a board of the past stays the same while the tournament goes on.
    is_lasting = requested_moment.at is not None and make is not _page
    tag = tournament_tag(
        tournament, *requested_moment.tag, position=shown_position(tournament, requested_moment) if is_lasting else None
    )
    answer = partial(make, request, requested_moment, tournament, tag)
    whole = tag if tag_of is None or requested_moment.at is not None else tag_of(request, shown_of(tournament))
    if whole != tag and is_public(tournament):
        answer = partial(cached_answer, request, whole, answer, club=tournament.club, kind=kind)
    # The players followed change the page around the board, not the shared board.
    if keys := _followed(request):
        whole = page_tag(whole, *keys)
    return unless_unchanged(request, whole, answer, is_shared=is_public(tournament))


def _page_tag(request: HttpRequest, shown: Shown) -> str:
    return address_tag(request, shown_tag(shown))


def _json_tag(request: HttpRequest, shown: Shown) -> str:
    """Return the tag of `board.json`: it is the same in every language."""
    return f'"{tag_digest("board.json", *shown)}"'


def _followed(request: HttpRequest) -> tuple[str, ...]:
    """Return the row keys of the players shown above the board, from the address."""
    named = request.GET.get("follow", "").split(",")[:MOST_FOLLOWED]
    return tuple(key for key in named if ROW_KEY.fullmatch(key))


def _board_text(context: Context) -> str:
    """Render the board as HTML. Without the request: it is the same for all who may see it."""
    return render_to_string("pages/tournament_board.html", context)


def _context(asked: RequestedMoment, shown: Tournament, tag: str) -> Context:
    """Return the context of the requested board, with a banner where it is of the past."""
    context = board_context(asked.board_of(shown), tag, asked)
    return context if asked.at is None else context | {"past": past_banner(shown, asked)}


def _json(request: HttpRequest, asked: RequestedMoment, shown: Tournament, tag: str) -> HttpResponse:
    return export_answer(board_json(asked.board_of(shown)), shown.slug, "json")


def _page(request: HttpRequest, asked: RequestedMoment, shown: Tournament, tag: str) -> HttpResponse:
    keys, state = _followed(request), planned_states([shown]).get(shown.pk)
    plan = state.plan if state else None
    context: Context = {"tournament": shown, "club": shown.club, "asked": asked}
    if keys or asked.at is not None:
        context |= _context(asked, shown, tag)
    part = board_as_part(shown, tag, lambda: context if "rows" in context else _context(asked, shown, tag))
    extra = {
        "follow": ",".join(keys),
        "followed": [
            group._replace(rows=rows)
            for group in context.get("groups", ())
            if (rows := [row for row in group.rows if row.key in keys])
        ],
        "part": part_text(part) if asked.at is None else mark_safe(part.make()),  # noqa: S308 - our own template
        "title": shown.name,
        "game": game_text(shown, plan),
        "stakes": stakes_line(shown, plan or shown),
        "starts": moment(shown.starts_at, zone_of(shown.club.timezone)),
        "is_public": is_public(shown),
        "coming": coming_context(shown) if asked.at is None else None,
        "slider": None if asked.at is None else slider_of(shown, asked),
        "is_known": not isinstance(asked.at, int | datetime),
        "tell_key": key_for(shown) if asked.at is None else "",
    }
    return render(request, "pages/tournament.html", context | extra)


def _summary(shown: Board, leaders: list[str], over: int) -> str:
    """Return the text for screen readers after the board has changed."""
    text = ngettext("{over} of {number} table finished.", "{over} of {number} tables finished.", len(shown.listed))
    tables = text.format(over=plain(over), number=plain(len(shown.listed)))
    if not leaders:
        return tables
    lead = ngettext("{names} leads.", "{names} lead.", len(leaders)).format(names=listed(leaders[:3]))
    return " ".join([gettext("Leaderboard updated."), *([lead] if len(leaders) <= 3 else []), tables])
