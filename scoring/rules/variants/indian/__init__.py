"""What points, deals and pool rummy share: the sheet of a deal, who may sit, and options that fit together.

Rules: docs/rules/indian.md. Knows nothing of what the deals add up to.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from scoring.facts.wire import DealFact, Fact, TableClosed
from scoring.messages import Message, say, say_many, words
from scoring.problems import Problem
from scoring.rules.arrangements.house import HAND_SIZE, HandOptions
from scoring.rules.cards import parse_cards, parse_wild
from scoring.rules.chance import Chance
from scoring.rules.hands import beyond_the_packs, told
from scoring.rules.hands.judging import group_shown
from scoring.rules.hands.words import faces
from scoring.rules.table.fields import Choice, Ending, SeatMark, SheetField
from scoring.rules.table.questions import HandShown, in_cards
from scoring.rules.table.refusals import nothing_played
from scoring.rules.table.variant import AnySetup, G, Setup, Variant, Wire
from scoring.rules.variants.indian.checks import overcounts
from scoring.rules.variants.indian.outcomes import (
    COUNTED,
    TITLES,
    DealOptions,
    DealSheet,
    How,
    Outcome,
    endings_for,
    hand_points,
)
from scoring.rules.variants.indian.prices import deal_reminders, endings_of, price_said, prices_in_short
from scoring.rules.variants.indian.reading import read_sheet
from scoring.rules.variants.indian.simulation import indian_sheet

PACK = 52
MANY_SEATS = 7
STANDARD_CAP = 80
D = TypeVar("D", bound=DealOptions)


class IndianForm(Variant[D, G]):
    """The part of a form of Indian rummy that does not depend on how deals add up."""

    seats_allowed = range(2, 11)
    sheet_type = DealSheet
    ending_titles = TITLES
    option_groups = {DealOptions: "The deal", HandOptions: "Hands, packs and jokers"}
    rule_pages = ("indian",)
    misread = ("outcomes",)

    def read_sheet(self, raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[DealSheet | None, list[Problem]]:
        return read_sheet(raw, seats)

    def setup_problems(self, setup: Setup[D]) -> list[Problem]:
        return price_problems(setup.options) + pack_problems(setup.options, len(setup.seats))

    def typing_problems(self, setup: Setup[D], fact: Fact) -> list[Problem]:
        return overcounts(fact.sheet, setup.options) if isinstance(fact, DealFact) else []

    def card_problems(self, setup: Setup[D], sheet: DealSheet) -> list[Problem]:
        """What one seat holds too often alone, the hand itself is refused for."""
        options = setup.options
        hands = {seat: outcome.cards for seat, outcome in sheet.outcomes.items() if outcome.has_cards}
        found = beyond_the_packs(hands, packs=options.packs, jokers=options.packs * options.printed_jokers)
        return [told(each, field="loose") for each in found if len(each.seats) > 1]

    def entry_form(self, setup: Setup[D], game: G, *, is_extra: bool) -> tuple[SheetField, ...]:
        """How the deal ended for each seat; the wild card and an unusual ending where there are any."""
        options = setup.options
        endings = [Choice(ended.value, title) for ended, title in endings_for(options).items()]
        fields = [
            SheetField(("outcomes",), words("How it ended"), "outcomes", per_seat=True, is_required=True),
            SheetField(("wild",), words("Wild joker"), "card", help=words("A rank, or the card turned up")),
        ]
        if len(endings) > 1:
            ended = SheetField(("ended",), words("How the deal ended"), "choice", choices=tuple(endings))
            fields.append(ended)
        return (*fields, SheetField(("dealer",), words("Dealer"), "seat"))

    def price_said(self, setup: Setup[D], mark: SeatMark) -> Iterable[Message]:
        return price_said(mark, setup.options)

    def hand_options(self, setup: Setup[D]) -> HandOptions:
        return setup.options

    def hand_cap(self, setup: Setup[D]) -> int:
        return setup.options.cap

    def hand_points(self, setup: Setup[D], sheet: DealSheet, seat: str) -> int | None:
        outcome = sheet.outcomes[seat]
        return hand_points(outcome, setup.options, sheet.wild) if outcome.how in COUNTED else None

    def hands_shown(self, setup: Setup[D], sheet: DealSheet) -> tuple[HandShown, ...]:
        """Each group is named under the wild card of its deal."""
        options = setup.options
        wild = parse_wild(sheet.wild, printed_as_wild=options.printed_as_wild)
        return tuple(
            HandShown(
                seat=seat,
                title=mark.title,
                points=self.hand_points(setup, sheet, seat),
                groups=[
                    group_shown(number, parse_cards(group, "groups"), wild, options)
                    for number, group in enumerate(mark.groups, start=1)
                ],
                loose=faces(parse_cards(mark.loose, "loose"), wild),
            )
            for seat, mark in in_cards(sheet).items()
        )

    def reminders(self, setup: Setup[D]) -> Iterator[Message]:
        yield from setup.options.reminders()
        yield from deal_reminders(setup.options)

    def in_short(self, setup: Setup[D]) -> Iterator[Message]:
        return prices_in_short(setup.options)

    def endings(self, setup: Setup[D]) -> tuple[Ending, ...]:
        return endings_of(setup.options)

    def simulate(self, setup: Setup[D], game: G, *, dealer: str, chance: Chance, is_last: bool) -> Wire:
        seats = self.in_play(setup, game)
        first = (seats.index(dealer) + 1) % len(seats) if dealer in seats else 0
        playing = (*seats[first:], *seats[:first])
        return {**indian_sheet(playing, self.seats(setup, game), setup.options, chance), "dealer": dealer}

    def blank_sheet(self, playing: Sequence[str]) -> DealSheet:
        """The first seat shows, and nobody is counted."""
        others = dict.fromkeys(playing[1:], Outcome(how=How.FULL_COUNT))
        return DealSheet(outcomes={seat: Outcome(how=How.SHOW) for seat in playing[:1]} | others)


def deal_defaults(given: Mapping[str, Any], seats: int, *, cap: int = STANDARD_CAP) -> dict[str, Any]:
    """A wrong show costs a full count; from seven seats on two packs are not enough."""
    return {"wrong_show": given.get("cap", cap), "packs": 3 if seats >= MANY_SEATS else 2}


def price_problems(options: DealOptions) -> list[Problem]:
    """A drop that costs more than playing on is a slip of the pen."""
    first, middle, cap = options.first_drop, options.middle_drop, options.cap
    problems = []
    if first > middle:
        detail = say("a first drop ({first}) cannot cost more than a middle drop ({last})", first=first, last=middle)
        problems.append(Problem("out_of_range", detail, field="first_drop"))
    if middle > cap:
        detail = say("a middle drop ({first}) cannot cost more than a full count ({last})", first=middle, last=cap)
        problems.append(Problem("out_of_range", detail, field="middle_drop"))
    return problems


def pack_problems(options: DealOptions, seats: int) -> list[Problem]:
    """Thirteen cards for each seat, the wild card and the first of the open pile must exist."""
    cards, needed = options.packs * (PACK + options.printed_jokers), HAND_SIZE * seats + 2
    if cards >= needed:
        return []
    packs = options.packs
    detail = say_many(
        "{of} seats need {most} cards; {count} pack holds {total}",
        "{of} seats need {most} cards; {count} packs hold {total}",
        count=packs,
        of=seats,
        most=needed,
        total=cards,
    )
    return [Problem("out_of_range", detail, field="packs")]


def time_called_problems(setup: AnySetup, deals: int, fact: TableClosed, unfinished: Message) -> list[Problem]:
    """What speaks against closing a table that is not decided; `unfinished` says what is missing.

    When time is called the seats stand as they are, for a stage that compares them; a pot has nobody to go to.
    """
    if not fact.time_called:
        return [Problem("not_finished", unfinished)]
    if setup.stakes.entry_minor:
        return [Problem("not_finished", say("the table plays for a pot, and time decides none: {why}", why=unfinished))]
    return nothing_played(deals)
