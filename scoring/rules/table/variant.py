"""What a variant is: the questions that a table asks it, and the shapes of its answers.

Rules: docs/events.md, "Folding". Knows nothing of any one variant, of timelines or of storage.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from scoring.facts.table import Confirmation
from scoring.facts.wire import Fact, SheetForm
from scoring.money.payouts import Payout, Stakes
from scoring.options import O
from scoring.problems import Problem
from scoring.rules.arrangements.house import HandOptions
from scoring.rules.chance import Chance
from scoring.rules.table.fields import Ending, SeatMark, SheetField, WrittenSheet
from scoring.rules.table.formats import Format
from scoring.rules.table.written_hands import HandShown, as_written

# A variant's own frozen state.
G = TypeVar("G")
Wire = dict[str, Any]
# A game that plays a number of deals says so in an option of this name, and a plan may set it.
DEALS_OPTION = "deals"


class Setup(msgspec.Struct, Generic[O], frozen=True, kw_only=True):
    """What was fixed when the table opened. `carried` is what seats brought from an earlier table."""

    options: O
    stakes: Stakes
    seats: tuple[str, ...]
    carried: dict[str, int] = {}
    confirmation: Confirmation = "at_once"

    @property
    def entries(self) -> dict[str, int]:
        """The entry fee of each seat, in minor units."""
        return dict.fromkeys(self.seats, self.stakes.entry_minor)


class SeatView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where one seat stands. `rank_key` orders seats, the better first; equal keys share a place."""

    rank_key: tuple[int, ...]
    total: int | None = None
    chips: int | None = None
    net_points: int | None = None
    is_in: bool = True
    out_in_deal: int | None = None
    drops_left: int | None = None
    may_rejoin: bool = False
    deals_won: int = 0
    wrong_shows: int = 0
    drops: int = 0


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A line that explains what a fact did to a seat: `text` may hold `{seat}`."""

    code: str
    text: str
    seat: str | None = None


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """A small table beside the standings: games of a table, boxes of a board. `{1}` stands for a name."""

    title: str
    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """House options under a name that players know."""

    name: str
    title: str
    options: dict[str, Any]
    note: str = ""


class Variant(SheetForm, Protocol[O, G]):
    """What a variant brings. All functions are pure; `game` is the variant's own frozen state.

    What stands here is what most games answer. `example` is the sheet of a first deal as it is sent, `formats` are
    evenings of this game alone.
    `announces_changes`: payouts are told as signed changes, not as prizes. `adds_up`: a player's tables are added
    on the board; otherwise the latest round counts. `counts_on`: a sheet can begin with the scores that its seats had
    at another table. `plays_to_the_end`: no table is closed before it is decided, unless time was called.
    `race` is the number that a chart follows, towards `finish_line` where there is one; `low_is_good` says that fewer
    of it are better. `panels` is what else a page shows of the standings, `chips_said` all chips of a table as a sum.
    `pays_while_open`: money moves before the table closes. `deals_planned`: how many deals a table plays, where that
    is fixed. `rejoin_most`: the highest total of the others at which a seat that is out may still come back.
    `check` finds what contradicts the game so far: it is asked again when an earlier deal is corrected.
    `entry_problems` stop a new fact but would not undo one that stands; `typing_problems` stop a sheet that is to be
    stored because it was most likely mistyped.
    `card_problems` is what of a new sheet's hands the packs cannot have dealt; stored deals are not asked.
    `entry_form` is what a scorer fills in for the next deal (an extra one among level seats: `is_extra`);
    `blank_sheet` is any sheet of the right type, to ask whether one could follow at all.
    `endings` is how a deal may end for a seat, where that is what is entered, and `ending_titles` what each is called
    whatever the house; `price_said` is which option made a price.
    `hand_options` is how hands are judged that are written down as cards, where they are; `hand_points` what a seat's
    cards on a sheet cost, `hand_cap` the most that a hand may, and `hands_shown` the cards of all seats.
    `simulate` makes up the next deal for a rehearsal, the last of its table where a game has such a one; `misread` are
    the numbers of seats on it that a scorer may misread, and `rehearsed_deals` after how many deals a table closes
    that has no result.
    """

    name: str
    title: str
    summary: str
    presets: tuple[Preset, ...]
    seats_allowed: range
    options_type: type[O]
    game_type: type[G]
    example: Wire
    formats: tuple[Format, ...] = ()
    announces_changes: bool = False
    adds_up: bool = True
    counts_on: bool = False
    plays_to_the_end: bool = False
    race: Literal["total", "chips", "net_points"] = "total"
    ending_titles: Mapping[str, str] = MappingProxyType({})
    misread: tuple[str, ...] = ("counts",)
    rehearsed_deals: int = 120

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        return dict(given)

    def setup_problems(self, setup: Setup[O]) -> list[Problem]:
        return []

    def start(self, setup: Setup[O]) -> G: ...

    def in_play(self, setup: Setup[O], game: G) -> tuple[str, ...]: ...

    def check(self, setup: Setup[O], game: G, fact: Fact) -> list[Problem]: ...

    def apply(self, setup: Setup[O], game: G, fact: Fact) -> G: ...

    def entry_problems(self, setup: Setup[O], game: G, fact: Fact) -> list[Problem]:
        return []

    def typing_problems(self, setup: Setup[O], fact: Fact) -> list[Problem]:
        return []

    def card_problems(self, setup: Setup[O], sheet: Any) -> list[Problem]:
        return []

    def seats(self, setup: Setup[O], game: G) -> dict[str, SeatView]: ...

    def is_finished(self, setup: Setup[O], game: G) -> bool: ...

    def winners(self, setup: Setup[O], game: G) -> tuple[str, ...]: ...

    def at_stake(self, setup: Setup[O], game: G) -> dict[str, int]:
        return setup.entries

    def payouts(self, setup: Setup[O], game: G) -> tuple[Payout, ...]: ...

    def pays_while_open(self, setup: Setup[O]) -> bool:
        return False

    def story(self, setup: Setup[O], before: G, fact: Fact, after: G) -> tuple[Note, ...]:
        return ()

    def finish_line(self, setup: Setup[O]) -> int | None:
        return None

    def deals_planned(self, setup: Setup[O]) -> int | None:
        return None

    def low_is_good(self, setup: Setup[O]) -> bool:
        return False

    def rejoin_most(self, setup: Setup[O]) -> int | None:
        return None

    def panels(self, setup: Setup[O], game: G) -> tuple[Panel, ...]:
        return ()

    def chips_said(self, game: G) -> str:
        return ""

    def price_said(self, setup: Setup[O], mark: SeatMark) -> Iterable[str]:
        return ()

    def hands_shown(self, setup: Setup[O], sheet: Any) -> tuple[HandShown, ...]:
        return as_written(sheet)

    def hand_options(self, setup: Setup[O]) -> HandOptions | None:
        return None

    def hand_points(self, setup: Setup[O], sheet: Any, seat: str) -> int | None:
        return None

    def hand_cap(self, setup: Setup[O]) -> int | None:
        return None

    def endings(self, setup: Setup[O]) -> tuple[Ending, ...]:
        return ()

    def entry_form(self, setup: Setup[O], game: G, *, is_extra: bool) -> tuple[SheetField, ...]: ...

    def blank_sheet(self, playing: Sequence[str]) -> WrittenSheet: ...

    def simulate(self, setup: Setup[O], game: G, *, dealer: str, chance: Chance, is_last: bool) -> Wire: ...


# What a table holds: it does not know which game it is of.
AnySetup = Setup[Any]
AnyVariant = Variant[Any, Any]
