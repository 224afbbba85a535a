"""What is wrong with a draft, a prepared plan or a seating by standing, and what is merely unlucky about it.

Rules: docs/how-to/seating.md, section 8. Errors break a firm wish, or seat somebody twice or not at all; warnings are
left to the director. Knows nothing of who made the seating.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.problems import Problem
from tournaments.draw.plans import SMALLEST_TABLE, Pair, SeatedRound, SeatedTable, Wishes, meetings

MOST_VISITS = 2

History = Sequence[SeatedRound]


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What speaks against a seating: it cannot be published with errors, but with warnings it can."""

    errors: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()


def check(plan: SeatedRound, wishes: Wishes, history: History = ()) -> Findings:
    """All errors and all warnings of one round after those of `history`."""
    errors = [*_attendance(plan, wishes), *_numbers(plan), *_sizes(plan, wishes), *_firm(plan, wishes)]
    warnings = [
        *_evenness(plan, wishes),
        *_met_again(plan, wishes, history),
        *_club_mates(plan, wishes),
        *_visits(plan, wishes, history),
        *_sit_outs(plan, wishes, history),
        *_dealers(plan, wishes, history),
    ]
    return Findings(errors=tuple(errors), warnings=tuple(warnings))


def check_rounds(plan: Sequence[SeatedRound], wishes: Wishes, history: History = ()) -> tuple[Findings, ...]:
    """The findings of each round of a prepared plan, each with the rounds before it as its past."""
    past = tuple(history)
    return tuple(check(one, wishes, (*past, *plan[:number])) for number, one in enumerate(plan))


def _attendance(plan: SeatedRound, wishes: Wishes) -> Iterator[Problem]:
    places = Counter(key for table in plan.tables for key in table.seats)
    places.update(plan.sits_out)
    known = set(wishes.keys)
    for key in wishes.keys:
        if not places[key]:
            yield _said("not_seated", key, "players", f"{wishes.called(key)} has no seat and does not sit out")
    for key, times in places.items():
        if key not in known:
            yield _said("player_unknown", key, "players", f"{key} is seated but not on the list of players")
        if times > 1:
            yield _said("seated_twice", key, "players", f"{wishes.called(key)} has {times} places in this round")


def _numbers(plan: SeatedRound) -> Iterator[Problem]:
    for number, times in Counter(table.number for table in plan.tables).items():
        if times > 1:
            yield _said("table_twice", None, "tables", f"there are {times} tables with the number {number}")


def _sizes(plan: SeatedRound, wishes: Wishes) -> Iterator[Problem]:
    sizes = wishes.sizes
    listed = ", ".join(str(size) for size in sorted(set(sizes.allowed)))
    for table in plan.tables:
        if len(table.seats) not in sizes.allowed:
            many = len(table.seats)
            detail = f"table {table.number} has {many} {'player' if many == 1 else 'players'}; allowed are {listed}"
            yield _said("size_not_allowed", None, "sizes.allowed", detail)
    if sizes.most_tables is not None and len(plan.tables) > sizes.most_tables:
        detail = f"{len(plan.tables)} tables are laid, but the room has {sizes.most_tables}"
        yield _said("room_too_small", None, "sizes.most_tables", detail)


def _firm(plan: SeatedRound, wishes: Wishes) -> Iterator[Problem]:
    table_of = plan.table_of
    for apart in wishes.apart:
        table = table_of.get(apart.one)
        if table is not None and table is table_of.get(apart.other):
            one, other = wishes.called(apart.one), wishes.called(apart.other)
            detail = f"{one} and {other} are to be kept apart, but both sit at table {table.number}"
            yield _said("kept_apart", apart.one, "apart", detail)
    for fixed in wishes.fixed:
        table = table_of.get(fixed.player)
        if table is not None and table.number != fixed.table:
            detail = f"{wishes.called(fixed.player)} needs table {fixed.table}, but sits at table {table.number}"
            yield _said("fixed_table", fixed.player, "fixed", detail)


def _evenness(plan: SeatedRound, wishes: Wishes) -> Iterator[Problem]:
    sizes = {len(table.seats) for table in plan.tables}
    if sizes and max(sizes) - min(sizes) > 1:
        detail = f"tables have {min(sizes)} to {max(sizes)} players; they should differ by one at most"
        yield _said("sizes_uneven", None, "sizes", detail)
    for table in plan.tables:
        if len(table.seats) == SMALLEST_TABLE != wishes.sizes.preferred:
            yield _said("table_of_two", None, "sizes", f"table {table.number} has only {SMALLEST_TABLE} players")


def _met_again(plan: SeatedRound, wishes: Wishes, history: History) -> Iterator[Problem]:
    before = meetings(history)
    for table, pair in _pairs(plan):
        times = before[pair]
        if times:
            one, other = _in_order(pair, wishes)
            detail = f"{one} and {other} meet again at table {table.number}; they have met {_times(times)} before"
            yield _said("met_before", min(pair), "meetings", detail)


def _club_mates(plan: SeatedRound, wishes: Wishes) -> Iterator[Problem]:
    if not wishes.clubs_apart:
        return
    clubs = {player.key: player.club for player in wishes.players if player.club}
    for table, pair in _pairs(plan):
        one, other = sorted(pair)
        if one in clubs and clubs[one] == clubs.get(other):
            first, second = _in_order(pair, wishes)
            detail = f"{first} and {second}, both of {clubs[one]}, meet at table {table.number}"
            yield _said("club_mates", one, "clubs_apart", detail)


def _visits(plan: SeatedRound, wishes: Wishes, history: History) -> Iterator[Problem]:
    before = Counter((key, table.number) for past in history for table in past.tables for key in table.seats)
    fixed = {wish.player for wish in wishes.fixed}
    for table in plan.tables:
        for key in table.seats:
            times = before[key, table.number]
            if times >= MOST_VISITS and key not in fixed:
                detail = f"{wishes.called(key)} has sat {_times(times)} at table {table.number} before"
                yield _said("table_again", key, "tables", detail)


def _sit_outs(plan: SeatedRound, wishes: Wishes, history: History) -> Iterator[Problem]:
    before = Counter(key for past in history for key in past.sits_out)
    fewest = min((before[key] for key in wishes.keys), default=0)
    for key in plan.sits_out:
        if before[key] > fewest:
            detail = f"{wishes.called(key)} has sat out {_times(before[key])}, somebody else {_times(fewest)}"
            yield _said("sits_out_again", key, "sits_out", detail)


def _dealers(plan: SeatedRound, wishes: Wishes, history: History) -> Iterator[Problem]:
    dealt = Counter(table.dealer for past in (*history, plan) for table in past.tables if table.seats)
    fewest = min((dealt[key] for key in wishes.keys), default=0)
    for table in plan.tables:
        if table.seats and dealt[table.dealer] > fewest + 1:
            times = _times(dealt[table.dealer])
            detail = f"{wishes.called(table.dealer)} would have dealt first {times}, somebody else {_times(fewest)}"
            yield _said("deals_again", table.dealer, "dealer", detail)


def _pairs(plan: SeatedRound) -> Iterator[tuple[SeatedTable, Pair]]:
    for table in plan.tables:
        for pair in combinations(sorted(set(table.seats)), 2):
            yield table, frozenset(pair)


def _in_order(pair: Iterable[str], wishes: Wishes) -> list[str]:
    return [wishes.called(key) for key in sorted(pair)]


def _said(code: str, seat: str | None, field: str, detail: str) -> Problem:
    return Problem(code=code, seat=seat, field=field, detail=detail)


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
