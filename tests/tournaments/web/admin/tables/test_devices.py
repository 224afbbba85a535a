"""The status that phones report at their tables, and how the director sees it on the dashboard."""

from datetime import timedelta

import pytest
from django.test import Client

from tests.builders.admin_tables import Evening
from tests.builders.flat import flat
from tests.builders.table_cards import card_for, device_with
from tournaments.models import Device
from tournaments.models.play import MOST_WAITING
from tournaments.tables.commands.without_network import MOST_DEVICES

pytestmark = pytest.mark.django_db
PHONE = "0123456789abcdef" * 2


def says(client: Client, pool: Evening, *, device: str = PHONE, waiting: object = 0, oldest: object = 0) -> int:
    """The status that its page sends: how many deals wait, and for how many milliseconds the oldest one has."""
    sent = {"device": device, "waiting": waiting, "oldest": oldest}
    return client.post(pool.score_url.replace("/score/", "/device/"), sent).status_code


def night(pool: Evening, part: str = "") -> str:
    return f"/admin/tournaments/tournament/{pool.tournament.pk}/night/{part}"


def quiet_for(minutes: int) -> None:
    for device in Device.objects.all():
        device.seen_at -= timedelta(minutes=minutes)
        device.save()


@pytest.mark.slow
def test_the_dashboard_says_how_many_deals_wait_and_since_when_a_device_is_quiet(
    pool: Evening, sam: Client, dita: Client
):
    assert 'id="devices"' not in dita.get(night(pool)).content.decode()
    assert says(sam, pool, waiting=2, oldest=6 * 60_000) == 204
    page = flat(dita.get(night(pool)).content.decode())
    assert "2 deals wait, the oldest for 6 min" in page
    assert "signed in" in page
    assert "last seen at" not in page
    quiet_for(3)
    assert "last seen at" in flat(dita.get(night(pool)).content.decode())
    assert says(sam, pool) == 204
    page = flat(dita.get(night(pool)).content.decode())
    assert 'id="devices"' in page
    assert "wait, the oldest" not in page
    assert "last seen at" not in page
    assert Device.objects.count() == 1


def test_a_table_card_says_so_and_one_that_was_revoked_says_nothing(pool: Evening, dita: Client):
    card = card_for(pool)
    phone = device_with(card)
    assert says(phone, pool) == 204
    assert "table card" in dita.get(night(pool)).content.decode()
    pool.table.tokens.all()[0].delete()
    assert says(phone, pool) != 204


@pytest.mark.slow
def test_that_a_device_is_still_there_changes_nothing_and_that_it_went_quiet_does(
    pool: Evening, sam: Client, dita: Client
):
    says(sam, pool)
    tag = dita.get(night(pool, "part/"), headers={"hx-request": "true"}).headers["ETag"]
    asked = {"hx-request": "true", "if-none-match": tag}
    says(sam, pool)
    assert dita.get(night(pool, "part/"), headers=asked).status_code == 304
    quiet_for(3)
    assert dita.get(night(pool, "part/"), headers=asked).status_code == 200


@pytest.mark.slow
def test_what_a_device_says_stays_in_its_bounds(pool: Evening, sam: Client):
    """A clock that was set, an impossible list, and more devices than a table has."""
    assert says(sam, pool, waiting=99_999, oldest=-5_000) == 204
    assert Device.objects.get().waiting == MOST_WAITING
    assert Device.objects.get().oldest_at == Device.objects.get().seen_at
    assert says(sam, pool, waiting=1, oldest=10**14) == 204
    assert Device.objects.get().oldest_at.year >= 2020  # type: ignore[union-attr]
    assert says(sam, pool, waiting="x", oldest="") == 204
    assert says(sam, pool, device="no key") == 204
    assert Device.objects.count() == 1
    for number in range(MOST_DEVICES + 5):
        says(sam, pool, device=f"{number:032x}")
    assert Device.objects.count() == MOST_DEVICES
    assert sam.get(pool.score_url.replace("/score/", "/device/")).status_code == 405
