"""Rummy 500: melded cards count for a player, cards left in hand against, and the first at 500 wins.

Rules: docs/rules/rummy500.md. Knows nothing of storage, accounts or the web.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.events.wire import DealEvent, Event
from scoring.messages import Message, say, say_many, words
from scoring.money.payouts import PaidDeal, Payout, paid_points
from scoring.problems import Problem
from scoring.rules.chance import Chance
from scoring.rules.hands import hands_beyond_packs
from scoring.rules.table.fields import SheetField
from scoring.rules.table.questions import Asked, CardRuling, HandShown, in_cards
from scoring.rules.table.refusals import value_problems
from scoring.rules.table.variant import Setup, Wire
from scoring.rules.variants.western import Scored, WesternForm, WesternGame
from scoring.rules.variants.western.checks import seats_on_sheet_problems
from scoring.rules.variants.western.entry import DEALER, goes_out, held_fields, left_in_hand, out_field, values_message
from scoring.rules.variants.western.rummy500.options import MANY_SEATS, RUMMY500, RUMMY500_VALUES, Rummy500Options
from scoring.rules.variants.western.rummy500.sheets import (
    JUDGE,
    MELDS_IN_CARDS,
    Rummy500Sheet,
    cards_of,
    hand_on_sheet,
    hand_value,
    lay_off_problems,
    meld_card_problems,
    melded_by,
    melded_problems,
    not_laid_off,
    pack_problems,
    ruled_on_sheet,
    seat_problems,
)

# In a rehearsal.
MOST_LEFT, STOCK_RUNS_OUT = 7, 0.05


class Rummy500(WesternForm[Rummy500Options]):
    """Rummy 500, to a target or for a number of deals."""

    name = "rummy500"
    title = "Rummy 500"
    summary = "Melded cards count for a player, cards in hand against; scores can be negative."
    presets = RUMMY500
    example = {"out": "1", "melded": {"1": 85, "2": 40, "3": 0}, "in_hand": {"2": 25, "3": 32}}
    misread = ("in_hand", "melded")
    seats_allowed = range(2, 9)
    judge = JUDGE
    options_type = Rummy500Options
    sheet_type = Rummy500Sheet

    def entry_form(self, setup: Setup[Rummy500Options], game: WesternGame, *, is_extra: bool) -> tuple[SheetField, ...]:
        """The form: who went out, what each seat melded, and what it still holds."""
        options = setup.options
        values = values_message(
            ace=options.ace_in_hand,
            joker=options.joker_value if options.jokers_per_pack else None,
            is_by_face=options.values == "face",
        )
        melded = SheetField(
            ("melded",),
            words("Melded"),
            "number",
            per_seat=True,
            help=words("Value of the cards laid down or laid off; 0 for none"),
        )
        hand_fields = held_fields(
            words("In hand"),
            say("Value of the cards left, melds not laid down included: {values}", values=values),
            "in_hand",
            judged_as="hand",
        )
        return (out_field(words("Nobody: the stock ran out")), melded, *hand_fields, *MELDS_IN_CARDS, DEALER)

    def cards_ruled(self, setup: Setup[Rummy500Options], asked: Asked, typed: Wire) -> CardRuling:
        """The ruling on a seat's cards, and on what was laid off once all melds on the sheet are given as cards."""
        ruling = ruled_on_sheet(setup.options, asked)
        sheet, problems = self.read_sheet({"out": None, **typed}, setup.seats)
        if ruling.tone != "good" or problems or sheet is None or not {*setup.seats} <= {*sheet.melded, *sheet.in_melds}:
            return ruling
        for problem in lay_off_problems(setup.options, sheet):
            if problem.seat is not None and cards_of(sheet, problem.seat) == asked:
                return not_laid_off(ruling, problem.message)
        return ruling

    def hands_shown(self, setup: Setup[Rummy500Options], sheet: Rummy500Sheet) -> tuple[HandShown, ...]:
        """Each meld with what it counts."""
        hand_by_seat = {seat: hand_on_sheet(setup.options, cards_of(sheet, seat)) for seat in in_cards(sheet)}
        return tuple(
            HandShown(
                seat=seat, title=mark.title, points=None, groups=hand_by_seat[seat][0], loose=hand_by_seat[seat][1]
            )
            for seat, mark in in_cards(sheet).items()
        )

    def simulate(
        self, setup: Setup[Rummy500Options], game: WesternGame, *, dealer: str, chance: Chance, is_last: bool
    ) -> Wire:
        seats = self.in_play(setup, game)
        out = goes_out(seats, chance, stock_runs_out=STOCK_RUNS_OUT)
        melded = {seat: 5 * chance.number(6 if seat == out else 0, 22 if seat == out else 15) for seat in seats}
        points_by_seat = {seat: left_in_hand(RUMMY500_VALUES, chance, most=MOST_LEFT) for seat in seats if seat != out}
        return {"out": out, "melded": melded, "in_hand": points_by_seat, "dealer": dealer}

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
        needed = seats * options.cards_each(seats) + 1
        if options.pack_cards <= needed:
            detail = say_many(
                "{of} seats are dealt {most} cards; {count} pack holds {total}",
                "{of} seats are dealt {most} cards; {count} packs hold {total}",
                count=options.packs,
                of=seats,
                most=needed,
                total=options.pack_cards,
            )
            problems.append(Problem("out_of_range", detail, field="packs"))
        return problems

    def deals_planned(self, setup: Setup[Rummy500Options]) -> int | None:
        return setup.options.rounds if setup.options.end == "rounds" else None

    def why_no_totals(self, setup: Setup[Rummy500Options]) -> Message | None:
        if setup.options.settlement != "none":
            return say("the players pay each other the difference here: enter it deal by deal")
        if setup.options.end == "target" and setup.options.must_go_out_to_win:
            return say("the winner must go out in the last deal here: enter it deal by deal")
        return super().why_no_totals(setup)

    def finish_line(self, setup: Setup[Rummy500Options]) -> int | None:
        return setup.options.target if setup.options.end == "target" else None

    def is_played_out(self, setup: Setup[Rummy500Options], game: WesternGame) -> bool:
        """The target is reached, where required by going out, or all deals are played; unshared ties play on."""
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
        """Each seat pays the winners what it is behind; one that is ahead, but did not go out, pays nothing."""
        winners = self.winners(setup, game)
        if setup.options.settlement == "none" or not winners:
            return ()
        best = game.scores[winners[0]]
        owed = {seat: max(0, best - score) for seat, score in game.scores.items()}
        return (paid_points(setup.stakes, PaidDeal(0, owed, winners), slot="points"),)

    def sheet_problems(
        self, setup: Setup[Rummy500Options], playing: Sequence[str], sheet: Rummy500Sheet
    ) -> list[Problem]:
        listed = (*sheet.melded, *sheet.in_hand, *sheet.hands, *sheet.in_melds)
        problems = seats_on_sheet_problems(playing, {"out": sheet.out}, listed)
        for seat in playing:
            problems += seat_problems(setup.options, sheet, seat)
        return problems + pack_problems(setup.options, sheet)

    def typing_problems(self, setup: Setup[Rummy500Options], event: Event) -> list[Problem]:
        """Values that no cards have: a seat that goes out has laid its hand down, and a meld counts something."""
        return melded_problems(setup.options, event.sheet) if isinstance(event, DealEvent) else []

    def card_problems(self, setup: Setup[Rummy500Options], sheet: Rummy500Sheet) -> list[Problem]:
        options = setup.options
        card_seats = dict.fromkeys((*sheet.in_melds, *sheet.hands))
        cards = {seat: " ".join((*sheet.melded_cards(seat), sheet.hands.get(seat, ""))) for seat in card_seats}
        excess_problems = hands_beyond_packs(cards, packs=options.packs, jokers=options.jokers)
        copies = [
            replace(problem, field="melds") if problem.seat in sheet.in_melds else problem
            for problem in excess_problems
        ]
        return [*copies, *meld_card_problems(sheet)] or lay_off_problems(options, sheet)

    def scored(self, setup: Setup[Rummy500Options], playing: Sequence[str], sheet: Rummy500Sheet) -> Scored:
        """Melded less in hand. A deal in which the stock ran out has no winner."""
        options = setup.options
        deducts = sheet.out is not None or options.stock_exhausted == "normal"
        hand_points = {seat: hand_value(sheet, options, seat) if deducts else 0 for seat in playing}
        changes = {seat: melded_by(sheet, options, seat) - hand_points[seat] for seat in playing}
        winners = tuple(seat for seat in playing if seat == sheet.out)
        return Scored(changes=changes, winners=winners, went_out=winners[0] if winners else None)


def _has_gone_out_to_win(options: Rummy500Options, game: WesternGame) -> bool:
    """Whether the seat that ended the last deal by going out has reached the target, in a house where that decides."""
    if not options.must_go_out_to_win or options.end != "target" or game.went_out is None:
        return False
    return game.scores[game.went_out] >= options.target


GAME = Rummy500()
