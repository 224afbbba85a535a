"""For a pasted list with many wrong rows each problem is shown once, for all of its rows."""

import re

import pytest
from django.test import Client
from django.utils import translation

from scoring.problems import EventNotAllowed
from scoring.tournament.state import Standing
from tests.builders.desk_pages import at, desk, enter, tournament
from tests.builders.page_text import html
from tournaments.entries.commands.checked import Change
from tournaments.models import Tournament
from tournaments.rendering.i18n.translating import translate

__all__ = ["desk", "tournament"]

NAMES = [f"Guest{number:02}" for number in range(1, 18)]


def sent(desk: Client, tournament: Tournament, do: str, names: str) -> str:
    hidden = {"key": "c" * 32}
    if do == "store":
        page = html(desk.post(at(tournament, "entries/"), {"do": "look", "names": names, **hidden}))
        hidden = dict(re.findall(r'name="(key|shown)" value="([^"]+)"', page))
    return html(desk.post(at(tournament, "entries/"), {"do": do, "names": names, **hidden}))


def note(page: str) -> list[str]:
    """The lines of the page's note of what is wrong."""
    (found,) = re.findall(r'role="alert">.*?<ul>(.*?)</ul>', page, re.DOTALL)
    return re.findall(r"<li>(.*?)</li>", found)


def test_a_word_that_no_row_may_have_is_reported_once_with_the_rows(desk: Client, tournament: Tournament):
    (line,) = note(sent(desk, tournament, "look", "\n".join(f"{name}; cash" for name in NAMES)))
    assert line.startswith("rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 and 17: &#x27;cash&#x27; cannot")


@pytest.mark.slow
def test_unknown_names_are_reported_once_and_each_with_its_row(desk: Client, tournament: Tournament):
    page = sent(desk, tournament, "store", "\n".join(NAMES))
    (line,) = note(page)
    assert line.count("no player") == 1
    assert [f"row {at} ({name})" in line for at, name in enumerate(NAMES[1:], 2)] == [True] * 16
    assert "row 1: no player Guest01: check spelling or add; " in line
    assert "17 errors" in page


def test_a_program_is_told_every_row(tournament: Tournament):
    with pytest.raises(EventNotAllowed) as refused:
        enter(tournament, "\n".join(NAMES))
    assert [problem.field for problem in refused.value.problems] == [f"row {number}" for number in range(1, 18)]


def test_what_a_row_does_and_where_an_entrant_is_are_said_in_german():
    """Planted fault: a text of the lower layers shown as stored in every language."""
    said = {*(change.value for change in Change), *(standing.word for standing in Standing)}
    with translation.override("de"):
        assert {word for word in said if translate(word) == word} == set()
