"""Opening balances: what the club owed its players, or they the club, before its books began.

Rules: docs/how-to/importing.md, "Opening balances". They are events of the club, from which the books have an entry
against the account of opening balances.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from uuid import UUID, uuid5

from django.core.exceptions import ValidationError
from django.utils.timezone import now

from scoring import ledger
from scoring.events.club import MOST_OPENED, OpeningBalancesImported, OpeningBalancesTakenBack
from scoring.events.reading import read_stored
from scoring.merging import OPENING, Merges, entries_by_cause
from scoring.messages import Amount, Day, decimals, say
from scoring.money.formatting import Notation, currency_problems
from scoring.money.payouts import MOST_SUM
from scoring.problems import Problem, refuse_if
from tournaments import log
from tournaments.importing import (
    ImportDraft,
    ImportRejected,
    ListRow,
    Outcome,
    Preview,
    PreviewRow,
    Staying,
    refused_row,
)
from tournaments.importing.columns import Columns
from tournaments.importing.matching import Match, matched
from tournaments.log.context import CommandContext, part
from tournaments.merging import append_to_club, merges_of, player_balances
from tournaments.models import Import, Player
from tournaments.models.bounds import FIRST_DAY
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.i18n.typed_amounts import read_amount

BELOW_ZERO = re.compile(r"[-−]\s*(.+)|(.+?)\s*[-−]|\((.+)\)")
SAMPLE = "2026-01-31"
OpeningEvent = OpeningBalancesImported | OpeningBalancesTakenBack


def check(draft: ImportDraft, columns: Columns) -> Preview:
    """Which balance each row opens. Players must be known already."""
    merges = merges_of(draft.club.id)
    # Of a person with two rows, either of them was it.
    opened_before = {
        (merges.kept(player), opened.currency) for opened in merges.opened.values() for player in opened.balances
    }
    first_rows: dict[tuple[str, str], int] = {}
    rows = []
    for match in matched(draft, columns.rows):
        row, problems = match.row, list(match.problems)
        currency = _currency(row, draft)
        amount, amount_problems = _amount(row, Notation(currency, draft.club.locale))
        day, day_problems = _day(row, draft)
        problems += [*amount_problems, *day_problems]
        if match.player is None and not match.is_similar and not match.problems:
            detail = say("no player {name}: import players first", name=match.name)
            problems.append(row.problem("name", "unknown_player", detail))
        elif match.player is not None:
            person = merges.kept(str(match.player[0])), currency
            first = first_rows.setdefault(person, row.number)
            if first != row.number:
                detail = say("{name} is in row {first} already", name=match.player[1], first=first)
                problems.append(row.problem("name", "listed_twice", detail))
            elif person in opened_before:
                detail = say("{name} has an opening balance already", name=match.player[1])
                problems.append(row.problem("name", "opened_already", detail))
        rows.append(_preview_row(match, problems, Amount(amount, currency), day))
    return Preview(rows=tuple(rows), problems=columns.problems)


def store(draft: ImportDraft, columns: Columns, preview: Preview, made: Import, *, context: CommandContext) -> None:
    """Store the balances as events, at most 500 in each. Call with the club's lock held."""
    by_number = {row.number: row for row in columns.rows}
    balances: dict[tuple[str, str], dict[str, int]] = {}
    for row in preview.rows:
        if row.outcome is Outcome.CHANGED:
            list_row = by_number[row.number]
            currency = _currency(list_row, draft)
            amount, _ = _amount(list_row, Notation(currency, draft.club.locale))
            day, _ = _day(list_row, draft)
            balances.setdefault((day.isoformat(), currency), {})[row.player] = amount
    events: list[OpeningEvent] = []
    for (day_text, currency), by_player in sorted(balances.items()):
        items = sorted(by_player.items())
        for start in range(0, len(items), MOST_OPENED):
            batch = str(uuid5(made.id, f"{day_text} {currency} {start}"))
            chunk = dict(items[start : start + MOST_OPENED])
            events.append(OpeningBalancesImported(batch=batch, day=day_text, currency=currency, balances=chunk))
    positions = _append(made, events, context=context)
    made.first_position, made.last_position = min(positions, default=0), max(positions, default=0)
    made.save(update_fields=["first_position", "last_position"])


def undo(made: Import, *, context: CommandContext) -> list[Staying]:
    """Take the balances of an import back, all of them. Raises ImportRejected with who would owe the club then."""
    batches = _batches(made)
    opened = {batch: event for batch, event in merges_of(made.club_id).opened.items() if batch in batches}
    names = dict(Player.objects.filter(club=made.club_id).values_list("id", "name"))
    problems = [
        problem
        for event in opened.values()
        for player in event.balances
        for problem in _debts(made, event, player, names.get(UUID(player), "-"))
    ]
    refuse_if(problems, ImportRejected)
    _append(made, [OpeningBalancesTakenBack(batch=batch) for batch in opened], context=context)
    return []


def staying_of(made: Import) -> list[tuple[UUID, Staying]]:
    """Nothing: balances are undone all or none."""
    return []


def _currency(row: ListRow, draft: ImportDraft) -> str:
    return row.text("currency").upper() or draft.club.currency


def _append(made: Import, events: Sequence[OpeningEvent], *, context: CommandContext) -> list[int]:
    """Append events to the club's stream, each with its entry in the books, and return their positions."""
    positions: list[int] = []
    merges = merges_of(made.club_id)
    for number, event in enumerate(events):

        def on_append(stored: log.StoredEvent, after: Merges, *, batch: str = event.batch) -> None:
            cause = f"{OPENING}{batch}"
            obligation = ledger.Obligation(
                cause=cause, version=stored.version, entries=entries_by_cause(after).get(cause, ())
            )
            ledger.settle_many(made.club_id, [obligation], now=stored.recorded_at)
            positions.append(stored.position)

        own = part(context, f"{event.kind} {number}")
        merges = append_to_club(made.club_id, merges, event, context=own, on_append=on_append)
    return positions


def _batches(made: Import) -> set[str]:
    """The batches that an import stored."""
    events = [
        read_stored(event.kind, event.schema, event.body)
        for event in log.read(made.club_id, made.club_id)
        if made.first_position <= event.position <= made.last_position
    ]
    return {event.batch for event in events if isinstance(event, OpeningBalancesImported)}


def _debts(made: Import, event: OpeningBalancesImported, player: str, name: str) -> Iterator[Problem]:
    """A player who would owe what was paid out of the balance meanwhile."""
    amount, balance = event.balances[player], player_balances(made.club_id, player).get(event.currency, 0)
    if amount > 0 and balance < amount:
        detail = say(
            "{name} has {balance} left of {amount}: undo the payments first",
            name=name,
            balance=Amount(balance, event.currency),
            amount=Amount(amount, event.currency),
        )
        yield Problem("spent", detail, field="import")


def _amount(row: ListRow, notation: Notation) -> tuple[int, list[Problem]]:
    """The amount in minor units. Text is read as the club's place writes amounts, a number as it is."""
    if list(currency_problems(notation.currency)):
        detail = say("{typed} is not a currency", typed=notation.currency)
        return 0, [row.problem("currency", "not_a_choice", detail)]
    cell = row.values.get("amount", "")
    places = decimals(notation.currency)
    if isinstance(cell, int | Decimal):
        scaled = Decimal(cell).scaleb(places)
        minor = int(scaled) if scaled == int(scaled) else None
    else:
        minor = _typed_amount(row.text("amount"), notation)
    if minor is None or abs(minor) > MOST_SUM:
        sample = notation.money(123_450)
        detail = say("{typed} is not an amount; write it like {sample}", typed=row.text("amount") or "-", sample=sample)
        return 0, [row.problem("amount", "not_an_amount", detail)]
    return minor, []


def _typed_amount(text: str, notation: Notation) -> int | None:
    match = BELOW_ZERO.fullmatch(text)
    bare = next(filter(None, match.groups())) if match else text
    try:
        minor = read_amount(bare, notation)
    except ValidationError:
        return None
    return -minor if match else minor


def _day(row: ListRow, draft: ImportDraft) -> tuple[date, list[Problem]]:
    """The day of a row, today by the club's clock if it has none. Text is read with the day first, or as ISO 8601."""
    today = now().astimezone(zone_of(draft.club.timezone)).date()
    if "date" not in row.values:
        return today, []
    day = row.day("date")
    if day is None or not FIRST_DAY <= day <= today:
        detail = say("{typed} is not a day of the past; write it like {sample}", typed=row.text("date"), sample=SAMPLE)
        return today, [row.problem("date", "not_a_day", detail)]
    return day, []


def _preview_row(match: Match, problems: Sequence[Problem], opening: Amount, day: date) -> PreviewRow:
    number, name = match.row.number, match.name
    if match.is_left_out:
        return PreviewRow(number=number, name=name, outcome=Outcome.LEFT_OUT)
    if problems:
        return refused_row(match.row, problems)
    if match.player is None:
        return PreviewRow(number=number, name=name, outcome=Outcome.SIMILAR, candidates=match.candidates)
    return PreviewRow(
        number=number,
        name=match.player[1],
        player=str(match.player[0]),
        outcome=Outcome.CHANGED if opening.minor else Outcome.SAME,
        effects=(say("{amount} on {day}", amount=opening, day=Day(day.isoformat())),),
    )
