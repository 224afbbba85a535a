"""What the sheets of the Western games have in common when they are checked: who stands on them, and with what.

Rules: docs/rules/western.md, section 1 (a sheet that adds up). Knows nothing of any one game.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from scoring.problems import Problem
from scoring.rules.cards import parse_cards


class CountedSheet(Protocol):
    """A deal in which one seat went out, or nobody, and the others are counted."""

    @property
    def out(self) -> str | None: ...

    @property
    def counts(self) -> Mapping[str, int]: ...

    @property
    def hands(self) -> Mapping[str, str]: ...


def seats_on_sheet_problems(
    playing: Sequence[str], named: Mapping[str, str | None], listed: Iterable[str]
) -> list[Problem]:
    """Seats that are out, or have left, and stand on a sheet all the same."""
    detail = "{seat} is out, or does not play this deal, and cannot score"
    problems = [
        Problem(code="seat_is_out", seat=seat, field=field, detail=detail)
        for field, seat in named.items()
        if seat is not None and seat not in playing
    ]
    return problems + [
        Problem(code="seat_is_out", seat=seat, field="counts", detail=detail)
        for seat in dict.fromkeys(listed)
        if seat not in playing and seat not in named.values()
    ]


def counted_problems(
    playing: Sequence[str], sheet: CountedSheet, most: int, count: Callable[[str], int]
) -> list[Problem]:
    """Whoever went out holds nothing; everybody else holds a card at least, and no more than a hand can cost."""
    problems: list[Problem] = []
    for seat in playing:
        if seat == sheet.out:
            problems += _out_problems(seat, sheet)
        elif seat not in sheet.counts and seat not in sheet.hands:
            detail = "{seat} did not go out, but no count was entered"
            problems.append(Problem(code="missing_count", seat=seat, field="counts", detail=detail))
        elif seat in sheet.counts and seat in sheet.hands:
            detail = f"{{seat}} has cards and a count of {sheet.counts[seat]}: enter one of the two"
            problems.append(Problem(code="count_and_cards", seat=seat, field="counts", detail=detail))
        else:
            problems += size_problems(seat, count(seat), most)
    return problems


def dealt_problems(
    counts: Mapping[str, int], hands: Mapping[str, str], *, each: int, dearest: Callable[[int], int]
) -> list[Problem]:
    """What so many cards for each seat cannot be: a hand that is too long or too dear, and all of them together."""
    problems = [
        Problem(
            code="too_many_cards",
            seat=seat,
            field="hands",
            detail=f"{{seat}} holds {len(cards)} cards; {each} were dealt, and a hand does not grow",
        )
        for seat, written in hands.items()
        if len(cards := parse_cards(written, "hands")) > each
    ]
    most = dearest(each)
    problems += [found for seat, count in counts.items() if count for found in size_problems(seat, count, most)]
    losing = [count for count in counts.values() if count]
    all_of_it = dearest(each * len(losing))
    if not problems and sum(losing) > all_of_it:
        detail = f"the counts make {sum(losing)}; {len(losing)} hands of {each} cards never make more than {all_of_it}"
        problems.append(Problem(code="count_over_cap", field="counts", detail=detail))
    return problems


def size_problems(seat: str, count: int, most: int) -> list[Problem]:
    """A count of a hand that still holds cards."""
    if count == 0:
        detail = "{seat} has 0, but only a seat that went out holds no card"
        return [Problem(code="count_is_zero", seat=seat, field="counts", detail=detail)]
    if count > most:
        detail = f"{{seat}} has {count}; a hand never costs more than {most} here"
        return [Problem(code="count_over_cap", seat=seat, field="counts", detail=detail)]
    return []


def _out_problems(seat: str, sheet: CountedSheet) -> list[Problem]:
    if seat in sheet.hands:
        detail = "{seat} went out, but the sheet has cards left for that seat"
        return [Problem(code="winner_has_points", seat=seat, field="hands", detail=detail)]
    if sheet.counts.get(seat):
        detail = f"{{seat}} went out, so 0; the sheet says {sheet.counts[seat]}"
        return [Problem(code="winner_has_points", seat=seat, field="counts", detail=detail)]
    return []
