"""A player's nights as drawings: the score of a deal, and how often shows, drops and wrong shows happen.

Only geometry and words; the template draws with classes, as for the race of a table. Each drawing has a table of the
same numbers. Knows nothing of the database.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from math import ceil, floor
from typing import NamedTuple

from django.utils.translation import gettext

from scoring.rules.variants import variant
from tournaments.boards.players import PlayerNight
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.translating import translate
from tournaments.web.public.base.answers import Context
from tournaments.web.public.tables.charts import (
    RIGHT,
    SAMPLE,
    WIDTH,
    Chart,
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
class NightsChart(Chart):
    """One drawing: lines over nights, the oldest first. `points` are the same nights as lines of a table."""

    key: str
    title: str
    note: str
    points: tuple[Context, ...]


class _Line(NamedTuple):
    """What one line of a drawing measures of a night, and how the number is printed."""

    title: str
    measure: Measure
    said: Callable[[float], str]


def nights_charts(nights: Sequence[PlayerNight], zone: tzinfo) -> list[NightsChart]:
    """Every drawing that has two nights or more."""
    return [chart for chart in (*_score_charts(nights, zone), _rates_chart(nights, zone)) if chart is not None]


def _score_charts(nights: Sequence[PlayerNight], zone: tzinfo) -> Iterator[NightsChart | None]:
    """The score of a deal, night by night: a drawing for each of the games played most."""
    games = Counter(night.tournament.variant for night in nights if night.counts.deals)
    for name, _ in games.most_common(MOST_GAMES):
        of_game = [night for night in nights if night.tournament.variant == name]
        is_low_good = of_game[0].low_is_good
        yield _drawn(
            [_Line(gettext("Score per deal"), _per_deal, _tenths)],
            of_game,
            zone,
            key=f"score-{name.replace('_', '-')}",
            said=(
                gettext("Score per deal: {game}").format(game=translate(variant(name).title)),
                gettext("The fewer, the better.") if is_low_good else gettext("The more, the better."),
            ),
        )


def _rates_chart(nights: Sequence[PlayerNight], zone: tzinfo) -> NightsChart | None:
    """Shows, drops and wrong shows of a night, each for a hundred deals."""
    lines = (
        _Line(gettext("Shows"), lambda each: _rate(each, each.counts.shows), _whole),
        _Line(gettext("Drops"), lambda each: _rate(each, each.counts.drops), _whole),
        _Line(gettext("Wrong shows"), lambda each: _rate(each, each.counts.wrong_shows), _whole),
    )
    title, note = gettext("Shows, drops and wrong shows"), gettext("Out of a hundred deals of the tournament.")
    return _drawn(lines, nights, zone, key="rates", said=(title, note))


def _per_deal(night: PlayerNight) -> float:
    return round(night.score / night.counts.deals, 1)


def _rate(night: PlayerNight, count: int) -> float:
    return round(EACH * count / night.counts.deals)


def _tenths(number: float) -> str:
    return formatting.decimal(f"{number:.1f}")


def _whole(number: float) -> str:
    return formatting.number(int(number))


def _drawn(
    lines: Sequence[_Line], nights: Sequence[PlayerNight], zone: tzinfo, *, key: str, said: tuple[str, str]
) -> NightsChart | None:
    """The latest nights with a deal, the oldest first; a single one is no line. `said`: the title and the note."""
    shown = [night for night in nights if night.counts.deals][:MOST_NIGHTS][::-1]
    if len(shown) < 2:
        return None
    values = [[line.measure(night) for night in shown] for line in lines]
    numbers = [number for line in values for number in line]
    ticks = round_numbers(floor(min(0, *numbers)), ceil(max(1, *numbers)))
    scale = Scale(low=ticks[0], high=ticks[-1], steps=len(shown) - 1)
    return NightsChart(
        series=with_labels(list(_series(lines, values, scale))),
        y_ticks=tuple(Tick(at=scale.y(number), text=formatting.number(number)) for number in ticks),
        x_ticks=tuple(_days(shown, scale, zone)),
        zero_y=scale.y(0) if scale.low < 0 else None,
        width=WIDTH if len(lines) > 1 else UNLABELLED,
        points=tuple(_points(lines, shown, values, zone)),
        key=key,
        title=said[0],
        note=said[1],
    )


def _series(lines: Sequence[_Line], values: Sequence[Sequence[float]], scale: Scale) -> Iterator[Series]:
    for index, (line, numbers) in enumerate(zip(lines, values, strict=True), start=1):
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
    lines: Sequence[_Line], shown: Sequence[PlayerNight], values: Sequence[Sequence[float]], zone: tzinfo
) -> Iterator[Context]:
    """Each night: its day, what it was, and the numbers of all lines as they are printed."""
    for at, night in enumerate(shown):
        tournament = night.tournament
        yield {
            "day": formatting.day(tournament.starts_at.astimezone(zone).date()),
            "name": tournament.name,
            "slug": tournament.slug,
            "numbers": [line.said(numbers[at]) for line, numbers in zip(lines, values, strict=True)],
        }
