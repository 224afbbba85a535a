"""What basic rum and block rummy share: the first player out wins the deal, the others pay for the cards they hold.

Rules: docs/rules/rum.md, sections 2 (modes), 3 (values) and 5 (options). Knows nothing of storage, accounts or the web.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, TypeVar

import msgspec

from scoring.events.wire import DealEvent, Event
from scoring.messages import Message, say, words
from scoring.money.payouts import divide
from scoring.problems import Problem
from scoring.rules.cards import RANK_COUNT
from scoring.rules.chance import Chance
from scoring.rules.hands import hands_beyond_packs
from scoring.rules.hands.judging import GroupRuled
from scoring.rules.hands.words import LOW_ACE, faces
from scoring.rules.table.fields import PlainSheet, SeatMark, SheetField, TotalsForm
from scoring.rules.table.questions import (
    WAITING,
    Asked,
    CardField,
    CardJudge,
    CardRuling,
    Cards,
    beyond_packs,
    group_message,
    meld_problems,
    one,
    points_message,
    priced,
)
from scoring.rules.table.refusals import value_problems
from scoring.rules.table.variant import Setup, Wire
from scoring.rules.variants.western import Scored, WesternForm, WesternGame, with_bonus
from scoring.rules.variants.western.checks import Reader, counted_problems, dealt_problems, seats_on_sheet_problems
from scoring.rules.variants.western.entry import (
    DEALER,
    WENT_OUT,
    counted_marks,
    figure_fault,
    figure_of,
    goes_out,
    hand_count,
    held_fields,
    left_in_hand,
    nobody_out,
    out_field,
    values_message,
)
from scoring.rules.variants.western.rum_options import RUM_VALUES, RumFamilyOptions, bonus_reminder, end_reminder

# A deal of rum, with or without a winner: its form, its scores, and its three modes.


# In a rehearsal: the most cards that are left in a hand, and how often a player goes rummy.
MOST_LEFT, GOES_RUMMY = 7, 0.04
R = TypeVar("R", bound=RumFamilyOptions)
WENT_RUMMY = SeatMark(how="out", title=words("Went rummy"), short=words("rummy"), is_win=True)


MELDS = SheetField(
    ("melds",),
    words("Melds of the player who went out"),
    "groups",
    is_rare=True,
    judged_as="meld",
    help=words("The cards as they lie, jokers in their places"),
)


def fault(options: RumFamilyOptions, meld: Cards) -> Message | str:
    """Why the cards are no meld in this house; empty where they are one. An ace is low, high as well, or goes round."""
    is_cyclic = options.ace == "around_the_corner"
    if why := figure_fault(meld, is_cyclic=is_cyclic):
        return why
    figure = figure_of(meld, is_cyclic=is_cyclic)
    is_high = figure is not None and figure.is_run and RANK_COUNT in figure.places
    return LOW_ACE if is_high and options.ace in ("low", "g4a") else ""


def ruled(options: RumFamilyOptions, asked: Asked) -> CardRuling:
    """Whether melds may be laid down, and the cost of the cards in hand."""
    melds, hand = asked.get("meld", ()), one(asked, "hand")
    if not melds and not hand:
        return WAITING
    meld_rulings = [_meld_shown(options, number, meld) for number, meld in enumerate(melds, 1)]
    if wrong := beyond_packs(asked, packs=1, jokers=options.jokers):
        return replace(wrong, groups=meld_rulings)
    hand_points = options.card_values.total(hand)
    costs = say("The cards in hand cost {points}.", points=points_message(hand_points))
    loose = priced(hand, options.card_values)
    if not melds:
        return CardRuling(tone="count", title=costs, number=hand_points, loose=loose)
    is_good = not any(group.why for group in meld_rulings)
    return CardRuling(
        tone="good" if is_good else "bad",
        title=say("These melds can be laid down") if is_good else say("This cannot be laid down"),
        number=hand_points if hand else None,
        reasons=(costs,) if hand else (),
        groups=meld_rulings,
        loose=loose,
    )


def _meld_shown(options: RumFamilyOptions, number: int, meld: Cards) -> GroupRuled:
    why, figure = fault(options, meld), figure_of(meld, is_cyclic=options.ace == "around_the_corner")
    kind = "" if why or figure is None else say("Run") if figure.is_run else say("Set")
    return GroupRuled(title=group_message(number), kind=kind, faces=faces(meld, None), why=why)


JUDGE: CardJudge[Any] = CardJudge(
    lead="Rum: lay down melds, and read whether they are valid and what the cards left in hand cost.",
    fields=(
        CardField(name="meld", title="Melds", help="Jokers where they lie", is_many=True),
        CardField(name="hand", title="Cards in hand"),
    ),
    options=("ace", "jokers", "joker_value"),
    example={"meld": ("AH 2H 3H", "9S 9D 9C"), "hand": ("KD AC",)},
    rule=ruled,
)


class RumSheet(PlainSheet, frozen=True, kw_only=True, omit_defaults=True):
    """One deal: who went out (null in a blocked deal), and what the others hold, as `counts` or as cards (`hands`).

    `melds` are those of the seat that went out, where they were entered; they change no score.
    """

    out: Annotated[str | None, Reader.seat]
    counts: Annotated[dict[str, int], Reader.numbers] = {}
    hands: Annotated[dict[str, str], Reader.hands] = {}
    went_rummy: Annotated[bool, Reader.flag] = False
    dealer: Annotated[str | None, Reader.seat] = None
    melds: Annotated[tuple[str, ...], Reader.groups_of_winner] = ()

    def marks(self) -> dict[str, SeatMark]:
        won_by = msgspec.structs.replace(WENT_RUMMY if self.went_rummy else WENT_OUT, groups=self.melds)
        return counted_marks(self.out, self.counts, self.hands, won_by=won_by)

    def remarks(self) -> tuple[Message, ...]:
        return nobody_out(self.out)


class RumForm(WesternForm[R]):
    """What basic rum and block rummy share."""

    seats_allowed = range(2, 7)
    stock_runs_out = 0.03
    sheet_type = RumSheet
    judge = JUDGE

    def entry_form(self, setup: Setup[R], game: WesternGame, *, is_extra: bool) -> tuple[SheetField, ...]:
        """The form: who went out, at one go or not, and what the others hold."""
        options = setup.options
        values = values_message(ace=options.ace_value, joker=options.joker_value if options.jokers else None)
        doubles = options.rummy_multiplier > 1
        rummy = SheetField(
            ("went_rummy",),
            words("Went rummy"),
            "flag",
            help=say(
                "The whole hand in one turn, with no earlier meld: the deal counts {number} times",
                number=options.rummy_multiplier,
            )
            if doubles
            else say("The whole hand in one turn, after no earlier meld"),
        )
        return (
            out_field(words("Nobody: the deal is blocked") if options.blocks else ""),
            *held_fields(
                words("Hand points"),
                say("All cards still held, melds included: {values}", values=values),
                judged_as="hand",
            ),
            MELDS,
            *((rummy,) if doubles or options.bonus else ()),
            DEALER,
        )

    def simulate(self, setup: Setup[R], game: WesternGame, *, dealer: str, chance: Chance, is_last: bool) -> Wire:
        seats = self.in_play(setup, game)
        out = goes_out(seats, chance, stock_runs_out=self.stock_runs_out)
        counts = {seat: left_in_hand(RUM_VALUES, chance, most=MOST_LEFT) for seat in seats if seat != out}
        went_rummy = out is not None and chance.happens(GOES_RUMMY)
        return {"out": out, "counts": counts, "went_rummy": went_rummy, "dealer": dealer}

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Cash is played for a number of deals. Where a blocked deal must have a winner, differences are the rule."""
        row: dict[str, Any] = {}
        opponent_points = given.get("target_per_opponent")
        if isinstance(opponent_points, int):
            row["target"] = opponent_points * (seats - 1)
        if given.get("mode") == "cash":
            row["end"] = "rounds"
        if given.get("mode") in ("cash", "winner_scores"):
            row["block_scoring"] = "lowest_wins_difference"
        return {**row, **given}

    def setup_problems(self, setup: Setup[R]) -> list[Problem]:
        """Every mode needs a way to score a blocked deal."""
        options = setup.options
        problems = value_problems(setup, say("rum for cash")) if options.mode == "cash" else []
        if options.mode == "cash" and options.end != "rounds":
            detail = say("rum for cash is played for a fixed number of deals, not to a target")
            problems.append(Problem("not_a_choice", detail, field="end"))
        if options.mode == "cash" and options.bonus:
            message = say("points for going rummy cannot be played for cash: enter 0")
            problems.append(Problem("not_a_choice", message, field="rummy_bonus"))
        problems += _target_problems(setup)
        if options.blocks and options.mode == "winner_scores" and options.block_scoring == "all_penalty":
            detail = say("where only winners score, a blocked deal needs a winner: choose another scoring of it")
            problems.append(Problem("not_a_choice", detail, field="block_scoring"))
        if options.blocks and options.mode == "cash" and options.block_scoring != "lowest_wins_difference":
            detail = say(
                "{name} leaves points that nobody pays or collects: money needs the differences",
                name=options.block_scoring,
            )
            problems.append(Problem("not_a_choice", detail, field="block_scoring"))
        return problems

    def totals_form(self, setup: Setup[R]) -> TotalsForm:
        """Scores only grow, unless a bonus or the lowest hand of a blocked deal takes penalties away."""
        options = setup.options
        falls = options.bonus or (options.blocks and options.block_scoring != "all_penalty")
        only_grows = options.mode == "winner_scores" or not falls
        return TotalsForm(title=words("Total"), least=0 if only_grows else None)

    def low_is_good(self, setup: Setup[R]) -> bool:
        return setup.options.mode == "penalty"

    def level_seats(self, setup: Setup[R]) -> str:
        return "share" if setup.options.mode == "cash" else setup.options.tie

    def pays_deals(self, setup: Setup[R]) -> bool:
        return setup.options.mode == "cash"

    def closes_at_will(self, setup: Setup[R]) -> bool:
        """Players for cash may stop after any deal: each is paid at once."""
        return self.pays_deals(setup)

    def reminders(self, setup: Setup[R]) -> Iterator[Message]:
        yield end_reminder(setup.options)
        if setup.options.bonus:
            yield bonus_reminder(setup.options)

    def deals_planned(self, setup: Setup[R]) -> int | None:
        return setup.options.rounds if setup.options.end == "rounds" else None

    def finish_line(self, setup: Setup[R]) -> int | None:
        return setup.options.target if setup.options.end == "target" else None

    def is_played_out(self, setup: Setup[R], game: WesternGame) -> bool:
        """As soon as anyone reaches the target, or after the last deal."""
        options = setup.options
        if options.end == "rounds":
            return game.deals >= options.rounds
        return max(game.scores.values()) >= options.target

    def sheet_problems(self, setup: Setup[R], playing: Sequence[str], sheet: RumSheet) -> list[Problem]:
        options = setup.options
        problems = seats_on_sheet_problems(playing, {"out": sheet.out}, sheet.counts | sheet.hands)
        if sheet.out is None and not options.blocks:
            detail = say("nobody went out, but this table reshuffles the stock and plays on")
            problems.append(Problem("no_winner", detail, field="out"))
        if sheet.out is None and sheet.melds:
            problems.append(Problem("no_winner", say("nobody went out, so nobody laid everything down"), field="melds"))
        if sheet.out is None and sheet.went_rummy:
            problems.append(Problem("no_winner", say("nobody went out, so nobody went rummy"), field="went_rummy"))
        count = partial(hand_count, sheet, options)
        return problems + counted_problems(playing, sheet, options.dearest(), count)

    def typing_problems(self, setup: Setup[R], event: Event) -> list[Problem]:
        """Impossible counts and hands: hands do not grow at rum."""
        return dealt_problems(event.sheet, setup.options, setup.seats) if isinstance(event, DealEvent) else []

    def card_problems(self, setup: Setup[R], sheet: RumSheet) -> list[Problem]:
        """Cards of which there are too many, and melds of a new sheet that are none in this house."""
        if sheet.out is None:
            return hands_beyond_packs(sheet.hands, packs=1, jokers=setup.options.jokers)
        cards = sheet.hands | ({sheet.out: " ".join(sheet.melds)} if sheet.melds else {})
        excess_problems = hands_beyond_packs(cards, packs=1, jokers=setup.options.jokers)
        copies = [
            replace(problem, field="melds") if problem.seat == sheet.out else problem for problem in excess_problems
        ]
        return [*meld_problems(sheet.melds, partial(fault, setup.options), seat=sheet.out, field="melds"), *copies]

    def scored(self, setup: Setup[R], playing: Sequence[str], sheet: RumSheet) -> Scored:
        options = setup.options
        counts = {seat: hand_count(sheet, options, seat) for seat in playing if seat != sheet.out}
        if sheet.out is None:
            return _after_block(options, counts)
        factor = options.rummy_multiplier if sheet.went_rummy else 1
        lost = {seat: factor * count for seat, count in counts.items()}
        won = _after_going_out(options, lost, tuple(seat for seat in playing if seat == sheet.out))
        if not (sheet.went_rummy and options.bonus):
            return won
        return with_bonus(won, -options.bonus if options.mode == "penalty" else options.bonus)


def _after_going_out(options: RumFamilyOptions, lost: Mapping[str, int], winners: tuple[str, ...]) -> Scored:
    """Losers take their counts as penalties, or the winner takes the sum: as points alone, or from the losers."""
    won = dict.fromkeys(winners, sum(lost.values()))
    changes: dict[str, int]
    match options.mode:
        case "penalty":
            changes = dict(lost)
        case "winner_scores":
            changes = won
        case _:
            changes = won | {seat: -points for seat, points in lost.items()} if winners else {}
    order = {**lost, **dict.fromkeys(winners, -1)}
    return Scored(changes=changes, order=order, winners=winners, owed=dict(lost), takers=winners)


def _target_problems(setup: Setup[R]) -> list[Problem]:
    """A target that depends on the number of seats cannot be another number."""
    options = setup.options
    opponent_points, others = options.target_per_opponent, len(setup.seats) - 1
    if not isinstance(opponent_points, int) or options.target == opponent_points * others:
        return []
    detail = say(
        "with {each} points for each other seat the target is {number}, not {target}: leave it empty",
        each=opponent_points,
        number=opponent_points * others,
        target=options.target,
    )
    return [Problem("not_a_choice", detail, field="target")]


def _after_block(options: RumFamilyOptions, counts: Mapping[str, int]) -> Scored:
    """Each mode uses the value of a blocked deal: penalties count the other way round."""
    worth = blocked_worth(options.block_scoring, counts)
    winners = () if options.block_scoring == "all_penalty" else _lowest(counts)
    match options.mode:
        case "penalty":
            changes = {seat: -points for seat, points in worth.items()}
        case "winner_scores":
            changes = {seat: points for seat, points in worth.items() if seat in winners}
        case _:
            changes = worth
    owed = {seat: -points for seat, points in worth.items() if seat not in winners}
    return Scored(changes=changes, order=dict(counts), winners=winners, owed=owed, takers=winners)


def blocked_worth(scoring: str, counts: Mapping[str, int]) -> dict[str, int]:
    """The value of a blocked deal to each seat; equal lowest hands share what the others pay."""
    lowest = _lowest(counts)
    if scoring == "all_penalty" or not lowest:
        return {seat: -count for seat, count in counts.items()}
    least = counts[lowest[0]]
    own = least if scoring == "lowest_wins_difference" else 0
    worth = {seat: own - count for seat, count in counts.items() if seat not in lowest}
    shares = divide(-sum(worth.values()), lowest)
    if scoring == "lowest_collects_minus_own":
        shares = {seat: max(0, share - least) for seat, share in shares.items()}
    return worth | shares


def _lowest(counts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(seat for seat, count in counts.items() if count == min(counts.values()))
