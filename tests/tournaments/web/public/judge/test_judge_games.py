"""The judges of other games: each game's form, and its ruling, from the address alone."""

import html
import re
from urllib.parse import parse_qs

import pytest
from django.test import Client

from scoring.rules.variants import VARIANTS
from tests.builders.judge_pages import text_of

JUDGED = {name: rules.judge for name, rules in VARIANTS.items() if rules.judge is not None}
KNOCK = {
    "meld": ["4S 5S 6S", "KH KD KC", "9C 9D 9H"],
    "deadwood": "5H",
    "hand": "7S 8S KS AD AC AH 2D 3D 4D JC",
}


@pytest.mark.parametrize("game", JUDGED)
def test_a_game_asks_for_its_cards_and_rules_on_its_example(client: Client, game: str):
    judge = JUDGED[game]
    asked = text_of(client.get(f"/judge/{game}/"))
    assert [field.title in asked for field in judge.fields] == [True] * len(judge.fields)
    assert "Waiting for cards" in asked
    answer = client.get(f"/judge/{game}/", {name: list(texts) for name, texts in judge.example.items()})
    assert "tone-good" in answer.content.decode()
    assert "noindex" in answer.content.decode()


def test_the_judge_leads_to_the_others(client: Client):
    page = client.get("/judge/").content.decode()
    assert [f'href="/en-gb/judge/{game}/"' in page for game in JUDGED] == [True] * len(JUDGED)


def test_lay_offs_are_shown_with_what_the_hand_is_worth(client: Client):
    page = text_of(client.get("/judge/gin/", KNOCK))
    assert "The knock wins 5 points" in page
    assert "Laid off on group 1" in page
    assert "The opponent is left with 10 points." in page


@pytest.mark.parametrize("game", JUDGED)
def test_the_ruling_alone_comes_with_a_note_for_every_field(client: Client, game: str):
    """Planted fault: notes of valid fields left out, so that an old one stays."""
    asked = {name: list(texts) for name, texts in JUDGED[game].example.items()}
    answer = client.get(f"/judge/{game}/ruling/", asked)
    part = answer.content.decode()
    assert answer["X-Robots-Tag"] == "noindex"
    assert "<html" not in part
    assert 'id="ruling"' in part
    whole = client.get(f"/judge/{game}/", asked).content.decode()
    notes = set(re.findall(r'id="(note-[^"]*)"', whole))
    assert set(re.findall(r'id="(note-[^"]*)"', part)) == notes
    assert part.count('hx-swap-oob="true"') == len(notes)


def test_the_shortest_address_that_asks_the_same_is_offered(client: Client):
    query = {**KNOCK, "meld": [*KNOCK["meld"], ""], "knock_max": "10", "gin_bonus": "20", "undercut_on_tie": "true"}
    page = client.get("/judge/gin/", query).content.decode()
    [own] = re.findall('data-own="([^"]*)"', page)
    address, _, asked = html.unescape(own).partition("?")
    assert address == "/en-gb/judge/gin/"
    cards = {name: [found] if isinstance(found, str) else found for name, found in KNOCK.items()}
    assert parse_qs(asked) == {**cards, "gin_bonus": ["20"]}


def test_what_cannot_be_read_has_no_address_of_its_own(client: Client):
    assert 'data-own=""' in client.get("/judge/gin/ruling/", {**KNOCK, "hand": "7X"}).content.decode()


def test_a_house_rule_in_the_address_holds(client: Client):
    """Planted fault: options read, but the default ones used."""
    page = text_of(client.get("/judge/gin/", {**KNOCK, "knock_max": "4"}))
    assert "5 is too much to knock with: 4 at most" in page


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"meld": "7X"}, "7X"),
        ({"knock_max": "many"}, "knock_max cannot be 'many'"),
        ({"knock_max": "99"}, "knock_max cannot be 99"),
        ({"hand": "7S " * 200}, "Too much text"),
    ],
)
def test_what_cannot_be_read_is_told_and_nothing_is_ruled(client: Client, query: dict[str, str], said: str):
    answer = client.get("/judge/gin/", query)
    assert said in text_of(answer).replace("’", "'")
    assert "Fix this first" in text_of(answer)


@pytest.mark.parametrize("game", ["pool", "nothing", "GIN"])
def test_a_game_without_a_question_is_not_found(client: Client, game: str):
    assert client.get(f"/judge/{game}/").status_code == 404


def test_an_address_that_is_too_long_is_refused(client: Client):
    assert client.get("/judge/gin/?hand=" + "7S" * 4_000).status_code == 400


def test_an_answer_that_has_not_changed_is_not_sent_again(client: Client):
    first = client.get("/judge/gin/", KNOCK)
    assert client.get("/judge/gin/", KNOCK, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_another_language_is_spoken_throughout(client: Client):
    page = text_of(client.get("/judge/gin/", KNOCK, headers={"Accept-Language": "de"}))
    assert "Das Klopfen gewinnt 5 Punkte" in page
    assert "Laid off" not in page
