"""Addresses and signing secrets of receivers, encrypted in the database.

A signing secret has to be read to sign, so that a digest is not enough, and the address of a chat lets anyone write to
it. Neither may be in a backup or a copy of the database for everyone who reads that. The key comes from `SECRET_KEY`,
which is in neither; signing with it (`django.core.signing`) would leave both readable.
"""

import base64
import secrets
from hashlib import sha256
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

PREFIX = "whsec_"
SECRET_BYTES = 24


class CannotBeRead(ValueError):
    """The value was encrypted with a secret key that this site no longer has."""


def sealed(text: str) -> str:
    """Encrypt a text; an empty one stays empty."""
    return _fernet().encrypt(text.encode()).decode() if text else ""


def opened(sealed_text: str) -> str:
    """Decrypt what `sealed` returned. Raises CannotBeRead after a change of SECRET_KEY without a fallback."""
    if not sealed_text:
        return ""
    from cryptography.fernet import InvalidToken  # noqa: PLC0415 - as below

    try:
        return _fernet().decrypt(sealed_text.encode()).decode()
    except InvalidToken as error:
        raise CannotBeRead("encrypted with another secret key") from error


def new_secret(made_for: str = "") -> str:
    """A signing secret in the form of Standard Webhooks: by chance, or always the same one for a text.

    Made for a receiver and an idempotency key, it is not changed once more by a request that is sent again.
    """
    by_key = salted_hmac("tournaments.outbox.secret", made_for, algorithm="sha256").digest()
    secret = by_key[:SECRET_BYTES] if made_for else secrets.token_bytes(SECRET_BYTES)
    return PREFIX + base64.b64encode(secret).decode()


def _fernet() -> "MultiFernet":
    # Loaded for a receiver alone: some megabytes that most processes never need.
    from cryptography.fernet import Fernet, MultiFernet  # noqa: PLC0415

    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [sha256(b"tournaments.outbox" + str(key).encode()).digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
