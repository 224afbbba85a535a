"""What of a part changed since a visitor's version of it, told so that a browser can do the same to what it shows.

Rules: docs/decisions/0021-what-changed-travels.md. A change of an element is `[children, attributes]`, the second
left out where no attribute changed:

- children: 0 where nothing in it changed; a text where text is all it holds now; an object of changes by index where
  its children stay where they are; else a list of what stands in it now: an index, `[first, last]` or
  `[index, change]` of a former child, or new markup.
- attributes: new values by name, null for one that is gone.

The change of a text is the new text. Children are matched by their `data-key`, else by their order among their kind.
Knows nothing of boards.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tournaments.web.public.base.markup import Element, Node, written

Change = str | list["Json"]
Json = None | int | str | list["Json"] | dict[str, "Json"]
Kind = tuple[str, ...]
Match = tuple[int, Change | None]
UNCHANGED, TEXT = 0, ("",)


def difference(old: Element, new: Element) -> Change | None:
    """What makes `new` of `old`, an element of the same tag; None where they are equal."""
    children = _children(old, new)
    attributes = _attributes(old.attributes, new.attributes)
    if attributes:
        return [children, attributes]
    return None if children == UNCHANGED else [children]


def _attributes(old: dict[str, str], new: dict[str, str]) -> dict[str, Json]:
    changed: dict[str, Json] = {name: value for name, value in new.items() if old.get(name) != value}
    return changed | dict.fromkeys(old.keys() - new.keys())


def _children(old: Element, new: Element) -> Json:
    if new.is_text:
        text = new.text
        return UNCHANGED if old.is_text and old.text == text else text
    places = list(_matched(old.children, new.children))
    stays = len(old.children) == len(places) and all(
        isinstance(place, tuple) and place[0] == at for at, place in enumerate(places)
    )
    if not stays:
        return _shortened(places)
    changes: dict[str, Json] = {str(place[0]): place[1] for place in places if place[1] is not None}
    return changes or UNCHANGED


def _matched(old: Sequence[Node], new: Sequence[Node]) -> Iterator[Match | str]:
    """For each new child the former one with what changed in it, or its markup where there was none."""
    waiting: dict[Kind, list[int]] = defaultdict(list)
    for at in reversed(range(len(old))):
        waiting[_kind(old[at])].append(at)
    for child in new:
        same = waiting[_kind(child)]
        yield (at := same.pop(), _node(old[at], child)) if same else written(child)


def _node(old: Node, new: Node) -> Change | None:
    if isinstance(old, Element) and isinstance(new, Element):
        return difference(old, new)
    return None if old == new else str(new)


def _kind(node: Node) -> Kind:
    """What a child is matched by."""
    if isinstance(node, str):
        return TEXT
    has = node.attributes.get
    if key := has("data-key") or has("id") or has("aria-labelledby"):
        return (node.tag, key)
    return (node.tag, "", has("class", ""))


def _shortened(places: Sequence[Match | str]) -> list[Json]:
    """The list of what stands in an element now; children that stay neighbours are told by the first and the last."""
    told: list[Json] = []
    for place in places:
        last = told[-1] if told else None
        if isinstance(place, str):
            told.append(place)
        elif place[1] is not None:
            told.append([*place])
        elif isinstance(last, int) and place[0] == last + 1:
            told[-1] = [last, place[0]]
        elif isinstance(last, list) and isinstance(last[1], int) and place[0] == last[1] + 1:
            last[1] = place[0]
        else:
            told.append(place[0])
    return told
