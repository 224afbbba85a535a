"""Renders documents as PDF, A4 or Letter, black on white: the same document always gives the same bytes.

Rules: docs/how-to/paper.md. No clock, no network, no settings. Typefaces are embedded in the file.
"""

from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import groupby
from threading import Lock
from typing import assert_never

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from tournaments.rendering import pdf as paper
from tournaments.rendering.pdf.faces import LATIN
from tournaments.rendering.pdf.grids import set_grid
from tournaments.rendering.pdf.lettering import Lettering
from tournaments.rendering.pdf.plates import set_cards, set_certificate
from tournaments.rendering.pdf.sheets import (
    BETWEEN,
    BODY,
    FOOT,
    LARGE,
    LEADING,
    MARGIN,
    SMALL,
    Ink,
    Letters,
    Rule,
    Sheets,
    Squares,
    set_announcement,
    set_coded,
    set_facts,
    set_signatures,
)
from tournaments.rendering.pdf.tables import set_table

HOUSE, TITLE = 10.0, 18.0
# The library registers faces by name for the whole process, so documents are drawn one after the other.
ONE_AT_A_TIME = Lock()


def pdf_of_all(printed: Sequence[paper.Printed], size: paper.PageSize) -> bytes:
    """Return one PDF with several documents, cards and certificates; adjacent cards share pages."""
    lettering = Lettering()
    documents: list[Sheets] = []
    for is_card, printed_group in groupby(printed, key=lambda each: isinstance(each, paper.Card)):
        if is_card:
            documents.append(
                set_cards([card for card in printed_group if isinstance(card, paper.Card)], size, lettering)
            )
        else:
            documents += [
                _sheets(document, size, lettering) for document in printed_group if not isinstance(document, paper.Card)
            ]
    return _drawn(documents, lettering, printed[0] if printed else None)


def _sheets(printed: paper.Document | paper.Certificate, size: paper.PageSize, lettering: Lettering) -> Sheets:
    if isinstance(printed, paper.Certificate):
        return set_certificate(printed, size, lettering)
    sheets = Sheets(size, lettering, is_wide=printed.is_wide)
    sheets.paragraph(printed.house, size=HOUSE)
    sheets.paragraph(printed.title, size=TITLE, is_bold=True)
    for at, part in enumerate(printed.parts):
        if isinstance(part, paper.NextPage):
            sheets.turn()
            continue
        sheets.skip(_gap(part))
        if isinstance(part, paper.Grid):
            set_grid(sheets, part, below=_height(sheets, printed.parts[at + 1 :]))
        else:
            _set(sheets, part)
    _margins(sheets, printed)
    return sheets


def _height(sheets: Sheets, parts: Iterable[paper.Part]) -> float:
    """Return the height of the parts that follow on a page, found by a trial layout that is thrown away."""
    tried = Sheets(paper.PageSize.A4, sheets.lettering)
    tried.width, tried.bottom = sheets.width, -100_000.0
    for part in parts:
        if isinstance(part, paper.NextPage | paper.Grid):
            break
        tried.skip(_gap(part))
        _set(tried, part)
    return tried.top - tried.y + SMALL


def _set(
    sheets: Sheets,
    part: paper.Table | paper.Facts | paper.Paragraph | paper.Signatures | paper.Coded | paper.Announcement,
) -> None:
    match part:
        case paper.Table():
            set_table(sheets, part)
        case paper.Facts():
            set_facts(sheets, part)
        case paper.Paragraph():
            size = LARGE if part.is_large else SMALL if part.is_small else BODY
            sheets.paragraph(part.text, size=size, is_bold=part.is_large)
        case paper.Signatures():
            set_signatures(sheets, part)
        case paper.Coded():
            set_coded(sheets, part)
        case paper.Announcement():
            set_announcement(sheets, part)
        case _:
            assert_never(part)


def _gap(part: paper.Part) -> float:
    """Return the white space above a part; small words are set close together."""
    return SMALL / 3 if isinstance(part, paper.Paragraph) and part.is_small else BETWEEN


def _margins(sheets: Sheets, document: paper.Document) -> None:
    """Draw the foot of every page, and from the second page on the document's name at the top."""
    count = len(sheets.pages)
    for number, page in enumerate(sheets.pages, start=1):
        ending = sheets.lettering.line(document.counts.format(page=number, pages=count))
        base = MARGIN + FOOT / 2
        page.append(Rule(sheets.left, base + SMALL * 1.6, sheets.width, 0.5))
        room = (sheets.width - ending.width * SMALL - BETWEEN) / SMALL
        for down, line in enumerate(sheets.lettering.wrap(document.foot, room)[:2]):
            page.append(Letters(line, sheets.left, base - down * SMALL * LEADING, SMALL))
        page.append(Letters(ending, sheets.left + sheets.width - ending.width * SMALL, base, SMALL))
        if number > 1:
            name = sheets.lettering.wrap(f"{document.house}: {document.title}", sheets.width / SMALL)[0]
            page.append(Letters(name, sheets.left, sheets.top - SMALL, SMALL))


def _drawn(found: Sequence[Sheets], lettering: Lettering, first: paper.Printed | None) -> bytes:
    """Return the file. Faces are unregistered afterwards: the library would draw the next document with them."""
    # A canvas starts with this face, whatever is drawn on it.
    lettering.line(" ")
    with ONE_AT_A_TIME:
        for face in lettering.faces.values():
            pdfmetrics.registerFont(face)
        try:
            return _file(found, first)
        finally:
            for face in lettering.faces.values():
                face.unregister()


def _file(found: Sequence[Sheets], first: paper.Printed | None) -> bytes:
    file = BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=1, initialFontName=LATIN)
    if first is not None:
        canvas.setTitle(first.title)
        canvas.setAuthor(first.house)
    for sheets in found:
        canvas.setPageSize(sheets.paper)
        for page in sheets.pages:
            for ink in page:
                _draw(canvas, ink)
            canvas.showPage()
    canvas.save()
    return file.getvalue()


def _draw(canvas: Canvas, ink: Ink) -> None:
    match ink:
        case Rule():
            canvas.setLineWidth(ink.thickness)
            canvas.line(ink.x, ink.y, ink.x + ink.width, ink.y + ink.height)
        case Squares():
            _draw_squares(canvas, ink)
        case Letters():
            _draw_letters(canvas, ink)
        case _:
            assert_never(ink)


def _draw_squares(canvas: Canvas, ink: Squares) -> None:
    """Draw all squares as one shape, so that no hairline is printed between them."""
    path = canvas.beginPath()
    for row, column, length in ink.runs:
        path.rect(ink.x + column * ink.side, ink.y - (row + 1) * ink.side, length * ink.side, ink.side)
    canvas.drawPath(path, stroke=0, fill=1)


def _draw_letters(canvas: Canvas, ink: Letters) -> None:
    x = ink.x
    for run in ink.line.runs:
        # Text copied from the file is the original text, not the glyphs.
        if run.text:
            canvas.addLiteral(f"/Span <</ActualText <FEFF{run.text.encode('utf-16-be').hex().upper()}>>> BDC")
        text = canvas.beginText(x, ink.y)
        text.setFont(run.face, ink.size)
        text.textOut(run.letters)
        canvas.drawText(text)
        if run.text:
            canvas.addLiteral("EMC")
        x += run.width * ink.size
