"""Access: tokens of devices, table cards, invitations, and recently failed logins.

Only the digest of a secret is kept. Knows nothing of what a token or a card may do: `tournaments.people.permissions`
does, and `tournaments.people.access` decides what follows from failures.
"""

import uuid

from django.conf import settings
from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy

from tournaments.models.bounds import MOST_COUNT, checks, is_as_long, numbers_fit, texts_fit, within_the_calendar
from tournaments.models.people import Club, Role
from tournaments.models.play import MOST_SEATS, Table

MOST_OPENED = 16
MOST_INVITED_NAME, MOST_INVITED_NOTE = 150, 200


class ApiToken(models.Model):
    """A device's bearer token for one club and one role: only its digest is kept."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="tokens", verbose_name=gettext_lazy("club"))
    # Who made it: for people to know. The token stands for the club, whatever becomes of them (D-0085).
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="tokens",
        verbose_name=gettext_lazy("made by"),
    )
    role = models.CharField(max_length=20, choices=Role, verbose_name=gettext_lazy("role"))
    name = models.CharField(
        max_length=100, help_text=gettext_lazy("Device that uses it"), verbose_name=gettext_lazy("name")
    )
    prefix = models.CharField(
        max_length=12,
        help_text=gettext_lazy("Its first characters, to tell links apart"),
        verbose_name=gettext_lazy("prefix"),
    )
    digest = models.CharField(
        max_length=64,
        unique=True,
        help_text=gettext_lazy("SHA-256 of the link's code, in hex"),
        verbose_name=gettext_lazy("digest"),
    )
    created_at = models.DateTimeField(default=now, editable=False, verbose_name=gettext_lazy("created at"))
    last_used_at = models.DateTimeField(null=True, blank=True, verbose_name=gettext_lazy("last used at"))
    expires_at = models.DateTimeField(null=True, blank=True, verbose_name=gettext_lazy("ends"))
    revoked_at = models.DateTimeField(null=True, blank=True, verbose_name=gettext_lazy("revoked at"))
    ended_with_password = models.BooleanField(
        default=False, db_default=False, help_text=gettext_lazy("Revoked because its maker has a new password")
    )
    # The link of the device that made it, with which it is revoked.
    made_with = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="has_made"
    )

    class Meta:
        verbose_name = gettext_lazy("device link")
        verbose_name_plural = gettext_lazy("device links")
        constraints = [
            checks("apitoken_role_is_known", role__in=Role.values),
            is_as_long("apitoken_digest_is_64_hex_digits", "digest", 64),
            texts_fit("apitoken", name=100, prefix=12),
            within_the_calendar("apitoken", "created_at", "last_used_at", "revoked_at"),
            within_the_calendar("apitoken_end", "expires_at"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def maker(self) -> str:
        """The name of whoever made it; empty once their login is deleted."""
        return "" if self.user is None else self.user.get_full_name() or self.user.get_username()


class TableToken(models.Model):
    """The secret behind the QR code on one card. It ends when it expires, when its table ends, or when it is revoked.

    `seat` is the seat that it enters deals for, 0 where it is the whole table's. `opened` tells the device on which a
    seat's card was opened last from all others.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="tokens")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="table_tokens")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the secret, in hex")
    code_digest = models.CharField(
        max_length=64, blank=True, default="", help_text="Keyed digest of the code to type; none on older cards"
    )
    seat = models.PositiveSmallIntegerField(default=0)
    opened = models.CharField(max_length=MOST_OPENED, blank=True, default="")
    table_version = models.PositiveIntegerField(help_text="Version of the table when the card was made")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="table_tokens")
    created_at = models.DateTimeField(default=now, editable=False)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            is_as_long("tabletoken_digest_is_64_hex_digits", "digest", 64),
            checks("tabletoken_expires_after_it_is_made", expires_at__gt=models.F("created_at")),
            texts_fit("tabletoken", code_digest=64, opened=MOST_OPENED),
            numbers_fit("tabletoken", table_version=(0, MOST_COUNT), seat=(0, MOST_SEATS)),
            within_the_calendar("tabletoken", "created_at", "expires_at", "last_used_at", "revoked_at"),
        ]

    def __str__(self) -> str:
        return f"Card of {self.table}"


class InvitationKind(models.TextChoices):
    """What opens a link that can be used once."""

    INVITE = "invite", gettext_lazy("invitation")
    PASSWORD = "password", gettext_lazy("password link")
    # The first login of an installation; made by the command that serves it.
    SETUP = "setup", gettext_lazy("first login")


class Invitation(models.Model):
    """A link that can be used once: to work for a club, to choose a new password, to set an installation up.

    Only the keyed digest of its code is kept. `user` is whose password is chosen; `name` and `note` are what an owner
    wrote about somebody who is invited. `made_by` is empty where a command of the server made the link.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=InvitationKind)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations", null=True, blank=True)
    role = models.CharField(max_length=20, choices=Role, blank=True, default="")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="password_links", null=True, blank=True
    )
    name = models.CharField(max_length=MOST_INVITED_NAME, blank=True, default="")
    note = models.CharField(max_length=MOST_INVITED_NOTE, blank=True, default="")
    forgets_second_factor = models.BooleanField(default=False)
    digest = models.CharField(max_length=64, unique=True, help_text="Keyed digest of the code, in hex")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations_made", null=True, blank=True
    )
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations_used", null=True, blank=True
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "pk"]
        constraints = [
            checks("invitation_kind_is_known", kind__in=InvitationKind.values),
            checks("invitation_role_is_known", role__in=["", *Role.values]),
            checks(
                "invitation_says_whom_it_lets_in",
                models.Q(kind=InvitationKind.SETUP)
                | models.Q(kind=InvitationKind.PASSWORD, user__isnull=False)
                | (models.Q(kind=InvitationKind.INVITE, club__isnull=False) & ~models.Q(role="")),
            ),
            is_as_long("invitation_digest_is_64_hex_digits", "digest", 64),
            texts_fit("invitation", name=MOST_INVITED_NAME, note=MOST_INVITED_NOTE),
            checks("invitation_expires_after_it_is_made", expires_at__gt=models.F("made_at")),
            within_the_calendar("invitation", "made_at", "expires_at", "used_at", "revoked_at"),
        ]

    def __str__(self) -> str:
        return " ".join(filter(None, (self.get_role_display(), self.name))) or self.get_kind_display()


class FailedAttempts(models.Model):
    """Failed attempts for one name from one place, or from one place under any name.

    The name is kept as a keyed digest: people type their password into the wrong field.
    """

    kind = models.CharField(max_length=10)
    subject = models.CharField(max_length=64, blank=True)
    place = models.CharField(max_length=80)
    failures = models.PositiveIntegerField(default=0)
    free_at = models.DateTimeField()
    lapses_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "place", "subject"], name="failedattempts_one_row_each"),
            texts_fit("failedattempts", kind=10, subject=64, place=80),
            numbers_fit("failedattempts", failures=(0, MOST_COUNT)),
            within_the_calendar("failedattempts", "free_at", "lapses_at"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} from {self.place}: {self.failures}"
