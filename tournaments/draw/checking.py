"""What is wrong with a draft, a prepared plan or a seating by standing, and what is merely unlucky about it.

Rules: docs/how-to/seating.md, section 8. Errors break a firm wish, or seat somebody twice or not at all; warnings are
left to the director. Knows nothing of who made the seating.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.messages import Message, Seat, say, say_many
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
            yield _said(
                "not_seated", key, "players", say("{seat} has no seat and does not sit out", seat=wishes.called(key))
            )
    for key, times in places.items():
        if key not in known:
            yield _said(
                "player_unknown", key, "players", say("{seat} is seated but not on the list of players", seat=Seat(key))
            )
        if times > 1:
            yield _said(
                "seated_twice",
                key,
                "players",
                say("{seat} has {number} places in this round", seat=wishes.called(key), number=times),
            )


def _numbers(plan: SeatedRound) -> Iterator[Problem]:
    for number, times in Counter(table.number for table in plan.tables).items():
        if times > 1:
            yield _said(
                "table_twice",
                None,
                "tables",
                say("there are {number} tables with the number {table}", number=times, table=number),
            )


def _sizes(plan: SeatedRound, wishes: Wishes) -> Iterator[Problem]:
    sizes = wishes.sizes
    listed = ", ".join(str(size) for size in sorted(set(sizes.allowed)))
    for table in plan.tables:
        if len(table.seats) not in sizes.allowed:
            many = len(table.seats)
            detail = say_many(
                "table {table} has {count} player; allowed are {sizes}",
                "table {table} has {count} players; allowed are {sizes}",
                count=many,
                table=table.number,
                sizes=listed,
            )
            yield _said("size_not_allowed", None, "sizes.allowed", detail)
    if sizes.most_tables is not None and len(plan.tables) > sizes.most_tables:
        detail = say(
            "{number} tables are in use, but the room has {most}", number=len(plan.tables), most=sizes.most_tables
        )
        yield _said("room_too_small", None, "sizes.most_tables", detail)


def _firm(plan: SeatedRound, wishes: Wishes) -> Iterator[Problem]:
    table_of = plan.table_of
    for apart in wishes.apart:
        table = table_of.get(apart.one)
        if table is not None and table is table_of.get(apart.other):
            one, other = wishes.called(apart.one), wishes.called(apart.other)
            detail = say(
                "{seat} and {mate} are to be kept apart, but both sit at table {table}",
                seat=one,
                mate=other,
                table=table.number,
            )
            yield _said("kept_apart", apart.one, "apart", detail)
    for fixed in wishes.fixed:
        table = table_of.get(fixed.player)
        if table is not None and table.number != fixed.table:
            detail = say(
                "{seat} needs table {table}, but sits at table {number}",
                seat=wishes.called(fixed.player),
                table=fixed.table,
                number=table.number,
            )
            yield _said("fixed_table", fixed.player, "fixed", detail)


def _evenness(plan: SeatedRound, wishes: Wishes) -> Iterator[Problem]:
    sizes = {len(table.seats) for table in plan.tables}
    if sizes and max(sizes) - min(sizes) > 1:
        detail = say(
            "tables have {first} to {last} players; they should differ by one at most",
            first=min(sizes),
            last=max(sizes),
        )
        yield _said("sizes_uneven", None, "sizes", detail)
    for table in plan.tables:
        if len(table.seats) == SMALLEST_TABLE != wishes.sizes.preferred:
            yield _said(
                "table_of_two",
                None,
                "sizes",
                say("table {table} has only {number} players", table=table.number, number=SMALLEST_TABLE),
            )


def _met_again(plan: SeatedRound, wishes: Wishes, history: History) -> Iterator[Problem]:
    before = meetings(history)
    for table, pair in _pairs(plan):
        times = before[pair]
        if times:
            one, other = _in_order(pair, wishes)
            detail = say(
                "{seat} and {mate} meet again at table {table}; they have met {word} before",
                seat=one,
                mate=other,
                table=table.number,
                word=_times(times),
            )
            yield _said("met_before", min(pair), "meetings", detail)


def _club_mates(plan: SeatedRound, wishes: Wishes) -> Iterator[Problem]:
    if not wishes.clubs_apart:
        return
    clubs = {player.key: player.club for player in wishes.players if player.club}
    for table, pair in _pairs(plan):
        one, other = sorted(pair)
        if one in clubs and clubs[one] == clubs.get(other):
            first, second = _in_order(pair, wishes)
            detail = say(
                "{seat} and {mate}, both of {club}, meet at table {table}",
                seat=first,
                mate=second,
                club=clubs[one],
                table=table.number,
            )
            yield _said("club_mates", one, "clubs_apart", detail)


def _visits(plan: SeatedRound, wishes: Wishes, history: History) -> Iterator[Problem]:
    before = Counter((key, table.number) for past in history for table in past.tables for key in table.seats)
    fixed = {wish.player for wish in wishes.fixed}
    for table in plan.tables:
        for key in table.seats:
            times = before[key, table.number]
            if times >= MOST_VISITS and key not in fixed:
                detail = say(
                    "{seat} has sat {word} at table {table} before",
                    seat=wishes.called(key),
                    word=_times(times),
                    table=table.number,
                )
                yield _said("table_again", key, "tables", detail)


def _sit_outs(plan: SeatedRound, wishes: Wishes, history: History) -> Iterator[Problem]:
    before = Counter(key for past in history for key in past.sits_out)
    fewest = min((before[key] for key in wishes.keys), default=0)
    for key in plan.sits_out:
        if before[key] > fewest:
            detail = say(
                "{seat} has sat out {word}, somebody else {kind}",
                seat=wishes.called(key),
                word=_times(before[key]),
                kind=_times(fewest),
            )
            yield _said("sits_out_again", key, "sits_out", detail)


def _dealers(plan: SeatedRound, wishes: Wishes, history: History) -> Iterator[Problem]:
    dealt = Counter(table.dealer for past in (*history, plan) for table in past.tables if table.seats)
    fewest = min((dealt[key] for key in wishes.keys), default=0)
    for table in plan.tables:
        if table.seats and dealt[table.dealer] > fewest + 1:
            times = _times(dealt[table.dealer])
            detail = say(
                "{seat} would have dealt first {word}, somebody else {kind}",
                seat=wishes.called(table.dealer),
                word=times,
                kind=_times(fewest),
            )
            yield _said("deals_again", table.dealer, "dealer", detail)


def _pairs(plan: SeatedRound) -> Iterator[tuple[SeatedTable, Pair]]:
    for table in plan.tables:
        for pair in combinations(sorted(set(table.seats)), 2):
            yield table, frozenset(pair)


def _in_order(pair: Iterable[str], wishes: Wishes) -> list[str]:
    return [wishes.called(key) for key in sorted(pair)]


def _said(code: str, seat: str | None, field: str, detail: Message) -> Problem:
    return Problem(code=code, seat=seat, field=field, detail=detail)


def _times(count: int) -> Message:
    few = {0: say("never"), 1: say("once"), 2: say("twice")}
    return few.get(count) or say("{number} times", number=count)
