"""Device tokens: made once, shown once, and taken back. Only the digest of a secret is ever kept."""

import hashlib
import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.utils.timezone import now

from tournaments.models import ApiToken, Club, Role

SECRET_BYTES = 32
PREFIX = "rummy_"
SHOWN = 12


def token_digest(secret: str) -> str:
    """What is kept of a secret, and what a bearer's secret is looked up by."""
    return hashlib.sha256(secret.encode()).hexdigest()


def issue_token(token_id: UUID, club: Club, *, user_id: int, role: Role, name: str) -> tuple[ApiToken, str | None]:
    """A new token and its secret, which ends when the club says so.

    The same id again finds the token that it made, and no secret: that was shown.
    """
    moment = now()
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
            "expires_at": moment + timedelta(days=club.token_days) if club.token_days else None,
        },
    )
    return token, secret if is_new else None


def revoke_token(token_id: UUID, *, now: datetime) -> None:
    """Take a token back at once. Revoking twice keeps the first time."""
    ApiToken.objects.filter(id=token_id, revoked_at__isnull=True).update(revoked_at=now)


def revoke_with_password(user_id: int, *, now: datetime) -> int:
    """A password was changed, perhaps because somebody knew it: take back what was issued under it.

    In clubs that keep them the tokens stay. Answers how many went.
    """
    tokens = ApiToken.objects.filter(user_id=user_id, revoked_at__isnull=True, club__tokens_end_with_password=True)
    return tokens.update(revoked_at=now)
