"""Explains a player's numbers by the deals, options and corrections that made them, as parts that add up.

Rules: docs/rules/leaderboard.md, "Every number can be followed". Public where the board is; the reasons of corrections
are shown only to the club's users.
"""

from collections.abc import Iterator
from functools import partial
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from scoring.messages import Message
from scoring.rules.table.standing import COLUMNS, COUNTED
from scoring.sheets.event_messages import isolated_names
from scoring.sheets.scoresheet import ReckonedLine
from scoring.tournament.state.played import score_text
from tournaments.boards.explaining import Correction, Explained, StageExplained, TableExplained, explained
from tournaments.boards.players import has_page
from tournaments.models import Tournament
from tournaments.models.play import called
from tournaments.printing import stage_title
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.formatting import has_decimals, zone_of
from tournaments.rendering.i18n.translating import mark_text, translate
from tournaments.web.public.base import answers
from tournaments.web.public.base.answers import (
    Context,
    address_tag,
    cached_answer,
    evidence_context,
    is_public,
    seen_tournament,
    tournament_tag,
    unless_unchanged,
)
from tournaments.web.public.base.words import (
    line_title,
    listed,
    moment,
    number_text,
    number_title,
    plain,
    signed,
    started,
)
from tournaments.web.public.boards.moments import BadMoment, RequestedMoment, asked_of, no_such_moment, past_banner
from tournaments.web.public.boards.standings import Columns, StandingRow, board_columns, board_rows


@require_safe
def explanation(request: HttpRequest, club_slug: str, slug: str, player: UUID) -> HttpResponse:
    """Show how one player's row is computed; with `?at=` as of then."""
    tournament = seen_tournament(request, club_slug, slug)
    try:
        requested_moment = asked_of(request, tournament)
    except BadMoment as error:
        return no_such_moment(request, error)
    sees_reasons = answers.sees_reasons(request, tournament.club)
    page = _page_of(tournament, player)
    tag = address_tag(request, tournament_tag(tournament, "explained", sees_reasons, page, *requested_moment.tag))

    def make() -> HttpResponse:
        breakdown = explained(tournament, str(player), requested_moment.at)
        if breakdown is None:
            raise Http404
        context = _context(tournament, breakdown, requested_moment, sees_reasons=sees_reasons)
        is_own = breakdown.row.line.player == str(player)
        return render(request, "pages/explain.html", context | {"player_page": page if is_own else ""})

    is_shared = is_public(tournament) and not sees_reasons
    answer = partial(cached_answer, request, tag, make, club=tournament.club) if is_shared else make
    return unless_unchanged(request, tag, answer, is_shared=is_shared)


def _page_of(tournament: Tournament, player: UUID) -> str:
    """Return the address of the player's page, if it is public."""
    if not is_public(tournament) or tournament.is_cancelled or not has_page(str(player)):
        return ""
    return reverse("pages:player", kwargs={"club_slug": tournament.club.slug, "player": player})


def _context(tournament: Tournament, breakdown: Explained, asked: RequestedMoment, *, sees_reasons: bool) -> Context:
    columns = board_columns(breakdown.board, breakdown.row.stage)
    (row,) = board_rows(breakdown.board, columns, [breakdown.row])
    names = {"names": breakdown.board.names}
    formatter = _Shown(tournament, columns, asked, sees_reasons=sees_reasons)
    tables = tuple(formatter.table(table) for table in breakdown.tables)
    return names | {
        "title": f"{breakdown.board.names[breakdown.row.line.player]} · {tournament.name}",
        "tournament": tournament,
        "club": tournament.club,
        "row": row,
        "level": listed(breakdown.level) if breakdown.row.is_tied else "",
        "columns": columns,
        "sums": tuple(_stage_sum(stage, breakdown) for stage in breakdown.stages)
        or _plain_sum(breakdown, columns, row),
        "tables": tables,
        "is_public": is_public(tournament),
        "asked": asked,
        "past": past_banner(tournament, asked) if asked.at is not None else None,
        **evidence_context(tournament, breakdown.board),
    }


def _stage_sum(stage: StageExplained, breakdown: Explained) -> Context:
    """Explain the score of a stage of the plan."""
    race = breakdown.board.terms_of(stage.number).rules.race
    scores = [score_text(score) for score in (*(part.amount for part in stage.parts), stage.row.result.score)]
    decimals = has_decimals(scores)
    return {
        "title": stage_title(breakdown.board.plan, stage.number) or gettext("The score"),
        "parts": tuple(
            {"text": translate(part.text), "amount": _score(score, race, decimals=decimals)}
            for part, score in zip(stage.parts, scores, strict=False)
        ),
        "total": _score(scores[-1], race, decimals=decimals),
        "decided": translate(stage.decided),
    }


def _plain_sum(breakdown: Explained, columns: Columns, row: StandingRow) -> tuple[Context, ...]:
    """Without a plan: list the tables that count."""
    parts = tuple(
        {"text": _table_title(table), "amount": number_text(columns.main, _stands(table, columns.main))}
        for table in breakdown.tables
        if table.counts
    )
    return ({"title": columns.main_title, "parts": parts, "total": row.main, "decided": ""},)


class _Shown:
    """Formats tables with the numbers that the board has."""

    def __init__(self, tournament: Tournament, columns: Columns, asked: RequestedMoment, *, sees_reasons: bool) -> None:
        self.asked, self.sees_reasons = asked, sees_reasons
        self.zone = zone_of(tournament.club.timezone)
        self.columns = columns

    def numbers(self, table: TableExplained) -> tuple[str, ...]:
        """The number that decides at the table, and the board's second one where that is of the same game."""
        race = table.table.rules.race
        is_beside = bool(self.columns.second) and race == self.columns.main
        return (race, self.columns.second) if is_beside else (race,)

    def heading(self, table: TableExplained) -> tuple[str, ...]:
        """The titles of these numbers."""
        race, *second = self.numbers(table)
        main = self.columns.main_title if race == self.columns.main else number_title(race)
        return (main, self.columns.second_title) if second else (main,)

    def table(self, table: TableExplained) -> Context:
        """Return one table with its sum. `counted` are numbers that only count: how often, and in which deals."""
        reckoning, numbers = table.reckoning, self.numbers(table)
        return {
            "heading": self.heading(table),
            "title": _table_title(table),
            "address": f"r{table.line.round}/table-{table.line.number}/{self.asked.sheet_suffix(table.line)}",
            "starts": tuple(number_text(name, getattr(reckoning.starts, name) or 0) for name in numbers),
            "lines": tuple(self._lines(table)),
            "ends": tuple(number_text(name, _stands(table, name)) for name in numbers),
            "counted": tuple(_counted(table)),
            "counts": table.counts,
            "is_cancelled": table.line.is_cancelled,
            "went_on": table.went_on if table.line.has_moved_on else None,
        }

    def _lines(self, table: TableExplained) -> Iterator[Context]:
        """Yield what happened, why it cost that, what it was before, and the player's total after it."""
        numbers = self.numbers(table)
        race = numbers[0]
        stands = getattr(table.reckoning.starts, race) or 0
        for line in table.reckoning.lines:
            stands += line.changes.get(race, 0)
            yield {
                "title": line_title(line.kind, line.deal),
                "what": _what(line),
                "because": tuple(started(translate(text, isolated_names(table.names))) for text in line.because),
                "changes": tuple(signed(line.changes.get(name, 0)) for name in numbers),
                "running": number_text(race, stands),
                "corrections": tuple(
                    self._correction(correction, race) for correction in table.corrections.get(line.version, ())
                ),
                "is_void": line.is_void,
            }

    def _correction(self, change: Correction, race: str) -> str:
        """Return what was there before, when it was changed, and for users of the club why."""
        was = f"{_what(change.was) or gettext('no part')}, {signed(change.was.changes.get(race, 0))}"
        detail = (
            gettext("Cancelled {time}. Before: {was}") if change.is_void else gettext("Corrected {time}. Before: {was}")
        )
        text = detail.format(time=moment(change.recorded_at, self.zone).text, was=was)
        if not (self.sees_reasons and change.reason):
            return text
        return gettext("{text}. Reason: {reason}").format(text=text, reason=change.reason)


def _what(line: ReckonedLine) -> str:
    """Describe how the deal ended for the player."""
    if line.mark is None:
        return ""
    return mark_text(line.mark)


def _counted(table: TableExplained) -> Iterator[tuple[str, str]]:
    """Return what the game counts of a seat, by name, with the deals concerned."""
    for name in sorted(COUNTED):
        deals = [
            plain(line.deal) for line in table.reckoning.lines if line.changes.get(name, 0) and line.deal is not None
        ]
        if deals:
            text = ngettext("{number} (deal {deals})", "{number} (deals {deals})", len(deals))
            yield gettext(COLUMNS[name].title), text.format(number=plain(_stands(table, name)), deals=", ".join(deals))
    if table.reckoning.ends.drops_left is not None and table.reckoning.ends.is_in:
        yield gettext("Drops left before the limit"), plain(table.reckoning.ends.drops_left)


def _stands(table: TableExplained, name: str) -> int:
    return getattr(table.reckoning.ends, name) or 0


def _table_title(table: TableExplained) -> str:
    title = called(table.line.name, table.line.number)
    if table.line.name and isinstance(title, Message):
        return ", ".join((gettext("Round {round}").format(round=plain(table.line.round)), translate(title)))
    text = gettext("Round {round}, table {table}")
    where = text.format(round=plain(table.line.round), table=plain(table.line.number))
    return f"{where} ({table.line.name})" if table.line.name else where


def _score(score: str, race: str, *, decimals: bool) -> str:
    """Format a score that may have decimals, with a real minus sign."""
    positive = COLUMNS[race].is_signed and score.strip("0.") and not score.startswith("-")
    text = formatting.number_text(score, decimals=decimals)
    return f"+{text}" if positive else text
