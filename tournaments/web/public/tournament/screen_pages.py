"""The pages of a projector's screens, in readable portions: the projector says how many lines fit.

Rules: docs/how-to/publishing.md, "The projector". Every list is cut into pages of about one length, so that no last
page is almost empty; letters are larger where there are few lines.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext

from scoring.money.formatting import Notation, money
from scoring.sheets.leaderboard import BoardRow
from tournaments.boards.screens import Room
from tournaments.models import Screen
from tournaments.printing import names_in_prizes, notation_of, stage_title, taken_over, unlisted_text
from tournaments.rendering.i18n.formatting import place_text
from tournaments.running.prize_money import prizes_so_far
from tournaments.running.queries.prizes import PrizeRow, in_language_of_page, prize_table
from tournaments.running.screens import Phase, Turn
from tournaments.web.public.base.answers import Context
from tournaments.web.public.base.words import plain
from tournaments.web.public.boards.standings import board_columns, board_rows

# The winners for the projector: a podium of the first three places, and every other prize.

PODIUM = 3
MOST_ON_A_STEP = 6


class Placed(NamedTuple):
    """A player on the podium, with the prize if there is one."""

    name: str
    prize: str


class Winners(NamedTuple):
    """The podium, and the prizes that do not belong to its places."""

    steps: tuple[Context, ...]
    others: tuple[PrizeRow, ...]


def winners_of(room: Room) -> Winners:
    """Return the winners. A tournament without prizes has a podium too: with what its tables paid to those who won."""
    tournament = room.board.tournament
    notation = notation_of(tournament)
    prizes, others = _prizes(room, notation)
    first = [row for row in room.board.rows if row.place is not None and row.place <= PODIUM]
    if not any(row.prize_minor for row in room.board.rows):
        paid = {row.line.player: row.line.payout_minor or 0 for row in first}
        prizes = {**{player: money(amount, *notation) for player, amount in paid.items() if amount > 0}, **prizes}
    by_place = groupby(first, lambda row: row.place)
    return Winners(tuple(_step(place, tuple(level), room.board.names, prizes) for place, level in by_place), others)


def _step(place: int | None, level: Sequence[BoardRow], names: Mapping[str, str], won: Mapping[str, str]) -> Context:
    """Return one place of the podium. `more` says how many others share it."""
    players = [row.line.player for row in level]
    rest = len(players[MOST_ON_A_STEP:])
    return {
        "place": place_text(place or 1, is_tied=len(players) > 1),
        "people": tuple(Placed(names[player], won.get(player, "")) for player in players[:MOST_ON_A_STEP]),
        "more": ngettext("and {number} more", "and {number} more", rest).format(number=plain(rest)) if rest else "",
    }


def _prizes(room: Room, notation: Notation) -> tuple[Mapping[str, str], tuple[PrizeRow, ...]]:
    """Return what each player of a closed tournament won, in words, and the prizes outside the podium.

    Without amounts where the club does not publish those of players.
    """
    state = room.screened.state
    sheet = prizes_so_far(room.board.tournament, state) if state.is_closed and state.rounds else None
    if sheet is None or state.plan is None:
        return {}, ()
    table = in_language_of_page(prize_table(state.plan, sheet, notation, names_in_prizes(room.board)))
    on_podium = {prize.first for prize in sheet.won if not prize.title and prize.first <= PODIUM}
    pots = (
        PrizeRow(place=pot.name, names=pot.winners, amount=pot.amount, things=(), because=())
        for pot in table.pots
        if pot.is_won
    )
    others = (*table.rows[len(on_podium) :], *table.corners, *pots)
    things = {prize.player: prize.things for prize in sheet.won if prize.things}
    if not room.board.tournament.club.shows_money:
        won = {player: " · ".join(thing_names) for player, thing_names in things.items()}
        return won, tuple(replace(row, amount="") for row in others)
    amounts = {player: money(amount, *notation) for player, amount in sheet.prizes.items()}
    amounts |= {player: " · ".join([*filter(None, [amounts.get(player)]), *won]) for player, won in things.items()}
    return amounts, others


# A programme of more lines, all lists together, is sent in parts: about so many lines, and at least two pages ahead.
MOST_LINES, LINES_AROUND, PAGES_AHEAD = 500, 240, 2
# The numbers of lines for which the style sheet has a class.
LINES: tuple[int, ...] = (*range(4, 21), 22, 24, 26, 28, 32, 36, 40)
MOST_ACROSS = 3
LONG_NAME = 20
# Letter sizes: the share of a list's height, or of its width, in hundredths of the width of a 16 to 9 screen, as in the
# style sheet.
LETTER_OF_A_LINE, LETTER_OF_A_COLUMN = 24, 6


class Fit(NamedTuple):
    """How many lines fit on a page of a projector, and how many short entries side by side."""

    lines: int
    across: int


class Entry(NamedTuple):
    """An entry that is larger than a row of a table: its content, and whether its name needs small letters."""

    shown: Any
    is_long: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of a screen. `lines` and `across` are its layout; `parts` are shown side by side.

    `place` is its place in the whole programme.
    """

    screen: Screen
    number: int
    place: int = 0
    seconds: int
    heading: str
    part: str = ""
    lines: int = LINES[0]
    across: int = 1
    parts: tuple[Sequence[Any], ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """How many lines or entries it has."""
        return sum(map(len, self.parts))

    @property
    def key(self) -> str:
        """A key that identifies the page, even after updates."""
        return f"{self.screen}-{self.number}"

    @property
    def template(self) -> str:
        """Its template."""
        return f"pages/screen_{self.screen}.html"


class Programme(NamedTuple):
    """The pages of a programme that are sent, of how many, and the one that is shown among them."""

    pages: Sequence[Page]
    total: int
    shown: Page

    @property
    def is_part(self) -> bool:
        return len(self.pages) < self.total


def pages_of(room: Room, turns: Sequence[Turn], fit: Fit, *, shown: str = "", at: int = 0) -> Programme:
    """Return the pages of a programme, in the order in which they are shown.

    Of a long one only those around the page with the key `shown`, or else around the one at `at`.
    """
    pages = [page for turn in turns for page in _MAKERS[turn.screen](room, turn, fit)]
    pages = [replace(page, place=place) for place, page in enumerate(pages)]
    current = next((page for page in pages if page.key == shown), pages[at % len(pages)])
    return Programme(_drawn(room, _around(pages, current.place)), len(pages), current)


def _around(pages: Sequence[Page], at: int) -> Sequence[Page]:
    """Return all pages of a short programme; of a long one the first of each screen, and those around a page."""
    if sum(page.length for page in pages) <= MOST_LINES:
        return pages
    places, lines = {page.place for page in pages if page.number == 1}, 0
    for ahead in range(-1, len(pages) - 1):
        page = pages[(at + ahead) % len(pages)]
        lines += page.length
        if ahead > PAGES_AHEAD and lines > LINES_AROUND:
            break
        places.add(page.place)
    return [page for page in pages if page.place in places]


def _drawn(room: Room, pages: Sequence[Page]) -> Sequence[Page]:
    """Return the pages with the standings in words, which are made only for the rows that are sent."""
    return [
        replace(page, parts=tuple(board_rows(room.board, page.more["columns"], part) for part in page.parts))
        if page.screen is Screen.STANDINGS
        else page
        for page in pages
    ]


def fitting(lines: int, across: int) -> Fit:
    """Return the largest known layout that fits, at least the smallest one."""
    return Fit(max((layout for layout in LINES if layout <= lines), default=LINES[0]), min(max(across, 1), MOST_ACROSS))


def portions(entries: Sequence[Any], most: int) -> list[Sequence[Any]]:
    """Split a list into pages of at most so many, of similar length; one empty page if the list is empty."""
    count = max(1, -(-len(entries) // most))
    size = max(1, -(-len(entries) // count))
    return [entries[start : start + size] for start in range(0, len(entries) or 1, size)]


def laid_out_for(lines: int) -> int:
    """Return the smallest layout with enough lines."""
    return next((layout for layout in LINES if layout >= lines), LINES[-1])


def _standings(room: Room, turn: Turn, fit: Fit) -> Iterator[Page]:
    """The standings stage by stage, in two columns where there are many players and room for them."""
    board, start, number = room.board, 1, 0
    heading = gettext("Final standings") if room.phase is Phase.OVER else gettext("Standings")
    for stage in board.stages or (board.stage,):
        columns, rows = board_columns(board, stage), board.rows_in(stage)
        beside = 2 if fit.across == MOST_ACROSS and len(rows) > 2 * fit.lines else 1
        title = stage_title(board.plan, stage) if len(board.stages) > 1 else ""
        for rows_of_page in portions(rows, beside * fit.lines):
            number += 1
            parts = tuple(portions(rows_of_page, -(-len(rows_of_page) // beside or 1) or 1))
            last, all_rows = start + len(rows_of_page) - 1, len(board.rows)
            places = _range(start, last, all_rows) if all_rows > len(rows_of_page) else ""
            yield Page(
                screen=turn.screen,
                number=number,
                seconds=turn.seconds,
                heading=heading,
                part=" · ".join(filter(None, (title, places, taken_over(board, stage), unlisted_text(board)))),
                lines=laid_out_for(max(map(len, parts))),
                across=beside,
                parts=parts,
                more={"columns": columns, "has_money": columns.has_money or columns.has_net},
            )
            start += len(rows_of_page)


def _seating(room: Room, turn: Turn, fit: Fit) -> Iterator[Page]:
    """The seating from A to Z; each page names its first and last letter."""
    seated = room.screened.state.last_round
    has_rounds = seated is not None and (seated.round > 1 or bool(room.stage and room.stage.rounds > 1))
    heading = gettext("Where do I sit?")
    if seated is not None and has_rounds:
        heading = gettext("Round {round}: where do I sit?").format(round=plain(seated.round))
    entries = [Entry(seat, len(seat.name) > LONG_NAME) for seat in room.seats()]
    for page in _grid(entries, turn, fit):
        letters = [entry.shown.name[:1].upper() for entry in page.parts[0]]
        part = f"{letters[0]} – {letters[-1]}" if len(letters) < len(entries) else ""
        yield replace(page, heading=heading, part=part if letters[:1] != letters[-1:] else letters[0] if part else "")


def _tables(room: Room, turn: Turn, fit: Fit) -> Iterator[Page]:
    """The tables, each on two lines."""
    entries = [Entry(table, len(", ".join(table.leaders)) > LONG_NAME) for table in room.standing_tables()]
    over = sum(entry.shown.table.is_finished for entry in entries)
    text = ngettext("{over} of {number} table finished", "{over} of {number} tables finished", len(entries))
    part = text.format(over=plain(over), number=plain(len(entries))) if entries else ""
    more = {"has_rounds": any(entry.shown.table.round > 1 for entry in entries)}
    for page in _grid(entries, turn, Fit(max(2, fit.lines // 2), fit.across)):
        yield replace(page, heading=gettext("Tables"), part=part, more=more)


def _clock(room: Room, turn: Turn, fit: Fit) -> Iterator[Page]:
    seated = room.screened.state.last_round
    heading = gettext("Round {round}").format(round=plain(seated.round)) if seated else gettext("Clock")
    yield Page(screen=turn.screen, number=1, seconds=turn.seconds, heading=heading)


def _winners(room: Room, turn: Turn, fit: Fit) -> Iterator[Page]:
    """The podium, then every other prize."""
    winners = winners_of(room)
    first = Page(screen=turn.screen, number=1, seconds=turn.seconds, heading=gettext("Winners"), parts=(winners.steps,))
    yield replace(first, more={"is_podium": True})
    for number, rows in enumerate(portions(winners.others, fit.lines) if winners.others else (), 2):
        lines = laid_out_for(len(rows))
        yield replace(first, number=number, heading=gettext("More prizes"), lines=lines, parts=(rows,))


def _address(room: Room, turn: Turn, fit: Fit) -> Iterator[Page]:
    heading = gettext("Follow it on your phone")
    if room.phase is Phase.GIVEN_UP:
        heading = gettext("This tournament was abandoned.")
    yield Page(screen=turn.screen, number=1, seconds=turn.seconds, heading=heading)


def _message(room: Room, turn: Turn, fit: Fit) -> Iterator[Page]:
    text = room.screened.steering.message
    size = "s" if len(text) > 80 else "m" if len(text) > 32 else "l"
    yield Page(
        screen=turn.screen,
        number=1,
        seconds=turn.seconds,
        heading=gettext("Message from the director"),
        more={"size": size},
    )


def _grid(entries: Sequence[Entry], turn: Turn, fit: Fit) -> Iterator[Page]:
    """Pages of short entries in columns, with larger letters where there are few."""
    pages = portions(entries, fit.lines * fit.across)
    lines, across = _shape(len(pages[0]), fit)
    for number, page in enumerate(pages, 1):
        yield Page(
            screen=turn.screen,
            number=number,
            seconds=turn.seconds,
            heading="",
            lines=lines,
            across=across,
            parts=(page,),
        )


def _shape(count: int, fit: Fit) -> Fit:
    """Return the lines and columns that allow the largest letters for so many entries on one page."""
    shapes = (Fit(laid_out_for(-(-count // across)), across) for across in range(1, fit.across + 1))
    fitting_shapes = [shape for shape in shapes if shape.lines <= max(fit.lines, LINES[0])]
    return max(fitting_shapes, key=lambda shape: min(LETTER_OF_A_LINE / shape.lines, LETTER_OF_A_COLUMN / shape.across))


def _range(first: int, last: int, count: int) -> str:
    return gettext("{first}–{last} of {count}").format(first=plain(first), last=plain(last), count=plain(count))


_MAKERS = {
    Screen.SEATING: _seating,
    Screen.STANDINGS: _standings,
    Screen.TABLES: _tables,
    Screen.CLOCK: _clock,
    Screen.WINNERS: _winners,
    Screen.ADDRESS: _address,
    Screen.MESSAGE: _message,
}
