"""The public judge: the ruling in the page, with its reason, from the address alone.

No test here may touch the database, and the page may not either: the runner refuses it.
"""

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from tests.builders.flat import flat
from tests.builders.judge_pages import text_of
from tournaments import release

DATA = Path(__file__).resolve().parents[4] / "data"
LOSER = {"wild": "5", "cards": "AH 2H 3H 4S 5D 6S 9C 9D 9S KH QD 2C 7C"}
SHOW = ["AD 2D 3D 4D", "6S 7S 9H", "KC KD KH", "JC QC PJ"]


def lines(name: str, most: int) -> list[dict[str, Any]]:
    with (DATA / name).open(encoding="utf-8") as stored:
        return [json.loads(line) for line in stored][:most]


def shows_of_a_whole_hand() -> list[dict[str, Any]]:
    """Shows where exactly the hand lies on the table: the page does not know what else was held."""
    return [
        case
        for case in lines("sample_declarations.jsonl", 2_000)
        if sorted(card for group in case["groups"] for card in group) == sorted(case["hand"])
    ]


def ruling(client: Client, **query: Any) -> str:
    return text_of(client.get("/judge/ruling/", query))


def ruling_of(page: Any) -> str:
    """The ruling on a whole page."""
    return text_of(page).split("Start again")[1]


def show(client: Client, *groups: str, **query: Any) -> str:
    return ruling(client, ask="show", group=list(groups), **query)


# --- What a hand counts -----------------------------------------------------------------------------------


def test_a_losing_hand_is_counted_with_its_arrangement_and_the_loose_cards_points(client: Client):
    said = ruling(client, **LOSER)
    assert "This hand counts 29" in said
    assert "only cards outside groups count" in said
    assert "Group 1 ✓ Pure sequence ace of hearts" in said
    assert "Group 2 ✓ Sequence with a joker 4 of spades, 4 ♠ 5 of diamonds, wild" in said
    assert "Loose cards 29 points king of hearts: 10 points" in said


def test_a_hand_that_could_be_shown_counts_nothing_and_leads_to_its_show(client: Client):
    answer = client.get("/judge/", {"wild": "9", "cards": " ".join(SHOW)})
    assert "This hand can be shown" in text_of(answer)
    address = re.search(r'href="([^"]*)">See it judged as a show', answer.content.decode())
    assert address
    assert "A valid show" in text_of(client.get(html.unescape(address[1])))


def test_a_hand_without_its_sequences_counts_whole_and_never_above_the_cap(client: Client):
    cards = "KH QS 9D 7C 5H 3D 2C AH KS 9S 8S 4D JC"
    said = ruling(client, cards=cards)
    assert "This hand counts 80" in said
    assert "No two sequences, one of them pure, can be made of it: every card counts." in said
    assert "The cards come to 97; no hand costs more than 80." in said
    assert "This hand counts 97" in ruling(client, cards=cards, cap="")
    assert "This hand counts 60" in ruling(client, cards=cards, cap="60")


@pytest.mark.parametrize("case", lines("sample_hands.jsonl", 400)[::16], ids=lambda case: case["id"])
def test_the_page_counts_every_sample_hand_as_the_samples_do(client: Client, case: dict[str, Any]):
    for row, expected in list(case["expected"].items())[::3]:
        ace, joker_rule = row.split("|")
        house = {"ace": ace, "joker_rule": joker_rule, "cap": ""}
        for name, sets, alone in (("sets|strict", "true", "false"), ("nosets|alone", "false", "true")):
            query = {"cards": " ".join(case["hand"]), "wild": case["wild"] or "", **house}
            answer = client.get("/judge/ruling/", query | {"deduct_sets": sets, "pure_alone_protects": alone})
            shown = re.search(r'class="verdict-number" aria-hidden="true">(\d+)<', answer.content.decode())
            assert shown, text_of(answer)
            assert int(shown[1]) == expected[name], (row, name)


# --- Whether a show is valid ------------------------------------------------------------------------------


def test_a_valid_show_is_called_one_and_each_group_by_its_kind(client: Client):
    said = show(client, *SHOW, wild="9H")
    assert "✓ A valid show 9♥ was turned up: every 9 is wild." in said
    assert "two groups are sequences, and one of these is pure" in said
    assert re.findall(r"✓ (Pure|Sequence|Set)", said) == ["Pure", "Sequence", "Set", "Sequence"]


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("JC QC", "Group 4: a group needs at least three cards, and here are 2."),
        ("8D 8D 8S", "Group 4: 8♦ is there twice, and a set needs different suits."),
        ("JC QC QC", "Group 4: Q♣ is there twice, and a sequence has each card once."),
        ("7C 8C JC", "Group 4: something is missing between 8♣ and J♣."),
        ("7C PJ TC", "Group 4: something is missing between 7♣ and 10♣, and 1 joker cannot fill it."),
        ("KS AS 2S", "Group 4: a sequence does not go round from the king over the ace to the two."),
        ("2S 3S JD", "Group 4: 2♠ and J♦ share neither suit nor rank."),
        ("PJ PJ PJ", "Group 4: only jokers: no card stands for itself."),
    ],
)
def test_a_broken_group_is_named_with_the_cards_that_break_it(client: Client, broken: str, reason: str):
    said = show(client, *SHOW[:3], broken, wild="5")
    assert "A valid show" not in said
    assert reason in said


def test_an_ace_after_the_king_is_no_sequence_where_the_house_plays_it_low(client: Client):
    groups = ["QH KH AH", *SHOW[:3]]
    assert "A valid show" in show(client, *groups, wild="9")
    assert "Group 1: the ace lies before the two only" in show(client, *groups, wild="9", ace="low")


def test_more_jokers_than_the_house_allows_are_reported_with_its_rule(client: Client):
    said = show(client, "AD 2D 3D 4D", "6S 9S 9H", "KC KD KH", "JC PJ PJ", wild="9", joker_rule="half")
    assert "Group 4: 2 jokers in 3 cards: jokers may not outnumber the other cards." in said


def test_what_a_show_lacks_is_reported(client: Client):
    assert "a show needs two, one of them pure" in show(client, "7H 8H 9H", "KC KD KH", "2C 2D 2H", "4C 4D 4H 4S")
    assert "No sequence is without jokers" in show(client, "7H 8H PJ", "3C 4C PJ", "2C 2D 2H", "4C 4D 4H 4S")
    assert "K♣ 2♦ 9♠ in no group" in show(client, "7H 8H 9H", "3C 4C 5C", "2C 2D 2H 2S", loose="KC 2D 9S")


def test_a_better_arrangement_is_a_hint_and_changes_no_ruling(client: Client):
    said = show(client, "7H 8H 9H", "3C 4C 5C 6C", "KC KD 2C", "2S 2D KH")
    assert "✗ Not a valid show" in said
    assert "it would count 36." in said
    assert "Hint: The same cards would make a valid show" in said
    assert "It changes nothing about the ruling" in said


def test_a_show_that_could_not_be_better_gets_no_hint(client: Client):
    assert "Hint" not in show(client, "7H 8H 9H", "3C 4C 5C", loose="KC QD 9S 2D 6S TD 4S")


@pytest.mark.parametrize("case", shows_of_a_whole_hand()[::9], ids=lambda case: case["id"])
def test_every_sample_show_is_ruled_as_the_samples_rule_it(client: Client, case: dict[str, Any]):
    options = case["options"]
    house = {"ace": options["ace"], "joker_rule": options["joker_rule"]}
    said = show(client, *(" ".join(group) for group in case["groups"]), wild=case["wild"] or "", **house)
    assert ("✓ A valid show" in said) == case["expected"]["valid"]


# --- The address ------------------------------------------------------------------------------------------


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


def test_the_same_question_is_answered_unchanged_and_another_is_not(client: Client):
    for path in ("/judge/", "/judge/ruling/"):
        first = client.get(path, LOSER)
        assert first["Cache-Control"] == "public, no-cache"
        again = client.get(path, LOSER, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        other = client.get(path, LOSER | {"wild": "6"}, headers={"If-None-Match": first["ETag"]})
        assert other.status_code == 200


def test_a_new_release_of_the_rules_is_a_new_answer(client: Client, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: an ETag over the query alone answered 304 here, and a fixed rule stayed wrong on every phone."""
    before = client.get("/judge/", LOSER)["ETag"]
    monkeypatch.setattr(release, "release_stamp", lambda: "another release")
    assert client.get("/judge/", LOSER, headers={"If-None-Match": before}).status_code == 200


def test_the_page_is_only_read(client: Client):
    assert client.post("/judge/", LOSER).status_code == 405
    assert client.head("/judge/", LOSER).status_code == 200


# --- Cards as people write them ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        "a♥ 2♥ 3♥ 4♠ 5♦ 6♠ 9♣ 9♦ 9♠ k♥ q♦ 2♣ 7♣",
        "A♥\ufe0f2♥\ufe0f3♥\ufe0f4♠\ufe0f 5♦\ufe0f 6♠\ufe0f 9♣\ufe0f 9♦ 9♠ K♥ Q♦ 2♣ 7♣",
        "ah2h3h4s5d6s9c9d9skhqd2c7c",
        "AH, 2H, 3H; 4S 5D 6S\n9C 9D 9S\tKH QD 2C 7C",
        "\u200eAH 2H\u200b 3H 4S 5D 6S 9C 9D 9S KH QD 2C 7C\u200e",
    ],
)
def test_cards_are_read_however_they_were_typed_or_pasted(client: Client, written: str):
    assert "This hand counts 29" in ruling(client, wild="5", cards=written)


@pytest.mark.parametrize(
    ("wild", "said"),
    [
        ("", "No rank is wild"),
        ("10", "Every 10 is wild."),
        ("q♦", "Q♦ was turned up: every queen is wild."),
        ("pj", "A printed joker was turned up: every ace is wild."),
    ],
)
def test_the_wild_card_is_a_rank_a_card_or_a_printed_joker(client: Client, wild: str, said: str):
    assert said in ruling(client, wild=wild, cards="7H")


def test_house_rules_can_stand_in_a_clubs_link(client: Client):
    page = flat(client.get("/judge/?joker_rule=half&cap=60").content.decode())
    assert '<option value="half" selected>' in page
    assert 'name="cap" inputmode="numeric" maxlength="8" value="60"' in page
    assert "2 changed" in page
