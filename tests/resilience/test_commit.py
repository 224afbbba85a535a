"""Promise 12: no answer says "saved" when nothing was, nor "not saved" when it was."""

import random
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils.timezone import now

from rummy_site.celery import app
from tests.builders.admin_tables import club_called, evening_at, person, sheet
from tests.builders.club_at_play import Evening, Write, deal, new_evening
from tests.builders.phones import NearPhone
from tests.builders.proofs import complaints, stored_keys
from tournaments.models import ApiToken, Role
from tournaments.web.api import tables as api_tables

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
HIDDEN = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')
CLAIMS = ("not stored", "nothing was", "nothing of", "was not", "was stored", "has been")


@pytest.fixture
def evening() -> Evening:
    return new_evening()


@pytest.fixture
def write(evening: Evening) -> Write:
    return deal(evening.new_table().id, 1, random.Random(1))


def fails_once(monkeypatch: pytest.MonkeyPatch, place: object, name: str, *, after: bool, error: Exception) -> None:
    """The next call fails: before it does anything, or after it has done everything."""
    real: Callable[..., Any] = getattr(place, name)
    failures = [error]

    def once(*args: Any, **kwargs: Any) -> Any:
        if not failures:
            return real(*args, **kwargs)
        failure = failures.pop()
        if after:
            real(*args, **kwargs)
        raise failure

    monkeypatch.setattr(place, name, once)


def assert_claims_nothing(answer: Any) -> None:
    """Whether it is stored cannot be known here, so the answer says neither; it says that a resend counts once."""
    said = answer.content.decode().lower()
    assert [claim for claim in CLAIMS if claim in said] == []
    assert "counts once" in said


@pytest.mark.parametrize("is_stored", [False, True], ids=["before the commit", "after the commit"])
def test_a_commit_that_fails_is_told_as_an_outage_and_a_resend_makes_it_good(
    evening: Evening, write: Write, monkeypatch: pytest.MonkeyPatch, is_stored: bool
):
    """The two look the same from outside, so the answer is the same; the resend shows which it was.

    Planted faults it catches: an outage answered as a defect or as "nothing was stored"; the key stored apart from
    the event; an answer formed before the commit.
    """
    phone = NearPhone(evening)
    # The token's last use is stored in a commit of its own, which may be lost.
    ApiToken.objects.update(last_used_at=now())
    fails_once(monkeypatch, connection, "_commit", after=is_stored, error=OperationalError("gone"))
    answer = phone.send(write)
    assert answer.status_code == 503
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.json()["code"] == "unavailable"
    assert_claims_nothing(answer)
    assert stored_keys(evening.club)[write.key] == is_stored

    again = phone.send(write)
    assert again.status_code == 201
    assert ("Idempotency-Replayed" in again.headers) == is_stored
    assert stored_keys(evening.club)[write.key] == 1
    assert complaints() == []


@pytest.mark.parametrize("is_stored", [False, True], ids=["before the commit", "after the commit"])
def test_a_form_that_meets_an_outage_can_be_sent_again_from_the_page_that_says_so(
    monkeypatch: pytest.MonkeyPatch, is_stored: bool
):
    """No input is lost, and one click stores it once.

    Planted faults it catches: a page that says "saved"; the form's key or a field left out of what is sent again.
    """
    pool = evening_at(club_called("Asha's club", "asha"))
    sam = Client(raise_request_exception=False)
    sam.force_login(person("sam", Role.SCORER, pool.club))
    typed = sheet(1, s1="show", c2="34", c3="5", s4="first_drop", remark='"quoted" <b>')
    fails_once(monkeypatch, connection, "_commit", after=is_stored, error=OperationalError("gone"))
    page = sam.post(pool.score_url, typed)
    assert page.status_code == 503
    assert "saved" not in page.content.decode().lower().replace("may not be saved", "")
    assert_claims_nothing(page)
    assert pool.version == 1 + is_stored

    fields = {name: unescape(value) for name, value in HIDDEN.findall(page.content.decode())}
    assert fields == typed
    assert sam.post(pool.score_url, fields).status_code == 302
    assert pool.version == 2
    assert complaints() == []


def test_a_defect_after_the_commit_does_not_deny_what_is_stored(
    evening: Evening, write: Write, monkeypatch: pytest.MonkeyPatch
):
    """Planted fault it catches: "nothing of this request was stored" in the answer to a defect (it was stored)."""
    phone = NearPhone(evening)
    fails_once(monkeypatch, api_tables, "event_answer", after=False, error=RuntimeError("a defect"))
    answer = phone.send(write)
    assert answer.status_code == 500
    assert_claims_nothing(answer)
    assert phone.send(write).headers["Idempotency-Replayed"] == "true"
    assert stored_keys(evening.club)[write.key] == 1


def test_a_bell_that_breaks_does_not_unsay_a_saved_event(evening: Evening, monkeypatch: pytest.MonkeyPatch):
    """Planted fault it catches: the message sent inside the transaction, or its failure passed on."""
    phone, write = NearPhone(evening), deal(evening.new_table().id, 1, random.Random(1))
    fails_once(monkeypatch, app, "send_task", after=False, error=ConnectionError("no broker"))
    assert phone.send(write).status_code == 201
    assert stored_keys(evening.club)[write.key] == 1
