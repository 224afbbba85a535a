"""Whatever the lower floors can say has its form, and is said again in other languages."""

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.evening import read_plan
from scoring.evening.prizes.sheet import prize_sheet
from scoring.messages import Message, restored, say, say_many, stored
from scoring.money.arithmetic import reasons
from scoring.options import Wording, describe_options
from scoring.rules.table.table import Table, steps
from scoring.rules.variants import PRESETS, VARIANTS
from scoring.rules.variants.indian.outcomes import ENDINGS, SHORT, TITLES
from scoring.sheets.reckoning import reckoned
from scoring.sheets.telling import KIND_TITLES
from tests.scoring.evening.prizes.test_prize_sheet import nights
from tests.scoring.money.test_reasons import INDIAN, played
from tests.scoring.money.test_reasons_known import TAXED
from tests.scoring.money.western_tables import WESTERN, played_western
from tournaments.books import commands
from tournaments.books.queries import CONTRADICTION
from tournaments.evenings.commands import settle
from tournaments.rendering.i18n.formatting import day, decimal, in_digits, listed, number
from tournaments.rendering.i18n.forms import NUMBERS, PART, WORDS
from tournaments.rendering.i18n.translating import (
    DEEPEST,
    LONGEST,
    called,
    forms,
    is_known,
    recognised,
    told,
    translate,
)

WILD_CARD = "wild joker {card}"
TEXTS = [text for form in forms() for text in ([form] if isinstance(form, str) else form)]
DIGITS = st.from_regex(r"[+\-−]?\d{1,40}", fullmatch=True)
CARDS_ALONE = str.maketrans("", "", "♥♠♦♣−0123456789 AKQJTSHDC")


def unknown(said: set[str]) -> set[str]:
    """What has letters beyond those of cards and has no form."""
    return {text for text in said if text.translate(CARDS_ALONE) and not is_known(text)}


def words_of(table: Table) -> set[str]:
    """Everything that pages take over from a table, but its refusals."""
    said: set[str] = set()
    for entry, before, after in steps(table):
        sheet = entry.fact.sheet
        said |= {word for mark in sheet.marks().values() for word in (mark.title, mark.short)} | {*sheet.remarks()}
        said |= {note.text for note in table.rules.story(table.setup, before, entry.fact, after)}
    for panel in table.rules.panels(table.setup, table.game):
        said |= {panel.title, *panel.heading, *(row[0] for row in panel.rows if not row[0].startswith("{"))}
    for seat in table.setup.seats:
        said |= {why for line in reckoned(table, seat).lines for why in line.because}
    fields = table.rules.entry_form(table.setup, table.rules.start(table.setup), is_extra=False)
    said |= {text for one in fields for text in (one.title, one.help, one.group, one.nobody, one.note)}
    return said | {line for payout in table.payouts() for line in reasons(payout.because, "INR", "en_IN")}


@pytest.mark.parametrize("preset", INDIAN)
def test_every_word_of_an_indian_table_has_its_form(preset: str):
    """Planted: a remark of a game reworded without its form."""
    assert unknown(words_of(played(preset, **TAXED))) == set()


@pytest.mark.parametrize("preset", WESTERN)
def test_every_word_of_a_western_table_has_its_form(preset: str):
    assert unknown(words_of(played_western(preset, entry_minor=3_000, point_value_minor=5, **TAXED))) == set()


def test_every_constant_of_the_lower_floors_has_its_form():
    endings = {*TITLES.values(), *SHORT.values(), *ENDINGS.values(), *(said.lower() for said in ENDINGS.values())}
    games = {said for rules in VARIANTS.values() for said in (rules.title, rules.summary)} | {
        preset.title for _, preset in PRESETS.values()
    }
    assert unknown({*KIND_TITLES.values(), *endings, *games}) == set()


def test_why_nothing_is_settled_is_told_in_german_also_where_an_earlier_release_stored_it_as_a_text():
    """Planted: the stored text shown as it stands."""
    of_tables = (commands.CONFLICT, commands.REHEARSAL, CONTRADICTION)
    said = (*of_tables, settle.CONFLICT, settle.UNREAD)
    with translation.override("de"):
        assert all(translate(reason) != str(reason) for reason in said)
        assert [translate(restored(stored(reason))) for reason in said] == [translate(reason) for reason in said]
        assert translate(restored(str(settle.UNREAD))) == translate(settle.UNREAD)
        assert translate(restored("Defect: it does not balance")) == "Defect: it does not balance"


def test_every_option_is_called_something():
    called = {
        one["help"]
        for rules in VARIANTS.values()
        for one in describe_options(rules.options_type)
        if not rules.wordings.get(one["name"], Wording()).title
    }
    assert unknown(called) == set()


@given(nights())
def test_every_line_of_a_prize_sheet_has_its_form(night):
    plan, entries, finish, won = night
    paid = prize_sheet(read_plan(plan), entries, finish, won)
    assert unknown(set(reasons(paid.reasons, "INR", "en_IN"))) == set()


@pytest.mark.parametrize(
    ("said", "german"),
    [
        ("First drop", "Erster Drop"),
        ("{seat}: 81 + 40 = 121, out of 101", "{seat}: 81 + 40 = 121, ausgeschieden bei 101"),
        ("1 deal won against 0", "1 gewonnener Deal gegen 0"),
        ("round 1, table 2, place 1: ₹50.00 fixed", "Runde 1, Tisch 2, Platz 1: ₹50.00 fest"),
        ("GST: 18% of ₹40.00 is ₹7.20", "GST: 18% von ₹40.00 sind ₹7.20"),
        ("place 1: 50% of ₹40.00 is ₹20.00", "Platz 1: 50% von ₹40.00 sind ₹20.00"),
        ("place 2: ₹50.00 fixed and 20% of ₹40.00 is ₹8.00", "Platz 2: ₹50.00 fest und 20% von ₹40.00 sind ₹8.00"),
        ("Pool 101, A23 style", "Pool 101, wie A23"),
        ("what nobody has said yet", "what nobody has said yet"),
    ],
)
def test_a_sentence_is_said_again_in_german(said: str, german: str):
    with translation.override("de"):
        assert told(said) == german
    with translation.override("en-gb"):
        assert told(said) == said


@given(st.text(max_size=80))
@example(" is not closed")
def test_any_text_at_all_can_be_told(text: str):
    """Planted: a name with a brace in it taken for a part of a form."""
    with translation.override("hi"):
        assert isinstance(told(text), str)
        said = f"wild card {text}" if text.strip() else text
        # Of a text that ends as another sentence of ours does, the words change.
        if (recognised(said) or [WILD_CARD])[0] == WILD_CARD:
            assert told(said)[-1:] == text[-1:]


@st.composite
def filled(draw: st.DrawFn, depth: int = 2) -> str:
    """A sentence of a known form with anything in its parts, and other sentences where it takes them."""

    def part(name: str) -> str:
        if name in NUMBERS:
            return draw(DIGITS)
        return draw(filled(depth=depth - 1)) if depth and name in WORDS else draw(st.text(min_size=1, max_size=12))

    pieces = PART.split(draw(st.sampled_from(TEXTS)))
    return "".join(part(piece) if at % 2 else piece for at, piece in enumerate(pieces))


@given(filled(), st.sampled_from(["", "."]))
def test_a_known_sentence_can_be_told_whatever_stands_in_its_parts(text: str, stop: str):
    """Planted: a number with a real minus given to `int` as it is."""
    for language in ("de", "hi"):
        with translation.override(language):
            assert told(text + stop)


@pytest.mark.parametrize(
    ("said", "german"),
    [
        ("Deal 7 confirmed by C.", "Deal 7 von C. bestätigt"),
        ("Deal 7 confirmed by C", "Deal 7 von C bestätigt"),
        ("3 deals won.", "3 gewonnene Deals."),
    ],
)
def test_a_full_stop_at_the_end_of_a_name_stays_in_the_name(said: str, german: str):
    """Planted: every full stop at the end taken for the sentence's, and put behind all of it again."""
    with translation.override("de"):
        assert told(said) == german


@pytest.mark.parametrize(
    "said",
    [
        "Conflicting records at {}",
        "Close {}",
        "{}: seat round 2",
        "Confirm 3 deals at {}, round 2",
        "{}: 3 players paid ₹20.00 in, ₹5.00 was there: ₹65.00",
        "{} rejoined",
    ],
)
def test_a_name_in_a_sentence_is_never_looked_up(said: str):
    """Planted: a table called "Winners" told as "Gewinner"."""
    with translation.override("de"):
        assert all(name in told(said.format(name)) for name in ("Winners", "Clubs", "Queen", "Pot"))
        assert told(said.format("Winners")) != said.format("Winners")


@pytest.mark.parametrize(
    ("title", "german"),
    [
        ("Table 3", "Tisch 3"),
        ("Table 3, round 2", "Tisch 3, Runde 2"),
        ("Table 9 (at 3)", "Tisch 9 (an 3)"),
        ("Stage 2", "Phase 2"),
        ("Winners", "Winners"),
        ("Winners, round 2", "Winners, Runde 2"),
        ("Table of the Queen", "Table of the Queen"),
    ],
)
def test_what_goes_by_its_number_is_called_in_the_language_and_what_has_a_name_by_its_name(title: str, german: str):
    with translation.override("de"):
        assert called(title) == german
        assert told(f"Close {title}") == f"{german} schließen"


@pytest.mark.parametrize("number", ["−2", "+2", "-2", "2"])
def test_a_count_with_any_sign_is_told(number: str):
    """Planted: the same as above."""
    with translation.override("de"):
        assert told(f"{number} deals won") == f"{number} gewonnene Deals"


@pytest.mark.parametrize("digits", ["9" * 31, "9" * 5_000])
def test_a_number_of_very_many_digits_stays_as_it_is(digits: str):
    """Planted: a number as long as you like, which `int` refuses to read."""
    text = f"{digits} deals won"
    with translation.override("de"):
        assert told(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Asha: " * 300 + "no table size is allowed",
        "Asha takes " * 150 + "nothing",
        "to keep Asha apart from Bo; and " * 60 + "to keep Asha apart from Cy",
        "to keep Asha apart from Bo; and " * 300 + "to keep Asha apart from Cy",
    ],
)
def test_sentences_within_sentences_are_told_only_so_deep(text: str):
    """Planted: one call in another for every sentence that stands in a sentence."""
    with translation.override("de"):
        assert told(text)


def test_a_very_long_text_is_nobodys_sentence():
    sentence = "{} left the table"
    fits = "A" * (LONGEST - len(sentence.format("")))
    assert recognised(sentence.format(fits)) is not None
    assert recognised(sentence.format(fits + "A")) is None
    assert recognised("3 times: " * (DEEPEST - 1) + "2 drops") is not None
    assert recognised("3 times: " * DEEPEST + "2 drops") is None


def test_no_form_is_written_twice():
    several = list(forms())
    assert len(several) == len(set(several))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en-gb", ("1,234", "−5", "Sat 21 Nov 2026", "a, b and c", "−1.50", "7")),
        ("hi", ("1,234", "−5", "शनि, 21 नव॰ 2026", "a, b, और c", "−1.50", "7")),
        ("de", ("1.234", "−5", "Sa., 21. Nov. 2026", "a, b und c", "−1,50", "7")),
        ("mr", ("१,२३४", "−५", "शनि, २१, नोव्हें २०२६", "a, b आणि c", "−१.५०", "७")),
        ("bn", ("১,২৩৪", "−৫", "শনি, ২১ নভে, ২০২৬", "a, b এবং c", "−১.৫০", "৭")),
    ],
)
def test_numbers_and_days_go_by_the_language(language: str, said: tuple[str, ...]):
    with translation.override(language):
        written = (number(1234), number(-5), day(date(2026, 11, 21)), listed(["a", "b", "c"]), decimal("-1.50"))
        assert (*written, in_digits("7")) == said


def test_one_moment_is_on_different_days_for_clubs_on_different_clocks():
    """Planted: days kept by the moment, which is the same on every clock."""
    moment = datetime(2026, 3, 14, 19, 30, tzinfo=UTC)
    assert day(moment) == "Sat 14 Mar 2026"
    assert day(moment.astimezone(ZoneInfo("Asia/Kolkata"))) == "Sun 15 Mar 2026"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "1 missed turn is a middle drop. (20) {limit} on reaching the limit"),
        ("de", "1 versäumter Zug ist ein mittlerer Drop. (20) {limit} beim Erreichen des Limits"),
    ],
)
def test_a_message_is_translated_with_the_messages_in_it_and_what_people_typed_stays(language: str, said: str):
    """Planted: a plural by the wrong number, a part that is not translated, a name that is looked up or filled in."""
    one, many = "{number} missed turn is a middle drop.", "{number} missed turns in a row are a middle drop."
    parts: dict[str, Any] = {"turns": say_many(one, many, count=1, number=1), "cost": 20, "name": "{limit}"}
    message = Message("{turns} ({cost}) {name} {when}", {**parts, "when": say("on reaching the limit")})
    with translation.override(language):
        assert translate(message) == said
