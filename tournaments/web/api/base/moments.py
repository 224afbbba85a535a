"""`?at=`: a version, a position, a moment or a round of the past, as a client writes it.

Rules: docs/api.md, "The past". It takes what the pages take, but a moment brings its offset: a program has no clock on
the wall of the club.
"""

from datetime import datetime

from rest_framework.request import Request

from tournaments.models.bounds import FIRST_DAY, LAST_DAY
from tournaments.tables.queries.moments import At, read_at
from tournaments.web.api.base.problems import BadParameter

FORMS = (
    "at must be a version, a moment with its offset from UTC such as 2026-01-17T19:30:00+05:30, "
    "either of them after known:, or a round such as round:3; "
    f"a moment lies between {FIRST_DAY} and {LAST_DAY}."
)


def moment_asked_for(request: Request) -> At | None:
    """What the request wants to see: None for now. Raises BadParameter."""
    text = request.query_params.get("at", "")
    if not text:
        return None
    at = read_at(text, None)
    if at is None:
        raise BadParameter(FORMS)
    return at


def hindsight_of(request: Request, at: At | None) -> tuple[str, ...]:
    """What tells answers apart that are known now: what was shown then is told apart by its version alone."""
    return () if at is None or isinstance(at, int | datetime) else (request.query_params["at"],)
