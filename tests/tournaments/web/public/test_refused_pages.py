"""Pages for users without access or with an expired form: our own texts and layout."""

import pytest
from django.test import Client

from tests.builders.admin_tables import club_called, evening_at, person
from tests.builders.flat import flat
from tournaments.models import Role

pytestmark = pytest.mark.django_db


def test_a_user_who_lacks_the_role_is_told_so_and_led_back_to_work(client: Client):
    """Planted fault: Django's own page, which is one line without a link."""
    evening = evening_at(club_called("Asha's club", "asha"))
    client.force_login(person("sam", Role.SCORER, evening.club))
    answer = client.get(f"/admin/tournaments/tournament/{evening.tournament.pk}/plan/")
    page = flat(answer.content.decode())
    assert answer.status_code == 403
    assert "Your role in this club does not allow this. Ask the owner for another role." in page
    assert '<a class="button" href="/admin/">' in page
    assert "<title>You do not have access</title>" in page


def test_a_form_that_is_too_old_is_told_apart_from_a_role_that_is_missing():
    evening = evening_at(club_called("Asha's club", "asha"))
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(person("sam", Role.SCORER, evening.club))
    answer = browser.post(evening.score_url, {"deal": "1"})
    page = flat(answer.content.decode())
    assert answer.status_code == 403
    assert "<title>This form has expired</title>" in page
    assert "Go back, reload the page and send it again" in page
