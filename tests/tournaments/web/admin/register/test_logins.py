"""Logins as the site's administrator creates and changes them."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.builders.admin_tables import person
from tests.builders.page_forms import edit
from tests.builders.page_text import html


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("twin", ["SAM", "\u0455\u0430m", "ｓａｍ", "sam"])
def test_no_two_logins_look_alike_to_whoever_reads_who_wrote_what(client: Client, twin: str):
    """Planted fault: only identical names refused, so that one in Cyrillic signed what `sam` seems to have written."""
    client.force_login(person("keeper", is_superuser=True))
    sam, other = person("sam"), person("tim")
    word = "a long pass phrase"
    typed = {"username": twin, "usable_password": "true", "password1": word, "password2": word}
    assert "already exists" in html(client.post("/admin/auth/user/add/", typed))
    assert "already exists" in html(edit(client, f"/admin/auth/user/{other.pk}/change/", username=twin))
    assert set(get_user_model().objects.values_list("username", flat=True)) == {"keeper", "sam", "tim"}
    assert edit(client, f"/admin/auth/user/{sam.pk}/change/", first_name="Sam").status_code == 302
