"""Every message of the lower layers is translated."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation

from scoring.events import wire
from scoring.events.table import TableClosed
from scoring.events.wire import EVENTS
from scoring.messages import Message, Seat, Words, english, restored, say, say_many, stored
from scoring.money.formatting import Notation
from scoring.money.reasons import reasons
from scoring.options import Wording, describe_options
from scoring.rules.table.table import Table, steps
from scoring.rules.variants import PRESETS, VARIANTS, words_of
from scoring.rules.variants.indian.outcomes import ENDING_TITLES, ENDINGS
from scoring.sheets.event_messages import KIND_TITLES, event_message
from scoring.sheets.scoresheet import reckoned
from tests.builders.money_reasons import INDIAN, TAXED, played
from tests.builders.western_tables import WESTERN, played_western
from tournaments.books import commands
from tournaments.books.queries import CONTRADICTION
from tournaments.models import Table as TableRow
from tournaments.models.play import moved_title
from tournaments.rendering.i18n.formatting import day, decimal, in_digits, listed, number
from tournaments.rendering.i18n.translating import spoken, translate
from tournaments.running.commands import settle

NOTATION = Notation("INR", "en_IN")
# Text without translation: cards and suits, a seat's label, and the name of the levy.
APART = re.compile(r"\b(?:10|[2-9AKQJT])[SHDC]\b|\b[AKQJT]\b|\bPJ\b|\bKQ\b|\bGST\b")
CAST = {"2": "Bo", "1": "Asha"}
BETWEEN_DEALS: tuple[wire.Event, ...] = (
    wire.DealVoided(deal=3, reason="misdeal"),
    wire.DealConfirmed(deal=3),
    wire.DealConfirmed(deal=3, seat="2"),
    wire.DealDisputed(deal=3, reason="12, not 21"),
    wire.DealDisputed(deal=3, seat="2", reason="12, not 21"),
    wire.DisputeSettled(deal=3, reason="12 it is"),
    wire.Rejoined(seat="2"),
    wire.SeatLeft(seat="2"),
    wire.BoughtIn(seat="2", amount_minor=50_000),
    wire.PenaltyGiven(seat="2", points=5, reason="late"),
    wire.EventWithdrawn(version=4, reason="pressed by mistake"),
    wire.SplitAgreed(),
    wire.TableClosed(),
    wire.TableClosed(time_called=True),
    wire.TableCancelled(reason="the hall closes"),
)
LATIN = re.compile(r"[A-Za-z]{2,}")


def untranslated(said: Iterable[Words]) -> set[str]:
    """Words left in Latin letters in a text in Hindi."""
    with translation.override("hi"):
        return {english(words) for words in said if LATIN.search(APART.sub("", translate(words)))}


def shown_of(table: Table) -> Iterator[Words]:
    """All texts that pages show from a table, except its refusals."""
    for entry, before, after in steps(table):
        yield from (note.text for note in table.rules.story(table.setup, before, entry.event, after))
        if isinstance(entry.event, TableClosed):
            continue
        sheet = entry.event.sheet
        yield from (word for mark in sheet.marks().values() for word in (mark.title, mark.short))
        yield from sheet.remarks()
    for panel in table.rules.panels(table.setup, table.game):
        yield from (panel.title, *panel.heading)
        yield from (cell for row in panel.rows for cell in row if isinstance(cell, Message))
    for seat in table.setup.seats:
        yield from (why for line in reckoned(table, seat).lines for why in line.because)
    yield from (line for payout in table.payouts() for line in reasons(payout.because, *NOTATION))
    fields = table.rules.entry_form(table.setup, table.rules.start(table.setup), is_extra=False)
    yield from (text for one in fields for text in (one.title, one.help, one.group, one.nobody, one.note))


def test_every_word_of_a_table_and_of_its_payouts_is_translated():
    """Planted faults: a remark that is finished English text; a line about a levy without its form."""
    tables = {preset: played(preset, **TAXED) for preset in INDIAN}
    tables |= {preset: played_western(preset, entry_minor=3_000, point_value_minor=5, **TAXED) for preset in WESTERN}
    left = {preset: untranslated(shown_of(table)) for preset, table in tables.items()}
    assert {preset: said for preset, said in left.items() if said} == {}


def test_every_event_between_deals_is_read_out_in_german():
    """Planted fault: an event described in other words."""
    said = [event_message(event, amount_text=lambda minor: f"₹{minor // 100}.00") for event in BETWEEN_DEALS]
    with translation.override("de"):
        assert [message for message in said if translate(message, CAST) == english(message, CAST)] == []


def test_every_constant_of_the_lower_floors_is_translated():
    """Planted fault: the short name of an ending that is not marked for translation."""
    games = {rules.summary for rules in VARIANTS.values()} | {preset.note for _, preset in PRESETS.values()}
    endings = [word for said in ENDING_TITLES.values() for word in (said.title, said.short)]
    assert untranslated([*endings, *ENDINGS.values(), *KIND_TITLES.values()]) == set()
    with translation.override("de"):
        assert {text for text in games if text and translate(text) == text} == set()


def test_every_kind_of_event_has_a_title():
    """Planted fault: a kind whose name on the wire is shown in the log as English words."""
    assert set(EVENTS) - set(KIND_TITLES) == set()


def test_why_nothing_is_settled_is_told_in_german_also_where_an_earlier_release_stored_it_as_a_text():
    """Planted fault: the stored text shown unchanged."""
    of_tables = (commands.CONFLICT, commands.REHEARSAL, CONTRADICTION)
    said = (*of_tables, settle.CONFLICT, settle.UNREAD)
    with translation.override("de"):
        assert all(translate(reason) != str(reason) for reason in said)
        assert [translate(restored(stored(reason))) for reason in said] == [translate(reason) for reason in said]
        assert translate(restored(str(settle.UNREAD))) == translate(settle.UNREAD)
        assert translate(restored("Defect: it does not balance")) == "Defect: it does not balance"


def test_translators_get_the_words_of_every_game():
    """Planted fault: texts of options left out, so that a newly added game is never translated."""
    for rules in VARIANTS.values():
        told_of = set(words_of(rules))
        assert {rules.title, rules.summary, *(preset.title for preset in rules.presets)} <= told_of
        for option in describe_options(rules.options_type):
            wording = rules.wordings.get(option["name"], Wording())
            assert {text for text in (wording.title or option["help"], wording.unset) if text} <= told_of
            assert {text for text in wording.choices.values() if text.upper() != text.lower()} <= told_of
        assert {form.note for form in rules.formats} | set(rules.ending_titles.values()) <= told_of


@pytest.mark.parametrize(
    ("row", "german"),
    [
        (TableRow(number=3), "Tisch 3"),
        (TableRow(number=9, name=moved_title(9, 3)), "Tisch 9 (an 3)"),
        (TableRow(number=3, name="Winners"), "Winners"),
        (TableRow(number=3, name="Table 9 (at 3)"), "Table 9 (at 3)"),
        (TableRow(number=3, name="Table of the Queen"), "Table of the Queen"),
    ],
)
def test_a_table_goes_by_its_number_in_the_language_or_by_the_name_that_somebody_gave(row: TableRow, german: str):
    """Planted fault: a table called "Winners" shown as "Gewinner"."""
    with translation.override("de"):
        assert spoken(row.called) == german
        assert translate(say("Close {called}", called=row.called)) == f"{german} schließen"
        assert translate(say("{seat} rejoined", seat=Seat("2")), {"2": "Queen"}) == "Queen ist per Rejoin zurück"


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
    """Planted fault: days cached by the moment alone, which is the same on every clock."""
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
    """Planted faults: a plural by the wrong number, an untranslated part, a name that is translated or filled in."""
    one, many = "{number} missed turn is a middle drop.", "{number} missed turns in a row are a middle drop."
    parts: dict[str, Any] = {"turns": say_many(one, many, count=1, number=1), "cost": 20, "name": "{limit}"}
    message = Message("{turns} ({cost}) {name} {when}", {**parts, "when": say("on reaching the limit")})
    with translation.override(language):
        assert translate(message) == said
