"""A player added by mistake is removed; a player named by any record stays, and the reasons are shown.

Planted faults that these catch: only seats checked, so that a player who has entered is removed; a withdrawal taken for
no history; a check before the lock of the club.
"""

from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from scoring.events import wire
from scoring.problems import OptionsRejected, RummyError
from tests.builders.admin_tables import club_called, person
from tests.builders.playing import context, new_club, new_tournament
from tests.builders.racing import at_once
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow, read_pasted
from tournaments.models import Player, Role
from tournaments.people.players import add_players
from tournaments.privacy import remove_player
from tournaments.running.commands.record import record_in_tournament, tournament_state


def reasons(refused: pytest.ExceptionInfo[OptionsRejected]) -> list[str]:
    return [problem.text() for problem in refused.value.problems]


@pytest.mark.django_db
def test_a_player_whom_no_record_names_is_removed_and_the_namesake_keeps_the_name():
    club = new_club(telling="number")
    asha, twin = add_players(club, ["Asha", "Asha"])
    remove_player(asha)
    remove_player(asha)
    assert list(Player.objects.values_list("id", "name", "public_name")) == [(twin.id, "Asha (2)", "Asha (2)")]


@pytest.mark.django_db
def test_a_player_who_entered_stays_even_after_a_withdrawal(django_assert_max_num_queries):
    night = new_tournament(new_club(), entry_minor=500)
    enter_list(night.pk, read_pasted("Asha; paid\nBo").rows, context=context(), adds_new=True)
    asha, bo = (Player.objects.get(name=name) for name in ("Asha", "Bo"))
    record_in_tournament(night.pk, wire.EntryWithdrawn(player=str(bo.pk)), context=context())
    with django_assert_max_num_queries(12), pytest.raises(OptionsRejected) as refused:
        remove_player(bo)
    assert reasons(refused) == [f"Bo is in {night.name}"]
    with pytest.raises(OptionsRejected) as refused:
        remove_player(asha)
    assert reasons(refused)[0] == f"Asha is in {night.name}"
    assert Player.objects.count() == 2


@pytest.mark.django_db
def test_the_page_says_why_or_asks_and_then_removes(client: Client):
    club = club_called("home", "Home")
    night = new_tournament(club)
    enter_list(night.pk, read_pasted("Asha").rows, context=context(), adds_new=True)
    (bo,) = add_players(club, ["Bo"])
    client.force_login(person("dita", Role.DIRECTOR, club))
    asha = Player.objects.get(name="Asha")
    pages = {one: reverse("admin:tournaments_player_remove", args=[one.pk]) for one in (asha, bo)}
    shown = client.get(pages[asha]).content.decode()
    assert f"Asha is in {night.name}" in shown
    assert 'name="sure"' not in shown
    assert client.post(pages[asha], {"sure": "yes"}).status_code == 422
    assert client.post(pages[bo]).status_code == 422
    assert Player.objects.count() == 2
    assert client.post(pages[bo], {"sure": "yes"}).status_code == 302
    assert list(Player.objects.values_list("name", flat=True)) == ["Asha"]


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_a_removal_and_an_entry_at_once_one_is_refused():
    night = new_tournament(new_club())
    for turn in range(8):
        (player,) = add_players(night.club, [f"Player {turn}"])
        row = EntryRow(number=1, name=player.name, player=str(player.pk))
        entry = partial(enter_list, night.pk, [row], context=context(), adds_new=False)
        answers = at_once([partial(remove_player, player), entry])
        assert sum(isinstance(answer, RummyError) for answer in answers) == 1
        is_entered = str(player.pk) in tournament_state(night).entrants
        assert Player.objects.filter(pk=player.pk).exists() is is_entered
