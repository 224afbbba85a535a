"""A document as PDF, A4 or Letter, black on white: the same document gives the same bytes, today and in ten years.

Rules: docs/paper.md. No clock, no network, no settings. Typefaces travel inside the file.
"""

from io import BytesIO
from threading import Lock
from typing import assert_never

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from tournaments.paper.documents import Document, Facts, Part, Signatures, Table, Words
from tournaments.paper.faces import LATIN
from tournaments.paper.lettering import Lettering
from tournaments.paper.sheets import FOOT, LEADING, MARGIN, Letters, Rule, Sheets
from tournaments.paper.sizes import PageSize
from tournaments.paper.tables import set_table

HOUSE, TITLE, LARGE, BODY, SMALL = 10.0, 18.0, 15.0, 10.0, 8.0
BETWEEN = 14.0
SIGNING_HEIGHT = 46.0
# The library keeps faces by name for the whole process, so documents are drawn one after the other.
ONE_AT_A_TIME = Lock()


def pdf_of(document: Document, size: PageSize = PageSize.A4) -> bytes:
    """The whole file."""
    sheets = Sheets(size, Lettering())
    sheets.paragraph(document.house, size=HOUSE)
    sheets.paragraph(document.title, size=TITLE, is_bold=True)
    for part in document.parts:
        sheets.skip(BETWEEN)
        _set(sheets, part)
    _margins(sheets, document)
    return _drawn(sheets, document, size)


def _set(sheets: Sheets, part: Part) -> None:
    match part:
        case Table():
            set_table(sheets, part)
        case Facts():
            _facts(sheets, part)
        case Words():
            sheets.paragraph(part.text, size=LARGE if part.is_large else BODY, is_bold=part.is_large)
        case Signatures():
            _signatures(sheets, part)
        case _:
            assert_never(part)


def _facts(sheets: Sheets, facts: Facts) -> None:
    """Names on the left, as wide as the widest of them but never more than a third."""
    names = [sheets.lettering.line(name).width for name, _ in facts.pairs]
    left = min(max(names, default=0.0) * BODY + BETWEEN, sheets.width / 3)
    for name, value in facts.pairs:
        labels = sheets.lettering.wrap(name, (left - BETWEEN) / BODY + 0.001)
        values = sheets.lettering.wrap(value, (sheets.width - left) / BODY, is_bold=True)
        for at in range(max(len(labels), len(values))):
            sheets.need(BODY * LEADING)
            for lines, x in ((labels, 0.0), (values, left)):
                if at < len(lines):
                    sheets.letters(lines[at], x=x, size=BODY, down=BODY * 1.05)
            sheets.skip(BODY * LEADING)


def _signatures(sheets: Sheets, signatures: Signatures) -> None:
    """Lines side by side, all on one page."""
    width = (sheets.width - BETWEEN * (len(signatures.who) - 1)) / len(signatures.who)
    below = [sheets.lettering.wrap(who, width / SMALL) for who in signatures.who]
    height = max(map(len, below)) * SMALL * LEADING
    sheets.need(SIGNING_HEIGHT + height)
    sheets.skip(SIGNING_HEIGHT)
    for place, lines in enumerate(below):
        x = place * (width + BETWEEN)
        sheets.rule(x=x, width=width)
        for number, line in enumerate(lines):
            sheets.letters(line, x=x, size=SMALL, down=SMALL * (1.3 + number * LEADING))
    sheets.skip(height)


def _margins(sheets: Sheets, document: Document) -> None:
    """The foot of every page, and from the second on the document's name above."""
    count = len(sheets.pages)
    for number, page in enumerate(sheets.pages, start=1):
        ending = sheets.lettering.line(f"{number} of {count}")
        base = MARGIN + FOOT / 2
        page.append(Rule(sheets.left, base + SMALL * 1.6, sheets.width, 0.5))
        room = (sheets.width - ending.width * SMALL - BETWEEN) / SMALL
        for down, line in enumerate(sheets.lettering.wrap(document.foot, room)[:2]):
            page.append(Letters(line, sheets.left, base - down * SMALL * LEADING, SMALL))
        page.append(Letters(ending, sheets.left + sheets.width - ending.width * SMALL, base, SMALL))
        if number > 1:
            name = sheets.lettering.wrap(f"{document.house}: {document.title}", sheets.width / SMALL)[0]
            page.append(Letters(name, sheets.left, sheets.top - SMALL, SMALL))


def _drawn(sheets: Sheets, document: Document, size: PageSize) -> bytes:
    file = BytesIO()
    with ONE_AT_A_TIME:
        for face in sheets.lettering.faces.values():
            pdfmetrics.registerFont(face)
        canvas = Canvas(file, pagesize=size.value, invariant=1, pageCompression=1, initialFontName=LATIN)
        canvas.setTitle(document.title)
        canvas.setAuthor(document.house)
        for page in sheets.pages:
            for ink in page:
                _draw(canvas, ink)
            canvas.showPage()
        canvas.save()
    return file.getvalue()


def _draw(canvas: Canvas, ink: Letters | Rule) -> None:
    if isinstance(ink, Rule):
        canvas.setLineWidth(ink.thickness)
        canvas.line(ink.x, ink.y, ink.x + ink.width, ink.y)
        return
    x = ink.x
    for run in ink.line.runs:
        # What is copied out of the file is what was said, not the shapes of the letters.
        if run.said:
            canvas.addLiteral(f"/Span <</ActualText <FEFF{run.said.encode('utf-16-be').hex().upper()}>>> BDC")
        text = canvas.beginText(x, ink.y)
        text.setFont(run.face, ink.size)
        text.textOut(run.letters)
        canvas.drawText(text)
        if run.said:
            canvas.addLiteral("EMC")
        x += run.width * ink.size
