"""Any bad input typed or pasted at the judge gets a clear message at its field, and nothing else."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

PATHS = ("/judge/", "/judge/ruling/")
FIELDS = (
    *("ask", "wild", "cards", "group", "loose", "ace", "joker_rule", "deduct_sets", "pure_alone_protects"),
    *("max_set_size", "cap", "printed_as_wild", "packs", "printed_jokers", "stranger"),
)
CARD_LIKE = st.text(alphabet="A23456789TJQK10SHDC♠♥♦♣PJjk ,;|\n\x00\u202e\ufe0f<'\"&%=+-", max_size=80)
TEXTS = st.one_of(CARD_LIKE, st.text(max_size=40), st.sampled_from(["show", "count", "true", "PJ", "9" * 5000]))
QUERIES = st.lists(st.tuples(st.sampled_from(FIELDS), TEXTS), max_size=12)


def note(client: Client, slot: str, **query: Any) -> str:
    """The message at a field, the same on the page and in the part."""
    said = set()
    for path in PATHS:
        answer = client.get(path, query)
        assert answer.status_code == 200
        found = re.search(rf'id="note-{slot}"[^>]*>([^<]*)</p>', answer.content.decode())
        assert found, f"no note at {slot}"
        said.add(html.unescape(found[1]).replace("\ufe0e", ""))
    assert len(said) == 1
    return said.pop()


@pytest.mark.parametrize(
    ("query", "slot", "said"),
    [
        ({"cards": "7H " * 13}, "cards", "7♥ is there 13 times, but the packs hold 3."),
        ({"cards": "7H 7H", "packs": "1"}, "cards", "7♥ is there 2 times, but the packs hold 1."),
        ({"cards": "PJ PJ", "packs": "1", "printed_jokers": "1"}, "cards", "he printed joker is there 2 times"),
        ({"cards": "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH"}, "cards", "12 cards, but a hand has 13."),
        ({"cards": "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AS"}, "cards", "14 cards, but a hand has 13."),
        ({"cards": "7X 8H 1Z"}, "cards", "“7X”, “1Z” in the hand are not cards: write rank then suit"),
        ({"cards": "7H \x00 8H"}, "cards", "“�” in the hand is not a card"),
        ({"cards": "7H " * 150}, "cards", "Too much text for the hand"),
        ({"wild": "1Z", "cards": "7H"}, "wild", "'1Z' cannot be wild: choose a rank"),
        ({"wild": "X" * 200}, "wild", "cannot be wild"),
        ({"cap": "100000"}, "cap", "a whole number from 1 to 1000"),
        ({"cap": "many"}, "cap", "a whole number from 1 to 1000"),
        ({"packs": "0"}, "packs", "a whole number from 1 to 3"),
        ({"joker_rule": "all"}, "joker_rule", "use one of one_natural, any, half, two_natural"),
        ({"deduct_sets": "perhaps"}, "deduct_sets", "cannot be 'perhaps'"),
        ({"ask": "show", "group": ["7H 8H 9H", "4C 5C 6Y"]}, "group-2", "“6Y” in group 2 is not a card"),
        ({"ask": "show", "group": ["7H 8H 9H"], "loose": "king"}, "loose", "“king” in the loose cards is not a card"),
        ({"ask": "show", "group": ["7H"] * 30}, "loose", "more than 13 are not read"),
    ],
)
def test_what_is_wrong_is_reported_at_its_field(client: Client, query: dict[str, Any], slot: str, said: str):
    assert said in note(client, slot, **query)


def test_everything_that_is_wrong_is_reported_at_once(client: Client):
    query = {"wild": "zz", "cards": "7X", "cap": "0"}
    assert all(note(client, slot, **query) for slot in ("wild", "cards", "cap"))


def test_a_card_laid_in_two_groups_more_often_than_the_packs_hold_is_reported(client: Client):
    query = {"ask": "show", "packs": "1", "group": ["7H 8H 9H", "7H 7C 7D", "2C 3C 4C 5C", "KC KD KH"]}
    answer = client.get("/judge/ruling/", query)
    assert "7♥\ufe0e is there 2 times, but the packs hold 1" in answer.content.decode()
    assert "A valid show" not in answer.content.decode()


def test_a_short_show_gets_no_ruling_yet(client: Client):
    answer = client.get("/judge/ruling/", {"ask": "show", "group": ["7H 8H 9H", "KC KD KH"]}).content.decode()
    assert "6 of 13 cards" in answer
    assert "valid show" not in answer


@pytest.mark.parametrize("path", PATHS)
def test_an_address_longer_than_any_question_is_refused_in_words(client: Client, path: str):
    answer = client.get(f"/en-gb{path}", {"cards": "7H " * 20_000})
    assert answer.status_code == 400
    assert "Too many cards for one address" in answer.content.decode()


@pytest.mark.parametrize("path", PATHS)
def test_more_fields_than_a_form_has_do_no_harm(client: Client, path: str):
    assert client.get(f"{path}?" + "&a" * 2_900).status_code in {200, 400}
    assert client.get(f"{path}?%ff=%ed%a0%80&cards=%c3%28&&&=;").status_code == 200


def test_what_was_typed_stays_text(client: Client):
    markup = "<script>alert(1)</script>\"'><img src=x onerror=y>"
    for query in ({"cards": markup}, {"wild": markup}, {"ask": "show", "group": markup, "loose": markup}):
        for path in PATHS:
            body = client.get(path, query | {"cap": markup, "ace": markup}).content.decode()
            assert "<script>alert" not in body
            assert "<img" not in body


@pytest.mark.slow
@given(QUERIES)
def test_no_query_breaks_the_page(pairs: list[tuple[str, str]]):
    query: dict[str, list[str]] = {}
    for name, text in pairs:
        query.setdefault(name, []).append(text.encode(errors="replace").decode())
    for path in PATHS:
        answer = Client().get(path, query)
        assert answer.status_code in {200, 400}
        if answer.status_code == 200:
            assert b"\x00" not in answer.content
