"""Computes line charts: the race of a table, and a player's tournaments: the lines and their labels.

Only geometry: the template draws it with classes, so that colours follow the theme and no style is written into the
page. Series differ in colour, dash and marker; a sample of each is shown beside its name, near where it ends.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from itertools import count, pairwise
from math import ceil, floor
from typing import NamedTuple

from django.utils.translation import gettext

from scoring.rules.variants import variant
from scoring.sheets.scoresheet import SheetLine
from tournaments.boards.players import PlayerResult
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.translating import translate
from tournaments.tables.queries.sheets import SheetPage
from tournaments.web.public.base.answers import Context
from tournaments.web.public.base.words import plain

WIDTH, HEIGHT = 620, 330
LEFT, RIGHT, TOP, BOTTOM = 40, 424, 14, 292
LABEL_GAP = 19
SAMPLE = 26
MOST_TICKS = 6
MOST_X_LABELS = 12
MOST_LABEL = 18
COLOURS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A grid line with its number."""

    at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One seat's line: its pieces (it stops where the seat is eliminated), and its label."""

    number: int
    colour: int
    is_dashed: bool
    name: str
    label: str
    values: str
    pieces: tuple[str, ...]
    end_x: float
    end_y: float
    label_y: float
    is_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart with its dimensions."""

    series: tuple[Series, ...]
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    zero_y: float | None
    finish: int | None = None
    finish_y: float | None = None
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM
    sample_x: int = RIGHT + 14
    middle_x: float = RIGHT + 14 + SAMPLE / 2
    sample_end: int = RIGHT + 14 + SAMPLE
    label_x: int = RIGHT + 14 + SAMPLE + 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Maps numbers and steps to positions on the chart."""

    low: int
    high: int
    steps: int

    def y(self, number: float) -> float:
        return round(BOTTOM - (number - self.low) * (BOTTOM - TOP) / max(1, self.high - self.low), 1)

    def x(self, step: int) -> float:
        return round(LEFT + step * (RIGHT - LEFT) / max(1, self.steps), 1)


def race_chart(page: SheetPage) -> Chart | None:
    """Return the chart of a table's race; None before the first deal."""
    steps = _steps(page)
    if not steps:
        return None
    finish = page.table.rules.finish_line(page.table.setup)
    numbers = [number for series in page.race for number in series.values]
    ticks = round_numbers(min(0, *numbers), max(*numbers, finish or 0, 1))
    scale = Scale(low=ticks[0], high=ticks[-1], steps=len(steps))
    return Chart(
        series=with_labels(list(_series(page, steps, scale))),
        y_ticks=tuple(Tick(at=scale.y(number), text=plain(number)) for number in ticks),
        x_ticks=_x_ticks(steps, scale),
        finish_y=None if finish is None else scale.y(finish),
        finish=finish,
        zero_y=scale.y(0) if scale.low < 0 else None,
    )


def _steps(page: SheetPage) -> list[tuple[int, SheetLine]]:
    """Return the lines that the race runs through, each with its place: deals, and actions that change a number."""
    counted = enumerate((line for line in page.lines if not line.is_void), start=1)
    return [(at, line) for at, line in counted if line.deal is not None or _moves(page, at)]


def _moves(page: SheetPage, at: int) -> bool:
    return any(series.values[at] != series.values[at - 1] for series in page.race)


def _series(page: SheetPage, steps: Sequence[tuple[int, SheetLine]], scale: Scale) -> Iterator[Series]:
    """Return one line per seat, in seat order."""
    for index, run in enumerate(page.race):
        values = [run.values[0], *(run.values[at] for at, _ in steps)]
        gone = [False, *(line.cells[run.seat].is_out for _, line in steps)]
        last = max(step for step, out in enumerate(gone) if not out or not gone[step - 1])
        yield Series(
            number=int(run.seat),
            colour=index % COLOURS + 1,
            is_dashed=index >= COLOURS,
            name=page.names[run.seat],
            label=_shortened(page.names[run.seat]),
            values=", ".join(plain(value) for value in values[: last + 1]),
            pieces=tuple(_pieces(values, gone, scale)),
            end_x=scale.x(last),
            end_y=scale.y(values[last]),
            label_y=scale.y(values[last]),
            is_out=gone[-1],
        )


def _pieces(values: Sequence[int], gone: Sequence[bool], scale: Scale) -> Iterator[str]:
    """Return the periods in which a seat was in play, each as the points of a line up to its elimination."""
    points: list[str] = []
    for step, value in enumerate(values):
        was_out = step > 0 and gone[step - 1]
        if was_out and points:
            yield " ".join(points)
            points = []
        if not (was_out and gone[step]):
            points.append(f"{scale.x(step):g},{scale.y(value):g}")
    if points:
        yield " ".join(points)


def with_labels(series: list[Series]) -> tuple[Series, ...]:
    """Move labels apart so that none covers another, in the order in which the lines end."""
    order = sorted(range(len(series)), key=lambda index: series[index].end_y)
    places = {index: series[index].label_y for index in order}
    for before, index in pairwise(order):
        places[index] = max(places[index], places[before] + LABEL_GAP)
    lowest = float(BOTTOM + 6)
    for index in reversed(order):
        places[index] = min(places[index], lowest)
        lowest = places[index] - LABEL_GAP
    return tuple(replace(line, label_y=round(places[index], 1)) for index, line in enumerate(series))


def round_numbers(low: int, high: int) -> list[int]:
    """Return round numbers at equal steps around a range."""
    sizes = (factor * 10**exponent for exponent in count() for factor in (1, 2, 5))
    step = next(size for size in sizes if (high - low) <= size * (MOST_TICKS - 1))
    return list(range(low // step * step, -(-high // step) * step + 1, step))


def _x_ticks(steps: Sequence[tuple[int, SheetLine]], scale: Scale) -> tuple[Tick, ...]:
    """Return the numbers of the deals below the chart; actions between deals have none."""
    deals = [(step, line.deal) for step, (_, line) in enumerate(steps, start=1) if line.deal]
    every = -(-len(deals) // MOST_X_LABELS) or 1
    return tuple(Tick(at=scale.x(step), text=str(deal)) for step, deal in deals[::every])


def _shortened(name: str) -> str:
    return name if len(name) <= MOST_LABEL else f"{name[: MOST_LABEL - 1].rstrip()}…"


# A single line has no label.
UNLABELLED = RIGHT + SAMPLE
MOST_GAMES = 3
MOST_DAYS = 6
MOST_RESULTS = 60
EACH = 100

Measure = Callable[[PlayerResult], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsChart(Chart):
    """One chart: lines over tournaments, the oldest first. `points` are the same tournaments as rows of a table."""

    key: str
    title: str
    note: str
    points: tuple[Context, ...]


class _Line(NamedTuple):
    """What one line of a chart measures of a tournament, and how the number is formatted."""

    title: str
    measure: Measure
    formatted: Callable[[float], str]


def results_charts(results: Sequence[PlayerResult], zone: tzinfo) -> list[ResultsChart]:
    """Return every chart that has two tournaments or more."""
    return [chart for chart in (*_score_charts(results, zone), _rates_chart(results, zone)) if chart is not None]


def _score_charts(results: Sequence[PlayerResult], zone: tzinfo) -> Iterator[ResultsChart | None]:
    """The score per deal, tournament by tournament: a chart for each of the games played most."""
    per_deal = _Line(
        title=gettext("Score per deal"),
        measure=lambda result: round(result.score / result.counts.deals, 1),
        formatted=lambda number: formatting.decimal(f"{number:.1f}"),
    )
    games = Counter(result.tournament.variant for result in results if result.counts.deals)
    for name, _ in games.most_common(MOST_GAMES):
        of_game = [result for result in results if result.tournament.variant == name]
        is_low_good = of_game[0].low_is_good
        yield _drawn(
            [per_deal],
            of_game,
            zone,
            key=f"score-{name.replace('_', '-')}",
            texts=(
                gettext("Score per deal: {game}").format(game=translate(variant(name).title)),
                gettext("The fewer, the better.") if is_low_good else gettext("The more, the better."),
            ),
        )


def _rates_chart(results: Sequence[PlayerResult], zone: tzinfo) -> ResultsChart | None:
    """Shows, drops and wrong shows of a tournament, each per hundred deals."""
    lines = (
        _Line(gettext("Shows"), lambda each: _rate(each, each.counts.shows), _whole),
        _Line(gettext("Drops"), lambda each: _rate(each, each.counts.drops), _whole),
        _Line(gettext("Wrong shows"), lambda each: _rate(each, each.counts.wrong_shows), _whole),
    )
    title, note = gettext("Shows, drops and wrong shows"), gettext("Out of a hundred deals of the tournament.")
    return _drawn(lines, results, zone, key="rates", texts=(title, note))


def _rate(result: PlayerResult, count: int) -> float:
    return round(EACH * count / result.counts.deals)


def _whole(number: float) -> str:
    return formatting.number(int(number))


def _drawn(
    lines: Sequence[_Line], results: Sequence[PlayerResult], zone: tzinfo, *, key: str, texts: tuple[str, str]
) -> ResultsChart | None:
    """Draw the latest tournaments with a deal, the oldest first; none for one. `texts`: the title and the note."""
    drawn_results = [result for result in results if result.counts.deals][:MOST_RESULTS][::-1]
    if len(drawn_results) < 2:
        return None
    values = [[line.measure(result) for result in drawn_results] for line in lines]
    numbers = [number for line in values for number in line]
    ticks = round_numbers(floor(min(0, *numbers)), ceil(max(1, *numbers)))
    scale = Scale(low=ticks[0], high=ticks[-1], steps=len(drawn_results) - 1)
    return ResultsChart(
        series=with_labels(list(_result_series(lines, values, scale))),
        y_ticks=tuple(Tick(at=scale.y(number), text=formatting.number(number)) for number in ticks),
        x_ticks=tuple(_days(drawn_results, scale, zone)),
        zero_y=scale.y(0) if scale.low < 0 else None,
        width=WIDTH if len(lines) > 1 else UNLABELLED,
        points=tuple(_points(lines, drawn_results, values, zone)),
        key=key,
        title=texts[0],
        note=texts[1],
    )


def _result_series(lines: Sequence[_Line], values: Sequence[Sequence[float]], scale: Scale) -> Iterator[Series]:
    for index, (line, numbers) in enumerate(zip(lines, values, strict=True), start=1):
        points = [f"{scale.x(step):g},{scale.y(number):g}" for step, number in enumerate(numbers)]
        last = scale.y(numbers[-1])
        yield Series(
            number=index,
            colour=index,
            is_dashed=index > 1,
            name=line.title,
            label=line.title,
            values=", ".join(line.formatted(number) for number in numbers),
            pieces=(" ".join(points),),
            end_x=scale.x(len(numbers) - 1),
            end_y=last,
            label_y=last,
            is_out=False,
        )


def _days(shown: Sequence[PlayerResult], scale: Scale, zone: tzinfo) -> Iterator[Tick]:
    every = -(-len(shown) // MOST_DAYS)
    for step in range(0, len(shown), every):
        day = shown[step].tournament.starts_at.astimezone(zone).date()
        yield Tick(at=scale.x(step), text=formatting.short_day(day))


def _points(
    lines: Sequence[_Line], shown: Sequence[PlayerResult], values: Sequence[Sequence[float]], zone: tzinfo
) -> Iterator[Context]:
    """Return each tournament: its day, its title, and the formatted numbers of all lines."""
    for at, result in enumerate(shown):
        tournament = result.tournament
        yield {
            "day": formatting.day(tournament.starts_at.astimezone(zone).date()),
            "name": tournament.name,
            "slug": tournament.slug,
            "numbers": [line.formatted(numbers[at]) for line, numbers in zip(lines, values, strict=True)],
        }
