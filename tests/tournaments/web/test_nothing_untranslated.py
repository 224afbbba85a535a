"""No text of ours is shown untranslated: pages of every kind, a seating's refusals, prints and the projector.

In the test language every translated text has other letters. What is left in Latin is a name, or is listed below.
"""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from html import unescape
from typing import Any
from urllib.parse import urljoin

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.builders.admin_addresses import CLUB_PAGES, address, stocked
from tests.builders.admin_tables import club_called, person
from tests.builders.admin_tournaments import TIMED, a_night, record
from tests.builders.languages import APART, READ_OUT, in_language
from tests.builders.marked_language import CODE, left_in_latin, test_language
from tests.builders.paper import NAMES as PRINTED_NAMES
from tests.builders.paper import a_printed_night
from tests.builders.paper_files import CODES
from tests.builders.pdf_text import pages
from tests.builders.public_languages import pages_of, said_in_latin
from tests.builders.public_tables import a_club, a_tournament, seat
from tests.builders.samples import some_of
from tests.builders.seasons import caught_up, played, player, season
from tests.builders.seating_refusals import findings, moves, wishes
from tournaments.models import Club, Role
from tournaments.rendering.i18n.translating import translate

NAMES = r"Rummy Evening|\b[zZ][zZ]\b|Rummy Circle|Friday|Sam|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|[cC]ircle(?: \d| night| season|-owner)?|olga|INR|CSV|JSON|Asia|Kolkata|https?://\S+|CSV|XLSX|PDF|QR|UTC|user:\d+|English|Deutsch"
# Pages of stored kinds, causes, fields and codes, and the list of the world's time zones, which are names.
OF_CODES = {
    "scoring_journalentry_changelist",
    *(f"tournaments_apitoken_{page}" for page in ("change", "changelist", "history", "revoke")),
    *(f"tournaments_event_{page}" for page in ("change", "changelist", "history")),
    "tournaments_club_change",
}
SHOWN_AS_STORED = {
    # The name of a file format.
    "tournaments_club_books": {"beancount"},
    # The club's number format: en-IN.
    "tournaments_club_changelist": {"IN", "en"},
    # The reference of an entry, as programs know it.
    "scoring_journalentry_change": {"cash", "deed"},
    "scoring_journalentry_history": {"cash", "deed"},
    "scoring_account_history": {"cash"},
    # Shown to be typed again.
    "tournaments_tournament_plan": {"limit", "deals"},
    # Typed for an option that is not set, and read in every language; and names, as an example.
    "tournaments_tournament_change": {"none"},
    "tournaments_tournament_add": {"none", "Asha", "Bo", "Cy"},
}
# Left by a page of another test.
REFUSALS = {".errorlist", ".errornote", ".wrong"}
# Typed in every field of a form, so that it is refused.
NONSENSE = ("", "zz")
pytestmark = pytest.mark.django_db
test_language.__test__ = False  # type: ignore[attr-defined]


@pytest.fixture
def marked() -> Any:
    with test_language():
        yield


def visitor(language: str = CODE) -> Client:
    client = Client()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    return client


@pytest.fixture(params=[CODE, "hi"])
def reader(request: pytest.FixtureRequest) -> Iterator[Client]:
    """A visitor of the test language; and one of Hindi, who meets a translation that is the English text."""
    with test_language() if request.param == CODE else nullcontext():
        yield visitor(request.param)


@pytest.mark.slow
def test_what_visitors_read_is_translated(reader: Client) -> None:
    """Planted faults: a text of a template that was not marked, and one of a lower layer that has no form."""
    tournament = a_tournament(a_club(slug="circle"))
    table = seat(tournament).deal("show", 34, 12, "first_drop").deal("wrong_show", "show", 3, "middle_drop")
    table.correct(1, "show", 1, 2, 3)
    assert {path: found for path in pages_of(tournament) if (found := said_in_latin(reader, path))} == {}


@pytest.mark.slow
def test_what_a_planned_evening_and_its_projector_say_is_translated(reader: Client) -> None:
    night = a_night(club_called("Asha's club", "asha"), TIMED)
    tables = night.seat(night.enter("Cy", "Asha", "Dev", "Bo"))
    parts = ("", "rounds/", "seating/", "schedule/", "prizes/", "rules/", "room/", "room/?by=name", "screen/part/")
    paths = [f"/c/asha/t/{night.tournament.slug}/{part}" for part in parts]
    assert {path: found for path in paths if (found := said_in_latin(reader, path))} == {}
    for row in tables:
        record(row, {"kind": "table_cancelled", "reason": "the lamp fell"})
    assert {path: found for path in paths if (found := said_in_latin(reader, path))} == {}


@pytest.mark.slow
def test_what_seasons_and_ratings_say_is_translated(reader: Client) -> None:
    club = club_called("Asha's club", "asha")
    made = season(club, formula={"best": 2, "attendance": 1, "minimum_nights": 2}, name="Friday")
    for day in (0, 7):
        played(club, "Asha", "Bo", "Cy", day=day)
    caught_up(club)
    own = f"/c/asha/seasons/{made.slug}/"
    paths = ["/c/asha/seasons/", own, f"{own}who/{player(club, 'Asha').pk}/", "/c/asha/ratings/"]
    assert {path: found for path in paths if (found := said_in_latin(reader, path))} == {}


def said_to_staff(page: str) -> list[str]:
    """The text of a page of the admin, with refusals, without names, codes and typed input."""
    tree = LexborHTMLParser(page)
    heard = [node.attributes.get(name) or "" for name in READ_OUT for node in tree.css(f"body [{name}]")]
    for apart in set(APART) - REFUSALS:
        for node in tree.css(apart):
            node.decompose()
    text = "\n".join([tree.body.text(separator="\n") if tree.body else "", *heard])
    return sorted(set(left_in_latin(text, NAMES)))


@pytest.mark.slow
def test_what_staff_read_is_translated(marked: None) -> None:
    circle = stocked("circle")
    client = in_language(CODE, person("olga", Role.OWNER, circle.club))
    left, opened = {}, 0
    for name in CLUB_PAGES:
        if name in OF_CODES:
            continue
        url = address(name, circle)
        answer = client.get(url) if url else None
        if answer is None or answer.status_code != 200 or "html" not in answer.headers["Content-Type"]:
            continue
        opened += 1
        if found := set(said_to_staff(answer.content.decode())) - SHOWN_AS_STORED.get(name, set()):
            left[name] = found
    assert left == {}
    assert opened > 50


def sent_forms(page: str, at: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Send every form of a page, with nothing in its fields, and with nonsense."""
    for form in LexborHTMLParser(page).css("form[method=post]"):
        if "logout" in (form.attributes.get("action") or ""):
            continue
        fields = [field for field in form.css("[name]") if field.attributes.get("type") not in ("checkbox", "radio")]
        for typed in NONSENSE:
            sent = {str(field.attributes["name"]): _filled(field, typed) for field in fields}
            yield urljoin(at, form.attributes.get("action") or ""), sent


def _filled(field: LexborNode, typed: str) -> str:
    """The value that a browser sends for a field: the present one where nothing can be typed."""
    if field.tag == "select":
        chosen = field.css_first("option[selected]") or field.css_first("option")
        return str(chosen.attributes.get("value") or "") if chosen else ""
    is_typed = field.tag == "textarea" or field.attributes.get("type") not in ("hidden", "submit", None)
    return typed if is_typed else str(field.attributes.get("value") or "")


@pytest.mark.slow
def test_what_forms_answer_is_translated(marked: None) -> None:
    """Planted fault: a refusal built in English in a view."""
    circle = stocked("circle")
    client = in_language(CODE, person("olga", Role.OWNER, circle.club))
    left: dict[str, set[str]] = {}
    known: set[tuple[object, ...]] = set()
    sent = 0
    for name in some_of(CLUB_PAGES, one_in=3):
        url = address(name, circle) if name not in OF_CODES else None
        page = client.get(url) if url else None
        if url is None or page is None or page.status_code != 200 or "html" not in page.headers["Content-Type"]:
            continue
        for at, typed in sent_forms(page.content.decode(), url):
            # The form that chooses a language is on every page, and others on several.
            form = (at, *typed, NONSENSE[-1] in typed.values())
            if form in known:
                continue
            known.add(form)
            with transaction.atomic():
                answer = client.post(at, typed, follow=True)
                transaction.set_rollback(True)
            if answer.status_code < 500 and "html" in answer.headers.get("Content-Type", ""):
                sent += 1
                found = set(said_to_staff(answer.content.decode())) - SHOWN_AS_STORED.get(name, set())
                left.setdefault(f"{name}: {at.rpartition('/')[2]}", set()).update(found)
    assert [f"{name} {sorted(found)}" for name, found in left.items() if found] == []
    assert sent > 20


def test_what_feeds_say_is_translated(marked: None) -> None:
    tournament = a_tournament(a_club(slug="circle"))
    Club.objects.update(locale=CODE)
    seat(tournament).deal("show", 34, 12, "first_drop")
    for feed in ("results.atom", "tournaments.ics"):
        answer = visitor().get(f"/c/circle/{feed}")
        assert answer.status_code == 200
        assert left_in_latin(said_in_feed(answer.content.decode()), NAMES) == [], feed


def said_in_feed(text: str) -> str:
    """Titles, summaries and descriptions of a feed or a calendar."""
    if text.startswith("BEGIN:VCALENDAR"):
        lines = text.replace("\r\n ", "").split("\r\n")
        return "\n".join(line.partition(":")[2] for line in lines if line.startswith(("SUMMARY", "DESCRIPTION")))
    return "\n".join(
        re.sub(r"<[^>]*>", " ", unescape(said)) for said in re.findall(r"<(?:title|summary|content)[^>]*>([^<]*)", text)
    )


@pytest.mark.slow
def test_what_is_printed_is_translated(marked: None) -> None:
    printed = a_printed_night(club_called("Asha's club", "asha"))
    left = {}
    for name, at in printed.addresses.items():
        printed.desk.client.cookies[settings.LANGUAGE_COOKIE_NAME] = CODE
        answer: Any = printed.desk.client.get(at)
        assert answer.status_code == 200, at
        text = " ".join(pages(b"".join(answer.streaming_content) if answer.streaming else answer.content))
        if found := left_in_latin(CODES.sub("", text), rf"\b(?:{'|'.join(PRINTED_NAMES)})\b"):
            left[name] = found
    assert left == {}


def test_what_a_seating_refuses_or_warns_of_is_translated(marked: None) -> None:
    said = [translate(problem.message) for found in (findings, wishes, moves) for problem in found()]
    assert len(said) > 15
    assert [one for one in said if left_in_latin(one, r"\b(?:Asha|Bo|Cy|Dev|Eva|Zed)\b")] == []
