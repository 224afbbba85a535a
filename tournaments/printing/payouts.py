"""Printed payout list of a tournament: who gets how much, with a line to sign, and who was paid.

Rules: docs/how-to/paper.md. Amounts are taken from the books, not from expected results: the sheet lists what is not
settled yet.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from django.utils.translation import gettext, gettext_noop, pgettext

from scoring.cash import rounding_of
from tournaments.boards import Board, board
from tournaments.books.queries import settlement_state
from tournaments.cash.payouts import Payout, PlayerShare, payouts_of, player_shares
from tournaments.models import EveningSheet, Tournament
from tournaments.models.public_names import Names
from tournaments.printing import amount_text, club_moment, document, game_text, round_text
from tournaments.rendering.i18n.translating import spoken, translate
from tournaments.rendering.pdf import Column, Document, Facts, Kind, Paragraph, Part, Row, Signatures, Table

# States in which money may still move.
UNSETTLED = frozenset({"open", "pending", "settling", "failed", "conflict"})
GONE = gettext_noop("A former player")
OPEN_TOURNAMENT = gettext_noop("Tournament not closed: prizes are not included.")
ALL_EVEN = gettext_noop("Players not listed owe nothing and are owed nothing.")
OTHER = gettext_noop("Other: other tournaments, the cash desk and payouts.")


def payout_list(tournament: Tournament) -> Document:
    """List the players whose balance is not zero after this tournament, with a line to sign, and who was paid."""
    shares = player_shares(tournament)
    current_board = board(tournament, Names.REAL)
    getting = [share for share in shares if share.held_minor > 0]
    owing = [share for share in shares if share.held_minor < 0]
    parts: tuple[Part, ...] = (
        when_and_where(current_board),
        *(Paragraph(text=line) for line in unsettled(tournament)),
        *_to_sign(gettext("To be paid out"), gettext("Received, signature"), getting, tournament),
        *_to_sign(gettext("Still owed to the club"), gettext("Paid, signature"), owing, tournament),
        Paragraph(text=gettext(ALL_EVEN)),
        paid_out(tournament, payouts_of(tournament, shares), {share.player: share.name for share in shares}),
        Signatures(who=(gettext("Cashier"), gettext("Director"))),
    )
    return document(tournament, gettext("Payouts"), parts, fingerprint=current_board.fingerprint)


def when_and_where(shown: Board) -> Facts:
    """Return the events for the head of a sheet about a whole tournament."""
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
        yield gettext(OPEN_TOURNAMENT)
    if sheet is not None and sheet.due_position > sheet.settled_position:
        text = gettext("The prizes are not settled. {problem}")
        yield text.format(problem=translate(sheet.why_not_settled or "")).strip()
    for table in settlement_state(tournament.pk):
        if table.state in UNSETTLED:
            text = gettext("{table}, {round} is not settled: {state}. {problem}").format(
                table=spoken(table.table),
                round=round_text(table.round),
                state=translate(table.state.value),
                problem=translate(table.problem or ""),
            )
            yield text.strip()


def paid_out(tournament: Tournament, payouts: Sequence[Payout], names: Mapping[str, str]) -> Table:
    """Tabulate what was paid out to players of a tournament: to whom, how much, when, from where and by whom."""
    amount = partial(amount_text, tournament=tournament)
    columns = (
        Column(gettext("Player")),
        Column(gettext("Amount"), Kind.NUMBER),
        Column(gettext("When"), Kind.FIRM),
        Column(pgettext("where money was paid from", "From")),
        Column(gettext("By")),
    )
    rows = [
        Row(
            (
                names[payout.player] or gettext(GONE),
                amount(payout.amount_minor),
                club_moment(payout.at, tournament),
                translate(payout.place),
                payout.by,
            )
        )
        for payout in payouts
    ]
    total = sum(payout.amount_minor for payout in payouts)
    sums = [Row((gettext("Sum"), amount(total), "", "", ""), is_sum=True)] if rows else []
    empty = gettext("Nothing has been paid out.")
    return Table(title=gettext("Paid out"), columns=columns, rows=(*rows, *sums), empty=empty)


def _to_sign(title: str, sign: str, shares: Sequence[PlayerShare], tournament: Tournament) -> Iterator[Part]:
    """Yield the table of some balances: the columns of a row add up to its amount, which is rounded in cash."""
    if not shares:
        return
    piece = tournament.club.smallest_cash.get(tournament.currency, 0)
    columns = (
        Column(gettext("Player")),
        Column(gettext("Charged"), Kind.NUMBER),
        Column(gettext("Paid in"), Kind.NUMBER),
        Column(pgettext("how much a player won", "Won"), Kind.NUMBER),
        Column(pgettext("other amounts of a player", "Other"), Kind.NUMBER),
        Column(gettext("Amount"), Kind.NUMBER),
        *([Column(gettext("In cash"), Kind.NUMBER)] if piece else []),
        Column(sign, Kind.BLANK),
    )

    def in_cash(held: int) -> int:
        rounding = rounding_of(abs(held), piece, tournament.club.cash_rounding, is_paid_out=held > 0)
        return held + rounding if held > 0 else held - rounding

    amounts = [(*share.amounts, *([in_cash(share.held_minor)] if piece else [])) for share in shares]
    sums = [sum(column) for column in zip(*amounts, strict=True)]
    text = partial(amount_text, tournament=tournament)
    rows = [Row((share.name or gettext(GONE), *map(text, row), "")) for share, row in zip(shares, amounts, strict=True)]
    yield Table(title=title, columns=columns, rows=(*rows, Row((gettext("Sum"), *map(text, sums), ""), is_sum=True)))
    yield Paragraph(text=gettext(OTHER))
