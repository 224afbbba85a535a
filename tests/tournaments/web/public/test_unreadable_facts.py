"""Every public page of a club with an unreadable table or tournament answers, before the repair and after it.

Planted fault: a page that reads a fact of the log without checking whether it can be read.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from scoring.facts import wire
from scoring.sheets.snapshots import load_table
from tests.builders.entry_desk import Desk
from tests.builders.playing import context, new_table
from tests.builders.routes import route, urlpatterns
from tests.builders.samples import some_of
from tests.builders.unreadable_events import an_earlier_version, told
from tests.builders.unreadable_tables import a_club_with_an_unreadable_table
from tournaments.integrity.leaving_out import leave_out
from tournaments.log.following import unreadable_facts
from tournaments.models import Club, Scoresheet, Seat, Tournament

pytestmark = pytest.mark.django_db


def addresses(tournament: Tournament) -> Iterator[str]:
    """Every public page whose address is made of a club, a tournament, a table, a seat or a player."""
    seat = Seat.objects.filter(table__tournament=tournament).first()
    words: dict[str, Any] = {"club_slug": tournament.club.slug, "slug": tournament.slug, "round": 1, "number": 1}
    words |= {"seat": 1, "deal": 1, "player": seat.player_id if seat else None}
    for pattern in urlpatterns:
        wanted = pattern.pattern.converters
        if pattern.name and wanted.keys() <= words.keys() and all(words[name] is not None for name in wanted):
            try:
                yield reverse(route(pattern.name), kwargs={name: words[name] for name in wanted})
            except NoReverseMatch:
                continue


def failing(tournament: Tournament, stage: int) -> list[str]:
    """The pages that answer with an error."""
    Tournament.objects.filter(id=tournament.pk).update(is_published=True)
    Club.objects.filter(id=tournament.club_id).update(is_published=True)
    client = Client(raise_request_exception=False)
    tried = list(addresses(tournament))
    assert len(tried) > 20
    return [address for address in some_of(tried, part=stage) if client.get(address).status_code >= 500]


def through_the_cure(tournament: Tournament) -> list[str]:
    found = [f"as it was: {page}" for page in failing(tournament, 0)]
    told("rebuild")
    found += [f"rebuilt: {page}" for page in failing(tournament, 1)]
    for fact in unreadable_facts(tournament.club_id):
        leave_out(tournament.club_id, fact.position, reason="nobody can read it", context=context())
    return found + [f"left out: {page}" for page in failing(tournament, 2)]


def test_every_page_of_an_unreadable_table_answers():
    bad, _ = a_club_with_an_unreadable_table()
    assert through_the_cure(bad.row.tournament) == []


@pytest.mark.slow
def test_every_page_of_a_tournament_with_an_unreadable_entry_answers():
    desk = Desk()
    with an_earlier_version():
        desk.tell(wire.EntryPaid(player=desk.asha, amount_minor=5, place="till:user 7"))
    assert through_the_cure(desk.tournament) == []


def test_every_page_of_a_table_whose_opening_cannot_be_read_answers(monkeypatch):
    """Planted fault: a page that searches a player's seat at a table whose players are unknown."""
    with an_earlier_version(), monkeypatch.context() as patch:
        patch.setattr(wire.TableOpened, "schema", 99)
        lost = new_table()
    state = lost.sheet.state.replace('"stakes":{', '"stakes":{"fee_bp":99999,', 1)
    Scoresheet.objects.filter(table=lost.row).update(state=state)
    assert load_table(state).is_lost
    assert through_the_cure(lost.row.tournament) == []
