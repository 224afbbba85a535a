"""The errors and warnings of a draft, a prepared plan or a seating by standings.

Rules: docs/how-to/seating.md, section 8. Errors break a strict restriction, or seat a player twice or not at all; some
restrictions may be broken for a reason. Warnings are left to the director. Knows nothing of who made the seating.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.messages import Message, Seat, say, say_many
from scoring.problems import Problem
from tournaments.draw import SMALLEST_TABLE, Pair, SeatedRound, SeatedTable, SeatingConstraints, meetings

MOST_VISITS = 2
# A pair that must never sit together is not among them: whoever asked for that relies on it.
BROKEN_FOR_A_REASON = frozenset({"fixed_table", "size_not_allowed", "room_too_small"})

History = Sequence[SeatedRound]


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Problems with a seating: with errors it cannot be published, or only with a reason; with warnings it can."""

    errors: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def blocking(self) -> tuple[Problem, ...]:
        """The errors with which it cannot be published at all."""
        return tuple(problem for problem in self.errors if problem.code not in BROKEN_FOR_A_REASON)

    @property
    def broken(self) -> tuple[Problem, ...]:
        """The errors with which it can be published for a reason: restrictions that could not be kept."""
        return tuple(problem for problem in self.errors if problem.code in BROKEN_FOR_A_REASON)


def check(plan: SeatedRound, constraints: SeatingConstraints, history: History = ()) -> Findings:
    """All errors and all warnings of one round after those of `history`."""
    errors = [*_attendance(plan, constraints), *_numbers(plan), *_sizes(plan, constraints), *_firm(plan, constraints)]
    warnings = [
        *_evenness(plan, constraints),
        *_met_again(plan, constraints, history),
        *_club_mates(plan, constraints),
        *_visits(plan, constraints, history),
        *_sit_outs(plan, constraints, history),
        *_dealers(plan, constraints, history),
    ]
    return Findings(errors=tuple(errors), warnings=tuple(warnings))


def _attendance(plan: SeatedRound, constraints: SeatingConstraints) -> Iterator[Problem]:
    places = Counter(key for table in plan.tables for key in table.seats)
    places.update(plan.sits_out)
    listed_keys = set(constraints.keys)
    for key in constraints.keys:
        if not places[key]:
            detail = say("{seat} has no seat and does not sit out", seat=constraints.called(key))
            yield Problem("not_seated", detail, seat=key, field="players")
    for key, times in places.items():
        if key not in listed_keys:
            detail = say("{seat} is seated but not on the list of players", seat=Seat(key))
            yield Problem("player_unknown", detail, seat=key, field="players")
        if times > 1:
            detail = say("{seat} has {number} places in this round", seat=constraints.called(key), number=times)
            yield Problem("seated_twice", detail, seat=key, field="players")


def _numbers(plan: SeatedRound) -> Iterator[Problem]:
    for number, times in Counter(table.number for table in plan.tables).items():
        if times > 1:
            detail = say("there are {number} tables with the number {table}", number=times, table=number)
            yield Problem("table_twice", detail, field="tables")


def _sizes(plan: SeatedRound, constraints: SeatingConstraints) -> Iterator[Problem]:
    sizes = constraints.sizes
    for table in plan.tables:
        if len(table.seats) not in sizes.allowed:
            detail = say_many(
                "table {table} has {count} player; allowed are {sizes}",
                "table {table} has {count} players; allowed are {sizes}",
                count=len(table.seats),
                table=table.number,
                sizes=sizes.ascending,
            )
            yield Problem("size_not_allowed", detail, field="sizes.allowed")
    if sizes.most_tables is not None and len(plan.tables) > sizes.most_tables:
        detail = say(
            "{number} tables are in use, but the room has {most}", number=len(plan.tables), most=sizes.most_tables
        )
        yield Problem("room_too_small", detail, field="sizes.most_tables")


def _firm(plan: SeatedRound, constraints: SeatingConstraints) -> Iterator[Problem]:
    table_of = plan.table_of
    for apart in constraints.apart:
        table = table_of.get(apart.one)
        if table is not None and table is table_of.get(apart.other):
            detail = say(
                "{seat} and {mate} are to be kept apart, but both sit at table {table}",
                seat=constraints.called(apart.one),
                mate=constraints.called(apart.other),
                table=table.number,
            )
            yield Problem("kept_apart", detail, seat=apart.one, field="apart")
    for fixed in constraints.fixed:
        table = table_of.get(fixed.player)
        if table is not None and table.number != fixed.table:
            detail = say(
                "{seat} needs table {table}, but sits at table {number}",
                seat=constraints.called(fixed.player),
                table=fixed.table,
                number=table.number,
            )
            yield Problem("fixed_table", detail, seat=fixed.player, field="fixed")


def _evenness(plan: SeatedRound, constraints: SeatingConstraints) -> Iterator[Problem]:
    sizes = {len(table.seats) for table in plan.tables}
    if sizes and max(sizes) - min(sizes) > 1:
        detail = say(
            "tables have {first} to {last} players; they should differ by one at most",
            first=min(sizes),
            last=max(sizes),
        )
        yield Problem("sizes_uneven", detail, field="sizes")
    for table in plan.tables:
        if len(table.seats) == SMALLEST_TABLE != constraints.sizes.preferred:
            detail = say("table {table} has only {number} players", table=table.number, number=SMALLEST_TABLE)
            yield Problem("table_of_two", detail, field="sizes")


def _met_again(plan: SeatedRound, constraints: SeatingConstraints, history: History) -> Iterator[Problem]:
    """Warnings of repeated meetings; none with a single table, where they cannot be avoided."""
    if len(plan.tables) == 1:
        return
    before = meetings(history)
    for table, pair in _pairs(plan):
        times = before[pair]
        if times:
            player, other = _in_order(pair, constraints)
            detail = say(
                "{seat} and {mate} meet again at table {table}; they have met {word} before",
                seat=player,
                mate=other,
                table=table.number,
                word=_times(times),
            )
            yield Problem("met_before", detail, seat=min(pair), field="meetings")


def _club_mates(plan: SeatedRound, constraints: SeatingConstraints) -> Iterator[Problem]:
    if not constraints.clubs_apart:
        return
    clubs = {player.key: player.club for player in constraints.players if player.club}
    for table, pair in _pairs(plan):
        player_key, other = sorted(pair)
        if player_key in clubs and clubs[player_key] == clubs.get(other):
            first, second = _in_order(pair, constraints)
            detail = say(
                "{seat} and {mate}, both of {club}, meet at table {table}",
                seat=first,
                mate=second,
                club=clubs[player_key],
                table=table.number,
            )
            yield Problem("club_mates", detail, seat=player_key, field="clubs_apart")


def _visits(plan: SeatedRound, constraints: SeatingConstraints, history: History) -> Iterator[Problem]:
    before = Counter((key, table.number) for past in history for table in past.tables for key in table.seats)
    fixed = {fixed_table.player for fixed_table in constraints.fixed}
    for table in plan.tables:
        for key in table.seats:
            times = before[key, table.number]
            if times >= MOST_VISITS and key not in fixed:
                detail = say(
                    "{seat} has sat {word} at table {table} before",
                    seat=constraints.called(key),
                    word=_times(times),
                    table=table.number,
                )
                yield Problem("table_again", detail, seat=key, field="tables")


def _sit_outs(plan: SeatedRound, constraints: SeatingConstraints, history: History) -> Iterator[Problem]:
    before = Counter(key for past in history for key in past.sits_out)
    fewest = min((before[key] for key in constraints.keys), default=0)
    for key in plan.sits_out:
        if before[key] > fewest:
            detail = say(
                "{seat} has sat out {word}, somebody else {kind}",
                seat=constraints.called(key),
                word=_times(before[key]),
                kind=_times(fewest),
            )
            yield Problem("sits_out_again", detail, seat=key, field="sits_out")


def _dealers(plan: SeatedRound, constraints: SeatingConstraints, history: History) -> Iterator[Problem]:
    dealt = Counter(table.dealer for past in (*history, plan) for table in past.tables if table.seats)
    fewest = min((dealt[key] for key in constraints.keys), default=0)
    for table in plan.tables:
        if table.seats and dealt[table.dealer] > fewest + 1:
            detail = say(
                "{seat} would have dealt first {word}, somebody else {kind}",
                seat=constraints.called(table.dealer),
                word=_times(dealt[table.dealer]),
                kind=_times(fewest),
            )
            yield Problem("deals_again", detail, seat=table.dealer, field="dealer")


def _pairs(plan: SeatedRound) -> Iterator[tuple[SeatedTable, Pair]]:
    for table in plan.tables:
        for pair in combinations(sorted(set(table.seats)), 2):
            yield table, frozenset(pair)


def _in_order(pair: Iterable[str], constraints: SeatingConstraints) -> list[str]:
    return [constraints.called(key) for key in sorted(pair)]


def _times(count: int) -> Message:
    few = {0: say("never"), 1: say("once"), 2: say("twice")}
    return few.get(count) or say("{number} times", number=count)
