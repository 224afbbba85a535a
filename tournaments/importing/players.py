"""A list of players: new ones, and what changes in the rows of known ones. An empty cell changes nothing.

Rules: docs/how-to/importing.md, "Players".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from scoring.messages import say
from scoring.problems import Problem
from tournaments.entries.commands.lists import NOT_PAID, PAID
from tournaments.importing import (
    FieldChange,
    ImportDraft,
    ListRow,
    Outcome,
    Preview,
    PreviewRow,
    Staying,
    refused_row,
)
from tournaments.importing.columns import Columns
from tournaments.importing.matching import Match, matched
from tournaments.log import raw
from tournaments.log.context import CommandContext
from tournaments.models import EntryRequest, Import, ImportedPlayer, Player
from tournaments.models.people import MOST_EMAIL, MOST_NOTE, MOST_PHONE, folded, name_key, same_words, search_key
from tournaments.people.known_names import distinct_names
from tournaments.people.players import add_players, renew_public_names

# The column of the table for each field.
COLUMNS = {"name": "name", "number": "member_number", "email": "email", "phone": "phone", "note": "note"}
KEYS = {**COLUMNS, "member": "is_member"}
LIMITS = {"email": MOST_EMAIL, "phone": MOST_PHONE, "note": MOST_NOTE}
YES = PAID | {"member", "mitglied", "सदस्य"}
PLAYER_ID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
AT_ONCE = 500
Values = dict[str, str | bool]


def check(draft: ImportDraft, columns: Columns) -> Preview:
    """What a list would change in the club's players. In three queries, however many rows it has."""
    matches = matched(draft, columns.rows)
    known = {match.player[0] for match in matches if match.player}
    stored = {player.id: player for player in Player.objects.filter(club=draft.club).iterator() if player.id in known}
    first_rows: dict[str, ListRow] = {}
    first_numbers: dict[str, int] = {}
    rows = []
    for match in matches:
        problems = list(match.problems)
        if not problems and not match.is_left_out and not match.is_similar:
            problems += _twice(match, first_rows, first_numbers)
        problems += () if match.is_left_out else _cell_problems(match.row)
        rows.append(_preview_row(match, stored, problems))
    return Preview(rows=tuple(rows), problems=columns.problems)


def store(draft: ImportDraft, columns: Columns, preview: Preview, made: Import, *, context: CommandContext) -> None:
    """Add the new players of a list that was checked, and change the known ones. Call with the club's lock held."""
    by_number = {row.number: row for row in columns.rows}
    added_rows = [row for row in preview.rows if row.outcome is Outcome.NEW]
    columns_added = [_values(by_number[row.number]) for row in added_rows]
    names = [str(values.pop("name")) for values in columns_added]
    added = add_players(draft.club, names, columns=columns_added)
    changed_rows = {UUID(row.player): row for row in preview.rows if row.outcome is Outcome.CHANGED}
    values_by_player = {
        player: {KEYS[change.name]: _values(by_number[row.number])[KEYS[change.name]] for change in row.changes}
        for player, row in changed_rows.items()
    }
    before = write(draft.club.id, values_by_player, context=context)
    ImportedPlayer.objects.bulk_create(
        [
            *(
                ImportedPlayer(
                    of=made,
                    player=player,
                    is_new=True,
                    after={column: getattr(player, column) for column in KEYS.values()},
                )
                for player in added
            ),
            *(
                ImportedPlayer(of=made, player_id=player, is_new=False, before=before[player], after=values)
                for player, values in values_by_player.items()
            ),
        ],
        batch_size=AT_ONCE,
    )


def write(club_id: UUID, values: Mapping[UUID, Values], *, context: CommandContext) -> dict[UUID, Values]:
    """Write columns of players, and return what stood there. A name that is taken gets a mark."""
    if not values:
        return {}
    players = [player for player in Player.objects.filter(club=club_id).iterator() if player.id in values]
    before: dict[UUID, Values] = {}
    renamed = [player for player in players if "name" in values[player.id]]
    for player in players:
        before[player.id] = {column: getattr(player, column) for column in values[player.id]}
        for column, value in values[player.id].items():
            setattr(player, column, value)
    for player in renamed:
        (player.name,) = distinct_names(club_id, [player.name], now=context.now, but=player.id)
        player.name_key, player.search_key = name_key(player.name), search_key(player.name, player.merged_name)
    names = ["name", "name_key", "search_key"] if renamed else []
    written = [*names, "member_number", "email", "phone", "note", "is_member"]
    Player.objects.bulk_update(players, written, batch_size=AT_ONCE)
    if renamed:
        renew_public_names(club_id)
    return before


def undo(made: Import, *, context: CommandContext) -> list[Staying]:
    """Remove the players that an import added, and restore what it changed. Call with the club's lock held.

    A player who is in a record of the club by now, was changed or asked to enter stays; so does a changed value.
    """
    staying = staying_of(made)
    stays = {who for who, _ in staying}
    rows = list(made.players.select_related("player"))
    removed = [row.player_id for row in rows if row.is_new and row.player_id not in stays]
    restored = {row.player_id: _restorable(row) for row in rows if not row.is_new}
    write(made.club_id, {player: values for player, values in restored.items() if values}, context=context)
    for start in range(0, len(removed), AT_ONCE):
        Player.objects.filter(id__in=removed[start : start + AT_ONCE]).delete()
    if removed:
        renew_public_names(made.club_id)
    made.players.update(before={}, after={})
    return [why for _, why in staying]


def staying_of(made: Import) -> list[tuple[UUID, Staying]]:
    """Which players of an import stay if it is undone, and which of their values; by name."""
    rows = list(made.players.select_related("player").order_by("player__search_key", "player_id"))
    recorded = players_in_log(made.club_id, {row.player_id for row in rows if row.is_new})
    later = ImportedPlayer.objects.filter(
        of__club=made.club_id, of__made_at__gt=made.made_at, of__undone_at__isnull=True, is_new=False
    )
    later_ids = set(later.values_list("player_id", flat=True))
    asked = EntryRequest.objects.filter(club=made.club_id, player__isnull=False)
    recorded |= set(asked.values_list("player_id", flat=True))
    staying = []
    for row in rows:
        if row.player.erased_at is not None:
            why = say("erased")
        elif row.is_new and row.player_id in recorded:
            why = say("is in the records of the club")
        elif (
            row.player_id in later_ids or row.player.merged_into_id is not None or not _is_as_added(row)
            if row.is_new
            else len(_restorable(row)) < len(row.after)
        ):
            why = say("someone else changed this")
        else:
            continue
        staying.append((row.player_id, Staying(name=row.player.name, why=why)))
    return staying


def players_in_log(club_id: UUID, players: set[UUID]) -> set[UUID]:
    """Which of these players an event of the club names: read once, whatever their number."""
    named: set[bytes] = set()
    position, ids = 0, {str(player).encode() for player in players}
    while ids and (events := raw.events_after(club_id.hex, position)):
        for event in events:
            named |= ids.intersection(PLAYER_ID.findall(event.body))
        position = int(events[-1].position)
    return {UUID(player.decode()) for player in named}


def _restorable(row: ImportedPlayer) -> Values:
    """What an import changed in a player and nobody has changed since, with the values before."""
    if row.player.erased_at is not None or row.player.merged_into_id is not None:
        return {}
    return {column: row.before[column] for column, value in row.after.items() if _is_still(row.player, column, value)}


def _is_as_added(row: ImportedPlayer) -> bool:
    return all(_is_still(row.player, column, value) for column, value in row.after.items())


def _is_still(player: Player, column: str, value: object) -> bool:
    now = getattr(player, column)
    return bool(now == value) or (column == "name" and same_words(now) == same_words(str(value)))


def _preview_row(match: Match, stored: Mapping[UUID, Player], problems: Sequence[Problem]) -> PreviewRow:
    row = match.row
    if match.is_left_out:
        return PreviewRow(number=row.number, name=match.name, outcome=Outcome.LEFT_OUT)
    if problems:
        return refused_row(row, problems)
    if match.is_similar:
        return PreviewRow(number=row.number, name=match.name, outcome=Outcome.SIMILAR, candidates=match.candidates)
    player = stored[match.player[0]] if match.player else None
    changes = tuple(_changes(row, player))
    if player is None:
        return PreviewRow(number=row.number, name=match.name, outcome=Outcome.NEW, changes=changes)
    outcome = Outcome.CHANGED if changes else Outcome.SAME
    return PreviewRow(
        number=row.number, name=match.name or player.name, outcome=outcome, player=str(player.id), changes=changes
    )


def _changes(row: ListRow, player: Player | None) -> Iterator[FieldChange]:
    """The fields that a row changes. Another spelling of a name by which the player was found is no change."""
    values = _values(row)
    for name, column in KEYS.items():
        before = getattr(player, column) if player else None
        if column not in values or values[column] == before or (not player and name == "name"):
            continue
        if name == "name" and player and same_words(player.name) == same_words(str(values[column])):
            continue
        yield FieldChange(name=name, before=_shown(before), after=_shown(values[column]))


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value or "")


def _values(row: ListRow) -> Values:
    """The columns that a row fills."""
    values: Values = {column: row.text(name) for name, column in COLUMNS.items() if name in row.values}
    if name := " ".join(row.name.split()):
        values["name"] = name
    if "member" in row.values:
        values["is_member"] = folded(row.text("member")) in YES
    return values


def _cell_problems(row: ListRow) -> Iterator[Problem]:
    for name, most in LIMITS.items():
        if len(row.text(name)) > most:
            detail = say("{number} characters: at most {most}", number=len(row.text(name)), most=most)
            yield row.problem(name, "too_long", detail)
    if email := row.text("email"):
        try:
            validate_email(email)
        except ValidationError:
            yield row.problem("email", "not_an_address", say("{typed} is not an e-mail address", typed=email))
    if "member" in row.values and folded(row.text("member")) not in YES | NOT_PAID:
        yield row.problem("member", "not_a_choice", say("a tick is yes, no or nothing"))


def _twice(match: Match, first_rows: dict[str, ListRow], first_numbers: dict[str, int]) -> Iterator[Problem]:
    """A second row for one player, or with one number. New players of one name are two if each has a number."""
    row, number = match.row, match.row.text("number")
    who = str(match.player[0]) if match.player else same_words(match.name)
    first = first_rows.setdefault(who, row)
    if first is not row and (match.player or not (number and first.text("number"))):
        detail = say("{name} is in row {first} already", name=row.name or number, first=first.number)
        yield row.problem("name", "listed_twice", detail)
    elif number and (other := first_numbers.setdefault(number, row.number)) != row.number:
        yield row.problem("number", "listed_twice", say("{name} is in row {first} already", name=number, first=other))
