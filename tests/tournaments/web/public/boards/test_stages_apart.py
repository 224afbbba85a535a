"""Stages that rank by different numbers are groups of their own, each with its heading and order, at every door.

Planted fault: after a cut one column mixed pool totals, of which the fewest lead, with points for places.
"""

import re

import pytest
from django.test import Client

from scoring.events import wire
from tests.builders.playing import context
from tests.builders.public_tables import address
from tests.builders.stages import NAMES, Night, pool_won_in
from tournaments.models import Club
from tournaments.printing.lists import standings
from tournaments.printing.report import tournament_report
from tournaments.rendering.pdf import Table
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.record import record_in_tournament
from tournaments.web.public.boards.sharing import podium_of

pytestmark = pytest.mark.django_db
PLAN = {
    "stages": [
        {"name": "Heats", "smallest_table": 2, "compares": "rank_points", "advancing": 2},
        {"name": "Final", "smallest_table": 2},
    ]
}


@pytest.fixture
def night() -> Night:
    """Asha and Cy have won their heats, and Cy the final."""
    night = Night(PLAN, names=NAMES, is_published=True)
    Club.objects.filter(pk=night.tournament.club_id).update(is_published=True)
    for table in night.seat((0, 1), (2, 3)):
        pool_won_in(table, 2)
    night.cut()
    (final,) = night.seat((0, 2))
    pool_won_in(final, 2, first=False)
    close_tournament(night.tournament.pk, context=context())
    return night


def text_of(night: Night, rest: str = "") -> str:
    html = Client().get(address(night.tournament, rest)).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_each_stage_has_its_own_heading_and_order_on_pages_and_paper(night: Night):
    for page in ("", "embed/"):
        text = text_of(night, page)
        final, heats = text.index("Stage 2: Final"), text.index("Stage 1: Heats")
        assert final < text.index("Total: the fewest lead") < heats < text.index("Points for places: the most lead")
    html = Client().get(address(night.tournament)).content.decode()
    assert re.findall(r'data-title="Stage 1">([^<]*)<', html) == ["6", "6"]
    projector = Client().get(address(night.tournament, "screen/part/?screens=standings")).content.decode()
    pages = projector.split('data-of="standings"')[1:]
    assert ["Stage 2: Final" in page for page in pages] == [True, False]
    assert ["Points for places" in page for page in pages] == [False, True]
    for paper in (standings(night.board), tournament_report(night.board.tournament)):
        places = [part for part in paper.parts if isinstance(part, Table) and part.columns[0].title == "Place"]
        assert [table.columns[2].title for table in places] == ["Total", "Points for places"]
        assert [row.cells[1] for row in places[0].rows] == ["Cy", "Asha"]
    podium = podium_of(night.board)
    assert podium.heading == "Total: the fewest lead"
    assert [(step.name, step.number) for step in podium.steps][2] == ("Bo", "")


def test_a_player_who_went_home_between_two_rounds_is_marked_as_left(client: Client):
    """Planted fault: a player who left after the first round, shown as if the next one had them."""
    plan = {"stages": [{"smallest_table": 2, "compares": "rank_points", "rounds": 2}]}
    night = Night(plan, names=NAMES, is_published=True)
    Club.objects.filter(pk=night.tournament.club_id).update(is_published=True)
    for table in night.seat((0, 1), (2, 3)):
        pool_won_in(table, 2)
    record_in_tournament(night.tournament.pk, wire.PlayerLeft(player=night.players[3]), context=context())
    for door in ("", "embed/"):
        page = client.get(f"{address(night.tournament)}{door}").content.decode()
        assert len(re.findall(r">\s*Left\s*<", page)) == 1
