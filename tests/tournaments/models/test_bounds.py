"""Every column that users can fill has a bound in both databases, or is listed here with the reason.

Each bound is tested by writing: a row of every model is pushed over it. Planted faults that this catches: a new column
without a bound; `texts_fit` taken from `Club`, where SQLite then stores a name of 201 letters.
"""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import DataError, IntegrityError, connection, models, transaction

from tests.builders.admin_addresses import stocked
from tests.builders.admin_tables import NOW
from tests.builders.bounds import BY_THEMSELVES, beyond, bounded_models
from tests.builders.receivers import new_receiver
from tournaments.models import (
    ClubReadings,
    Device,
    EntryRequest,
    ErasedPlayer,
    FailedAttempts,
    FormerActor,
    Import,
    ImportColumns,
    ImportKind,
    LateSheet,
    NightResult,
    PastTournament,
    PlayerCredit,
    PlayerLink,
    PlayerNotice,
    PlayerRating,
    ProjectionRelease,
    PublishedCopy,
    PushSubscription,
    ScreenProgramme,
    SeasonTable,
    SeatingDraft,
    ShownVersion,
    SiteCheck,
    WorkerHeartbeat,
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

FOLDED = "folded from the log, which bounds each event; no text of anybody's is in it"
COUNTED = "a wide number that workers add up from events; both databases refuse what 64 bits cannot hold"
UNBOUNDED = {
    "Scoresheet.state": FOLDED,
    "EveningSheet.state": FOLDED,
    "CashBook.state": FOLDED,
    "NightResult.state": FOLDED,
    "PastTournament.state": FOLDED,
    "SeasonTable.state": FOLDED,
    "Season.final": FOLDED,
    "PlayerRating.history": FOLDED,
    "Standing.rank_key": FOLDED,
    "Standing.payout_minor": COUNTED,
    "Scoresheet.settle_problem": "words of ours for what stands in the way, one for each problem of a table",
    "EveningSheet.settle_problem": "words of ours for what stands in the way, one for each problem of an evening",
    "ClubReadings.problem": "words of ours for what stands in the way of a worker",
}
# A constraint on them would ask to stop the site for its migration.
WIDE_IN_SQLITE = {
    "SiteCheck.severity": "counted by a worker from the findings of one look",
    "SiteCheck.told_severity": "counted by a worker from the findings of one look",
}


def columns() -> "Iterator[tuple[type[models.Model], models.Field[Any, Any]]]":
    for model in bounded_models():
        for field in model._meta.concrete_fields:
            if not isinstance(field, BY_THEMSELVES):
                yield model, field


@pytest.fixture
def one_of_each() -> None:
    """A row of every model."""
    evening = stocked("home")
    club, tournament, player = evening.club, evening.tournament, evening.table.seats.all()[0].player
    club.seasons.update(closed_at=NOW, final="{}")
    season = club.seasons.get()
    sent = {"key": "k", "digest": "d" * 64, "body": "{}", "actor": "a", "sent_at": NOW}
    LateSheet.objects.create(club=club, table=evening.table, **sent)
    Device.objects.create(club=club, table=evening.table, key="d", actor="a", seen_at=NOW, waiting=1, oldest_at=NOW)
    SeatingDraft.objects.create(tournament=tournament, round=2, plan="{}")
    ScreenProgramme.objects.create(tournament=tournament, club=club)
    NightResult.objects.create(tournament=tournament, club=club, position=1, closed_position=1, state="{}")
    PastTournament.objects.create(id=uuid4(), club=club, season=season, day=NOW.date(), state="{}", position=1)
    SeasonTable.objects.create(season=season, club=club, state="{}", position=0, computed_at=NOW)
    PlayerRating.objects.create(player=player, club=club, mu=0, sigma=1, nights=0, tables=0, history="[]")
    PlayerCredit.objects.create(club=club, player=player, currency="INR", limit_minor=1)
    ClubReadings.objects.get_or_create(club=club)
    ShownVersion.objects.get_or_create(club=club)
    PublishedCopy.objects.create(tournament=tournament.pk, club=club.pk, busy_until=NOW)
    receiver = new_receiver(club, old_secret_until=NOW, off_at=NOW, failing_since=NOW)
    receiver.deliveries.create(
        position=1,
        number=1,
        message_id="msg_1",
        kind="test",
        player=player,
        body="{}",
        told_at=NOW,
        tried_at=NOW,
        status=200,
    )
    PushSubscription.objects.create(
        club=club, player=player, browser="b", address_digest="d", language="de", network="n", failing_since=NOW
    )
    EntryRequest.objects.create(
        club=club, tournament=tournament, name="Gita", code="c", digest="d" * 64, made_at=NOW, expires_at=NOW
    )
    PlayerLink.objects.create(
        club=club, player=player, digest="d" * 64, made_by="user:7", made_at=NOW, last_used_at=NOW, mailed_at=NOW
    )
    PlayerNotice.objects.create(club=club, tournament=tournament, player=player, kind="here", said_at=NOW)
    FormerActor.objects.create(club=club, actor="user:7", name="Sam")
    ErasedPlayer.objects.create(player=uuid4(), club=club.pk, erased_at=NOW)
    imported = Import.objects.create(club=club, kind=ImportKind.PLAYERS, actor="a", key="k", made_at=NOW)
    imported.players.create(player=player, is_new=True)
    ImportColumns.objects.create(club=club, kind=ImportKind.PLAYERS)
    WorkerHeartbeat.objects.create(name="worker", beat_at=NOW)
    checked = dict.fromkeys(("since", "bad_at", "told_at", "held_until", "good_at"), NOW)
    SiteCheck.objects.create(subject="backups", problem="p", **checked)
    ProjectionRelease.objects.update_or_create(name="boards", defaults={"stamp": "s", "rebuilt_at": NOW})
    FailedAttempts.objects.create(kind="login", subject="s", place="192.0.2.1", free_at=NOW, lapses_at=NOW)


@pytest.mark.slow
def test_every_column_is_bounded_by_the_database(one_of_each: None):
    stored = [f"{model.__name__}.{field.name}" for model, field in columns() if takes_too_much(model, field)]
    assert sorted(stored) == sorted(UNBOUNDED | (WIDE_IN_SQLITE if connection.vendor == "sqlite" else {}))


def takes_too_much(model: type[models.Model], field: "models.Field[Any, Any]") -> bool:
    """Whether the database accepts one of the values that are too large, without any check of Python's."""
    rows = model._default_manager.filter(pk=model._default_manager.values_list("pk", flat=True)[:1].get())
    return any(is_stored(rows, field, value) for value in beyond(field))


def is_stored(rows: models.QuerySet[Any], field: "models.Field[Any, Any]", value: Any) -> bool:
    try:
        with transaction.atomic():
            assert rows.update(**{field.attname: value}) == 1
            transaction.set_rollback(True)
    except (IntegrityError, DataError, OverflowError):
        return False
    return True
