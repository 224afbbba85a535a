"""Printed payout list of a tournament: who gets how much, with a line to sign.

Rules: docs/how-to/paper.md. Amounts are taken from the books, not from expected results: the sheet lists what is not
settled yet.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.utils.translation import gettext, gettext_noop, pgettext

from scoring.ledger.readings import player_amounts
from scoring.money import Purpose
from tournaments.boards import Board, board
from tournaments.books.player_balances import balances_of
from tournaments.books.queries import BookScope, names_of, scope_of, settlement_state
from tournaments.models import EveningSheet, Tournament
from tournaments.models import Table as TableRow
from tournaments.models.people import search_key
from tournaments.models.public_names import Names
from tournaments.printing import amount_text, club_moment, document, game_text, table_text
from tournaments.rendering.i18n.translating import translate
from tournaments.rendering.pdf import Column, Document, Facts, Kind, Paragraph, Part, Row, Signatures, Table

# States in which money may still move.
UNSETTLED = frozenset({"open", "pending", "settling", "failed", "conflict"})
GONE = gettext_noop("A former player")
OPEN_EVENING = gettext_noop("Tournament not closed: prizes are not included.")
ALL_EVEN = gettext_noop("Players not listed owe nothing and are owed nothing.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerShare:
    """One player's share of a tournament's money, and the balance of the player's account after it."""

    name: str
    charged_minor: int
    won_minor: int
    held_minor: int


def payout_list(tournament: Tournament) -> Document:
    """List the players whose account is not zero after this tournament, with a line to sign."""
    shares = sorted(player_shares(tournament), key=lambda share: (search_key(share.name), share.name))
    shown = board(tournament, Names.REAL)
    getting = [share for share in shares if share.held_minor > 0]
    owing = [share for share in shares if share.held_minor < 0]
    parts: tuple[Part, ...] = (
        when_and_where(shown),
        *(Paragraph(text=line) for line in unsettled(tournament)),
        _to_sign(gettext("To be paid out"), gettext("Received, signature"), getting, tournament),
        _to_sign(gettext("Still owed to the club"), gettext("Paid, signature"), owing, tournament),
        Paragraph(text=gettext(ALL_EVEN)),
        Signatures(who=(gettext("Cashier"), gettext("Director"))),
    )
    return document(tournament, gettext("Payouts"), parts, fingerprint=shown.fingerprint)


def when_and_where(shown: Board) -> Facts:
    """Return the facts for the head of a sheet about a whole tournament."""
    tournament = shown.tournament
    closed = tournament.closed_at
    entry = ((gettext("Entry fee"), amount_text(tournament.entry_minor, tournament)),) if tournament.entry_minor else ()
    return Facts(
        pairs=(
            (gettext("Begins"), club_moment(tournament.starts_at, tournament)),
            *(((gettext("Closed"), club_moment(closed, tournament)),) if closed else ()),
            (gettext("Game"), game_text(tournament, shown.plan)),
            *entry,
        )
    )


def unsettled(tournament: Tournament) -> Iterator[str]:
    """Yield the reasons why the amounts are not final yet."""
    sheet = EveningSheet.objects.filter(tournament=tournament, has_plan=True).first()
    if sheet is not None and tournament.closed_at is None:
        yield gettext(OPEN_EVENING)
    if sheet is not None and sheet.due_position > sheet.settled_position:
        text = gettext("The prizes are not settled. {problem}")
        yield text.format(problem=translate(sheet.why_not_settled or "")).strip()
    waiting = [table for table in settlement_state(tournament.pk) if table.state in UNSETTLED]
    called = _called([table.table_id for table in waiting])
    for table in waiting:
        text = gettext("{table} is not settled: {state}. {problem}").format(
            table=called[table.table_id], state=translate(table.state.value), problem=translate(table.problem or "")
        )
        yield text.strip()


def _called(tables: Sequence[UUID]) -> dict[UUID, str]:
    rows = TableRow.objects.filter(pk__in=tables).values_list("pk", "name", "number")
    return {pk: table_text(name, number) for pk, name, number in rows}


def player_shares(tournament: Tournament) -> Iterator[PlayerShare]:
    """Yield the share of every player with a posting from this tournament, in four queries."""
    scope = scope_of(BookScope(club=tournament.club, tournament=tournament))
    found = player_amounts(scope, tournament.currency)
    held = balances_of(tournament.club_id, tournament.currency, found)
    names = names_of(tournament.club)
    for player, amounts in found.items():
        yield PlayerShare(
            name=names.get(player) or gettext(GONE),
            charged_minor=-amounts.get(Purpose.CHARGE, 0),
            won_minor=amounts.get(Purpose.AWARD, 0),
            held_minor=held[player],
        )


def _to_sign(title: str, sign: str, shares: Sequence[PlayerShare], tournament: Tournament) -> Table:
    columns = (
        Column(gettext("Player")),
        Column(gettext("Charged"), Kind.NUMBER),
        Column(pgettext("how much a player won", "Won"), Kind.NUMBER),
        Column(gettext("Amount"), Kind.NUMBER),
        Column(sign, Kind.BLANK),
    )
    amount = partial(amount_text, tournament=tournament)
    rows = [
        Row((each.name, amount(each.charged_minor), amount(each.won_minor), amount(abs(each.held_minor)), ""))
        for each in shares
    ]
    total = sum(abs(share.held_minor) for share in shares)
    sums = [Row((gettext("Sum"), "", "", amount(total), ""), is_sum=True)] if rows else []
    return Table(title=title, columns=columns, rows=(*rows, *sums), empty=gettext("Nobody."))
