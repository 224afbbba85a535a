"""A hand entered as cards on the scorer's page: counted as laid down, with a hint that is never applied."""

import html as entities
import json
import re
from typing import Any

import pytest
from django.test import Client

from tests.builders.admin_tables import Evening, evening_at, sheet
from tests.builders.page_text import refusal_of, text_of
from tests.builders.public_tables import address
from tournaments.models import Club
from tournaments.models.log import Event

pytestmark = pytest.mark.django_db

LAID = ("ah2h3h", "4s 5d 6s", "9C 9D KH")
LOOSE = "9s qd 2c 7c"
AS_LAID = 56
AT_BEST = 29
SHOW = ("AD 2D 3D 4D", "6S 7S 5H", "KC KD KH", "JC QC PJ")


def in_cards(version: int, *, groups: tuple[str, ...] = LAID, loose: str = LOOSE, **typed: str) -> dict[str, Any]:
    """A sheet with Bo's hand as cards, under a five that was turned up."""
    filled: dict[str, Any] = {"s1": "show", "c3": "10", "c4": "20", "wild": "5H", **typed}
    return {**sheet(version, **filled), "group-2": list(groups), "loose-2": loose}


def judged(client: Client, pool: Evening, **typed: Any) -> str:
    """The page's response while the cards of Bo are typed."""
    answer = client.post(pool.page("hand"), {**in_cards(1, **typed), "seat": "2"})
    assert answer.status_code == 200
    return text_of(answer)


def bo(version: int = 2) -> dict[str, Any]:
    """Bo's outcome as it was stored."""
    found: dict[str, Any] = json.loads(Event.objects.get(version=version).body)["sheet"]["outcomes"]["2"]
    return found


def test_hands_are_stored_as_they_were_laid_down_counted_so_and_shown_as_faces(
    sam: Client, client: Client, pool: Evening
):
    everything = " ".join((*LAID, LOOSE))
    assert "Hands of" not in text_of(sam.get(pool.page("sheet")))
    assert sam.post(pool.score_url, in_cards(1)).status_code == 302
    assert bo() == {"how": "loss", "groups": ["AH 2H 3H", "4S 5D 6S", "9C 9D KH"], "loose": "9S QD 2C 7C"}
    for page in (sam.get(pool.page("sheet")), client.get(address(pool.tournament, "r1/table-1/"))):
        for told in ("Hands of deal 1", f"Loss, {AS_LAID} points", "5 of diamonds, wild"):
            assert told in text_of(page)
    loose = in_cards(2, groups=(), loose=everything, deal="2", key="1" * 32)
    assert sam.post(pool.score_url, loose).status_code == 302
    assert bo(3) == {"how": "loss", "loose": "AH 2H 3H 4S 5D 6S 9C 9D KH 9S QD 2C 7C"}
    assert "80 points" in text_of(sam.get(pool.page("sheet")))


def test_each_group_is_named_while_it_is_typed_or_told_why_it_is_none(sam: Client, pool: Evening):
    with_wild, without = judged(sam, pool), judged(sam, pool, wild="")
    for told in (
        "Pure sequence.",
        "Sequence with a joker.",
        "No group: 9♣ and K♥ share neither suit nor rank.",
        f"Laid down like this: {AS_LAID} points",
        "5♥ was turned up: every 5 is wild.",
    ):
        assert told in with_wild
    assert "No wild joker is entered below: only printed jokers are jokers." in without
    assert "No group: 4♠ and 5♦ share neither suit nor rank." in without


def test_a_better_arrangement_is_offered_and_stands_in_the_form_only_when_asked_for(sam: Client, pool: Evening):
    page = sam.post(pool.score_url, in_cards(1, do="check"))
    offered = page.content.decode()
    assert f"Hint: {AT_BEST} is possible." in text_of(page)
    assert 'value="9C 9D KH"' in offered
    assert "+56" in text_of(page)
    [arrangement] = re.findall(r'name="arrange" value="([^"]*)"', offered)
    page = sam.post(pool.score_url, {**in_cards(1, do="check"), "arrange": arrangement})
    assert 'value="9S 9D 9C"' in page.content.decode()
    assert f"Laid down like this: {AT_BEST} points" in text_of(page)
    assert pool.version == 1


def test_a_house_that_counts_the_best_arrangement_says_and_does_so(sam: Client, club: Club):
    table = evening_at(club, options={"count_mode": "optimal"})
    assert f"This house counts the best arrangement: {AT_BEST}." in judged(sam, table)
    sam.post(table.score_url, in_cards(1))
    assert f"Loss, {AT_BEST} points" in text_of(sam.get(table.page("sheet")))


def test_what_cannot_be_a_hand_is_reported_once_at_its_seat_and_nothing_is_lost(sam: Client, pool: Evening):
    wrong: dict[str, dict[str, Any]] = {
        "Bo: “7x” in the loose cards is not a card": {"loose": "9s qd 2c 7x"},
        "Bo: 12 cards, but a hand has 13": {"loose": "9s qd 2c"},
        "Bo: 7H is there 13 times, but the packs hold 2": {"groups": ("7H " * 13,), "loose": ""},
        "Bo has cards and 45 hand points: enter one of the two": {"c2": "45"},
    }
    for told, typed in wrong.items():
        sent = in_cards(1, **typed)
        page = refusal_of(sam.post(pool.score_url, sent))
        row = page.split('data-row="2"')[1].split('data-row="3"')[0]
        assert told in entities.unescape(row)
        assert "1 error" in page
        for text in (*sent["group-2"], sent["loose-2"]):
            assert f'value="{text.strip()}"' in row
    assert pool.version == 1


def test_a_wrong_show_is_judged_with_every_reason_and_its_cards_are_kept(sam: Client, pool: Evening):
    assert "A valid show" in judged(sam, pool, s2="show", groups=SHOW, loose="")
    said = judged(sam, pool, s2="wrong_show", groups=(*SHOW[:3], "JC QC"), loose="PJ")
    assert "Not a valid show" in said
    assert "Group 4: a group needs at least three cards, and here are 2." in said
    assert "The same cards would make a valid show" in said
    valid = sam.post(pool.score_url, in_cards(1, s2="wrong_show", groups=SHOW, loose=""))
    assert "these cards make a valid one" in text_of(valid)
    assert pool.version == 1
    sam.post(pool.score_url, in_cards(1, s2="wrong_show"))
    assert (bo()["how"], bo()["loose"]) == ("wrong_show", "9S QD 2C 7C")
    sheet_page = text_of(sam.get(pool.page("sheet")))
    assert "Wrong show, " not in sheet_page.split("Hands of deal 1")[1]


def test_cards_beside_a_drop_are_only_checked(sam: Client, pool: Evening):
    assert "Only checked: with “First drop” the cards are not saved." in judged(sam, pool, s2="first_drop")
    sam.post(pool.score_url, in_cards(1, s2="first_drop"))
    assert bo() == {"how": "first_drop"}


@pytest.mark.slow
def test_the_correction_starts_with_the_cards_and_keeps_them_if_untouched(sam: Client, pool: Evening):
    sam.post(pool.score_url, in_cards(1))
    page = sam.get(pool.page("correct/1")).content.decode()
    assert 'value="9C 9D KH"' in page
    assert 'value="9S QD 2C 7C"' in page
    mended = in_cards(2, key="1" * 32, reason="the ace lay with the loose cards", c4="30")
    assert sam.post(pool.page("correct/1"), mended).status_code == 302
    assert bo(3)["groups"] == ["AH 2H 3H", "4S 5D 6S", "9C 9D KH"]


@pytest.mark.slow
def test_two_scorers_who_wrote_other_cards_see_both(sam: Client, dita: Client, pool: Evening):
    dita.post(pool.score_url, in_cards(1, key="1" * 32))
    # The same cards are the same deal: saved once, and nobody is asked.
    same = sam.post(pool.score_url, in_cards(1, key="2" * 32))
    assert (same.status_code, same["Location"]) == (302, pool.score_url)
    nines = ("AH 2H 3H", "4S 5D 6S", "9C 9D 9S")
    other = sam.post(pool.score_url, in_cards(1, key="3" * 32, groups=nines, loose="KH QD 2C 7C"))
    assert "9C 9D KH | loose 9S QD 2C 7C" in text_of(other)
    assert "9C 9D 9S | loose KH QD 2C 7C" in text_of(other)


def test_a_hand_is_judged_for_those_who_may_score_and_of_seats_at_the_table(sam: Client, pool: Evening):
    assert 'name="password"' in refusal_of(Client().post(pool.page("hand"), {**in_cards(1), "seat": "2"}), 403)
    for seat in ("", "9", "2\x00"):
        assert sam.post(pool.page("hand"), {**in_cards(1), "seat": seat}).status_code == 404
