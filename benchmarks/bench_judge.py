"""How fast the judge counts hands: beside an exhaustive search, and for gin beside OpenSpiel and RLCard.

Every figure is processor time on one core in this run; the references deal with the same hands in the same run.

    python -m benchmarks.bench_judge [--json]
"""

import gc
import importlib
import json
import random
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

import msgspec

from benchmarks.figures import sized, tell
from scoring.lines import hand_line
from scoring.rules.arrangements import HandOptions, arrange
from scoring.rules.cards import CARDS, RANKS, SUITS, Card, parse_cards, parse_wild
from scoring.rules.variants.western.gin.deadwood import gin_deadwood
from tests.builders.exhaustive_judge import Exhaustive, House
from tests.builders.hands import SORTS, deal, wild_rank

SEED = 20_260_131
HANDS, EXHAUSTIVE_HANDS, LINES, GIN_HANDS = sized((2_000, 40, 5_000, 20_000), smallest=(10, 1, 10, 20))
BUILT = [sort for sort in SORTS if sort.startswith("built")]
ROWS = [
    msgspec.convert({"ace": ace, "joker_rule": rule, "deduct_sets": sets}, HandOptions)
    for ace, rule, sets in product(("both", "low"), ("one_natural", "any", "half", "two_natural"), (True, False))
]
Hand = tuple[list[str], str | None]


def judge_figures(*, hands: int = HANDS, exhaustive_hands: int = EXHAUSTIVE_HANDS) -> dict[str, float]:
    """Average and worst times of the judge in milliseconds, and hands a second beside the exhaustive search."""
    chance = random.Random(SEED)
    built = [deal(chance, chance.choice(BUILT)) for _ in range(hands)]
    varied = [deal(chance, chance.choice(SORTS)) for _ in range(5 * hands)]
    jokers = [deal(chance, "many-jokers") for _ in range(hands)]
    built_times = _times(built, [HandOptions()])
    varied_times = _times(varied, ROWS)
    slow = _seconds(lambda: [_exhaustive(hand) for hand in built[:exhaustive_hands]]) / exhaustive_hands
    average = statistics.mean(built_times)
    return {
        "built_hand_ms": 1000 * average,
        "worst_varied_hand_ms": 1000 * max(varied_times),
        "worst_many_jokers_ms": 1000 * max(_times(jokers, ROWS)),
        "hands_a_second": 1 / average,
        "exhaustive_hands_a_second": 1 / slow,
        "times_the_exhaustive": slow / average,
    }


def line_figures(*, lines: int = LINES) -> dict[str, float]:
    """Lines of the `hand` command a second in a batch, reading and writing JSON included."""
    chance = random.Random(SEED + 1)
    cases = [json.dumps(_case(deal(chance, chance.choice(SORTS)), chance.choice(ROWS))) for _ in range(lines)]
    spent = _seconds(lambda: [json.dumps(hand_line(json.loads(case))) for case in cases])
    return {"hand_lines_a_second": lines / spent}


def gin_figures(*, hands: int = GIN_HANDS) -> dict[str, float]:
    """Gin hands of ten cards a second, and the references where they are installed."""
    chance = random.Random(SEED + 2)
    dealt = [chance.sample(CARDS[:-1], 10) for _ in range(hands)]
    gin_deadwood(dealt[0])
    figures = {"gin_hands_a_second": hands / _seconds(lambda: [gin_deadwood(hand) for hand in dealt])}
    for name, reference in (("openspiel", _openspiel), ("rlcard", _rlcard)):
        rate = reference(dealt)
        if rate is not None:
            figures[f"{name}_hands_a_second"] = rate
            figures[f"times_{name}"] = figures["gin_hands_a_second"] / rate
    return figures


def figures() -> dict[str, float]:
    """All figures of the judge."""
    return judge_figures() | line_figures() | gin_figures()


def _times(hands: Iterable[Hand], rows: Sequence[HandOptions]) -> list[float]:
    """Seconds for each hand, the rows in turn."""
    found = []
    # What the making of the hands left behind is not the judge's to tidy up.
    gc.collect()
    for index, (cards, turned_up) in enumerate(hands):
        read, wild, options = parse_cards(cards, "cards"), parse_wild(turned_up), rows[index % len(rows)]
        start = time.process_time()
        arrange(read, wild, options)
        found.append(time.process_time() - start)
    return found


def _exhaustive(hand: Hand) -> int:
    cards, turned_up = hand
    count: int = Exhaustive(cards, wild_rank(turned_up), House()).count()
    return count


def _case(hand: Hand, options: HandOptions) -> dict[str, Any]:
    cards, turned_up = hand
    chosen = {"ace": options.ace, "joker_rule": options.joker_rule, "deduct_sets": options.deduct_sets}
    return {"cards": " ".join(cards), "wild": turned_up, "options": chosen}


def _openspiel(hands: list[list[Card]]) -> float | None:
    """OpenSpiel's own count of deadwood, its cards numbered suit by suit as ours are."""
    module = _installed("pyspiel")
    if module is None:
        return None
    count = module.gin_rummy.GinRummyUtils(len(RANKS), len(SUITS), 10).min_deadwood
    numbered = [[card.number for card in hand] for hand in hands]
    return len(hands) / _seconds(lambda: [count(hand) for hand in numbered])


def _rlcard(hands: list[list[Card]]) -> float | None:
    """RLCard's count of deadwood over its best clusters of melds, for a tenth of the hands."""
    melding = _installed("rlcard.games.gin_rummy.utils.melding")
    utils = _installed("rlcard.games.gin_rummy.utils.utils")
    base = _installed("rlcard.games.base")
    if melding is None or utils is None or base is None:
        return None
    few = [[base.Card(str(card)[1], str(card)[0]) for card in hand] for hand in hands[: len(hands) // 10]]

    def count(hand: list[Any]) -> int:
        clusters = melding.get_meld_clusters(hand)
        least: int = min([utils.get_deadwood_count(hand, cluster) for cluster in clusters] or [0])
        return least

    return len(few) / _seconds(lambda: [count(hand) for hand in few])


def _installed(name: str) -> Any | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print the figures."""
    tell(__doc__, figures)


if __name__ == "__main__":
    main()
