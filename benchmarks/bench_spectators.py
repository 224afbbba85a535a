"""What 200 spectators cost who look at one board every two seconds while a deal is recorded every ten, on SQLite.

The site is served as `make demo` serves it; the figure is the processor time of its web process. A spectator asks as
the page does: with the tag and the base of what it shows. The board is that of a large evening of 200 players.

    python -m benchmarks.bench_spectators [--json]
"""

import asyncio
import gzip
import json
import re
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from benchmarks.evenings import LargeEvening, large_evening
from benchmarks.figures import tell, throwaway_site
from benchmarks.serving import cpu_seconds, served_site, web_process

SPECTATORS, EVERY_SECONDS, DEAL_EVERY_SECONDS, SECONDS, WARM_SECONDS = 200, 2.0, 10.0, 30.0, 6.0
AT_MOST = {"web_core_percent": 50.0, "largest_news_kb": 20.0, "slowest_news_s": 4.0}


@dataclass(slots=True)
class Seen:
    """What came to all spectators."""

    seconds: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    unchanged: int = 0
    news: list[float] = field(default_factory=list)
    last_deal: float = 0.0


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_most=AT_MOST)


def figures() -> dict[str, float]:
    """Every figure, in a database that is thrown away."""
    with throwaway_site(LOG_LEVEL="ERROR"):
        evening = large_evening()
        with served_site() as site:
            return asyncio.run(_watched(evening, site.address, site.pid))


async def _watched(evening: LargeEvening, address: str, pid: int) -> dict[str, float]:
    web = web_process(pid)
    seen, until = Seen(), time.monotonic() + WARM_SECONDS + SECONDS
    at = urlsplit(address + evening.board + "board/")
    watching = [asyncio.create_task(_spectator(at, number, seen, until)) for number in range(SPECTATORS)]
    await asyncio.sleep(WARM_SECONDS)
    begun, used = time.monotonic(), cpu_seconds(web)
    seen.sizes.clear()
    seen.seconds.clear()
    seen.unchanged = 0
    await _deals(evening, seen, until)
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


async def _deals(evening: LargeEvening, seen: Seen, until: float) -> None:
    """A deal now and then, by a process beside the site's, on a thread whose connection is its own."""
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(max_workers=1) as scorer:
        while time.monotonic() < until - DEAL_EVERY_SECONDS / 2:
            await loop.run_in_executor(scorer, evening.deal, evening.playing[0])
            seen.last_deal = time.monotonic()
            await asyncio.sleep(DEAL_EVERY_SECONDS)


async def _spectator(at: object, number: int, seen: Seen, until: float) -> None:
    """One page that is open: the whole part once, then what is new, on a connection that stays."""
    await asyncio.sleep(number * EVERY_SECONDS / SPECTATORS)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)  # type: ignore[attr-defined]
    path, tag, base, known = at.path, "", "", 0.0  # type: ignore[attr-defined]
    while time.monotonic() < until:
        start = time.monotonic()
        writer.write(_asking(f"{path}?since={base}" if base else path, at.netloc, tag))  # type: ignore[attr-defined]
        status, body, size = await _answer(reader)
        seen.seconds.append(time.monotonic() - start)
        seen.unchanged += status == 304
        if status == 200:
            if base:
                seen.sizes.append(size)
            tag, base = _shown(body)
            if known != seen.last_deal:
                known = seen.last_deal
                seen.news.append(time.monotonic() - known)
        await asyncio.sleep(max(0.0, start + EVERY_SECONDS - time.monotonic()))
    writer.close()


def _asking(path: str, host: str, tag: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Accept-Encoding: gzip", "HX-Request: true"]
    return "\r\n".join([*lines, *([f"If-None-Match: {tag}"] if tag else []), "", ""]).encode()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, str, int]:
    """Status, text and the bytes that travelled for it."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
    body = await reader.readexactly(int(length[1])) if length else b""
    is_packed = "content-encoding: gzip" in head.lower()
    return int(head.split(" ", 2)[1]), (gzip.decompress(body) if is_packed else body).decode(), len(body)


def _shown(body: str) -> tuple[str, str]:
    """The tag and the base of what a page shows now."""
    if body.startswith("{"):
        attributes = json.loads(body)["change"][1]
        return attributes["data-tag"], attributes["data-base"]
    tag, base = re.search(r'data-tag="([^"]+)"', body), re.search(r'data-base="(\w+)"', body)
    assert tag is not None
    assert base is not None
    return tag[1].replace("&quot;", '"'), base[1]


if __name__ == "__main__":
    main()
