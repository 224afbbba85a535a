"""What is still open when a tournament is to be closed, and the money that was let go without a director.

Rules: docs/how-to/evening.md, "Closing and money". Nothing of it refuses the closing: a director decides.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db.models import Q

from scoring.events import wire
from scoring.events.reading import read_stored
from scoring.messages import say, say_many
from scoring.money.formatting import Notation
from scoring.problems import Problem
from scoring.tournament import TournamentState
from scoring.tournament.prizes import PrizeSheet
from scoring.tournament.state.fees import unpaid_by_player
from tournaments import log
from tournaments.entries.commands.enter import MEMBER
from tournaments.models import Tournament
from tournaments.people.permissions import MATRIX, Permission
from tournaments.people.players import actor_names, as_in_books
from tournaments.projections.boards import seats_played
from tournaments.running.prize_money import prizes_so_far
from tournaments.running.remembered_names import names_of_players
from tournaments.running.ties import prize_ties


def open_at_closing(tournament: Tournament, state: TournamentState) -> list[Problem]:
    """Everything to look at before closing, as text; one about a single player has the player as its seat.

    Codes: `unpaid`, `tied`, `shared`, `pot_not_won`, `club_adds`, `refunded`, `lower_fee`.
    """
    if state.plan is not None and state.plan.is_rehearsal:
        return []
    notation = Notation(tournament.currency, tournament.club.locale)
    called = names_of_players(tournament.club, state.entrants)
    names = as_in_books(tournament.club_id, {player: one.name for player, one in called.items()})
    unpaid = unpaid_by_player(state, tournament.entry_minor)
    problems = []
    if unpaid:
        text = say_many(
            "{count} entry fee is not paid: {sum}",
            "{count} entry fees are not paid: {sum}",
            count=len(unpaid),
            sum=notation.money(sum(unpaid.values())),
        )
        problems.append(Problem("unpaid", text))
    played = seats_played(tournament, state)
    sheet = prizes_so_far(tournament, state, played)
    if sheet is not None:
        breakable = {task.players for task in prize_ties(tournament, state, sheet, played)}
        problems += _in_prizes(sheet, breakable, notation, names)
    return [*problems, *_without_director(tournament, notation, names)]


def _in_prizes(
    sheet: PrizeSheet, breakable: Collection[tuple[str, ...]], notation: Notation, names: Mapping[str, str]
) -> Iterator[Problem]:
    """Ties that share prizes, side pots without a winner, and what the club adds to what it has guaranteed."""
    ladder = [prize for prize in sheet.won if prize.title is None and prize.first != prize.last]
    for (first, last), tied in groupby(ladder, key=lambda prize: (prize.first, prize.last)):
        players = tuple(prize.player for prize in tied)
        who = tuple(names.get(player, "") for player in players)
        if players in breakable:
            yield Problem("tied", say("tied for places {first} to {last}: {list}", first=first, last=last, list=who))
        else:
            shared = say("{list} share places {first} to {last} and their prizes", list=who, first=first, last=last)
            yield Problem("shared", shared)
    for pot in sheet.pots:
        if pot.total_minor and not pot.is_won:
            amount = notation.money(pot.total_minor)
            yield Problem("pot_not_won", say("side pot {pot} has no winner: {amount}", pot=pot.name, amount=amount))
    if sheet.top_up_minor:
        yield Problem(
            "club_adds", say("the club adds {amount} to the prizes", amount=notation.money(sheet.top_up_minor))
        )


def _without_director(tournament: Tournament, notation: Notation, names: Mapping[str, str]) -> Iterator[Problem]:
    """Refunds and lower fees that a cashier or a helper at check-in made alone, each with its reason."""
    kinds = (wire.EntryRefunded.kind, wire.EntryTermsSet.kind)
    stored_events = [
        stored_event for stored_event in log.read(tournament.club_id, tournament.pk) if stored_event.kind in kinds
    ]
    directors = _directors(tournament.club_id) if stored_events else frozenset()
    alone = [stored_event for stored_event in stored_events if stored_event.actor not in directors]
    people = actor_names({stored_event.actor for stored_event in alone}, tournament.club_id)
    for stored_event in alone:
        event = read_stored(stored_event.kind, stored_event.schema, stored_event.body)
        by, why = people.get(stored_event.actor, stored_event.actor), stored_event.note or "-"
        name = names.get(getattr(event, "player", ""), "")
        match event:
            case wire.EntryRefunded():
                amount = notation.money(event.amount_minor)
                text = say("{amount} refunded to {name} by {by}: {why}", amount=amount, name=name, by=by, why=why)
                yield Problem("refunded", text, seat=event.player)
            case wire.EntryTermsSet(rate="free") if stored_event.note != MEMBER:
                text = say("free entry for {name} by {by}: {why}", name=name, by=by, why=why)
                yield Problem("lower_fee", text, seat=event.player)
            case wire.EntryTermsSet(rate="member") if stored_event.note != MEMBER:
                text = say("member fee for {name} by {by}: {why}", name=name, by=by, why=why)
                yield Problem("lower_fee", text, seat=event.player)


def _directors(club: UUID) -> frozenset[str]:
    """The actors who direct in a club, as the log names them."""
    roles = [role for role, permissions in MATRIX.items() if Permission.DIRECT in permissions]
    users = get_user_model().objects.filter(
        Q(is_superuser=True) | Q(memberships__club=club, memberships__role__in=roles)
    )
    return frozenset(f"user:{user}" for user in users.values_list("pk", flat=True))
