"""Pages with a fixed layout: cards, two on a page, and certificates in a frame.

Rules: docs/how-to/paper.md, "Table cards" and "Winners". A name is set smaller until it fits, and wraps where it is
longer still. Knows nothing of documents.
"""

from collections.abc import Sequence

from tournaments.rendering.pdf import Card, Certificate, PageSize
from tournaments.rendering.pdf.lettering import Lettering, Line
from tournaments.rendering.pdf.sheets import LEADING, MARGIN, Rule, Sheets, set_code

HOUSE, BODY, SMALL = 11.0, 12.0, 8.0
TITLE, LEAST_TITLE = 60.0, 16.0
NAME, LEAST_NAME, MOST_NAME_LINES = 44.0, 20.0, 3
HEADING, PLACE, LEAD = 38.0, 24.0, 15.0
CODE = 190.0
GAP, INNER, SPACED = 18.0, 7.0, 1.35
# The height that signatures and fingerprint need at the foot of a certificate.
SIGNED = 110.0
MOST_LINES = 2


def set_cards(cards: Sequence[Card], size: PageSize, lettering: Lettering) -> Sheets:
    """Set two cards on a page, with a line to cut along."""
    sheets = Sheets(size, lettering)
    half = sheets.paper[1] / 2
    for place, card in enumerate(cards):
        if place and place % 2 == 0:
            sheets.turn()
        top = sheets.paper[1] - (place % 2) * half
        _card(sheets, card, top=top - MARGIN, bottom=top - half + MARGIN / 2)
        if place % 2 == 0:
            sheets.pages[-1].append(Rule(0.0, half, sheets.paper[0], 0.25))
    return sheets


def set_certificate(certificate: Certificate, size: PageSize, lettering: Lettering) -> Sheets:
    """Set one page in landscape, its text in the middle of the space above the signatures."""
    sheets = Sheets(size, lettering, is_wide=True)
    _frame(sheets, MARGIN / 2, 2.0)
    _frame(sheets, MARGIN / 2 + INNER, 0.5)
    blocks = _awarded(certificate, lettering, sheets.width)
    height = sum(len(lines) * size * SPACED for lines, size in blocks) + GAP * (len(blocks) - 1)
    sheets.y = sheets.top - max(0.0, sheets.top - SIGNED - height) / 2
    for lines, size_of_it in blocks:
        _middle(sheets, lines, size_of_it)
        sheets.skip(GAP)
    _signed(sheets, certificate)
    return sheets


def _awarded(certificate: Certificate, lettering: Lettering, width: float) -> list[tuple[list[Line], float]]:
    """Set the house, the title, the name and the reason, each in its size."""
    place, about = certificate.after[:1], certificate.after[1:]
    return [
        (lettering.wrap(certificate.house, width / LEAD)[:MOST_LINES], LEAD),
        (lettering.wrap(certificate.title, width / HEADING, is_bold=True)[:MOST_LINES], HEADING),
        (lettering.wrap(certificate.before, width / LEAD)[:MOST_LINES], LEAD),
        _fitting(lettering, certificate.name, width, (NAME, LEAST_NAME, MOST_NAME_LINES)),
        ([line for text in place for line in lettering.wrap(text, width / PLACE, is_bold=True)[:MOST_LINES]], PLACE),
        ([line for text in about for line in lettering.wrap(text, width / LEAD)[:MOST_LINES]], LEAD),
    ]


def _card(sheets: Sheets, card: Card, *, top: float, bottom: float) -> None:
    """Set a card: the code on the right; on the left the table, and its players as far as there is room."""
    sheets.y = top
    side = CODE if card.address else 0.0
    width = sheets.width - side - (GAP if side else 0.0)
    _left(sheets, sheets.lettering.wrap(card.house, width / HOUSE)[:MOST_LINES], HOUSE)
    _left(sheets, *_fitting(sheets.lettering, card.title, width, (TITLE, LEAST_TITLE, MOST_LINES)))
    _left(sheets, sheets.lettering.wrap(card.below, width / BODY)[:1], BODY)
    sheets.skip(INNER)
    foot = sheets.lettering.wrap(card.foot, width / SMALL)[:MOST_LINES] if card.foot else []
    floor = bottom + (len(foot) + 1) * SMALL * LEADING
    for name in card.names:
        lines = sheets.lettering.wrap(name, width / BODY)[:MOST_LINES]
        if sheets.y - len(lines) * BODY * LEADING >= floor:
            _left(sheets, lines, BODY)
    sheets.y = floor - SMALL * LEADING / 2
    _left(sheets, foot, SMALL)
    if card.address:
        _code(sheets, card, top=top, x=sheets.width - CODE)


def _code(sheets: Sheets, card: Card, *, top: float, x: float) -> None:
    """Set the code, the instructions, and what to type without a camera."""
    sheets.y = top
    set_code(sheets, card.address, x=x, width=CODE)
    sheets.skip(CODE)
    for text in (*card.steps, *card.typed):
        for line in sheets.lettering.wrap(text, CODE / SMALL):
            sheets.letters(line, x=x, size=SMALL, down=SMALL)
            sheets.skip(SMALL * 1.3)
        sheets.skip(1.5)


def _fitting(
    lettering: Lettering, text: str, width: float, sizes: tuple[float, float, int]
) -> tuple[list[Line], float]:
    """Set a text in the largest size that fits on one line; at the smallest over several lines, cut after the last."""
    largest, least, most = sizes
    whole = lettering.line(text, is_bold=True)
    size = max(least, min(largest, width / whole.width if whole.width else largest))
    # A little less, so that rounding errors break no line.
    return lettering.wrap(text, width / size + 0.001, is_bold=True)[:most], size


def _left(sheets: Sheets, lines: Sequence[Line], size: float) -> None:
    for line in lines:
        sheets.letters(line, size=size, down=size)
        sheets.skip(size * 1.3)


def _middle(sheets: Sheets, lines: Sequence[Line], size: float) -> None:
    for line in lines:
        sheets.letters(line, x=(sheets.width - line.width * size) / 2, size=size, down=size)
        sheets.skip(size * SPACED)


def _frame(sheets: Sheets, inset: float, thickness: float) -> None:
    width, height = (length - 2 * inset for length in sheets.paper)
    for y in (inset, inset + height):
        sheets.pages[-1].append(Rule(inset - thickness / 2, y, width + thickness, thickness))
    for x in (inset, inset + width):
        sheets.pages[-1].append(Rule(x, inset, 0.0, thickness, height))


def _signed(sheets: Sheets, certificate: Certificate) -> None:
    """Set lines to sign on and the fingerprint, at the foot of the page."""
    lettering, count = sheets.lettering, len(certificate.who)
    wide = min(200.0, (sheets.width - GAP * count) / count) if count else 0.0
    space = (sheets.width - wide * count) / (count + 1)
    for place, who in enumerate(certificate.who):
        sheets.y = MARGIN + 48.0
        x = space + place * (wide + space)
        sheets.rule(x=x, width=wide)
        for line in lettering.wrap(who, wide / SMALL)[:1]:
            sheets.letters(line, x=x + (wide - line.width * SMALL) / 2, size=SMALL, down=SMALL * 1.4)
    sheets.y = MARGIN + SMALL
    _middle(sheets, lettering.wrap(certificate.foot, sheets.width / SMALL)[:1], SMALL)
