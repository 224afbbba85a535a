"""Problems with a seating, a move, a cut or the breaking of a tie.

Rules: docs/events.md, "Tournaments". The command checks that no player is moved away from a running deal.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from scoring.events import wire
from scoring.events.tournament import SeatedTable
from scoring.messages import Seat, say, say_many
from scoring.problems import Problem
from scoring.tournament.state import TournamentState
from scoring.tournament.state.fees import any_money_in, is_booked, place_unpaid_minor
from scoring.tournament.state.refusals import not_in_field, of_player, twice, unknown


def seated(state: TournamentState, event: wire.RoundSeated) -> list[Problem]:
    """The next round of the stage being played must have all players in it once, at a table or sitting out."""
    problems: list[Problem] = []
    if event.stage != state.stage:
        detail = say("stage {number} is being played, not stage {of}", number=state.stage, of=event.stage)
        problems.append(Problem("wrong_stage", detail, field="stage"))
    if event.round != state.next_round:
        detail = say("round {round} is next, not round {number}", round=state.next_round, number=event.round)
        problems.append(Problem("wrong_round", detail, field="round"))
    if state.plan is not None:
        problems += _round_problems(state)
    problems += _table_problems(event.tables)
    listed = [player for _, players in event.tables for player in players] + list(event.sitting_out)
    problems += twice(listed)
    field, places = dict.fromkeys(state.field()), dict.fromkeys(listed)
    problems += [not_in_field(player, state.entrants.get(player)) for player in places if player not in field]
    missing = [player for player in field if player not in places]
    return problems + [
        Problem("not_seated", say("{seat} has no seat and does not sit out", seat=Seat(player)), field="tables")
        for player in missing
    ]


def _round_problems(state: TournamentState) -> list[Problem]:
    stage = state.current
    if stage is None:
        return [Problem("wrong_stage", say("the last stage of the plan is over"), field="stage")]
    if len(state.rounds_of(state.stage)) < stage.rounds:
        return []
    detail = say("the only round of stage {number} is seated", number=state.stage)
    if stage.rounds > 1:
        detail = say("all {total} rounds of stage {number} are seated", total=stage.rounds, number=state.stage)
    return [Problem("wrong_round", detail, field="round")]


def _table_problems(tables: Iterable[SeatedTable]) -> list[Problem]:
    numbers = Counter(number for number, _ in tables)
    problems: list[Problem] = []
    for number, times in numbers.items():
        if times > 1:
            detail = say("table {table} is listed {number} times", table=number, number=times)
            problems.append(Problem("table_exists", detail, field="tables"))
    for number, players in tables:
        if not 2 <= len(players) <= 10:
            detail = say_many(
                "table {table} has {count} player; 2 to 10 sit",
                "table {table} has {count} players; 2 to 10 sit",
                count=len(players),
                table=number,
            )
            problems.append(Problem("out_of_range", detail, field="tables"))
    return problems


def not_here(state: TournamentState, players: Iterable[str]) -> list[Problem]:
    """Players without check-in who are to play for prizes: confirmed once, where the others have been checked in.

    Only in the last stage of a tournament with prizes, when they are first seated in it. Players who were seated in it
    before have been confirmed.
    """
    plan = state.plan
    if plan is None or state.stage != len(plan.stages) or not is_booked(state):
        return []
    if not (any_money_in(state) or plan.guaranteed_minor) or not state.checks_in:
        return []
    before = {player for round_ in state.rounds_of(state.stage) for t in round_.tables for player in t.players}
    problems: list[Problem] = []
    for player in players:
        if player not in before and player in state.entrants and not state.entrants[player].is_checked_in:
            detail = say(
                "{seat} is not checked in, and this stage is for prizes: check in, sit out, or confirm the seat",
                seat=Seat(player),
            )
            problems.append(Problem("not_here", detail, field="tables"))
    return problems


def to_ask_about(
    state: TournamentState,
    players: Sequence[str],
    *,
    entry_minor: int,
    suspended: Collection[str],
    alike: Collection[str],
) -> list[Problem]:
    """Players who are seated only after a confirmation: not here, not paid, suspended, or perhaps in the list twice.

    Players who were seated in this stage before have been confirmed. `alike` are players whose names differ only by a
    mark at the end. For a player who has not entered, presence and payment are unknown.
    """
    before = {player for round_ in state.rounds_of(state.stage) for t in round_.tables for player in t.players}
    checks = state.checks_in
    problems = []
    for player in players:
        entrant = state.entrants.get(player)
        if player in before:
            continue
        reasons = {
            "not_here": checks
            and entrant
            and not entrant.is_checked_in
            and say("{seat} is not checked in", seat=Seat(player)),
            "not_paid": entrant
            and is_booked(state)
            and place_unpaid_minor(state, player, entry_minor) > 0
            and say("{seat} has not paid", seat=Seat(player)),
            "suspended": player in suspended and say("{seat} is suspended", seat=Seat(player)),
            "same_name": player in alike
            and say("{seat} has the same name as another player: perhaps entered twice", seat=Seat(player)),
        }
        problems += [of_player(player, code, why, field="tables") for code, why in reasons.items() if why]
    return problems


def unseated(state: TournamentState, event: wire.SeatingWithdrawn) -> list[Problem]:
    last = state.last_round
    if last is None or last.round != event.round or last.stage != state.stage:
        detail = say("round {round} is not the last one that was seated", round=event.round)
        return [Problem("wrong_round", detail, field="round")]
    if any(move.round == event.round for move in state.moves):
        detail = say("players were moved in round {round}: undo the moves first", round=event.round)
        return [Problem("already_played", detail, field="round")]
    return []


def seats_changed(state: TournamentState, event: wire.SeatsChanged) -> list[Problem]:
    """Changed tables must be of the last round and no result of a move, each player active and at no other table."""
    last = state.last_round
    if last is None or last.round != event.round or last.stage != state.stage:
        return [Problem("wrong_round", say("round {round} is not being played", round=event.round), field="round")]
    numbers = {number for number, _ in event.tables}
    moved_on = {
        number for move in state.moves if move.round == event.round for number in (*move.numbers, *move.instead_of)
    }
    problems: list[Problem] = []
    for number in sorted(numbers & moved_on):
        detail = say("players were moved at table {table}: undo the move first", table=number)
        problems.append(Problem("already_played", detail, field="tables"))
    problems += _table_problems([table for table in event.tables if table[1]])
    listed = [player for _, players in event.tables for player in players]
    problems += twice(listed)
    elsewhere = {
        player: table.number for table in last.running if table.number not in numbers for player in table.players
    }
    field = state.field()
    for player in dict.fromkeys(listed):
        if player not in field:
            problems.append(not_in_field(player, state.entrants.get(player)))
        elif seat := next((elsewhere[holder] for holder in state.before(player) if holder in elsewhere), None):
            detail = say("{seat} sits at table {table} already", seat=Seat(player), table=seat)
            problems.append(Problem("player_seated_elsewhere", detail, field="tables"))
    return problems


def moved(state: TournamentState, event: wire.PlayersMoved) -> list[Problem]:
    """The players of some running tables of the last round must be at tables with new numbers."""
    last = state.last_round
    if last is None or last.round != event.round:
        return [Problem("wrong_round", say("round {round} is not being played", round=event.round), field="round")]
    running = {table.number: table for table in last.running}
    problems: list[Problem] = []
    for number in event.instead_of:
        if number not in running:
            detail = say("table {table} is not running in round {round}", table=number, round=event.round)
            problems.append(Problem("unknown_table", detail, field="instead_of"))
    used = {table.number for table in last.tables}
    problems += [
        Problem("table_exists", say("table {table} has been used in this round", table=number), field="tables")
        for number, _ in event.tables
        if number in used
    ]
    there = {player for number in event.instead_of if number in running for player in running[number].players}
    listed = [player for _, players in event.tables for player in players]
    problems += _table_problems(event.tables) + twice(listed)
    return problems + [
        Problem("not_in_field", say("{seat} sits at none of these tables", seat=Seat(player)), field="tables")
        for player in dict.fromkeys(listed)
        if player not in there
    ]


def unmoved(state: TournamentState, event: wire.MoveUndone) -> list[Problem]:
    last = state.last_round
    if state.moves and last is not None and last.stage == state.stage:
        move = state.moves[-1]
        if (move.version, move.round) == (event.version, last.round):
            return []
    return [Problem("nothing_to_undo", say("only the last move can be undone"), field="version")]


def cut(state: TournamentState, event: wire.CutMade) -> list[Problem]:
    problems: list[Problem] = []
    if event.stage != state.stage:
        detail = say("stage {number} is being played, not stage {of}", number=state.stage, of=event.stage)
        problems.append(Problem("wrong_stage", detail, field="stage"))
    elif not state.rounds_of(event.stage):
        detail = say("stage {number} was not played", number=event.stage)
        problems.append(Problem("nothing_played", detail, field="stage"))
    if state.plan is not None and event.stage >= len(state.plan.stages):
        detail = say("stage {number} is the last one: close the tournament instead", number=event.stage)
        problems.append(Problem("wrong_stage", detail, field="stage"))
    if not event.advancing:
        problems.append(Problem("missing_field", say("nobody qualifies"), field="advancing"))
    seated = {p for r in state.rounds_of(event.stage) for t in r.tables for p in t.players}
    seated |= {p for r in state.rounds_of(event.stage) for p in r.sitting_out}
    problems += twice(event.advancing, field="advancing")
    return problems + [
        Problem("not_in_field", say("{seat} has not played in this stage", seat=Seat(player)), field="advancing")
        for player in event.advancing
        if seated.isdisjoint(state.before(player))
    ]


def uncut(state: TournamentState, event: wire.CutWithdrawn) -> list[Problem]:
    if not state.cuts or state.cuts[-1].stage != event.stage:
        detail = say("stage {number} is not the last one that was cut", number=event.stage)
        return [Problem("wrong_stage", detail, field="stage")]
    if state.rounds_of(event.stage + 1):
        detail = say("stage {number} is seated already: undo its seating first", number=event.stage + 1)
        return [Problem("already_played", detail, field="stage")]
    return []


def tie(state: TournamentState, event: wire.TieSettled) -> list[Problem]:
    problems = twice(event.order, field="order")
    if len(event.order) < 2:
        problems.append(Problem("missing_field", say("a tie has two players or more"), field="order"))
    problems += [unknown(player) for player in dict.fromkeys(event.order) if player not in state.entrants]
    if event.method == "lots" and not event.seed:
        detail = say("lots need a draw code, so that anybody can repeat the draw")
        problems.append(Problem("missing_field", detail, field="seed"))
    return problems
