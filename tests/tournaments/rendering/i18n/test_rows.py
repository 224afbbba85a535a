"""A message that several rows of a list share is shown once, and no row is left out."""

import re

from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from scoring.messages import Message, Seat, say
from scoring.problems import Problem
from tournaments.entries.commands.enter import unknown_name
from tournaments.entries.commands.lists import read_pasted
from tournaments.rendering.i18n.translating import problem_texts

WANTED = "after the name write paid, standby, member, free, full, a pot such as +High hand, or nothing"


def of_row(row: int, detail: str) -> Problem:
    return Problem(
        code="not_a_choice", field=f"row {row}", detail=say("row {number}: {why}", number=row, why=Message(detail))
    )


def of_late_row(row: int, name: str) -> Problem:
    text = say(
        "{seat} is too late: entry closed after round {last}, and round {round} is next",
        seat=Seat("asha"),
        last=2,
        round=4,
    )
    problem = Problem(code="too_late", field=f"row {row}", detail=say("row {number}: {why}", number=row, why=text))
    return problem.named({"asha": name})


def test_rows_with_the_same_slip_are_reported_in_one_sentence():
    problems = read_pasted("Asha\nBo; cash\nCy\nDev; cash\nEva; cash").problems
    assert problem_texts(problems) == [f"rows 2, 4 and 5: 'cash' cannot be read; {WANTED}"]


def test_another_name_in_the_same_sentence_stands_behind_it_with_its_row():
    late = "is too late: entry closed after round 2, and round 4 is next"
    problems = [of_late_row(row, name) for row, name in ((1, "Asha"), (3, "Bo"), (4, "Cy"), (7, "Cy"))]
    assert problem_texts(problems) == [f"row 1: Asha {late}; likewise row 3 (Bo) and rows 4 and 7 (Cy)"]


def test_unknown_names_are_reported_once_with_the_row_that_the_sentence_does_not_say():
    wanted = ": check spelling or add"
    problems = [
        Problem(
            code="unknown_player",
            field=f"row {row}",
            detail=say("row {number}: {why}", number=row, why=unknown_name(name)),
        )
        for row, name in ((1, "Ahsa"), (2, "Bob"), (9, "Deb"))
    ]
    assert problem_texts(problems) == [f"row 1: no player Ahsa{wanted}; likewise row 2 (Bob) and row 9 (Deb)"]


def test_what_is_said_of_one_row_or_of_the_whole_list_stays_as_it_is():
    whole = Problem(code="tournament_closed", detail=say("the tournament is closed: reopen it first"))
    problems = [whole, of_row(2, "a name is needed"), of_row(3, "the plan has no entry fee for members")]
    assert problem_texts(problems) == [problem.text() for problem in problems]


def test_sentences_that_differ_in_a_number_are_not_taken_together():
    problems = [of_row(4, "Asha is in row 2 already"), of_row(5, "Asha is in row 3 already")]
    assert len(problem_texts(problems)) == 2


@given(
    st.lists(
        st.tuples(st.integers(1, 99), st.sampled_from(["'cash' cannot be read; a tick is yes, no or nothing", "x"]))
    )
)
def test_every_row_is_told_whatever_is_wrong_with_it(slips):
    """Planted fault: a row that is left out because another had the same mistake."""
    said = problem_texts([of_row(row, slip) for row, slip in slips])
    assert {row for row, _ in slips} == {int(row) for line in said for row in re.findall(r"\d+", line)}


def test_rows_are_listed_in_the_language_of_the_page():
    with translation.override("de"):
        (said,) = problem_texts([of_row(1, "a name is needed"), of_row(2, "a name is needed")])
    assert "1 und 2: " in said
