"""A whole simulated night of 48 players, from first entry to winner, and the proof of it; and one of 200, looked at.

Processor time of this process, through the same deeds as at a table, on a fresh SQLite database. The format is the
first that suits: half of the field goes on, then a table of six; and the longest, seven rounds of four.

The night of 200 players over seven rounds is then served, and asked for over HTTP as its spectators do: processor time
of the web process for each request, and bytes that travel. `first` is asked right after a deal was corrected,
`kept` again, `unchanged` with the tag. `bare` is a probe: the server, and the middleware that stands before it. Then
the pages of its director, and those of a player.

    python -m benchmarks.bench_night [--json]
"""

import http.client
import json
import os
import statistics
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit

from benchmarks.figures import tell, throwaway_site
from benchmarks.serving import cpu_seconds, served_site, web_process

PLAYERS, PRESET, SEED = 48, "pool_101", "20260131"
FORMATS = {"night_s": "48_24_6", "seven_rounds_s": "seven_rounds_of_four"}
LOOKED_AT, REQUESTS, NEWS = 200, 60, 12
AT_MOST = {
    "night_s": 60.0,
    "seven_rounds_s": 60.0,
    **dict.fromkeys(("part_unchanged_ms", "json_unchanged_ms"), 1.2),
    **dict.fromkeys(("json_kept_ms", "api_kept_ms"), 2.0),
    **dict.fromkeys(("json_kb", "api_kb"), 40.0),
    **dict.fromkeys(("json_first_ms", "api_first_ms"), 15.0),
    "page_kept_ms": 6.0,
    "page_kb": 100.0,
    "page_first_ms": 40.0,
    **dict.fromkeys(("rounds_ms", "today_ms"), 20.0),
    **dict.fromkeys(("dashboard_ms", "money_ms", "explanation_ms"), 25.0),
    "player_ms": 12.0,
    "rounds_kb": 120.0,
    "today_kb": 60.0,
    "money_kb": 80.0,
}
_PACKED = {"Accept-Encoding": "gzip"}
Ask = Callable[..., tuple[int, str, int]]


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_most=AT_MOST)


def figures() -> dict[str, float]:
    """Every figure, in a database of its own that is thrown away."""
    with throwaway_site(LOG_LEVEL="ERROR"):
        from django.core.management import call_command  # noqa: PLC0415 - the site comes first

        found: dict[str, float] = {}
        for name, wanted in FORMATS.items():
            found |= _played(name, wanted)
        with open(os.devnull, "w", encoding="ascii") as nowhere:
            for command in ("verify_log", "check_ledger"):
                call_command(command, stdout=nowhere)
            call_command("rebuild", check=True, stdout=nowhere)
        return found | _looked_at()


def _played(name: str, wanted: str) -> dict[str, float]:
    """Seconds for one night, and how many deals it had."""
    from tournaments.rehearsal import rehearsal_club  # noqa: PLC0415

    start = time.process_time()
    night = _night(rehearsal_club(), PLAYERS, wanted, is_real=False)
    seconds = time.process_time() - start
    return {name: seconds, name.removesuffix("_s") + "_deals": float(night.told["deal_recorded"])}


def _night(club: Any, players: int, wanted: str, *, is_real: bool) -> Any:
    from django.utils.timezone import now  # noqa: PLC0415

    from tournaments.rehearsal.night import NightDraft, simulate_night  # noqa: PLC0415

    draft = NightDraft(players=players, preset=PRESET, seed=SEED, format=wanted, is_real=is_real)
    night = simulate_night(club, draft, now=now())
    if len(night.winners) != 1:
        raise AssertionError(f"{night.winners} won")
    return night


def _looked_at() -> dict[str, float]:
    """The night of 200 as its spectators ask for it."""
    from django.conf import settings  # noqa: PLC0415

    from tournaments.models import Club  # noqa: PLC0415

    club = Club.objects.create(name="Looked at", slug="looked-at", is_published=True)
    tournament = _night(club, LOOKED_AT, FORMATS["seven_rounds_s"], is_real=True).tournament
    bare = f"/c/{club.slug}/t/{tournament.slug}/"
    board = f"/en-gb{bare}"
    paths = {"part": f"{board}board/", "json": f"{bare}board.json", "page": board}
    paths["api"] = f"/api/v1/tournaments/{tournament.pk}/leaderboard/"
    with served_site(SECRET_KEY=settings.SECRET_KEY) as site:
        ask, web = _door(site.address), web_process(site.pid)
        found = {"bare_ms": _cpu_ms(web, lambda: ask("/healthz"))}
        for name, path in paths.items():
            status, tag, size = ask(path)
            if status != 200 or ask(path, tag)[0] != 304:
                raise AssertionError(f"{path} answers {status}")
            found |= {
                f"{name}_kb": size / 1000,
                f"{name}_unchanged_ms": _cpu_ms(web, partial(ask, path, tag)),
                f"{name}_kept_ms": _cpu_ms(web, partial(ask, path)),
                f"{name}_first_ms": _cpu_ms(web, partial(ask, path), _news(tournament), times=NEWS),
            }
        return found | _directed(tournament, site.address, web)


def _directed(tournament: Any, address: str, web: int) -> dict[str, float]:
    """The same night as its director and a player look at it, whole pages that travel uncompressed."""
    club, page = tournament.club, f"/admin/tournaments/tournament/{tournament.pk}"
    board = f"/en-gb/c/{club.slug}/t/{tournament.slug}/"
    player = tournament.standings.order_by("pk").first().player_id
    paths = {
        "rounds": f"{board}rounds/",
        "dashboard": f"{page}/night/",
        "today": "/admin/",
        "money": f"{page}/money/",
        "explanation": f"{board}who/{player}/",
        "player": f"/en-gb/c/{club.slug}/p/{player}/",
    }
    ask, found = _door(address, {"Cookie": _signed_in(club)}), dict[str, float]()
    for name, path in paths.items():
        status, _, size = ask(path)
        if status != 200:
            raise AssertionError(f"{path} answers {status}")
        found |= {f"{name}_kb": size / 1000, f"{name}_ms": _cpu_ms(web, partial(ask, path))}
    return found


def _signed_in(club: Any) -> str:
    """The cookie of a session of the club's owner."""
    from django.contrib.auth import get_user_model  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from tournaments.models import Membership, Role  # noqa: PLC0415

    owner = get_user_model().objects.create_user("night-owner", is_staff=True)
    Membership.objects.create(user=owner, club=club, role=Role.OWNER)
    client = Client()
    client.force_login(owner)
    return client.cookies.output(attrs=[], header="", sep=";").strip()


def _door(address: str, more: Mapping[str, str] = _PACKED) -> Ask:
    """Asks on one connection that stays, as a browser does: the status, the tag and the bytes that travelled."""
    line = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)

    def ask(path: str, tag: str = "") -> tuple[int, str, int]:
        line.request("GET", path, headers={**more, **({"If-None-Match": tag} if tag else {})})
        answer = line.getresponse()
        return answer.status, answer.headers.get("ETag", ""), len(answer.read())

    return ask


def _news(tournament: Any) -> Callable[[], None]:
    """A deal as the night has it: the last one of a table of the last round but one, corrected by a point each time."""
    from django.utils.timezone import now  # noqa: PLC0415

    from tournaments import log  # noqa: PLC0415
    from tournaments.log.context import CommandContext  # noqa: PLC0415
    from tournaments.models import Scoresheet  # noqa: PLC0415
    from tournaments.tables.commands.record import record_wire_event  # noqa: PLC0415

    last = tournament.tables.latest("round").round
    sheets = Scoresheet.objects.filter(table__tournament=tournament, table__round=last - 1, deals__gt=1)
    sheet = sheets.earliest("table__number")
    facts = log.read(tournament.club_id, sheet.table_id)
    deal = json.loads(next(fact.body for fact in reversed(facts) if fact.kind == "deal_recorded"))
    lost = next(each for each in deal["sheet"]["outcomes"].values() if each.get("count"))
    counts = cycle((lost["count"], lost["count"] + (1 if lost["count"] < 40 else -1)))

    def change() -> None:
        lost["count"] = next(counts)
        raw = {"kind": "deal_corrected", "reason": "misread", "deal": deal["deal"], **deal["sheet"]}
        version = Scoresheet.objects.get(pk=sheet.pk).version
        record_wire_event(sheet.table_id, raw, expected=version, context=CommandContext(actor="user:1", now=now()))

    return change


def _cpu_ms(
    web: int, deed: Callable[[], object], before: Callable[[], None] | None = None, *, times: int = REQUESTS
) -> float:
    """The median of many times, after some that are not counted."""
    spent = []
    for _ in range(times + 3):
        if before is not None:
            before()
        start = cpu_seconds(web)
        deed()
        # The server ends a request a moment after its answer has arrived.
        time.sleep(0.003)
        spent.append(cpu_seconds(web) - start)
    return statistics.median(spent[3:]) * 1000


if __name__ == "__main__":
    main()
