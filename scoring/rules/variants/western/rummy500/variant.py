"""Rummy 500: what was melded counts for a player, what is left in hand against, and the first at 500 wins.

Rules: docs/rules/rummy500.md. Knows nothing of storage, accounts or the web.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from scoring.facts.wire import DealFact, Fact
from scoring.messages import Message, Seat, say, say_many
from scoring.money.payouts import Payout
from scoring.problems import Problem
from scoring.rules.cards import parse_cards
from scoring.rules.chance import Chance
from scoring.rules.hands.packs import hands_beyond_packs
from scoring.rules.table.fields import SeatMark, SheetField
from scoring.rules.table.variant import Setup, Wire
from scoring.rules.variants.western.checks import Reader, seats_on_sheet_problems
from scoring.rules.variants.western.entry import (
    DEALER,
    held_fields,
    nobody_out,
    out_field,
    paid_points,
    value_problems,
    values_said,
)
from scoring.rules.variants.western.form import Scored, WesternForm, WesternGame
from scoring.rules.variants.western.rummy500.judging import JUDGE
from scoring.rules.variants.western.rummy500.options import MANY_SEATS, RUMMY500, Rummy500Options, cards_each
from scoring.rules.variants.western.rummy500.values import RUMMY500_VALUES
from scoring.rules.variants.western.rummy500.words import WORDINGS, reminders
from scoring.rules.variants.western.simulation import goes_out, left_in_hand

# In a rehearsal.
MOST_LEFT, STOCK_RUNS_OUT = 7, 0.05


class Rummy500Sheet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One deal: who went out (nobody where the stock ran out), what each seat melded, and what it still holds."""

    out: str | None
    melded: dict[str, int] = {}
    in_hand: dict[str, int] = {}
    hands: dict[str, str] = {}
    dealer: str | None = None

    @property
    def keeps_dealer(self) -> bool:
        return False

    def marks(self) -> dict[str, SeatMark]:
        seats = {*self.melded, *self.in_hand, *self.hands, *((self.out,) if self.out is not None else ())}
        return {seat: self._mark(seat) for seat in sorted(seats)}

    def remarks(self) -> tuple[str, ...]:
        return nobody_out(self.out)

    def _mark(self, seat: str) -> SeatMark:
        """What a seat melded, and what it holds or that it went out."""
        melded, held, cards = self.melded.get(seat, 0), self.in_hand.get(seat, 0), self.hands.get(seat, "")
        if seat == self.out:
            return SeatMark(how="out", title=f"Went out, melded {melded}", short="out", is_win=True)
        left = "cards in hand" if cards else f"{held} in hand"
        short = f"{melded}, cards" if cards else f"{melded}\u2212{held}"
        return SeatMark(how="held", title=f"Melded {melded}, {left}", short=short, loose=cards)


class Rummy500(WesternForm[Rummy500Options]):
    """Rummy 500, to a target or for a number of deals."""

    name = "rummy500"
    title = "Rummy 500"
    summary = "Melded cards count for a player, cards in hand against; scores can be negative."
    presets = RUMMY500
    wordings = WORDINGS
    example = {"out": "1", "melded": {"1": 85, "2": 40, "3": 0}, "in_hand": {"2": 25, "3": 32}}
    misread = ("in_hand", "melded")
    seats_allowed = range(2, 9)
    judge = JUDGE
    options_type = Rummy500Options
    sheet_type = Rummy500Sheet

    def read_sheet(self, raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[Rummy500Sheet | None, list[Problem]]:
        reader = Reader(raw, seats, Rummy500Sheet.__struct_fields__)
        reader.said("out")
        sheet = Rummy500Sheet(
            out=reader.seat("out"),
            melded=reader.numbers("melded"),
            in_hand=reader.numbers("in_hand"),
            hands=reader.hands("hands"),
            dealer=reader.seat("dealer"),
        )
        return None if reader.has_problem_with("out") else sheet, reader.problems

    def entry_form(self, setup: Setup[Rummy500Options], game: WesternGame, *, is_extra: bool) -> tuple[SheetField, ...]:
        """Who went out, what each seat melded, and what it still holds."""
        options = setup.options
        values = values_said(
            ace=options.ace_in_hand,
            joker=options.joker_value if options.jokers_per_pack else None,
            pips="others their face" if options.values == "face" else "others 5",
        )
        melded = SheetField(
            path=("melded",),
            title="Melded",
            kind="number",
            per_seat=True,
            help="Value of the cards laid down or laid off; 0 for none",
        )
        held = held_fields("In hand", f"Value of the cards left, melds not laid down included: {values}", "in_hand")
        return (out_field("Nobody: the stock ran out"), melded, *held, DEALER)

    def simulate(
        self, setup: Setup[Rummy500Options], game: WesternGame, *, dealer: str, chance: Chance, is_last: bool
    ) -> Wire:
        seats = self.in_play(setup, game)
        out = goes_out(seats, chance, stock_runs_out=STOCK_RUNS_OUT)
        melded = {seat: 5 * chance.number(6 if seat == out else 0, 22 if seat == out else 15) for seat in seats}
        held = {seat: left_in_hand(RUMMY500_VALUES, chance, most=MOST_LEFT) for seat in seats if seat != out}
        return {"out": out, "melded": melded, "in_hand": held, "dealer": dealer}

    def blank_sheet(self, playing: Sequence[str]) -> Rummy500Sheet:
        return Rummy500Sheet(out=playing[0])

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """From five seats on a second pack; with values in fives a low ace counts 5."""
        row: dict[str, Any] = {"packs": 2 if seats >= MANY_SEATS else 1}
        if given.get("values") == "5/10/15":
            row["ace_low"] = 5
        return {**row, **given}

    def setup_problems(self, setup: Setup[Rummy500Options]) -> list[Problem]:
        options = setup.options
        problems = value_problems(setup, say("paying the difference")) if options.settlement != "none" else []
        seats = len(setup.seats)
        needed = seats * cards_each(seats, options) + 1
        if options.pack_cards <= needed:
            detail = say_many(
                "{of} seats are dealt {most} cards; {count} pack holds {total}",
                "{of} seats are dealt {most} cards; {count} packs hold {total}",
                count=options.packs,
                of=seats,
                most=needed,
                total=options.pack_cards,
            )
            problems.append(Problem(code="out_of_range", field="packs", detail=detail))
        return problems

    def deals_planned(self, setup: Setup[Rummy500Options]) -> int | None:
        return setup.options.rounds if setup.options.end == "rounds" else None

    def reminders(self, setup: Setup[Rummy500Options]) -> Iterator[Message]:
        return reminders(setup.options)

    def finish_line(self, setup: Setup[Rummy500Options]) -> int | None:
        return setup.options.target if setup.options.end == "target" else None

    def is_played_out(self, setup: Setup[Rummy500Options], game: WesternGame) -> bool:
        """The target is reached by one seat alone in front, or by whoever went out; or all deals are played."""
        options = setup.options
        best = max(game.scores.values())
        level = sum(1 for score in game.scores.values() if score == best)
        if options.end == "rounds":
            enough = game.deals >= options.rounds
        elif options.must_go_out_to_win:
            return _has_gone_out_to_win(options, game)
        else:
            enough = best >= options.target
        return enough and (level == 1 or options.tie == "share")

    def rank_key(self, setup: Setup[Rummy500Options], game: WesternGame, seat: str) -> tuple[int, ...]:
        """Most points first. Where one must go out to win, the winner comes first although others may have more."""
        key = super().rank_key(setup, game, seat)
        if not _has_gone_out_to_win(setup.options, game):
            return key
        if seat == game.went_out:
            return (-max(game.scores.values()), 0, *key[2:])
        return (key[0], 1, *key[2:])

    def settlement(self, setup: Setup[Rummy500Options], game: WesternGame) -> tuple[Payout, ...]:
        """Each seat pays the winners what it lacks to them; one that has more, but did not go out, pays nothing."""
        winners = self.winners(setup, game)
        if setup.options.settlement == "none" or not winners:
            return ()
        best = game.scores[winners[0]]
        owed = {seat: max(0, best - score) for seat, score in game.scores.items()}
        return (paid_points(setup, "points", owed, winners),)

    def sheet_problems(
        self, setup: Setup[Rummy500Options], playing: Sequence[str], sheet: Rummy500Sheet
    ) -> list[Problem]:
        listed = sheet.melded | sheet.in_hand | sheet.hands
        problems = seats_on_sheet_problems(playing, {"out": sheet.out}, listed)
        for seat in playing:
            problems += _seat_problems(setup.options, sheet, seat)
        return problems + _pack_problems(setup.options, sheet)

    def typing_problems(self, setup: Setup[Rummy500Options], fact: Fact) -> list[Problem]:
        """Whoever goes out has laid the hand down: a card is drawn for each that is thrown away."""
        if not isinstance(fact, DealFact):
            return []
        sheet: Rummy500Sheet = fact.sheet
        if sheet.out is None or sheet.melded.get(sheet.out) != 0:
            return []
        detail = say(
            "{seat} went out with nothing melded: enter what was laid down, or who else went out", seat=Seat(sheet.out)
        )
        return [Problem(code="nothing_melded", seat=sheet.out, field="melded", detail=detail)]

    def card_problems(self, setup: Setup[Rummy500Options], sheet: Rummy500Sheet) -> list[Problem]:
        options = setup.options
        return hands_beyond_packs(sheet.hands, packs=options.packs, jokers=options.packs * options.jokers_per_pack)

    def scored(self, setup: Setup[Rummy500Options], playing: Sequence[str], sheet: Rummy500Sheet) -> Scored:
        """Melded less in hand. Nobody wins a deal in which the stock ran out."""
        options = setup.options
        deducts = sheet.out is not None or options.stock_exhausted == "normal"
        held = {seat: hand_value(sheet, options, seat) if deducts else 0 for seat in playing}
        changes = {seat: sheet.melded.get(seat, 0) - held[seat] for seat in playing}
        winners = tuple(seat for seat in playing if seat == sheet.out)
        return Scored(changes=changes, winners=winners, went_out=winners[0] if winners else None)


def hand_value(sheet: Rummy500Sheet, options: Rummy500Options, seat: str) -> int:
    """What a seat holds; 0 for whoever went out, and where it was not entered."""
    if seat in sheet.hands:
        return _value(sheet.hands[seat], options)
    return sheet.in_hand.get(seat, 0)


@lru_cache(maxsize=4096)
def _value(cards: str, options: Rummy500Options) -> int:
    return options.card_values.total(parse_cards(cards, "hands"))


def _has_gone_out_to_win(options: Rummy500Options, game: WesternGame) -> bool:
    """Whoever ended the last deal by going out has reached the target, in a house where that decides."""
    if not options.must_go_out_to_win or options.end != "target" or game.went_out is None:
        return False
    return game.scores[game.went_out] >= options.target


def _seat_problems(options: Rummy500Options, sheet: Rummy500Sheet, seat: str) -> list[Problem]:
    """Every seat has a number for its melds, and, unless it went out, one for its hand."""
    problems: list[Problem] = []
    if seat not in sheet.melded:
        detail = say("{seat}: what was melded is missing; enter 0 for nothing", seat=Seat(seat))
        problems.append(Problem(code="missing_count", seat=seat, field="melded", detail=detail))
    has_number, has_cards, held = seat in sheet.in_hand, seat in sheet.hands, hand_value(sheet, options, seat)
    if seat == sheet.out and (held or has_cards):
        detail = say("{seat} went out, so nothing in hand; the sheet says {number}", seat=Seat(seat), number=held)
        problems.append(Problem(code="winner_has_points", seat=seat, field="in_hand", detail=detail))
    elif has_number and has_cards:
        detail = say(
            "{seat} has cards and a number of {number}: enter one of the two",
            seat=Seat(seat),
            number=sheet.in_hand[seat],
        )
        problems.append(Problem(code="count_and_cards", seat=seat, field="in_hand", detail=detail))
    elif seat != sheet.out and not has_number and not has_cards:
        detail = say("{seat} did not go out, but what is in hand is missing", seat=Seat(seat))
        problems.append(Problem(code="missing_count", seat=seat, field="in_hand", detail=detail))
    elif seat != sheet.out and not held and not options.floating:
        detail = say("{seat} has 0 in hand, but only a seat that went out, or floats, holds no card", seat=Seat(seat))
        problems.append(Problem(code="count_is_zero", seat=seat, field="in_hand", detail=detail))
    return problems


def _pack_problems(options: Rummy500Options, sheet: Rummy500Sheet) -> list[Problem]:
    """All cards on the table and in the hands come out of the packs in play."""
    melded = sum(sheet.melded.values())
    held = sum(hand_value(sheet, options, seat) for seat in sheet.in_hand.keys() | sheet.hands.keys())
    if melded + held <= options.worth_of_packs:
        return []
    detail = say(
        "{number} melded and {of} in hand: the packs in play hold {most}",
        number=melded,
        of=held,
        most=options.worth_of_packs,
    )
    return [Problem(code="count_over_cap", field="melded", detail=detail)]
