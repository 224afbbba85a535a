"""Addresses of lists that somebody typed: a refusal, never a failure; and zones that every machine knows.

Planted: the lookup by a pattern let through to the database; the zone of this machine offered for a club.
"""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from tests.doors.admin.evening import person
from tournaments.admin.people import ClubForm

pytestmark = pytest.mark.django_db


@pytest.mark.database
def test_a_pattern_in_the_address_of_a_list_is_refused():
    client = Client(raise_request_exception=False)
    client.force_login(person("site", is_superuser=True))
    for model in admin.site._registry:
        url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for lookup in ("pk__regex", "pk__iregex"):
            assert client.get(url, {lookup: "((("}).status_code in (400, 403, 404), (url, lookup)


def test_a_club_is_offered_zones_that_every_machine_knows():
    offered = {value for value, _ in ClubForm.base_fields["timezone"].choices}
    assert {"Asia/Kolkata", "Europe/Berlin"} <= offered
    assert not offered & {"localtime", "Factory", "posixrules"}
