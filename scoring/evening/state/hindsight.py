"""An evening by what is known of it today: what was taken back never was, and the plan is the one in force.

Rules: docs/publishing.md, "The past". Knows nothing of tables or clocks.
"""

from collections.abc import Iterator, Sequence

from scoring.facts import wire
from scoring.facts.wire import Fact

Versioned = tuple[int, Fact]


def with_hindsight(facts: Sequence[Versioned]) -> tuple[Versioned, ...]:
    """The facts without those that were taken back, and without their taking back."""
    gone = {version for each in _taken_back(facts) for version in each}
    plan = next((fact for _, fact in reversed(facts) if isinstance(fact, wire.PlanMade)), None)
    return tuple(
        (version, plan if plan is not None and isinstance(fact, wire.PlanMade) else fact)
        for version, fact in facts
        if version not in gone
    )


def until_round(facts: Sequence[Versioned], number: int) -> tuple[Versioned, ...]:
    """What had happened when the round after this one was seated; everything where none was."""
    for index, (_, fact) in enumerate(facts):
        if isinstance(fact, wire.RoundSeated) and fact.round > number:
            return tuple(facts[:index])
    return tuple(facts)


def _taken_back(facts: Sequence[Versioned]) -> Iterator[set[int]]:
    """Each taking back with what it took back: a seating and its moves, a move, a re-entry, a cut and later ones."""
    for version, fact in facts:
        before = [earlier for earlier in facts if earlier[0] < version]
        match fact:
            case wire.SeatingWithdrawn():
                rounds = (v for v, f in before if isinstance(f, wire.RoundSeated) and f.round == fact.round)
                seated = max(rounds, default=version)
                moves = {v for v, f in before if isinstance(f, wire.PlayersMoved) and f.round == fact.round}
                yield {version, seated, *(move for move in moves if move > seated)}
            case wire.MoveUndone():
                yield {version, fact.version}
            case wire.ReentryUndone():
                same = (fact.player, fact.stage)
                told = (v for v, f in before if isinstance(f, wire.PlayerReentered) and (f.player, f.stage) == same)
                yield {version, max(told, default=version)}
            case wire.CutWithdrawn():
                yield {version, *(v for v, f in before if isinstance(f, wire.CutMade) and f.stage >= fact.stage)}
