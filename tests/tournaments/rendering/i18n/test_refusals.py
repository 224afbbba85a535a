"""Refusals and warnings are messages, never finished text."""

import pytest

from tests.builders.refusals_in_code import refusals


@pytest.mark.slow
def test_no_refusal_is_a_text() -> None:
    """Planted fault: `detail="the tournament is closed"` in a command."""
    assert refusals() == frozenset()
