"""A table's score sheet page, current or of the past, its swapped part, and the same as JSON and CSV."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from scoring.rules.table.table import Status
from scoring.rules.table.table import Table as PlayedTable
from scoring.sheets.event_messages import isolated_names
from scoring.sheets.scoresheet import hands_shown
from tournaments.boards.past import sheet_at
from tournaments.models import Scoresheet
from tournaments.printing import game_at
from tournaments.printing.exports import sheet_csv, sheet_json
from tournaments.projections.boards import seat_lines
from tournaments.projections.shown import shown_anew
from tournaments.rendering.i18n.formatting import in_sentence, zone_of
from tournaments.rendering.i18n.translating import sentence, spoken
from tournaments.tables.queries.moments import At, WithCorrections, read_at
from tournaments.tables.queries.sheets import (
    SeatedPlayer,
    SheetPage,
    page_of_sheet,
    result_text,
    seat_rows,
    stand_ins_at,
)
from tournaments.web.public.base.answers import Context, is_public, page_tag, seen_sheet, unless_unchanged
from tournaments.web.public.base.exports import export_answer
from tournaments.web.public.base.parts import Part, answer_part, part_text
from tournaments.web.public.base.words import line_title, moment, number_title, plain
from tournaments.web.public.boards.boards import LIVE, RESTING, change_texts
from tournaments.web.public.boards.moments import (
    AS_KNOWN,
    AS_SHOWN,
    BadMoment,
    RequestedMoment,
    no_such_moment,
    past_banner,
)
from tournaments.web.public.boards.standings import BAR_WIDTH, StandingRow, sheet_columns, sheet_rows
from tournaments.web.public.tables.charts import race_chart
from tournaments.web.public.tables.score_sheets import (
    money_shown,
    options_shown,
    panels_shown,
    score_rows,
    stakes_shown,
)


def deal_hands(page: SheetPage) -> tuple[Context, ...]:
    """Return the deals whose cards can be shown, each hand with its player, in the order of the sheet."""
    hands_by_version = hands_shown(page.table)
    return tuple(
        {
            "title_in_sentence": in_sentence(line_title(line.kind, line.deal)),
            "version": line.version,
            "hands": tuple((page.names[hand.seat], hand) for hand in hands_by_version[line.version]),
        }
        for line in page.lines
        if line.version in hands_by_version
    )


@require_safe
def table(request: HttpRequest, **address: Any) -> HttpResponse:
    """Show the score sheet; with `?at=` as it was shown then."""
    sheet = seen_sheet(request, **address)
    at = request.GET.get("at", "")
    if at:
        return _past(request, sheet, at, lambda page, wanted: _past_page(request, sheet, page, wanted))
    return _answer(request, sheet, lambda tag, seats: _page(request, sheet, tag, seats), *_neighbours(sheet).values())


@require_safe
def sheet_part(request: HttpRequest, **address: Any) -> HttpResponse:
    """Return the part of the page that changes; with `?since=` the difference."""
    sheet = seen_sheet(request, **address)
    seats = seat_rows(sheet.pk)
    tag = sheet_tag(sheet, seats)
    part = _part(sheet, tag, lambda: sheet_context(page_of_sheet(sheet, seats)) | _live(sheet, tag))
    return answer_part(request, part, is_shared=is_public(sheet.table.tournament))


@require_safe
def sheet_file(request: HttpRequest, kind: str, **address: Any) -> HttpResponse:
    """Return the score sheet as JSON or CSV, now or as of `?at=`."""
    sheet, make = seen_sheet(request, **address), {"json": sheet_json, "csv": sheet_csv}[kind]
    name = f"{sheet.table.tournament.slug}-r{sheet.table.round}-{sheet.table.number}"

    def answer(page: SheetPage, _: At | None = None) -> HttpResponse:
        return export_answer(make(page), name, kind)

    if at := request.GET.get("at", ""):
        return _past(request, sheet, at, answer)
    return _answer(request, sheet, lambda _, seats: answer(page_of_sheet(sheet, seats)))


def sheet_context(page: SheetPage) -> Context:
    """Return the template context of a sheet. It marks substitutes; files and the API name the seat's owner."""
    page = replace(page, names={**page.names, **page.stand_ins})
    lines = seat_lines(page.row, page.table, with_money=page.shows_money)
    columns = sheet_columns(page, lines)
    tournament = page.row.tournament
    options = options_shown(page)
    return {
        "page": page,
        "table": page.table,
        "row": page.row,
        "tournament": tournament,
        "club": tournament.club,
        "columns": columns,
        "rows": _linked(sheet_rows(page, lines, columns), page),
        "bar_width": BAR_WIDTH,
        "seats": list(page.names.items()),
        "score_rows": list(score_rows(page)),
        "has_words": bool(page.table.unconfirmed or page.table.disputed),
        "changes": change_texts(page.changes, zone_of(tournament.club.timezone)),
        "deal_hands": deal_hands(page),
        "chart": race_chart(page),
        "race_title": in_sentence(number_title(page.table.rules.race)),
        "finish": columns.finish,
        "panels": panels_shown(page),
        "money": money_shown(page) if page.shows_money else None,
        "options": [option for option in options if not option["is_for_play"]],
        "play_options": [option for option in options if option["is_for_play"]],
        "stakes": stakes_shown(page),
        "result": result_text(page.table, page.names),
        "conflicts": [sentence(message, isolated_names(page.names)) for message in page.conflicts],
        "as_of": moment(page.recorded_at, zone_of(tournament.club.timezone)),
        "summary": _summary(page),
    }


def _linked(rows: Sequence[StandingRow], page: SheetPage) -> list[StandingRow]:
    """Add links to the pages of players who have one, if the sheet is public."""
    tournament = page.row.tournament
    is_counted = is_public(tournament) and not tournament.is_cancelled and page.table.status is not Status.CANCELLED
    if not is_counted or not page.table.has_begun:
        return list(rows)
    pages = {
        player: reverse("pages:player", kwargs={"club_slug": tournament.club.slug, "player": player})
        for player in page.with_pages
    }
    return [row._replace(page=pages.get(row.player, "")) for row in rows]


def sheet_tag(sheet: Scoresheet, seats: Sequence[SeatedPlayer]) -> str:
    """Return a tag over everything that a table's pages show, including its players."""
    tournament = sheet.table.tournament
    return page_tag(
        sheet.pk,
        sheet.version,
        shown_anew(tournament.club),
        sheet.table.name,
        tournament.name,
        tournament.closed_at,
        is_public(tournament),
        *(tournament.club.name, tournament.club.timezone, tournament.club.locale, tournament.club.shows_money),
        *seats,
        *stand_ins_at(sheet).values(),
    )


def _answer(
    request: HttpRequest, sheet: Scoresheet, make: Callable[[str, Sequence[SeatedPlayer]], HttpResponse], *more: object
) -> HttpResponse:
    """Return what `make` builds of the table, unless the visitor has that already. `more` is added to the tag."""
    seats = seat_rows(sheet.pk)
    tag = sheet_tag(sheet, seats)
    whole = page_tag(tag, *more) if more else tag
    return unless_unchanged(request, whole, lambda: make(tag, seats), is_shared=is_public(sheet.table.tournament))


def _page(request: HttpRequest, sheet: Scoresheet, tag: str, seats: Sequence[SeatedPlayer]) -> HttpResponse:
    page = page_of_sheet(sheet, seats)
    context = sheet_context(page) | _live(sheet, tag)
    part = part_text(_part(sheet, tag, lambda: context))
    return render(request, "pages/table.html", context | _frame(sheet, page.table) | {"part": part})


def _part(sheet: Scoresheet, tag: str, context: Callable[[], Context]) -> Part:
    """Return the current sheet as a part. Without the request: it is the same for all who may see it."""
    return Part(
        owner=f"sheet:{sheet.pk}",
        tag=tag,
        make=lambda: render_to_string("pages/table_sheet.html", context()),
        club=sheet.table.tournament.club,
    )


def _live(sheet: Scoresheet, tag: str) -> Context:
    closed = sheet.table.tournament.closed_at is not None
    return {"tag": tag, "poll": RESTING if closed else LIVE, "is_past": False}


def _frame(sheet: Scoresheet, table: PlayedTable) -> Context:
    tournament = sheet.table.tournament
    return {
        "title": f"{spoken(sheet.table.called)} · {tournament.name}",
        "game": game_at(tournament, table),
        "is_public": is_public(tournament),
        **_neighbours(sheet),
    }


def _neighbours(sheet: Scoresheet) -> Context:
    """Return the neighbouring tables in the round; None at the ends."""
    return {name: getattr(sheet, name, None) for name in ("number_before", "number_after")}


def _past(
    request: HttpRequest, sheet: Scoresheet, at: str, make: Callable[[SheetPage, At], HttpResponse]
) -> HttpResponse:
    """Return what `make` builds of the sheet as it was shown at a version or a moment, or with later corrections."""
    parsed_at = read_at(at, _zone(sheet))
    if parsed_at is None:
        return no_such_moment(request, BadMoment(at, _zone(sheet)))

    def made() -> HttpResponse:
        page = sheet_at(sheet.table, parsed_at)
        if page is None:
            raise Http404
        return make(page, parsed_at)

    # Nothing is folded for a visitor who has it: what was known by a moment changes only with the table's version.
    tag = page_tag("past", sheet_tag(sheet, seat_rows(sheet.pk)), at, *_neighbours(sheet).values())
    return unless_unchanged(request, tag, made, is_shared=is_public(sheet.table.tournament))


def _past_page(request: HttpRequest, sheet: Scoresheet, page: SheetPage, at: At) -> HttpResponse:
    """Show the page of a sheet of the past, clearly labelled and never refreshed."""
    requested_moment = RequestedMoment(text=request.GET["at"], at=at)
    past = {"is_past": True, "past": _banner(sheet, at), "suffix": requested_moment.suffix}
    return render(request, "pages/table.html", sheet_context(page) | _frame(sheet, page.table) | past)


def _banner(sheet: Scoresheet, at: At) -> Context:
    """Return the banner of a sheet of the past: on a sheet a bare number is one of its versions."""
    match at:
        case int():
            text = gettext("As shown at version {version}").format(version=plain(at))
            return {"title": text, "note": gettext(AS_SHOWN)}
        case WithCorrections(by=int() as version):
            text = gettext("At version {version}, with later corrections").format(version=plain(version))
            return {"title": text, "note": gettext(AS_KNOWN)}
    return past_banner(sheet.table.tournament, RequestedMoment(at=at))


def _zone(sheet: Scoresheet) -> Any:
    return zone_of(sheet.table.tournament.club.timezone)


def _summary(page: SheetPage) -> str:
    """Return the text for screen readers after the sheet has changed."""
    if page.table.has_totals:
        return gettext("Sheet updated. Entered by its totals.")
    deals = page.table.deals
    text = ngettext("Sheet updated. {number} deal played.", "Sheet updated. {number} deals played.", deals)
    return text.format(number=plain(deals))
