"""What changed travels: a difference makes of the old part exactly the new one, and is short.

The same is done to real pages in a browser by test_live_in_browser.py.
"""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.web.public.base.parts import Change, Element, Node, difference, read, written

WORDS = st.text(alphabet='ab<>&"é😀 ', min_size=1, max_size=4)
ATTRIBUTES = st.dictionaries(st.sampled_from(("class", "data-key", "title", "hidden")), WORDS, max_size=2)


def grown(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Element]:
    return st.builds(Element, st.sampled_from(("tr", "td", "p")), ATTRIBUTES, st.lists(children, max_size=5))


PARTS = grown(st.recursive(WORDS, grown, max_leaves=12)).map(
    lambda part: Element("div", part.attributes, part.children)
)


def changed(old: Element, told: Change | None) -> Element:
    """What a browser does with a difference, done to a tree."""
    if told is None:
        return old
    assert isinstance(told, list)
    children: Any = told[0]
    attributes: Any = told[1] if len(told) > 1 else {}
    kept = {name: value for name, value in (old.attributes | attributes).items() if value is not None}
    return Element(old.tag, kept, list(filled(old.children, children)))


def filled(former: Sequence[Node], told: Any) -> list[Node]:
    if told == 0:
        return list(former)
    if isinstance(told, str):
        return [told] if told else []
    if isinstance(told, dict):
        return [node(one, told.get(str(at))) for at, one in enumerate(former)]
    found: list[Node] = []
    for one in told:
        if isinstance(one, int):
            found.append(former[one])
        elif isinstance(one, str):
            found += read(f"<div>{one}</div>").children
        elif isinstance(one[1], int):
            found += former[one[0] : one[1] + 1]
        else:
            found.append(node(former[one[0]], one[1]))
    return found


def node(former: Node, told: Any) -> Node:
    return changed(former, told) if isinstance(former, Element) else former if told is None else told


def in_order(part: Node) -> Node:
    """The same with the attributes of every element A to Z: their order says nothing."""
    if isinstance(part, str):
        return part
    return Element(part.tag, dict(sorted(part.attributes.items())), [in_order(child) for child in part.children])


@given(PARTS, PARTS)
def test_a_difference_makes_the_new_part_of_the_old_one(old: Element, new: Element):
    """Planted fault: children matched by their place alone give a keyed row the attributes of another."""
    old, new = read(written(old)), read(written(new))
    assert written(in_order(changed(old, difference(old, new)))) == written(in_order(new))


@given(PARTS)
def test_between_equal_parts_there_is_no_difference(part: Element):
    assert difference(read(written(part)), read(written(part))) is None


@given(PARTS)
def test_what_is_read_is_written_as_it_was(part: Element):
    once = written(read(written(part)))
    assert written(read(once)) == once


def row(key: str, place: int, score: int) -> str:
    return f'<tr data-key="{key}"><td>{place}</td><th>{key}</th><td class="n">{score}</td></tr>'


def standings(*rows: tuple[str, int]) -> Element:
    return read(f"<tbody>{''.join(row(key, place, score) for place, (key, score) in enumerate(rows, start=1))}</tbody>")


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


@pytest.mark.parametrize("markup", ["<p>one</p><p>two</p>", "<div><p>open</div>", "only text", ""])
def test_a_part_is_one_element_that_is_closed(markup: str):
    with pytest.raises(ValueError, match="clos"):
        read(markup)
