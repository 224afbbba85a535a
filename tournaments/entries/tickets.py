"""The ticket of a form for strangers, and the work that their browser does for it: what makes machines slow.

Rules: docs/decisions/0082-players-enter-by-themselves.md. A ticket says for which tournament and when the form was
made; the work is a number whose SHA-256, together with the ticket's, begins with `WORK_BITS` zero bits.
"""

import hashlib
import secrets
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from django.core import signing
from django.utils.crypto import salted_hmac

SALT = "tournaments.entry_request"
MOST_TICKET = 200
# Nobody reads and fills in the form faster; a page that was open overnight is asked to be sent again.
FASTEST, OLDEST = timedelta(seconds=3), timedelta(days=1)
# Some 33,000 digests: a third of a second on a phone, and nothing to check.
WORK_BITS = 15
MOST_WORK_DIGITS = 12
CHALLENGE_DIGITS = 32


class TicketFault(StrEnum):
    """Why a ticket is not accepted."""

    INVALID = "invalid"
    TOO_FAST = "too_fast"
    TOO_OLD = "too_old"


def new_ticket(tournament_id: UUID, *, now: datetime) -> str:
    """A ticket for a form of this tournament, made now."""
    return signing.Signer(salt=SALT).sign_object([tournament_id.hex, int(now.timestamp()), secrets.token_hex(8)])


def ticket_fault(ticket: str, tournament_id: UUID, *, now: datetime) -> TicketFault | None:
    """Why this ticket is not accepted for this tournament now; None where it is."""
    try:
        hex_id, made, _ = signing.Signer(salt=SALT).unsign_object(ticket[: MOST_TICKET + 1])
    except (signing.BadSignature, ValueError):
        return TicketFault.INVALID
    if hex_id != tournament_id.hex:
        return TicketFault.INVALID
    age = now.timestamp() - made
    if age < FASTEST.total_seconds():
        return TicketFault.TOO_FAST
    return TicketFault.TOO_OLD if age > OLDEST.total_seconds() else None


def challenge_of(ticket: str) -> str:
    """What the browser works on: short, so that a digest is one block."""
    return hashlib.sha256(ticket.encode()).hexdigest()[:CHALLENGE_DIGITS]


def is_worked_on(ticket: str, work: str) -> bool:
    """Whether this is the work that was asked for."""
    if not (work.isascii() and work.isdigit() and len(work) <= MOST_WORK_DIGITS):
        return False
    digest = hashlib.sha256(f"{challenge_of(ticket)}:{work}".encode()).digest()
    return int.from_bytes(digest[:4]) >> (32 - WORK_BITS) == 0


def secret_from(purpose: str, text: str) -> str:
    """A secret that follows from a text: the same form sent twice has the same one, and it is stored nowhere."""
    return salted_hmac(f"{SALT}.{purpose}", text, algorithm="sha256").hexdigest()


def network_digest(network: str) -> str:
    """The keyed digest under which a network's requests are counted: whose address it is need not be known."""
    return salted_hmac(f"{SALT}.network", network, algorithm="sha256").hexdigest()
