"""Reads PDFs with a library that did not write them."""

import io
import re
from typing import Any

import segno
from pypdf import PdfReader

from tests.builders.there import there


def pages(file: bytes) -> list[str]:
    """The text of each page, with single spaces, as far as its letters have a text of their own."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(file)).pages]


def said(file: bytes) -> list[str]:
    """The text of shaped letters, in the order in which they are drawn."""
    streams = [there(page.get_contents()).get_data().decode("latin-1") for page in PdfReader(io.BytesIO(file)).pages]
    found = re.findall(r"/ActualText <FEFF([0-9A-F]*)>", "".join(streams))
    return [bytes.fromhex(each).decode("utf-16-be") for each in found]


def size(file: bytes) -> tuple[float, float]:
    """The first page in points."""
    box = PdfReader(io.BytesIO(file)).pages[0].mediabox
    return float(box.width), float(box.height)


def widths_drawn(file: bytes, face: str) -> list[int]:
    """The width of each letter of a face that the first page draws, by the face in the file."""
    page: Any = PdfReader(io.BytesIO(file)).pages[0]
    fonts = page["/Resources"]["/Font"]
    [(label, font)] = [(key, each) for key, each in fonts.items() if face in each.get_object()["/BaseFont"]]
    drawn = there(page.get_contents()).get_data().decode("latin-1")
    letters = "".join(re.findall(rf"{re.escape(label)} [\d.]+ Tf [\d.]+ TL \((.*?)\) Tj", drawn))
    codes = [int(code[1:], 8) if code.startswith("\\") else ord(code) for code in re.findall(r"\\\d{3}|.", letters)]
    return [int(font.get_object()["/Widths"][code]) for code in codes]


def code_drawn(file: bytes, page: int = 0) -> list[list[int]]:
    """The QR code of a page as it is drawn: its squares as rows of 0 and 1, without the white around it."""
    drawn = there(PdfReader(io.BytesIO(file)).pages[page].get_contents()).get_data().decode("latin-1")
    boxes = [tuple(map(float, found)) for found in re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re\b", drawn)]
    left, top, side = min(box[0] for box in boxes), max(box[1] + box[3] for box in boxes), boxes[0][3]
    width = round((max(box[0] + box[2] for box in boxes) - left) / side)
    rows = [[0] * width for _ in range(width)]
    for x, y, across, _ in boxes:
        row, column = round((top - y) / side) - 1, round((x - left) / side)
        rows[row][column : column + round(across / side)] = [1] * round(across / side)
    return rows


def code_of(address: str) -> list[list[int]]:
    """The QR code of an address, made by the library."""
    return [list(row) for row in segno.make(address, error="m", micro=False).matrix]
