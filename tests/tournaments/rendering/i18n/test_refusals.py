"""What is refused or warned of is said in the language of the page."""

from tests.tournaments.rendering.i18n.refusals_in_code import bare, refusals
from tournaments.rendering.i18n.forms import Plural
from tournaments.rendering.i18n.translating import forms


def bare_forms() -> set[str]:
    return {bare(text) for form in forms() for text in (form if isinstance(form, Plural) else (form,))}


def test_every_refusal_in_the_rules_that_is_a_text_has_its_form() -> None:
    """Planted: a refusal reworded without its form."""
    known = bare_forms()
    assert sorted(f"{one.place} {one.words}" for one in refusals() if one.words not in known) == []


def test_no_refusal_above_the_rules_is_a_text() -> None:
    """Planted: `detail="the tournament is closed"` in a command."""
    assert [one for one in refusals() if one.place.startswith("tournaments/")] == []
