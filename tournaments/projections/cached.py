"""Answers made once for each state of what they show, on Django's cache framework.

Rules: docs/decisions/0079-one-cache.md. A key is a digest of the view, the language, the host and the state: the
position of what is shown, the version of the club's texts, and the release. A change gives another key, and what lies
under the former one ends with the settings' timeout. The caller has checked the permission.
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar
from uuid import UUID

from django.core.cache import BaseCache, caches

from tournaments.models import Club, ShownVersion
from tournaments.projections.shown import version_shown
from tournaments.rendering.left_out import left_out

# The first request makes an answer; the others wait as long as a board of a thousand players takes, then make their
# own.
WAIT_SECONDS = 2.0
LOOK_EVERY_SECONDS = 0.025
# After this long the process that began is taken for dead.
MAKING_SECONDS = 10
# Where rows were left out, they may be there again soon; until then a full hall must not ask for each of them.
LEFT_OUT_SECONDS = 5
Answer = TypeVar("Answer")


def cached(key: str, make: Callable[[], Answer], *, club: Club) -> Answer:
    """The answer under this key; made and stored where there is none. It must not be None.

    `key` was computed from `club` as it was loaded, with its `shown_version`: so nothing is older than its key. Call it
    outside of transactions that write: what they roll back would stay.
    """
    answers = caches["answers"]
    answer: Answer | None = answers.get(key)
    if answer is not None:
        return answer
    version, claim = version_shown(club), f"{key}/making"
    is_mine = answers.add(claim, 1, MAKING_SECONDS)
    awaited: Answer | None = None if is_mine else _awaited(answers, key, claim)
    if awaited is not None:
        return awaited
    try:
        answer = make()
        # Somebody may have been erased or renamed meanwhile: a name that is gone must not be stored after it went.
        if version == _version_now(club.pk):
            answers.set(key, answer, **({"timeout": LEFT_OUT_SECONDS} if left_out() else {}))
    finally:
        if is_mine:
            answers.delete(claim)
    return answer


def cached_already(key: str) -> Any:
    """The answer under this key; None where there is none."""
    return caches["answers"].get(key)


def _awaited(answers: BaseCache, key: str, claim: str) -> Any:
    """The answer that another request is making, once it is there; None if that failed or takes too long."""
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until:
        time.sleep(LOOK_EVERY_SECONDS)
        # Read before the answer, which is stored before the claim ends.
        is_made = not answers.has_key(claim)
        if (answer := answers.get(key)) is not None or is_made:
            return answer
    return None


def _version_now(club_id: UUID) -> str:
    """The version of the club's texts, read anew."""
    versions = ShownVersion.objects.filter(club_id=club_id).values_list("version", flat=True)
    return str(next(iter(versions), 0))


# What answers are made of: objects of this process alone, one for each key, with the state that it was made at. None
# is sent, and what is not made again ends as answers do.


def cached_object(key: str, state: object, make: Callable[[], Answer]) -> Answer:
    """The object made at this state. It must not be changed, and `state` must be read before what it is made of."""
    known: tuple[object, Answer] | None = caches["objects"].get(key)
    if known is not None and known[0] == state:
        return known[1]
    made = make()
    keep_object(key, state, made)
    return made


def known_object(key: str, state: object) -> Any:
    """The object made at this state; None where there is none."""
    known = caches["objects"].get(key)
    return known[1] if known is not None and known[0] == state else None


def keep_object(key: str, state: object, made: object) -> None:
    """Keep what was made at this state."""
    caches["objects"].set(key, (state, made))
