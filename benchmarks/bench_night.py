"""A whole simulated night of 48 players, from first entry to winner, and the proof of it; and one of 200, looked at.

Processor time of this process, through the same deeds as at a table, on a fresh SQLite database. The format is the
first that suits: half of the field goes on, then a table of six; and the longest, seven rounds of four.

The night of 200 players over seven rounds is then served, and asked for over HTTP as its spectators do: processor time
of the web process for each request, and bytes that travel. `first` is asked right after a deal was corrected,
`kept` again, `unchanged` with the tag. `bare` is a probe: the server, and the middleware that stands before it. Then
the pages of its director, and those of a player.

    python -m benchmarks.bench_night [--json]

Any other night that `manage.py simulate_night` can play is played, proved and looked at alone, with the same options:

    python -m benchmarks.bench_night --players 60 --preset gin --seed 7 [--format winners_go_on]

An unchanged answer costs no more in any night; the other limits are promised for the night of 200.
"""

import argparse
import http.client
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit

from benchmarks.figures import parser_of, report, sized, throwaway_site
from benchmarks.serving import cpu_seconds, served_site, web_process
from scoring.problems import RuleError

REQUESTS, NEWS = sized((60, 12), smallest=(2, 2))
# Raised or lowered by a point, a count stays between nothing and a full count.
SMALL_COUNT = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """A night as `manage.py simulate_night` is asked for it."""

    players: int = sized(200, smallest=16)
    preset: str = "pool_101"
    format: str = "seven_rounds_of_four"
    seed: str = "20260131"


LOOKED_AT = Night()
PLAYED = {
    "night_s": Night(players=sized(48, smallest=24), format="48_24_6"),
    "seven_rounds_s": Night(players=sized(48, smallest=16)),
}
AT_MOST_ANYWHERE = dict.fromkeys(("part_unchanged_ms", "json_unchanged_ms"), 1.2)
AT_MOST = {
    "night_s": 60.0,
    "seven_rounds_s": 60.0,
    **AT_MOST_ANYWHERE,
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


def main(words: Sequence[str] | None = None) -> None:
    """Print the figures beside what was promised. A night that cannot be played is refused with the reason."""
    parser = parser_of(__doc__)
    _add_options(parser)
    given = parser.parse_args(words)
    night = asked_night(given)
    try:
        found = figures(night)
    except RuleError as refused:
        parser.error("; ".join(problem.text() for problem in refused.problems))
    report(found, as_json=given.json, at_most=limits(night))


def _add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `manage.py simulate_night`."""
    parser.add_argument("--players", type=int, help=f"how many enter; {LOOKED_AT.players} where left out")
    parser.add_argument("--preset", help=f"what is played; {LOOKED_AT.preset} where left out")
    parser.add_argument("--format", help="a format by its name; the first that suits where left out")
    parser.add_argument("--seed", help=f"any text; {LOOKED_AT.seed} where left out")


def asked_night(given: argparse.Namespace) -> Night:
    """The night that the options describe. Other players or another preset have the format that suits them."""
    asked = {name: value for name, value in vars(given).items() if name != "json" and value is not None}
    if {"players", "preset"} & asked.keys():
        asked.setdefault("format", "")
    return Night(**asked)


def limits(night: Night) -> Mapping[str, float]:
    """What is promised for a night: all of it for the one of 200 players, of whatever seed."""
    alike = (night.players, night.preset, night.format) == (LOOKED_AT.players, LOOKED_AT.preset, LOOKED_AT.format)
    return AT_MOST if alike else AT_MOST_ANYWHERE


def figures(night: Night = LOOKED_AT) -> dict[str, float]:
    """Every figure, in a database of its own that is thrown away. Raises OptionsRejected if it cannot be played."""
    with throwaway_site(LOG_LEVEL="ERROR"):
        from tournaments.models import Club  # noqa: PLC0415 - the site comes first
        from tournaments.rehearsal import rehearsal_club  # noqa: PLC0415

        found: dict[str, float] = {}
        for name, smaller in PLAYED.items() if night == LOOKED_AT else ():
            found |= _timed(name, smaller, rehearsal_club(), is_real=False)[1]
        club = Club.objects.create(name="Looked at", slug="looked-at", is_published=True)
        tournament, told = _timed("looked_at_s", night, club, is_real=True)
        _prove()
        return found | told | _looked_at(tournament)


def _prove() -> None:
    """Prove everything that was played."""
    from django.core.management import call_command  # noqa: PLC0415

    with open(os.devnull, "w", encoding="ascii") as nowhere:
        for command in ("verify_log", "check_ledger"):
            call_command(command, stdout=nowhere)
        call_command("rebuild", check=True, stdout=nowhere)


def _timed(name: str, night: Night, club: Any, *, is_real: bool) -> tuple[Any, dict[str, float]]:
    """Play a night: the tournament, the seconds that it took, and how many tables and deals it had."""
    from django.utils.timezone import now  # noqa: PLC0415

    from tournaments.rehearsal.simulation import SimulationDraft, simulate_tournament  # noqa: PLC0415

    draft = SimulationDraft(
        players=night.players, preset=night.preset, seed=night.seed, format=night.format, is_real=is_real
    )
    start = time.process_time()
    played = simulate_tournament(club, draft, now=now())
    found = {name: time.process_time() - start}
    kind = name.removesuffix("_s")
    found |= {f"{kind}_tables": float(played.tables), f"{kind}_deals": float(played.recorded["deal_recorded"])}
    if not played.winners:
        raise AssertionError(f"nobody won {night}")
    return played.tournament, found


def _looked_at(tournament: Any) -> dict[str, float]:
    """A night as its spectators ask for it."""
    from django.conf import settings  # noqa: PLC0415

    change, club = corrections(tournament), tournament.club
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
                f"{name}_first_ms": _cpu_ms(web, partial(ask, path), change, times=NEWS),
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


def corrections(tournament: Any) -> Callable[[], None]:
    """A deal as the night has it, of a table of the last round but one, corrected by a point each time it is called."""
    for table, deal in _recorded_deals(tournament):
        correct = partial(_correct, table, deal["deal"])
        for other in _a_point_off(deal["sheet"]):
            try:
                correct(other)
            except RuleError:
                continue
            sheets = cycle((deal["sheet"], other))
            return lambda: correct(next(sheets))
    raise AssertionError(f"no deal of {tournament} can be corrected")


def _recorded_deals(tournament: Any) -> Iterator[tuple[Any, Any]]:
    """Tables of the last round but one (of the only round), each with its deals, the last deal first."""
    from tournaments import log  # noqa: PLC0415

    before_last = max(tournament.tables.latest("round").round - 1, 1)
    for table in tournament.tables.filter(round=before_last).order_by("number").values_list("id", flat=True):
        for event in reversed(log.read(tournament.club_id, table)):
            if event.kind == "deal_recorded":
                yield table, json.loads(event.body)


def _a_point_off(sheet: Any) -> Iterator[Any]:
    """The sheet of any game with one of its numbers a point higher, or lower."""
    if isinstance(sheet, dict):
        for key, value in sheet.items():
            yield from ({**sheet, key: other} for other in _a_point_off(value))
    elif isinstance(sheet, list):
        for place, value in enumerate(sheet):
            yield from ([*sheet[:place], other, *sheet[place + 1 :]] for other in _a_point_off(value))
    elif isinstance(sheet, int) and not isinstance(sheet, bool):
        yield sheet + 1 if sheet < SMALL_COUNT else sheet - 1


def _correct(table: Any, deal: int, sheet: Any) -> None:
    from django.utils.timezone import now  # noqa: PLC0415

    from tournaments.log.context import CommandContext  # noqa: PLC0415
    from tournaments.models import Scoresheet  # noqa: PLC0415
    from tournaments.tables.commands.record import record_wire_event  # noqa: PLC0415

    raw = {"kind": "deal_corrected", "reason": "misread", "deal": deal, **sheet}
    version = Scoresheet.objects.get(table_id=table).version
    record_wire_event(table, raw, expected=version, context=CommandContext(actor="user:1", now=now()))


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
