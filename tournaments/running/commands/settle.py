"""Settles a tournament: entry fees, the house fee and the prizes, exactly once, however often it is called.

Rules: docs/decisions/0017-entries-in-the-books.md. The obligation is a column (`due_position`), written with the event
that affects all players' money: the end of the tournament, a plan, or a later correction at a table. A practice
tournament pays nothing.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import F, Q

from scoring import ledger
from scoring.cash import account_at, load_book
from scoring.events.wire import EntryPaid, EntryRefunded, Event, PlanMade
from scoring.messages import Amount, Message, Seat, say, stored
from scoring.money import AccountKind
from scoring.problems import EventNotAllowed, Problem, RummyError, refuse_if
from scoring.tournament import Entrant, TournamentState, fold_tournament, load_tournament_state
from scoring.tournament.state.fees import ACCOUNT, any_money_in, is_booked, refund_parts
from tournaments.books import entry_cause, entry_causes, prize_cause
from tournaments.books.commands import Settled
from tournaments.books.player_balances import PlayerBalance, lock_balances
from tournaments.cash.commands import till_of
from tournaments.log.context import CommandContext
from tournaments.models import CashBook, EveningSheet, Scoresheet, Tournament
from tournaments.running.prize_money import TournamentMoney

# No player spends more than their balance and their credit limit.


class LockedBalances:
    """The money of the players of one action, locked for all of them when the first one spends something."""

    def __init__(self, tournament: Tournament, events: Sequence[Event]) -> None:
        """Nothing is queried yet: cash payments need no balance."""
        self.tournament = tournament
        self._events = events

    @cached_property
    def means(self) -> dict[str, PlayerBalance]:
        """By player, in the tournament's currency."""
        players = {player for event in self._events if (player := getattr(event, "player", None)) is not None}
        return lock_balances(self.tournament.club_id, self.tournament.currency, players)


def problem_of_spending(means: PlayerBalance, player: str, currency: str, amount_minor: int) -> Problem | None:
    """The problem with a player's spending more than they have; the player is the problem's seat."""
    if amount_minor <= means.room_minor:
        return None
    amounts = (means.balance_minor, means.staked_minor, max(0, means.room_minor), amount_minor)
    balance, staked, available, spending = (Amount(amount, currency) for amount in amounts)
    detail = (
        say(
            "{seat} has {sum}, {held} of it held for open tables, and may spend {left}: not {asked}",
            seat=Seat(player),
            sum=balance,
            held=staked,
            left=available,
            asked=spending,
        )
        if means.staked_minor
        else say(
            "{seat} has {sum} and may spend {left}: not {asked}",
            seat=Seat(player),
            sum=balance,
            left=available,
            asked=spending,
        )
    )
    return Problem(code="balance_too_low", seat=player, field="amount_minor", detail=detail)


def entry_problems(
    purses: LockedBalances, begun: TournamentState, before: TournamentState, event: Event
) -> list[Problem]:
    """Problems with an entry fee that is paid from, or refunded out of, a balance that does not cover it.

    This also applies to an event that uses a refunded fee again: a withdrawn player enters again, or pays the full fee
    after all. `begun` is the tournament before the whole action, so that its events cannot spend a balance twice. Cash,
    and refunds to where the money came from, are not checked.
    """
    if isinstance(event, PlanMade):
        return problems_of_taking_again(purses.tournament, fold_tournament(before, [(before.version + 1, event)]))
    player = getattr(event, "player", None)
    if player is None or (before.plan is not None and before.plan.is_rehearsal):
        return []
    if before.plan is None and isinstance(event, EntryPaid) and event.place == ACCOUNT:
        detail = say("make a plan first: then the balance can pay the entry fee")
        return [Problem(code="no_plan", seat=player, field="place", detail=detail)]
    after = fold_tournament(before, [(before.version + 1, event)])
    tournament = purses.tournament
    spent = max(_by_account(after, player) - _by_account(begun, player), _taken(tournament, begun, after, player))
    if spent <= 0:
        return []
    means = purses.means[player]
    # After a lower fee no worker may have credited yet what the entry leaves; this event books the whole entry anew.
    means = replace(means, balance_minor=means.balance_minor + _not_credited(tournament, begun, player))
    problem = problem_of_spending(means, player, tournament.currency, spent)
    return [problem] if problem else []


def problems_of_taking_again(tournament: Tournament, after: TournamentState) -> list[Problem]:
    """Problems with players whose refunded entry fee is needed again but already spent, after a change for all entries.

    Such changes are reopening an abandoned tournament, a higher fee, or undoing a substitution. Compared with the
    books, as no player can spend what a worker has not refunded yet. Three queries if any money was paid, else none.
    """
    if not any_money_in(after):
        return []
    causes = {player: entry_cause(tournament.pk, player) for player in after.entrants}
    stands = ledger.booked_for_players(tournament.club_id, list(causes.values()), list(causes))
    money = TournamentMoney(tournament=tournament, state=after)
    taken_by_player = {
        player: stands.get((cause, player), 0) - money.balance_left(player) for player, cause in causes.items()
    }
    spent = {player: amount for player, amount in taken_by_player.items() if amount > 0}
    means = lock_balances(tournament.club_id, tournament.currency, spent)
    return [
        _gone(player, tournament.currency, amount, means[player].room_minor)
        for player, amount in spent.items()
        if amount > means[player].room_minor
    ]


def _gone(player: str, currency: str, amount_minor: int, room_minor: int) -> Problem:
    detail = say(
        "{seat} was refunded {asked} of the entry fee, {left} available: take a payment or allow credit",
        seat=Seat(player),
        asked=Amount(amount_minor, currency),
        left=Amount(max(0, room_minor), currency),
    )
    return Problem(code="balance_too_low", seat=player, detail=detail)


def _by_account(state: TournamentState, player: str) -> int:
    entrant = state.entrants.get(player)
    return entrant.paid_elsewhere.get(ACCOUNT, 0) if entrant else 0


def _taken(tournament: Tournament, begun: TournamentState, after: TournamentState, player: str) -> int:
    """How much less a player's entry leaves in their balance than before."""
    was, now = (TournamentMoney(tournament=tournament, state=state) for state in (begun, after))
    return was.balance_left(player) - now.balance_left(player)


def _not_credited(tournament: Tournament, begun: TournamentState, player: str) -> int:
    """What a player's entry leaves in their balance beyond what is booked of it; 0 if it is booked, or leaves less."""
    if player not in begun.entrants:
        return 0
    cause = entry_cause(tournament.pk, player)
    booked = ledger.booked_for_players(tournament.club_id, [cause], [player]).get((cause, player), 0)
    return max(0, TournamentMoney(tournament=tournament, state=begun).balance_left(player) - booked)


CONFLICT = say("a table has conflicting records: a director must resolve that first")
UNREADABLE_EVENT = say("a record of the tournament cannot be read: a director must leave it out first")
UNREAD = say("a corrected deal must be confirmed before prizes are paid")
NO_TILL = say("your till is not open: open it, or choose to take entry fees without a till")
OWED = Q(due_position__gt=F("settled_position"))


def settle_tournament(tournament_id: UUID, *, now: datetime) -> Settled:
    """Post what a tournament owes: its prizes once it is closed, none if it was reopened."""
    try:
        with transaction.atomic():
            return _settle(tournament_id, now)
    except RummyError as error:
        note_tournament_failure(tournament_id, error.message)
        return Settled(problem=error.message)


def note_tournament_failure(tournament_id: UUID, reason: Message) -> None:
    """Store why the prizes could not be settled, for the director."""
    EveningSheet.objects.filter(OWED, tournament_id=tournament_id).update(settle_problem=stored(reason))


def tournaments_to_settle(limit: int = 200) -> list[UUID]:
    """Tournaments with prizes to settle; those that failed, and wait for a director, come last."""
    owed = EveningSheet.objects.filter(OWED, is_rehearsal=False).annotate(has_failed=~Q(settle_problem=""))
    return list(owed.order_by("has_failed", "due_position").values_list("tournament_id", flat=True)[:limit])


def _settle(tournament_id: UUID, now: datetime) -> Settled:
    """Settle while holding a lock on the tournament's row: of two workers, the second finds nothing to do."""
    sheet = EveningSheet.objects.select_for_update().get(tournament_id=tournament_id)
    if sheet.settled_position >= sheet.due_position or sheet.is_rehearsal:
        return Settled()
    state = load_tournament_state(sheet.state)
    problem = _in_the_way(tournament_id, state) if state.is_closed and not state.is_cancelled else None
    if problem is not None:
        EveningSheet.objects.filter(pk=sheet.pk).update(settle_problem=stored(problem))
        return Settled(problem=problem)
    money = TournamentMoney(tournament=Tournament.objects.get(id=tournament_id), state=state)
    refuse_if(_overdrawn(money, sheet), EventNotAllowed)
    results = ledger.settle_many(sheet.club_id, _owed(money, sheet), now=now).values()
    EveningSheet.objects.filter(pk=sheet.pk).update(
        settled_position=sheet.due_position, settled_at=now, settle_problem=""
    )
    return Settled(
        posted=sum(len(result.posted) for result in results), reversed=sum(len(result.reversed) for result in results)
    )


def _overdrawn(money: TournamentMoney, sheet: EveningSheet) -> list[Problem]:
    """Side pots that would be negative: another tournament has paid out what this one was to bring or take.

    Every pot of the club is checked, as a changed plan may name other pots than the books.
    """
    has_pots = money.state.plan is not None and money.state.plan.side_pots
    if not (has_pots or sheet.settled_position):
        return []
    cause, currency = prize_cause(sheet.tournament_id), money.tournament.currency
    pot_balances = Counter(ledger.held_beside(sheet.club_id, currency, AccountKind.SIDE_POT, cause=cause))
    beside = dict(pot_balances)
    for posting in (prize_posting for entry in money.prizes() for prize_posting in entry.postings):
        if posting.account.kind is AccountKind.SIDE_POT:
            pot_balances[posting.account.owner] += posting.amount_minor
    return [
        Problem(code="side_pot_empty", field=name, detail=_short(money, name, beside.get(name, 0)))
        for name, amount in sorted(pot_balances.items())
        if amount < 0
    ]


def _short(money: TournamentMoney, name: str, held: int) -> Message:
    """The message with what a pot holds, what was awarded here, and what a director can do."""
    currency = money.tournament.currency
    return say(
        "side pot {pot} holds {held} without this tournament, and {amount} was awarded from it here: another "
        "tournament has paid it out. Reopen the tournament, then undo the winner or save the plan again",
        pot=name,
        held=Amount(held, currency),
        amount=Amount(money.awarded_in_pot(name), currency),
    )


def _owed(money: TournamentMoney, sheet: EveningSheet) -> list[ledger.Obligation]:
    """Prizes and entry fees together, with the version of the newest event that they follow from."""
    owed = {prize_cause(sheet.tournament_id): money.prizes(), **money.entries()}
    if money.state.left_out:
        # A player whose entry is unreadable owes nothing, and is not among the entrants.
        causes = ledger.causes_of(sheet.club_id, entry_causes(sheet.tournament_id))
        owed = dict.fromkeys(causes, ()) | owed
    newest = max(sheet.due_position, sheet.last_position)
    # Refunds are posted when they are recorded: a payment that is missing here is one whose record was left out.
    return [
        ledger.Obligation(cause=cause, version=newest, entries=entries, undoes_payments=True)
        for cause, entries in owed.items()
    ]


def _in_the_way(tournament_id: UUID, state: TournamentState) -> Message | None:
    """Why a tournament cannot be settled; the event that fixes it makes the prizes due again."""
    sheets = Scoresheet.objects.filter(table__tournament_id=tournament_id)
    if state.unreadable:
        return UNREADABLE_EVENT
    if sheets.filter(has_conflict=True).exists():
        return CONFLICT
    return UNREAD if sheets.filter(is_closed=True, unconfirmed__gt=0).exists() else None


# The till for entry fees that are taken or refunded at the desk: that of the acting user. An event that names a place
# keeps it. Called while holding the club's lock.


def placed(
    tournament: Tournament, state: TournamentState, events: Iterable[Event], *, context: CommandContext
) -> list[Event]:
    """Events about entry fees, completed with the place of the money if they name none.

    It is the acting user's till where that is open; without one, `context.without_till` decides. Raises EventNotAllowed
    if the user must be asked first, if the till was already closed, or if the place lacks the money to refund.
    """
    listed = list(events)
    bare = [event for event in listed if isinstance(event, EntryPaid | EntryRefunded) and not event.place]
    if not bare or not is_booked(state):
        return listed
    books = CashBook.objects.filter(club_id=tournament.club_id, currency=tournament.currency)
    open_book = books.filter(is_closed=False).first()
    place = ""
    if open_book and (context.without_till == "opened" or load_book(open_book.state).open_till(context.actor)):
        place = till_of(tournament.club_id, tournament.currency, context=context)
    elif context.without_till == "asked" and any(isinstance(event, EntryPaid) for event in bare):
        raise EventNotAllowed([Problem(code="no_till", field="till", detail=NO_TILL)])
    if open_book or books.exists():
        _refuse_what_is_not_there(tournament, place, bare)
    return [msgspec.structs.replace(event, place=place) if event in bare else event for event in listed]


def _refuse_what_is_not_there(tournament: Tournament, place: str, events: Sequence[EntryPaid | EntryRefunded]) -> None:
    """Refuse a refund of more than the till holds, without naming its contents: it is counted blind.

    The check-in desk is checked too: a closed cash book may have taken its money.
    """
    refund_minor = sum(event.amount_minor for event in events if isinstance(event, EntryRefunded))
    account = account_at(place or "desk")
    held_minor = -ledger.balances(tournament.club_id, tournament.currency, [account])[account] if refund_minor else 0
    if refund_minor > held_minor:
        contents, refund = (Amount(amount, tournament.currency) for amount in (held_minor, refund_minor))
        detail = (
            say("{asked} are not in your till: add change, or refund from another till", asked=refund)
            if place
            else say(
                "the desk holds {sum}: {asked} cannot be refunded from it; open a till at the cash desk first",
                sum=contents,
                asked=refund,
            )
        )
        raise EventNotAllowed([Problem(code="not_enough", field="amount_minor", detail=detail)])


def refunds(entrant: Entrant, amount_minor: int, reason: str = "") -> list[Event]:
    """A refund of an amount that a player has paid: to the balance what came from it, the rest in cash.

    Without a reason it is still to be given.
    """
    in_cash, to_balance = refund_parts(entrant, amount_minor)
    return [
        EntryRefunded(player=entrant.player, amount_minor=amount, reason=reason, place=place)
        for place, amount in ((ACCOUNT, to_balance), ("", in_cash))
        if amount
    ]
