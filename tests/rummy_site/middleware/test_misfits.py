"""A request that no page accepts is refused in our own words: a foreign host, a method, a malformed form."""

import logging
import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import resolve, reverse

from rummy_site.middleware.failures import READING, WRITING, methods_of
from rummy_site.operations.logs import ShortRefusals
from tests.builders.admin_addresses import address, admin_names, stocked
from tests.builders.lock_waits import page_addresses

pytestmark = pytest.mark.django_db
UNKNOWN = ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
FOREIGN: dict[str, Any] = {"HTTP_HOST": "evil.example"}
API = ("/api/v1/schema/", "/api/v1/docs/", "/api/v1/variants/", "/api/v1/clubs/")


def refused_methods(client: Client, path: str, methods: tuple[str, ...]) -> list[tuple[str, str, int]]:
    """The methods that are not answered with 405 and the allowed ones."""
    wrong = []
    for method in methods:
        answer = client.generic(method, path)
        if answer.status_code != 405 or not answer.headers.get("Allow"):
            wrong.append((method, path, answer.status_code))
    return wrong


# Public pages with a form for everybody end messages, or enter a tournament.
FORMS = "/en-gb/messages/stop/"


@pytest.mark.slow
def test_an_undeclared_method_is_405_at_every_address():
    """Every page, every view of the admin, health checks and the API; the CSRF token is not checked first.

    Planted faults it catches: an address without its methods; the CSRF token checked before the method.
    """
    night = stocked("home")
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(User.objects.create_superuser("root", password="x"))
    wrong = []
    for name in admin_names():
        path = None if name == "app_list" else address(name, night)
        if path:
            is_read_only = methods_of(resolve(path)) == READING
            wrong += refused_methods(client, path, (*UNKNOWN, *(["POST"] if is_read_only else [])))
    for path in (*page_addresses(night), "/favicon.ico", "/language/", "/healthz", "/readyz", *API):
        takes_forms = path.startswith(FORMS) or path.endswith(("/enter/", "/enter/status/"))
        wrong += refused_methods(client, path, UNKNOWN if takes_forms else (*UNKNOWN, "POST"))
    for path in ("/table/", "/me/", "/me/open/", "/me/own/"):
        wrong += refused_methods(client, path, UNKNOWN)
    assert wrong == []


def test_what_is_only_looked_at_takes_no_form():
    number = uuid4()
    journal = reverse("admin:tournaments_tournament_money_journal", args=[number])
    score = reverse("admin:tournaments_table_score", args=[number])
    read_only = (reverse("pages:home"), "/favicon.ico", reverse("admin:index"), reverse("files:sitemap"), journal)
    assert {path: methods_of(resolve(path)) for path in read_only} == dict.fromkeys(read_only, READING)
    assert methods_of(resolve(score)) == methods_of(resolve(reverse("admin:login"))) == WRITING


def test_a_foreign_host_is_reported_in_one_line_of_the_log(client: Client, caplog: pytest.LogCaptureFixture):
    """Planted fault it catches: a traceback for every machine that probes addresses."""
    caplog.handler.addFilter(ShortRefusals())
    with caplog.at_level(logging.INFO):
        program = client.get("/api/v1/clubs/", **FOREIGN)
        page = client.get("/", headers={"Accept-Language": "de"}, **FOREIGN)
    assert (program.status_code, program.headers["Content-Type"]) == (400, "application/problem+json")
    assert program.json()["code"] == "unknown_host"
    assert page.status_code == 400
    assert "Request not accepted" in page.content.decode() or "Anfrage nicht angenommen" in page.content.decode()
    assert "evil.example" not in page.content.decode()
    ours = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(ours) == 2
    assert [record.exc_info for record in ours] == [None, None]
    assert not re.search("Traceback", caplog.text)


@pytest.mark.slow
def test_a_form_with_too_many_fields_is_reported_on_a_page(client: Client):
    answer = client.post(reverse("admin:login"), {f"field-{number}": "x" for number in range(2_100)})
    assert answer.status_code == 400
    assert "The request cannot be read." in answer.content.decode()
