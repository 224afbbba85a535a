"""What points, deals and pool rummy share: the sheet of a deal, the seats allowed, and options that fit together.

Rules: docs/rules/indian.md. Knows nothing of how deals are added up.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import FieldInfo

from scoring.events.reading import reason_of, unknown_seat
from scoring.events.wire import DealEvent, Event, TableClosed
from scoring.messages import Message, Seat, say, say_many, words
from scoring.problems import MOST_SHOWN, Problem, shown
from scoring.rules.arrangements.house import HAND_SIZE, HandOptions
from scoring.rules.cards import RANK_NAMES, RANKS, SPELLINGS, CardsRejected, parse_cards, parse_wild, write_cards
from scoring.rules.chance import Chance
from scoring.rules.hands import beyond_problem, beyond_the_packs
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
    DealEnd,
    DealOptions,
    DealSheet,
    Outcome,
    OutcomeKind,
    endings_for,
    hand_points,
)
from scoring.rules.variants.indian.prices import deal_reminders, endings_of, price_messages, prices_in_short
from scoring.rules.variants.indian.simulation import indian_sheet
from scoring.structs import converted, fields_of, read_fields, unknown_names

PACK = 52
MANY_SEATS, MOST_PACKS = 7, 3
STANDARD_CAP = 80
MOST_ENTRIES = 20
MOST_NUMBER = 1_000_000
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

    def typing_problems(self, setup: Setup[D], event: Event) -> list[Problem]:
        return overcounts(event.sheet, setup.options) if isinstance(event, DealEvent) else []

    def card_problems(self, setup: Setup[D], sheet: DealSheet) -> list[Problem]:
        """A card that one seat alone holds too often is refused with the hand itself."""
        options = setup.options
        hands = {seat: outcome.cards for seat, outcome in sheet.outcomes.items() if outcome.has_cards}
        excess_cards = beyond_the_packs(hands, packs=options.packs, jokers=options.packs * options.printed_jokers)
        return [
            beyond_problem(excess_card, field="loose") for excess_card in excess_cards if len(excess_card.seats) > 1
        ]

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

    def price_messages(self, setup: Setup[D], mark: SeatMark) -> Iterable[Message]:
        return price_messages(mark, setup.options)

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
        """The first seat shows, and no hand is counted."""
        others = dict.fromkeys(playing[1:], Outcome(how=OutcomeKind.FULL_COUNT))
        return DealSheet(outcomes={seat: Outcome(how=OutcomeKind.SHOW) for seat in playing[:1]} | others)


def deal_defaults(given: Mapping[str, Any], seats: int, *, cap: int = STANDARD_CAP) -> dict[str, Any]:
    """A wrong show costs a full count; from seven seats on two packs are not enough."""
    return {"wrong_show": given.get("cap", cap), "packs": 3 if seats >= MANY_SEATS else 2}


def price_problems(options: DealOptions) -> list[Problem]:
    """A drop that costs more than playing on is a typing mistake."""
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
    """The packs must contain thirteen cards for each seat, the wild card and the first of the open pile."""
    packs = options.packs
    if options.identical_cards is True and packs < MOST_PACKS:
        detail = say("three identical cards need three packs; this table has {number}", number=packs)
        return [Problem("out_of_range", detail, field="identical_cards")]
    cards, needed = packs * (PACK + options.printed_jokers), HAND_SIZE * seats + 2
    if cards >= needed:
        return []
    detail = say_many(
        "{of} seats need {most} cards; {count} pack holds {total}",
        "{of} seats need {most} cards; {count} packs hold {total}",
        count=packs,
        of=seats,
        most=needed,
        total=cards,
    )
    return [Problem("out_of_range", detail, field="packs")]


def time_called_problems(setup: AnySetup, deals: int, event: TableClosed, unfinished: Message) -> list[Problem]:
    """Problems with closing a table that is not decided; `unfinished` names what is missing.

    When time is called the seats keep their current standing, for a stage that compares them; a pot cannot be paid out.
    """
    if not event.time_called:
        return [Problem("not_finished", unfinished)]
    if setup.stakes.entry_minor:
        return [Problem("not_finished", say("the table plays for a pot, and time decides none: {why}", why=unfinished))]
    return nothing_played(deals)


# A deal sheet is read from untrusted JSON, all problems with its form at once.
# Rules: docs/events.md, "A deal of Indian rummy". Cards are stored in one notation (`TH`, not `10♥`).


def read_sheet(raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[DealSheet | None, list[Problem]]:
    """A deal sheet from untrusted JSON fields, and every problem with its form (kinds, types, unknown seats).

    What could be read comes with the problems; None where no outcome could.
    """
    problems = _unknown_fields(raw, fields_of(DealSheet))
    outcomes = _read_outcomes(raw.get("outcomes"), seats, problems)
    ended = _read_ended(raw.get("ended"), problems)
    wild = _read_wild(raw.get("wild"), problems)
    dealer = _read_dealer(raw.get("dealer"), seats, problems)
    if not outcomes:
        return None, problems
    return DealSheet(outcomes=outcomes, ended=ended, wild=wild, dealer=dealer), problems


def _read_outcomes(raw: object, seats: Sequence[str], problems: list[Problem]) -> dict[str, Outcome] | None:
    """Each seat's outcome, in table order; None where they are not given by seat."""
    if not isinstance(raw, Mapping) or not raw:
        detail = say("a deal needs outcomes: one entry for each seat")
        problems.append(Problem("missing_field", detail, field="outcomes"))
        return None
    if len(raw) > MOST_ENTRIES:
        detail = say("a deal has one outcome for each seat, not {number}", number=len(raw))
        problems.append(Problem("too_many_outcomes", detail, field="outcomes"))
        return None
    problems += [unknown_seat(seat, "how", seats) for seat in raw if seat not in seats]
    outcome_by_seat = {seat: _read_outcome(seat, raw[seat], problems) for seat in seats if seat in raw}
    return {seat: outcome for seat, outcome in outcome_by_seat.items() if outcome is not None}


def _read_outcome(seat: str, raw: object, problems: list[Problem]) -> Outcome | None:
    """One seat's outcome; what is wrong with its form is added to `problems`."""
    if not isinstance(raw, Mapping):
        problems.append(Problem("wrong_type", say("{seat} needs an outcome object", seat=Seat(seat)), field="how"))
        return None
    given = {name: value for name, value in raw.items() if value is not None}
    values, unread = read_fields(fields_of(Outcome).values(), given, convert=_outcome_value)
    seat_problems = _unknown_fields(raw, fields_of(Outcome), seat=seat)
    for field in sorted(unread, key=lambda field: field.error is None):
        seat_problems += _unread_problems(seat, *field)
    problems += seat_problems
    return None if seat_problems else Outcome(**values)


def _outcome_value(field: FieldInfo, raw: Any) -> object:
    """One field of an outcome, cards in the form in which they are stored."""
    name = field.name
    if name == "groups":
        if not isinstance(raw, list | tuple) or len(raw) > MOST_ENTRIES:
            raise ValueError(say("a list of up to {number} groups is needed", number=MOST_ENTRIES))
        return tuple(write_cards(parse_cards(group, name)) for group in raw)
    if name == "loose":
        return write_cards(parse_cards(raw, name))
    value = converted(field, raw)
    if name == "count" and abs(value) > MOST_NUMBER:
        raise ValueError(say("no hand counts as much"))
    return value


def _unread_problems(seat: str, field: str, value: object, error: Exception | None) -> list[Problem]:
    """A field of one outcome that is missing or cannot be read."""
    if isinstance(error, CardsRejected):
        return [problem.of_seat(seat, field) for problem in error.problems]
    if error is None:
        detail = say("enter how the deal ended for {seat}", seat=Seat(seat))
        return [Problem("missing_field", detail, field=field)]
    if field == "how" and isinstance(value, str):
        detail = say(
            "{seat}: {typed} is not an outcome; use one of {list}",
            seat=Seat(seat),
            typed=shown(value),
            list=", ".join(OutcomeKind),
        )
        return [Problem("unknown_how", detail, field=field)]
    detail = say(
        "{seat}: {name} cannot be {value} ({why})",
        seat=Seat(seat),
        name=field,
        value=shown(value),
        why=reason_of(error),
    )
    return [Problem("wrong_type", detail, field=field)]


def _read_ended(raw: object, problems: list[Problem]) -> DealEnd:
    """How the deal ended; played out where nothing is given."""
    if raw is None:
        return DealEnd.PLAYED_OUT
    if isinstance(raw, str) and raw in list(DealEnd):
        return DealEnd(raw)
    detail = say("a deal cannot have ended as {typed}; use one of {list}", typed=shown(raw), list=", ".join(DealEnd))
    problems.append(Problem("not_a_choice", detail, field="ended"))
    return DealEnd.PLAYED_OUT


def _read_wild(raw: object, problems: list[Problem]) -> str | None:
    """The wild rank, or the card that was turned up, in the stored notation."""
    if raw is None:
        return None
    name = raw.strip().upper() if isinstance(raw, str) else ""
    if name in SPELLINGS:
        return SPELLINGS[name].text
    if name in RANK_NAMES:
        return RANKS[RANK_NAMES[name]]
    detail = say("wild must be a rank ({list}), a card or PJ, not {typed}", list=" ".join(RANKS), typed=shown(raw))
    problems.append(Problem("impossible_wild", detail, field="wild"))
    return None


def _read_dealer(raw: object, seats: Sequence[str], problems: list[Problem]) -> str | None:
    """The seat that dealt, where it was recorded."""
    if raw is None or (isinstance(raw, str) and raw in seats):
        return raw
    problems.append(unknown_seat(raw, "dealer", seats))
    return None


def _unknown_fields(raw: Mapping[str, Any], known: Container[str], seat: str | None = None) -> list[Problem]:
    what = say("a deal") if seat is None else say("an outcome")
    return [
        Problem("unknown_field", say("{word} has no field {name}", word=what, name=repr(name)), seat=seat, field=name)
        for name in [str(name)[:MOST_SHOWN] for name in unknown_names(raw, known)]
    ]
