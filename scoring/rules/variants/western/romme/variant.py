"""Romme: whoever goes out collects what the others hold, round after round; the highest total wins.

Rules: docs/rules/romme.md. A round in which the stock ran out has no winner and does not sum to nothing.
Knows nothing of storage, accounts or the web.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec

from scoring.facts.wire import DealFact, Fact
from scoring.messages import Message, Seat, say
from scoring.money.payouts import divide
from scoring.problems import Problem
from scoring.rules.cards import parse_cards
from scoring.rules.chance import Chance
from scoring.rules.hands.packs import hands_beyond_packs
from scoring.rules.table.fields import SeatMark, SheetField
from scoring.rules.table.variant import Setup, Wire
from scoring.rules.variants.western.checks import Reader, counted_problems, dealt_problems, seats_on_sheet_problems
from scoring.rules.variants.western.entry import (
    DEALER,
    WENT_OUT,
    counted_marks,
    held_fields,
    listed,
    nobody_out,
    out_field,
    value_problems,
    values_said,
)
from scoring.rules.variants.western.form import Scored, WesternForm, WesternGame
from scoring.rules.variants.western.romme.judging import JUDGE
from scoring.rules.variants.western.romme.options import ROMME, RommeOptions, cards_each
from scoring.rules.variants.western.romme.values import ROMME_VALUES
from scoring.rules.variants.western.romme.words import WORDINGS, reminders
from scoring.rules.variants.western.simulation import goes_out, left_in_hand

TIE_WORDS = {"extra_round": "extra_deal", "most_rounds_won": "most_deals_won", "share": "share"}
SCORED_WITHOUT_WINNER = ("all_lose", "lowest_wins")
# In a rehearsal.
MOST_LEFT, STOCK_RUNS_OUT, LAYS_ALL_AT_ONCE, NEVER_MELDED = 10, 0.03, 0.02, 0.15
HAND_ROMME = SeatMark(how="out", title="Hand romme", short="hand romme", is_win=True)
UNMELDED = SeatMark(how="unmelded", title="Had not melded", short="not melded")


class RommeSheet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One round: who went out (nobody where the stock ran out), in one turn or not, and what the others hold.

    `unmelded` are losers who had not melded, `laid` is the value of the cards the winner laid: each is only needed
    where the house scores it.
    """

    out: str | None
    counts: dict[str, int] = {}
    hands: dict[str, str] = {}
    hand_romme: bool = False
    unmelded: tuple[str, ...] = ()
    laid: int | None = None
    dealer: str | None = None

    @property
    def keeps_dealer(self) -> bool:
        return False

    def marks(self) -> dict[str, SeatMark]:
        won_by = HAND_ROMME if self.hand_romme else WENT_OUT
        unmelded = dict.fromkeys(self.unmelded, UNMELDED)
        return unmelded | counted_marks(self.out, self.counts, self.hands, won_by=won_by)

    def remarks(self) -> tuple[str, ...]:
        said = (*nobody_out(self.out), *((f"not melded: {listed(self.unmelded)}",) if self.unmelded else ()))
        return said if self.laid is None else (*said, f"laid cards worth {self.laid}")


class Romme(WesternForm[RommeOptions]):
    """Romme for a number of rounds."""

    name = "romme"
    title = "Romme"
    summary = "Losers lose what they hold and the winner of the round collects it; a hand romme counts double."
    presets = ROMME
    wordings = WORDINGS
    example = {"out": "2", "counts": {"1": 41, "3": 23}, "hand_romme": True}
    seats_allowed = range(2, 7)
    judge = JUDGE
    options_type = RommeOptions
    sheet_type = RommeSheet

    def read_sheet(self, raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[RommeSheet | None, list[Problem]]:
        reader = Reader(raw, seats, RommeSheet.__struct_fields__)
        reader.said("out")
        sheet = RommeSheet(
            out=reader.seat("out"),
            counts=reader.numbers("counts"),
            hands=reader.hands("hands"),
            hand_romme=reader.flag("hand_romme"),
            unmelded=reader.listed("unmelded"),
            laid=reader.number("laid"),
            dealer=reader.seat("dealer"),
        )
        return None if reader.has_problem_with("out") else sheet, reader.problems

    def entry_form(self, setup: Setup[RommeOptions], game: WesternGame, *, is_extra: bool) -> tuple[SheetField, ...]:
        """Who went out, in one turn or not, what the others hold, and what the house scores besides."""
        options = setup.options
        values = values_said(ace=options.ace_hand, joker=options.joker_hand if options.jokers else None)
        fields = [out_field("Nobody: the stock ran out" if options.stock_out in SCORED_WITHOUT_WINNER else "")]
        fields += [*held_fields("Hand points", f"All cards still held: {values}"), _hand_field(options)]
        if options.no_meld_flat is not None:
            help_text = f"Each of them pays {options.no_meld_flat}; no hand points needed"
            fields.append(SheetField(path=("unmelded",), title="Had not melded", kind="seats", help=help_text))
        if options.scoring == "casino":
            help_text = "Needed if somebody went out; the winner gets it too"
            fields.append(
                SheetField(path=("laid",), title="Value of the cards the winner laid", kind="number", help=help_text)
            )
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

    def blank_sheet(self, playing: Sequence[str]) -> RommeSheet:
        return RommeSheet(out=playing[0])

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """A short hand is one pack with three jokers, without registration."""
        return {**({"jokers": 3, "first_meld_min": 0} if given.get("short_hand") is True else {}), **given}

    def setup_problems(self, setup: Setup[RommeOptions]) -> list[Problem]:
        options = setup.options
        problems = value_problems(setup, say("paying points")) if options.settlement != "none" else []
        if options.settlement != "none" and options.scoring == "match_points":
            detail = say("match points are not owed by losers: they cannot be paid")
            problems.append(Problem(code="not_a_choice", field="settlement", detail=detail))
        if options.bonus and options.scoring == "match_points":
            said = say("a hand romme has its own number of match points: enter 0 points besides")
            problems.append(Problem(code="not_a_choice", field="hand_bonus", detail=said))
        if not options.match_three_up_to <= options.match_two_up_to <= options.match_one_up_to:
            detail = say("fewer hand points cannot be worth fewer match points")
            problems.append(Problem(code="out_of_range", field="match_two_up_to", detail=detail))
        return problems

    def reminders(self, setup: Setup[RommeOptions]) -> Iterator[Message]:
        return reminders(setup.options)

    def level_seats(self, setup: Setup[RommeOptions]) -> str:
        return TIE_WORDS[setup.options.tie]

    def pays_deals(self, setup: Setup[RommeOptions]) -> bool:
        return setup.options.settlement == "pay_points"

    def forfeits(self, setup: Setup[RommeOptions]) -> bool:
        """The table is won by the total, whatever is paid besides."""
        return True

    def deals_planned(self, setup: Setup[RommeOptions]) -> int | None:
        return setup.options.rounds

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
        return problems + _stock_problems(options, sheet) + _winner_problems(options, playing, sheet)

    def typing_problems(self, setup: Setup[RommeOptions], fact: Fact) -> list[Problem]:
        """Counts and hands that cannot be there as they were dealt; where players knock for cards, hands grow."""
        options = setup.options
        if not isinstance(fact, DealFact) or options.knock:
            return []
        seats = fact.sheet.counts.keys() | fact.sheet.hands.keys() | ({fact.sheet.out} if fact.sheet.out else set())
        counts = {seat: hand_count(fact.sheet, options, seat) for seat in setup.seats}
        return dealt_problems(counts, fact.sheet.hands, each=cards_each(len(seats), options), dearest=options.dearest)

    def card_problems(self, setup: Setup[RommeOptions], sheet: RommeSheet) -> list[Problem]:
        options = setup.options
        return hands_beyond_packs(sheet.hands, packs=options.packs, jokers=options.jokers)

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
        result = _points(options, lost, winners, factor, sheet.laid)
        return _with_bonus(options, result) if sheet.hand_romme and options.bonus else result


def _hand_field(options: RommeOptions) -> SheetField:
    """Everything in one turn, and what that is worth here."""
    alone = " while nobody else had melded" if options.hand_requires_no_opponent_meld else ""
    worth = f"the round counts {options.hand_multiplier} times"
    if options.scoring == "match_points":
        worth = f"worth {options.match_hand_win} match points"
    help_text = f"All cards laid down in one turn{alone}: {worth}"
    return SheetField(path=("hand_romme",), title="Hand romme", kind="flag", help=help_text)


def hand_count(sheet: RommeSheet, options: RommeOptions, seat: str) -> int:
    """What a seat holds; 0 where it was not entered."""
    if seat in sheet.hands:
        return _value(sheet.hands[seat], options.ace_hand, options.joker_hand)
    return sheet.counts.get(seat, 0)


@lru_cache(maxsize=4096)
def _value(cards: str, ace: int, joker: int) -> int:
    return replace(ROMME_VALUES, ace=ace, joker=joker).total(parse_cards(cards, "hands"))


def _points(
    options: RommeOptions, lost: Mapping[str, int], winners: tuple[str, ...], factor: int, laid: int | None
) -> Scored:
    """Losers lose; the winner collects, and in casino scoring gets what was laid besides, which nobody pays."""
    changes = {seat: -points for seat, points in lost.items()}
    order = dict(lost) | dict.fromkeys(winners, -1)
    if winners and options.scoring != "penalty_only":
        changes |= divide(sum(lost.values()), winners)
    if len(winners) == 1 and options.scoring == "casino":
        changes[winners[0]] += factor * (laid or 0)
    return Scored(changes=changes, order=order, winners=winners, owed=dict(lost), takers=winners)


def _with_bonus(options: RommeOptions, result: Scored) -> Scored:
    """A hand romme brings the winner points that nobody pays."""
    won = {seat: result.changes.get(seat, 0) + options.bonus for seat in result.winners}
    return msgspec.structs.replace(result, changes=result.changes | won)


def _match_points(
    options: RommeOptions, sheet: RommeSheet, counts: Mapping[str, int], winners: tuple[str, ...]
) -> Scored:
    """What clubs award: so much for a win, more for a hand romme, something for a small count."""
    won = options.match_hand_win if sheet.hand_romme else options.match_win
    changes = {seat: options.match_points(count) for seat, count in counts.items()} | dict.fromkeys(winners, won)
    return Scored(changes=changes, order=dict(counts) | dict.fromkeys(winners, -1), winners=winners)


def _flat_seats(options: RommeOptions, playing: Sequence[str], sheet: RommeSheet) -> frozenset[str]:
    """Who has not melded, where that costs a flat sum: after a hand romme everybody. Whoever went out pays none."""
    if options.no_meld_flat is None or sheet.out is None:
        return frozenset()
    return frozenset(playing if sheet.hand_romme and options.hand_requires_no_opponent_meld else sheet.unmelded)


def _stock_problems(options: RommeOptions, sheet: RommeSheet) -> list[Problem]:
    """A round without a winner is scored only where the house scores it."""
    if sheet.out is not None or options.stock_out in SCORED_WITHOUT_WINNER:
        return []
    detail = say("nobody went out; when the stock runs out this table plays the round again, and records only that")
    if options.stock_out == "reshuffle":
        detail = say("nobody went out; when the stock runs out this table plays on")
    return [Problem(code="no_winner", field="out", detail=detail)]


def _winner_problems(options: RommeOptions, playing: Sequence[str], sheet: RommeSheet) -> list[Problem]:
    """What is said of the winner: a hand romme, the value laid, and who had not melded by then."""
    problems: list[Problem] = []
    if sheet.out is None and (sheet.hand_romme or sheet.laid is not None):
        field = "hand_romme" if sheet.hand_romme else "laid"
        problems.append(
            Problem(code="no_winner", field=field, detail=say("nobody went out, so nobody laid everything down"))
        )
    if sheet.out is not None and sheet.out in sheet.unmelded:
        detail = say("{seat} went out, and so has melded", seat=Seat(sheet.out))
        problems.append(Problem(code="winner_has_points", seat=sheet.out, field="unmelded", detail=detail))
    if sheet.out is not None and options.scoring == "casino" and sheet.laid is None:
        detail = say("casino scoring needs the value of the cards that the winner laid")
        problems.append(Problem(code="missing_count", seat=sheet.out, field="laid", detail=detail))
    return problems + _laid_problems(options, sheet) + _hand_problems(options, playing, sheet)


def _laid_problems(options: RommeOptions, sheet: RommeSheet) -> list[Problem]:
    """The winner's cards are worth a first meld at least, and no more than all cards in play."""
    if sheet.laid is None or sheet.out is None:
        return []
    most = options.dearest()
    if options.is_enough_to_meld(sheet.laid) and 0 < sheet.laid <= most:
        return []
    detail = say(
        "{seat} laid {number}; a first meld needs {first}, and all cards are worth {most}",
        seat=Seat(sheet.out),
        number=sheet.laid,
        first=options.first_meld_min,
        most=most,
    )
    return [Problem(code="out_of_range", seat=sheet.out, field="laid", detail=detail)]


def _hand_problems(options: RommeOptions, playing: Sequence[str], sheet: RommeSheet) -> list[Problem]:
    """Where a hand romme needs that nobody has melded, some losers cannot have melded and others not."""
    if not (sheet.hand_romme and options.hand_requires_no_opponent_meld and sheet.unmelded):
        return []
    return [
        Problem(
            code="not_a_hand_romme",
            seat=seat,
            field="hand_romme",
            detail=say("{seat} has melded, so it was not a hand romme at this table", seat=Seat(seat)),
        )
        for seat in playing
        if seat != sheet.out and seat not in sheet.unmelded
    ]
