"""Hand-typed query strings of lists: refused, never an error; and time zones that every machine knows.

Planted faults: a lookup by a pattern passed to the database; errors of a list while it counts not caught; an empty
`_to_field` taken for the name of a field; the keys of ticked rows, and of several groups or permissions, queried as
they came; an admin of another package; the zone of this machine offered for a club.
"""

from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse

from tests.builders.admin_addresses import stocked
from tests.builders.admin_tables import person
from tests.builders.samples import some_of
from tournaments.web.admin.base.scoping import CarefulAdmin, CarefulList
from tournaments.web.admin.register.clubs import ClubForm

pytestmark = pytest.mark.django_db
REFUSED = (302, 400, 403, 404, 405)
OF_A_MOMENT = {
    "year": ("0", "-1", "2147483648", "99999999999999999999"),
    "gte": ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "x"),
}
KEYS = ("x", "", "[]", "-1", "9" * 30, "9" * 5_000, "\x00", "00000000-0000-0000-0000-000000000000")


def administrator() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(person("site", is_superuser=True))
    return client


def lists() -> dict[type[Model], str]:
    return {
        model: reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model in admin.site._registry
    }


@pytest.mark.slow
def test_a_pattern_in_the_address_of_a_list_and_a_tick_at_a_row_that_cannot_be_are_refused():
    client = administrator()
    for url in lists().values():
        for lookup in ("pk__regex", "pk__iregex"):
            assert client.get(url, {lookup: "((("}).status_code in (400, 403, 404), (url, lookup)
        for key in KEYS:
            sent = {"action": "delete_selected", "_selected_action": key, "select_across": "0", "index": "0"}
            assert client.post(url, sent).status_code in (200, *REFUSED), (url, key[:40])


def test_every_registered_admin_is_careful():
    assert [model for model, one in admin.site._registry.items() if not isinstance(one, CarefulAdmin)] == []
    assert all(
        issubclass(one.get_changelist(RequestFactory().get("/")), CarefulList) for one in admin.site._registry.values()
    )


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_no_value_in_the_address_of_a_list_breaks_it():
    """The fields of every model, each with invalid values of its kind; without a transaction, as pages are served."""
    client, broken = administrator(), []
    every = ((url, field) for model, url in lists().items() for field in model._meta.concrete_fields)
    for url, field in some_of(every, one_in=12, part=connection.vendor == "postgresql"):
        asked: dict[str, Any] = {field.name: KEYS}
        if field.get_internal_type() in ("DateTimeField", "DateField"):
            asked = {f"{field.name}__{lookup}": values for lookup, values in OF_A_MOMENT.items()}
        asked[f"{field.name}__in"] = ("\x00", "9" * 30)
        for lookup, values in asked.items():
            said = [client.get(url, {lookup: value}).status_code for value in values]
            broken += [(url, lookup, status) for status in said if status not in (200, *REFUSED)]
    assert broken == []


@pytest.mark.slow
def test_a_change_page_is_asked_for_by_key_and_by_nothing_odd():
    home, client = stocked("home"), administrator()
    asked = 0
    for model in admin.site._registry:
        row = model._default_manager.first()
        for page in ("change", "delete"):
            if row is None:
                continue
            url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=[row.pk])
            for field in ("", "x", "club", "\x00"):
                asked += 1
                assert client.get(url, {"_to_field": field}).status_code in (200, *REFUSED), (url, field)
    assert asked > 60
    assert client.get(home.page("score")).status_code == 200


def test_a_club_is_offered_zones_that_every_machine_knows():
    zones: Any = ClubForm.base_fields["timezone"]
    offered = {value for value, _ in zones.choices}
    assert {"Asia/Kolkata", "Europe/Berlin"} <= offered
    assert not offered & {"localtime", "Factory", "posixrules"}
