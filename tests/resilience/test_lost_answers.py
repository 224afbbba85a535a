"""Promise 2: an event sent again is stored once, and gets the first answer."""

import random

import pytest

from tests.builders.club_at_play import Evening, Write, deal, new_evening
from tests.builders.phones import LossyPhone, NearPhone
from tests.builders.proofs import complaints
from tournaments.models import Standing
from tournaments.models.log import Event

DEALS_A_TABLE = 100
LOST = 0.3


def play(evening: Evening, deals: int, *, seed: int, lost: float) -> LossyPhone:
    """Deals at several tables by turns. The seed decides the cards, whatever is lost on the way."""
    cards = random.Random(seed)
    phone = LossyPhone(NearPhone(evening), random.Random(seed + 1), lost)
    tables = [evening.new_table() for _ in range(deals // DEALS_A_TABLE)]
    for number in range(1, DEALS_A_TABLE + 1):
        for table in tables:
            phone.send(deal(table.id, number, cards))
    phone.finish()
    return phone


def deals_in(evening: Evening) -> int:
    return Event.objects.filter(club=evening.club, kind="deal_recorded").count()


def totals(evening: Evening) -> list[tuple[object, ...]]:
    """The boards by round and seat, without names of players or positions in the log."""
    rows = Standing.objects.filter(club=evening.club).order_by("round", "seat_number")
    return list(rows.values_list("round", "seat_number", "total", "net_points", "deals_won", "place", "payout_minor"))


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("deals", [pytest.param(300), pytest.param(3_000, marks=pytest.mark.slow(long=True))])
def test_a_phone_that_loses_a_third_of_the_answers_stores_each_deal_once(deals: int):
    """Resends come late and out of order, when the table has long continued.

    Planted faults it catches: the version looked at before the key (a resend is told "stale"); the key's digest not
    compared or the answer made from the table as it is now; a resend that is stored again.
    """
    seed = random.randrange(2**32)
    lossy, calm = new_evening(), new_evening()
    phone = play(lossy, deals, seed=seed, lost=LOST)
    play(calm, deals, seed=seed, lost=0)
    assert phone.resent > deals * LOST * 0.8, f"seed {seed}"
    assert deals_in(lossy) == deals, f"seed {seed}"
    assert totals(lossy) == totals(calm), f"seed {seed}"
    assert complaints() == [], f"seed {seed}"


@pytest.mark.django_db
def test_another_deal_under_a_used_key_is_refused_and_the_first_one_stays():
    """Planted fault it catches: a known key answered without a look at the request."""
    evening = new_evening()
    phone, table = NearPhone(evening), evening.new_table()
    first = deal(table.id, 1, random.Random(1))
    phone.send(first)
    answer = phone.send(Write(path=first.path, body=deal(table.id, 1, random.Random(2)).body, key=first.key))
    assert answer.status_code == 422
    assert answer.json()["code"] == "key_reused"
    assert deals_in(evening) == 1
