"""What is refused, and what is warned of: the sentences of `Problem.detail`, a room for each floor that says them."""

from collections.abc import Iterator

from tournaments.rendering.i18n.forms import Form
from tournaments.rendering.i18n.refusals import of_evenings, of_files, of_money, of_seating, of_tables, of_western

ROOMS = (of_money, of_evenings, of_tables, of_western, of_seating, of_files)


def said() -> Iterator[Form]:
    """Every form of every room."""
    for room in ROOMS:
        yield from room.SAID
