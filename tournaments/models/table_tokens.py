"""The secret on a table's card: one device with it scores that one table, without a login.

Only the digest of a secret is kept. Knows nothing of what a card may do; `tournaments.people.permissions` does.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import Exact
from django.utils.timezone import now

from tournaments.models.bounds import MOST_COUNT, numbers_fit, within_the_calendar
from tournaments.models.people import Club
from tournaments.models.play import Table


class TableToken(models.Model):
    """What stands behind the QR code on one card. It ends with its hours, its table, or when it is taken back."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="tokens")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="table_tokens")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the secret, in hex")
    table_version = models.PositiveIntegerField(help_text="Version of the table when the card was made")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="table_tokens")
    created_at = models.DateTimeField(default=now, editable=False)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Exact(Length("digest"), 64), name="tabletoken_digest_is_64_hex_digits"),
            models.CheckConstraint(
                condition=models.Q(expires_at__gt=models.F("created_at")), name="tabletoken_expires_after_it_is_made"
            ),
            numbers_fit("tabletoken", table_version=(0, MOST_COUNT)),
            within_the_calendar("tabletoken", "created_at", "expires_at", "last_used_at", "revoked_at"),
        ]

    def __str__(self) -> str:
        return f"Card of {self.table}"
