"""The page of unreadable events: a director excludes one with a button, and no other role sees it.

Planted faults: the page without its action; a refusal reported as done; an earlier version's read models read first.
"""

import re

import pytest
from django.test import Client

from scoring.events import wire
from tests.builders.admin_tables import person
from tests.builders.buttons import Forms
from tests.builders.entry_desk import Desk
from tests.builders.page_text import refusal_of
from tests.builders.playing import NOW
from tests.builders.unreadable_events import an_earlier_version, proof, told
from tests.builders.unreadable_tables import a_club_with_an_unreadable_table
from tournaments.books.commands import settle_table
from tournaments.log.context import CommandContext
from tournaments.log.following import unreadable_events
from tournaments.models import Club, Role, Scoresheet

pytestmark = pytest.mark.django_db


def page(club: Club) -> str:
    return f"/admin/tournaments/club/{club.pk}/unreadable/"


def signed_in(role: Role, club: Club) -> Client:
    client = Client()
    client.force_login(person(role.value, role, club))
    return client


@pytest.mark.slow
def test_a_director_leaves_an_event_out_and_every_proof_is_green_again():
    bad, stored = a_club_with_an_unreadable_table()
    club = bad.row.tournament.club
    director = signed_in(Role.DIRECTOR, club)
    said = director.get(page(club)).content.decode()
    assert f"Position {stored.position}" in said
    assert "penalty_given" in said
    [form] = [form for form in Forms(said).found if "position" in form.values]
    answer = director.post(page(club), {**form.values, "reason": "nobody can read it"}, follow=True)
    assert f"Position {stored.position} is left out." in answer.content.decode()
    assert "All records of this club can be read." in answer.content.decode()
    assert not settle_table(bad.row.id, now=NOW).problem
    assert proof()[0]


def test_without_a_reason_nothing_is_left_out_and_what_is_wrong_is_said():
    bad, stored = a_club_with_an_unreadable_table()
    club = bad.row.tournament.club
    owner = signed_in(Role.OWNER, club)
    assert "enter a reason" in refusal_of(owner.post(page(club), {"position": stored.position, "reason": " "}))
    for strange in ("", "x", "999999", "9" * 40):
        again = owner.post(page(club), {"position": strange, "reason": "why"})
        assert (again.status_code, "No record at this position." in again.content.decode()) == (422, True)
    assert len(unreadable_events(club.pk)) == 1


def test_an_unreadable_table_says_what_cannot_be_read_shows_the_rest_and_offers_nothing_refused(monkeypatch):
    """Planted faults: the form of the next deal, or Undo beside an event that can only be excluded."""
    for name in ("tests.builders.playing.context", "tests.builders.unreadable_events.context"):
        monkeypatch.setattr(name, lambda **more: CommandContext(**{"actor": "user:0", "now": NOW, **more}))
    bad, _ = a_club_with_an_unreadable_table()
    told("rebuild")
    director = signed_in(Role.DIRECTOR, bad.row.tournament.club)
    for name in ("log", "score", "sheet"):
        answer = director.get(f"/admin/tournaments/table/{bad.row.pk}/{name}/")
        assert answer.status_code == 200, name
        links = re.findall(rf'href="(/admin/tournaments/table/{bad.row.pk}/[^"]+)"', answer.content.decode())
        assert {director.get(link).status_code for link in links} == {200}, name
    assert "Unreadable record" in director.get(f"/admin/tournaments/table/{bad.row.pk}/log/").content.decode()
    assert Scoresheet.objects.get(table=bad.row).has_conflict
    score, sheet = (
        director.get(f"/admin/tournaments/table/{bad.row.pk}/{name}/").content.decode() for name in ("score", "sheet")
    )
    assert "deal-form" not in score
    for deed in ("withdraw", "correct", "void", "keying", "exchange"):
        assert f"/{deed}/" not in sheet
    assert (
        "This version cannot read some records. Nothing is saved or settled here until a director "
        "leaves them out." in score
    )
    assert "A correction changed" not in score


def test_a_history_with_an_actor_that_is_nobody_shows_the_rest():
    """Planted fault: the name of an actor parsed as a number without a check."""
    bad, _ = a_club_with_an_unreadable_table()
    director = signed_in(Role.DIRECTOR, bad.row.tournament.club)
    assert "deleted login" in director.get(f"/admin/tournaments/table/{bad.row.pk}/log/").content.decode()


def test_the_pages_of_a_tournament_with_an_unreadable_entry_answer():
    desk = Desk()
    with an_earlier_version():
        desk.tell(wire.EntryPaid(player=desk.asha, amount_minor=5, place="till:user 7"))
    told("rebuild")
    director = signed_in(Role.DIRECTOR, desk.club)
    for name in ("night", "entries", "money", "plan", "change"):
        assert director.get(f"/admin/tournaments/tournament/{desk.tournament.pk}/{name}/").status_code == 200, name
    assert desk.tournament.name in director.get(page(desk.club)).content.decode()
    board = f"/admin/tournaments/tournament/{desk.tournament.pk}/night/"
    assert f'href="{page(desk.club)}"' in director.get(board).content.decode()


def test_the_command_lists_what_cannot_be_read_and_leaves_it_out():
    bad, stored = a_club_with_an_unreadable_table()
    slug = bad.row.tournament.club.slug
    holds, said = told("leave_out")
    assert not holds
    assert f"{slug}: position {stored.position}: event 3 (penalty_given) of table {bad.row.id}" in said
    assert told("leave_out", club=slug, position=stored.position)[0] is False, "a reason is asked for"
    assert told("leave_out", position=stored.position, reason="why")[0] is False, "a club is asked for"
    holds, said = told("leave_out", club=slug, position=stored.position, reason="why")
    assert holds, said
    assert told("leave_out") == (True, "Every event can be read.\n")
