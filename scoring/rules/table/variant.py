"""The interface of a variant: the methods that a table calls, and the types of their results.

Rules: docs/events.md, "Folding". Knows nothing of any one variant, of timelines or of storage.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from scoring.events.table import Confirmation
from scoring.events.wire import Event, SheetForm, TotalsRecorded
from scoring.messages import Message, Seat, Signed, say, say_many, words
from scoring.money.payouts import Payout, Stakes
from scoring.options import O, Options, Wording, wordings
from scoring.problems import Problem
from scoring.rules.arrangements.house import HandOptions
from scoring.rules.chance import Chance
from scoring.rules.table.fields import Ending, SeatMark, SheetField, TotalsForm, WrittenSheet
from scoring.rules.table.formats import Format
from scoring.rules.table.questions import WAITING, Asked, CardJudge, CardRuling, HandShown, as_written
from scoring.rules.table.standing import SeatStanding

# A variant's own frozen state.
G = TypeVar("G")
Wire = dict[str, Any]
# A game that plays a fixed number of deals has an option of this name, and a plan may set it.
DEALS_OPTION = "deals"


class Setup(msgspec.Struct, Generic[O], frozen=True, kw_only=True):
    """What was fixed when the table opened. `carried` is what seats brought from an earlier table."""

    options: O
    stakes: Stakes
    seats: tuple[str, ...]
    carried: dict[str, int] = {}
    confirmation: Confirmation = "at_once"

    @property
    def two_seats_enter(self) -> bool:
        """Whether each deal is entered by two seats, on their own phones."""
        return self.confirmation == "two_seats"

    @property
    def entries(self) -> dict[str, int]:
        """The entry fee of each seat, in minor units."""
        return dict.fromkeys(self.seats, self.stakes.entry_minor)


class Note(msgspec.Struct, frozen=True):
    """A line that explains an event's effect on a seat: the one that its text names as `{seat}`, if none is given."""

    code: str
    text: Message
    seat: str | None = None

    def __post_init__(self) -> None:
        named = self.text.parts.get("seat")
        if self.seat is None and isinstance(named, Seat):
            msgspec.structs.force_setattr(self, "seat", named.label)


def chips_moved(before: Mapping[str, int], after: Mapping[str, int]) -> list[Note]:
    """How the stacks of chips moved."""
    notes: list[Note] = []
    for seat, old in before.items():
        if after[seat] != old:
            text = say(
                "{seat}: {first} {number} = {last} chips",
                seat=Seat(seat),
                first=old,
                number=Signed(after[seat] - old),
                last=after[seat],
            )
            notes.append(Note("chips", text))
    return notes


def extra_deal(tied: int) -> Note:
    """Seats tied at the top play on."""
    text = say_many(
        "{count} seat is tied: they play an extra deal", "{count} seats are tied: they play an extra deal", count=tied
    )
    return Note("extra_deal", text)


PanelCell = str | Message | tuple[Seat, ...]


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """A small table beside the standings: games of a table, boxes of a board. Seats in a cell are partners."""

    title: Message
    heading: tuple[Message, ...]
    rows: tuple[tuple[PanelCell, ...], ...]


class Preset(msgspec.Struct, frozen=True):
    """House options under a name that players know."""

    title: str
    options: dict[str, Any]
    note: str = ""
    name: str = ""


def presets(**named: Preset) -> tuple[Preset, ...]:
    """The presets of a game, each under its name."""
    return tuple(msgspec.structs.replace(preset, name=name) for name, preset in named.items())


class Variant(SheetForm, Protocol[O, G]):
    """The interface of a game. All methods are pure; `game` is the game's own frozen state.

    The defaults here are what most games need.
    """

    # The title, the options of a club, and one deal as a program sends it.
    name: str
    title: str
    summary: str
    presets: tuple[Preset, ...]
    seats_allowed: range
    options_type: type[O]
    game_type: type[G]
    example: Wire
    # Tournament formats of this game alone.
    formats: tuple[Format, ...] = ()
    # Payouts are announced as signed changes, not as prizes.
    announces_changes: bool = False
    # A player's tables are added on the leaderboard; otherwise the latest round counts.
    adds_up: bool = True
    # A sheet can begin with the scores that its seats had at another table.
    counts_on: bool = False
    # No table is closed before it is decided, unless time was called.
    plays_to_the_end: bool = False
    # A table may be closed after any deal: it is over when it is closed.
    has_no_end: bool = False
    # The dealer pays or wins something by dealing, so that a deal out of turn is worth a word.
    pays_dealer: bool = False
    # The number shown in a chart.
    race: Literal["total", "chips", "net_points"] = "total"
    # The headings of the options, and the pages of docs/rules besides the one of its name.
    option_groups: Mapping[type[Options], str] = MappingProxyType({})
    rule_pages: tuple[str, ...] = ()
    # The titles of all endings, in any house.
    ending_titles: Mapping[str, str] = MappingProxyType({})
    # A form and ruling for cards alone, for the page of the judge.
    judge: CardJudge[Any] | None = None
    # In a rehearsal: numbers of seats that may be misread, and after how many deals an undecided table closes.
    misread: tuple[str, ...] = ("counts",)
    rehearsed_deals: int = 120

    # Options.

    @property
    def wordings(self) -> Mapping[str, Wording]:
        """The wording of the options."""
        return wordings(self.options_type)

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """The defaults for options that a club has not set, given those that it has."""
        return dict(given)

    def setup_problems(self, setup: Setup[O]) -> list[Problem]:
        """Options and stakes that do not fit together."""
        return []

    def deals_planned(self, setup: Setup[O]) -> int | None:
        """How many deals a table plays, where that is fixed."""
        return None

    def reminders(self, setup: Setup[O]) -> Iterable[Message]:
        """The options to show first at such a table."""
        return setup.options.reminders()

    def in_short(self, setup: Setup[O]) -> Iterable[Message]:
        """The numbers that players ask for first."""
        points = self.finish_line(setup) if setup.seats else None
        return () if points is None else (say("Target: {points} points.", points=points),)

    # What a scorer enters.

    @abstractmethod
    def entry_form(self, setup: Setup[O], game: G, *, is_extra: bool) -> tuple[SheetField, ...]:
        """The form for the next deal, or for an extra one among tied seats."""

    @abstractmethod
    def blank_sheet(self, playing: Sequence[str]) -> WrittenSheet:
        """Any sheet of the right type, to ask whether one could follow at all."""

    def endings(self, setup: Setup[O]) -> tuple[Ending, ...]:
        """How a deal may end for a seat, where that is what is entered."""
        return ()

    def hand_options(self, setup: Setup[O]) -> HandOptions | None:
        """How hands are judged that are entered as cards, where they are."""
        return None

    def cards_ruled(self, setup: Setup[O], asked: Asked, typed: Wire) -> CardRuling:
        """The judge's ruling on cards on a sheet. `typed` is the rest of the sheet so far."""
        return self.judge.rule(setup.options, asked) if self.judge else WAITING

    def hand_points(self, setup: Setup[O], sheet: Any, seat: str) -> int | None:
        """The cost of a seat's cards on a sheet."""
        return None

    def hand_cap(self, setup: Setup[O]) -> int | None:
        """The most that a hand may cost."""
        return None

    @abstractmethod
    def simulate(self, setup: Setup[O], game: G, *, dealer: str, chance: Chance, is_last: bool) -> Wire:
        """The next deal of a rehearsal; the last of its table where a game has a special one."""

    # The effects of an event.

    @abstractmethod
    def start(self, setup: Setup[O]) -> G: ...

    @abstractmethod
    def in_play(self, setup: Setup[O], game: G) -> tuple[str, ...]: ...

    @abstractmethod
    def check(self, setup: Setup[O], game: G, event: Event) -> list[Problem]:
        """Contradictions with the game so far: checked again when an earlier deal is corrected."""

    @abstractmethod
    def apply(self, setup: Setup[O], game: G, event: Event) -> G: ...

    def entry_problems(self, setup: Setup[O], game: G, event: Event) -> list[Problem]:
        """What refuses a new event but would not undo a stored one."""
        return []

    def typing_problems(self, setup: Setup[O], event: Event) -> list[Problem]:
        """What refuses a sheet that is to be stored because it was most likely mistyped."""
        return []

    def card_problems(self, setup: Setup[O], sheet: Any) -> list[Problem]:
        """Hands of a new sheet that cannot have been dealt from the packs; stored deals are not checked."""
        return []

    # A table that is entered by its totals instead of its deals.

    def why_no_totals(self, setup: Setup[O]) -> Message | None:
        """Why a table cannot be entered by its totals; None where it can."""
        return say("{kind} is paid by single deals: enter it deal by deal", kind=Message(self.title))

    def totals_form(self, setup: Setup[O]) -> TotalsForm:
        """The totals that are entered, where a table can be entered by them."""
        return TotalsForm(title=words("Total"))

    def totals_problems(self, setup: Setup[O], game: G, event: TotalsRecorded) -> list[Problem]:
        """Totals with which no table of this game ends; some may still be missing. `game` is as it was before them."""
        return []

    # The standings.

    @abstractmethod
    def seats(self, setup: Setup[O], game: G) -> dict[str, SeatStanding]: ...

    @abstractmethod
    def is_finished(self, setup: Setup[O], game: G) -> bool: ...

    @abstractmethod
    def winners(self, setup: Setup[O], game: G) -> tuple[str, ...]: ...

    def finish_line(self, setup: Setup[O]) -> int | None:
        """The number that ends the race."""
        return None

    def low_is_good(self, setup: Setup[O]) -> bool:
        """Whether fewer of what the race counts are better."""
        return False

    def rejoin_most(self, setup: Setup[O]) -> int | None:
        """The highest total of the others at which a seat that is out may still come back."""
        return None

    def panels(self, setup: Setup[O], game: G) -> tuple[Panel, ...]:
        """Further tables for the page beside the standings."""
        return ()

    def chips_text(self, game: G) -> str:
        """All chips of a table as a sum, where it has any."""
        return ""

    # Money.

    def at_stake(self, setup: Setup[O], game: G) -> dict[str, int]:
        """What each seat may lose from now on, in minor units."""
        return setup.entries

    @abstractmethod
    def payouts(self, setup: Setup[O], game: G) -> tuple[Payout, ...]: ...

    def pays_while_open(self, setup: Setup[O]) -> bool:
        """Whether money moves before the table closes."""
        return False

    # Explanations of numbers.

    def story(self, setup: Setup[O], before: G, event: Event, after: G) -> tuple[Note, ...]:
        """The effect of an event, line by line."""
        return ()

    def price_messages(self, setup: Setup[O], mark: SeatMark) -> Iterable[Message]:
        """Which option of the house set the price of an ending."""
        return ()

    def hands_shown(self, setup: Setup[O], sheet: Any) -> tuple[HandShown, ...]:
        """The cards of all seats that are on a sheet."""
        return as_written(sheet)


# Types for a table, which does not know which game it is of.
AnySetup = Setup[Any]
AnyVariant = Variant[Any, Any]
