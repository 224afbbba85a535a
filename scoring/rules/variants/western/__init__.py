"""What rum, block rummy, Rummy 500 and Romme share: scores are added deal by deal until the table is decided.

Rules: docs/rules/western.md, sections 2 (the course of a table), 3 (level seats) and 4 (leaving). Knows nothing of what
a deal is worth: each game defines that.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Message, Seat, Signed, say, say_many
from scoring.money.payouts import FULL_COUNT, PaidDeal, Payout, paid_points
from scoring.options import O
from scoring.problems import Problem
from scoring.rules.table.refusals import decided_in, leaving_problems, not_played, nothing_played
from scoring.rules.table.standing import SeatStanding
from scoring.rules.table.variant import AnySetup, Note, Setup, Variant, extra_deal
from scoring.rules.variants.western.checks import Reader, readers
from scoring.rules.variants.western.entry import pot

# More than any table's scores: a seat that has left, or is out, is placed behind all seats that are still in.
BEHIND = 1_000_000


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of one deal. `changes` are added to the scores; `order` ranks tied seats in an extra deal, low first.

    `owed` are the points that are money where points are paid, and `takers` receive them. Without takers none are paid.
    """

    changes: dict[str, int]
    order: dict[str, int] = {}
    winners: tuple[str, ...] = ()
    owed: dict[str, int] = {}
    takers: tuple[str, ...] = ()
    went_out: str | None = None


class WesternGame(msgspec.Struct, frozen=True, kw_only=True):
    """Scores seat by seat, who has left or is out and since which deal, and the state at the end."""

    scores: dict[str, int]
    won: dict[str, int]
    deals: int = 0
    last_deal: int = 0
    gone: dict[str, int] = {}
    out: dict[str, int] = {}
    tiebreaks: tuple[dict[str, int], ...] = ()
    paid: tuple[PaidDeal, ...] = ()
    went_out: str | None = None
    is_closed: bool = False


class WesternForm(Variant[O, WesternGame]):
    """The course of a table with running scores. A game defines what a deal is worth and when play is over."""

    counts_on = True
    game_type = WesternGame

    def read_sheet(self, raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[Any, list[Problem]]:
        """A sheet field by field; None where it cannot be read who went out."""
        kind: type[msgspec.Struct] = self.sheet_type
        reads = readers(kind)
        reader = Reader(raw, seats, reads)
        reader.require("out")
        sheet = kind(**{field: field_reader(reader, field) for field, field_reader in reads.items()})
        return None if reader.has_problem_with("out") else sheet, reader.problems

    def blank_sheet(self, playing: Sequence[str]) -> Any:
        return self.sheet_type(out=playing[0])

    @abstractmethod
    def scored(self, setup: Setup[O], playing: Sequence[str], sheet: Any) -> Scored:
        """The effect of a sheet on the seats that play. It may be incomplete, or not fit them after a correction."""

    @abstractmethod
    def sheet_problems(self, setup: Setup[O], playing: Sequence[str], sheet: Any) -> list[Problem]:
        """All problems of a sheet for the seats that play."""

    @abstractmethod
    def is_played_out(self, setup: Setup[O], game: WesternGame) -> bool:
        """Whether the table is played out, whoever is first."""

    def level_seats(self, setup: Setup[O]) -> str:
        """What happens to seats that are tied at the end: `share`, `extra_deal` or `most_deals_won`."""
        return "share"

    def pays_deals(self, setup: Setup[O]) -> bool:
        """Whether each deal is paid in money at the value of a point."""
        return False

    def forfeits(self, setup: Setup[O]) -> bool:
        """Whether a seat that leaves forfeits the table: not where each deal was paid separately."""
        return not self.pays_deals(setup)

    def closes_at_will(self, setup: Setup[O]) -> bool:
        """Whether the table has no end that must be waited for."""
        return False

    def out_now(self, setup: Setup[O], game: WesternGame) -> tuple[str, ...]:
        """Seats that a deal has put out, where the house plays so."""
        return ()

    def settlement(self, setup: Setup[O], game: WesternGame) -> tuple[Payout, ...]:
        """What seats pay each other at the end, besides the pot."""
        return ()

    def pays_while_open(self, setup: Setup[O]) -> bool:
        return self.pays_deals(setup)

    def start(self, setup: Setup[O]) -> WesternGame:
        zero = dict.fromkeys(setup.seats, 0)
        return WesternGame(scores=zero | setup.carried, won=zero)

    def in_play(self, setup: Setup[O], game: WesternGame) -> tuple[str, ...]:
        """Who plays the next deal: all who are in, or after the last deal those who are tied."""
        if self._needs_extra_deal(setup, game):
            return self._first(setup, game)
        return still_in(setup, game)

    def check(self, setup: Setup[O], game: WesternGame, event: Event) -> list[Problem]:
        match event:
            case wire.DealRecorded():
                return self._over_problems(setup, game) or self.sheet_problems(
                    setup, still_in(setup, game), event.sheet
                )
            case wire.TiebreakRecorded():
                return self._tiebreak_problems(setup, game, event.sheet)
            case wire.SeatLeft():
                return self._leaving_problems(setup, game, event.seat)
            case wire.PenaltyGiven():
                return []
            case wire.TableClosed():
                return self._closing_problems(setup, game, event)
        return not_played(event, self.title)

    def apply(self, setup: Setup[O], game: WesternGame, event: Event) -> WesternGame:
        match event:
            case wire.DealRecorded():
                return self._after_deal(setup, game, event)
            case wire.TotalsRecorded():
                # One deal stands for those that nobody counted.
                deals = self.deals_planned(setup) or 1
                return msgspec.structs.replace(game, scores=game.scores | event.totals, deals=deals)
            case wire.TiebreakRecorded():
                order = self.scored(setup, self._first(setup, game), event.sheet).order
                return msgspec.structs.replace(game, tiebreaks=(*game.tiebreaks, order))
            case wire.SeatLeft():
                return msgspec.structs.replace(game, gone=game.gone | {event.seat: game.last_deal})
            case wire.PenaltyGiven():
                points = event.points if self.low_is_good(setup) else -event.points
                return self._with_out(setup, msgspec.structs.replace(game, scores=_plus(game, {event.seat: points})))
            case wire.TableClosed():
                return msgspec.structs.replace(game, is_closed=True)
        return game

    def why_no_totals(self, setup: Setup[O]) -> Message | None:
        if self.pays_deals(setup):
            return super().why_no_totals(setup)
        if self.level_seats(setup) == "most_deals_won":
            return say("tied players are ranked by the deals won here: enter it deal by deal")
        return None

    def seats(self, setup: Setup[O], game: WesternGame) -> dict[str, SeatStanding]:
        return {seat: self._seat_view(setup, game, seat) for seat in setup.seats}

    def is_finished(self, setup: Setup[O], game: WesternGame) -> bool:
        return game.is_closed or (self._is_over(setup, game) and not self._needs_extra_deal(setup, game))

    def winners(self, setup: Setup[O], game: WesternGame) -> tuple[str, ...]:
        """The first seats; none where nothing was played, unless all others have left."""
        return self._first(setup, game) if game.deals or len(still_in(setup, game)) < 2 else ()

    def at_stake(self, setup: Setup[O], game: WesternGame) -> dict[str, int]:
        """The entry, and where points are money what a deal may cost and what would be owed if the table ended now."""
        full, ending = FULL_COUNT * setup.stakes.point_value_minor, self.settlement(setup, game)
        owed = {seat: sum(payout.charges.get(seat, 0) for payout in ending) for seat in setup.seats}
        return {seat: entry + full + owed[seat] for seat, entry in setup.entries.items()}

    def payouts(self, setup: Setup[O], game: WesternGame) -> tuple[Payout, ...]:
        """Deals that are paid one by one; at the end the pot, and what seats owe each other."""
        deals = tuple(paid_points(setup.stakes, paid) for paid in game.paid)
        if not self.is_finished(setup, game):
            return deals
        return (*deals, *self.settlement(setup, game), *pot(setup, self.winners(setup, game)))

    def story(self, setup: Setup[O], before: WesternGame, event: Event, after: WesternGame) -> tuple[Note, ...]:
        """How the scores moved, who is out, and whether an extra deal is needed."""
        notes = [
            Note("score", moved(seat, old, after.scores[seat]), seat=seat)
            for seat, old in before.scores.items()
            if after.scores[seat] != old
        ]
        notes += [
            Note("out", say("{seat} is out with {points}", seat=Seat(seat), points=after.scores[seat]))
            for seat in after.out
            if seat not in before.out
        ]
        if self._needs_extra_deal(setup, after):
            notes.append(extra_deal(len(self._first(setup, after))))
        return tuple(notes)

    def rank_key(self, setup: Setup[O], game: WesternGame, seat: str) -> tuple[int, ...]:
        """Best score first. Seats that left a table with a pot are placed behind; so are seats that are out."""
        score = game.scores[seat] if self.low_is_good(setup) else -game.scores[seat]
        broken = (*(order.get(seat, BEHIND) for order in game.tiebreaks), int(seat in game.gone))
        if self.level_seats(setup) == "most_deals_won":
            broken = (-game.won[seat],)
        if seat in game.out:
            return (BEHIND - game.out[seat], score, *broken)
        if seat in game.gone and self.forfeits(setup):
            return (2 * BEHIND + score, 0, *broken)
        return (score, 0, *broken)

    def _seat_view(self, setup: Setup[O], game: WesternGame, seat: str) -> SeatStanding:
        away = game.out.get(seat, game.gone.get(seat))
        return SeatStanding(
            rank_key=self.rank_key(setup, game, seat),
            total=game.scores[seat],
            net_points=None if self.forfeits(setup) else game.scores[seat],
            is_in=away is None,
            out_in_deal=away,
            has_left=seat in game.gone,
            deals_won=game.won[seat],
        )

    def _after_deal(self, setup: Setup[O], game: WesternGame, event: wire.DealRecorded[Any]) -> WesternGame:
        """Scores are added up. Where a correction has left no one to collect, nothing is owed."""
        result = self.scored(setup, still_in(setup, game), event.sheet)
        paid = game.paid
        if self.pays_deals(setup) and result.takers:
            paid = (*paid, PaidDeal(event.deal, result.owed, result.takers))
        after = msgspec.structs.replace(
            game,
            scores=_plus(game, result.changes),
            won={seat: won + int(seat in result.winners) for seat, won in game.won.items()},
            deals=game.deals + 1,
            last_deal=event.deal,
            paid=paid,
            went_out=result.went_out,
        )
        return self._with_out(setup, after)

    def _with_out(self, setup: Setup[O], game: WesternGame) -> WesternGame:
        fresh = [seat for seat in self.out_now(setup, game) if seat not in game.out and seat not in game.gone]
        return msgspec.structs.replace(game, out=game.out | dict.fromkeys(fresh, game.last_deal)) if fresh else game

    def _is_over(self, setup: Setup[O], game: WesternGame) -> bool:
        return len(still_in(setup, game)) < 2 or self.is_played_out(setup, game)

    def _first(self, setup: Setup[O], game: WesternGame) -> tuple[str, ...]:
        """The seats in first place."""
        keys = {seat: self.rank_key(setup, game, seat) for seat in setup.seats}
        best = min(keys.values())
        return tuple(seat for seat, key in keys.items() if key == best)

    def _needs_extra_deal(self, setup: Setup[O], game: WesternGame) -> bool:
        """Seats tied at the top play on, unless time was called or they have left."""
        if self.level_seats(setup) != "extra_deal" or game.is_closed or not self._is_over(setup, game):
            return False
        first = self._first(setup, game)
        return len(first) > 1 and first[0] not in game.gone

    def _over_problems(self, setup: Setup[O], game: WesternGame) -> list[Problem]:
        if not self._is_over(setup, game):
            return []
        last = game.last_deal
        detail = decided_in(last)
        if self._needs_extra_deal(setup, game):
            detail = say("the table was decided in deal {deal}; tied seats play a tie-break", deal=last)
        return [Problem("table_finished", detail)]

    def _tiebreak_problems(self, setup: Setup[O], game: WesternGame, sheet: Any) -> list[Problem]:
        if self._needs_extra_deal(setup, game):
            return self.sheet_problems(setup, self._first(setup, game), sheet)
        detail = say("an extra deal needs enough deals and seats tied for first, where the house plays one")
        return [Problem("tiebreak_not_due", detail)]

    def _leaving_problems(self, setup: Setup[O], game: WesternGame, seat: str) -> list[Problem]:
        problems = leaving_problems(still_in(setup, game), seat)
        return problems or ([] if self._needs_extra_deal(setup, game) else self._over_problems(setup, game))

    def _closing_problems(self, setup: Setup[O], game: WesternGame, event: wire.TableClosed) -> list[Problem]:
        if self.is_finished(setup, game) or self.closes_at_will(setup):
            return []
        if not event.time_called and game.deals and not game.last_deal:
            return [Problem("not_finished", say("nobody has won by these totals: call time, or cancel"))]
        if not event.time_called:
            detail = say_many(
                "{count} deal is played and nobody has won: play on, call time, or cancel",
                "{count} deals are played and nobody has won: play on, call time, or cancel",
                count=game.deals,
            )
            return [Problem("not_finished", detail)]
        return nothing_played(game.deals)


def with_bonus(result: Scored, bonus: int) -> Scored:
    """The winner's bonus for going out in one turn, which no one pays; in negative scoring it reduces penalties."""
    won = {seat: result.changes.get(seat, 0) + bonus for seat in result.winners}
    return msgspec.structs.replace(result, changes=result.changes | won)


def moved(seat: str, old: int, new: int) -> Message:
    """How a score moved."""
    return say("{seat}: {first} {number} = {last}", seat=Seat(seat), first=old, number=Signed(new - old), last=new)


def still_in(setup: AnySetup, game: WesternGame) -> tuple[str, ...]:
    """The seats that have neither left nor gone out."""
    return tuple(seat for seat in setup.seats if seat not in game.gone and seat not in game.out)


def _plus(game: WesternGame, changes: Mapping[str, int]) -> dict[str, int]:
    return {seat: score + changes.get(seat, 0) for seat, score in game.scores.items()}
