"""A director makes cards, prints them and revokes them."""

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders.admin_tables import NOW, Evening, club_called, evening_at
from tests.builders.page_text import html, refusal_of, text_of
from tests.builders.table_cards import card_for, device_with, types_code
from tests.builders.there import there
from tournaments.log.context import CommandContext
from tournaments.models import Table, TableToken
from tournaments.people.players import add_players
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table


@pytest.fixture
def hall(pool: Evening) -> Evening:
    """A second table beside the first."""
    opened_beside(pool, 2, "Eli", "Fay", "Gus")
    return pool


def opened_beside(pool: Evening, number: int, *names: str) -> None:
    players = add_players(pool.club, names)
    seats = [SeatedPlayer(number=place, player=player.pk) for place, player in enumerate(players, start=1)]
    open_table(pool.tournament, TableDraft(number=number, seats=seats), context=CommandContext(actor="user:0", now=NOW))


def table_two(evening: Evening) -> Table:
    return Table.objects.get(tournament=evening.tournament, number=2)


def all_cards(evening: Evening) -> str:
    return f"/admin/tournaments/tournament/{evening.tournament.pk}/cards/"


def test_a_form_sent_again_makes_its_cards_once_and_shows_no_code_again(dita: Client, pool: Evening):
    """Also after another table was opened. Planted fault: a file printed with an empty code."""
    key = str(uuid4())
    assert html(dita.post(all_cards(pool), {"key": key})).count('class="segno"') == 1
    again = html(dita.post(all_cards(pool), {"key": key}))
    assert "made already" in again
    assert 'class="segno"' not in again
    opened_beside(pool, 2, "Eli", "Fay", "Gus")
    lines = html(dita.get(all_cards(pool))).split("<li>")
    assert ["1 valid card" in line for line in lines if "round 1" in line] == [True, False]
    printed = dita.post(all_cards(pool), {"key": key, "print": "cards"})
    assert printed["Content-Type"].startswith("text/html")
    assert "made already: Table 1 ." in text_of(printed)
    assert TableToken.objects.count() == 2
    pool.record({"kind": "table_cancelled", "reason": "nobody came"})
    of_the_second = html(dita.post(all_cards(pool), {"key": str(uuid4())}))
    assert of_the_second.count('class="segno"') == 1
    assert "Table 2" in of_the_second
    assert TableToken.objects.latest("created_at").table.number == 2


def test_a_form_sent_again_shows_the_code_of_a_table_that_was_opened_since(dita: Client, pool: Evening):
    """Planted fault: the card of the new table was made, valid and counted, and its code never shown."""
    key = str(uuid4())
    dita.post(all_cards(pool), {"key": key})
    opened_beside(pool, 2, "Eli", "Fay", "Gus")
    answer = dita.post(all_cards(pool), {"key": key})
    again = html(answer)
    code = re.sub(r"<.*?>", "", there(re.search(r"<code>(.*?)</code>", again))[1])
    scorer = Client()
    entered = types_code(scorer, pool, code, number=2)
    assert scorer.get(entered["Location"]).status_code == 200
    assert "made already: Table 1 ." in text_of(answer)
    assert again.count('class="segno"') == 1


@pytest.mark.slow
def test_a_card_shows_club_table_players_code_and_how_to_use_it(dita: Client, pool: Evening):
    """A form without its key makes new cards, and a picture has no size of its own."""
    first, second = (html(dita.post(pool.page("cards"))) for _ in range(2))
    assert "made already" not in second
    assert TableToken.objects.count() == 2
    card = first[first.index("print-cards") :]
    for told in ("Asha&#x27;s club", "Table 1", "round 1", "<bdi>Dev</bdi>", "http://testserver/table/", "Scan"):
        assert told in first
    drawn = card[card.index("<svg") :].partition(">")[0]
    assert (card.count('class="segno"'), "style=" in card) == (1, False)
    assert ("viewBox" in drawn, "width" in drawn) == (True, False)


@pytest.mark.slow
def test_cards_for_a_hall_cost_as_many_queries_as_for_one_table(dita: Client, hall: Evening):
    """Planted fault: four queries for each card, or for each table."""
    asked = []
    for number in range(3, 6):
        with CaptureQueriesContext(connection) as queries:
            dita.post(all_cards(hall), {"key": str(uuid4())})
        asked.append(len(queries))
        opened_beside(hall, number, f"Player {number}", f"Friend {number}")
    assert len(set(asked)) == 1
    live = TableToken.objects.filter(revoked_at=None).values_list("table__number", flat=True)
    assert sorted(live) == [1, 1, 1, 2, 2, 2, 3, 3, 4]


def test_a_new_card_leaves_every_phone_in_the_hall_signed_in(dita: Client, hall: Evening):
    """Planted fault: reprinting one card signs out every phone, because a tick for that was preset."""
    phone = device_with(card_for(hall))
    page = html(dita.get(all_cards(hall)))
    assert re.findall(r'name="tables"\s+value="([^"]+)"\s+checked', page) == [str(table_two(hall).pk)]
    for url, sent in ((all_cards(hall), {"picks": "1", "tables": str(hall.table.pk)}), (hall.page("cards"), {})):
        dita.post(url, {"key": str(uuid4()), "replace": "yes", **sent})
        assert phone.get(hall.score_url).status_code == 200
    assert not TableToken.objects.filter(table=table_two(hall)).exists()
    assert "checked" not in html(dita.get(hall.page("cards")))


def test_cards_are_revoked_at_the_tables_that_are_picked(dita: Client, hall: Evening):
    first, second = device_with(card_for(hall)), device_with(card_for(hall, table=table_two(hall)))
    sent = {"do": "revoke", "picks": "1", "tables": str(table_two(hall).pk)}
    assert "1 card revoked: Table 2." in html(dita.post(all_cards(hall), sent, follow=True))
    assert first.get(hall.score_url).status_code == 200
    assert second.get(hall.score_url.replace(str(hall.table.pk), str(table_two(hall).pk))).status_code == 403


def test_without_a_picked_table_nothing_happens(dita: Client, hall: Evening):
    """Planted fault: an empty choice taken for all tables."""
    card_for(hall)
    for do in ("revoke", ""):
        answer = dita.post(all_cards(hall), {"key": str(uuid4()), "picks": "1", "do": do})
        assert "Choose at least one table." in refusal_of(answer)
    assert TableToken.objects.filter(revoked_at=None).count() == 1


@pytest.mark.slow
def test_the_list_of_cards_tells_last_use_and_takes_one_back(dita: Client, pool: Evening):
    card = card_for(pool, first_name="Dora")
    page = html(dita.get(pool.page("cards")))
    assert "never" in page
    assert "<bdi>Dora</bdi>" in page
    device = device_with(card)
    device.get(pool.score_url)
    assert "never" not in html(dita.get(pool.page("cards")))
    answer = dita.post(pool.page(f"cards/{card.token.pk}/revoke"))
    assert answer.status_code == 302
    assert "The card no longer opens the table." in html(dita.get(answer["Location"]))
    assert device.get(pool.score_url).status_code == 403
    assert "None." in html(dita.get(pool.page("cards")))


def test_a_card_of_another_table_cannot_be_taken_back_here_and_a_cancelled_one_gets_none(dita: Client, pool: Evening):
    card = card_for(evening_at(club_called("Next door", "next-door"), names=("Gus", "Hal")))
    assert dita.post(pool.page(f"cards/{card.token.pk}/revoke")).status_code == 404
    pool.record({"kind": "table_cancelled", "reason": "nobody came"})
    assert "Create card</button>" not in html(dita.get(pool.page("cards")))
    dita.post(pool.page("cards"), {"key": str(uuid4())})
    assert [(token.pk, token.revoked_at) for token in TableToken.objects.all()] == [(card.token.pk, None)]
