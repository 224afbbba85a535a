"""The public judge: the ruling in the page, with its reason, from the address alone; and those of other games.

No test here may touch the database, and the page may not either: the runner refuses it.
"""

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from scoring.rules.variants import VARIANTS
from tests.builders import page_text
from tests.builders.flat import flat
from tests.builders.page_picture import picture
from tournaments import release

DATA = Path(__file__).resolve().parents[4] / "data"
LOSER = {"wild": "5", "cards": "AH 2H 3H 4S 5D 6S 9C 9D 9S KH QD 2C 7C"}
SHOW = ["AD 2D 3D 4D", "6S 7S 9H", "KC KD KH", "JC QC PJ"]


def text_of(answer: Any) -> str:
    assert answer.status_code == 200
    return page_text.text_of(answer)


def lines(name: str, most: int) -> list[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as stored:
        return [json.loads(line) for line in stored][:most]


def ruling(client: Client, **query: Any) -> str:
    return text_of(client.get("/judge/ruling/", query))


def ruling_of(page: Any) -> str:
    """The ruling on a whole page."""
    return text_of(page).split("Start again")[1]


WHOLE_HAND = {"cards": "KH QS 9D 7C 5H 3D 2C AH KS 9S 8S 4D JC"}
KNOCK = {
    "meld": ["4S 5S 6S", "KH KD KC", "9C 9D 9H"],
    "deadwood": "5H",
    "hand": "7S 8S KS AD AC AH 2D 3D 4D JC",
}


def shown(*groups: str, **more: Any) -> dict[str, Any]:
    return {"ask": "show", "group": list(groups), **more}


def broken(group: str) -> dict[str, Any]:
    """A show whose fourth group is this one."""
    return shown(*SHOW[:3], group, wild="5")


RULINGS = {
    "a losing hand": LOSER,
    "no two sequences": WHOLE_HAND,
    "no two sequences, no cap": WHOLE_HAND | {"cap": ""},
    "no two sequences, another cap": WHOLE_HAND | {"cap": "60"},
    **{f"wild {wild or 'nothing'}": {"wild": wild, "cards": "7H"} for wild in ("", "10", "q♦", "pj")},
    "a valid show": shown(*SHOW, wild="9H"),
    "two cards": broken("JC QC"),
    "a suit twice in a set": broken("8D 8D 8S"),
    "a card twice in a sequence": broken("JC QC QC"),
    "a gap": broken("7C 8C JC"),
    "a gap too wide for a joker": broken("7C PJ TC"),
    "round the corner": broken("KS AS 2S"),
    "neither suit nor rank": broken("2S 3S JD"),
    "only jokers": broken("PJ PJ PJ"),
    "a high ace": shown("QH KH AH", *SHOW[:3], wild="9"),
    "a high ace where it is low": shown("QH KH AH", *SHOW[:3], wild="9", ace="low"),
    "too many jokers": shown("AD 2D 3D 4D", "6S 9S 9H", "KC KD KH", "JC PJ PJ", wild="9", joker_rule="half"),
    "one sequence": shown("7H 8H 9H", "KC KD KH", "2C 2D 2H", "4C 4D 4H 4S"),
    "no pure sequence": shown("7H 8H PJ", "3C 4C PJ", "2C 2D 2H", "4C 4D 4H 4S"),
    "loose cards": shown("7H 8H 9H", "3C 4C 5C", "2C 2D 2H 2S", loose="KC 2D 9S"),
    "a better arrangement": shown("7H 8H 9H", "3C 4C 5C 6C", "KC KD 2C", "2S 2D KH"),
    "no better arrangement": shown("7H 8H 9H", "3C 4C 5C", loose="KC QD 9S 2D 6S TD 4S"),
    "a card in two groups": shown("7H 8H 9H", "7H 7C 7D", "2C 3C 4C 5C", "KC KD KH", packs="1"),
    "a short show": shown("7H 8H 9H", "KC KD KH"),
    "gin": KNOCK,
    "gin, of a strict house": KNOCK | {"knock_max": "4"},
}


@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_is_told_with_its_reason(client: Client, name: str, snapshot: SnapshotAssertion):
    """Planted faults: options read, but the default ones used; a hint that changes the ruling."""
    path = "/judge/gin/ruling/" if name.startswith("gin") else "/judge/ruling/"
    assert picture(client.get(path, RULINGS[name]).content, "#ruling") == snapshot


@pytest.mark.slow
def test_another_language_is_spoken_throughout(client: Client, snapshot: SnapshotAssertion):
    answer = client.get("/judge/gin/ruling/", KNOCK, headers={"Accept-Language": "de"})
    assert picture(answer.content, "#ruling") == snapshot


def test_a_hand_that_could_be_shown_counts_nothing_and_leads_to_its_show(client: Client):
    answer = client.get("/judge/", {"wild": "9", "cards": " ".join(SHOW)})
    assert "This hand can be shown" in text_of(answer)
    address = re.search(r'href="([^"]*)">See it judged as a show', answer.content.decode())
    assert address
    assert "A valid show" in text_of(client.get(html.unescape(address[1])))


def test_the_page_counts_every_sample_hand_as_the_samples_do(client: Client):
    for case in lines("sample_hands.jsonl", 400)[::16]:
        for row, expected in list(case["expected"].items())[::3]:
            ace, joker_rule = row.split("|")
            house = {"ace": ace, "joker_rule": joker_rule, "cap": ""}
            for name, sets, alone in (("sets|strict", "true", "false"), ("nosets|alone", "false", "true")):
                query = {"cards": " ".join(case["hand"]), "wild": case["wild"] or "", **house}
                answer = client.get("/judge/ruling/", query | {"deduct_sets": sets, "pure_alone_protects": alone})
                [number] = re.findall(r'class="verdict-number" aria-hidden="true">(\d+)<', answer.content.decode())
                assert int(number) == expected[name], (case["id"], row, name)


def test_every_sample_show_is_ruled_as_the_samples_rule_it(client: Client):
    """Of those where exactly the hand lies on the table: the page does not know what else was held."""
    for case in lines("sample_declarations.jsonl", 2_000):
        if sorted(card for group in case["groups"] for card in group) == sorted(case["hand"]):
            house = {name: case["options"][name] for name in ("ace", "joker_rule")}
            query = shown(*(" ".join(group) for group in case["groups"]), wild=case["wild"] or "", **house)
            assert ("✓ A valid show" in ruling(client, **query)) == case["expected"]["valid"], case["id"]


@pytest.mark.parametrize(
    "query",
    [
        LOSER,
        {**LOSER, "joker_rule": "half", "cap": "60", "deduct_sets": "false"},
        {"ask": "show", "wild": "9H", "group": SHOW},
        {"ask": "show", "wild": "PJ", "group": [*SHOW[:2], "8D 8D 8S", "", ""], "loose": "KC KD KH"},
    ],
)
def test_the_link_to_a_ruling_gives_the_same_ruling(client: Client, query: dict[str, Any]):
    answer = client.get("/judge/", query)
    link = html.unescape(re.findall(r'data-own="([^"]*)"', answer.content.decode())[0])
    assert ruling_of(client.get(link)) == ruling_of(answer)
    assert len(link) <= len("/en-gb/judge/?" + urlencode(query, doseq=True))


def test_the_cards_go_along_to_the_other_question(client: Client):
    page = flat(client.get("/judge/", {"ask": "show", "wild": "9", "group": SHOW}).content.decode())
    to_count = html.unescape(re.findall(r'href="([^"]*)" data-tab="count"', page)[0])
    assert "This hand can be shown" in text_of(client.get(to_count))
    page = flat(client.get("/judge/", LOSER).content.decode())
    to_show = html.unescape(re.findall(r'href="([^"]*)" data-tab="show"', page)[0])
    assert "in no group" in text_of(client.get(to_show))


def test_a_question_is_only_read_and_answered_unchanged_until_it_or_the_release_is_another(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    """Planted fault: an ETag over the query alone, so that a fixed rule stayed wrong on every phone."""
    for path, asked in (("/judge/", LOSER), ("/judge/ruling/", LOSER), ("/judge/gin/", KNOCK)):
        assert client.post(path, asked).status_code == 405
        assert client.head(path, asked).status_code == 200
        first = client.get(path, asked)
        assert first["Cache-Control"] == "public, no-cache"
        known = {"If-None-Match": first["ETag"]}
        again = client.get(path, asked, headers=known)
        assert (again.status_code, again.content) == (304, b"")
        assert client.get(path, asked | {"wild": "6", "deadwood": "6H"}, headers=known).status_code == 200
        with monkeypatch.context() as updated:
            updated.setattr(release, "release_stamp", lambda: "another release")
            assert client.get(path, asked, headers=known).status_code == 200


def test_cards_are_read_however_they_were_typed_or_pasted(client: Client):
    for written in (
        "a♥ 2♥ 3♥ 4♠ 5♦ 6♠ 9♣ 9♦ 9♠ k♥ q♦ 2♣ 7♣",
        "A♥\ufe0f2♥\ufe0f3♥\ufe0f4♠\ufe0f 5♦\ufe0f 6♠\ufe0f 9♣\ufe0f 9♦ 9♠ K♥ Q♦ 2♣ 7♣",
        "ah2h3h4s5d6s9c9d9skhqd2c7c",
        "AH, 2H, 3H; 4S 5D 6S\n9C 9D 9S\tKH QD 2C 7C",
        "\u200eAH 2H\u200b 3H 4S 5D 6S 9C 9D 9S KH QD 2C 7C\u200e",
    ):
        assert "This hand counts 29" in ruling(client, wild="5", cards=written), written


def test_house_rules_can_stand_in_a_clubs_link(client: Client):
    page = flat(client.get("/judge/?joker_rule=half&cap=60").content.decode())
    assert '<option value="half" selected>' in page
    assert 'name="cap" inputmode="numeric" maxlength="8" value="60"' in page
    assert "2 changed" in page


JUDGED = {name: rules.judge for name, rules in VARIANTS.items() if rules.judge is not None}


@pytest.mark.parametrize("game", JUDGED)
def test_a_game_rules_on_its_example_and_the_ruling_alone_comes_with_a_note_for_every_field(client: Client, game: str):
    """Planted fault: notes of valid fields left out, so that an old one stays."""
    asked = {name: list(texts) for name, texts in JUDGED[game].example.items()}
    whole = client.get(f"/judge/{game}/", asked).content.decode()
    assert "tone-good" in whole
    assert "noindex" in whole
    answer = client.get(f"/judge/{game}/ruling/", asked)
    part = answer.content.decode()
    assert answer["X-Robots-Tag"] == "noindex"
    assert "<html" not in part
    assert 'id="ruling"' in part
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


def test_what_cannot_be_read_is_told_and_has_no_ruling_and_no_address(client: Client):
    wrong = [
        ({"meld": "7X"}, "7X"),
        ({"knock_max": "many"}, "knock_max cannot be 'many'"),
        ({"knock_max": "99"}, "knock_max cannot be 99"),
        ({"hand": "7S " * 200}, "Too much text"),
    ]
    for query, said in wrong:
        answer = client.get("/judge/gin/", query)
        assert said in text_of(answer).replace("’", "'")
        assert "Fix this first" in text_of(answer)
    assert 'data-own=""' in client.get("/judge/gin/ruling/", {**KNOCK, "hand": "7X"}).content.decode()


def test_a_game_without_a_question_is_not_found_and_an_address_that_is_too_long_refused_in_words(client: Client):
    assert {client.get(f"/judge/{game}/").status_code for game in ("pool", "nothing", "GIN")} == {404}
    for path in (*PATHS, "/judge/gin/"):
        answer = client.get(f"/en-gb{path}", {"cards": "7H " * 20_000})
        assert answer.status_code == 400
        assert "Too many cards for one address" in answer.content.decode()


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
    pages = [client.get(path, query).content.decode() for path in PATHS]
    [said] = {html.unescape(re.findall(rf'id="note-{slot}"[^>]*>([^<]*)</p>', page)[0]) for page in pages}
    return said.replace("\ufe0e", "")


def test_what_is_wrong_is_reported_at_its_field_and_all_of_it_at_once(client: Client):
    wrong: list[tuple[dict[str, Any], str, str]] = [
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
    ]
    for query, slot, said in wrong:
        assert said in note(client, slot, **query), query
    assert all(note(client, slot, wild="zz", cards="7X", cap="0") for slot in ("wild", "cards", "cap"))


@pytest.mark.slow
def test_more_fields_than_a_form_has_do_no_harm(client: Client):
    for path in PATHS:
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


def test_a_rule_that_stored_tables_do_not_have_is_chosen_on_the_page_and_kept_in_its_link(client: Client):
    """Planted fault: a rule without a value read as text, so that no hand was judged."""
    cards = "2S 3S 4S 5H 6H 2D 3C 4D 7C 5D 8H AH 2C"
    told = ruling(client, cards=cards, full_without_sequences="true")
    assert "costs the full count" in told
    assert "costs the full count" not in ruling(client, cards=cards, full_without_sequences="false")
    page = client.get("/judge/", {"cards": cards, "long_sequence": "true", "ace": "both"}).content.decode()
    assert "long_sequence=true" in page
    assert "identical_cards=" not in page
