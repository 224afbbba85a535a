"""Two health probes: does the process answer, and can a club play on it right now?"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rummy_site import __version__
from rummy_site.database_release import newer_migrations, unapplied_migrations
from tournaments.projections.stale import Settling, worker_state

Finding = dict[str, Any]
# What a web process needs to record and show every event.
PLAYABLE = frozenset({"database", "migrations"})


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 with the version: the process answers; nothing else is checked."""
    return JsonResponse({"status": "ok", "version": __version__})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when database and migrations are in order, else 503, with each finding.

    A missing worker is reported but does not count: one worker serves all web processes, and a load balancer that
    removed each of them would close the site over money that can wait. With `/readyz?worker` it counts.
    """
    findings = look_around(now=timezone.now())
    deciding = {*PLAYABLE, *({"worker"} & request.GET.keys())}
    is_ready = all(findings[name]["ok"] for name in deciding)
    answer = {"status": "ready" if is_ready else "not ready", "checks": findings}
    return JsonResponse(answer, status=200 if is_ready else 503)


class ProbeMiddleware:
    """Answers probes and `/metrics` before host names are checked: a machine asks by address, not by name."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._probes: dict[str, Callable[[HttpRequest], HttpResponse]] = {"/healthz": healthz, "/readyz": readyz}
        if settings.HAS_METRICS:
            from rummy_site.operations.metrics import metrics  # noqa: PLC0415 (loads a library)

            self._probes["/metrics"] = metrics

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a probe here, pass on everything else."""
        return self._probes.get(request.path_info, self.get_response)(request)


def look_around(*, now: datetime) -> dict[str, Finding]:
    """Run each check by name, in the order in which they depend on each other."""
    looks: dict[str, Callable[[], Finding]] = {
        "database": _database,
        "migrations": _migrations,
        "worker": lambda: _worker(now=now),
    }
    findings: dict[str, Finding] = {}
    for name, look in looks.items():
        # A probe must not wait three times for one database that is down.
        is_database_away = not findings.get("database", {"ok": True})["ok"]
        findings[name] = {"ok": False, "problem": "no database"} if is_database_away else _careful(look)
    return findings


def _careful(look: Callable[[], Finding]) -> Finding:
    """Report a database that does not answer as a finding instead of failing."""
    try:
        return look()
    except Error as error:
        return {"ok": False, "problem": type(error).__name__}


def _database() -> Finding:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
    return {"ok": True, "vendor": connection.vendor}


def _migrations() -> Finding:
    waiting, newer = unapplied_migrations(), newer_migrations()
    finding: Finding = {"ok": not waiting and not newer, "unapplied": waiting}
    return {**finding, "newer": newer} if newer else finding


def _worker(*, now: datetime) -> Finding:
    state = worker_state(now=now)
    if state.last_beat is None:
        return {"ok": False, "problem": "no worker has shown itself yet"}
    age = round((now - state.last_beat).total_seconds(), 1)
    finding: Finding = {"ok": state.settling is not Settling.STOPPED, "age_seconds": age}
    if state.settling is Settling.SLOW and state.since:
        finding["broker_down_since"] = state.since.isoformat()
    return finding
