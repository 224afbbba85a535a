"""What can be watched from outside, in the form of Prometheus: `/metrics`, docs/how-to/watching.md.

Requests are counted by each process in a file of its own, which prometheus-client adds up for whoever asks any of
them. Everything else is read from the database at that moment, so that it is right whichever process answers, and also
when no worker runs. No metric names a club or a person.
"""

import hmac
import shutil
from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.core.cache import caches
from django.db import Error
from django.db.models import Count, Min, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from rummy_site import __version__
from tournaments import log
from tournaments.books.queries import MOST_UNSETTLED, unsettled
from tournaments.client_addresses import client_address
from tournaments.models import Delivery, PublishedCopy, Receiver, SiteCheck
from tournaments.projections.stale import Settling, site_state, worker_state


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics as text. For everybody else than METRICS_TOKEN and METRICS_FROM name, there is no such page."""
    if not _may_watch(request):
        raise Http404
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(Site())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _may_watch(request: HttpRequest) -> bool:
    token, (scheme, _, given) = settings.METRICS_TOKEN, request.headers.get("Authorization", "").partition(" ")
    if token and scheme == "Bearer" and hmac.compare_digest(given.encode(), token.encode()):
        return True
    if not settings.PROXIES and ({"X-Forwarded-For", "Forwarded"} & request.headers.keys()):
        # A proxy that PROXIES does not name stands before the site: everybody comes from its address.
        return False
    address = client_address(request)
    return address is not None and any(address in network for network in settings.METRICS_FROM)


class Site(Collector):
    """The state of the site, at most one query for each group of metrics."""

    def collect(self) -> Iterator[Metric]:
        """Each metric. A database that does not answer is one of them, and the ones it would give are missing."""
        moment = now()
        yield from _of_machine()
        database_up = GaugeMetricFamily("rummy_database_up", "1 if the database answers")
        try:
            metrics = list(_of_database(moment))
        except Error:
            metrics = []
        database_up.add_metric([], float(bool(metrics)))
        yield database_up
        yield from metrics


def _of_machine() -> Iterator[Metric]:
    info = GaugeMetricFamily("rummy_info", "1, with the version of the code that answers", labels=["version"])
    info.add_metric([__version__], 1)
    yield info
    yield GaugeMetricFamily(
        "rummy_disk_free_bytes", "Left for data on this machine", shutil.disk_usage(settings.VAR_DIR).free
    )
    if settings.CACHE_URL:
        is_there = caches["default"].is_there()  # type: ignore[attr-defined]
        yield GaugeMetricFamily("rummy_cache_up", "1 if the shared cache answers and is not full", is_there)


def _of_database(moment: datetime) -> Iterator[Metric]:
    # The position of a club's last event is the number of its events.
    events = sum(end.position for end in log.club_ends().values())
    yield CounterMetricFamily("rummy_events", "Recorded, of all clubs", events)

    waiting = unsettled()
    yield GaugeMetricFamily(
        "rummy_settlements_waiting",
        f"Tables (counted up to {MOST_UNSETTLED:,}) and tournaments whose money is not in the books yet",
        waiting.tables + waiting.tournaments,
    )
    yield GaugeMetricFamily("rummy_settlements_failed", "Those of them that failed", waiting.failed)
    yield GaugeMetricFamily(
        "rummy_settlement_oldest_seconds", "How long the oldest of them has waited", _age(waiting.since, moment)
    )
    yield GaugeMetricFamily(
        "rummy_unsealed_oldest_seconds",
        "Age of the oldest event that no seal covers",
        _age(min(log.unsealed_since().values(), default=None), moment),
    )

    state = worker_state(now=moment)
    if state.last_beat is not None:
        yield GaugeMetricFamily(
            "rummy_worker_heartbeat_age_seconds",
            "Since the last sign of life of any worker",
            _age(state.last_beat, moment),
        )
    slow_since = state.since if state.settling is Settling.SLOW else None
    yield GaugeMetricFamily("rummy_broker_down_seconds", "Since no worker reaches the broker", _age(slow_since, moment))

    deliveries = Delivery.objects.filter(state=Delivery.State.WAITING).aggregate(
        waiting=Count("pk"), oldest=Min("told_at")
    )
    yield GaugeMetricFamily("rummy_deliveries_waiting", "Messages that wait for their receiver", deliveries["waiting"])
    yield GaugeMetricFamily(
        "rummy_delivery_oldest_seconds", "How long the oldest message has waited", _age(deliveries["oldest"], moment)
    )
    given_up = Delivery.objects.filter(state=Delivery.State.FAILED).count()
    yield GaugeMetricFamily("rummy_deliveries_failed", "Messages of the last week that were given up", given_up)
    receivers = Receiver.objects.aggregate(
        failing=Count("pk", filter=Q(is_on=True, failures__gt=0)),
        off=Count("pk", filter=Q(is_on=False) & ~Q(off_reason__in=["", Receiver.OffReason.UNSUBSCRIBED])),
    )
    yield GaugeMetricFamily(
        "rummy_receivers_failing", "Receivers of messages that did not take the last one", receivers["failing"]
    )
    yield GaugeMetricFamily(
        "rummy_receivers_off", "Receivers that were switched off because they failed", receivers["off"]
    )
    yield GaugeMetricFamily(
        "rummy_published_copies_failing",
        "Tournaments whose published files could not be written",
        PublishedCopy.objects.exclude(problem="").count(),
    )
    # As workers saw it: no request reads the folder of the backups, whose share may hang.
    site = site_state(now=moment)
    for name, text, at in (
        ("rummy_backup_age_seconds", "Of the newest backup", site.backup_at),
        ("rummy_restore_age_seconds", "Since a backup was restored and proven", site.restored_at),
        ("rummy_checks_age_seconds", "Since a worker has run all checks", site.checked_at),
    ):
        if at is not None:
            yield GaugeMetricFamily(name, text, _age(at, moment))
    bad = GaugeMetricFamily(
        "rummy_check_bad", "For each check of manage.py doctor: 1 if it warns, 2 if it is bad", labels=["subject"]
    )
    for row in site.bad:
        bad.add_metric([row.subject], 2 if row.severity >= SiteCheck.BAD else 1)
    yield bad


def _age(moment: datetime | None, at: datetime) -> float:
    """How far a moment is; one that lies ahead, of a time when the clock was wrong, is no younger for it."""
    return abs((at - moment).total_seconds()) if moment is not None else 0.0
