"""A plan for one player or for five thousand: an error message, and the input stays.

Planted fault that this catches: a number silently replaced by the nearest valid one.
"""

import html

import pytest
from django.test import Client

from tests.builders.admin_tournaments import a_night
from tests.builders.new_tournaments import ADD, PLAN, answers
from tests.builders.page_text import refusal_of
from tournaments.evenings.commands.record import evening_of
from tournaments.models import Club, Tournament


@pytest.mark.parametrize("players", [1, 5000])
def test_on_the_plans_page_the_number_is_refused_and_nothing_is_saved(dita: Client, club: Club, players: int):
    night = a_night(club)
    said = f"a tournament has 2 to 500 players, not {players}"
    assert said in html.unescape(refusal_of(dita.get(night.url("plan"), {"players": players})))
    sent = {"do": "save", "stage-1-name": "Heats by typing", "players": str(players), "version": "1", "key": "1" * 32}
    assert said in html.unescape(refusal_of(dita.post(night.url("plan"), sent)))
    assert evening_of(night.tournament).plan is None


def test_a_saved_plan_is_shown_again_beside_the_sentence(dita: Client, club: Club):
    night = a_night(club, PLAN)
    page = html.unescape(dita.get(night.url("plan"), {"players": 5000}).content.decode())
    assert "a tournament has 2 to 500 players, not 5000" in page
    assert 'value="Rounds"' in page


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 5000])
def test_a_pasted_list_of_too_few_or_too_many_makes_nothing_and_stays(dita: Client, club: Club, players: int):
    names = "\n".join(f"Player {number}" for number in range(players))
    page = html.unescape(refusal_of(dita.post(ADD, answers(club, names=names))))
    assert ("a tournament has 2 to 500 players, not 1" if players == 1 else "5000 rows at once are too many") in page
    assert names.splitlines()[-1] in page
    assert not Tournament.objects.filter(club=club).exists()
