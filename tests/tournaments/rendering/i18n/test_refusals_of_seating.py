"""Refusals and warnings of a seating are shown in the language of the page."""

import pytest

from tests.builders.seating_refusals import findings, moves, wishes
from tests.builders.untranslated import left_in_english


@pytest.mark.parametrize("said", [findings, wishes, moves])
def test_what_a_seating_refuses_and_warns_of_has_its_form(said):
    details = [problem.message for problem in said()]
    assert len(details) > 5
    assert left_in_english(details) == set()
