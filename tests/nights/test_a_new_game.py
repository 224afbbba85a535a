"""A game in a package of its own is played everywhere: only its line in the register is written for it.

Planted faults these catch: a page, a print, a shape of the API or a practice that looks a game up by its name.
"""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from rummy_site import catalogues
from scoring.cli import main
from scoring.rules.chance import Chance
from scoring.rules.table.dealing import next_deal
from scoring.rules.table.table import Table
from scoring.sheets.snapshots import load_table
from scoring.tournament.plans.formats import format_for
from tests.builders.admin_tables import Evening, club_called, evening_at, person
from tests.builders.paper_files import file
from tests.builders.pdf_text import pages
from tests.builders.playing import NOW
from tests.builders.small_game import registered
from tests.builders.western_pages import fields, stored_sheet
from tests.builders.whole_evening import Evening as ByProgram
from tests.builders.whole_evening import proved
from tournaments.models import Role, Scoresheet
from tournaments.rehearsal import rehearsal_club
from tournaments.rehearsal.simulation import SimulationDraft, simulate_tournament
from tournaments.sheet_import.run import import_sheet
from tournaments.web.api.answers import example_deals

pytestmark = pytest.mark.django_db

PRESET, CLOSE = "high_card_to_3", {"kind": "table_closed"}


@pytest.fixture(autouse=True)
def new_game(tmp_path: Path) -> Iterator[None]:
    """The package lies in a folder of the test, and is known while the test runs."""
    with registered(tmp_path):
        yield


@pytest.fixture
def evening() -> Evening:
    return evening_at(club_called("Asha's club", "asha"), preset=PRESET)


@pytest.fixture
def sam(evening: Evening) -> Client:
    """Sam keeps the cash desk, on the pages."""
    client = Client()
    client.force_login(person("sam", Role.DIRECTOR, evening.club))
    return client


def folded(table_id: UUID) -> Table:
    return load_table(Scoresheet.objects.get(table=table_id).state)


@pytest.mark.slow
def test_its_form_is_filled_in_on_the_page_to_the_end(evening: Evening, sam: Client):
    page = sam.get(evening.score_url).content.decode()
    assert 'name="highest"' in page
    assert "Highest card" in page
    for deal, highest in enumerate(("1", "2", "1"), start=1):
        answer = sam.post(
            evening.score_url, fields(deal, {"highest": highest, "dealer": "1"}, deal=deal, key=str(deal) * 32)
        )
        assert answer.status_code == 302
    assert stored_sheet(evening, 2) == {"highest": "1", "dealer": "1"}
    assert sam.post(evening.score_url, fields(4, {}, deal=4, key="4" * 32)).status_code == 422
    correction = {**fields(4, {"highest": "1", "reason": "misread"}, deal=2, key="5" * 32), "kind": "deal_corrected"}
    assert sam.post(evening.page("correct/2"), correction).status_code == 302
    evening.record(CLOSE)
    state = Scoresheet.objects.get(table=evening.table)
    assert (state.is_finished, state.is_closed) == (True, True)
    proved()


def test_its_preset_is_offered_and_its_rules_are_reported(evening: Evening, sam: Client):
    assert "High card to 3" in sam.get("/admin/tournaments/tournament/add/?all=1").content.decode()
    home = f"/c/asha/t/{evening.tournament.slug}/"
    told = Client().get(f"{home}rules/").content.decode()
    assert "Whoever draws the highest card takes a point." in told
    assert "Points that win" in told
    evening.record({"kind": "deal_recorded", "deal": 1, "highest": "2"})
    for page in ("", "r1/table-1/", "board.csv", "r1/table-1/sheet.json"):
        answer = Client().get(home + page)
        assert (answer.status_code, "Bo" in answer.content.decode()) == (200, True)


@pytest.mark.slow
def test_it_is_played_through_the_interface_for_programs():
    evening = ByProgram()
    home = evening.tournament("High card", PRESET, entry_minor=10_000)
    table = evening.table(home, "Asha", "Bo", "Cy")
    form = Client().get(f"/api/v1/tables/{table}/form/").json()
    assert (form["variant"], [field["path"] for field in form["fields"]]) == ("high_card", [["highest"], ["dealer"]])
    evening.write(table, *({"kind": "deal_recorded", "deal": deal, "highest": "2"} for deal in (1, 2, 3)))
    evening.write(table, CLOSE, client=evening.director)
    shown = Client().get(f"/api/v1/tables/{table}/").json()
    assert (shown["is_finished"], shown["winners"], shown["payouts_minor"]) == (True, ["2"], {"2": 30_000})
    assert evening.board(home)["Bo"] == (1, 3)
    proved()


def test_the_schema_has_a_shape_and_an_example_of_it():
    schema = SchemaGenerator().get_schema(request=None, public=True)
    told = Draft202012Validator({"$ref": "#/components/schemas/Event", "components": schema["components"]})
    event = example_deals()["high_card"]
    assert event == {"kind": "deal_recorded", "deal": 1, "highest": "1"}
    told.validate(event)
    assert schema["components"]["schemas"]["Deal.high_card"]["title"] == "High card"


def test_its_score_sheet_is_printed_with_its_boxes_and_options(evening: Evening, sam: Client):
    printed = pages(file(sam.get(f"/admin/tournaments/tournament/{evening.tournament.pk}/paper/sheets/")))
    assert [word for word in ("High card", "Highest card", "Asha", "Dealer", "Total") if word not in printed[0]] == []
    assert "Points that win 3" in " ".join(printed)


def test_its_paper_sheet_is_read_back():
    club = club_called("Bo's club", "bo")
    lines = ["Rummy score sheet", "Club,Bo's club", "Tournament,Saturday", "Table,1", "Game,High card to 3", ""]
    lines += ["Deal,Asha,Bo,Highest card,Dealer", "1,,,Asha,Bo", "2,,,Asha,Asha"]
    made = import_sheet("\n".join(lines).encode(), now=NOW)
    assert made.table.tournament.club == club
    assert folded(made.table.pk).game.won == {"1": 2, "2": 0}


def test_a_rehearsal_plays_it(evening: Evening):
    draft = SimulationDraft(players=8, preset=PRESET, seed="Asha", format="two_go_on")
    played = simulate_tournament(rehearsal_club(), draft, now=NOW)
    assert played.tournament.closed_at is not None
    assert not Scoresheet.objects.filter(table__tournament=played.tournament, is_closed=False).exists()
    table = folded(evening.table.pk)
    assert next_deal(table, Chance("Asha"))["highest"] in table.setup.seats
    assert "winners_go_on" in {known.name for known in format_for(12, "high_card")}
    proved()


def test_translators_get_its_words(monkeypatch: pytest.MonkeyPatch):
    # The messages of our own files are gathered in tests/rummy_site/test_messages.py.
    monkeypatch.setattr(catalogues, "FOLDERS", ())
    gathered = {message for _, message, _ in catalogues.every_message()}
    assert {
        "High card",
        "High card to 3",
        "Points that win",
        "Whoever draws the highest card takes a point.",
    } <= gathered


def test_the_rules_on_the_command_line_know_it(capsys: pytest.CaptureFixture[str]):
    assert main(["variants"]) == 0
    assert "high_card" in capsys.readouterr().out
