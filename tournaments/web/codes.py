"""Codes that come from a URL's fragment or are typed: what one opens, and the counting of wrong ones."""

from collections.abc import Callable
from typing import TypeVar

from django.http import HttpRequest
from django.utils.timezone import now
from django.views.decorators.debug import sensitive_variables

from tournaments.people import access
from tournaments.people.access import token_digest
from tournaments.transient_errors import left_out_if_locked

Opened = TypeVar("Opened")
PREFIX = 6


@sensitive_variables("code")
def opened_by(
    request: HttpRequest, code: str, find: Callable[[str], Opened | None], *, kind: str = ""
) -> tuple[Opened | None, bool]:
    """What a code opens, and whether too many wrong ones came lately: then it was not looked at.

    Wrong ones are counted by `kind`, by device, and by the first characters of the code. Not by IP address: all phones
    of a venue share one. Counting slows guessing; the code's length protects it.
    """
    texts = {"device": str(request.META.get("CSRF_COOKIE", "")), "code": code[:PREFIX]}
    counted = [token_digest(f"{kind}{name}:{text}") for name, text in texts.items()]
    moment = now()
    if not access.may_try_code(counted, now=moment):
        return None, True
    row = find(code)
    if row is None:
        # A full disk or a lock elsewhere must not turn a wrong code into an outage.
        with left_out_if_locked():
            access.note_wrong_code(counted, now=moment)
    return row, False
