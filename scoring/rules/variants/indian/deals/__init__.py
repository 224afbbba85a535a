"""Deals rummy, best of N: a fixed number of deals, and the most chips at the end win.

Rules: docs/rules/deals.md, sections 2 (chips), 3 (equal chips) and 4 (leaving). "Best of" is a number of deals,
not a race to a majority. Knows nothing of storage, accounts or the web.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Message, Seat, say, words
from scoring.money.payouts import Payout, divide, house_fee, house_takes, parts_of
from scoring.money.reasons import Made, Reason, SecondPrize, part_reasons
from scoring.problems import Problem
from scoring.rules.table.fields import TotalsForm
from scoring.rules.table.refusals import last_seat, left_already, not_played
from scoring.rules.table.standing import SeatStanding
from scoring.rules.table.variant import Note, Setup, chips_moved, extra_deal
from scoring.rules.variants.indian import STANDARD_CAP, IndianForm, deal_defaults, time_called_problems
from scoring.rules.variants.indian.checks import Tally, added, blank, sheet_problems
from scoring.rules.variants.indian.deals.options import DEALS, FORMATS, DealsOptions
from scoring.rules.variants.indian.outcomes import DealResult, DealSheet, deal_result


class DealsGame(msgspec.Struct, frozen=True, kw_only=True):
    """Chips seat by seat, and the result of each extra deal as points of the tied seats."""

    tally: Tally
    chips: dict[str, int]
    gone: dict[str, int]
    tiebreaks: tuple[dict[str, int], ...] = ()


class Deals(IndianForm[DealsOptions, DealsGame]):
    """Best of N deals for chips."""

    name = "deals"
    title = "Deals rummy"
    summary = "A fixed number of deals; the winner of a deal takes the losers' points in chips."
    plays_to_the_end = True
    race = "chips"
    options_type = DealsOptions
    game_type = DealsGame
    presets = DEALS
    formats = FORMATS
    example = {"outcomes": {"1": {"how": "loss", "count": 12}, "2": {"how": "show"}, "3": {"how": "loss", "count": 80}}}

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """As many deals as seats (two for two), no drops, and as many chips a deal as a full count costs."""
        own = {"deals": max(2, seats), "drop_allowed": False, "chips_per_deal": given.get("cap", STANDARD_CAP)}
        return {**deal_defaults(given, seats), **own, **given}

    def deals_planned(self, setup: Setup[DealsOptions]) -> int | None:
        return setup.options.deals

    def start(self, setup: Setup[DealsOptions]) -> DealsGame:
        chips = dict.fromkeys(setup.seats, setup.options.deals * setup.options.chips_per_deal)
        return DealsGame(tally=blank(setup.seats), chips=chips, gone={})

    def in_play(self, setup: Setup[DealsOptions], game: DealsGame) -> tuple[str, ...]:
        """Who plays the next deal: all who stayed, or after the last deal those who are tied."""
        if _is_played_out(setup, game):
            return _level_at_top(setup, game)
        return tuple(seat for seat in setup.seats if seat not in game.gone)

    def check(self, setup: Setup[DealsOptions], game: DealsGame, event: Event) -> list[Problem]:
        match event:
            case wire.DealRecorded():
                return _over_problems(setup, game) or _deal_problems(setup, game, event.sheet)
            case wire.TiebreakRecorded():
                return _tiebreak_problems(setup, game, event.sheet)
            case wire.SeatLeft():
                return _leaving_problems(setup, game, event.seat)
            case wire.PenaltyGiven():
                return []
            case wire.TableClosed():
                return [] if self.is_finished(setup, game) else _closing_problems(setup, game, event)
        return not_played(event, self.title)

    def apply(self, setup: Setup[DealsOptions], game: DealsGame, event: Event) -> DealsGame:
        match event:
            case wire.DealRecorded():
                return _after_deal(setup, game, event)
            case wire.TotalsRecorded():
                tally = msgspec.structs.replace(game.tally, deals=setup.options.deals)
                return msgspec.structs.replace(game, tally=tally, chips=game.chips | event.totals)
            case wire.TiebreakRecorded():
                return _after_tiebreak(setup, game, event)
            case wire.SeatLeft():
                return msgspec.structs.replace(game, gone=game.gone | {event.seat: game.tally.last_deal})
            case wire.PenaltyGiven():
                chips = game.chips | {event.seat: game.chips[event.seat] - event.points}
                return msgspec.structs.replace(game, chips=chips)
        return game

    def why_no_totals(self, setup: Setup[DealsOptions]) -> Message | None:
        if setup.options.tiebreak == "most_deals_won":
            return say("equal chips are ranked by the deals won here: enter it deal by deal")
        return None

    def totals_form(self, setup: Setup[DealsOptions]) -> TotalsForm:
        """Chips only move between the seats."""
        each = setup.options.deals * setup.options.chips_per_deal
        return TotalsForm(title=words("Chips"), adds_up_to=each * len(setup.seats))

    def seats(self, setup: Setup[DealsOptions], game: DealsGame) -> dict[str, SeatStanding]:
        return {
            seat: SeatStanding(
                rank_key=_rank_key(setup, game, seat),
                total=None if game.tally.is_of_totals else game.tally.points[seat],
                chips=game.chips[seat],
                is_in=seat not in game.gone,
                out_in_deal=game.gone.get(seat),
                has_left=seat in game.gone,
                **game.tally.counted(seat),
            )
            for seat in setup.seats
        }

    def is_finished(self, setup: Setup[DealsOptions], game: DealsGame) -> bool:
        return _is_played_out(setup, game) and not _needs_extra_deal(setup, game)

    def winners(self, setup: Setup[DealsOptions], game: DealsGame) -> tuple[str, ...]:
        return _level_at_top(setup, game)

    def payouts(self, setup: Setup[DealsOptions], game: DealsGame) -> tuple[Payout, ...]:
        """All entries less the fee to the winner (or shared), once the deals are played."""
        return (_prizes(setup, game),) if self.is_finished(setup, game) else ()

    def story(self, setup: Setup[DealsOptions], before: DealsGame, event: Event, after: DealsGame) -> tuple[Note, ...]:
        """How the chips moved, who fell below zero, and whether an extra deal is needed."""
        notes = chips_moved(before.chips, after.chips)
        for seat, chips in after.chips.items():
            if chips < 0 <= before.chips[seat]:
                text = say(
                    "{seat} is at {number} chips, a negative amount: a director should know",
                    seat=Seat(seat),
                    number=chips,
                )
                notes.append(Note("chips_below_zero", text))
        if _is_played_out(setup, after) and _needs_extra_deal(setup, after):
            notes.append(extra_deal(len(_level_at_top(setup, after))))
        return tuple(notes)


def moved(result: DealResult) -> dict[str, int]:
    """Changes by a deal: losers pay their points, the winner (or those who share it) takes them all.

    Where a correction has put the winner out of the deal there is no one to take them, so no one pays.
    """
    if not result.takers:
        return {}
    gains = divide(sum(result.points.values()), result.takers)
    return {seat: gains.get(seat, 0) - cost for seat, cost in result.points.items()}


def _after_deal(setup: Setup[DealsOptions], game: DealsGame, event: wire.DealRecorded[DealSheet]) -> DealsGame:
    """Chips move from the losers to the winner; seats that left pay for deals they miss."""
    playing = [seat for seat in setup.seats if seat not in game.gone]
    result = deal_result(event.sheet, setup.options, playing)
    if game.gone:
        away = dict.fromkeys(game.gone, setup.options.absent_points)
        result = msgspec.structs.replace(result, points=result.points | away)
    changes = moved(result)
    return DealsGame(
        tally=added(game.tally, event.deal, result),
        chips={seat: chips + changes.get(seat, 0) for seat, chips in game.chips.items()},
        gone=game.gone | dict.fromkeys(result.left, event.deal),
        tiebreaks=game.tiebreaks,
    )


def _after_tiebreak(setup: Setup[DealsOptions], game: DealsGame, event: wire.TiebreakRecorded[DealSheet]) -> DealsGame:
    """An extra deal orders the tied seats; it moves chips only where the house plays so."""
    level = _level_at_top(setup, game)
    result = deal_result(event.sheet, setup.options, level)
    order = {seat: -1 if seat in result.winners else cost for seat, cost in result.points.items()}
    chips = game.chips
    if setup.options.tiebreak_moves_chips:
        changes = moved(result)
        chips = {seat: chips[seat] + changes.get(seat, 0) for seat in chips}
    return msgspec.structs.replace(game, chips=chips, tiebreaks=(*game.tiebreaks, order))


def _is_played_out(setup: Setup[DealsOptions], game: DealsGame) -> bool:
    """All deals are played or, where the house stops early, no seat can catch the leader any more."""
    options = setup.options
    if game.tally.deals >= options.deals:
        return True
    return options.stop_when_decided and _lead(game) > _most_to_catch_up(setup, game)


def _lead(game: DealsGame) -> int:
    first, second, *_ = sorted(game.chips.values(), reverse=True)
    return first - second


def _most_to_catch_up(setup: Setup[DealsOptions], game: DealsGame) -> int:
    """The most by which the second can gain on the leader in the remaining deals: every seat pays in full each time."""
    options = setup.options
    worst = max(options.cap, options.wrong_show, options.absent_points)
    return (options.deals - game.tally.deals) * worst * len(setup.seats)


def _rank_key(setup: Setup[DealsOptions], game: DealsGame, seat: str) -> tuple[int, ...]:
    """Most chips first; seats tied on chips are ordered by the house's tie-break.

    A seat that left does not take part in an extra deal, and is placed behind tied seats that stayed.
    """
    match setup.options.tiebreak:
        case "share":
            return (-game.chips[seat],)
        case "most_deals_won":
            return (-game.chips[seat], -game.tally.won[seat])
    last = setup.options.cap + setup.options.wrong_show
    extra = tuple(order.get(seat, last) for order in game.tiebreaks)
    return (-game.chips[seat], *extra, int(seat in game.gone))


def _level_at_top(setup: Setup[DealsOptions], game: DealsGame) -> tuple[str, ...]:
    keys = {seat: _rank_key(setup, game, seat) for seat in setup.seats}
    best = min(keys.values())
    return tuple(seat for seat, key in keys.items() if key == best)


def _needs_extra_deal(setup: Setup[DealsOptions], game: DealsGame) -> bool:
    """Seats tied at the top play on; where all of them have left, they share."""
    if setup.options.tiebreak != "extra_deal":
        return False
    level = _level_at_top(setup, game)
    return len(level) > 1 and level[0] not in game.gone


def _prizes(setup: Setup[DealsOptions], game: DealsGame) -> Payout:
    """Every entry in; first and second prize and the fee out. Tied seats add their prizes up and divide them."""
    entry = setup.stakes.entry_minor
    gross = entry * len(setup.seats)
    house_share = house_takes(gross, setup.stakes.fee_bp, setup.stakes)
    second = house_fee(house_share.net, setup.options.second_prize_bp)
    prizes = [house_share.net - second, second]
    groups: dict[tuple[int, ...], list[str]] = {}
    for seat in setup.seats:
        groups.setdefault(_rank_key(setup, game, seat), []).append(seat)
    awards: dict[str, int] = {}
    shared: tuple[Reason, ...] = ()
    for key in sorted(groups):
        theirs, prizes = prizes[: len(groups[key])], prizes[len(groups[key]) :]
        parts = parts_of(sum(theirs), groups[key])
        awards, shared = awards | parts, (*shared, *part_reasons(parts))
    because = (
        Made(len(setup.seats), "entries", entry),
        *house_share.because,
        SecondPrize(setup.options.second_prize_bp, house_share.net, second),
        *shared,
    )
    charges = dict.fromkeys(setup.seats, entry)
    return Payout(
        slot="table", charges=charges, awards=awards, fee=house_share.fee, because=because, house=house_share.house
    )


def _over_problems(setup: Setup[DealsOptions], game: DealsGame) -> list[Problem]:
    detail = say("all deals are played; tied seats play a tie-break")
    return [Problem("table_finished", detail)] if _is_played_out(setup, game) else []


def _deal_problems(setup: Setup[DealsOptions], game: DealsGame, sheet: DealSheet) -> list[Problem]:
    """Seats that left may be on the sheet as absent: it changes nothing."""
    staying = [seat for seat in setup.seats if seat not in game.gone]
    return sheet_problems(_without_absent(sheet, game.gone), setup.options, staying)


def _without_absent(sheet: DealSheet, seats: Iterable[str]) -> DealSheet:
    away = {seat for seat in seats if seat in sheet.outcomes and sheet.outcomes[seat].how == "absent"}
    if not away:
        return sheet
    outcomes = {seat: outcome for seat, outcome in sheet.outcomes.items() if seat not in away}
    return msgspec.structs.replace(sheet, outcomes=outcomes)


def _tiebreak_problems(setup: Setup[DealsOptions], game: DealsGame, sheet: DealSheet) -> list[Problem]:
    """An extra deal is for the seats tied at the top, after the last deal."""
    if not _is_played_out(setup, game):
        detail = say(
            "only {number} of {of} deals played: an extra deal comes after the last",
            number=game.tally.deals,
            of=setup.options.deals,
        )
        return [Problem("tiebreak_not_due", detail)]
    if not _needs_extra_deal(setup, game):
        detail = say("nobody is tied for first, or ties are not broken by an extra deal here")
        return [Problem("tiebreak_not_due", detail)]
    return sheet_problems(sheet, setup.options, _level_at_top(setup, game))


def _leaving_problems(setup: Setup[DealsOptions], game: DealsGame, seat: str) -> list[Problem]:
    if _is_played_out(setup, game) and not _needs_extra_deal(setup, game):
        return _over_problems(setup, game)
    if seat not in game.gone and len(setup.seats) - len(game.gone) == 1:
        return last_seat(seat)
    return left_already(game.gone, seat)


def _closing_problems(setup: Setup[DealsOptions], game: DealsGame, event: wire.TableClosed) -> list[Problem]:
    """An undecided table closes only when time was called, and only where it has no pot of its own."""
    if _is_played_out(setup, game):
        level = len(_level_at_top(setup, game))
        detail = say("{number} seats are tied for first: an extra deal decides", number=level)
    else:
        detail = say("only {number} of {of} deals played", number=game.tally.deals, of=setup.options.deals)
    return time_called_problems(setup, game.tally.deals, event, detail)


GAME = Deals()
