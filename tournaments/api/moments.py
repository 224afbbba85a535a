"""`?at=`: a version, a position or a moment of the past, as a client writes it.

Rules: docs/api.md, "The past".
"""

import re
from datetime import UTC, datetime

from rest_framework.request import Request

from tournaments.api.problems import BadParameter

FIRST_YEAR, LAST_YEAR = 1970, 2999
VERSION = re.compile(r"[0-9]{1,10}")
# A plus sign that nobody escaped arrives as a blank.
LOST_PLUS = re.compile(r" (?=\d\d:?\d\d$)")


def moment_asked_for(request: Request) -> int | datetime | None:
    """What the request wants to see: None for now. Raises BadParameter."""
    text = request.query_params.get("at", "")
    if not text:
        return None
    if VERSION.fullmatch(text):
        return int(text)
    try:
        moment = datetime.fromisoformat(LOST_PLUS.sub("+", text))
        if moment.tzinfo is None:
            raise BadParameter("at needs its offset from UTC, for example 2026-01-17T19:30:00+05:30.")
        if not FIRST_YEAR <= moment.year <= LAST_YEAR:
            raise BadParameter(f"at must lie between the years {FIRST_YEAR} and {LAST_YEAR}.")
        return moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadParameter("at must be a version or a moment such as 2026-01-17T19:30:00+05:30.") from error
