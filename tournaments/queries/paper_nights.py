"""A tournament on paper: who gets how much and signs for it, and the night in short for the owner.

Rules: docs/paper.md. Amounts are what the books hold, not what somebody expects: what is not settled yet is named.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Max, Min, Q, Sum

from scoring.ledger.journal import kind_balances
from scoring.models import Posting
from scoring.rules import events
from scoring.rules.variants import variant
from scoring.settlement import AccountKind, Purpose
from scoring.settlement.printing import MINUS, money
from tournaments.models import EveningSheet, Event, Tournament
from tournaments.paper import Column, Document, Facts, Kind, Part, Row, Signatures, Table, Words
from tournaments.queries.boards import Board, TableLine, board
from tournaments.queries.extracts import Extract, names_of, scope_of
from tournaments.queries.money import settlement_state

# States in which money may still move.
UNSETTLED = frozenset({"open", "pending", "settling", "failed", "conflict"})
RACES = {"total": "Total", "chips": "Chips", "net_points": "Points"}
GONE = "A player who is not here any more"
OPEN_EVENING = "The evening is not closed: its prizes are not in these amounts."
ALL_EVEN = "Whoever played and is not named here is even with the club."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Share:
    """One player's part in a tournament's money, and what the account in the club holds after all of it."""

    name: str
    charged_minor: int
    won_minor: int
    held_minor: int


def payout_list(tournament: Tournament) -> Document:
    """Everybody whose account in the club is not even after this tournament, with a line to sign on."""
    shares = sorted(_shares(tournament), key=lambda share: (share.name.casefold(), share.name))
    getting = [share for share in shares if share.held_minor > 0]
    owing = [share for share in shares if share.held_minor < 0]
    parts: tuple[Part, ...] = (
        _when_and_where(tournament),
        *(Words(text=line) for line in _unsettled(tournament)),
        _to_sign("To be paid out", "Received, signature", getting, tournament),
        _to_sign("Still owed to the club", "Paid, signature", owing, tournament),
        Words(text=ALL_EVEN),
        Signatures(who=("Cashier", "Director")),
    )
    return _document(tournament, "Payouts", parts, board(tournament))


def summary(tournament: Tournament) -> Document:
    """The night in short: places, entries and money, corrections, the longest and the shortest table."""
    shown = board(tournament)
    parts: list[Part] = [
        _when_and_where(tournament),
        Facts(pairs=tuple(_counts(tournament, shown))),
        *(Words(text=line) for line in _unsettled(tournament)),
        _standings(tournament, shown),
        Table(
            title="Money",
            columns=(Column(title="What"), Column(title="Amount", kind=Kind.NUMBER)),
            rows=tuple(_money(tournament)),
            empty="No money has moved.",
        ),
        _corrections(tournament, shown),
        Signatures(who=("Director", "Scorer")),
    ]
    return _document(tournament, "Night summary", tuple(parts), shown)


def _document(tournament: Tournament, title: str, parts: tuple[Part, ...], shown: Board) -> Document:
    foot = f"Fingerprint {shown.fingerprint}" if shown.fingerprint else ""
    return Document(house=tournament.club.name, title=f"{title}: {tournament.name}", parts=parts, foot=foot)


def _when_and_where(tournament: Tournament) -> Facts:
    rules = variant(tournament.variant)
    entry = (("Entry", _amount(tournament.entry_minor, tournament)),) if tournament.entry_minor else ()
    return Facts(pairs=(("Begins", _moment(tournament.starts_at, tournament)), ("Game", rules.title), *entry))


def _unsettled(tournament: Tournament) -> Iterator[str]:
    """What speaks against taking the amounts for final."""
    sheet = EveningSheet.objects.filter(tournament=tournament, has_plan=True).first()
    if sheet is not None and tournament.closed_at is None:
        yield OPEN_EVENING
    if sheet is not None and sheet.due_position > sheet.settled_position:
        yield f"The prizes are not settled. {sheet.settle_problem}".strip()
    for table in settlement_state(tournament.pk):
        if table.state in UNSETTLED:
            yield f"{table.table} is not settled: {table.state.value}. {table.problem}".strip()


def _shares(tournament: Tournament) -> Iterator[_Share]:
    """Everybody on whose account this tournament left a posting, in three queries."""
    scope = scope_of(Extract(club=tournament.club, tournament=tournament))
    rows = (
        Posting.objects.filter(entry__club=scope.club, entry__cause__in=scope.causes or ())
        .filter(account__kind=AccountKind.PLAYER, account__currency=tournament.currency)
        .values("account__owner")
        .annotate(
            charged=Sum("amount_minor", filter=Q(purpose=Purpose.CHARGE)),
            won=Sum("amount_minor", filter=Q(purpose=Purpose.AWARD)),
        )
    )
    found = {row["account__owner"]: (-int(row["charged"] or 0), int(row["won"] or 0)) for row in rows}
    held = _held(tournament, list(found))
    names = names_of(tournament.club)
    for player, (charged, won) in found.items():
        yield _Share(name=names.get(player, GONE), charged_minor=charged, won_minor=won, held_minor=held[player])


def _held(tournament: Tournament, players: Sequence[str]) -> dict[str, int]:
    rows = (
        Posting.objects.filter(account__club=tournament.club_id, account__owner__in=players)
        .filter(account__kind=AccountKind.PLAYER, account__currency=tournament.currency)
        .values_list("account__owner")
        .annotate(held=Sum("amount_minor"))
    )
    return {owner: int(held) for owner, held in rows}


def _to_sign(title: str, sign: str, shares: Sequence[_Share], tournament: Tournament) -> Table:
    columns = (
        Column(title="Player"),
        Column(title="Charged", kind=Kind.NUMBER),
        Column(title="Won", kind=Kind.NUMBER),
        Column(title="Amount", kind=Kind.NUMBER),
        Column(title=sign, kind=Kind.BLANK),
    )
    rows = [Row(cells=(share.name, *_three(share, tournament), "")) for share in shares]
    total = sum(abs(share.held_minor) for share in shares)
    sums = [Row(cells=("Sum", "", "", _amount(total, tournament), ""), is_sum=True)] if rows else []
    return Table(title=title, columns=columns, rows=(*rows, *sums), empty="Nobody.")


def _three(share: _Share, tournament: Tournament) -> Iterator[str]:
    for amount in (share.charged_minor, share.won_minor, abs(share.held_minor)):
        yield _amount(amount, tournament)


def _counts(tournament: Tournament, shown: Board) -> Iterator[tuple[str, str]]:
    winners = [shown.names[row.line.player] for row in shown.rows if row.line.player in shown.table_winners]
    if winners:
        yield "Winner" if len(winners) == 1 else "Winners", ", ".join(winners)
    tables = [table for table in shown.tables if not table.is_cancelled]
    yield "Players", str(len(shown.rows))
    yield "Tables", str(len(tables))
    yield "Deals", str(sum(table.deals for table in tables))
    times = _times(tournament, [table.id for table in tables])
    timed = sorted((minutes, at) for at, table in enumerate(tables) if (minutes := times.get(table.id)) is not None)
    for title, found in (("Longest table", timed[-1:]), ("Shortest table", timed[:1])):
        for minutes, at in found:
            yield title, f"{_called(tables[at])}: {minutes} minutes, {tables[at].deals} deals"
    yield "Corrected or voided deals", str(len(shown.changes))


def _times(tournament: Tournament, tables: Sequence[UUID]) -> dict[UUID, int]:
    """Minutes from the first fact of each table to its last deal, in one query."""
    deals = Q(kind=events.DealRecorded.kind)
    rows = (
        Event.objects.filter(club=tournament.club_id, stream_id__in=tables)
        .values_list("stream_id")
        .annotate(first=Min("recorded_at"), last=Max("recorded_at", filter=deals))
    )
    return {table: int((last - first).total_seconds() // 60) for table, first, last in rows if last is not None}


def _standings(tournament: Tournament, shown: Board) -> Table:
    race = variant(tournament.variant).race
    rows = tuple(
        Row(
            cells=(
                f"{row.place}{'=' if row.is_tied else ''}",
                shown.names[row.line.player],
                (row.score or str(getattr(row.line, race) or 0)).replace("-", MINUS),
                str(row.line.deals_won),
            )
        )
        for row in shown.rows
    )
    columns = (
        Column(title="Place", kind=Kind.NUMBER),
        Column(title="Player"),
        Column(title=RACES[race] if shown.compares == "score" else "Compared", kind=Kind.NUMBER),
        Column(title="Deals won", kind=Kind.NUMBER),
    )
    return Table(title="Places", columns=columns, rows=rows, empty="Nobody has been seated.")


def _money(tournament: Tournament) -> Iterator[Row]:
    """What players were charged and won; then what each account of the club gained or gave."""
    shares = list(_shares(tournament))
    if not shares:
        return
    charged, won = sum(each.charged_minor for each in shares), sum(each.won_minor for each in shares)
    yield Row(cells=("Charged to players", _amount(charged, tournament)))
    yield Row(cells=("Won by players", _amount(won, tournament)))
    for line in kind_balances(scope_of(Extract(club=tournament.club, tournament=tournament))):
        if line.kind is not AccountKind.PLAYER and line.closing_minor:
            said = line.kind.value.replace("_", " ").capitalize()
            yield Row(cells=(said, money(line.closing_minor, line.currency, tournament.club.locale)))


def _corrections(tournament: Tournament, shown: Board) -> Table:
    called: Mapping[UUID, str] = {table.id: _called(table) for table in shown.tables}
    rows = tuple(
        Row(
            cells=(
                _moment(change.recorded_at, tournament),
                called[change.table],
                str(change.deal),
                "voided" if change.is_void else "corrected",
            )
        )
        for change in shown.changes
    )
    columns = (
        Column(title="When", kind=Kind.FIRM),
        Column(title="Table"),
        Column(title="Deal", kind=Kind.NUMBER),
        Column(title="What", kind=Kind.FIRM),
    )
    return Table(title="Corrections", columns=columns, rows=rows, empty="No deal was corrected or voided.")


def _called(table: TableLine) -> str:
    name = table.name or f"Table {table.number}"
    return f"{name}, round {table.round}" if table.round > 1 else name


def _moment(when: datetime, tournament: Tournament) -> str:
    return f"{when.astimezone(Extract(club=tournament.club).zone):%Y-%m-%d %H:%M}"


def _amount(amount_minor: int, tournament: Tournament) -> str:
    return money(amount_minor, tournament.currency, tournament.club.locale)
