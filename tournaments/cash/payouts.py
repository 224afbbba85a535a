"""What a tournament comes to for each player, and which of it was paid out.

Rules: docs/how-to/paper.md, "Payouts". Read from the ledger and the cash books: the page, the list to sign and the
report show the same.
"""

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from scoring.events import cash as events
from scoring.events.reading import read_stored
from scoring.ledger.readings import player_amounts
from scoring.messages import Message
from scoring.money import TILL, Purpose
from scoring.tournament import TournamentState, load_tournament_state
from tournaments import log
from tournaments.books.player_balances import balances_of, balances_of_club
from tournaments.books.queries import BookScope, names_of, scope_of, tournament_players
from tournaments.cash.queries import place_called
from tournaments.models import CashBook, Club, EveningSheet, Seat, Tournament
from tournaments.models.people import search_key
from tournaments.people.players import actor_names, merged_rows
from tournaments.rendering.left_out import pairs_of

# Of the latest closed tournaments so many are asked for players to be paid, and so many of them are listed.
MOST_LOOKED_AT = 20
MOST_LISTED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerShare:
    """One player's share of a tournament's money and the balance in the club now, in minor units.

    `name` is empty for a player who is not in the club any more. The balance is below 0 if the player owes.
    """

    player: str
    name: str
    charged_minor: int
    paid_in_minor: int
    won_minor: int
    held_minor: int

    @property
    def share_minor(self) -> int:
        """What this tournament alone leaves the player with, below 0 for what is still to be paid for it."""
        return self.paid_in_minor + self.won_minor - self.charged_minor

    @property
    def other_minor(self) -> int:
        """The rest of the balance: other tournaments, the cash desk, and what was paid out."""
        return self.held_minor - self.share_minor

    @property
    def amounts(self) -> tuple[int, int, int, int, int]:
        """Charged (below 0), paid in, won and other, which add up to the balance, the last of them."""
        return -self.charged_minor, self.paid_in_minor, self.won_minor, self.other_minor, self.held_minor


@dataclass(frozen=True, slots=True, kw_only=True)
class Payout:
    """Money that was handed out to a player, after rounding: where from, in minor units, and by whom."""

    player: str
    amount_minor: int
    at: datetime
    place: Message
    by: str


def player_shares(tournament: Tournament) -> list[PlayerShare]:
    """The share of everybody who entered or played, or for whom anything was posted, A to Z; merged rows are one."""
    merged, names = merged_rows(tournament.club_id), names_of(tournament.club)
    amounts: defaultdict[str, Counter[Purpose]] = defaultdict(Counter)
    scope = scope_of(BookScope(club=tournament.club, tournament=tournament))
    for row, posted in player_amounts(scope, tournament.currency).items():
        amounts[merged.get(row, row)].update(posted)
    players = dict.fromkeys([*amounts, *(merged.get(str(row), str(row)) for row, _ in tournament_players(tournament))])
    balances = balances_of(tournament.club_id, tournament.currency, players)
    shares = [
        PlayerShare(
            player=player,
            name=names.get(player, ""),
            charged_minor=-amounts[player][Purpose.CHARGE],
            paid_in_minor=amounts[player][Purpose.CASH],
            won_minor=amounts[player][Purpose.AWARD],
            held_minor=balances[player],
        )
        for player in players
    ]
    return sorted(shares, key=lambda share: (search_key(share.name), share.name))


def payouts_of(tournament: Tournament, shares: Collection[PlayerShare]) -> list[Payout]:
    """What was paid out to the players of a tournament since it began, oldest first.

    The cash desk pays balances, not prizes: payouts count for this tournament until its share is paid.
    """
    owed = {share.player: share.share_minor for share in shares}
    first, _ = played_between(tournament)
    books = CashBook.objects.filter(club=tournament.club_id, currency=tournament.currency)
    since = books.filter(Q(closed_at__isnull=True) | Q(closed_at__gte=first)).values_list("pk", flat=True)
    kinds = (events.MoneyPaidOut.kind, events.CashEntryUndone.kind)
    stored_events = log.read_kinds(tournament.club_id, list(since), kinds)
    event_pairs = [
        (stored_event, read_stored(stored_event.kind, stored_event.schema, stored_event.body))
        for stored_event in stored_events
    ]
    undone = {
        (stored_event.stream_id, event.version)
        for stored_event, event in event_pairs
        if isinstance(event, events.CashEntryUndone)
    }
    merged, paid = merged_rows(tournament.club_id), []
    for stored_event, event in event_pairs:
        is_valid = stored_event.recorded_at >= first and (stored_event.stream_id, stored_event.version) not in undone
        if not isinstance(event, events.MoneyPaidOut) or not is_valid:
            continue
        player = merged.get(event.player, event.player)
        if owed.get(player, 0) > 0:
            owed[player] -= event.amount_minor
            paid.append((stored_event, event, player))
    people = actor_names(
        {stored_event.actor for stored_event, _, _ in paid} | {event.place.removeprefix(TILL) for _, event, _ in paid},
        tournament.club_id,
    )
    return [
        Payout(
            player=player,
            amount_minor=event.amount_minor + event.rounding_minor,
            at=stored_event.recorded_at,
            place=place_called(event.place, people),
            by=people.get(stored_event.actor, stored_event.actor),
        )
        for stored_event, event, player in paid
    ]


def tournaments_to_pay_out(club: Club, currency: str, *, beside: Collection[UUID] = ()) -> list[Tournament]:
    """The latest closed tournaments with players who have money to collect, without those of `beside`.

    In at most six queries.

    As in the checklist, closing the cash book ends it: what is left then stays the players' balance.
    """
    owed = {player for player, amount in balances_of_club(club.pk, currency).items() if amount > 0}
    if not owed:
        return []
    owed |= {row for row, person in merged_rows(club.pk).items() if person in owed}
    closed = Tournament.objects.filter(club=club, currency=currency, closed_at__isnull=False).exclude(pk__in=beside)
    # One that is open may have been opened since.
    books = CashBook.objects.filter(club=club, currency=currency, is_closed=True).order_by("-number")
    if cashed_up := books.values_list("closed_at", flat=True).first():
        closed = closed.filter(closed_at__gt=cashed_up)
    latest = list(closed.exclude(evening_sheet__is_rehearsal=True).order_by("-closed_at", "-pk")[:MOST_LOOKED_AT])
    seats = Seat.objects.filter(table__tournament__in=latest, player_id__in=[UUID(player) for player in owed])
    waiting = set(seats.values_list("table__tournament_id", flat=True))
    for sheet, state in pairs_of(EveningSheet.objects.filter(tournament__in=latest), _state):
        if not owed.isdisjoint(state.entrants):
            waiting.add(sheet.tournament_id)
    return [tournament for tournament in latest if tournament.pk in waiting][:MOST_LISTED]


def _state(sheet: EveningSheet) -> TournamentState:
    return load_tournament_state(sheet.state)


def played_between(tournament: Tournament) -> tuple[datetime, datetime]:
    """From the first record of a tournament's tables to the last, or until it was closed, if that was later."""
    played = log.spans(club=tournament.club_id, streams=tournament.tables.values("pk"))
    first = min((span.first_recorded for span in played), default=tournament.starts_at)
    last = max((span.last_recorded for span in played), default=tournament.starts_at)
    return first, max(last, tournament.closed_at or last)


def cash_books_of(tournament: Tournament) -> list[CashBook]:
    """The cash books that were open while the tournament was played."""
    first, last = played_between(tournament)
    books = CashBook.objects.filter(club=tournament.club_id, currency=tournament.currency)
    during = Q(opened_at__lte=last) & (Q(closed_at__isnull=True) | Q(closed_at__gte=first))
    return list(books.filter(during).order_by("number"))
