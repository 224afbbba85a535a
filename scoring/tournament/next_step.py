"""What to do next: the steps of a tournament in their order, how far each is, and the suggested one.

Rules: docs/how-to/evening.md, "The dashboard". Whether a step is done follows from the events alone. Knows nothing of
pages: a target names where an action is done, and callers know its URL.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoring.messages import Message, Words, say, say_many
from scoring.tournament.money_steps import cash_steps, entry_steps, settling_steps
from scoring.tournament.plans import Stage
from scoring.tournament.state import RoundSeating, Standing, TournamentState
from scoring.tournament.steps import (
    Room,
    Step,
    Steps,
    TableSummary,
    Target,
    all_over,
    is_played,
    not_closed,
    players_message,
    record_next,
    rounds_message,
    seating_message,
    step_without_button,
    tables_message,
)

NO_PLAN = say("first make the plan")


def next_step(state: TournamentState, room: Room) -> Steps:
    """The steps of the tournament. The first that is neither done nor blocked is suggested."""
    if state.is_cancelled:
        return _given_up(room)
    steps = [*_trouble(room), *_all_steps(state, room)]
    place = next((n for n, step in enumerate(steps) if not (step.is_done or step.waits_for or step.is_offered)), None)
    if place is None:
        done = Step(name="over", title=say("Tournament finished"), target=Target.BOARD, button=say("Show results"))
        return Steps(steps=tuple(steps), suggested=done)
    steps[place] = replace(steps[place], is_next=True)
    return Steps(steps=tuple(steps), suggested=steps[place])


def _given_up(room: Room) -> Steps:
    """No one plays on; entry fees in the prize pool go back to the players who paid them."""
    back = Step(
        name="settle",
        title=say("Refund entry fees to balances"),
        target=Target.MONEY,
        button=say("Refund entry fees"),
        is_done=not room.prizes_open,
        is_next=room.prizes_open,
    )
    over = Step(name="over", title=say("Tournament abandoned"), target=Target.BOARD, button=say("Show leaderboard"))
    after = cash_steps(room.money, "") if room.money else ()
    return Steps(steps=(back, *after), suggested=back if room.prizes_open else over)


def _all_steps(state: TournamentState, room: Room) -> Iterator[Step]:
    if state.plan is None and (room.tables or state.is_started):
        yield from _unplanned(state, room)
    else:
        yield from _before(state)
        yield from entry_steps(state, room.money) if room.money else ()
        for number in range(1, 1 + len(state.plan.stages) if state.plan else 2):
            yield from _stage(state, number, room)
    yield from _after(state, room)


def _trouble(room: Room) -> Iterator[Step]:
    """Contradictions, disputes and late sheets come before all other steps."""
    for table in room.tables:
        if table.has_conflict:
            title = say("Conflicting records at {called}", called=table.title)
            yield _resolving(table, "conflict", title, say("Resolve conflict at {called}", called=table.title))
        if table.has_dispute:
            title = say("A deal of {called} is disputed", called=table.title)
            yield _resolving(table, "dispute", title, say("Resolve dispute at {called}", called=table.title))
        if table.key in room.late:
            title = say("A late sheet of {called} waits for you", called=table.title)
            review = _resolving(table, "late_sheet", title, say("Review late sheets of {called}", called=table.title))
            yield replace(review, target=Target.LATE_SHEETS)


def _resolving(table: TableSummary, name: str, title: Message, button: Message) -> Step:
    return Step(name=name, title=title, target=Target.SCORE, button=button, table=table.key)


def _before(state: TournamentState) -> Iterator[Step]:
    """From an empty tournament to the first seating."""
    plan = state.plan
    entered = [entrant for entrant in state.entrants.values() if entrant.standing is Standing.ENTERED]
    here = sum(entrant.is_checked_in for entrant in entered)
    fewest = plan.stages[0].smallest_table if plan else 2
    yield Step(
        name="plan",
        title=say("Make plan"),
        target=Target.PLAN,
        button=say("Make plan"),
        is_done=plan is not None,
        progress=say_many("{count} stage", "{count} stages", count=len(plan.stages)) if plan else "",
    )
    yield Step(
        name="enter",
        title=say("Enter players"),
        target=Target.ENTRIES,
        button=say("Enter players"),
        is_done=state.is_started or len(entered) >= fewest,
        progress=say("{number} entered", number=len(entered)),
        waits_for="" if plan else NO_PLAN,
    )
    yield Step(
        name="check_in",
        title=say("Check in players"),
        target=Target.CHECK_IN,
        button=say("Check in players"),
        is_done=state.is_started or (len(entered) >= fewest and here == len(entered)),
        progress=say("{number} of {of} are here", number=here, of=len(entered)) if entered else "",
        waits_for="" if len(entered) >= fewest else say("at least {number} players must enter first", number=fewest),
    )


def _stage(state: TournamentState, number: int, room: Room) -> Iterator[Step]:
    """A finished or later stage is one step; the one being played is listed round by round."""
    plan = state.plan
    stage = plan.stages[number - 1] if plan else Stage()
    title = stage.called or say("Stage {number}", number=number)
    if number < state.stage:
        through = len(state.cuts[number - 1].advancing)
        progress = say_many(
            "{count} round, {what} qualified",
            "{count} rounds, {what} qualified",
            count=len(state.rounds_of(number)),
            what=players_message(through),
        )
        yield step_without_button(f"stage_{number}", title, progress, is_done=True)
        if number in room.outdated:
            # It is for the director whether the cut is made again: it never holds up what is played since.
            yield Step(
                name=f"outdated_cut_{number}",
                title=say("{called}: the cut no longer fits", called=title),
                target=Target.CUT,
                button=say("Review the cut"),
                progress=room.outdated[number],
                is_offered=True,
            )
    elif number > state.stage:
        waits = say("finish the previous stage first")
        yield step_without_button(f"stage_{number}", title, rounds_message(stage.rounds), waits_for=waits)
    else:
        yield from _rounds(state, stage, title, room)
        if plan and number < len(plan.stages):
            yield from _cut(state, stage, title, room)


def _rounds(state: TournamentState, stage: Stage, title: str | Message, room: Room) -> Iterator[Step]:
    """The rounds of the stage being played: finished ones, the current, the next, and the rest."""
    seated = state.rounds_of(state.stage)
    last = seated[-1] if seated else None
    is_over = last is None or all_over(room.tables)
    for behind in seated if is_over else seated[:-1]:
        played = say("{called}: round {round} played", called=title, round=behind.round)
        yield step_without_button(f"round_{behind.round}", played, tables_message(len(behind.running)), is_done=True)
    if last is not None and not is_over:
        yield from _in_play(state, last, stage, room)
    rounds_left = stage.rounds - len(seated)
    if rounds_left <= 0:
        return
    yield Step(
        name="publish" if room.has_draft else "seat",
        title=say("{called}: seat round {round}", called=title, round=state.next_round),
        target=Target.SEATING,
        button=say("Publish the seating") if room.has_draft else seating_message(state),
        progress=say("drawn, not published") if room.has_draft else players_message(len(state.field())),
        waits_for=_why_not_seat(state, last, stage, is_over=is_over),
    )
    if rounds_left > 1:
        more = say("{called}: {number} more rounds", called=title, number=rounds_left - 1)
        if rounds_left == 2:
            more = say("{called}: {number} more round", called=title, number=1)
        yield step_without_button("rounds", more, "", waits_for=say("finish the previous round first"))


def _why_not_seat(state: TournamentState, last: RoundSeating | None, stage: Stage, *, is_over: bool) -> Words:
    if not is_over and last is not None:
        return say("round {round} is still being played", round=last.round)
    if not state.plan:
        return NO_PLAN
    fewest = min(2, stage.smallest_table) if state.cuts else stage.smallest_table
    if len(state.field()) < fewest:
        players = players_message(len(state.field()))
        return say("{kind} can be seated, and a table has at least {number}", kind=players, number=fewest)
    return ""


def _in_play(state: TournamentState, seated: RoundSeating, stage: Stage, room: Room) -> Iterator[Step]:
    """A round with tables: the clock, the deals, the last-deal call, and closing one table after the other."""
    running = {table.number: table for table in seated.running}
    tables = [table for table in room.tables if table.round == seated.round and table.number in running]
    clock = room.clock
    yield step_without_button(
        f"seated_{seated.round}",
        say("Round {round} is seated", round=seated.round),
        tables_message(len(running)),
        is_done=True,
    )
    if stage.length == "minutes":
        yield Step(
            name="clock",
            title=say("Start the clock"),
            target=Target.CLOCK,
            button=say("Start the clock of round {round}", round=seated.round),
            is_done=clock is not None or all_over(tables),
            progress=say("{number} minutes", number=stage.minutes),
        )
        yield Step(
            name="last_deal",
            title=say("Call the last deal"),
            target=Target.CLOCK,
            button=say("Call the last deal"),
            is_done=(clock is not None and clock.is_last_deal_called) or all_over(tables),
            waits_for="" if clock is not None and clock.is_over else say("when the time is up"),
        )
    played = [table for table in tables if is_played(table, stage, len(running[table.number].players), clock)]
    yield from _play_and_close(room, tables, played, say("Play round {round}", round=seated.round))


def _play_and_close(
    room: Room, tables: Sequence[TableSummary], played: Sequence[TableSummary], title: Message
) -> Iterator[Step]:
    """Finished tables are closed at once; meanwhile the table that has waited longest is shown.

    Reopened tables of earlier rounds are among those to close.
    """
    own, done = {table.key for table in tables}, {table.key for table in played}
    to_close = [table for table in played if not table.is_over]
    to_close += [table for table in room.tables if not table.is_over and table.key not in own]
    ready = [table for table in to_close if not table.unconfirmed and not table.has_conflict]
    unconfirmed_tables = [table for table in to_close if table.unconfirmed]
    in_play = sorted((t for t in tables if t.key not in done), key=lambda t: (t.waits_since, t.round, t.number))
    over = sum(table.is_over for table in tables)
    close = Step(
        name="close_tables",
        title=say("Close its tables"),
        target=Target.CLOSE_TABLE,
        button=say("Close the tables"),
        is_done=bool(tables) and over == len(tables) and not to_close,
        progress=say("{number} of {kind} closed", number=over, kind=tables_message(len(tables))),
    )
    if len(ready) > 1:
        button = say_many("Close {count} table", "Close {count} tables", count=len(ready))
        close = replace(close, button=button, target=Target.CLOSE_TABLES)
    elif ready:
        close = replace(close, button=say("Close {called}", called=ready[0].title), table=ready[0].key)
    elif unconfirmed_tables:
        button = say_many(
            "Get {count} deal confirmed at {called}",
            "Get {count} deals confirmed at {called}",
            count=unconfirmed_tables[0].unconfirmed,
            called=unconfirmed_tables[0].title,
        )
        close = replace(close, button=button, table=unconfirmed_tables[0].key, target=Target.SCORE)
    elif not close.is_done:
        close = replace(close, waits_for=_playing(len(in_play)))
    play = Step(
        name="play",
        title=title,
        target=Target.SCORE,
        button=record_next(room, in_play[0]) if in_play else say("Record the deals"),
        table=in_play[0].key if in_play else "",
        is_done=not in_play and bool(tables),
        progress=say("{number} of {kind} finished", number=len(played), kind=tables_message(len(tables))),
    )
    yield from (close, play) if ready and in_play else (play, close)


def _playing(tables: int) -> Message:
    """Why closing must wait."""
    if not tables:
        return say("no table has finished yet")
    return say_many("{count} table is playing", "{count} tables are playing", count=tables)


def _cut(state: TournamentState, stage: Stage, title: str | Message, room: Room) -> Iterator[Step]:
    """Break ties before the cut."""
    rounds_left = stage.rounds - len(state.rounds_of(state.stage))
    still = sum(not table.is_over for table in room.tables)
    waits_for: Words = ""
    if rounds_left > 0:
        waits_for = say_many(
            "{count} round of this stage to be played first",
            "{count} rounds of this stage to be played first",
            count=rounds_left,
        )
    elif still:
        waits_for = not_closed(still)
    ties = room.ties if not waits_for else 0
    if ties:
        yield Step(
            name="ties",
            title=say("Break ties for the cut"),
            target=Target.TIES,
            button=say_many("Break {count} tie", "Break {count} ties", count=ties),
            progress=say_many("{count} tie open", "{count} ties open", count=ties),
        )
    yield Step(
        name="cut",
        title=say("{called}: make the cut", called=title),
        target=Target.CUT,
        button=say("Make cut"),
        waits_for=say_many("break {count} tie first", "break {count} ties first", count=ties) if ties else waits_for,
    )


def _unplanned(state: TournamentState, room: Room) -> Iterator[Step]:
    """Tables that were opened one by one."""
    opened = say_many("{count} table opened", "{count} tables opened", count=len(room.tables))
    yield Step(
        name="seat",
        title=say("Seat tables"),
        target=Target.ONE_TABLE,
        button=say("Seat a table"),
        is_done=bool(room.tables),
        progress=opened,
    )
    played = [table for table in room.tables if table.is_finished or table.is_over]
    yield from _play_and_close(room, room.tables, played, say("Play"))


def _after(state: TournamentState, room: Room) -> Iterator[Step]:
    """The end: the results are final, and the prizes are paid."""
    yield Step(
        name="close",
        title=say("Close the tournament"),
        target=Target.CLOSE,
        button=say("Close the tournament"),
        is_done=state.is_closed,
        waits_for="" if state.is_closed else _why_not_close(state, room),
    )
    if state.plan is None or not state.plan.is_rehearsal:
        yield from settling_steps(state, room)


def _why_not_close(state: TournamentState, room: Room) -> Words:
    is_decided = bool(state.cuts) and len(state.field()) == 1
    if state.plan is not None and not is_decided:
        stages_left = len(state.plan.stages) - state.stage
        rounds = state.current.rounds - len(state.rounds_of(state.stage)) if state.current else 0
        if stages_left > 0:
            return say_many("{count} more stage to be played", "{count} more stages to be played", count=stages_left)
        if rounds > 0:
            return say_many("{count} round to be played", "{count} rounds to be played", count=rounds)
    still = sum(not table.is_over for table in room.tables)
    if still:
        return not_closed(still)
    return "" if room.tables else say("nothing has been played")
