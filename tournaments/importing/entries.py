"""A list of entries of a tournament, checked and stored by the same commands as a list that is pasted at the desk.

Rules: docs/how-to/importing.md, "Entries"; docs/how-to/evening.md, "Enter players".
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from scoring.events import wire
from scoring.events.reading import read_stored
from scoring.messages import Amount, Message, say
from scoring.problems import Problem, RuleError
from scoring.tournament import TournamentState, fold_tournament, problems_with
from scoring.tournament.state import Standing
from tournaments import log
from tournaments.entries.commands.checked import Change, CheckedList
from tournaments.entries.commands.enter import check_list, enter_list
from tournaments.entries.commands.lists import EntryRow, table_row
from tournaments.importing import (
    AS_NEW,
    LEAVE_OUT,
    ImportDraft,
    ImportRejected,
    Outcome,
    Preview,
    PreviewRow,
    Staying,
)
from tournaments.importing.columns import FIELDS, Columns
from tournaments.importing.matching import by_number_in
from tournaments.log.context import CommandContext, part, tournament_lock
from tournaments.models import Import, ImportKind, Player, Tournament
from tournaments.models.people import same_words
from tournaments.running.commands.record import (
    record_all_in_tournament,
    tournament_state,
    tournament_state_from_log,
)
from tournaments.running.commands.settle import placed

UNDONE = "import undone"
NOT_ENTERED = say("checked in or seated since")
ENTERED_BEFORE = say("was entered before: undo it at the desk")


def check(draft: ImportDraft, columns: Columns) -> Preview:
    """What a list would change in the tournament, as its page of entries says it."""
    rows, left_out, problems = entry_rows(draft, columns)
    checked = check_list(_tournament(draft), rows)
    if draft.others:
        open_rows = {question.row.number for question in checked.questions if question.is_open}
        left_out |= {row.number for row in rows if draft.others == LEAVE_OUT and row.number in open_rows}
        rows = [
            replace(row, is_namesake=True) if row.number in open_rows else row
            for row in rows
            if row.number not in left_out
        ]
        checked = check_list(_tournament(draft), rows)
    return Preview(
        rows=_preview_rows(draft, columns, left_out, checked, problems),
        problems=(*columns.problems, *(problem for problem in checked.problems if not _number(problem))),
    )


def store(draft: ImportDraft, columns: Columns, preview: Preview, made: Import, *, context: CommandContext) -> None:
    """Enter the players of a list that was checked. Call with the club's lock held. Raises ImportRejected."""
    tournament = _tournament(draft)
    entering = {row.number for row in preview.rows if row.outcome is not Outcome.LEFT_OUT}
    as_new = {row.number for row in preview.rows if row.outcome is Outcome.NEW}
    rows = [
        replace(row, is_namesake=row.is_namesake or row.number in as_new)
        for row in entry_rows(draft, columns)[0]
        if row.number in entering
    ]
    made.first_position = log.last_positions([tournament.id]).get(tournament.id, 0) + 1
    try:
        enter_list(tournament.id, rows, context=part(context, "entries"), adds_new=True)
    except RuleError as refused:
        raise ImportRejected(refused.problems) from refused
    made.last_position = log.last_positions([tournament.id]).get(tournament.id, 0)
    made.save(update_fields=["first_position", "last_position"])


def takes_money(draft: ImportDraft, columns: Columns) -> bool:
    """Whether a row says that its player has paid."""
    return any(row.is_paid for row in entry_rows(draft, columns)[0])


def undo(made: Import, *, context: CommandContext) -> list[Staying]:
    """Withdraw the players whom an import entered, and refund what it took; who played by now stays, with the fee.

    So does who was an entrant before and got another place or another fee: a withdrawal would take more than it gave.
    """
    assert made.tournament_id is not None  # noqa: S101 - a list of entries has one
    with tournament_lock(made.tournament_id) as tournament:
        events, staying = _events_back(tournament, made)
        try:
            placed_events = placed(tournament, tournament_state(tournament), events, context=context)
            if placed_events:
                record_all_in_tournament(tournament.id, placed_events, context=part(context, "undo"))
        except RuleError as refused:
            raise ImportRejected(refused.problems) from refused
    return [stays for _, stays in staying]


def staying_of(made: Import) -> list[tuple[UUID, Staying]]:
    """Whose entries stay if an import is undone."""
    assert made.tournament is not None  # noqa: S101 - a list of entries has one
    return _events_back(made.tournament, made)[1]


def entry_rows(draft: ImportDraft, columns: Columns) -> tuple[list[EntryRow], set[int], list[Problem]]:
    """The rows as the desk reads them, the numbers of those that are left out by choice, and what cannot be read."""
    fields = FIELDS[ImportKind.ENTRIES]
    places = {place: name for place, name in enumerate(fields) if name != "number"}
    by_number = by_number_in(draft.club)
    problems: list[Problem] = []
    rows, left_out = [], set()
    for list_row in columns.rows:
        row = table_row(list_row.number, [list_row.text(name) for name in fields], places, problems)
        choice = draft.choices.get(row.number, "")
        number = list_row.text("number")
        if choice == LEAVE_OUT:
            left_out.add(row.number)
            continue
        player = choice if choice and choice != AS_NEW else "" if choice else by_number.get(number, "")
        if number and not row.name and not player:
            detail = say("no player has the number {typed}: enter a name", typed=number)
            problems.append(list_row.problem("number", "unknown_player", detail))
            continue
        rows.append(replace(row, player=player, is_namesake=choice == AS_NEW, name=row.name or number, left_out=()))
    return rows, left_out, problems


def _tournament(draft: ImportDraft) -> Tournament:
    if draft.tournament is None or draft.tournament.club_id != draft.club.id:
        raise ImportRejected([Problem("missing_field", say("choose the tournament"), field="tournament")])
    return draft.tournament


def _number(problem: Problem) -> int:
    """The row that a problem is about; 0 for the whole list."""
    word, _, number = (problem.field or "").partition(",")[0].partition(" ")
    return int(number) if word == "row" and number.isdecimal() else 0


def _preview_rows(
    draft: ImportDraft,
    columns: Columns,
    left_out: set[int],
    checked: CheckedList,
    problems: Sequence[Problem],
) -> tuple[PreviewRow, ...]:
    tournament = _tournament(draft)
    checked_rows = {row.row.number: row for row in checked.rows}
    questions = {question.row.number: question for question in checked.questions if question.is_open}
    by_row: dict[int, list[Problem]] = {}
    for problem in (*problems, *checked.problems):
        by_row.setdefault(_number(problem), []).append(problem)
    preview_rows = []
    for list_row in columns.rows:
        number, name = list_row.number, list_row.name or list_row.text("number")
        question, checked_row = questions.get(number), checked_rows.get(number)
        if number in left_out:
            preview_rows.append(PreviewRow(number=number, name=name, outcome=Outcome.LEFT_OUT))
        elif question is not None and question.players:
            preview_rows.append(
                PreviewRow(number=number, name=name, outcome=Outcome.SIMILAR, candidates=question.players)
            )
        elif number in by_row or checked_row is None:
            preview_rows.append(
                PreviewRow(number=number, name=name, outcome=Outcome.REFUSED, problems=tuple(by_row.get(number, ())))
            )
        else:
            is_same = checked_row.change is Change.NOTHING
            effects = [Message(checked_row.change.value)]
            if checked_row.pays_minor:
                effects.append(say("pays {amount}", amount=Amount(checked_row.pays_minor, tournament.currency)))
            preview_rows.append(
                PreviewRow(
                    number=number,
                    name=name,
                    outcome=Outcome.NEW if checked_row.is_new else Outcome.SAME if is_same else Outcome.CHANGED,
                    player="" if checked_row.is_new else checked_row.player,
                    effects=tuple(effects),
                )
            )
    return tuple(preview_rows)


def _events_back(tournament: Tournament, made: Import) -> tuple[list[wire.Event], list[tuple[UUID, Staying]]]:
    """The events that undo those of an import, player by player, and the players of whom something is in the way."""
    events_of_all = log.read(tournament.club_id, tournament.id)
    stored = [event for event in events_of_all if made.first_position <= event.position <= made.last_position]
    if not stored:
        # It found everybody as the list has them.
        return [], []
    earlier = [event for event in events_of_all if event.position < made.first_position]
    before = tournament_state_from_log(earlier).entrants
    told = [read_stored(event.kind, event.schema, event.body) for event in stored]
    entered = [event.player for event in told if isinstance(event, wire.PlayerEntered)]
    changed = {event.player for event in told if isinstance(event, wire.EntryTermsSet)} | set(entered)
    paid = {event.player: event.amount_minor for event in told if isinstance(event, wire.EntryPaid)}
    state = tournament_state(tournament)
    back: list[wire.Event] = []
    staying = []
    names = dict(Player.objects.filter(id__in={*changed, *paid}).values_list("id", "name"))
    for player in sorted({*changed, *paid}, key=lambda player: (same_words(names.get(UUID(player), "")), player)):
        was = before.get(player)
        if player in changed and was is not None and was.standing is not Standing.WITHDRAWN:
            staying.append((UUID(player), Staying(name=names.get(UUID(player), "-"), why=ENTERED_BEFORE)))
            continue
        events: list[wire.Event] = []
        if player in paid:
            events.append(wire.EntryRefunded(player=player, amount_minor=paid[player], reason=UNDONE))
        if player in entered:
            events.append(wire.EntryWithdrawn(player=player, reason=UNDONE))
        after, problems = _after(state, events)
        entrant = state.entrants.get(player)
        if problems or entrant is None or entrant.is_checked_in:
            why = problems[0].message if problems else NOT_ENTERED
            staying.append((UUID(player), Staying(name=names.get(UUID(player), "-"), why=why)))
        else:
            state = after
            back += events
    return back, staying


def _after(state: TournamentState, events: Sequence[wire.Event]) -> tuple[TournamentState, list[Problem]]:
    for event in events:
        if problems := problems_with(state, event):
            return state, problems
        state = fold_tournament(state, [(state.version + 1, event)])
    return state, []
