"""Romme: the player who goes out collects what the others hold, round after round; the highest total wins.

Rules: docs/rules/romme.md. A round in which the stock ran out has no winner and does not sum to zero. Knows nothing of
storage, accounts or the web.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.events.wire import DealEvent, Event
from scoring.messages import Message, say, words
from scoring.money.payouts import divide
from scoring.problems import Problem
from scoring.rules.chance import Chance
from scoring.rules.hands import hands_beyond_packs
from scoring.rules.table.fields import SheetField
from scoring.rules.table.refusals import value_problems
from scoring.rules.table.variant import Setup, Wire
from scoring.rules.variants.western import Scored, WesternForm, WesternGame, with_bonus
from scoring.rules.variants.western.checks import counted_problems, dealt_problems, seats_on_sheet_problems
from scoring.rules.variants.western.entry import (
    DEALER,
    goes_out,
    hand_count,
    held_fields,
    left_in_hand,
    out_field,
    values_message,
)
from scoring.rules.variants.western.romme.options import ROMME, ROMME_VALUES, RommeOptions
from scoring.rules.variants.western.romme.sheets import (
    FIGURES,
    FIGURES_UNSCORED,
    JUDGE,
    SCORED_WITHOUT_WINNER,
    RommeSheet,
    figure_problems,
    hand_romme_problems,
    laid_value,
    stock_problems,
    winner_problems,
)

TIE_WORDS = {"extra_round": "extra_deal", "most_rounds_won": "most_deals_won", "share": "share"}
SHORT_HAND_JOKERS = 3
# In a rehearsal.
MOST_LEFT, STOCK_RUNS_OUT, LAYS_ALL_AT_ONCE, NEVER_MELDED = 10, 0.03, 0.02, 0.15


class Romme(WesternForm[RommeOptions]):
    """Romme for a number of rounds."""

    name = "romme"
    title = "Romme"
    summary = "Losers lose what they hold and the winner of the round collects it; a hand romme counts double."
    presets = ROMME
    example = {"out": "2", "counts": {"1": 41, "3": 23}, "hand_romme": True}
    seats_allowed = range(2, 7)
    judge = JUDGE
    options_type = RommeOptions
    sheet_type = RommeSheet

    def entry_form(self, setup: Setup[RommeOptions], game: WesternGame, *, is_extra: bool) -> tuple[SheetField, ...]:
        """The form: who went out, in one turn or not, what the others hold, and what else the house scores."""
        options = setup.options
        values = values_message(ace=options.ace_hand, joker=options.joker_hand if options.jokers else None)
        fields = [out_field(words("Nobody: the stock ran out") if options.stock_out in SCORED_WITHOUT_WINNER else "")]
        fields += [
            *held_fields(words("Hand points"), say("All cards still held: {values}", values=values), judged_as="hand"),
            SheetField(("hand_romme",), words("Hand romme"), "flag", help=_hand_help(options)),
        ]
        if options.no_meld_flat is not None:
            help_text = say("Each of them pays {points}; no hand points needed", points=options.no_meld_flat)
            fields.append(SheetField(("unmelded",), words("Had not melded"), "seats", help=help_text))
        if options.scoring == "casino":
            help_text = say("Needed if somebody went out; the winner gets it too")
            fields.append(SheetField(("laid",), words("Value of the cards the winner laid"), "number", help=help_text))
        fields.append(FIGURES if options.scoring == "casino" else FIGURES_UNSCORED)
        return (*fields, DEALER)

    def simulate(
        self, setup: Setup[RommeOptions], game: WesternGame, *, dealer: str, chance: Chance, is_last: bool
    ) -> Wire:
        options, seats = setup.options, self.in_play(setup, game)
        out = goes_out(seats, chance, stock_runs_out=STOCK_RUNS_OUT)
        counts = {seat: left_in_hand(ROMME_VALUES, chance, most=MOST_LEFT) for seat in seats if seat != out}
        sheet: Wire = {"out": out, "counts": counts, "hand_romme": out is not None and chance.happens(LAYS_ALL_AT_ONCE)}
        if out is not None and options.no_meld_flat is not None and not sheet["hand_romme"]:
            sheet["unmelded"] = chance.some_of(list(counts), NEVER_MELDED)
        if out is not None and options.scoring == "casino":
            sheet["laid"] = chance.number(max(30, options.first_meld_min), 110)
        return {**sheet, "dealer": dealer}

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """A short hand is one pack with three jokers, without registration. Equal hands share what one would win:
        not at tables that were opened before this could be chosen."""
        short = {"jokers": SHORT_HAND_JOKERS, "first_meld_min": 0} if given.get("short_hand") is True else {}
        return {"match_tie": "share", **short, **given}

    def setup_problems(self, setup: Setup[RommeOptions]) -> list[Problem]:
        options = setup.options
        problems = value_problems(setup, say("paying points")) if options.settlement != "none" else []
        if options.settlement != "none" and options.scoring == "match_points":
            detail = say("match points are not owed by losers: they cannot be paid")
            problems.append(Problem("not_a_choice", detail, field="settlement"))
        if options.bonus and options.scoring == "match_points":
            message = say("a hand romme has its own number of match points: enter 0 points besides")
            problems.append(Problem("not_a_choice", message, field="hand_bonus"))
        if options.short_hand and options.jokers > SHORT_HAND_JOKERS:
            detail = say(
                "a short hand is one pack with {most} jokers at most, not {number}",
                most=SHORT_HAND_JOKERS,
                number=options.jokers,
            )
            problems.append(Problem("out_of_range", detail, field="jokers"))
        if not options.match_three_up_to <= options.match_two_up_to <= options.match_one_up_to:
            detail = say("fewer hand points cannot be worth fewer match points")
            problems.append(Problem("out_of_range", detail, field="match_two_up_to"))
        return problems

    def level_seats(self, setup: Setup[RommeOptions]) -> str:
        return TIE_WORDS[setup.options.tie]

    def pays_deals(self, setup: Setup[RommeOptions]) -> bool:
        return setup.options.settlement == "pay_points"

    def forfeits(self, setup: Setup[RommeOptions]) -> bool:
        """The table is won by the total, whatever else is paid."""
        return True

    def deals_planned(self, setup: Setup[RommeOptions]) -> int | None:
        return setup.options.rounds

    def why_no_totals(self, setup: Setup[RommeOptions]) -> Message | None:
        if setup.options.eliminate_minus is not None:
            return say("players are eliminated here, in an order that totals do not show: enter it deal by deal")
        return super().why_no_totals(setup)

    def is_played_out(self, setup: Setup[RommeOptions], game: WesternGame) -> bool:
        options = setup.options
        lowest = min(game.scores.values())
        return game.deals >= options.rounds or (options.end_minus is not None and lowest <= -options.end_minus)

    def out_now(self, setup: Setup[RommeOptions], game: WesternGame) -> tuple[str, ...]:
        limit = setup.options.eliminate_minus
        return () if limit is None else tuple(seat for seat, score in game.scores.items() if score <= -limit)

    def sheet_problems(self, setup: Setup[RommeOptions], playing: Sequence[str], sheet: RommeSheet) -> list[Problem]:
        options = setup.options
        listed = (*sheet.counts, *sheet.hands, *sheet.unmelded)
        problems = seats_on_sheet_problems(playing, {"out": sheet.out}, listed)
        flat = _flat_seats(options, playing, sheet)
        entered = [seat for seat in playing if seat not in flat or seat in sheet.counts or seat in sheet.hands]
        problems += counted_problems(entered, sheet, options.dearest(), lambda seat: hand_count(sheet, options, seat))
        return problems + stock_problems(options, sheet) + winner_problems(options, playing, sheet)

    def typing_problems(self, setup: Setup[RommeOptions], event: Event) -> list[Problem]:
        """Impossible counts and hands; where players knock for cards, hands grow."""
        options = setup.options
        if not isinstance(event, DealEvent) or options.knock:
            return []
        return dealt_problems(event.sheet, options, setup.seats)

    def card_problems(self, setup: Setup[RommeOptions], sheet: RommeSheet) -> list[Problem]:
        options = setup.options
        cards = sheet.hands | ({sheet.out: " ".join(sheet.figures)} if sheet.out and sheet.figures else {})
        excess_problems = hands_beyond_packs(cards, packs=options.packs, jokers=options.jokers)
        copies = [
            replace(problem, field="figures") if problem.seat == sheet.out else problem for problem in excess_problems
        ]
        return figure_problems(options, sheet) + hand_romme_problems(options, sheet) + copies

    def scored(self, setup: Setup[RommeOptions], playing: Sequence[str], sheet: RommeSheet) -> Scored:
        options = setup.options
        flat = _flat_seats(options, playing, sheet)
        counts = {
            seat: options.no_meld_flat or 0 if seat in flat else hand_count(sheet, options, seat)
            for seat in playing
            if seat != sheet.out
        }
        winners = tuple(seat for seat in playing if seat == sheet.out)
        if sheet.out is None and options.stock_out == "lowest_wins" and counts:
            winners = tuple(seat for seat, count in counts.items() if count == min(counts.values()))
            counts = {seat: count for seat, count in counts.items() if seat not in winners}
        if options.scoring == "match_points":
            return _match_points(options, sheet, counts, winners)
        factor = options.hand_multiplier if sheet.hand_romme else 1
        lost = {seat: factor * count for seat, count in counts.items()}
        result = _points(options, lost, winners, factor, laid_value(sheet, options))
        return with_bonus(result, options.bonus) if sheet.hand_romme and options.bonus else result


def _hand_help(options: RommeOptions) -> Message:
    """What a hand romme is, and its value here."""
    times, points = options.hand_multiplier, options.match_hand_win
    match options.scoring == "match_points", options.hand_requires_no_opponent_meld:
        case False, False:
            return say("All cards laid down in one turn: the round counts {number} times", number=times)
        case True, False:
            return say("All cards laid down in one turn: worth {points} match points", points=points)
        case False, _:
            return say(
                "All cards laid down in one turn while nobody else had melded: the round counts {number} times",
                number=times,
            )
    return say(
        "All cards laid down in one turn while nobody else had melded: worth {points} match points", points=points
    )


def _points(
    options: RommeOptions, lost: Mapping[str, int], winners: tuple[str, ...], factor: int, laid: int | None
) -> Scored:
    """Losers lose; the winner collects, and in casino scoring also gets the value laid, which no one pays."""
    changes = {seat: -points for seat, points in lost.items()}
    order = dict(lost) | dict.fromkeys(winners, -1)
    if winners and options.scoring != "penalty_only":
        changes |= divide(sum(lost.values()), winners)
    if len(winners) == 1 and options.scoring == "casino":
        changes[winners[0]] += factor * (laid or 0)
    return Scored(changes=changes, order=order, winners=winners, owed=dict(lost), takers=winners)


def _match_points(
    options: RommeOptions, sheet: RommeSheet, counts: Mapping[str, int], winners: tuple[str, ...]
) -> Scored:
    """Club scoring: so much for a win, more for a hand romme, something for a small count."""
    won = options.match_hand_win if sheet.hand_romme else options.match_win
    shares = dict.fromkeys(winners, won)
    if winners and options.holding("match_tie") == "share":
        shares = divide(won, winners)
    changes = {seat: options.match_points(count) for seat, count in counts.items()} | shares
    return Scored(changes=changes, order=dict(counts) | dict.fromkeys(winners, -1), winners=winners)


def _flat_seats(options: RommeOptions, playing: Sequence[str], sheet: RommeSheet) -> frozenset[str]:
    """Who has not melded, where that costs a flat sum; if a hand romme requires it, all seats. The winner pays none."""
    if options.no_meld_flat is None or sheet.out is None:
        return frozenset()
    return frozenset(playing if sheet.hand_romme and options.hand_requires_no_opponent_meld else sheet.unmelded)


GAME = Romme()
