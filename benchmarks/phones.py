"""Phones of a club that look at a board and send deals, each on a connection that stays."""

import asyncio
import gzip
import json
import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult


@dataclass(slots=True)
class Seen:
    """What came to all spectators."""

    seconds: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    unchanged: int = 0
    news: list[float] = field(default_factory=list)
    last_deal: float = 0.0


async def spectator(at: SplitResult, seen: Seen, until: float, *, every: float, after: float) -> None:
    """One page that is open: the whole part once, then what is new, on a connection that stays."""
    await asyncio.sleep(after)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    tag, base, known = "", "", 0.0
    while time.monotonic() < until:
        start = time.monotonic()
        writer.write(_asking(f"{at.path}?since={base}" if base else at.path, at.netloc, tag))
        status, body, size = await answer_of(reader)
        seen.seconds.append(time.monotonic() - start)
        seen.unchanged += status == 304
        if status == 200:
            if base:
                seen.sizes.append(size)
            tag, base = _shown(body)
            if known != seen.last_deal:
                known = seen.last_deal
                seen.news.append(time.monotonic() - known)
        await asyncio.sleep(max(0.0, start + every - time.monotonic()))
    writer.close()


def _asking(path: str, host: str, tag: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Accept-Encoding: gzip", "HX-Request: true"]
    return "\r\n".join([*lines, *([f"If-None-Match: {tag}"] if tag else []), "", ""]).encode()


async def answer_of(reader: asyncio.StreamReader) -> tuple[int, str, int]:
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


@dataclass(slots=True)
class Sent:
    """What came of the deals of all tables."""

    seconds: list[float] = field(default_factory=list)
    refused: int = 0
    stored: list[str] = field(default_factory=list)


async def scorer(at: SplitResult, secret: str, writes: AsyncIterator[Any], sent: Sent) -> None:
    """One table: each deal as it comes on a connection of its own, sent again under its key until it is stored."""
    async for write in writes:
        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        status = 0
        while status != 201:
            start = time.monotonic()
            writer.write(_sending(write, at.netloc, secret))
            status, body, _ = await answer_of(reader)
            sent.seconds.append(time.monotonic() - start)
            if status == 503:
                sent.refused += 1
                await asyncio.sleep(1)
            elif status != 201:
                raise AssertionError(f"{status}: {body}")
        sent.stored.append(write.key)
        writer.close()


def _sending(write: Any, host: str, secret: str) -> bytes:
    body = json.dumps(write.body).encode()
    lines = [f"POST {write.path} HTTP/1.1", f"Host: {host}", f"Authorization: Bearer {secret}"]
    lines += [f"Idempotency-Key: {write.key}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body
