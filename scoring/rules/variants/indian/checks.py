"""Checks one deal sheet of Indian rummy: every problem that the rules find with it, all at once.

Rules: docs/rules/indian.md, section 5 (a sheet that adds up). Knows nothing of the table the sheet belongs to except
which seats are still in.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scoring.messages import Message, Seat, say
from scoring.problems import Problem, RuleError
from scoring.rules.arrangements.house import HAND_SIZE
from scoring.rules.cards import parse_cards, parse_wild
from scoring.rules.hands import LaidDown, hand_problems, judge_show
from scoring.rules.variants.indian.outcomes import (
    COUNTED,
    DROPS,
    HELD_AT_SHOW,
    MOST_COUNT,
    SHOWN,
    TITLES,
    WINS,
    DealEnd,
    DealOptions,
    DealResult,
    DealSheet,
    Outcome,
    OutcomeKind,
    count_of_cards,
)


def sheet_problems(sheet: DealSheet, options: DealOptions, in_play: Sequence[str]) -> list[Problem]:
    """All problems of a sheet for the seats still in play."""
    problems = _seat_problems(sheet, in_play)
    for seat in in_play:
        if seat in sheet.outcomes:
            problems += _outcome_problems(seat, sheet, options)
    return problems + _ending_problems(sheet, options, in_play)


def overcounts(sheet: DealSheet, options: DealOptions) -> list[Problem]:
    """Counts over the cap. The rules cap them; on a sheet to be stored they are typing mistakes."""
    problems: list[Problem] = []
    for seat, outcome in sheet.outcomes.items():
        if outcome.count is not None and outcome.count > options.cap:
            detail = say(
                "{seat} has {number}, but a hand never costs more than {most}",
                seat=Seat(seat),
                number=outcome.count,
                most=options.cap,
            )
            problems.append(Problem("count_over_cap", detail, field="count"))
    return problems


def _seat_problems(sheet: DealSheet, in_play: Sequence[str]) -> list[Problem]:
    """Seats that are missing from the sheet, seats on it that are no longer in, and a deal that no seat played."""
    problems = [
        Problem("missing_seat", say("{seat} is still in, but has no outcome", seat=Seat(seat)), field="how")
        for seat in in_play
        if seat not in sheet.outcomes
    ]
    playing = [seat for seat, outcome in sheet.outcomes.items() if outcome.how is not OutcomeKind.NOT_IN_DEAL]
    problems += [
        Problem("seat_is_out", say("{seat} is already out and cannot score", seat=Seat(seat)), field="how")
        for seat in playing
        if seat not in in_play
    ]
    if not problems and len(in_play) > 1 and len(playing) < 2:
        detail = say(
            "{number} of {of} seats took part; a deal needs at least two", number=len(playing), of=len(in_play)
        )
        problems.append(Problem("too_few_seats", detail, field="outcomes"))
    return problems


def _outcome_problems(seat: str, sheet: DealSheet, options: DealOptions) -> list[Problem]:
    """What is wrong with one seat's outcome on its own."""
    outcome = sheet.outcomes[seat]
    if outcome.how in COUNTED:
        return _counted_problems(seat, sheet, options)
    problems: list[Problem] = []
    if outcome.count:
        problems.append(_misplaced_count(seat, outcome))
    if outcome.has_cards and outcome.how in SHOWN:
        problems += _shown_problems(seat, sheet, options)
    elif outcome.has_cards:
        detail = say(
            "{seat}: “{word}” takes no cards; they are written down for a show or a loss",
            seat=Seat(seat),
            word=Message(TITLES[outcome.how]),
        )
        problems.append(Problem("cards_not_expected", detail, field="groups"))
    if outcome.how in DROPS and not options.drop_allowed:
        detail = say("{seat} dropped, but this table plays without drops", seat=Seat(seat))
        problems.append(Problem("drop_not_allowed", detail, field="how"))
    return problems


def _counted_problems(seat: str, sheet: DealSheet, options: DealOptions) -> list[Problem]:
    """A counted hand needs a number that a hand can have, or its cards; never both."""
    outcome = sheet.outcomes[seat]
    problems: list[Problem] = []
    if outcome.how is OutcomeKind.HALF_COUNT and not options.deal_show_half_count:
        detail = say("{seat} has a half count, but this table does not halve hand points", seat=Seat(seat))
        problems.append(Problem("half_count_not_allowed", detail, field="how"))
    if outcome.has_cards:
        if outcome.count is not None:
            detail = say(
                "{seat} has cards and {number} hand points: enter one of the two", seat=Seat(seat), number=outcome.count
            )
            problems.append(Problem("count_and_cards", detail, field="count"))
        return problems + _card_problems(seat, sheet, options)
    if outcome.count is None:
        # After a wrong show that stopped the deal no hand is counted.
        return problems if sheet.ended is DealEnd.VOID_OTHERS else [*problems, _missing_count(seat)]
    return problems + _count_problems(seat, outcome.count)


def _missing_count(seat: str) -> Problem:
    return Problem("missing_count", say("{seat} lost, but no hand points were entered", seat=Seat(seat)), field="count")


def _count_problems(seat: str, count: int) -> list[Problem]:
    if count < 0:
        detail = say("{seat} has {number}; hand points cannot be negative", seat=Seat(seat), number=count)
        return [Problem("negative_count", detail, field="count")]
    if count > MOST_COUNT:
        detail = say(
            "{seat} has {number}; {of} cards never count more than {most}",
            seat=Seat(seat),
            number=count,
            of=HAND_SIZE,
            most=MOST_COUNT,
        )
        return [Problem("count_over_cap", detail, field="count")]
    return []


def _card_problems(seat: str, sheet: DealSheet, options: DealOptions) -> list[Problem]:
    """Cards that are no hand of thirteen, as a problem of the seat that holds them."""
    outcome = sheet.outcomes[seat]
    try:
        count_of_cards(outcome.groups or (), outcome.loose or "", sheet.wild, options)
    except RuleError as refused:
        return _of_seat(seat, refused.problems)
    return []


def _shown_problems(seat: str, sheet: DealSheet, options: DealOptions) -> list[Problem]:
    """The cards beside a show must make one, and those beside a wrong show none: a sheet must not contradict itself."""
    outcome = sheet.outcomes[seat]
    groups = tuple(parse_cards(group, "groups") for group in outcome.groups or ())
    laid = LaidDown(groups=groups, loose=parse_cards(outcome.loose or "", "loose"))
    wild = parse_wild(sheet.wild, printed_as_wild=options.printed_as_wild)
    ruling = judge_show(laid, wild=wild, options=options)
    if outcome.how is OutcomeKind.SHOW:
        return _of_seat(seat, ruling.problems)
    if ruling.valid_show:
        detail = say(
            "{seat} has a wrong show, but these cards make a valid one: leave them out if it was wrong otherwise",
            seat=Seat(seat),
        )
        return [Problem("show_is_valid", detail, field="groups")]
    return _of_seat(seat, hand_problems(laid.cards, options, field="groups"))


def _of_seat(seat: str, problems: Sequence[Problem]) -> list[Problem]:
    """Problems with cards, at the seat that holds them."""
    return [problem.of_seat(seat, problem.field or "groups") for problem in problems]


def _misplaced_count(seat: str, outcome: Outcome) -> Problem:
    """A number beside an outcome that has a fixed price: one of the two was mistyped."""
    count = outcome.count or 0
    if outcome.how in WINS:
        detail = say("{seat} won the deal, so 0; the sheet says {number}", seat=Seat(seat), number=count)
        return Problem("winner_has_points", detail, field="count")
    detail = say(
        "{seat}: “{word}” has a fixed price; the sheet says {number}",
        seat=Seat(seat),
        word=Message(TITLES[outcome.how]),
        number=count,
    )
    return Problem("count_not_expected", detail, field="count")


def _ending_problems(sheet: DealSheet, options: DealOptions, in_play: Sequence[str]) -> list[Problem]:
    """One winner where the deal was played out; none where it ended otherwise."""
    hows = {seat: sheet.outcomes[seat].how for seat in in_play if seat in sheet.outcomes}
    if sheet.ended is not DealEnd.PLAYED_OUT:
        return _unusual_ending_problems(sheet.ended, hows, options)
    won = [seat for seat, how in hows.items() if how in WINS]
    if not won:
        detail = say("nobody won this deal: one seat must show or be the last one in")
        return [Problem("no_winner", detail, field="how")]
    problems = [
        Problem("two_winners", say("{seat} is a second winner; a deal has only one", seat=Seat(seat)), field="how")
        for seat in won[1:]
    ]
    holders = [seat for seat, how in hows.items() if how in HELD_AT_SHOW]
    if hows[won[0]] is OutcomeKind.LAST_STANDING:
        problems += map(_held_without_show, holders)
    if OutcomeKind.WRONG_SHOW in hows.values() and holders and not options.wrong_show_continues:
        detail = say("at this table a wrong show ends the deal: enter it as ended by the wrong show")
        problems.append(Problem("wrong_show_ends_deal", detail, field="ended"))
    return problems


def _held_without_show(seat: str) -> Problem:
    detail = say("{seat} held cards at a show, but the winner is entered as the last one in", seat=Seat(seat))
    return Problem("loss_without_show", detail, field="how")


def _unusual_ending_problems(ended: DealEnd, hows: Mapping[str, OutcomeKind], options: DealOptions) -> list[Problem]:
    """A deal that ended without a show: counted when the stock ran out, or stopped by a wrong show."""
    problems: list[Problem] = []
    for seat, how in hows.items():
        if how in WINS:
            detail = say("{seat} cannot win: the deal ended without a show", seat=Seat(seat))
            problems.append(Problem("winner_not_expected", detail, field="how"))
    if ended is DealEnd.COUNT_NOW and options.stock_exhausted != "count_now":
        detail = say("this table does not count hands when the stock runs out")
        problems.append(Problem("count_now_not_allowed", detail, field="ended"))
    if ended is DealEnd.VOID_OTHERS and OutcomeKind.WRONG_SHOW not in hows.values():
        detail = say("only a wrong show ends a deal in this way, and nobody has one")
        problems.append(Problem("no_wrong_show", detail, field="ended"))
    if not any(how in HELD_AT_SHOW for how in hows.values()):
        problems.append(Problem("no_winner", say("nobody held cards at the end, so the last one in won"), field="how"))
    return problems


# Running counts of Indian rummy in every form: points, deals won, wrong shows, drops.


class Tally(msgspec.Struct, frozen=True):
    """The counts so far, seat by seat. `deals` is how many deals count, `last_deal` the latest number."""

    deals: int
    last_deal: int
    points: dict[str, int]
    won: dict[str, int]
    wrong_shows: dict[str, int]
    drops: dict[str, int]

    @property
    def is_of_totals(self) -> bool:
        """Whether the table was entered by its totals: deals count as played, and none has a number."""
        return self.deals > 0 and self.last_deal == 0

    def counted(self, seat: str) -> dict[str, Any]:
        """The counters of a seat, by the names of a standing's fields."""
        return {"deals_won": self.won[seat], "wrong_shows": self.wrong_shows[seat], "drops": self.drops[seat]}


def blank(seats: Sequence[str]) -> Tally:
    """Nothing played yet."""
    zero = dict.fromkeys(seats, 0)
    return Tally(0, 0, zero, zero, zero, zero)


def added(tally: Tally, deal: int, result: DealResult) -> Tally:
    """The tally with one more deal."""
    total = tally.points.copy()
    for seat, points in result.points.items():
        total[seat] += points
    wrong_shows, drops = tally.wrong_shows, tally.drops
    if result.wrong_shows:
        wrong_shows = _counted(wrong_shows, result.wrong_shows)
    if result.drops:
        drops = _counted(drops, result.drops)
    return Tally(tally.deals + 1, deal, total, _counted(tally.won, result.winners), wrong_shows, drops)


def with_points(tally: Tally, seat: str, points: int) -> Tally:
    """The tally with a seat's points set to a new total."""
    return msgspec.structs.replace(tally, points=tally.points | {seat: points})


def _counted(counts: dict[str, int], seats: Sequence[str]) -> dict[str, int]:
    """One more for each of these seats."""
    counts = counts.copy()
    for seat in seats:
        counts[seat] += 1
    return counts
