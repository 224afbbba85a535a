"""A player's nights as drawings: the score of a deal, and how often shows, drops and wrong shows happen.

Only geometry and words; the template draws with classes, as for the race of a table. Each drawing has a table of the
same numbers. Knows nothing of the database.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from math import ceil, floor

from django.utils.translation import gettext

from scoring.rules.variants import variant
from tournaments.boards.players import PlayerNight
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.translating import translate
from tournaments.web.public.tables.charts import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    SAMPLE,
    WIDTH,
    Scale,
    Series,
    Tick,
    round_numbers,
    with_labels,
)

# A line that is alone has no label beside it.
UNLABELLED = RIGHT + SAMPLE
MOST_GAMES = 3
MOST_DAYS = 6
MOST_NIGHTS = 60
EACH = 100

Measure = Callable[[PlayerNight], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One night of a drawing: its day, what it was, and the numbers of all lines as they are printed."""

    day: str
    name: str
    slug: str
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightsChart:
    """One drawing: lines over nights, the oldest first."""

    key: str
    title: str
    note: str
    series: tuple[Series, ...]
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    zero_y: float | None
    points: tuple[Point, ...]
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM
    width: int = WIDTH
    height: int = HEIGHT
    sample_x: int = RIGHT + 14
    sample_end: int = RIGHT + 14 + SAMPLE
    label_x: int = RIGHT + 14 + SAMPLE + 6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """What one line of a drawing measures of a night, and how the number is printed."""

    title: str
    measure: Measure
    said: Callable[[float], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What is to be drawn."""

    key: str
    title: str
    note: str
    lines: tuple[_Line, ...]


def score_charts(nights: Sequence[PlayerNight], zone: tzinfo) -> list[NightsChart]:
    """The score of a deal, night by night: a drawing for each of the games played most."""
    games = Counter(night.tournament.variant for night in nights if night.counts.deals)
    drawn = []
    for name, _ in games.most_common(MOST_GAMES):
        line = _Line(title=gettext("Score per deal"), measure=_per_deal, said=_tenths)
        game = translate(variant(name).title)
        plan = _Plan(
            key=f"score-{name.replace('_', '-')}",
            title=gettext("Score per deal: {game}").format(game=game),
            note=_direction([night for night in nights if night.tournament.variant == name]),
            lines=(line,),
        )
        drawn.append(_drawn(plan, [night for night in nights if night.tournament.variant == name], zone))
    return [chart for chart in drawn if chart is not None]


def rates_chart(nights: Sequence[PlayerNight], zone: tzinfo) -> NightsChart | None:
    """Shows, drops and wrong shows of a night, each for a hundred deals."""
    plan = _Plan(
        key="rates",
        title=gettext("Shows, drops and wrong shows"),
        note=gettext("Out of a hundred deals of the tournament."),
        lines=(
            _Line(title=gettext("Shows"), measure=lambda each: _rate(each, each.counts.shows), said=_whole),
            _Line(title=gettext("Drops"), measure=lambda each: _rate(each, each.counts.drops), said=_whole),
            _Line(title=gettext("Wrong shows"), measure=lambda each: _rate(each, each.counts.wrong_shows), said=_whole),
        ),
    )
    return _drawn(plan, nights, zone)


def _direction(nights: Sequence[PlayerNight]) -> str:
    if nights[0].low_is_good:
        return gettext("The fewer, the better.")
    return gettext("The more, the better.")


def _per_deal(night: PlayerNight) -> float:
    return round(night.score / night.counts.deals, 1)


def _rate(night: PlayerNight, count: int) -> float:
    return round(EACH * count / night.counts.deals)


def _tenths(number: float) -> str:
    return formatting.decimal(f"{number:.1f}")


def _whole(number: float) -> str:
    return formatting.number(int(number))


def _drawn(plan: _Plan, nights: Sequence[PlayerNight], zone: tzinfo) -> NightsChart | None:
    """The latest nights at which a deal was played, the oldest first; a single one is no line."""
    shown = [night for night in nights if night.counts.deals][:MOST_NIGHTS][::-1]
    if len(shown) < 2:
        return None
    values = [[line.measure(night) for night in shown] for line in plan.lines]
    numbers = [number for line in values for number in line]
    ticks = round_numbers(floor(min(0, *numbers)), ceil(max(1, *numbers)))
    scale = Scale(low=ticks[0], high=ticks[-1], steps=len(shown) - 1)
    return NightsChart(
        key=plan.key,
        title=plan.title,
        note=plan.note,
        series=with_labels(list(_series(plan, values, scale))),
        y_ticks=tuple(Tick(at=scale.y(number), text=formatting.number(number)) for number in ticks),
        x_ticks=tuple(_days(shown, scale, zone)),
        zero_y=scale.y(0) if scale.low < 0 else None,
        width=WIDTH if len(plan.lines) > 1 else UNLABELLED,
        points=tuple(_points(plan, shown, values, zone)),
    )


def _series(plan: _Plan, values: Sequence[Sequence[float]], scale: Scale) -> Iterator[Series]:
    for index, (line, numbers) in enumerate(zip(plan.lines, values, strict=True), start=1):
        points = [f"{scale.x(step):g},{scale.y(number):g}" for step, number in enumerate(numbers)]
        last = scale.y(numbers[-1])
        yield Series(
            number=index,
            colour=index,
            is_dashed=index > 1,
            name=line.title,
            label=line.title,
            values=", ".join(line.said(number) for number in numbers),
            pieces=(" ".join(points),),
            end_x=scale.x(len(numbers) - 1),
            end_y=last,
            label_y=last,
            is_out=False,
        )


def _days(shown: Sequence[PlayerNight], scale: Scale, zone: tzinfo) -> Iterator[Tick]:
    every = -(-len(shown) // MOST_DAYS)
    for step in range(0, len(shown), every):
        day = shown[step].tournament.starts_at.astimezone(zone).date()
        yield Tick(at=scale.x(step), text=formatting.short_day(day))


def _points(
    plan: _Plan, shown: Sequence[PlayerNight], values: Sequence[Sequence[float]], zone: tzinfo
) -> Iterator[Point]:
    for at, night in enumerate(shown):
        tournament = night.tournament
        yield Point(
            day=formatting.day(tournament.starts_at.astimezone(zone).date()),
            name=tournament.name,
            slug=tournament.slug,
            numbers=tuple(line.said(numbers[at]) for line, numbers in zip(plan.lines, values, strict=True)),
        )
