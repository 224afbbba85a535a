"""Documents as PDF files: paper size, reproducible bytes, and the names on them."""

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from tests.builders.pdf_text import code_drawn, code_of, pages, said, size, widths_drawn
from tests.builders.there import there
from tournaments.rendering.pdf import (
    Announcement,
    Box,
    BoxGroup,
    Card,
    Certificate,
    Coded,
    Column,
    Document,
    Facts,
    Grid,
    Kind,
    NextPage,
    PageSize,
    Paragraph,
    Row,
    Signatures,
    Table,
    lettering,
    pdf_of,
    pdf_of_all,
)
from tournaments.rendering.pdf.faces import BLOCKS, BOLD, LATIN
from tournaments.rendering.pdf.lettering import Lettering, own_face

COLUMNS = (Column(title="Player"), Column(title="Won", kind=Kind.NUMBER), Column(title="Signed", kind=Kind.BLANK))


def document(*parts: object, title: str = "Payouts", foot: str = "Fingerprint 17-3F9A") -> Document:
    return Document(house="Thursday club", title=title, parts=parts, foot=foot)  # type: ignore[arg-type]


def listed(*names: str) -> Table:
    return Table(columns=COLUMNS, rows=tuple(Row(cells=(name, "₹540.00", "")) for name in names))


def test_the_paper_is_a4_or_letter():
    assert size(pdf_of(document(listed("Asha")))) == (595.28, 841.89)
    assert size(pdf_of(document(listed("Asha")), PageSize.LETTER)) == (612, 792)


def test_a_document_says_its_house_its_events_its_rows_and_its_fingerprint():
    parts = (Facts(pairs=(("Entries", "4"),)), Paragraph(text="All paid."), listed("Asha"), Signatures(who=("Dita",)))
    [page] = pages(pdf_of(document(*parts)))
    assert page == (
        "Thursday club Payouts Entries 4 All paid. Player Won Signed Asha ₹540.00 Dita Fingerprint 17-3F9A 1 of 1"
    )


def test_the_same_document_is_the_same_bytes_whatever_was_printed_before():
    """Planted fault: fonts shared by all documents, whose shaped letters are numbered as they come."""
    night = document(listed("आशा क्षत्रिय", "محمد"))
    lettering._read.cache_clear()
    first = pdf_of(night)
    lettering._read.cache_clear()
    pdf_of(document(listed("क्ष्म्य ज्ञान", "علي حسن")))
    assert pdf_of(night) == first


def test_a_document_is_drawn_with_its_own_letters_whatever_was_printed_before():
    """Planted fault: fonts left with the library, so that a second document is drawn with the letters of the first."""
    name = "محمد علي"
    pdf_of(document(Paragraph(text="علي محمد")))
    file = pdf_of(document(Announcement(before="", names=(name,))))
    [run] = Lettering().line(name).runs
    letters: Any = run.letters
    assert widths_drawn(file, run.face) == [place.width for place in letters.__shapeData__]


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
    names += ["සුනිල් ක්‍රිෂ්", "สมชาย ใจดี", "Անի", "გიორგი"]
    assert said(pdf_of(document(listed(*names)))) == names


def test_every_script_that_we_ship_has_its_letters():
    """Planted fault: a block that is set in a font without its letters prints empty boxes."""
    empty = []
    for start, face, _ in BLOCKS:
        letter = next(chr(code) for code in range(start, start + 256) if chr(code).isalpha())
        lettering = Lettering()
        [run] = lettering.line(letter).runs
        if face != LATIN and lettering.faces[run.face].face.charToGlyph.get(ord(run.letters[0]), 0) == 0:
            empty.append(face)
    assert empty == []


def test_a_full_stop_of_an_indian_script_is_printed_after_a_number_too():
    """Planted fault: it uses the font of the letter before it, which is Latin after a digit and has none."""
    lettering = Lettering()
    for text in ("अधिक 80।", "বেশি।", "สมชาย।", "שלום।"):
        last = lettering.line(text).runs[-1]
        assert lettering.faces[last.face].face.charToGlyph.get(ord(last.letters[-1]), 0) != 0


def test_signs_of_amounts_are_in_both_weights():
    for face in (LATIN, BOLD):
        assert [sign for sign in "₹−€£¥–’…" if ord(sign) not in own_face(face).face.charToGlyph] == []


def test_a_long_name_wraps_and_loses_no_word():
    name = " ".join(f"name{number}" for number in range(60))
    [page] = pages(pdf_of(document(listed(name))))
    assert name in page.replace(" ₹540.00", "")


def test_ten_thousand_letters_without_a_space_go_over_pages_in_a_cell_and_in_a_title():
    found = pages(pdf_of(document(listed("x" * 10_000, "after"))))
    assert sum(page.count("x") for page in found) == 10_000
    assert "after ₹540.00" in found[-1]
    assert len(pages(pdf_of(document(listed("Asha"), title="t" * 10_000)))) > 3


def test_a_file_is_black_on_white_and_brings_its_typefaces():
    page = PdfReader(io.BytesIO(pdf_of(document(listed("Asha"), Paragraph(text="आशा", is_large=True))))).pages[0]
    drawn = there(page.get_contents()).get_data().decode("latin-1").split()
    assert {"rg", "RG", "k", "K", "scn"}.isdisjoint(drawn)
    resources: Any = page["/Resources"]
    for font in resources["/Font"].values():
        assert "/FontFile2" in font.get_object()["/FontDescriptor"]


def test_a_wide_table_stays_on_the_paper():
    columns = (*(Column(title=f"Amount {number}", kind=Kind.NUMBER) for number in range(9)), COLUMNS[0])
    row = Row(cells=(*("−₹12,34,567.00" for _ in range(9)), "Asha"))
    [page] = pages(pdf_of(document(Table(columns=columns, rows=(row,)))))
    assert "Asha" in page


def test_several_documents_in_one_file_count_their_own_pages():
    first, second = document(listed("Asha"), NextPage(), listed("Bo")), document(listed("Cy"))
    found = pages(pdf_of_all((first, second)))
    wanted = ["1 of 2", "2 of 2", "1 of 1"]
    assert [said in page for said, page in zip(wanted, found, strict=True)] == [True, True, True]


def test_words_above_and_below_a_grid_leave_it_as_many_rows_as_the_page_holds():
    grid = Grid(groups=(BoxGroup(boxes=(Box(title="Deal"),)),), rows=tuple((str(at),) for at in range(1, 90)))
    alone, signed = (pages(pdf_of(document(grid, *more))) for more in ((), (Signatures(who=("Dita",)),)))
    assert len(alone) == len(signed) == 1
    assert "Dita" in signed[0]
    rows = [sum(f" {at} " in page for at in range(1, 90)) for page in (alone[0], signed[0])]
    assert 20 < rows[1] < rows[0] < 40


def test_a_grid_that_must_have_its_rows_goes_on_with_its_headings():
    grid = Grid(groups=(BoxGroup(boxes=(Box(title="Deal"),)),), rows=(("7",),) * 60, least=60)
    found = pages(pdf_of(document(grid)))
    assert len(found) > 1
    assert all("Deal" in page for page in found)
    assert sum(page.count("7") for page in found) == 60 + len(found)


def test_cards_stand_two_on_a_page_and_each_bears_its_code():
    cards = [Card(house="Club", title=f"Table {at}", address=f"https://example.org/table/#{at}") for at in (1, 2, 3)]
    file = pdf_of_all(cards)
    found = pages(file)
    assert ["Table 1" in found[0], "Table 2" in found[0], "Table 3" in found[1], len(found)] == [True, True, True, 2]
    assert code_drawn(file, page=1) == code_of("https://example.org/table/#3")


@pytest.mark.slow
@given(text=st.text(max_size=300), long=st.sampled_from((1, 60)))
@settings(max_examples=25, deadline=None)
def test_any_text_at_all_can_stand_in_a_table_and_on_a_grid_a_card_and_a_certificate(text: str, long: int):
    said = text * long
    boxes = (Box(title=said, letters=("S", "F", "M", "W")), Box(title="Points"))
    grid = Grid(groups=(BoxGroup(title=said, name=said, boxes=boxes),), rows=((said, ""),), before=("", said))
    parts = (Coded(facts=Facts(pairs=((said, said),)), address="https://example.org/", below=said, words=(said,)), grid)
    card = Card(house=said, title=said, below=said, names=(said, said), address="https://example.org/", foot=said)
    award = Certificate(house=said, title=said, before=said, name=said, after=(said,), who=(said,), foot=said)
    called = Announcement(before=said, names=(said,), after=(said,))
    printed = document(listed(said), *parts, called, title=said, foot=said)
    found = pages(pdf_of_all((printed, card, award)))
    assert len(found) >= 3
