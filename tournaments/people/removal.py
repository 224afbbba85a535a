"""Removes a player who was added by mistake: somebody whom no record of the club names.

Rules: docs/how-to/evening.md, "Before the tournament". Every other player stays for good and can only be erased
(tournaments.privacy): facts know them by number. Whoever enters, seats or pays somebody writes under the lock of the
club as well, so that nobody gets a history between the look and the removal; seats, standings, ratings and credits the
database keeps by their keys besides.
"""

from collections.abc import Iterator

from django.db.models import Q

from scoring.ledger import player_statement
from scoring.messages import Message, say
from scoring.problems import OptionsRejected, Problem, refuse_if
from tournaments import log
from tournaments.log.context import club_turn
from tournaments.models import CashBook, Player, Tournament
from tournaments.people.players import renew_public_names

MOST_TOLD = 5


def remove_player(player: Player) -> None:
    """Remove a player without a history; once more changes nothing. Raises OptionsRejected with the reasons."""
    with club_turn(player.club_id):
        refuse_if(list(history_of(player)), OptionsRejected)
        Player.objects.filter(id=player.id).delete()
        renew_public_names(player.club_id)


def history_of(player: Player) -> Iterator[Problem]:
    """Where a player is named: tournaments by name, at most five, cash books and the books. In four queries."""
    streams = {fact.stream_id for fact in log.find(club=player.club_id, naming=str(player.id))}
    named = Tournament.objects.filter(Q(id__in=streams) | Q(tables__in=streams)).distinct().order_by("starts_at", "id")
    names = list(named.values_list("name", flat=True)[: MOST_TOLD + 1])
    for name in names[:MOST_TOLD]:
        yield _reason("played", say("{name} is in {tournament}", name=player.name, tournament=name))
    if len(names) > MOST_TOLD:
        yield _reason("played", say("{name} is in more tournaments", name=player.name))
    if CashBook.objects.filter(id__in=streams).exists():
        yield _reason("paid", say("{name} is in a cash book", name=player.name))
    if player_statement(player.club_id, [str(player.id)], last=1):
        yield _reason("paid", say("{name} has entries in the accounts", name=player.name))
    elif streams and not names:
        yield _reason("recorded", say("{name} is in the records of the club", name=player.name))


def _reason(code: str, why: Message) -> Problem:
    return Problem(code=code, field="player", detail=why)
