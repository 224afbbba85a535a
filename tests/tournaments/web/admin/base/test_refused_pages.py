"""A page that refuses what was sent answers 422, one that shows what somebody else has changed 409."""

import pytest
from django import forms
from django.test import Client
from django.urls import reverse

from tests.builders.admin_addresses import address, stocked
from tests.builders.admin_tables import Evening, person
from tournaments.models import ApiToken, Role
from tournaments.web.admin.base.scoping import page_status

ONLY_POST = ("tournaments_tournament_settle", "tournaments_tournament_settle_all", "tournaments_tournament_till")


class NameForm(forms.Form):
    name = forms.CharField()


def test_a_form_with_errors_is_refused_unless_its_page_says_otherwise():
    refused, empty, good = NameForm({"name": ""}), NameForm(), NameForm({"name": "Asha"})
    assert [page_status({"form": form}) for form in (refused, empty, good, None)] == [422, 200, 200, 200]
    assert page_status({}) == 200
    assert page_status({"form": refused}, refused=False) == 200
    assert page_status({"form": good}, refused=["a problem"]) == 422
    assert page_status({"form": refused}, stale=["a change"]) == 409


@pytest.fixture
def home(db: None) -> Evening:
    return stocked("home")


def test_a_device_link_without_a_name_is_refused(home: Evening, client: Client):
    """Planted fault: a page that says nothing of its status."""
    client.force_login(person("olga", Role.OWNER, home.club))
    links = ApiToken.objects.count()
    answer = client.post(reverse("admin:tournaments_apitoken_add"), {"club": str(home.club.pk), "role": "scorer"})
    assert answer.status_code == 422
    assert ApiToken.objects.count() == links


def test_an_address_that_only_takes_a_form_says_so(home: Evening, client: Client):
    client.force_login(person("olga", Role.OWNER, home.club))
    answers = {name: client.get(str(address(name, home))) for name in ONLY_POST}
    assert {name: (answer.status_code, answer["Allow"]) for name, answer in answers.items()} == dict.fromkeys(
        ONLY_POST, (405, "POST")
    )
