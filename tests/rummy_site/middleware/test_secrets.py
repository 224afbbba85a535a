"""No page repeats a password or the code of a table card, whatever the form is called that sent it."""

from django.test import RequestFactory

from rummy_site.middleware.failures import unavailable
from tournaments.transient_errors import NO_ANSWER
from tournaments.web.admin.base.carried_typing import typed_in


def test_no_page_repeats_a_secret():
    """Planted fault: two lists of secrets, so that the page of an outage showed a card's code and a `Password`."""
    secrets = ("password", "Password", "old_password", "new_password1", "PASSWORD2", "form-0-password", "code", "CODE")
    for name in secrets:
        request = RequestFactory().post("/table/", {"note": "typed", name: "not to be shown"})
        shown = unavailable(request, NO_ANSWER).content.decode()
        assert "not to be shown" not in shown, name
        assert 'name="note"' not in shown, "half a form is no form to send again"
        assert typed_in(request) is None, name


def test_what_is_no_secret_is_offered_again():
    for name in ("decode", "code_of_the_draw", "tokens_end_with_password", "reason"):
        request = RequestFactory().post("/admin/tournaments/club/1/change/", {"name": "Rummy club", name: "on"})
        assert f'name="{name}"' in unavailable(request, NO_ANSWER).content.decode()
        assert typed_in(request) is not None
