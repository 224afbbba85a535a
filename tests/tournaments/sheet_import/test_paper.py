"""Reading the cells of a paper sheet: from any spreadsheet, and every mistake named with its row.

Planted faults these catch: a byte order mark in the first word, a row number that counts only full lines, a refusal
that stops at the first mistake.
"""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import Problem
from scoring.rules.variants.indian.outcomes import ENDING_TITLES, DealOptions, OutcomeKind
from scoring.rules.variants.indian.prices import endings_of
from tournaments.sheet_import import SheetRejected
from tournaments.sheet_import.columns import read_amount, read_share
from tournaments.sheet_import.deals import read_mark
from tournaments.sheet_import.sheets import PaperSheet, open_paper, read_paper

ENDINGS = endings_of(DealOptions())
SHEET = """Rummy score sheet
Club,Asha's club
Tournament,Saturday
Table,1
Game,Pool 101
Entry,Rs 1000
Fee,12 %

Deal,Asha,Bo,Cy,Note
1,show,34,D,
2,MD,0*,F,a long one
"""


def read(data: bytes) -> PaperSheet:
    """Read a sheet that names its game itself."""
    draft = open_paper(data)
    return read_paper(draft, draft.heading.played)


def refused(text: str | bytes) -> list[Problem]:
    with pytest.raises(SheetRejected) as told:
        read(text if isinstance(text, bytes) else text.encode())
    return list(told.value.problems)


def deals(text: str, encoding: str = "utf-8") -> list[dict[str, Any]]:
    return [event for line in read(text.encode(encoding)).lines for event in line.events]


PLAIN = deals(SHEET)


def test_a_sheet_says_who_played_and_how_each_deal_ended():
    sheet = read(SHEET.encode())
    assert sheet.players == ("Asha", "Bo", "Cy")
    assert (sheet.heading.table, sheet.heading.preset, sheet.heading.fee_bp) == (1, "pool_101", 1200)
    assert PLAIN[0]["outcomes"] == {"1": {"how": "show"}, "2": {"how": "loss", "count": 34}, "3": {"how": "first_drop"}}


def test_what_spreadsheets_do_to_a_file_does_no_harm():
    for text in (
        "\ufeff" + SHEET,
        SHEET.replace(",", ";"),
        SHEET.replace(",", "\t"),
        SHEET.replace("\n", "\r\n"),
        SHEET.replace("\n", "\n\n,,,,\n"),
        SHEET.replace("\n", ",,,,,,,\n"),
        SHEET.upper().replace("RS 1000", "₹1,000.00".join('""')),
        SHEET.replace("Deal,", '"Deal",').replace("show", '" Show "'),
        "# written by Sam\n" + SHEET,
    ):
        assert deals(text) == PLAIN, text
    for encoding in ("utf-16", "utf-16-le", "cp1252"):
        assert deals(SHEET, encoding) == PLAIN, encoding


def test_a_file_that_is_no_sheet_is_refused():
    for data, code in (
        (b"", "empty_sheet"),
        (b"\n\n,,,\n", "empty_sheet"),
        (SHEET.encode() + b"," * 10_000 + b"x", "too_many_columns"),
        (SHEET.encode() + b"x\n" * 3_000, "too_many_rows"),
        (SHEET.encode() + b"x" * 1_000_000, "file_too_big"),
        (SHEET.encode() + b"y" * 600, "cell_too_long"),
        (SHEET.encode() + b"\x81\xfe", "not_text"),
        (SHEET.encode() + b"\x00", "not_text"),
        (SHEET.encode() + b'"' + b"z" * 200_000, "not_csv"),
        (b"Club,Asha's club", "missing_line"),
        (SHEET.replace("Bo", "asha").encode(), "player_seated_twice"),
    ):
        assert code in {problem.code for problem in refused(data)}, code


def test_every_mistake_is_named_with_its_row():
    text = (
        SHEET.replace("Table,1", "Tabel,1").replace("12 %", "much") + "3,zz,1.5,show\n4,show,2,3,x,y\nbreak\nVoid,,,\n"
    )
    problems = refused(text)
    assert [(problem.code, (problem.field or "").partition(",")[0]) for problem in problems] == [
        ("unknown_line", "row 4"),
        ("wrong_value", "row 7"),
        ("missing_line", "table"),
        ("unknown_mark", "row 12"),
        ("unknown_mark", "row 12"),
        ("too_many_cells", "row 13"),
        ("unknown_line", "row 14"),
        ("missing_field", "row 15"),
        ("missing_field", "row 15"),
    ]
    assert "row 12: Asha: 'zz' is not a mark" in problems[3].text()


def test_acts_between_deals_are_read():
    acts = "Rejoin,x,,x\nPenalty,,10,,late\nLeft,,x\nSplit\nBuy-in,Rs 500\nCorrection 1,show,3,D,upside down\nClosed\n"
    assert [event["kind"] for event in deals(SHEET + acts)[2:]] == [
        "rejoined",
        "rejoined",
        "penalty_given",
        "seat_left",
        "split_agreed",
        "bought_in",
        "deal_corrected",
        "table_closed",
    ]


def test_every_mark_is_read_as_it_is_written():
    for how in set(OutcomeKind) - {OutcomeKind.LOSS, OutcomeKind.HALF_COUNT}:
        marks = ENDING_TITLES[how].marks
        for mark in (*marks, *map(str.upper, marks), how.value, how.value.replace("_", " ").upper()):
            assert read_mark(mark, "1", ENDINGS) == {"how": how.value}


@given(st.integers(0, 9_999))
def test_counts_are_read_as_they_are_written(count):
    assert read_mark(str(count), "1", ENDINGS) == {"how": "loss", "count": count}
    assert read_mark(f"{count}/2", "1", ENDINGS) == {"how": "half_count", "count": count}


def test_amounts_are_read_as_people_write_them():
    for text, currency, minor in (
        ("1000", "INR", 100_000),
        ("1,00,000.50", "INR", 10_000_050),
        ("Rs. 2", "INR", 200),
        ("₹ 0.05", "INR", 5),
        ("1.000,00 €", "EUR", 100_000),
        ("1'000.5", "CHF", 100_050),
        ("5,280", "INR", 528_000),
        ("EUR 12,50", "EUR", 1_250),
        ("1000", "JPY", 1_000),
        ("1,000", "JPY", 1_000),
        ("12.345", "BHD", 12_345),
        ("12.5", "KWD", 12_500),
        ("1,000.250", "BHD", 1_000_250),
        ("1.000,250 TND", "TND", 1_000_250),
        ("1,000,000", "BHD", 1_000_000_000),
        ("0.0005", "CLF", 5),
    ):
        assert read_amount(text, currency) == minor, text


def test_an_amount_that_may_be_two_is_asked_about():
    """A thousand dinars, or one with three decimals: the comma does not say which."""
    with pytest.raises(ValueError, match=r"write 1\.000 or 1000"):
        read_amount("1,000", "BHD")


def test_what_is_no_amount_is_refused():
    for text in ("", "x", "-5", "1e3", "12,3456.7", "--", "9" * 30):
        with pytest.raises(ValueError, match="is not an amount"):
            read_amount(text, "INR")


def test_shares_are_read_as_people_write_them():
    for text, bp in (("12 %", 1_200), ("12.5%", 1_250), ("0,05 %", 5), ("1200 bp", 1_200)):
        assert read_share(text) == bp


@pytest.mark.slow
@given(st.binary(max_size=400) | st.text(max_size=400).map(str.encode))
def test_no_file_does_anything_but_be_read_or_refused(data):
    for text in (data, SHEET.encode() + data):
        with suppress(SheetRejected):
            read(text)


def test_a_result_line_stands_for_all_deals_of_a_sheet():
    head = SHEET[: SHEET.index("1,show")]
    [event] = deals(f"{head}Result,−12,101 (2),140(1)\n")
    assert event == {
        "kind": "totals_recorded",
        "totals": {"1": -12, "2": 101, "3": 140},
        "out": {"2": 2, "3": 1},
    }
    [problem] = refused(f"{head}Result,12,a lot,140\n")
    assert (problem.code, problem.seat, problem.field) == ("wrong_value", "2", "row 10, totals")
