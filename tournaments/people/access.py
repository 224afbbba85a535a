"""Access: limits on failed sign-ins, and tokens of devices, created once, shown once, and revocable.

Rules: docs/decisions/0080-signing-in.md. Attempts are counted in the database, shared by all web processes: each
before the password is checked, and uncounted when it was right, so that a hundred at once count as a hundred. A refused
attempt writes nothing. Only the digest of a secret is stored. Knows nothing of passwords, pages or proxies.

Codes of table cards: the short one that somebody types is an attempt like any other. The long one of a QR code is
counted only once it was wrong: nobody guesses 256 bits, even where many are checked at once, and a hall that scans its
cards together, before the first deal, writes nothing.
"""

import hashlib
import secrets
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.crypto import salted_hmac
from django.utils.timezone import now

from scoring.messages import say
from scoring.problems import KeyReused, OptionsRejected, Problem
from tournaments.models import ApiToken, Club, FailedAttempts, Invitation, InvitationKind, Role

LOGIN, TOKEN, CODE, CARD = "login", "token", "code", "card"
# Codes of the second factor, new passwords asked for by mail, and questions that a passkey signs.
FACTOR, RESET, PASSKEY = "factor", "reset", "passkey"
FORGOTTEN_AFTER = timedelta(minutes=15)
LOCKED_FOR = timedelta(minutes=15)
TRIES_FOR_A_NAME = 5
# A hall shares one address: so many attempts may fail in a quarter of an hour before anyone is slowed down.
TRIES_FROM_A_PLACE = 20
# A name that has not failed there yet is not slowed down by others' failures before so many of them.
TRIES_BY_OTHERS = 200
# Wrong codes of table cards, from one device or with one beginning.
TRIES_FOR_A_CODE, CODES_LOCKED_FOR = 10, timedelta(minutes=10)
FIRST_PAUSE_SECONDS, LONGEST_PAUSE = 1, timedelta(seconds=30)
MOST_DOUBLINGS = 10
# A row costs one attempt that was not refused, and is deleted when it expires; beyond this many the oldest are deleted.
MOST_ROWS, SWEPT_AT_ONCE = 20_000, 200
ANY_NAME = ""
SECRET_BYTES = 32
TOKENS_END_SOON = timedelta(days=14)
PREFIX = "rummy_"
SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """An attempt to sign in: the digest of the name given, and the places it is counted against."""

    kind: str
    subject: str
    place: str
    counts_for_place: bool = True

    @property
    def subjects(self) -> list[str]:
        """The rows it is counted in. Always in this order: two attempts that lock both must not deadlock."""
        return [ANY_NAME, self.subject] if self.counts_for_place and self.subject else [self.subject]


def plain_name(name: str) -> str:
    """A login name or e-mail address to compare: `Sam` and a full-width `ｓａｍ` are one, `ı` and `i` are two."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def address_is_taken(email: str, *, besides: int | None = None) -> bool:
    """Whether a login has this e-mail address, besides this one. Two that share it tell nobody who is meant."""
    rows = get_user_model().objects.exclude(email="").values_list("pk", "email")
    return any(plain_name(email) == plain_name(other) for user_id, other in rows if user_id != besides)


def digest_of_name(name: str) -> str:
    """Return the digest that a name is counted under."""
    return salted_hmac("tournaments.people.access", plain_name(name), algorithm="sha256").hexdigest()


def pause_after(failures: int, *, is_name: bool) -> timedelta:
    """How long further attempts are refused: a name is locked at its fifth failure, a place slows down bit by bit."""
    if is_name:
        return LOCKED_FOR if failures >= TRIES_FOR_A_NAME else timedelta(0)
    if failures <= TRIES_FROM_A_PLACE:
        return timedelta(0)
    doublings = min(failures - TRIES_FROM_A_PLACE - 1, MOST_DOUBLINGS)
    return min(timedelta(seconds=FIRST_PAUSE_SECONDS << doublings), LONGEST_PAUSE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether an attempt is allowed, and how long none is after it if it fails (or was refused)."""

    is_admitted: bool
    pause: timedelta


def begin(*attempts: Attempt, now: datetime) -> Verdict:
    """Count attempts as failed before they are checked, or refuse them without a write.

    Several are one try, counted under several names or places: it is refused, or counted, under all of them.
    """
    pause = max(_pause_before(attempt, _rows(attempt), now) for attempt in attempts)
    if pause > timedelta(0):
        return Verdict(is_admitted=False, pause=pause)
    with transaction.atomic():
        rows = [[_row(attempt, subject, now) for subject in attempt.subjects] for attempt in attempts]
        pause = max(_pause_before(attempt, own, now) for attempt, own in zip(attempts, rows, strict=True))
        if pause > timedelta(0):
            transaction.set_rollback(True)
            return Verdict(is_admitted=False, pause=pause)
        counted = list(chain.from_iterable(rows))
        for row in counted:
            row.failures = row.failures + 1 if row.lapses_at > now else 1
            row.free_at = now + pause_after(row.failures, is_name=row.subject != ANY_NAME)
            row.lapses_at = now + FORGOTTEN_AFTER
            row.save()
        for kind in {attempt.kind for attempt in attempts}:
            _sweep(kind, now)
    return Verdict(is_admitted=True, pause=_pause(counted, now))


def succeed(attempt: Attempt, *, now: datetime) -> None:
    """Record success: the name starts fresh from that place; for the place only this one attempt is uncounted.

    Uncounting all of them would let a user with a valid login guess without limit between two logins.
    """
    with transaction.atomic():
        if attempt.counts_for_place:
            place = _rows(attempt).filter(subject=ANY_NAME, failures__gt=0)
            place.update(failures=F("failures") - 1, free_at=now)
        _rows(attempt).filter(subject=attempt.subject).exclude(subject=ANY_NAME).delete()


def may_try_code(subjects: Collection[str], *, now: datetime) -> bool:
    """Whether the code of a table card may be checked: none of these has had too many wrong ones lately."""
    return not FailedAttempts.objects.filter(kind=CODE, place="", subject__in=subjects, free_at__gt=now).exists()


def note_wrong_code(subjects: Collection[str], *, now: datetime) -> None:
    """Count a wrong code for each of these digests, in one order: two that lock both must not deadlock."""
    with transaction.atomic():
        for subject in sorted(subjects):
            row = _row(Attempt(kind=CODE, subject=subject, place=""), subject, now)
            row.failures = row.failures + 1 if row.lapses_at > now else 1
            row.free_at = now + CODES_LOCKED_FOR if row.failures >= TRIES_FOR_A_CODE else now
            row.lapses_at = now + CODES_LOCKED_FOR
            row.save()
        _sweep(CODE, now)


def unlock(name: str, *, now: datetime) -> list[str]:
    """Forget every failure under a name. Returns the places from which it was locked."""
    with transaction.atomic():
        rows = FailedAttempts.objects.filter(kind__in=(LOGIN, FACTOR), subject=digest_of_name(name))
        locked = list(rows.filter(free_at__gt=now).order_by("place").values_list("place", flat=True))
        rows.delete()
    return locked


def unlock_login(user: Any, *, now: datetime) -> list[str]:
    """Forget every failure of a login: under its name, its e-mail address, and of its second factor."""
    with transaction.atomic():
        locked = [unlock(name, now=now) for name in (user.get_username(), user.email) if name]
        FailedAttempts.objects.filter(kind=FACTOR, subject=ANY_NAME, place=place_of_login(user.pk)).delete()
    return sorted(set(chain.from_iterable(locked)))


def place_of_login(user_id: int) -> str:
    """The place under which codes of a login are counted from all unknown devices together."""
    return f"login:{user_id}"


def _rows(attempt: Attempt) -> Any:
    return FailedAttempts.objects.filter(kind=attempt.kind, place=attempt.place, subject__in=attempt.subjects)


def _row(attempt: Attempt, subject: str, now: datetime) -> FailedAttempts:
    row, _ = FailedAttempts.objects.select_for_update().get_or_create(
        kind=attempt.kind, place=attempt.place, subject=subject, defaults={"free_at": now, "lapses_at": now}
    )
    return row


def _pause(rows: Any, now: datetime) -> timedelta:
    return max((row.free_at - now for row in rows), default=timedelta(0))


def _pause_before(attempt: Attempt, rows: Iterable[FailedAttempts], now: datetime) -> timedelta:
    """How long an attempt must wait. One at a name without a failure waits for its place only after very many."""
    failure_rows = list(rows)
    failed = any(row.subject != ANY_NAME and row.failures and row.lapses_at > now for row in failure_rows)
    is_new = bool(attempt.subject) and not failed
    counted = [row for row in failure_rows if row.subject != ANY_NAME or not is_new or row.failures > TRIES_BY_OTHERS]
    return _pause(counted, now)


def _sweep(kind: str, now: datetime) -> None:
    """Delete what has expired, and the oldest rows where there are too many. Rows locked by others are skipped."""
    rows = FailedAttempts.objects.filter(kind=kind).order_by("lapses_at")
    dropped = rows if rows.count() > MOST_ROWS else rows.filter(lapses_at__lt=now)
    ids = list(dropped.select_for_update(skip_locked=True).values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    FailedAttempts.objects.filter(pk__in=ids).delete()


def token_digest(secret: str) -> str:
    """Return the digest of a secret, which is what is stored and looked up."""
    return hashlib.sha256(secret.encode()).hexdigest()


# The code typed from a table card: no 0 and O, no 1, I and L. A code names its club and table by the address on the
# card. 31^8 are 8.5e11, so a code is found after 4.3e11 guesses on average. A browser, a table and a club are slowed
# down to a guess every half minute, which is 1,500 guesses in the twelve hours of a card: a chance of 1 in 500 million.
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 8


def new_code(length: int = CODE_LENGTH) -> str:
    """Return a new code to type, for a table card unless it is to be longer."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def code_digest(code: str) -> str:
    """Return the digest of a code, however it was typed. It is keyed: a code is short enough to be tried out."""
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    return salted_hmac("tournaments.people.access.code", plain, algorithm="sha256").hexdigest()


def issue_token(  # noqa: PLR0913 - the fields of a token
    token_id: UUID,
    club: Club,
    *,
    user_id: int | None,
    role: Role,
    name: str,
    expires_at: datetime | None = None,
    made_with: ApiToken | None = None,
) -> tuple[ApiToken, str | None]:
    """Create a token and its secret. It expires when the club's settings say, or earlier: at `expires_at`.

    The same id again returns the existing token, without its secret: that was shown once. One that is `made_with`
    another ends with it at the latest, and is revoked with it. Raises OptionsRejected for an end in the past or beyond
    the limits, KeyReused where the id is that of another token.
    """
    moment = now()
    before = ApiToken.objects.filter(id=token_id).select_related("user").first()
    if before is not None:
        if (before.club_id, before.role, before.name) != (club.pk, role, name):
            raise KeyReused("the idempotency key was used for another device link")
        return before, None
    limits = [moment + timedelta(days=club.token_days)] if club.token_days else []
    latest = made_with.expires_at if made_with else None
    last = min([*limits, *([latest] if latest else [])], default=None)
    if expires_at is not None and expires_at <= moment:
        raise OptionsRejected(
            [Problem("out_of_range", say("the end has passed: enter a later one"), field="expires_at")]
        )
    if expires_at is not None and last is not None and expires_at > last:
        detail = say("this link can end on {day} at the latest", day=last.date().isoformat())
        raise OptionsRejected([Problem("out_of_range", detail, field="expires_at")])
    secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    token, is_new = ApiToken.objects.get_or_create(
        id=token_id,
        defaults={
            "club": club,
            "user_id": user_id,
            "role": role,
            "name": name,
            "prefix": secret[:SHOWN],
            "digest": token_digest(secret),
            "created_at": moment,
            "expires_at": expires_at or last,
            "made_with": made_with,
        },
    )
    return token, secret if is_new else None


def revoke_tokens(token_ids: Iterable[UUID], *, now: datetime) -> None:
    """Revoke tokens at once, with all that were made with them. Revoking twice keeps the first time."""
    with transaction.atomic():
        found = last = set(token_ids)
        while last:
            last = set(ApiToken.objects.filter(made_with__in=last).values_list("pk", flat=True)) - found
            found |= last
        ApiToken.objects.filter(pk__in=found, revoked_at__isnull=True).update(revoked_at=now)


def tokens_of_password(user_id: int, *, now: datetime) -> "QuerySet[ApiToken]":
    """The working tokens that end when somebody's password changes: not those of clubs that keep them."""
    return working_tokens(now=now).filter(user_id=user_id, club__tokens_end_with_password=True)


def revoke_with_password(user_id: int, *, now: datetime) -> int:
    """After a password change, perhaps because someone else knew it: revoke what was issued under it.

    Returns how many were revoked, without those made with them; their rows say why.
    """
    token_ids = list(tokens_of_password(user_id, now=now).values_list("pk", flat=True))
    ApiToken.objects.filter(pk__in=token_ids).update(ended_with_password=True)
    revoke_tokens(token_ids, now=now)
    return len(token_ids)


def revoke_password_links(user_id: int, *, now: datetime) -> None:
    """After a password change: links that somebody was given to choose another one open nothing any more."""
    links = Invitation.objects.filter(kind=InvitationKind.PASSWORD, user_id=user_id, used_at__isnull=True)
    links.filter(revoked_at__isnull=True).update(revoked_at=now)


def working_tokens(*, now: datetime) -> "QuerySet[ApiToken]":
    """The tokens with which somebody can sign in."""
    return ApiToken.objects.filter(revoked_at__isnull=True).exclude(expires_at__lte=now)


def ends_soon(token: ApiToken, *, now: datetime) -> bool:
    """Whether a token works, and will have ended in two weeks."""
    if token.revoked_at is not None or token.expires_at is None:
        return False
    return now < token.expires_at <= now + TOKENS_END_SOON
