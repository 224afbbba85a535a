"""Calculates the money of a planned tournament: each entry fee, and once it is closed the house fee and the prizes.

Rules: docs/rules/tournaments.md, "Prizes"; docs/decisions/0017-entries-in-the-books.md. Each entry is a cause of its
own, the prizes are another; together they are all that the books contain of a tournament. A practice tournament owes
nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring import ledger
from scoring.money import AccountKind, AccountRef, PlannedEntry
from scoring.money.payouts import Payout, Placed
from scoring.tournament import TournamentState
from scoring.tournament.prizes import PrizeSheet, prize_sheet
from scoring.tournament.standings import finish_of
from scoring.tournament.state.fees import balance_change, charge_so_far, entries_of, entry_plan, is_booked, prize_plan
from scoring.tournament.state.played import SeatPlayed
from tournaments.books import entry_cause, prize_cause
from tournaments.models import Tournament
from tournaments.projections.boards import final_order, seats_played
from tournaments.projections.cached import cached_object
from tournaments.projections.shown import shown_of
from tournaments.projections.terms import game_of

# One journal entry for the whole pool.
SLOT = "pool"
Booked = dict[str, tuple[PlannedEntry, ...]]


@dataclass(frozen=True, kw_only=True)
class TournamentMoney:
    """All that the books must contain of a tournament. `played` saves reading the results of the tables."""

    tournament: Tournament
    state: TournamentState
    played: tuple[SeatPlayed, ...] | None = None

    @cached_property
    def _sheet(self) -> PrizeSheet | None:
        """The prizes; None before the tournament is closed, or if it was abandoned."""
        sheet = prizes_so_far(self.tournament, self.state, self.played) if self.state.is_closed else None
        return sheet if sheet is not None and sheet.is_payable else None

    @cached_property
    def payouts(self) -> tuple[Payout, ...]:
        """All payments from the pool, as one payout."""
        return (self._sheet.payout(SLOT),) if self._sheet is not None else ()

    def awarded_in_pot(self, name: str) -> int:
        """The amount awarded from a side pot."""
        pots = self._sheet.pots if self._sheet is not None else ()
        return sum(sum(pot.awards.values()) for pot in pots if pot.name == name)

    def prizes(self) -> tuple[PlannedEntry, ...]:
        """The journal entries of the prizes."""
        return prize_plan(
            self.payouts,
            players={player: player for player in self.state.entrants},
            tournament=str(self.tournament.pk),
            currency=self.tournament.currency,
        )

    def entries(self) -> Booked:
        """The entries of all who ever entered, by cause."""
        return self.entries_of(self.state.entrants)

    def entries_of(self, players: Iterable[str]) -> Booked:
        """The entries of some players, by cause."""
        return {entry_cause(self.tournament.pk, player): self.entry_of(player) for player in players}

    def entry_of(self, player: str) -> tuple[PlannedEntry, ...]:
        """The journal entries of one player's entry fee; none in a practice tournament."""
        entrant = self.state.entrants.get(player)
        if entrant is None or not is_booked(self.state):
            return ()
        return entry_plan(
            entrant,
            charge_minor=self._charge(player),
            tournament=str(self.tournament.pk),
            currency=self.tournament.currency,
        )

    def balance_left(self, player: str) -> int:
        """The change that a player's entry makes to their balance: 0 if what was paid was charged."""
        return balance_change(self.entry_of(player), player)

    def _charge(self, player: str) -> int:
        """At the end exactly what the pool pays out; no player pays for a tournament without winners."""
        if self.state.is_closed:
            return sum(payout.charges.get(player, 0) for payout in self.payouts)
        return charge_so_far(self.state, self.state.entrants[player], self.tournament.entry_minor)


def pool_paid(tournament: Tournament, state: TournamentState, played: tuple[SeatPlayed, ...]) -> Payout | None:
    """What the pool of a closed tournament took from each player and paid to each; None before, or without a result."""
    if not state.is_closed or state.is_cancelled or not is_booked(state):
        return None
    payouts = TournamentMoney(tournament=tournament, state=state, played=played).payouts
    return payouts[0] if payouts else Payout(slot=SLOT, charges={}, awards={})


def changed_entries(tournament: Tournament, before: TournamentState, after: TournamentState) -> Booked:
    """The entries that differ after events about single players."""
    touched = [player for player, entrant in after.entrants.items() if before.entrants.get(player) != entrant]
    stood = TournamentMoney(tournament=tournament, state=before).entries_of(touched)
    stands = TournamentMoney(tournament=tournament, state=after).entries_of(touched)
    return {cause: entries for cause, entries in stands.items() if entries != stood[cause]}


def prizes_so_far(
    tournament: Tournament,
    state: TournamentState,
    played: tuple[SeatPlayed, ...] | None = None,
    *,
    placed: tuple[Placed, ...] | None = None,
) -> PrizeSheet | None:
    """The prizes if the tournament ended now; None if there are no prizes.

    `placed` are all players in order with a place, if a board has calculated that.
    """
    if state.plan is None or state.plan.is_rehearsal or state.is_cancelled:
        return None
    seats = seats_played(tournament, state) if played is None else played
    order = final_order(tournament, state, seats) if placed is None else placed
    finish = finish_of(state, seats, lambda stage: game_of(tournament, state, stage), order)
    entries = entries_of(state, tournament.entry_minor, tournament.fee_bp)
    return prize_sheet(state.plan, entries, finish, state.pots_won)


def prizes_shown(tournament: Tournament, state: TournamentState) -> PrizeSheet | None:
    """The current prizes for a page. `tournament` must have its club with its `shown_version` loaded.

    Cached in the process until an event or a setting changes: they depend on every seat of the tournament.
    """
    depends_on = (shown_of(tournament), state)
    return cached_object(f"prizes/{tournament.pk}", depends_on, lambda: prizes_so_far(tournament, state))


def carried_in_pots(tournament: Tournament, names: Sequence[str]) -> Mapping[str, int]:
    """The money that other tournaments of a club left in its side pots, by the pots' names, in one query."""
    pots = [AccountRef(kind=AccountKind.SIDE_POT, owner=name) for name in names]
    balances = ledger.balances(tournament.club_id, tournament.currency, pots, beside=prize_cause(tournament.pk))
    return {pot.owner: amount for pot, amount in balances.items() if amount > 0}
