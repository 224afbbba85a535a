"""What 200 spectators cost who look at one board every two seconds while a deal is recorded every ten, on SQLite.

The site is served as `make demo` serves it; the figure is the processor time of its web process. A spectator asks as
the page does: with the tag and the base of what it shows. The board is that of a large evening of 200 players.

    python -m benchmarks.bench_spectators [--json]
"""

import asyncio
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from benchmarks.evenings import LargeTournament, large_tournament
from benchmarks.figures import sized, tell, throwaway_site
from benchmarks.phones import Seen, spectator
from benchmarks.serving import cpu_seconds, served_site, web_process

SPECTATORS, EVERY_SECONDS, DEAL_EVERY_SECONDS, SECONDS, WARM_SECONDS = sized(
    (200, 2.0, 10.0, 30.0, 6.0), smallest=(2, 0.2, 1.0, 3.0, 0.5)
)
AT_MOST = {"web_core_percent": 50.0, "largest_news_kb": 20.0, "slowest_news_s": 4.0}


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_most=AT_MOST)


def figures() -> dict[str, float]:
    """Every figure, in a database that is thrown away."""
    with throwaway_site(LOG_LEVEL="ERROR"):
        state = large_tournament()
        with served_site() as site:
            return asyncio.run(_watched(state, site.address, site.pid))


async def _watched(state: LargeTournament, address: str, pid: int) -> dict[str, float]:
    web = web_process(pid)
    seen, until = Seen(), time.monotonic() + WARM_SECONDS + SECONDS
    at = urlsplit(address + state.board + "board/")
    starts = (number * EVERY_SECONDS / SPECTATORS for number in range(SPECTATORS))
    watching = [asyncio.create_task(spectator(at, seen, until, every=EVERY_SECONDS, after=start)) for start in starts]
    await asyncio.sleep(WARM_SECONDS)
    begun, used = time.monotonic(), cpu_seconds(web)
    seen.sizes.clear()
    seen.seconds.clear()
    seen.unchanged = 0
    await _deals(state, seen, until)
    share = (cpu_seconds(web) - used) / (time.monotonic() - begun)
    await asyncio.gather(*watching)
    return {
        "web_core_percent": 100 * share,
        "answers_a_second": len(seen.seconds) / SECONDS,
        "unchanged": float(seen.unchanged),
        "news": float(len(seen.sizes)),
        "largest_news_kb": max(seen.sizes) / 1000,
        "slowest_news_s": max(seen.news),
        "answer_p95_ms": statistics.quantiles(seen.seconds, n=20)[-1] * 1000,
    }


async def _deals(state: LargeTournament, seen: Seen, until: float) -> None:
    """A deal now and then, by a process beside the site's, on a thread whose connection is its own."""
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(max_workers=1) as scorer:
        while time.monotonic() < until - DEAL_EVERY_SECONDS / 2:
            await loop.run_in_executor(scorer, state.deal, state.playing[0])
            seen.last_deal = time.monotonic()
            await asyncio.sleep(DEAL_EVERY_SECONDS)


if __name__ == "__main__":
    main()
