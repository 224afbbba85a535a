"""How passwords are kept, and what ends when one is changed. Figures: docs/decisions/0031-failed-log-ins.md."""

from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.utils.timezone import now
from django.utils.translation import gettext


class ClubHasher(Argon2PasswordHasher):
    """Argon2id, so dear that a stolen database is hard to guess at, and a wrong password cheap enough to bear.

    32 MiB and three passes on one processor: Django's own 100 MiB on eight took more than 200 ms of processor time,
    and four threads at once more memory than a small machine has.
    """

    time_cost = 3
    memory_cost = 32_768
    parallelism = 1


class TokensEnd:
    """Refuses no password. Django tells its validators of each one that was changed, through whichever door.

    A hash that is only made anew at a log-in is no change, and Django does not tell of it.
    """

    def validate(self, password: str, user: Any = None) -> None:
        """Any password will do."""

    def get_help_text(self) -> str:
        """What else a new password does."""
        return gettext("If your club says so, your device links end with your old password.")

    def password_changed(self, password: str, user: Any = None) -> None:
        """Take back what the user issued to devices."""
        from tournaments.people.device_tokens import revoke_with_password  # noqa: PLC0415 (settings name this module)

        if user is not None and user.pk:
            revoke_with_password(user.pk, now=now())
