"""A pasted list is shown as it was read, asks which player a name means, and never makes a phone number a public name.

Planted faults: choices applied to another text than they were made in; an open question saved as a new player.
"""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import gettext, override
from rapidfuzz import process

from scoring.problems import EventNotAllowed, OptionsRejected
from tests.builders.api_clients import Device
from tests.builders.counted_calls import counted_calls
from tests.builders.page_forms import edit, forms_in
from tests.builders.page_text import refusal_of
from tests.builders.playing import NOW, new_club, new_tournament
from tournaments.entries.commands import lists
from tournaments.entries.commands.enter import check_list, player_called
from tournaments.entries.commands.lists import read_csv, read_pasted
from tournaments.entries.queries import entries
from tournaments.models import Club, Player, Role, Tournament
from tournaments.people.players import add_players
from tournaments.sheet_import import SheetRejected
from tournaments.sheet_import.run import import_sheet
from tournaments.web.admin.entries.desk_forms import rate_titles

pytestmark = pytest.mark.django_db
CHAT = """Sunday players:
1. Asha Rao ✅
2) Bo - 98200 12345
3. Ashaa Rao
"Dev", dev@example.org
₹500
"""


@pytest.fixture
def club(club: Club) -> Club:
    add_players(club, ["Asha Rao", "Bo"])
    return club


@pytest.fixture
def night(club: Club) -> Tournament:
    return new_tournament(club)


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
    rows = answer.context["rows"]
    assert [row["row"].name for row in rows] == ["", "Asha Rao", "Bo", "Ashaa Rao", "Dev", ""]
    assert [row["row"].number for row in rows] == list(range(1, 7))
    for piece in ("98200 12345", "dev@example.org", "phone number", "e-mail or other address", "₹500"):
        assert piece in answer.content.decode()
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


def test_the_page_asks_before_it_enters_more_players_than_there_are_places(dita: Client, night: Tournament):
    """Planted fault: places that bind those alone who enter by themselves, of which the desk reads nothing."""
    Tournament.objects.filter(pk=night.pk).update(places=1)
    preview = look(dita, night, "Asha Rao\nBo")
    assert "2 players would play, and there is 1 place" in preview.text
    values = form_of(preview) | {"do": "store"}
    assert dita.post(page(night), values).status_code == 422
    assert dita.post(page(night), values | {"past_places": "on"}).status_code == 302
    assert said(night) == ["Asha Rao", "Bo"]
    one = {"do": "one", "name": "Cy", "adds_new": "on"}
    refused = dita.post(page(night), one)
    assert (refused.status_code, 'name="past_places"' in refused.text) == (422, True)
    dita.post(page(night), one | {"past_places": "on"})
    assert said(night) == ["Asha Rao", "Bo", "Cy"]


def test_choices_belong_to_the_text_they_were_made_in(dita: Client, night: Tournament):
    sent = form_of(look(dita, night, "Ashaa Rao\nBo"))
    changed = sent | {"names": "Bo\nAshaa Rao", "who-1": "nobody", "do": "look"}
    assert [row["checked"] is not None for row in dita.post(page(night), changed).context["rows"]] == [True, False]


def test_a_choice_is_a_player_of_the_club(dita: Client, night: Tournament):
    (stranger,) = add_players(new_club(), ["Ashaa Rao"])
    sent = form_of(look(dita, night, "Ashaa Rao")) | {"do": "store", "who-1": str(stranger.pk)}
    assert "this player is not in the club" in refusal_of(dita.post(page(night), sent))


def test_a_sheet_with_a_head_is_read_by_its_columns(dita: Client, night: Tournament):
    rows = read_pasted("No\tName\tPhone\tPaid\n1\tAsha Rao\t98200 12345\tyes\n2\tBo\t\tno").rows
    assert [(row.name, row.is_paid, [piece.text for piece in row.left_out]) for row in rows] == [
        ("Asha Rao", True, ["1", "98200 12345"]),
        ("Bo", False, ["2"]),
    ]
    rows = read_pasted("First name,Surname,E-mail\nAsha,Rao,a@example.org").rows
    assert [(row.name, len(row.left_out)) for row in rows] == [("Asha Rao", 1)]


READERS = [read_pasted, read_csv]
FAMILY_FIRST = (
    *("Name;Vorname", "Nachname;Vorname", "Spieler;Vorname", "Zuname;Vorname"),
    *("Surname;Name", "Last name;First name", "Surname;Player", "उपनाम;नाम"),
)
GIVEN_FIRST = ("Name;Surname", "Vorname;Name", "Given name;Family name", "नाम;सरनेम")


@pytest.mark.parametrize("read", READERS)
def test_given_and_family_name_are_one_name_in_every_language(read):
    """Planted fault: a column `Name` beside one for first names taken for the whole name, half of each name lost."""
    for heads in (*FAMILY_FIRST, *GIVEN_FIRST):
        (row,) = read(f"{heads}\nSchmidt;Jörg").rows
        name = "Jörg Schmidt" if heads in FAMILY_FIRST else "Schmidt Jörg"
        assert (row.name, row.left_out) == (name, ()), heads


@pytest.mark.parametrize(
    ("text", "name", "left"),
    [
        ("Name,Player\nAnton Berg,P1", "Anton Berg", ["P1"]),
        ("Player,Name\nP1,Anton Berg", "Anton Berg", ["P1"]),
        ("Player,First name,Surname\nP1,Anton,Berg", "Anton Berg", ["P1"]),
        ("Name,Paid,Paid\nAnton Berg,yes,no", "Anton Berg", ["no"]),
        ("Name,Surname\nAnton Berg,Berg", "Anton Berg", []),
        ("Name,First name,Surname\nAnton Berg,Anton,Berg", "Anton Berg", []),
        ("Name,First name,Surname\nToni,Anton,Berg", "Toni", ["Anton", "Berg"]),
        ("First,Last\nKim,Kim", "Kim Kim", []),
    ],
)
def test_of_two_columns_of_one_meaning_one_is_read_and_the_other_is_named(text: str, name: str, left: list[str]):
    """Planted fault: the last of them read, so that players were entered as P1 and P2."""
    for read in READERS:
        (row,) = read(text).rows
        assert (row.name, [piece.text for piece in row.left_out]) == (name, left)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_with_the_separator_is_no_player_and_is_named(end: str):
    """Planted fault: spreadsheets' `sep=;` and the headings below it entered as players."""
    for read in READERS:
        found = read(end.join(["sep=;", "Name;Vorname;Has paid", "Schmidt;Jörg;yes", "Berg;Ute, geb. Rao;no", ""]))
        rows = [(row.number, row.name, row.is_paid) for row in found.rows]
        assert rows == [(3, "Jörg Schmidt", True), (4, "Ute, geb. Rao Berg", False)]
        assert [(row.number, row.left_out[0].text) for row in found.nobody] == [(1, "sep=;")]
        assert found.problems == ()
    found = read_pasted(end.join(["sep=;", "Asha; paid", "Bo"]))
    assert [(row.number, row.name, row.is_paid) for row in found.rows] == [(2, "Asha", True), (3, "Bo", False)]
    assert [row.left_out[0].text for row in found.nobody] == ["sep=;"]


@pytest.mark.parametrize("language", ["en", "de", "hi"])
def test_our_own_labels_are_read_as_headings_and_marks(language: str):
    """Planted fault: `Has paid`, as our own pages call it, was an unknown column, and `ja` no tick."""
    with override(language):
        paid, standby, name = gettext("Has paid"), gettext("Standby list"), gettext("Name")
        rates = rate_titles()
        marked = [f"Asha; {paid}", f"Asha; {gettext('paid')}"]
    yes = {"en": "yes", "de": "ja", "hi": "हाँ"}[language]
    (row,) = read_pasted(f"{name};{paid};{standby}\nAsha;{yes};{yes}").rows
    assert (row.name, row.is_paid, row.is_standby) == ("Asha", True, True)
    for line in marked:
        (row,) = read_pasted(line).rows
        assert (row.name, row.is_paid) == ("Asha", True)
    for rate, title in rates.items():
        (row,) = read_csv(f"{name};rate\nAsha;{title}").rows
        assert row.rate == rate


def test_german_ticks_and_marks_are_read_and_family_names_stay():
    for text, name, is_paid in (
        ("Name;bezahlt\nJörg;ja", "Jörg", True),
        ("Name;bezahlt\nJörg;nein", "Jörg", False),
        ("Name;Hat bezahlt?\nJörg;x", "Jörg", True),
        ("Jörg, bezahlt", "Jörg", True),
        ("Jörg bezahlt", "Jörg", True),
        ("Jörg (nicht bezahlt)", "Jörg", False),
        ("Anna, Frei", "Anna, Frei", False),
    ):
        found = read_pasted(text)
        assert found.problems == ()
        assert [(row.name, row.is_paid, row.rate) for row in found.rows] == [(name, is_paid, None)], text


SPELLINGS = [
    ("O'Brien", "O’Brien"),
    ("Müller", "Muller"),
    ("Łukasz", "Lukasz"),
    ("Asha Das", "das, asha"),
    ("Cy", "Су"),
]


def test_two_spellings_of_a_new_name_in_one_list_are_asked_about(dita: Client, night: Tournament):
    """Planted fault: only equal keys compared, so that one guest paid twice under two names."""
    shown = look(dita, night, "O'Brien\nO’Brien")
    assert len(shown.context["checked"].questions) == 1
    assert "in row 1" in shown.content.decode()
    sent = form_of(shown) | {"do": "store", "adds_new": "on"}
    assert dita.post(page(night), sent).status_code == 422
    assert dita.post(page(night), sent | {"who-2": "nobody"}).status_code == 302
    assert [line.name for line in entries(night).lines] == ["O'Brien"]


@pytest.mark.parametrize(("one", "other"), SPELLINGS)
def test_no_door_adds_two_spellings_of_a_name_without_a_question(night: Tournament, one: str, other: str):
    device, before = Device(night.club, Role.DIRECTOR), Player.objects.count()
    body: dict[str, Any] = {"entries": [{"name": one}, {"name": other}], "adds_new": True}
    refused = device.send(f"/api/v1/tournaments/{night.pk}/entries/", body)
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "listed_twice")
    refused = device.send(f"/api/v1/clubs/{night.club_id}/players/", {"names": [one, other]}, key=None)
    assert {problem["code"] for problem in refused.json()["problems"]} == {"known_name"}
    assert Player.objects.count() == before
    body["entries"][1]["name"] = f"{other} (new)"
    assert device.send(f"/api/v1/tournaments/{night.pk}/entries/", body).status_code == 201


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
    with pytest.raises(EventNotAllowed):
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


@pytest.mark.parametrize("door", DOORS)
def test_no_door_takes_a_name_that_can_be_called(door: Callable[[Tournament, str], None], night: Tournament):
    before = set(Player.objects.values_list("name", flat=True))
    for name in ("Asha 98200 12345", "asha@example.org"):
        door(night, name)
        assert set(Player.objects.values_list("name", flat=True)) == before


def test_nobody_is_renamed_to_a_phone_number(dita: Client, club: Club):
    player = Player.objects.get(name="Bo")
    for field in ("name", "pseudonym"):
        answer = edit(dita, reverse("admin:tournaments_player_change", args=[player.pk]), **{field: "Bo 98200 12345"})
        assert field in answer.context["adminform"].form.errors
    player.refresh_from_db()
    assert (player.name, player.pseudonym) == ("Bo", "")


def test_a_number_is_one_players_alone(dita: Client, club: Club):
    asha, bo = add_players(club, ["Asha Rao", "Bo Sen"])
    number = {"member_number": "IN-0042"}
    assert edit(dita, reverse("admin:tournaments_player_change", args=[asha.pk]), **number).status_code == 302
    answer = edit(dita, reverse("admin:tournaments_player_change", args=[bo.pk]), **number)
    assert "member_number" in answer.context["adminform"].form.errors
    assert list(Player.objects.filter(**number)) == [asha]


@pytest.mark.parametrize(
    ("text", "shows", "added"),
    [
        ("1. Uma, 98200 12345\nAshaa Rao", ("98200 12345", "similar to", "Not saved yet"), {"Uma", "Ashaa Rao"}),
        ("Name;Vorname\nSchmidt;Jörg\nRao;Uma", (), {"Jörg Schmidt", "Uma Rao"}),
        ("Jörg\nUma Rao; paid; free; +Jackpot", ("Jackpot", "only for a tournament"), {"Jörg", "Uma Rao"}),
    ],
)
def test_the_page_that_adds_players_shows_every_list_as_it_was_read(
    dita: Client, club: Club, text: str, shows: tuple[str, ...], added: set[str]
):
    """Planted faults: a list of new names saved at once; marks of an entry dropped without a word."""
    address, typed = reverse("admin:tournaments_player_add"), {"club": str(club.pk), "names": text}
    shown = dita.post(address, typed)
    assert (shown.status_code, Player.objects.count()) == (200, 2)
    page = shown.content.decode()
    assert [each for each in (*shows, *added) if each not in page] == []
    assert ("only for a tournament" in page) is ("Jackpot" in text)
    [seen] = [form.named("duplicates").value for form in forms_in(page) if form.has("duplicates")]
    assert dita.post(address, typed | {"duplicates": seen.replace("\n", "\r\n")}).status_code == 302
    assert set(Player.objects.values_list("name", flat=True)) == {"Asha Rao", "Bo"} | added


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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\n" * 59_000, "59000 rows at once are too many: at most 500"),
        ("name,paid\n" + "a,\n" * 1_000, "1001 rows at once are too many: at most 500"),
        ("a\n\n" + "\ufdfa" * 100_000, "row 3 has a cell of 100000 characters; a cell has at most 2000"),
    ],
)
def test_of_a_list_far_too_long_no_line_is_read(text: str, told: str, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: 59,000 lines parsed to be counted, 1.5 s of a thread; one of 100,000 ligatures, 5 s."""
    for name in ("pasted_lines", "_cells"):
        monkeypatch.setattr(lists, name, None)
    for read in READERS:
        assert [str(problem.message) for problem in read(text).problems] == [told]
