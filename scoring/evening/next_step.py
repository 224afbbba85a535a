"""What to do next: the steps of an evening in their order, how far each is, and the one that is suggested.

Rules: docs/how-to/evening.md, "The dashboard". Whether a step is done follows from the facts alone. Knows nothing of
pages: a target says where a deed is done, and others know the address.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoring.evening.plans.plan import Stage
from scoring.evening.state.state import Evening, RoundSeating, Standing
from scoring.evening.steps import Room, Step, Steps, TableSummary, Target, is_played
from scoring.rules.hands.words import counted


def next_step(evening: Evening, room: Room) -> Steps:
    """The steps of the evening. The first that is neither done nor has to wait is suggested."""
    if evening.is_cancelled:
        return _given_up(room)
    steps = [*_trouble(room), *_all_steps(evening, room)]
    place = next((n for n, step in enumerate(steps) if not step.is_done and not step.waits_for), None)
    if place is None:
        done = Step(name="over", title="Tournament finished", target=Target.BOARD, button="Show results")
        return Steps(steps=tuple(steps), suggested=done)
    steps[place] = replace(steps[place], is_next=True)
    return Steps(steps=tuple(steps), suggested=steps[place])


def _given_up(room: Room) -> Steps:
    """Nobody plays on; entries that are in the pool go back to those who paid them."""
    back = Step(
        name="settle",
        title="Refund entry fees to balances",
        target=Target.MONEY,
        button="Refund entry fees",
        is_done=not room.prizes_open,
        is_next=room.prizes_open,
    )
    over = Step(name="over", title="Tournament abandoned", target=Target.BOARD, button="Show leaderboard")
    return Steps(steps=(back,), suggested=back if room.prizes_open else over)


def _all_steps(evening: Evening, room: Room) -> Iterator[Step]:
    if evening.plan is None and (room.tables or evening.is_started):
        yield from _unplanned(evening, room)
    else:
        yield from _before(evening)
        for number in range(1, 1 + len(evening.plan.stages) if evening.plan else 2):
            yield from _stage(evening, number, room)
    yield from _after(evening, room)


def _trouble(room: Room) -> Iterator[Step]:
    """Contradictions and disputes come before everything else."""
    for table in room.tables:
        if table.has_conflict:
            yield Step(
                name="conflict",
                title=f"Conflicting records at {table.title}",
                target=Target.SCORE,
                button=f"Resolve conflict at {table.title}",
                table=table.key,
            )
        if table.has_dispute:
            yield Step(
                name="dispute",
                title=f"A deal of {table.title} is disputed",
                target=Target.SCORE,
                button=f"Resolve dispute at {table.title}",
                table=table.key,
            )


def _before(evening: Evening) -> Iterator[Step]:
    """From an empty tournament to a room full of people."""
    plan = evening.plan
    entered = [one for one in evening.entrants.values() if one.standing is Standing.ENTERED]
    here = sum(one.is_checked_in for one in entered)
    fewest = plan.stages[0].smallest_table if plan else 2
    yield Step(
        name="plan",
        title="Make plan",
        target=Target.PLAN,
        button="Make plan",
        is_done=plan is not None,
        progress=counted(len(plan.stages), "stage") if plan else "",
    )
    yield Step(
        name="enter",
        title="Enter players",
        target=Target.ENTRIES,
        button="Enter players",
        is_done=evening.is_started or len(entered) >= fewest,
        progress=f"{len(entered)} entered",
        waits_for="" if plan else "first make the plan",
    )
    yield Step(
        name="check_in",
        title="Check in players",
        target=Target.DESK,
        button="Check in players",
        is_done=evening.is_started or (len(entered) >= fewest and here == len(entered)),
        progress=f"{here} of {len(entered)} are here" if entered else "",
        waits_for="" if len(entered) >= fewest else f"at least {fewest} players must enter first",
    )


def _stage(evening: Evening, number: int, room: Room) -> Iterator[Step]:
    """A stage that is over or to come is one step; the one that is played is told round by round."""
    plan = evening.plan
    stage = plan.stages[number - 1] if plan else Stage()
    title = stage.name or f"Stage {number}"
    if number < evening.stage:
        through = len(evening.cuts[number - 1].advancing)
        played = counted(len(evening.rounds_of(number)), "round")
        progress = f"{played}, {counted(through, 'player')} qualified"
        yield replace(_told(f"stage_{number}", title, progress, is_done=True), is_named=bool(stage.name))
    elif number > evening.stage:
        waits = "finish the previous stage first"
        step = _told(f"stage_{number}", title, counted(stage.rounds, "round"), waits_for=waits)
        yield replace(step, is_named=bool(stage.name))
    else:
        yield from _rounds(evening, stage, title, room)
        if plan and number < len(plan.stages):
            yield from _cut(evening, stage, title, room)


def _rounds(evening: Evening, stage: Stage, title: str, room: Room) -> Iterator[Step]:
    """The rounds of the stage that is played: those behind us, the one in play, the next, and the rest."""
    seated = evening.rounds_of(evening.stage)
    last = seated[-1] if seated else None
    is_over = last is None or _is_over(room.tables)
    for behind in seated if is_over else seated[:-1]:
        progress = counted(len(behind.running), "table")
        yield _told(f"round_{behind.round}", f"{title}: round {behind.round} played", progress, is_done=True)
    if last is not None and not is_over:
        yield from _in_play(evening, last, stage, room)
    left = stage.rounds - len(seated)
    if left <= 0:
        return
    yield Step(
        name="seat",
        title=f"{title}: seat round {evening.next_round}",
        target=Target.SEATING,
        button=f"Seat round {evening.next_round}",
        progress=counted(len(evening.field()), "player"),
        waits_for=_why_not_seat(evening, last, stage, is_over=is_over),
    )
    if left > 1:
        waits = "finish the previous round first"
        yield _told("rounds", f"{title}: {counted(left - 1, 'more round')}", "", waits_for=waits)


def _why_not_seat(evening: Evening, last: RoundSeating | None, stage: Stage, *, is_over: bool) -> str:
    if not is_over and last is not None:
        return f"round {last.round} is still being played"
    if not evening.plan:
        return "first make the plan"
    fewest = min(2, stage.smallest_table) if evening.cuts else stage.smallest_table
    if len(evening.field()) < fewest:
        return f"{counted(len(evening.field()), 'player')} can be seated, and a table has at least {fewest}"
    return ""


def _in_play(evening: Evening, seated: RoundSeating, stage: Stage, room: Room) -> Iterator[Step]:
    """A round with tables: the clock, the deals, the last call, and closing one table after the other."""
    running = {table.number: table for table in seated.running}
    tables = [table for table in room.tables if table.round == seated.round and table.number in running]
    clock = room.clock
    yield _told(
        f"seated_{seated.round}", f"Round {seated.round} is seated", counted(len(running), "table"), is_done=True
    )
    if stage.length == "minutes":
        yield Step(
            name="clock",
            title="Start the clock",
            target=Target.CLOCK,
            button=f"Start the clock of round {seated.round}",
            is_done=clock is not None or _is_over(tables),
            progress=f"{stage.minutes} minutes",
        )
        yield Step(
            name="last_deal",
            title="Call the last deal",
            target=Target.CLOCK,
            button="Call the last deal",
            is_done=(clock is not None and clock.is_last_deal_called) or _is_over(tables),
            waits_for="" if clock is not None and clock.is_over else "when the time is up",
        )
    played = [table for table in tables if is_played(table, stage, len(running[table.number].players), clock)]
    yield from _play_and_close(room, tables, played, f"Play round {seated.round}")


def _play_and_close(
    room: Room, tables: Sequence[TableSummary], played: Sequence[TableSummary], title: str
) -> Iterator[Step]:
    """Tables that are played are closed at once; meanwhile the one that waits longest is looked after.

    Tables of earlier rounds that were opened again are among those to close.
    """
    to_close = [table for table in played if not table.is_over]
    to_close += [table for table in room.tables if table not in tables and not table.is_over]
    ready = [table for table in to_close if not table.unconfirmed and not table.has_conflict]
    held = [table for table in to_close if table.unconfirmed]
    in_play = sorted((t for t in tables if t not in played), key=lambda t: (t.waits_since, t.round, t.number))
    over = sum(table.is_over for table in tables)
    word = "last" if room.clock is not None and room.clock.is_last_deal_called else "next"
    close = Step(
        name="close_tables",
        title="Close its tables",
        target=Target.CLOSE_TABLE,
        button="Close the tables",
        is_done=bool(tables) and over == len(tables) and not to_close,
        progress=f"{over} of {counted(len(tables), 'table')} closed",
    )
    if ready:
        close = replace(close, button=f"Close {ready[0].title}", table=ready[0].key)
    elif held:
        button = f"Confirm {counted(held[0].unconfirmed, 'deal')} at {held[0].title}"
        close = replace(close, button=button, table=held[0].key, target=Target.SCORE)
    elif not close.is_done:
        close = replace(close, waits_for="no table has finished yet")
    play = Step(
        name="play",
        title=title,
        target=Target.SCORE,
        button=f"Record the {word} deal at {in_play[0].title}" if in_play else "Record the deals",
        table=in_play[0].key if in_play else "",
        is_done=not in_play and bool(tables),
        progress=f"{len(played)} of {counted(len(tables), 'table')} finished",
    )
    yield from (close, play) if ready else (play, close)


def _cut(evening: Evening, stage: Stage, title: str, room: Room) -> Iterator[Step]:
    """Level players are settled before anybody is sent home."""
    left = stage.rounds - len(evening.rounds_of(evening.stage))
    still = sum(not table.is_over for table in room.tables)
    waits_for = ""
    if left > 0:
        waits_for = f"{counted(left, 'round')} of this stage to be played first"
    elif still:
        waits_for = f"{counted(still, 'table')} not closed"
    ties = room.ties if not waits_for else 0
    if ties:
        yield Step(
            name="ties",
            title="Break ties for the cut",
            target=Target.TIES,
            button=f"Break {counted(ties, 'tie')}",
            progress=f"{counted(ties, 'tie')} open",
        )
    yield Step(
        name="cut",
        title=f"{title}: make the cut",
        target=Target.CUT,
        button="Make cut",
        waits_for=f"{counted(ties, 'tie')} to be settled first" if ties else waits_for,
    )


def _unplanned(evening: Evening, room: Room) -> Iterator[Step]:
    """Tables that were opened one by one."""
    title = f"{counted(len(room.tables), 'table')} opened"
    yield Step(
        name="seat",
        title="Seat tables",
        target=Target.ONE_TABLE,
        button="Seat a table",
        is_done=bool(room.tables),
        progress=title,
    )
    played = [table for table in room.tables if table.is_finished or table.is_over]
    yield from _play_and_close(room, room.tables, played, "Play")


def _after(evening: Evening, room: Room) -> Iterator[Step]:
    """The end: the results stand, and the prizes are paid."""
    waiting = sum(not table.is_settled for table in room.tables if table.is_over)
    yield Step(
        name="close",
        title="Close the tournament",
        target=Target.CLOSE,
        button="Close the tournament",
        is_done=evening.is_closed,
        waits_for="" if evening.is_closed else _why_not_close(evening, room),
    )
    if evening.plan is not None and evening.plan.is_rehearsal:
        return
    yield Step(
        name="settle",
        title="Settle prizes",
        target=Target.MONEY,
        button="Settle prizes",
        is_done=evening.is_closed and not waiting and not room.prizes_open,
        progress=f"{counted(waiting, 'table')} not settled" if evening.is_closed and waiting else "",
        waits_for="" if evening.is_closed else "close the tournament first",
    )


def _why_not_close(evening: Evening, room: Room) -> str:
    is_decided = bool(evening.cuts) and len(evening.field()) == 1
    if evening.plan is not None and not is_decided:
        left = len(evening.plan.stages) - evening.stage
        rounds = evening.current.rounds - len(evening.rounds_of(evening.stage)) if evening.current else 0
        if left > 0:
            return f"{counted(left, 'more stage')} to be played"
        if rounds > 0:
            return f"{counted(rounds, 'round')} to be played"
    still = sum(not table.is_over for table in room.tables)
    if still:
        return f"{counted(still, 'table')} not closed"
    return "" if room.tables else "nothing has been played"


def _is_over(tables: Sequence[TableSummary]) -> bool:
    return all(table.is_over for table in tables)


def _told(name: str, title: str, progress: str, *, is_done: bool = False, waits_for: str = "") -> Step:
    """A step with nothing to press."""
    return Step(
        name=name,
        title=title,
        target=Target.BOARD,
        button="",
        is_done=is_done,
        progress=progress,
        waits_for=waits_for,
    )
