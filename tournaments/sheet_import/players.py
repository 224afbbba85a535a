"""Matches the names on a paper sheet with the players of its table, of the club, or new ones.

Rules: docs/how-to/importing.md. Knows nothing of deals.
"""

from collections.abc import Sequence
from uuid import UUID

from scoring.messages import Message, say
from scoring.problems import OptionsRejected, Problem, refuse_if
from tournaments.models import Player, Seat, Tournament
from tournaments.models.people import name_key
from tournaments.models.public_names import MARKED, telling_name
from tournaments.people.known_names import SUFFIXED_NAME, known_names
from tournaments.people.players import add_players, without_mark
from tournaments.sheet_import import SheetRejected
from tournaments.sheet_import.heading import Heading
from tournaments.sheet_import.sheets import PaperSheet


def players_of(tournament: Tournament, sheet: PaperSheet) -> tuple[dict[str, UUID], tuple[str, ...]]:
    """Return the player of each seat: from the table if it exists, else found by name, else added to the club.

    Also returns the names of those who were added.
    """
    names, heading = sheet.names, sheet.heading
    club = tournament.club
    seated = _seated(tournament, sheet)
    if seated:
        return seated, ()
    club_names = known_names(club)
    marked = {seat: without_mark(name) for seat, name in names.items()}
    meant = {seat: () if is_new else club_names.found(name) for seat, (name, is_new) in marked.items()}
    problems = [
        heading.problem("players", "ambiguous_player", _ambiguous(matches, names[seat]))
        for seat, matches in meant.items()
        if len(matches) > 1
    ]
    refuse_if(problems, SheetRejected)
    new = [seat for seat, matches in meant.items() if not matches]
    try:
        added = add_players(club, [names[seat] for seat in new])
    except OptionsRejected as refused:
        raise SheetRejected(refused.problems) from refused
    ids_by_seat = dict(zip(new, (player.id for player in added), strict=True))
    everybody = {seat: ids_by_seat[seat] if seat in ids_by_seat else same[0][0] for seat, same in meant.items()}
    return everybody, tuple(marked[seat][0] for seat in new)


def _ambiguous(found: Sequence[tuple[UUID, str]], name: str) -> Message:
    return say(
        "{total} players are called {name}: {list}. Write one of them, or {new}",
        total=len(found),
        name=name,
        list=tuple(telling_name(called, player) for player, called in found),
        new=f"{name} (new)",
    )


def _is_called(player: Player, name: str) -> bool:
    """Whether a name on a sheet means the player already seated, apart from any mark that tells namesakes apart."""
    bare, is_new = without_mark(name)
    if is_new and (marked := MARKED.fullmatch(player.name)):
        return name_key(marked[1]) == name_key(bare)
    suffixed = SUFFIXED_NAME.fullmatch(bare)
    if suffixed is not None and player.id.hex.startswith(suffixed[2]):
        bare = suffixed[1]
    return bool(player.name_key == name_key(bare))


def _seated(tournament: Tournament, sheet: PaperSheet) -> dict[str, UUID]:
    """Return the players of the sheet's table if it is open already. Raises SheetRejected if the sheet has others."""
    heading, names = sheet.heading, sheet.names
    seats = Seat.objects.filter(
        table__tournament=tournament, table__round=heading.round, table__number=heading.table
    ).select_related("player")
    at_table = {str(seat.number): seat.player for seat in seats.order_by("number")}
    if not at_table:
        return {}
    problems = [
        _other_player(heading, seat, at_table[seat].name if seat in at_table else None, names.get(seat))
        for seat in sorted(at_table.keys() | names.keys(), key=int)
        if seat not in at_table or seat not in names or not _is_called(at_table[seat], names[seat])
    ]
    refuse_if(problems, SheetRejected)
    return {seat: player.id for seat, player in at_table.items()}


def _other_player(heading: Heading, seat: str, ours: str | None, theirs: str | None) -> Problem:
    """Report a seat for which the sheet names another player or none, or that does not exist."""
    place, table = int(seat), heading.table
    if ours is None:
        detail = say(
            "seat {number} of table {table} is empty in this club; the sheet says {name}",
            number=place,
            table=table,
            name=theirs or "",
        )
    elif theirs is None:
        detail = say(
            "seat {number} of table {table} is {seat} in this club; the sheet says nobody",
            number=place,
            table=table,
            seat=ours,
        )
    else:
        detail = say(
            "seat {number} of table {table} is {seat} in this club; the sheet says {name}",
            number=place,
            table=table,
            seat=ours,
            name=theirs,
        )
    return Problem(code="other_player", seat=seat, detail=detail)
