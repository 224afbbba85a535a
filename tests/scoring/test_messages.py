"""A message becomes English without parsing names that it contains, and is read back from a column unchanged."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.messages import Amount, Message, Seat, Signed, english, restored, say, say_many, stored, with_names

HARD = ("{seat}", "{name}", "{number} {why}", "A: b", "two\nlines", "{0}", "%(x)s", "{")
NAMES = st.text(min_size=1, max_size=20) | st.sampled_from(HARD)


def rejoined(count: int) -> Message:
    return say_many("{seat} rejoined {count} time", "{seat} rejoined {count} times", count=count, seat=Seat("bo"))


@given(NAMES)
def test_a_name_stays_as_it_was_typed(name: str):
    """Planted fault: placeholders replaced one by one, so that a name with a brace is read as a placeholder."""
    why = say("{seat} has {number}, says {name}", seat=Seat("bo"), number=3, name=name)
    message = say("resolve first: {why}", why=why)
    assert english(message, {"bo": name}) == f"resolve first: {name} has 3, says {name}"
    assert english(with_names(message, {"bo": name})) == english(message, {"bo": name})


def test_a_seat_without_a_name_goes_by_its_label_and_the_count_chooses_the_words():
    assert english(rejoined(1)) == "bo rejoined 1 time"
    assert english(rejoined(0), {"bo": "Bo"}) == "Bo rejoined 0 times"


def test_amounts_are_written_with_the_decimals_of_their_currency_and_parts_are_listed():
    message = say("{amount} of {list}", amount=Amount(264000, "INR"), list=("a", Seat("bo"), say("the till")))
    assert english(message, {"bo": "Bo"}) == "2640.00 INR of a, Bo and the till"


@given(NAMES)
def test_a_column_keeps_a_message_and_tells_older_text_as_it_is(name: str):
    """Planted fault: text of an earlier release refused as invalid JSON."""
    message = say("{why}, {list}", why=rejoined(2), list=(1, name, Amount(5, "JPY")))
    assert restored(stored(message)) == message
    assert hash(restored(stored(message))) == hash(message)
    assert english(restored("no stake is set")) == "no stake is set"


def test_a_message_without_parts_may_hold_braces():
    """Text of another program, or stored by an earlier release, is shown as it is."""
    text = restored("{seat} has {braces}")
    assert english(say("row {number}: {why}", number=2, why=text), {"seat": "Bo"}) == "row 2: {seat} has {braces}"
    assert msgspec.json.decode(msgspec.json.encode(text), type=Message) == text


def test_a_change_has_its_sign():
    """Planted faults: a change of zero without a sign, and the sign of a loss written twice."""
    assert [english(say("{by}", by=Signed(change))) for change in (5, 0, -5)] == ["+5", "+0", "-5"]


def test_a_message_of_an_earlier_release_that_held_finished_english_is_read():
    """Planted fault: the old kind of part no longer known; the column then shows its JSON, and the state is lost."""
    why = '{"type":"Sentence","text":"Bo left"}'
    kept = f'{{"type":"Message","text":"row {{number}}: {{why}}","parts":{{"number":2,"why":{why}}}}}'
    assert english(restored(kept)) == "row 2: Bo left"


@pytest.mark.parametrize(
    ("names", "text"),
    [((), ""), (("Asha",), "Asha"), (("Asha", "Bo"), "Asha and Bo"), (("Asha", "Bo", "Cy"), "Asha, Bo and Cy")],
)
def test_several_parts_are_listed(names: tuple[str, ...], text: str):
    assert str(say("{list} would qualify", list=names)) == f"{text} would qualify"
