"""How a page tells that somebody else was faster, field by field, and what a form has saved in the end.

Rules: docs/decisions/0033. Knows nothing of how a form is read.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from tournaments.rendering.i18n.formatting import listed
from tournaments.web.admin.editing.held_fields import Merge


@dataclass(frozen=True, slots=True, kw_only=True)
class ClashShown:
    """A clash as a page tells it."""

    title: str
    stands: str
    typed: str
    choice_name: str
    choice: str


def clashes_shown(merge: Merge, title_of: Callable[[str], str]) -> list[ClashShown]:
    """The clashes of a form that is none of Django's."""
    return [
        ClashShown(
            title=title_of(clash.name),
            stands=clash.stands or gettext("nothing"),
            typed=clash.typed or gettext("nothing"),
            choice_name=clash.choice_name,
            choice=clash.digest,
        )
        for clash in merge.clashes
    ]


def saved_said(name: str, titles: Iterable[str]) -> str:
    """What was saved of a form, and nothing that was not."""
    changed = list(titles)
    if not changed:
        return gettext("Nothing was changed.")
    return gettext("{name} saved. Changed: {fields}.").format(name=name, fields=listed(changed))
