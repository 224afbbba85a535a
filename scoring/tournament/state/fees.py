"""What a player owes the desk for entry, re-entries and side pots; and the part of it that is posted.

Rules: docs/rules/tournaments.md, "Fees", and docs/how-to/evening.md, "Entries and the desk". A player who withdrew owes
nothing; a substitute plays on the entry of another player, who pays for it. Knows nothing of when this is posted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.messages import Amount, say
from scoring.money import (
    CHARGED,
    PAID,
    TILL,
    AccountKind,
    AccountRef,
    PlannedEntry,
    PlannedPosting,
    Purpose,
    plan_entries,
)
from scoring.money.payouts import MOST_SUM, Payout, beyond_limit
from scoring.problems import Defect, Problem
from scoring.tournament.plans import Plan
from scoring.tournament.plans.prizes import SidePot
from scoring.tournament.state import Entrant, Standing, TournamentState

MAY_NOT_HAVE_COME = (Standing.ABSENT, Standing.STANDBY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """What one player owes: entries one by one, the first before re-entries; and a contribution to each side pot."""

    entries: tuple[int, ...] = ()
    pots: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.entries) + sum(self.pots.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """What is paid in for a tournament, by player, and the house fee on it."""

    by_player: Mapping[str, Owed]
    fee_bp: int = 0

    @property
    def charges(self) -> dict[str, int]:
        """What each player pays, with side pots."""
        return {player: owed.total for player, owed in self.by_player.items() if owed.total}

    def paid_into(self, pot: str) -> list[int]:
        """The contributions to a side pot."""
        return [owed.pots[pot] for owed in self.by_player.values() if owed.pots.get(pot)]


def entries_of(state: TournamentState, entry_minor: int, fee_bp: int) -> Entries:
    """What all players pay in. Of a no-show only the amount that was taken counts, and no more."""
    owed_by_player = {}
    for player, entrant in state.entrants.items():
        owed = owed_by(state, entrant, entry_minor)
        owed_by_player[player] = _paid_of(owed, entrant.paid_minor) if entrant.standing in MAY_NOT_HAVE_COME else owed
    return Entries(by_player=owed_by_player, fee_bp=fee_bp)


def owed_by(state: TournamentState, entrant: Entrant, entry_minor: int) -> Owed:
    """Everything that this player has to pay, paid or not."""
    stages = state.plan.stages if state.plan else ()
    again = tuple(stages[stage - 1].reentry_minor for stage in entrant.reentries if stage <= len(stages))
    if not has_entry(entrant) or entrant.plays_for is not None:
        return Owed(entries=again)
    entry = rate_minor(state.plan, entrant.rate, entry_minor)
    pots = state.plan.side_pots if state.plan else ()
    joined = {pot.name: pot.contribution_minor for pot in pots if has_joined(entrant, pot) and pot.contribution_minor}
    return Owed(entries=(entry, *again), pots=joined)


def rate_minor(plan: Plan | None, rate: str, entry_minor: int) -> int:
    """The entry fee at a rate. Where the plan has no rate for members they pay the full fee."""
    if rate == "free":
        return 0
    members = plan.member_minor if plan is not None else None
    return members if rate == "member" and members is not None else entry_minor


def due_minor(state: TournamentState, entrant: Entrant, entry_minor: int) -> int:
    """What is still to be paid. An overpayment is not negative here: that is a refund of its own."""
    return max(0, owed_by(state, entrant, entry_minor).total - entrant.paid_minor)


def unpaid_minor(state: TournamentState, entrant: Entrant, entry_minor: int) -> int:
    """What of a player's entry is unpaid at the end: of a player who played, also after leaving or being replaced."""
    return 0 if entrant.standing in MAY_NOT_HAVE_COME else due_minor(state, entrant, entry_minor)


def unpaid_by_player(state: TournamentState, entry_minor: int) -> dict[str, int]:
    """What is unpaid of each entry at the end, in minor units by the player who has to pay it; only what is unpaid.

    Every count of unpaid entries is the length of this, and every list of them has these players.
    """
    missing = {player: unpaid_minor(state, entrant, entry_minor) for player, entrant in state.entrants.items()}
    return {player: amount for player, amount in missing.items() if amount}


def counted_entries(state: TournamentState, entry_minor: int) -> int:
    """How many entries are to be paid, with those that are paid or free: of players who play or have played.

    A substitute plays on the entry of another player, and has one only after a re-entry of their own.
    """
    return sum(
        entrant.standing not in MAY_NOT_HAVE_COME
        and (owed_by(state, entrant, entry_minor).total > 0 or (has_entry(entrant) and entrant.plays_for is None))
        for entrant in state.entrants.values()
    )


def overpaid_minor(state: TournamentState, entrant: Entrant, entry_minor: int) -> int:
    """What a player who plays has paid beyond their entry, in minor units: a fee was lowered, or too much was taken."""
    over = entrant.paid_minor - owed_by(state, entrant, entry_minor).total
    return max(0, over) if entrant.plays else 0


def place_unpaid_minor(state: TournamentState, player: str, entry_minor: int) -> int:
    """What is unpaid for a player's place: by the player, and by those who had the place before."""
    holders = [
        state.entrants[earlier_player] for earlier_player in state.before(player) if earlier_player in state.entrants
    ]
    return sum(unpaid_minor(state, holder, entry_minor) for holder in holders)


def has_joined(entrant: Entrant, pot: SidePot) -> bool:
    """Whether a player plays for a side pot, as far as it was theirs to choose."""
    return pot.joins == "everybody" or pot.name in entrant.pots


def has_entry(entrant: Entrant) -> bool:
    """Whether the player has a valid entry."""
    return entrant.standing is not Standing.WITHDRAWN


def _paid_of(owed: Owed, paid_minor: int) -> Owed:
    """How much of what is owed was paid: the entry first, then re-entries, then side pots."""
    paid_parts = _spent((*owed.entries, *owed.pots.values()), paid_minor)
    return Owed(
        entries=tuple(next(paid_parts) for _ in owed.entries), pots={pot: next(paid_parts) for pot in owed.pots}
    )


def _spent(amounts: tuple[int, ...], paid_minor: int) -> Iterator[int]:
    for amount in amounts:
        part = min(amount, paid_minor)
        paid_minor -= part
        yield part


def refund_parts(entrant: Entrant, amount_minor: int) -> tuple[int, int]:
    """How much of a refund is handed out in cash, and how much goes to the balance, in minor units.

    What came from the balance goes back there, and last: whoever refunds in parts gives the same as who refunds all.
    """
    from_balance = max(0, min(entrant.paid_minor, entrant.paid_elsewhere.get(ACCOUNT, 0)))
    in_cash = min(amount_minor, entrant.paid_minor - from_balance)
    return in_cash, amount_minor - in_cash


def is_booked(state: TournamentState) -> bool:
    """Whether payments at this tournament's desk are posted to the books: it has a plan, and is not practice."""
    return state.plan is not None and not state.plan.is_rehearsal


def charge_so_far(state: TournamentState, entrant: Entrant, entry_minor: int) -> int:
    """How much of a player's money is in the prize pool now; nothing once the tournament was abandoned."""
    if not is_booked(state) or state.is_cancelled:
        return 0
    return min(owed_by(state, entrant, entry_minor).total, entrant.paid_minor)


def any_money_in(state: TournamentState) -> bool:
    """Whether any player's entry is paid, wherever that money is."""
    return any(entrant.paid_minor or entrant.paid_elsewhere for entrant in state.entrants.values())


def limit_problems(before: TournamentState, after: TournamentState, entry_minor: int, currency: str) -> list[Problem]:
    """Events that raise amounts above the limit: paid by one player, or taken and promised altogether.

    Amounts that were above it before may stay as long as they do not grow: a tournament of an earlier version must be
    closable.
    """
    problems: list[Problem] = []
    for player, entrant in after.entrants.items():
        entrant_before = before.entrants.get(player)
        if entrant_before is None or entrant.paid_minor > entrant_before.paid_minor:
            problems += beyond_limit({"amount_minor": entrant.paid_minor}, currency=currency, seat=player)
    stood, stands = _sums(before, entry_minor), _sums(after, entry_minor)
    return problems or (_total_problems(stands, currency) if sum(stands.values()) > sum(stood.values()) else [])


def _total_problems(sums: dict[str, int], currency: str) -> list[Problem]:
    """A player who wins everything is paid all of it in one posting."""
    total, name = sum(sums.values()), max(sums, key=lambda name: sums[name])
    if total <= MOST_SUM:
        return []
    detail = say(
        "entries, side pots and prizes come to {number}, most of it by {name}: the maximum is {most}",
        number=Amount(total, currency),
        name=name,
        most=Amount(MOST_SUM, currency),
    )
    return [Problem("out_of_range", detail, field=name)]


def _sums(state: TournamentState, entry_minor: int) -> dict[str, int]:
    """Income and promised prizes, by the field that each comes from."""
    plan = state.plan or Plan()
    entrants = state.entrants.values()
    return {
        "entry_minor": sum(max(owed_by(state, entrant, entry_minor).total, entrant.paid_minor) for entrant in entrants),
        "side_pots": sum(pot.carried_minor for pot in plan.side_pots),
        "guaranteed_minor": plan.guaranteed_minor,
        "fixed_minor": sum(plan.fixed_minor),
        "stage_prizes": sum(
            sum(prizes.amounts_minor) * _times(state, prizes.stage, prizes.of) for prizes in plan.stage_prizes
        ),
    }


def _times(state: TournamentState, stage: int, of: str) -> int:
    """How often the amounts of a stage are paid as far as it is seated."""
    tables = sum(len(seated.tables) for seated in state.rounds_of(stage))
    return max(1, tables) if of == "each_table" else 1


# An entry fee in the books: docs/decisions/0017-entries-in-the-books.md. Money that came in belongs first to the
# player; the tournament's charge moves it to the prize pool. A positive amount is what the club owes.

ACCOUNT = "account"


def pool_account(tournament: str) -> AccountRef:
    """The prize pool of one tournament."""
    return AccountRef(kind=AccountKind.PRIZE_POOL, owner=tournament)


def entry_plan(entrant: Entrant, *, charge_minor: int, tournament: str, currency: str) -> tuple[PlannedEntry, ...]:
    """What the books should hold for one player's entry: payments, and the charge, where money moved."""
    paid = PlannedEntry(slot=PAID, currency=currency, postings=tuple(_money(entrant)))
    charged = PlannedEntry(
        slot=CHARGED, currency=currency, postings=tuple(_charge(entrant.player, charge_minor, tournament))
    )
    return tuple(entry for entry in (paid, charged) if entry.postings)


def prize_plan(
    payouts: Sequence[Payout], *, players: Mapping[str, str], tournament: str, currency: str
) -> tuple[PlannedEntry, ...]:
    """Payouts of a tournament: players' charges for them are in the prize pool already, and come from there."""
    return tuple(
        _from_the_pool(entry, tournament) for entry in plan_entries(payouts, players=players, currency=currency)
    )


def balance_change(entries: Sequence[PlannedEntry], player: str) -> int:
    """The change of a player's balance by entries."""
    mine = AccountRef(kind=AccountKind.PLAYER, owner=player)
    return sum(posting.amount_minor for entry in entries for posting in entry.postings if posting.account == mine)


def _money(entrant: Entrant) -> Iterator[PlannedPosting]:
    """The money at each place, and the same as the player's; what was paid from the balance is there already."""
    moved = {place: paid for place, paid in entrant.paid_by_place.items() if place != ACCOUNT}
    for place, paid in moved.items():
        yield PlannedPosting(account=_place_account(place), amount_minor=-paid, purpose=Purpose.CASH)
    if brought := sum(moved.values()):
        yield _on_player(entrant.player, brought, Purpose.CASH)


def _charge(player: str, charge_minor: int, tournament: str) -> Iterator[PlannedPosting]:
    if charge_minor:
        yield _on_player(player, -charge_minor, Purpose.CHARGE)
        yield PlannedPosting(account=pool_account(tournament), amount_minor=charge_minor, purpose=Purpose.CHARGE)


def _place_account(place: str) -> AccountRef:
    """The desk has a cash account without an owner, a cashier's till one of its own."""
    if place == "bank":
        return AccountRef(kind=AccountKind.BANK)
    if place and not place.startswith(TILL):
        raise Defect(f"no money can be at {place!r}")
    return AccountRef(kind=AccountKind.CASH, owner=place.removeprefix(TILL))


def _from_the_pool(entry: PlannedEntry, tournament: str) -> PlannedEntry:
    charged = [posting for posting in entry.postings if posting.purpose is Purpose.CHARGE]
    paid = sum(posting.amount_minor for posting in charged)
    pool = PlannedPosting(account=pool_account(tournament), amount_minor=paid, purpose=Purpose.CHARGE)
    return replace(entry, postings=(*([pool] if paid else []), *(e for e in entry.postings if e not in charged)))


def _on_player(player: str, amount_minor: int, purpose: Purpose) -> PlannedPosting:
    account = AccountRef(kind=AccountKind.PLAYER, owner=player)
    return PlannedPosting(account=account, amount_minor=amount_minor, purpose=purpose)
