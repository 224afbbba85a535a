"""Documents as files: the paper they fill, the bytes they are, the names that stand on them."""

import io
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from tests.tournaments.paper.reading import pages, said, size
from tournaments.paper import Column, Document, Facts, Kind, PageSize, Row, Signatures, Table, Words, faces, pdf_of
from tournaments.paper.receipts import Receipt, receipt_pdf

COLUMNS = (Column(title="Player"), Column(title="Won", kind=Kind.NUMBER), Column(title="Signed", kind=Kind.BLANK))


def document(*parts: object, title: str = "Payouts", foot: str = "Fingerprint 17-3F9A") -> Document:
    return Document(house="Thursday club", title=title, parts=parts, foot=foot)  # type: ignore[arg-type]


def listed(*names: str) -> Table:
    return Table(columns=COLUMNS, rows=tuple(Row(cells=(name, "₹540.00", "")) for name in names))


def test_the_paper_is_a4_or_letter():
    assert size(pdf_of(document(listed("Asha")))) == (595.28, 841.89)
    assert size(pdf_of(document(listed("Asha")), PageSize.LETTER)) == (612, 792)


def test_a_document_says_its_house_its_facts_its_rows_and_its_fingerprint():
    parts = (Facts(pairs=(("Entries", "4"),)), Words(text="All paid."), listed("Asha"), Signatures(who=("Dita",)))
    [page] = pages(pdf_of(document(*parts)))
    assert page == (
        "Thursday club Payouts Entries 4 All paid. Player Won Signed Asha ₹540.00 Dita Fingerprint 17-3F9A 1 of 1"
    )


def test_the_same_document_is_the_same_bytes_whatever_was_printed_before():
    """Planted: faces shared by all documents, whose shaped letters are numbered as they come."""
    night = document(listed("आशा क्षत्रिय", "محمد"))
    faces._read.cache_clear()
    first = pdf_of(night)
    faces._read.cache_clear()
    pdf_of(document(listed("क्ष्म्य ज्ञान", "علي حسن")))
    assert pdf_of(night) == first


def test_a_hundred_players_fill_pages_with_headings_on_each():
    names = [f"Player {number}" for number in range(1, 101)]
    found = pages(pdf_of(document(listed(*names))))
    assert len(found) > 3
    assert all("Player Won Signed" in page for page in found)
    assert all(f"{number} of {len(found)}" in page for number, page in enumerate(found, start=1))
    assert all("Thursday club: Payouts" in page for page in found[1:])
    assert [name for name in names if not any(f"{name} ₹540.00" in page for page in found)] == []


def test_a_name_is_never_markup():
    shown = pages(pdf_of(document(listed("<b>Bo</b> &amp; Cy", "Dev\0\u202eyas", "{% now %} \\(x"))))[0]
    assert "<b>Bo</b> &amp; Cy" in shown
    assert "Devyas" in shown
    assert "{% now %} \\(x" in shown


def test_names_that_join_their_letters_can_be_copied_from_the_paper():
    names = ["आशा", "محمد", "ஸ்ரீ", "శ్రీ", "ਸਿੰਘ", "બા", "বসু", "ଶ୍ରୀ", "ಶ್ರೀ", "ശ്രീ", "כהן"]
    assert said(pdf_of(document(listed(*names)))) == names


def test_every_script_that_we_ship_has_its_letters():
    """Planted: a block that is set in a face without its letters prints empty boxes."""
    from tournaments.paper.faces import BLOCKS, LATIN
    from tournaments.paper.lettering import Lettering

    empty = []
    for start, face, _ in BLOCKS:
        letter = next(chr(code) for code in range(start, start + 256) if chr(code).isalpha())
        lettering = Lettering()
        [run] = lettering.line(letter).runs
        if face != LATIN and lettering.faces[run.face].face.charToGlyph.get(ord(run.letters[0]), 0) == 0:
            empty.append(face)
    assert empty == []


@pytest.mark.parametrize("sign", ["₹", "−", "€", "£", "¥", "–", "’", "…"])
def test_signs_of_amounts_are_in_both_weights(sign: str):
    from tournaments.paper.faces import BOLD, LATIN, own_face

    assert all(ord(sign) in own_face(face).face.charToGlyph for face in (LATIN, BOLD))


def test_a_long_name_wraps_and_loses_no_word():
    name = " ".join(f"name{number}" for number in range(60))
    [page] = pages(pdf_of(document(listed(name))))
    assert name in page.replace(" ₹540.00", "")


def test_ten_thousand_letters_without_a_space_go_over_pages_and_all_are_there():
    found = pages(pdf_of(document(listed("x" * 10_000, "after"))))
    assert sum(page.count("x") for page in found) == 10_000
    assert "after ₹540.00" in found[-1]


def test_a_title_longer_than_a_page_ends_somewhere():
    assert len(pages(pdf_of(document(listed("Asha"), title="t" * 10_000)))) > 3


def test_a_file_is_black_on_white_and_brings_its_typefaces():
    page = PdfReader(io.BytesIO(pdf_of(document(listed("Asha"), Words(text="आशा", is_large=True))))).pages[0]
    drawn = page.get_contents().get_data().decode("latin-1").split()
    assert {"rg", "RG", "k", "K", "scn"}.isdisjoint(drawn)
    for font in page["/Resources"]["/Font"].values():
        assert "/FontFile2" in font.get_object()["/FontDescriptor"]


def test_a_wide_table_stays_on_the_paper():
    columns = (*(Column(title=f"Amount {number}", kind=Kind.NUMBER) for number in range(9)), COLUMNS[0])
    row = Row(cells=(*("−₹12,34,567.00" for _ in range(9)), "Asha"))
    [page] = pages(pdf_of(document(Table(columns=columns, rows=(row,)))))
    assert "Asha" in page


@given(texts=st.lists(st.text(max_size=60), min_size=3, max_size=3))
@settings(max_examples=25, deadline=None)
def test_any_text_at_all_can_be_printed(texts: list[str]):
    title, name, foot = texts
    assert pdf_of(document(listed(name), title=title, foot=foot)).startswith(b"%PDF")


def test_a_receipt_says_who_gave_whom_how_much_and_what_for():
    receipt = Receipt(
        number="2026-0017",
        club="Thursday club",
        player="Asha",
        amount_minor=30_000,
        currency="INR",
        what_for=("Entry, Friday", "Re-entry"),
        cashier="Dita",
        at=datetime(2026, 3, 14, 19, 30, tzinfo=UTC),
        fingerprint="17-3F9A",
    )
    [page] = pages(receipt_pdf(receipt, PageSize.LETTER))
    said = ["Receipt 2026-0017", "₹300.00", "Received from Asha", "For Entry, Friday", "Re-entry", "2026-03-14 19:30"]
    assert [each for each in (*said, "Given: Asha", "Received: Dita", "Fingerprint 17-3F9A") if each not in page] == []
