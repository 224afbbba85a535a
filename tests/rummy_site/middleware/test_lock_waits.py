"""Promise 20 at every view: while SQLite's write lock is held, pages are read at once and writes soon say so."""

import gc
import random
import time
import weakref
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import DatabaseError, OperationalError, connection, transaction
from django.test import Client
from django.urls import NoReverseMatch, reverse

from rummy_site.middleware import lock_waits
from scoring import storage
from tests.builders.admin_addresses import address, admin_names, stocked
from tests.builders.admin_tables import Evening as Night
from tests.builders.club_at_play import deal, new_evening
from tests.builders.held_locks import held_lock
from tests.builders.lock_waits import page_addresses
from tests.builders.phones import NearPhone
from tests.builders.samples import some_of
from tournaments.models import ApiToken

pytestmark = pytest.mark.django_db(transaction=True)
# Pages are rendered by a test that shares its processor; a wait for the lock would be 20 seconds.
A_MOMENT = 15.0


@pytest.fixture
def _sqlite() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL's limit belongs to the web process: test_locks.py serves one")


@pytest.fixture
def night(_sqlite: None) -> Night:
    return stocked("home")


def admin_addresses(night: Night) -> Iterator[str]:
    """Every page of the admin that can be requested."""
    for name in admin_names():
        try:
            found = address(name, night)
        except NoReverseMatch:
            continue
        if found and name != "logout":
            yield found


@pytest.mark.slow
def test_no_page_waits_for_a_lock_that_somebody_else_holds(night: Night):
    """Every address of the site, taken from the URL patterns, including the print that is remembered in the session.

    Planted faults it catches: a page that keeps something in the session and waits for it; one that reads in a
    transaction, which on SQLite takes the write lock.
    """
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("root", password="x"))
    paper = reverse("admin:tournaments_tournament_paper", args=[night.tournament.pk])
    addresses = [*page_addresses(night), *admin_addresses(night), *(f"{paper}?paper={one}" for one in ("a4", "letter"))]
    assert len(addresses) > 150
    expected = {one: client.get(one).status_code for one in some_of(addresses, one_in=3)}
    caches["answers"].clear()
    slow, wrong = [], []
    with held_lock(night.club):
        for one, status in expected.items():
            began = time.monotonic()
            found = client.get(one).status_code
            slow += [one] if time.monotonic() - began > A_MOMENT else []
            wrong += [(one, found)] if found != status else []
    assert (slow, wrong) == ([], [])


@pytest.mark.usefixtures("_sqlite")
def test_a_write_waits_once_and_says_so_and_counts_once_when_it_is_sent_again():
    """A display that reads with the same token is not kept from it.

    Planted faults it catches: the token's last use waited for; 20 s instead of 5.
    """
    evening = new_evening()
    phone, table = NearPhone(evening), evening.new_table()
    write = deal(table.id, 1, random.Random(1))
    ApiToken.objects.update(last_used_at=None)
    with held_lock(evening.club):
        display = phone.client.get(evening.board_path, headers={"Authorization": f"Bearer {evening.secret}"})
        assert display.status_code == 200
        began = time.monotonic()
        answer = phone.send(write)
        waited = time.monotonic() - began
    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "unavailable", "5")
    assert 4 < waited < A_MOMENT
    assert ApiToken.objects.get().last_used_at is None
    again = phone.send(write)
    assert (again.status_code, "Idempotency-Replayed" in again.headers) == (201, False)
    assert ApiToken.objects.get().last_used_at is not None


def test_a_form_that_met_a_lock_offers_what_was_typed_once_more(night: Night):
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("root", password="x"))
    player = night.table.seats.all()[0].player
    with held_lock(night.club):
        answer = client.post(reverse("admin:tournaments_player_erase", args=[player.pk]), {"sure": "yes"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert '<input type="hidden" name="sure" value="yes">' in answer.content.decode()


@pytest.mark.usefixtures("_sqlite")
def test_what_one_lock_has_used_up_is_not_there_for_the_next():
    """Planted fault it catches: every statement of a request waits the whole time again."""
    evening = new_evening()
    waits = []
    with held_lock(evening.club), lock_waits.within(time.monotonic() + 1.0):
        for _ in range(3):
            with pytest.raises(OperationalError), transaction.atomic():
                pass
            waits.append(connection.connection.execute("PRAGMA busy_timeout").fetchone()[0])
    storage.of(connection).set_wait(connection, 20)
    assert waits[1:] == [0, 0]


@pytest.mark.slow
def test_the_cursor_of_a_refused_statement_is_let_go_without_the_collector():
    """A thread that collects it later would wait until its connection, which waits for a lock again, is free.

    Planted fault it catches: the frames of the error left as they are (a deal of another thread took 9 s).
    """
    gc.collect()
    gc.disable()
    try:
        with lock_waits.within(time.monotonic() + 1.0):
            cursor = connection.cursor()
            with pytest.raises(DatabaseError):
                cursor.execute("SELECT no_such_column FROM tournaments_club")
        let_go = weakref.ref(cursor)
        del cursor
        assert let_go() is None
    finally:
        gc.enable()
