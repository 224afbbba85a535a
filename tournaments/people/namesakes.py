"""Players who share a name: the second one gets a mark after the name, as the club chooses.

Rules: docs/how-to/publishing.md, "Names". From then on a mark is part of the name: every page, printout and file shows
it, and a later choice of the club changes no existing name. Knows nothing of characters of an id: they are not stored
in names.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from tournaments.models import Club, Player
from tournaments.models.people import TO_LATIN, keys_alike, looks_key
from tournaments.models.public_names import NameSuffix, marked_name, marks_of

MARKS_AT_ONCE = 12
MARK = re.compile(r"\s*\([^()]*\)$")


class Doubts(NamedTuple):
    """Which of some players are suspended, and which share a name with another of them, marks aside."""

    suspended: frozenset[str]
    alike: frozenset[str]


def doubts_about(club_id: UUID, players: Iterable[str]) -> Doubts:
    """Which players must not be seated without asking first, in one query."""
    rows = Player.objects.filter(club_id=club_id, id__in=[UUID(player) for player in players])
    known = [
        (str(one), MARK.sub("", key.translate(TO_LATIN)), is_out)
        for one, key, is_out in rows.values_list("id", "name_key", "is_suspended")
    ]
    times = Counter(key for _, key, _ in known)
    return Doubts(
        suspended=frozenset(one for one, _, is_out in known if is_out),
        alike=frozenset(one for one, key, _ in known if times[key] > 1),
    )


def distinct_names(club_id: UUID, names: Sequence[str], *, now: datetime, but: UUID | None = None) -> list[str]:
    """Return the names as they are to be stored, in at most three queries. `but` is a player whose name is ignored.

    Call with the club's lock held: two requests that add the same name must not both find it free.
    """
    telling = Club.objects.values_list("telling", flat=True).get(id=club_id)
    keys = [looks_key(name) for name in names]
    others = Player.objects.present().filter(club_id=club_id).exclude(id__in=[but] if but else [])
    taken = _borne(others, names)
    if telling == NameSuffix.LETTERS or not (taken or len(set(keys)) < len(keys)):
        return list(names)
    marks = [*islice(marks_of(telling, now.year), MARKS_AT_ONCE)]
    taken |= _borne(others, (marked_name(name, mark) for name in names for mark in marks))
    stored = []
    for name in names:
        free = name if looks_key(name) not in taken else _marked(name, marks_of(telling, now.year), others, taken)
        taken.add(looks_key(free))
        stored.append(free)
    return stored


def _marked(name: str, marks: Iterator[str], others: QuerySet[Player], taken: set[str]) -> str:
    """The name with the first unused mark. For the first dozen the caller knows which are used."""
    return next(
        free
        for number, free in enumerate(marked_name(name, mark) for mark in marks)
        if looks_key(free) not in taken and (number < MARKS_AT_ONCE or not _borne(others, [free]))
    )


def _borne(players: QuerySet[Player], names: Iterable[str]) -> set[str]:
    """Which of these names look like the name of one of the players."""
    keys = players.filter(name_key__in=keys_alike(names)).values_list("name_key", flat=True)
    return {key.translate(TO_LATIN) for key in keys}
