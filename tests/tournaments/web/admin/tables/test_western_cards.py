"""Hands of the Western games entered as cards on the scorer's page: ruled on as typed, stored as they were laid."""

from typing import Any

import pytest
from django.test import Client
from syrupy.assertion import SnapshotAssertion

from tests.builders.admin_tables import Evening
from tests.builders.page_text import text_of
from tests.builders.public_tables import address
from tests.builders.western_pages import fields, stored_sheet, tournament_state
from tests.builders.western_scoring import told_at
from tournaments.models import Club

pytestmark = pytest.mark.django_db

Typed = dict[str, Any]
# The input, the ruling, and its cards.
IN_CARDS: dict[str, tuple[Typed, str, str]] = {
    "gin": (
        {
            "hands.0.knocker": "1",
            "hands.0.melds": ["4s5s6s", "KH KD KC", "9c 9d 9h", ""],
            "hands.0.loose": "5♥",
            "hands.0.defender_cards": "7S 8S KS AD AC AH 2D 3D 4D JC",
        },
        "The knock wins 5 points",
        "hands-0",
    ),
    "rummy500": (
        {
            "out": "1",
            "melds-1": ["AS 2S 3S", "KH KD PJ"],
            "laid_off-1": "7c",
            "melded-2": "0",
            "hands-2": "9D AC",
            "melded-3": "40",
            "in_hand-3": "15",
        },
        "62 points melded",
        "1",
    ),
    "romme": (
        {"out": "1", "counts-2": "50", "hands-3": "KD AC", "figures": ["QH PJ AH", "5S 5D 5C"]},
        "Enough for a first meld: 46 points",
        "deal",
    ),
}
EVERY_GAME = pytest.mark.parametrize("name", list(IN_CARDS))
GIN = IN_CARDS["gin"][0]


def judged(client: Client, evening: Evening, typed: Typed, of: str, **how: Any) -> str:
    """The page's response while cards are typed."""
    answer = client.post(evening.page("hand"), {**fields(1, typed), "seat": of}, **how)
    assert answer.status_code == 200
    return text_of(answer)


@EVERY_GAME
def test_cards_are_ruled_on_as_typed_stored_as_they_lay_and_shown_as_faces(
    sam: Client, client: Client, club: Club, name: str, snapshot: SnapshotAssertion
):
    """Planted faults: groups joined into one; cards without a space refused."""
    typed, ruling, of = IN_CARDS[name]
    evening = tournament_state(club, name)
    said = judged(sam, evening, typed, of)
    assert ruling in said
    assert sam.post(evening.score_url, fields(1, typed)).status_code == 302
    assert stored_sheet(evening, 2) == snapshot
    pages = [text_of(sam.get(evening.page("sheet"))), text_of(client.get(address(evening.tournament, "r1/table-1/")))]
    for page in pages:
        assert "Hands of deal 1" in page
        assert "king of hearts" in page or "queen of hearts" in page
    assert [("Laid off on group 1" in page) for page in (said, pages[0])] == [name == "gin"] * 2


@pytest.mark.slow
@EVERY_GAME
def test_a_correction_begins_with_the_cards_and_stores_them_again(dita: Client, club: Club, name: str):
    typed, ruling, _ = IN_CARDS[name]
    evening = tournament_state(club, name)
    dita.post(evening.score_url, fields(1, typed))
    page = dita.get(evening.page("correct/1"))
    assert ruling in text_of(page)
    again = {key: text for key, text in page.context["typed"].items() if text and key not in ("kind", "deal")}
    again |= {"reason": "misread", "dealer": "1"}
    assert dita.post(evening.page("correct/1"), fields(2, again, key="1" * 32)).status_code == 302
    assert stored_sheet(evening, 3) == {**stored_sheet(evening, 2), "dealer": "1"}


@pytest.mark.parametrize(
    ("name", "changed", "refused"),
    [
        (
            "gin",
            {
                "hands.0.melds": ["4S 5S 7D", "KH KD KC", "9C 9D 9H"],
                "hands.0.defender_cards": "7S 8S KS AD AC AH 2D 3D 4D 5H",
                "hands.0.knocker_deadwood": "5",
            },
            (
                {
                    "hands.0.knocker_deadwood": ["count_and_cards"],
                    "cards of hands-0": ["not_a_meld", "impossible_card_count"],
                },
                ["Asha: 4S 5S 7D is not a meld", "Bo: 5H is there more than once"],
            ),
        ),
        (
            "gin",
            {"hands.0.melds": ["4S 5S 6S", "KH KD 7X"], "hands.0.loose": "5Y"},
            (
                {"cards of hands-0": ["unknown_card", "unknown_card"]},
                ["'7X' in group 2 is not a card", "'5Y' in the loose cards is not a card"],
            ),
        ),
        (
            "rummy500",
            {"melds-1": ["AS 2S 4S"], "melds-2": ["4H 5H 6H"], "melds-3": ["4H 5H 6H"], "melded-2": "", "melded-3": ""},
            (
                {"cards of 1": ["not_a_meld"], "cards of 3": ["impossible_card_count"] * 3},
                ["Asha: AS 2S 4S is not a meld", "Cy holds 4H: the hands show it 2 times"],
            ),
        ),
        (
            "romme",
            {"figures": ["QH KH 2H", "5S 5D 5C"], "hands-3": "KD 1C", "laid": "46"},
            (
                {"laid": ["count_and_cards"], "cards of deal": ["not_a_meld"], "cards of 3": ["unknown_card"]},
                ["Asha: QH KH 2H is not a meld", "'1C' in hands is not a card"],
            ),
        ),
    ],
)
def test_everything_wrong_stands_at_its_cards_and_nothing_typed_is_lost(
    sam: Client, club: Club, name: str, changed: Typed, refused: tuple[dict[str, list[str]], list[str]]
):
    """Planted faults: problems of cards at the top of the page; groups that could not be read left out."""
    evening, (told, said) = tournament_state(club, name), refused
    typed = {**IN_CARDS[name][0], **changed}
    answer = sam.post(evening.score_url, fields(1, typed))
    page = text_of(answer).replace("\u2068", "").replace("\u2069", "")
    assert answer.status_code == 422
    assert {key: sorted(codes) for key, codes in told_at(answer).items()} == {
        key: sorted(codes) for key, codes in told.items()
    }
    assert [each in page for each in said] == [True] * len(said)
    for key, texts in typed.items():
        for text in [texts] if isinstance(texts, str) else texts:
            assert f'value="{text}"' in answer.content.decode(), key
    assert evening.version == 1


def test_what_is_no_card_and_what_is_missing_are_told_while_one_types(sam: Client, club: Club):
    evening = tournament_state(club, "gin")
    said = judged(sam, evening, {**GIN, "hands.0.loose": "5x"}, "hands-0")
    assert "“5x” in Loose cards of the knocker is not a card" in said
    assert "Fix this first" in said
    page = text_of(sam.post(evening.page("preview"), fields(1, {**GIN, "hands.0.defender_cards": ""})))
    assert "Still to fill in: Bo: cards of the opponent" in page
    for of in ("", "1", "hands-1", "deal"):
        assert sam.post(evening.page("hand"), {**fields(1, GIN), "seat": of}).status_code == 404, of


def test_the_card_turned_up_is_the_limit_of_the_ruling(sam: Client, club: Club):
    evening = tournament_state(club, "gin", options={"oklahoma": True})
    assert "5 is too much to knock with: 4 at most" in judged(sam, evening, {**GIN, "upcard": "4S"}, "hands-0")


def test_another_language_is_spoken_throughout(sam: Client, club: Club):
    """Planted fault: the English title of a missing field beside a German form."""
    evening = tournament_state(club, "gin")
    typed = {**GIN, "hands.0.melds": ["4S 5S 7D", "KH KD KC", "9C 9D 9H"]}
    of_cards = tournament_state(club, "rummy500", name="Late")
    for language, missing in (("en-gb", "Bo: in hand"), ("de", "Bo: Auf der Hand"), ("hi", "Bo: हाथ में")):
        how: dict[str, Any] = {"headers": {"Accept-Language": language}}
        assert missing in text_of(sam.post(of_cards.page("preview"), fields(1, {"out": "1"}), **how))
        page = text_of(sam.post(evening.score_url, fields(1, typed), **how))
        page += judged(sam, evening, GIN, "hands-0", **how)
        english = ("Enter cards", "is not a meld", "Melds of the knocker", "Instead of", "Laid off", "knock wins")
        assert [words for words in english if words in page] == (list(english) if language == "en-gb" else []), language
