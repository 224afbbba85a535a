"""Every option that a house can set is described: each choice, and the default."""

import pytest

from scoring.money.formatting import Notation
from scoring.options import Wording, describe_options, read_options
from scoring.rules.variants import VARIANTS
from tournaments.rendering.i18n.translating import by_seats_text, option_text

RUPEES = Notation("INR", "en_IN")


def test_every_option_has_a_title_words_for_each_choice_and_for_being_unset():
    """Planted faults: a new choice of a variant without a text; `How often one seat may rejoin; none: no maximum, 0:
    never` printed beside `no maximum`, where a title stands beside its value and lists none itself."""
    signs = ("; none", "; false", "default", "`", "minor")
    described = [(rules, option) for rules in VARIANTS.values() for option in describe_options(rules.options_type)]
    for rules, option in described:
        wording, place = rules.wordings.get(option["name"], Wording()), (rules.name, option["name"])
        assert list(wording.choices) == option.get("choices", []), place
        assert not [words for words in wording.choices.values() if "_" in words], place
        assert bool(wording.unset or wording.follows) == bool(option.get("nullable")), place
        title = wording.title or option["help"]
        assert not [sign for sign in signs if sign in title], place
        assert ";" not in title or title == option["help"], place


def test_a_whole_house_can_be_told():
    for rules in VARIANTS.values():
        options = read_options(rules.options_type, {}, rules.defaults({}, rules.seats_allowed[0]))
        names = [option["name"] for option in describe_options(rules.options_type)]
        assert set(rules.wordings) <= set(names)
        said = [option_text(rules, name, options, RUPEES) for name in names]
        assert all(said)
        assert "None" not in said


def test_what_follows_from_other_options_is_told_as_its_number():
    pool = VARIANTS["pool"]
    options = read_options(pool.options_type, {"limit": 201, "first_drop": 25}, pool.defaults({}, 2))
    assert option_text(pool, "rejoin_highest", options, RUPEES) == "174"
    assert option_text(pool, "rejoin_entry_below_minor", options, RUPEES) == "at any entry fee"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([(2, 2), (3, 2)], "2"),
        ([(6, 2), (7, 3), (8, 3)], "2; from 7 seats on 3"),
        ([(2, 2), (3, 3), (4, 4)], "2 to 4, by the number of seats"),
    ],
)
def test_what_depends_on_the_seats_says_how(values: list[tuple[int, int]], said: str):
    assert by_seats_text(values) == said
