"""A pasted list is shown as it was read, asks which player a name means, and never makes a phone number a public name.

Planted faults that these catch: choices applied to another text than they were made in, an open question that is saved
as a new player, a page that does not check its names, one query for each line.
"""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rapidfuzz import process

from scoring.problems import FactRejected, OptionsRejected
from tests.builders.admin_tables import club_called, person
from tests.builders.api_clients import Device
from tests.builders.counted_calls import counted_calls
from tests.builders.page_forms import edit, forms_in
from tests.builders.page_text import refusal_of
from tests.builders.playing import NOW, context, new_club, new_tournament
from tournaments.entries.commands import lists
from tournaments.entries.commands.enter import check_list, enter_list, player_called
from tournaments.entries.commands.lists import EntryRow, read_csv, read_pasted
from tournaments.entries.queries import entries
from tournaments.models import Club, Player, Role, Tournament
from tournaments.people.players import add_players
from tournaments.sheet_import import SheetRejected
from tournaments.sheet_import.run import import_sheet

pytestmark = pytest.mark.django_db
CHAT = """Sunday players:
1. Asha Rao ✅
2) Bo - 98200 12345
3. Ashaa Rao
"Dev", dev@example.org
₹500
"""


@pytest.fixture
def club() -> Club:
    club = club_called("home", "Home")
    add_players(club, ["Asha Rao", "Bo"])
    return club


@pytest.fixture
def night(club: Club) -> Tournament:
    return new_tournament(club)


@pytest.fixture
def dita(club: Club, client: Client) -> Client:
    client.force_login(person("dita", Role.DIRECTOR, club))
    return client


def page(night: Tournament) -> str:
    return reverse("admin:tournaments_tournament_entries", args=[night.pk])


def look(client: Client, night: Tournament, text: str, **sent: str):
    return client.post(page(night), {"do": "look", "names": text, **sent})


def form_of(answer) -> dict[str, str]:
    """The form values that the page would send back."""
    (form,) = [form for form in forms_in(answer.content.decode()) if form.has("shown")]
    return {name: form.named(name).value for name in ("key", "shown", "chosen_in", "names")}


def said(night: Tournament) -> list[str]:
    return sorted(line.name for line in entries(night).lines)


def test_every_line_shows_what_was_read_and_what_was_left_out(dita: Client, night: Tournament):
    answer = look(dita, night, CHAT)
    text = answer.content.decode()
    rows = answer.context["rows"]
    assert [(row["row"].number, row["row"].name) for row in rows] == [
        (1, ""),
        (2, "Asha Rao"),
        (3, "Bo"),
        (4, "Ashaa Rao"),
        (5, "Dev"),
        (6, ""),
    ]
    for piece in ("98200 12345", "dev@example.org", "phone number", "e-mail or other address", "₹500"):
        assert piece in text
    assert [label for _, label in rows[3]["choices"]] == ["Choose", "Asha Rao", "new player", "leave out"]
    assert said(night) == []


@pytest.mark.slow
def test_a_name_almost_known_is_saved_only_when_it_was_chosen_who_it_is(dita: Client, night: Tournament):
    sent = form_of(look(dita, night, "Ashaa Rao\nBo")) | {"do": "store", "adds_new": "on"}
    refused = dita.post(page(night), sent)
    assert refused.status_code == 422
    assert "row 1: choose who Ashaa Rao is" in refused.content.decode()
    asha = Player.objects.get(name="Asha Rao")
    assert dita.post(page(night), form_of(refused) | {"do": "store", "who-1": str(asha.pk)}).status_code == 302
    assert said(night) == ["Asha Rao", "Bo"]
    assert Player.objects.count() == 2


def test_a_name_almost_known_may_be_somebody_new_or_nobody(dita: Client, night: Tournament):
    sent = form_of(look(dita, night, "Ashaa Rao\nBoo\nBo\nBo"))
    answers = {"who-1": "new", "who-4": "nobody"}
    assert dita.post(page(night), sent | answers | {"do": "store", "adds_new": "on"}).status_code == 302
    assert said(night) == ["Ashaa Rao", "Bo", "Boo"]


def test_two_of_one_name_are_a_choice_and_no_error(dita: Client, night: Tournament):
    (second,) = add_players(night.club, ["Bo"])
    shown = look(dita, night, "Bo")
    assert shown.status_code == 200
    assert "errornote" not in shown.content.decode()
    sent = form_of(shown) | {"do": "store", "who-1": str(second.pk)}
    assert dita.post(page(night), sent).status_code == 302
    assert [line.player for line in entries(night).lines] == [str(second.pk)]


def test_choices_belong_to_the_text_they_were_made_in(dita: Client, night: Tournament):
    sent = form_of(look(dita, night, "Ashaa Rao\nBo"))
    changed = sent | {"names": "Bo\nAshaa Rao", "who-1": "nobody", "do": "look"}
    assert [row["checked"] is not None for row in dita.post(page(night), changed).context["rows"]] == [True, False]


def test_a_choice_is_a_player_of_the_club(dita: Client, night: Tournament):
    (stranger,) = add_players(new_club(), ["Ashaa Rao"])
    sent = form_of(look(dita, night, "Ashaa Rao")) | {"do": "store", "who-1": str(stranger.pk)}
    assert "this player is not in the club" in refusal_of(dita.post(page(night), sent))
    with pytest.raises(FactRejected):
        enter_list(night.pk, [EntryRow(number=1, name="x", player=str(stranger.pk))], context=context(), adds_new=True)


def test_a_sheet_with_a_head_is_read_by_its_columns(dita: Client, night: Tournament):
    rows = read_pasted("No\tName\tPhone\tPaid\n1\tAsha Rao\t98200 12345\tyes\n2\tBo\t\tno").rows
    assert [(row.name, row.is_paid, [piece.text for piece in row.left_out]) for row in rows] == [
        ("Asha Rao", True, ["1", "98200 12345"]),
        ("Bo", False, ["2"]),
    ]
    rows = read_pasted("First name,Surname,E-mail\nAsha,Rao,a@example.org").rows
    assert [(row.name, len(row.left_out)) for row in rows] == [("Asha Rao", 1)]


def test_several_names_in_one_line_are_reported():
    assert [problem.text() for problem in read_pasted("Asha, Bo, Cy").problems] == [
        "row 1: 'Asha, Bo, Cy' looks like several players: one name a line"
    ]


def by_the_club_api(night: Tournament, name: str) -> None:
    device = Device(night.club, Role.DIRECTOR)
    assert device.send(f"/api/v1/clubs/{night.club_id}/players/", {"names": [name]}).status_code == 422


def by_the_entries_api(night: Tournament, name: str) -> None:
    device = Device(night.club, Role.DIRECTOR)
    body = {"entries": [{"name": name}], "adds_new": True}
    assert device.send(f"/api/v1/tournaments/{night.pk}/entries/", body).status_code == 422


def by_the_command(night: Tournament, name: str) -> None:
    with pytest.raises(OptionsRejected):
        add_players(night.club, [name])


def by_a_substitution(night: Tournament, name: str) -> None:
    with pytest.raises(FactRejected):
        player_called(night, name, adds_new=True)


def by_a_paper_sheet(night: Tournament, name: str) -> None:
    text = f"Club,{night.club.name}\nTournament,Sunday\nTable,1\nGame,Pool 101\nDeal,{name},Bo\n1,show,34\n"
    with pytest.raises(SheetRejected):
        import_sheet(text.encode(), now=NOW)


DOORS: list[Callable[[Tournament, str], None]] = [
    by_the_club_api,
    by_the_entries_api,
    by_the_command,
    by_a_substitution,
    by_a_paper_sheet,
]


@pytest.mark.parametrize("name", ["Asha 98200 12345", "asha@example.org"])
@pytest.mark.parametrize("door", DOORS)
def test_no_door_takes_a_name_that_can_be_called(door: Callable[[Tournament, str], None], night: Tournament, name: str):
    before = set(Player.objects.values_list("name", flat=True))
    door(night, name)
    assert set(Player.objects.values_list("name", flat=True)) == before


@pytest.mark.parametrize("field", ["name", "pseudonym"])
def test_nobody_is_renamed_to_a_phone_number(dita: Client, club: Club, field: str):
    player = Player.objects.get(name="Bo")
    answer = edit(dita, reverse("admin:tournaments_player_change", args=[player.pk]), **{field: "Bo 98200 12345"})
    assert field in answer.context["adminform"].form.errors
    player.refresh_from_db()
    assert (player.name, player.pseudonym) == ("Bo", "")


def test_the_page_that_adds_players_shows_what_it_left_out_before_it_adds(dita: Client, club: Club):
    address = reverse("admin:tournaments_player_add")
    typed = {"club": str(club.pk), "names": "1. Uma, 98200 12345\nAshaa Rao"}
    shown = dita.post(address, typed)
    text = shown.content.decode()
    assert shown.status_code == 200
    assert "98200 12345" in text
    assert "similar to" in text
    seen = shown.context["checked"].listed
    assert dita.post(address, typed | {"duplicates": seen}).status_code == 302
    assert set(Player.objects.values_list("name", flat=True)) == {"Asha Rao", "Bo", "Uma", "Ashaa Rao"}


@pytest.mark.slow
def test_five_hundred_lines_are_read_against_ten_thousand_names_with_little_work(
    night: Tournament, monkeypatch: pytest.MonkeyPatch
):
    """Planted faults: each line compared with each name; the names by their letters gathered for each line.

    Today 660,000 calls.
    """
    syllables = ("a", "sha", "ra", "vi", "mo", "ni", "ta", "ku", "de", "pri")
    called = [f"{a}{b} {c}{d}".title() for a in syllables for b in syllables for c in syllables for d in syllables]
    add_players(night.club, called)
    text = "\n".join(f"{number}. {name}x ✅ 98200 12345" for number, name in enumerate(called[::20], 1))
    rows = read_pasted(text).rows
    assert len(rows) == 500
    compared, extract = [], process.extract

    def counted(name: str, names: Sequence[str], **how: Any) -> Any:
        compared.append(len(names))
        return extract(name, names, **how)

    monkeypatch.setattr(process, "extract", counted)
    with CaptureQueriesContext(connection) as asked, counted_calls() as calls:
        checked = check_list(night, rows)
    assert len(asked) <= 4
    assert len(checked.questions) > 450
    assert calls.made < 1_200_000
    assert sum(compared) < 500 * 10_000 * 0.45


@pytest.mark.parametrize("read", [read_pasted, read_csv])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\n" * 59_000, "59000 rows at once are too many: at most 500"),
        ("name,paid\n" + "a,\n" * 1_000, "1001 rows at once are too many: at most 500"),
        ("a\n\n" + "\ufdfa" * 100_000, "row 3 has a cell of 100000 characters; a cell has at most 2000"),
    ],
)
def test_of_a_list_far_too_long_no_line_is_read(read, text: str, told: str, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: 59,000 lines parsed to be counted, 1.5 s of a thread; one of 100,000 ligatures, 5 s."""
    for name in ("pasted_lines", "_cells"):
        monkeypatch.setattr(lists, name, None)
    assert [str(problem.message) for problem in read(text).problems] == [told]
