"""Erases a player's personal data, at the player's request; removes a player who was added by mistake.

Rules: docs/how-to/evening.md, "Before the tournament". Scores, money and every hash of an erased player stay. A player
in no record of the club can be removed: commands that enter, seat or pay a player hold the club's lock as well, so that
no player gets a history between the check and the removal; seats, standings, ratings and credits are also protected by
foreign keys.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.db.models import Q

from scoring import ledger
from scoring.cash import account_of_player
from scoring.ledger import player_statement
from scoring.messages import Amount, Message, say
from scoring.problems import OptionsRejected, Problem, refuse_if
from tournaments import log
from tournaments.evenings.commands.screens import forget_on_screens
from tournaments.log.context import club_lock
from tournaments.models import CashBook, Player, Table, Tournament
from tournaments.models.people import folded, name_key, search_key
from tournaments.people.players import renew_public_names, rows_of
from tournaments.seating.commands.draft import forget_in_drafts
from tournaments.tables.commands.without_network import forget_in_late_sheets

ERASED_NAME = "Erased player"
MOST_LISTED = 5
# What remains in the row of an erased player.
FORGOTTEN = {
    "name": ERASED_NAME,
    "name_key": name_key(ERASED_NAME),
    "search_key": search_key(ERASED_NAME),
    "note": "",
    "is_member": False,
    "is_suspended": False,
    "public_name": ERASED_NAME,
    "public_key": name_key(ERASED_NAME),
    "public_search_key": search_key(ERASED_NAME),
    "has_page": False,
    "naming": "",
    "pseudonym": "",
    "merged_name": "",
}


def balance_problems(player: Player) -> list[Problem]:
    """Say what is open between player and club, by currency. A person's merged rows are added."""
    held: Counter[str] = Counter()
    for row in rows_of(player.club_id, [str(player.id)]):
        held.update(ledger.balances_of_owner(player.club_id, account_of_player(row)))
    return [_open_balance(player, currency, amount) for currency, amount in held.items() if amount]


def erase_player(player: Player, *, now: datetime, with_balance: bool = False) -> None:
    """Erase a player's name. Scores, money and every hash stay: they contain only the player's id.

    Free text of the club that mentions any part of the name is deleted as well: better to lose a reason than to keep a
    name. Rows that were merged are one person, and are erased together. Raises OptionsRejected where money is open
    between player and club, unless `with_balance`: nobody could say any more whose it is.
    """
    with club_lock(player.club_id):
        if not with_balance:
            refuse_if(balance_problems(player), OptionsRejected)
        kept = rows_of(player.club_id, [str(player.id)])
        rows = Player.objects.filter(id__in=kept)
        stored = rows.values_list("name", "pseudonym", "merged_name")
        names = [name for names in stored for name in names if name]
        rows.update(**FORGOTTEN, erased_at=now)
        renew_public_names(player.club_id)
        forget_in_drafts(player.club_id, kept)
        notes = log.notes_of(player.club_id)
        log.erase_notes(player.club_id, [position for position, text in notes if _mention_any(text, names)])
        _forget_at_tables(player.club_id, names)
        mentions = partial(_mention_any, names=names)
        forget_on_screens(player.club_id, mentions)
        forget_in_late_sheets(player.club_id, mentions)
        of_player = LogEntry.objects.filter(content_type__app_label="tournaments", content_type__model="player")
        of_player.filter(object_id__in=kept).update(object_repr=ERASED_NAME, change_message="")


def _open_balance(player: Player, currency: str, amount_minor: int) -> Problem:
    amount, name = Amount(abs(amount_minor), currency), player.name
    detail = say("{name} owes {amount}. Take it, or write it off", amount=amount, name=name)
    if amount_minor > 0:
        detail = say("The club holds {amount} for {name}. Pay it out first", amount=amount, name=name)
    return Problem("open_balance", detail, field="with_balance")


def _forget_at_tables(club_id: UUID, names: Sequence[str]) -> None:
    """Remove the names of tables that are named after the player; their notes in the log are erased too."""
    called = Table.objects.filter(tournament__club=club_id).exclude(name="").values_list("id", "name")
    Table.objects.filter(id__in=[table for table, name in called if _mention_any(name, names)]).update(name="")


def _mention_any(text: str, names: Sequence[str]) -> bool:
    return any(_mentions(text, name) for name in names)


def _mentions(text: str, name: str) -> bool:
    """Whether a text contains a word of the name or, for a name that is not plain ASCII, the name anywhere."""
    if _words(text) & _words(name):
        return True
    whole = "".join(folded(name).split())
    return not whole.isascii() and whole in "".join(folded(text).split())


def _words(text: str) -> set[str]:
    """Return the words of a text as names are compared; single letters are ignored."""
    return {word for word in re.findall(r"\w+", folded(text)) if len(word) > 1}


def remove_player(player: Player) -> None:
    """Remove a player without a history; repeating it changes nothing. Raises OptionsRejected with the reasons."""
    with club_lock(player.club_id):
        refuse_if(list(history_of(player)), OptionsRejected)
        Player.objects.filter(id=player.id).delete()
        renew_public_names(player.club_id)


def history_of(player: Player) -> Iterator[Problem]:
    """Yield where a player is named: tournaments by name, at most five, cash books and the books. In four queries."""
    streams = {fact.stream_id for fact in log.find(club=player.club_id, naming=str(player.id))}
    named = Tournament.objects.filter(Q(id__in=streams) | Q(tables__in=streams)).distinct().order_by("starts_at", "id")
    names = list(named.values_list("name", flat=True)[: MOST_LISTED + 1])
    for name in names[:MOST_LISTED]:
        yield _reason("played", say("{name} is in {tournament}", name=player.name, tournament=name))
    if len(names) > MOST_LISTED:
        yield _reason("played", say("{name} is in more tournaments", name=player.name))
    if CashBook.objects.filter(id__in=streams).exists():
        yield _reason("paid", say("{name} is in a cash book", name=player.name))
    if player_statement(player.club_id, [str(player.id)], last=1):
        yield _reason("paid", say("{name} has entries in the accounts", name=player.name))
    elif streams and not names:
        yield _reason("recorded", say("{name} is in the records of the club", name=player.name))


def _reason(code: str, why: Message) -> Problem:
    return Problem(code=code, field="player", detail=why)
