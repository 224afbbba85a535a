"""Entry terms picked at the desk: members, free entries, and optional side pots."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.builders.admin_tournaments import Night, a_night
from tests.builders.flat import flat
from tests.builders.page_forms import opened
from tournaments.models import Club, Role
from tournaments.models.log import Event

PLAN = {
    "stages": [{"smallest_table": 2}],
    "member_minor": 8_000,
    "side_pots": [{"name": "Jackpot", "contribution_minor": 1_000, "joins": "opt_in"}],
}


@pytest.fixture
def desk(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.CHECKIN, login="desk")


@pytest.fixture
def night(club: Club) -> Night:
    found = a_night(club, PLAN, entry_minor=10_000)
    found.enter("Asha")
    return found


def set_terms(client: Client, url: str, typed: dict[str, str]) -> Any:
    return client.post(url, {"seen": opened(client, url, having="rate").named("seen").value, **typed})


def page(night: Night) -> str:
    return night.url(f"desk/{next(iter(night.state.entrants))}")


def test_a_list_is_looked_at_with_rates_and_pots_before_it_is_stored(desk: Client, night: Night):
    wanted = {"do": "look", "names": "Asha; free\nBo; +Jackpot", "key": "c" * 32}
    shown = flat(desk.post(night.url("entries"), wanted).content.decode())
    assert "has entered already, now with another fee" in shown
    assert '<span class="chip">Free entry</span>' in shown
    assert '<span class="chip">Full fee</span> <span class="chip"><bdi>Jackpot</bdi></span>' in shown


def test_a_lower_fee_needs_a_reason_which_the_log_keeps(desk: Client, night: Night):
    """Planted fault: a cashier alone made an entry free in one tap."""
    answer = set_terms(desk, page(night), {"do": "terms", "rate": "free"})
    assert answer.status_code == 422
    assert "enter a reason" in answer.content.decode()
    assert set_terms(desk, page(night), {"do": "terms", "rate": "free", "reason": "guest"}).status_code == 302
    last = Event.objects.filter(stream_id=night.tournament.pk).latest("version")
    assert (last.kind, last.note.text) == ("entry_terms_set", "guest")
    assert set_terms(desk, page(night), {"do": "terms", "rate": "full"}).status_code == 302


def test_a_list_with_a_free_entry_asks_for_the_reason_once(desk: Client, night: Night):
    names = {"names": "Asha; free", "key": "c" * 32}
    shown = desk.post(night.url("entries"), {"do": "look", **names})
    assert "Reason for lower fees" in flat(shown.content.decode())
    names["shown"] = shown.context["checked"].fingerprint
    refused = desk.post(night.url("entries"), {"do": "store", **names})
    assert "row 1: enter a reason" in refused.content.decode()
    desk.post(night.url("entries"), {"do": "store", **names, "key": "d" * 32, "reason": "guest"})
    (asha,) = night.state.entrants.values()
    assert asha.rate == "free"


def test_a_pot_that_there_is_not_is_refused_at_the_desk(desk: Client, night: Night):
    answer = set_terms(desk, page(night), {"do": "terms", "rate": "free", "pot": "Bad beat"})
    assert answer.status_code == 422
    assert "the plan has no side pot" in answer.content.decode()


@pytest.mark.slow
def test_a_pot_joined_meanwhile_is_not_left_by_an_older_page(desk: Client, night: Night):
    """Planted fault: the terms stored as the older page shows them."""
    old = opened(desk, page(night), having="rate").values()
    set_terms(desk, page(night), {"do": "terms", "rate": "full", "pot": "Jackpot"})
    said = desk.post(
        page(night), {**old, "do": "terms", "rate": "member", "reason": "asked"}, follow=True
    ).content.decode()
    (asha,) = night.state.entrants.values()
    assert (asha.rate, asha.pots) == ("member", ("Jackpot",))
    assert "Asha saved. Changed: Fee type." in said


@pytest.mark.slow
def test_a_rate_set_twice_is_asked_about(desk: Client, night: Night):
    old = opened(desk, page(night), having="rate").values()
    set_terms(desk, page(night), {"do": "terms", "rate": "free", "reason": "asked"})
    assert desk.post(page(night), {**old, "do": "terms", "rate": "member", "reason": "asked"}).status_code == 409
    (asha,) = night.state.entrants.values()
    assert asha.rate == "free"
