"""Device tokens: made once, shown once, and taken back. Only the digest of a secret is ever kept."""

import hashlib
import secrets
from datetime import datetime
from uuid import UUID

from tournaments.models import ApiToken, Club, Role

SECRET_BYTES = 32
PREFIX = "rummy_"
SHOWN = 12


def token_digest(secret: str) -> str:
    """What is kept of a secret, and what a bearer's secret is looked up by."""
    return hashlib.sha256(secret.encode()).hexdigest()


def issue_token(token_id: UUID, club: Club, *, user_id: int, role: Role, name: str) -> tuple[ApiToken, str | None]:
    """A new token and its secret. The same id again finds the token that it made, and no secret: that was shown."""
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
        },
    )
    return token, secret if is_new else None


def revoke_token(token_id: UUID, *, now: datetime) -> None:
    """Take a token back at once. Revoking twice keeps the first time."""
    ApiToken.objects.filter(id=token_id, revoked_at__isnull=True).update(revoked_at=now)
