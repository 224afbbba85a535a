"""A message is shown in the language of the page, and names stay as they were typed."""

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from scoring.messages import Seat, say, say_many
from tournaments.rendering.i18n.translating import sentence, translate

NAMES = st.text(min_size=1, max_size=20) | st.sampled_from(
    ["resolve first: Winners", "{seat}", "two\nlines", "{0}", "Queen", "%(x)s", "Table 3", "{"]
)
CLASH = say("resolve first: {why}", why=say("{seat} has left already", seat=Seat("bo")))


@pytest.mark.parametrize("language", ["en", "hi", "de"])
@given(name=NAMES)
def test_a_name_with_any_signs_is_shown_as_typed_in_every_language(language: str, name: str):
    """Planted fault: a name translated like a message of ours, or taken for a placeholder."""
    message = say("row {number}: {why}", number=3, why=say("{seat}: {why}", seat=Seat("bo"), why=name))
    with translation.override(language):
        assert translate(message, {"bo": name}).endswith(f": {name}: {name}")


def test_a_message_and_the_text_in_it_are_said_in_german():
    with translation.override("de"):
        assert translate(CLASH, {"bo": "Bo: 5"}) == "erst klären: Bo: 5 ist schon gegangen"
        assert translate(say("row {number}: {why}", number=3, why=CLASH)).startswith("Zeile 3: erst klären: bo ")
        assert sentence(CLASH, {"bo": "Bo"}) == "Erst klären: Bo ist schon gegangen."


def test_a_number_chooses_the_words_of_the_language():
    once, twice = (say_many("{count} deal won", "{count} deals won", count=count) for count in (1, 2))
    with translation.override("de"):
        assert (translate(once), translate(twice)) == ("1 gewonnener Deal", "2 gewonnene Deals")
    with translation.override("mr"):
        assert translate(say("row {number}: {why}", number=12, why="x")) == "row १२: x"


def test_english_pages_say_what_the_api_says():
    assert translate(CLASH, {"bo": "Bo"}) == "resolve first: Bo has left already"
    assert sentence(CLASH, {"bo": "Bo"}) == "Resolve first: Bo has left already."


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en-gb", "Asha, Bo and Cy would qualify"),
        ("de", "jetzt weiter: Asha, Bo und Cy"),
        ("hi", "Asha, Bo, और Cy क्वालिफ़ाई करते"),
    ],
)
def test_names_are_listed_as_the_language_lists_them(language: str, text: str):
    with translation.override(language):
        assert translate(say("{list} would qualify", list=("Asha", "Bo", "Cy"))) == text
