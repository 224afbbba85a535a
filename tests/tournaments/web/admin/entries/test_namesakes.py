"""Two players of one name can be added wherever a player can be added, and have different public names afterwards.

Planted faults: a name that is looked up where a new player was meant, a mark that stays in the name.
"""

from collections.abc import Callable

import pytest
from django.test import Client

from scoring.events import wire
from scoring.problems import EventNotAllowed
from tests.builders.admin_tables import person
from tests.builders.api_clients import Device
from tests.builders.page_forms import edit
from tests.builders.playing import NOW, context, new_club, new_tournament
from tournaments.cash.queries import labels_of
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import read_csv, read_pasted
from tournaments.entries.commands.substitutes import StandIn, substitute
from tournaments.entries.queries import entries
from tournaments.models import Club, Player, Role, Tournament
from tournaments.people.known_names import known_names
from tournaments.people.players import add_players, renew_public_names
from tournaments.privacy import erase_player
from tournaments.running.commands.record import record_in_tournament
from tournaments.sheet_import.run import import_sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Tournament:
    """A club that knows one Asha; Bo has entered."""
    tournament = new_tournament(new_club())
    add_players(tournament.club, ["Asha"])
    enter_list(tournament.pk, read_pasted("Bo").rows, context=context(), adds_new=True)
    return tournament


def by_the_club_api(night: Tournament) -> None:
    device = Device(night.club, Role.DIRECTOR)
    answer = device.send(f"/api/v1/clubs/{night.club_id}/players/", {"names": ["Asha"], "are_namesakes": True})
    assert answer.status_code == 201


def by_the_mark_in_the_api(night: Tournament) -> None:
    device = Device(night.club, Role.DIRECTOR)
    assert device.send(f"/api/v1/clubs/{night.club_id}/players/", {"names": ["Asha (new)"]}).status_code == 201


def by_a_pasted_list(night: Tournament) -> None:
    enter_list(night.pk, read_pasted("Asha (new)").rows, context=context(), adds_new=False)


def by_a_list_in_german(night: Tournament) -> None:
    enter_list(night.pk, read_pasted("Asha (neu); paid").rows, context=context(), adds_new=True)


def by_a_file(night: Tournament) -> None:
    enter_list(night.pk, read_csv("name,paid\nAsha (new),yes\n").rows, context=context(), adds_new=False)


def by_the_entries_api(night: Tournament) -> None:
    device = Device(night.club, Role.DIRECTOR)
    answer = device.send(f"/api/v1/tournaments/{night.pk}/entries/", {"entries": [{"name": "Asha (new)"}]})
    assert answer.status_code in (200, 201), answer.content


def by_a_substitution(night: Tournament) -> None:
    bo = str(Player.objects.get(name="Bo").pk)
    record_in_tournament(night.pk, wire.PlanMade(plan={"stages": [{"smallest_table": 2}]}), context=context())
    substitute(night.pk, StandIn(player=bo, by="Asha (new)", reason="is ill", adds_new=False), context=context())


def by_a_paper_sheet(night: Tournament) -> None:
    club = night.club.name
    text = f"Club,{club}\nTournament,Sunday\nTable,1\nGame,Pool 101\nDeal,Asha (new),Bo\n1,show,34\n"
    assert import_sheet(text.encode(), now=NOW).table == import_sheet(text.encode(), now=NOW).table


def by_the_page_of_players(night: Tournament) -> None:
    client = Client()
    client.force_login(person("dita", Role.DIRECTOR, night.club))
    page = "/admin/tournaments/player/add/"
    assert client.post(page, {"club": str(night.club_id), "names": "Asha (new)"}, follow=True).status_code == 200


DOORS: list[Callable[[Tournament], None]] = [
    by_the_club_api,
    by_the_mark_in_the_api,
    by_a_pasted_list,
    by_a_list_in_german,
    by_a_file,
    by_the_entries_api,
    by_a_substitution,
    by_a_paper_sheet,
    by_the_page_of_players,
]


@pytest.mark.parametrize(
    ("door", "telling"),
    [
        *((door, "number") for door in DOORS),
        *((by_a_pasted_list, telling) for telling in ("letters", "initial", "year")),
    ],
)
def test_somebody_else_of_a_known_name_is_added_and_told_apart_as_the_club_chooses(
    night: Tournament, door: Callable[[Tournament], None], telling: str
):
    Club.objects.filter(pk=night.club_id).update(telling=telling)
    door(night)
    asha, added = Player.objects.filter(club=night.club).exclude(name="Bo").order_by("created_at")
    told = {"number": "Asha (2)", "initial": "Asha (B)", "year": f"Asha ({added.created_at.year})", "letters": "Asha"}
    assert (asha.name, added.name) == ("Asha", told[telling])
    assert asha.public_name != added.public_name
    labels = labels_of(night.club)
    assert labels[str(asha.pk)] != labels[str(added.pk)]
    if telling != "letters":
        assert added.public_name == labels[str(added.pk)] == added.name


def test_two_new_people_of_one_name_come_by_one_list(night: Tournament):
    enter_list(night.pk, read_pasted("Cy\nCy (new)\nCy (new)").rows, context=context(), adds_new=True)
    names = [line.name for line in entries(night).lines]
    assert len([name for name in names if name.startswith("Cy (")]) == 3
    assert len(set(names)) == len(names)


def test_a_name_that_two_bear_is_refused_with_every_way_to_mean_one(night: Tournament):
    by_a_pasted_list(night)
    with pytest.raises(EventNotAllowed) as refused:
        enter_list(night.pk, read_pasted("Asha").rows, context=context(), adds_new=True)
    (problem,) = refused.value.problems
    assert all(f"Asha ({player.pk.hex[:4]})" in problem.text() for player in Player.objects.filter(name="Asha"))
    assert problem.text().endswith("or Asha (new)")


def test_names_that_were_given_stay_whatever_the_club_chooses_later(night: Tournament):
    for telling, names in (("number", ["Asha", "Asha"]), ("initial", ["Asha", "Cy", "Cy"]), ("letters", [])):
        Club.objects.filter(pk=night.club_id).update(telling=telling)
        add_players(night.club, names)
    Club.objects.filter(pk=night.club_id).update(naming="first")
    renew_public_names(night.club_id)
    wanted = {"Asha", "Asha (2)", "Asha (3)", "Asha (B)", "Bo", "Cy", "Cy (B)"}
    assert set(Player.objects.values_list("name", flat=True)) == wanted
    assert set(Player.objects.values_list("public_name", flat=True)) == wanted
    erase_player(Player.objects.get(name="Asha"), now=NOW, with_balance=True)
    assert Player.objects.get(name="Asha (2)").public_name == "Asha (2)"


def test_a_player_renamed_to_anothers_name_is_told_apart_and_not_from_themselves(club: Club, dita: Client):
    Club.objects.filter(pk=club.pk).update(telling="number")
    asha, bo = add_players(club, ["Asha", "Bo"])
    for player, name in ((bo, "ASHA"), (asha, "asha")):
        assert edit(dita, f"/admin/tournaments/player/{player.pk}/change/", name=name).status_code == 302
    assert set(Player.objects.values_list("name", "public_name")) == {("ASHA (2)", "ASHA (2)"), ("asha", "asha")}


def test_a_list_sent_again_under_its_key_adds_nobody_again(night: Tournament):
    device = Device(night.club, Role.DIRECTOR)
    path = f"/api/v1/clubs/{night.club_id}/players/"
    answers = [device.send(path, {"names": ["Asha", "Cy"]}, key="a" * 32) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert Player.objects.filter(club=night.club).count() == 4


def test_a_twin_with_a_sign_of_no_width_is_a_namesake(night: Tournament):
    twins = ["As\u200bha", "Asha\ufe0f", "\u2060Asha"]
    add_players(night.club, twins)
    shown = Player.objects.filter(club=night.club).exclude(name="Bo").values_list("public_key", flat=True)
    assert len(set(shown)) == 4
    assert [key for key in shown if not key.isascii()] == []
    assert len(known_names(night.club).found("Asha")) == 4


@pytest.mark.parametrize("do", ["one", "store"])
def test_a_new_namesake_whose_form_is_sent_twice_is_added_once(night: Tournament, client: Client, do: str):
    """A double click. Planted fault: told that it was sent with other data, and the next press adds a third Asha."""
    client.force_login(person("dita", Role.DIRECTOR, night.club))
    url = f"/admin/tournaments/tournament/{night.pk}/entries/"
    sent = {"do": do, "key": "a" * 32, "name": "Asha (new)", "names": "Asha (new)", "adds_new": "on"}
    if do == "store":
        sent["shown"] = client.post(url, {**sent, "do": "look"}).context["checked"].fingerprint
    for _ in range(2):
        assert client.post(url, sent).status_code == 302
    assert Player.objects.filter(club=night.club, name__startswith="Asha").count() == 2
