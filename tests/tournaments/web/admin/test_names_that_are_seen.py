"""An invisible name is refused wherever names are entered, and so is one with control characters.

Planted faults: only blanks checked, so that a player, a tournament and an entry were named by a zero-width sign;
the page of a player, which accepted what the list of new players refuses.
"""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.problems import OptionsRejected
from tests.builders.page_forms import edit
from tournaments.models import Club, Player
from tournaments.people.players import add_players, is_seen, name_problems

pytestmark = pytest.mark.django_db
UNSEEN = (
    "\u200b",
    "\u200d\ufe0f",
    "\u2060 \u00a0",
    "\u3164",
    "\u2800",
    "\u0301",
    "\u202e\u202c",
    "\U000e0041",
    "\ufeff",
)
SEEN = ("A", "李", "श्री", "🃏", "–", "9", "👩\u200d👧", "ﷺ", "\u202eevil\u202c", "ന്\u200d")


def test_a_name_that_shows_nothing_is_missing(club: Club):
    for name in UNSEEN:
        with pytest.raises(OptionsRejected) as refused:
            add_players(club, [name])
        told = [problem.code for problem in (*refused.value.problems, *name_problems(name, "name", "name"))]
        assert told == ["missing_name"] * 2, name
    assert not Player.objects.exists()


def test_a_name_in_any_script_is_seen():
    assert [name for name in SEEN if not is_seen(name) or name_problems(name, "name", "name")] == []


@pytest.mark.slow
def test_a_player_is_renamed_to_nothing_that_could_not_be_added(club: Club, dita: Client):
    [player] = add_players(club, ["Asha"])
    page = reverse("admin:tournaments_player_change", args=[player.pk])
    for name in (*UNSEEN, "A\u0085B", "bell\x07"):
        for field in ("name", "pseudonym"):
            answer = edit(dita, page, **{field: name})
            assert (answer.status_code, field in answer.context["adminform"].form.errors) == (200, True), field
    player.refresh_from_db()
    assert (player.name, player.pseudonym) == ("Asha", "")
