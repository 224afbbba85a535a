"""Differences of a page part: applied to the old part each gives exactly the new one, and is short.

The same is tested on real pages in a browser by test_in_browser.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.web.public.base.parts import Change, Element, Node, difference, read, written

WORDS = st.text(alphabet='ab<>&"é😀 ', min_size=1, max_size=4)
ATTRIBUTES = st.dictionaries(st.sampled_from(("class", "data-key", "title", "hidden")), WORDS, max_size=2)


def markup(tag: str, attributes: dict[str, str], children: list[str]) -> str:
    named = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{named}>{''.join(children)}</{tag}>"


def grown(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(markup, st.sampled_from(("section", "div", "span")), ATTRIBUTES, st.lists(children, max_size=5))


INSIDE = st.lists(st.recursive(WORDS.map(escape), grown, max_leaves=12), max_size=5)
PARTS = st.builds(markup, st.just("div"), ATTRIBUTES, INSIDE).map(read)


@dataclass(slots=True)
class Shown:
    """An element as a browser holds it while it applies a difference."""

    tag: str
    attributes: dict[str, str]
    children: list["Shown | str"]


def shown(part: Node) -> Shown | str:
    """With the attributes A to Z: their order is ignored."""
    if isinstance(part, str):
        return part
    return Shown(part.tag, dict(sorted(part.attributes.items())), [shown(child) for child in part.children])


def changed(old: Shown, told: Change | None) -> Shown:
    """Apply a difference to a tree, as a browser does."""
    if told is None:
        return old
    assert isinstance(told, list)
    children: Any = told[0]
    attributes: Any = told[1] if len(told) > 1 else {}
    kept = {name: value for name, value in sorted((old.attributes | attributes).items()) if value is not None}
    return Shown(old.tag, kept, list(filled(old.children, children)))


def filled(former: Sequence[Shown | str], told: Any) -> list[Shown | str]:
    if told == 0:
        return list(former)
    if isinstance(told, str):
        return [told] if told else []
    if isinstance(told, dict):
        return [node(one, told.get(str(at))) for at, one in enumerate(former)]
    found: list[Shown | str] = []
    for one in told:
        if isinstance(one, int):
            found.append(former[one])
        elif isinstance(one, str):
            found += [shown(child) for child in read(f"<div>{one}</div>").children]
        elif isinstance(one[1], int):
            found += former[one[0] : one[1] + 1]
        else:
            found.append(node(former[one[0]], one[1]))
    return found


def node(former: Shown | str, told: Any) -> Shown | str:
    return changed(former, told) if isinstance(former, Shown) else former if told is None else told


@pytest.mark.slow
@given(PARTS, PARTS)
def test_a_difference_makes_the_new_part_of_the_old_one(old: Element, new: Element):
    """Planted fault: children matched by their place alone give a keyed row the attributes of another."""
    before = shown(old)
    assert isinstance(before, Shown)
    assert changed(before, difference(old, new)) == shown(new)


@pytest.mark.slow
@given(PARTS)
def test_what_is_read_is_written_as_it_was_and_between_equal_parts_there_is_no_difference(part: Element):
    again = read(written(part))
    assert shown(again) == shown(part)
    assert difference(part, again) is None


def row(key: str, place: int, score: int) -> str:
    return f'<tr data-key="{key}"><td>{place}</td><th>{key}</th><td class="n">{score}</td></tr>'


def standings(*rows: tuple[str, int]) -> Element:
    lines = "".join(row(key, place, score) for place, (key, score) in enumerate(rows, start=1))
    (body,) = read(f"<table><tbody>{lines}</tbody></table>").children
    assert isinstance(body, Element)
    return body


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ([("asha", 10), ("bo", 25), ("cy", 30)], [{"1": [{"2": ["25"]}]}]),
        (
            [("bo", 5), ("asha", 10), ("cy", 30)],
            [[[1, [{"0": ["1"], "2": ["5"]}]], [0, [{"0": ["2"]}]], 2]],
        ),
        ([("asha", 10), ("bo", 20)], [[[0, 1]]]),
        ([("asha", 10), ("bo", 20), ("cy", 30), ("dev", 40)], [[[0, 2], row("dev", 4, 40)]]),
    ],
    ids=["a number", "two change places", "one is gone", "one comes"],
)
def test_no_more_is_told_than_what_changed(after: list[tuple[str, int]], told: Change):
    assert difference(standings(("asha", 10), ("bo", 20), ("cy", 30)), standings(*after)) == told


def test_a_part_is_one_element_and_read_as_a_browser_reads_it():
    """Planted fault: rows that a browser puts into a body of the table, addressed by their place in the text."""
    for text in ("<p>one</p><p>two</p>", "<p>one</p> and", "only text", ""):
        with pytest.raises(ValueError, match="one element"):
            read(text)
    table = read("<table><tr><td>one</td></tr></table>")
    assert written(table) == "<table><tbody><tr><td>one</td></tr></tbody></table>"
