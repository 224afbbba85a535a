"""An unused tournament is deleted in one step, and the page that follows undoes it.

Planted faults: a tournament with a payment or a seating deleted; one that stays in the list or is repeated as the last
one; an undo that leaves a published tournament unpublished.
"""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.events import wire
from tests.builders.page_text import refusal_of
from tests.builders.playing import NOW, context, finished_pool, new_table, new_tournament
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import read_pasted
from tournaments.entries.commands.set_up import repeat_tournament
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import Club, Player, Tournament
from tournaments.running.commands.close import delete_tournament, restore_tournament
from tournaments.running.commands.create import make_plan
from tournaments.running.commands.record import record_in_tournament, tournament_state

pytestmark = pytest.mark.django_db
PLAN = {"stages": [{"smallest_table": 2}]}


def planned(club: Club) -> Tournament:
    night = new_tournament(club, name="Friday", entry_minor=500)
    make_plan(night.pk, PLAN, context=context())
    enter_list(night.pk, read_pasted("Asha\nBo").rows, context=context(), adds_new=True)
    return night


def page(name: str, night: Tournament) -> str:
    return reverse(f"admin:tournaments_tournament_{name}", args=[night.pk])


def test_a_repeat_is_deleted_from_its_dashboard_and_comes_back_whole(dita: Client, club: Club):
    again = repeat_tournament(planned(club), context=context(now=NOW)).tournament
    listed = reverse("admin:tournaments_tournament_changelist")
    assert page("delete_unused", again) in dita.get(page("night", again)).content.decode()
    assert "You can undo this." in dita.get(page("delete_unused", again)).content.decode()
    answer = dita.post(page("delete_unused", again), {"key": "7" * 32}, follow=True)
    again.refresh_from_db()
    assert (again.is_cancelled, again.is_published) == (True, False)
    assert str(again.pk) not in dita.get(listed).content.decode()
    assert str(again.pk) in dita.get(f"{listed}?q=Friday").content.decode()
    undo = answer.redirect_chain[-1][0]
    shown = dita.get(undo).content.decode()
    assert "Friday is deleted" in shown
    assert 'name="is_published"' in shown
    assert dita.post(undo, {"key": "8" * 32, "is_published": "on"}).status_code == 302
    again.refresh_from_db()
    assert (again.is_cancelled, again.is_published, again.closed_at) == (False, True, None)
    assert len(tournament_state(again).field()) == 2
    assert dita.get(undo).status_code == 302
    assert rebuild_differences() == []


@pytest.mark.slow
def test_what_was_used_is_not_deleted_and_the_page_says_what_to_do(dita: Client, club: Club):
    paid = planned(club)
    asha = str(Player.objects.get(name="Asha").pk)
    record_in_tournament(paid.pk, wire.EntryPaid(player=asha, amount_minor=500), context=context())
    seated = new_table(new_tournament(club, name="Seated")).row.tournament
    played = finished_pool(club=club).row.tournament
    for night, why in (
        (paid, "entry fees were paid: refund them first"),
        (seated, "seats are published: undo the seating first"),
        (played, "deals were played: abandon it instead"),
    ):
        assert why in dita.get(page("delete_unused", night)).content.decode()
        assert why in refusal_of(dita.post(page("delete_unused", night), {"key": "7" * 32}))
        assert page("delete_unused", night) not in night_of(dita, night)
        night.refresh_from_db()
        assert night.closed_at is None


def night_of(dita: Client, night: Tournament) -> str:
    """The dashboard below its tabs."""
    return dita.get(page("night_part", night)).content.decode()


def test_a_deleted_one_is_not_the_last_whose_players_are_meant(dita: Client, club: Club):
    planned(club)
    again = new_tournament(club, name="Mistake")
    make_plan(again.pk, PLAN, context=context())
    for _ in range(2):
        delete_tournament(again.pk, context=context(key="once"))
    shown = dita.get(reverse("admin:tournaments_tournament_add"), {"club": str(club.pk)}).content.decode()
    assert "Friday" in shown
    assert "Mistake" not in shown


def test_an_undo_that_is_sent_again_publishes_nothing_again(club: Club):
    night = planned(club)
    delete_tournament(night.pk, context=context())
    for _ in range(2):
        restore_tournament(night.pk, is_published=True, context=context(key="undone"))
        night.refresh_from_db()
        is_published, night.is_published = night.is_published, False
        night.save()
    assert not is_published


def test_an_undo_publishes_no_practice(club: Club):
    night = new_tournament(club, is_published=False)
    make_plan(night.pk, {**PLAN, "is_rehearsal": True}, context=context())
    delete_tournament(night.pk, context=context())
    restore_tournament(night.pk, is_published=True, context=context())
    assert not Tournament.objects.get().is_published
