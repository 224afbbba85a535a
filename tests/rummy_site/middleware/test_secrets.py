"""No page repeats a password or the code of a table card, whatever the form is called that sent it."""

import pytest
from django.test import RequestFactory

from rummy_site.middleware.failures import outage
from tournaments.web.admin.base.carried_typing import typed_in

SECRETS = ["password", "Password", "old_password", "new_password1", "PASSWORD2", "form-0-password", "code", "CODE"]


@pytest.mark.parametrize("name", SECRETS)
def test_no_page_repeats_a_secret(name: str):
    """Planted fault: two lists of secrets, so that the page of an outage showed a card's code and a `Password`."""
    request = RequestFactory().post("/table/", {"note": "typed", name: "not to be shown"})
    shown = outage(request).content.decode()
    assert "not to be shown" not in shown
    assert 'name="note"' not in shown, "half a form is no form to send again"
    assert typed_in(request) is None


@pytest.mark.parametrize("name", ["decode", "code_of_the_draw", "tokens_end_with_password", "reason"])
def test_what_is_no_secret_is_offered_again(name: str):
    request = RequestFactory().post("/admin/tournaments/club/1/change/", {"name": "Rummy club", name: "on"})
    assert f'name="{name}"' in outage(request).content.decode()
    assert typed_in(request) is not None
