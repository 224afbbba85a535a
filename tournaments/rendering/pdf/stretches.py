"""A line of text cut into stretches of one typeface and one direction, and the shapes that HarfBuzz makes of each.

Sheets and pictures set their letters alike through this. Text is made `plain` first. Knows nothing of sizes.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

import uharfbuzz

from tournaments.rendering.pdf.directions import base_level, levels, visual_runs
from tournaments.rendering.pdf.scripts import BOLD, LATIN, SCRIPTS, face_of

FEATURES = {"kern": True, "liga": True}


class Stretch(NamedTuple):
    """Letters of one face and one direction; those that are turned run from right to left."""

    face: str
    said: str
    is_turned: bool


def stretches(text: str, *, is_bold: bool) -> Iterator[Stretch]:
    """The stretches of a line, from left to right as they are drawn. Only one face has a bold one beside it."""
    faces: list[str] = []
    for char in text:
        faces.append(face_of(char, faces[-1] if faces else ""))
    depths = levels(text, base_level(text))
    for start, end in visual_runs(depths):
        is_turned = depths[start] % 2 == 1
        found = [list(places) for _, places in groupby(range(start, end), key=faces.__getitem__)]
        for places in reversed(found) if is_turned else found:
            face = BOLD if is_bold and faces[places[0]] == LATIN else faces[places[0]]
            yield Stretch(face, text[places[0] : places[-1] + 1], is_turned)


def shaped(stretch: Stretch, font: uharfbuzz.Font) -> Iterator[tuple[Any, Any]]:
    """Each shape of a stretch with its place. Nothing is guessed: a guess would ask the server for its language."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(stretch.said)
    buffer.direction = "rtl" if stretch.is_turned else "ltr"
    buffer.script = SCRIPTS.get(stretch.face, "Latn")
    uharfbuzz.shape(font, buffer, FEATURES)
    return zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
