"""Reads PDFs with a library that did not write them."""

import io
import re

from pypdf import PdfReader


def pages(file: bytes) -> list[str]:
    """What each page says, with single spaces, as far as its letters say it themselves."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(file)).pages]


def said(file: bytes) -> list[str]:
    """What stands behind shaped letters, in the order in which they are drawn."""
    streams = [page.get_contents().get_data().decode("latin-1") for page in PdfReader(io.BytesIO(file)).pages]
    found = re.findall(r"/ActualText <FEFF([0-9A-F]*)>", "".join(streams))
    return [bytes.fromhex(each).decode("utf-16-be") for each in found]


def size(file: bytes) -> tuple[float, float]:
    """The first page in points."""
    box = PdfReader(io.BytesIO(file)).pages[0].mediabox
    return float(box.width), float(box.height)
