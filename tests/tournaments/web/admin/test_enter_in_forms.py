"""Enter in a field presses the button of that field, on every page of a tournament whose forms have several buttons."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.builders.pictured_club import OWNER, Pictured, address_of, pages, pictured_club
from tests.builders.there import there

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
# Enter in these sends their form; in a text area and a list it does not.
SENDS = "input:not([type=hidden]):not([type=file]):not([type=submit]):not([type=button])"
BUTTONS = "button:not([type=button])"


def form_of(node: LexborNode) -> str | None:
    """The form that a control belongs to: the one it names, or the one it is in."""
    if name := node.attributes.get("form"):
        return name
    parent = node.parent
    while parent is not None and parent.tag != "form":
        parent = parent.parent
    return None if parent is None else parent.attributes.get("id") or str(parent.mem_id)


def wrong_buttons(page: str) -> Iterator[tuple[str, str, str]]:
    """Each field with the button that Enter presses and the field's own button, where these are two.

    Enter presses the first button of the form, or the one that the field names for the script. A field's own button is
    the next one behind it, of a field behind all buttons the last one. A field that is not beside its own button may
    press what the main button of the form does instead.
    """
    controls = LexborHTMLParser(page).css(f"main {SENDS}, main {BUTTONS}")
    for place, field in enumerate(controls):
        form = form_of(field)
        if field.tag == "button" or form is None:
            continue
        buttons = [(at, one) for at, one in enumerate(controls) if one.tag == "button" and form_of(one) == form]
        if len(buttons) < 2:
            continue
        own = next((one for at, one in buttons if at > place), buttons[-1][1])
        named = field.attributes.get("data-enter")
        pressed = next((one for _, one in buttons if one.attributes.get("value") == named), buttons[0][1])
        main = [one.attributes.get("value") for _, one in buttons if "is-main" in (one.attributes.get("class") or "")]
        is_beside = there(own.parent).mem_id == there(field.parent).mem_id
        is_main = pressed.attributes.get("value") in main and not is_beside
        if pressed.mem_id != own.mem_id and not is_main:
            yield field.attributes.get("name") or "", text(pressed), text(own)


def text(button: LexborNode) -> str:
    return " ".join(button.text().split())


@pytest.fixture(scope="module")
def owner(recorded: Callable[..., AbstractContextManager[Pictured]]) -> Iterator[Client]:
    with recorded(pictured_club):
        client = Client()
        client.force_login(get_user_model().objects.get(username=OWNER))
        yield client


PAGES = {
    page: of for page, of in pages().items() if of[0].startswith(("tournaments_tournament_", "tournaments_table_"))
}


@pytest.mark.parametrize("page", PAGES)
def test_enter_presses_the_button_of_the_field(owner: Client, page: str):
    """Planted fault: *Undo* before the button of the form, which Enter in any of its fields then presses."""
    answer = owner.get(address_of(*PAGES[page]), follow=True)
    assert list(wrong_buttons(answer.content.decode())) == []
