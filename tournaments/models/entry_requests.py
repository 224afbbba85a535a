"""What people sent who want to enter a tournament by themselves, until some days after its end.

Never part of the log: names, addresses and notes are personal data of people who may not be players of the club.
Knows nothing of who is let in: `tournaments.entries.commands.self_entry` does.
"""

import uuid

from django.db import models

from tournaments.models.bounds import checks, is_as_long, texts_fit, within_the_calendar
from tournaments.models.people import MOST_EMAIL, MOST_PHONE, Club, Player
from tournaments.models.play import MOST_REASON, Tournament

MOST_WISH = 200
MOST_CODE = 8


class EntryRequest(models.Model):
    """One form that somebody sent. Of its secrets only digests are kept, and of the sender's network too."""

    class State(models.TextChoices):
        """What has become of it."""

        UNCONFIRMED = "unconfirmed"
        # By mail; the desk still has to say who it is.
        CONFIRMED = "confirmed"
        ENTERED = "entered"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+", db_index=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entry_requests", db_index=False)
    name = models.CharField(max_length=200)
    email = models.EmailField(max_length=MOST_EMAIL, blank=True, default="")
    phone = models.CharField(max_length=MOST_PHONE, blank=True, default="")
    wants_mail = models.BooleanField(default=False)
    note = models.CharField(max_length=MOST_WISH, blank=True, default="")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="entry_requests")
    state = models.CharField(max_length=12, choices=State, default=State.UNCONFIRMED)
    code = models.CharField(max_length=MOST_CODE, help_text="Said at the desk; it opens nothing")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the status page's secret, in hex")
    confirm_digest = models.CharField(
        max_length=64, blank=True, default="", help_text="The same of the mailed secret; none where no mail was sent"
    )
    network = models.CharField(max_length=64, help_text="Keyed digest of the sender's network")
    is_proven = models.BooleanField(default=False, help_text="Whether the sender's browser did the work asked for")
    made_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=100, blank=True, default="")
    reason = models.CharField(max_length=MOST_REASON, blank=True, default="")
    expires_at = models.DateTimeField(help_text="When it is deleted if nobody has confirmed it")

    class Meta:
        ordering = ["made_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "code"], name="entryrequest_code_once"),
            checks(
                "entryrequest_state_is_known",
                state__in=["unconfirmed", "confirmed", "entered", "refused", "withdrawn"],
            ),
            checks("entryrequest_entered_as_a_player", ~models.Q(state="entered") | models.Q(player__isnull=False)),
            is_as_long("entryrequest_digest_is_64_hex_digits", "digest", 64),
            texts_fit(
                "entryrequest",
                name=200,
                email=MOST_EMAIL,
                phone=MOST_PHONE,
                note=MOST_WISH,
                code=MOST_CODE,
                confirm_digest=64,
                network=64,
                decided_by=100,
                reason=MOST_REASON,
            ),
            within_the_calendar("entryrequest", "made_at", "confirmed_at", "decided_at", "expires_at"),
        ]
        indexes = [
            models.Index(fields=["tournament", "state"], name="entryrequest_by_state"),
            models.Index(
                fields=["expires_at"], condition=models.Q(state="unconfirmed"), name="entryrequest_unconfirmed"
            ),
            models.Index(
                fields=["confirm_digest"], condition=~models.Q(confirm_digest=""), name="entryrequest_by_mail"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.state}"

    @property
    def is_waiting(self) -> bool:
        """Whether nobody has decided yet."""
        return self.state in (self.State.UNCONFIRMED, self.State.CONFIRMED)
