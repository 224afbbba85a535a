"""Enters players by name: one, a pasted list or a file, previewed before anything is saved, then all or none.

Rules: docs/how-to/evening.md, "Entries and the desk". A name means a player of the club; an unknown name becomes a new
player on request. Knows nothing of how a list was typed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

import msgspec

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Message, say, with_names
from scoring.problems import EventNotAllowed, Problem, refuse_if
from scoring.tournament import Entrant, TournamentState, fold_tournament, problems_with
from scoring.tournament.checks import lowers_fee
from scoring.tournament.state import Standing
from scoring.tournament.state.fees import due_minor
from scoring.tournament.state.refusals import ALREADY
from tournaments.entries.commands.checked import ENTERING, Change, CheckedList, CheckedRow, Question
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.self_entry import places_of, question_of_places
from tournaments.log.context import CommandContext, tournament_lock
from tournaments.models import Club, Tournament
from tournaments.models.people import name_key, same_words
from tournaments.models.public_names import telling_name
from tournaments.people.known_names import Known, KnownNames, known_by_name, known_names
from tournaments.people.players import add_players, named, player_name_faults, uuid_of, without_mark
from tournaments.running.commands.record import (
    TournamentRecorded,
    record_all_in_tournament,
    tournament_state,
    was_answered,
)
from tournaments.running.commands.settle import placed
from tournaments.seating import questions_of_joining

# The entry terms of a row: as given in the row, or the members' rate for members.


# The reason stored for the fee of a member of the club: nobody has granted it.
MEMBER = "member of the club"


def terms_of_row(
    state: TournamentState, entrant: Entrant, row: EntryRow, *, is_member: bool
) -> wire.EntryTermsSet | None:
    """The terms that the row sets; None if the player has them already. `is_member` counts if the row gives no rate.

    Pots are added to those joined before, matched with the names in the plan regardless of case.
    """
    has_rate = state.plan is not None and state.plan.member_minor is not None
    by_itself = "member" if is_member and has_rate else entrant.rate
    pots = tuple(dict.fromkeys((*entrant.pots, *_called(state, row))))
    event = wire.EntryTermsSet(player=entrant.player, rate=row.rate or by_itself, pots=pots)
    if (event.rate, event.pots) == (entrant.rate, entrant.pots):
        return None
    if not lowers_fee(entrant, event):
        return event
    return msgspec.structs.replace(event, reason=MEMBER if is_member and event.rate == "member" else row.reason)


def _called(state: TournamentState, row: EntryRow) -> Iterator[str]:
    pot_names = {pot.name.casefold(): pot.name for pot in (state.plan.side_pots if state.plan else ())}
    return (pot_names.get(pot.casefold(), pot) for pot in row.pots)


UNKNOWN, SHARED, TWICE = "unknown_player", "name_of_two", "listed_twice"
# Problems that the user can solve by a choice on the page.
ASKED = frozenset({UNKNOWN, SHARED, TWICE})
SEVERAL = 2
ROW = "row "
NOT_HERE = say("this player is not in the club")


@dataclass(slots=True, kw_only=True)
class _Reading:
    """A list while it is read: the tournament as the rows before would leave it."""

    known: KnownNames
    state: TournamentState
    entry_minor: int
    # The first row of each player, and of each new name in any spelling.
    seen: dict[str, EntryRow] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def check_list(tournament: Tournament, rows: Sequence[EntryRow]) -> CheckedList:
    """What a list would change, in two queries whatever its length. Saves nothing.

    That a lower fee needs a reason is left to `enter_list`: it is asked for once, for the whole list.
    """
    reasoned = [replace(row, reason=row.reason or "-") for row in rows]
    return _checked(known_names(tournament.club), tournament_state(tournament), reasoned, tournament.entry_minor)


def check_names(club: Club, rows: Sequence[EntryRow]) -> CheckedList:
    """Which players a list means in a tournament that is not created yet, in one query. Saves nothing."""
    return _checked(known_names(club), TournamentState(), rows)


def questions_of_list(tournament: Tournament, rows: Sequence[EntryRow]) -> list[Problem]:
    """Questions about known players whom a list would enter, suspended ones and possible duplicates; and of places."""
    state, checked = tournament_state(tournament), check_list(tournament, rows)
    entering = [
        event for checked_row in checked.rows for event in _events(checked_row) if isinstance(event, wire.PlayerEntered)
    ]
    after = fold_tournament(state, list(enumerate(entering, start=state.version + 1)))
    known_players = [
        checked_row.player for checked_row in checked.rows if checked_row.change in ENTERING and not checked_row.is_new
    ]
    joining = named(tournament.club_id, questions_of_joining(tournament, after, *known_players))
    return [*joining, *questions_of_places(tournament, state, checked)]


def questions_of_places(tournament: Tournament, state: TournamentState, checked: CheckedList) -> list[Problem]:
    """The question about a list with which more players would play than there are places; none after the start."""
    entering = checked.count(Change.ENTERS) + checked.count(Change.PROMOTED)
    playing = places_of(tournament, state).playing + entering
    return question_of_places(tournament, state, playing) if entering else []


def enter_list(  # noqa: PLR0913 - what a page knows of a list
    tournament_id: UUID,
    rows: Sequence[EntryRow],
    *,
    context: CommandContext,
    adds_new: bool,
    shown: str | None = None,
    past_places: bool = True,
) -> TournamentRecorded:
    """Save a list, all or none. `shown` is the fingerprint of the preview.

    Raises EventNotAllowed with every problem, including new names unless they may be added, and players beyond the
    places unless they are entered `past_places`.
    """
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        if was_answered(tournament, state, context):
            return TournamentRecorded(state=state, is_replay=True)
        # Without a preview nobody was asked who is meant, and names that are nearly the same are not looked for.
        club_names = _known_in(tournament.club, rows) if shown is None else known_names(tournament.club)
        checked = _checked(club_names, state, rows, tournament.entry_minor)
        # A row marked as a new player needs no further question.
        unasked = (
            []
            if adds_new
            else [
                checked_row.row
                for checked_row in checked.rows
                if checked_row.is_new and not checked_row.row.is_namesake
            ]
        )
        problems = [*checked.problems, *map(_unknown, unasked)]
        if not problems and shown not in (None, checked.fingerprint):
            problems.append(Problem("list_moved", say("data changed: check, save again"), field="names"))
        if not past_places:
            problems += questions_of_places(tournament, state, checked)
        refuse_if(problems, EventNotAllowed)
        added = add_players(tournament.club, checked.new_names)
        new_ids = iter(str(player.id) for player in added)
        final = [
            replace(checked_row, player=next(new_ids)) if checked_row.is_new else checked_row
            for checked_row in checked.rows
        ]
        events = placed(
            tournament, state, (event for checked_row in final for event in _events(checked_row)), context=context
        )
        return record_all_in_tournament(tournament_id, events, context=context)


def enter_one(tournament_id: UUID, row: EntryRow, *, context: CommandContext, adds_new: bool) -> TournamentState:
    """Save one row. Its problems are attached to the name field, without a row number; one about the till stays there.

    Raises EventNotAllowed.
    """
    try:
        return enter_list(tournament_id, [row], context=context, adds_new=adds_new).state
    except EventNotAllowed as refused:
        problems = [problem if problem.field == "till" else _of_name(problem, "name") for problem in refused.problems]
        raise EventNotAllowed(problems) from refused


def player_called(tournament: Tournament, name: str, *, adds_new: bool) -> UUID:
    """The player with a name; a new one if there is none and that is allowed.

    Raises EventNotAllowed if the name is unknown or means two players.
    """
    row = _tidy(EntryRow(number=1, name=name))
    club_names = _known_in(tournament.club, [row])
    problems = list(_row_problems(row, club_names))
    matches = _of_tournament(_meant(club_names, row), club_names, tournament_state(tournament))
    if not problems and not matches and not (adds_new or row.is_namesake):
        problems = [_unknown(row)]
    refuse_if([_of_name(problem, "by") for problem in problems], EventNotAllowed)
    return matches[0][0] if matches else add_players(tournament.club, [row.name])[0].id


def known_player(tournament: Tournament, state: TournamentState, row: EntryRow) -> str:
    """The one player whom a row means, whether or not they can enter; empty if there is none or it means two."""
    row = _tidy(row)
    club_names = _known_in(tournament.club, [row])
    matches = _of_tournament(_meant(club_names, row), club_names, state)
    return str(matches[0][0]) if len(matches) == 1 else ""


def _known_in(club: Club, rows: Sequence[EntryRow]) -> KnownNames:
    """The players whom rows mean exactly."""
    return known_by_name(club, [_tidy(row).name for row in rows], [row.player for row in rows if uuid_of(row.player)])


def _checked(known: KnownNames, state: TournamentState, rows: Sequence[EntryRow], entry_minor: int = 0) -> CheckedList:
    reading = _Reading(known=known, state=state, entry_minor=entry_minor)
    if state.is_closed:
        return CheckedList(problems=(Problem("tournament_closed", say("the tournament is closed: reopen it first")),))
    checked_rows = [_row(reading, _tidy(row)) for row in rows]
    rows_read = tuple(checked_row for checked_row in checked_rows if checked_row is not None)
    return CheckedList(rows=rows_read, problems=tuple(reading.problems), questions=tuple(reading.questions))


def _meant(known: KnownNames, row: EntryRow) -> Sequence[Known]:
    if row.player:
        return [known.by_id[row.player]] if row.player in known.by_id else ()
    return () if row.is_namesake else known.found(row.name)


def _of_tournament(found: Sequence[Known], known: KnownNames, state: TournamentState) -> Sequence[Known]:
    """The ids in the tournament: a player who entered under a row merged since is meant by that row."""
    there = state.entrants
    own = {
        kept_player: row
        for row, kept_player in known.merged.items()
        if str(row) in there and str(kept_player) not in there
    }
    return [(own.get(player, player), name) for player, name in found]


def _tidy(row: EntryRow) -> EntryRow:
    """The row with its name on one line, and a mark for a new player read from it."""
    name, is_namesake = without_mark(" ".join(row.name.split()))
    return replace(row, name=name, is_namesake=is_namesake or row.is_namesake)


def _row(reading: _Reading, row: EntryRow) -> CheckedRow | None:
    """Check one row against the club and the tournament; None if it has a problem."""
    problems = list(_row_problems(row, reading.known))
    same = _of_tournament(_meant(reading.known, row), reading.known, reading.state)
    words = same_words(row.name)
    who = str(same[0][0]) if same else f"{row.number}" if row.is_namesake else words
    if not problems and (first := reading.seen.setdefault(who, row)) is not row:
        problems = [_twice(row, first, is_same=bool(same))]
    elif not problems and same:
        reading.seen.setdefault(words, row)
    if reading.known.is_whole and all(problem.code in ASKED for problem in problems):
        _ask(reading, row, is_twice=any(problem.code == TWICE for problem in problems))
    checked = CheckedRow(
        row=row, player=str(same[0][0]) if same else str(uuid4()), change=Change.NOTHING, is_new=not same
    )
    if not problems:
        checked, problems = _entered(reading, checked)
    reading.problems += problems
    return None if problems else checked


def _ask(reading: _Reading, row: EntryRow, *, is_twice: bool) -> None:
    """Add the choice for a row: between players of the same or a similar name; or whether the row is a duplicate."""
    borne = reading.known.found(row.name)
    players = reading.known.nearly(row.name) if not borne else borne if len(borne) >= SEVERAL else ()
    if players or is_twice:
        reading.questions.append(Question(row=row, players=tuple(players)))


def _twice(row: EntryRow, first: EntryRow, *, is_same: bool) -> Problem:
    """`is_same`: both rows mean one player; otherwise two spellings of a new name."""
    if is_same or name_key(row.name) == name_key(first.name):
        message = say(
            "{name} is in row {first} already; write {typed} (new) for another player",
            name=row.name,
            first=first.number,
            typed=row.name,
        )
    else:
        message = say(
            "{name} looks like {other} in row {first}; write {typed} (new) for another player",
            name=row.name,
            other=first.name,
            first=first.number,
            typed=row.name,
        )
    return _of_row(row, TWICE, message)


def _entered(reading: _Reading, checked: CheckedRow) -> tuple[CheckedRow, list[Problem]]:
    """What the row changes, and the problems that the tournament has with it."""
    row, before = checked.row, reading.state.entrants.get(checked.player)
    event = wire.PlayerEntered(player=checked.player, is_standby=row.is_standby, round=row.round)
    event_problems = problems_with(reading.state, event)
    if problems := _at_row(row, event_problems):
        return checked, problems
    if not event_problems:
        change = Change.STANDS_BY if row.is_standby else Change.ENTERS
        if before is not None and before.standing is Standing.STANDBY:
            change = Change.PROMOTED
        checked = replace(checked, change=change, has_been_in=before is not None)
        reading.state = fold_tournament(reading.state, [(reading.state.version + 1, event)])
    checked, problems = _on_terms(reading, checked, is_first=before is None)
    due = due_minor(reading.state, reading.state.entrants[checked.player], reading.entry_minor)
    if row.is_paid and due:
        change = Change.PAYS if checked.change in (Change.NOTHING, Change.TERMS) else checked.change
        checked = replace(checked, change=change, pays_minor=due)
    return checked, problems


def _on_terms(reading: _Reading, checked: CheckedRow, *, is_first: bool) -> tuple[CheckedRow, list[Problem]]:
    """The row with the terms it sets: its own, or a member's if they enter for the first time."""
    row, entrant = checked.row, reading.state.entrants[checked.player]
    is_member = is_first and not checked.is_new and UUID(checked.player) in reading.known.members
    event = terms_of_row(reading.state, entrant, row, is_member=is_member)
    if event is None:
        return checked, []
    if problems := problems_with(reading.state, event):
        return checked, _at_row(row, problems)
    reading.state = fold_tournament(reading.state, [(reading.state.version + 1, event)])
    change = Change.TERMS if checked.change is Change.NOTHING else checked.change
    return replace(checked, change=change, terms=event), []


def _at_row(row: EntryRow, found: Sequence[Problem]) -> list[Problem]:
    others = [problem for problem in found if problem.code != ALREADY]
    return [
        _of_row(row, problem.code, with_names(problem.message, {problem.seat or "": row.name})) for problem in others
    ]


def _events(checked: CheckedRow) -> Iterator[Event]:
    """The events to store for a row."""
    if checked.change in ENTERING:
        yield wire.PlayerEntered(
            player=checked.player,
            is_standby=checked.row.is_standby,
            at_end=checked.row.is_standby and checked.has_been_in,
            round=checked.row.round,
        )
    if checked.terms is not None:
        yield msgspec.structs.replace(checked.terms, player=checked.player)
    if checked.pays_minor:
        yield wire.EntryPaid(player=checked.player, amount_minor=checked.pays_minor)


def _row_problems(row: EntryRow, known: KnownNames) -> Iterator[Problem]:
    """Problems with an invalid name, or one that two players have."""
    for code, why in player_name_faults(row.name):
        yield _of_row(row, code, why)
    same = _meant(known, row)
    if row.player and not same:
        yield _of_row(row, UNKNOWN, NOT_HERE)
    if len(same) >= SEVERAL:
        message = say(
            "{total} players are called {name}: {list}. Write one of them, or {new}",
            total=len(same),
            name=row.name,
            list=tuple(telling_name(name, player) for player, name in same),
            new=f"{row.name} (new)",
        )
        yield _of_row(row, SHARED, message)


def _unknown(row: EntryRow) -> Problem:
    return _of_row(row, UNKNOWN, unknown_name(row.name))


def unknown_name(name: str) -> Message:
    """The error for a name that no player has when new players are not to be added."""
    return say("no player {name}: check spelling or add", name=name)


def _of_row(row: EntryRow, code: str, why: Message) -> Problem:
    return Problem(code, say("row {number}: {why}", number=row.number, why=why), field=f"{ROW}{row.number}")


def _of_name(problem: Problem, field: str) -> Problem:
    """The same problem without its row number, for a single name."""
    why = problem.message.parts.get("why") if (problem.field or "").startswith(ROW) else None
    return replace(problem, detail=why if isinstance(why, Message) else problem.message, field=field)
