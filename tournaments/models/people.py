"""Who is here: clubs, the people who work for them, their devices' tokens, and the players.

Personal data lives in these rows and nowhere else, so that it can be erased: events know a player by UUID.
Knows nothing of what a role may do; `tournaments.access` does.
"""

import unicodedata
import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Length, Upper
from django.db.models.lookups import Exact
from django.utils.timezone import now

TELLING_DIGITS = 4


def currency_shape(name: str) -> models.CheckConstraint:
    """Three upper-case letters, as ISO 4217 writes them."""
    return models.CheckConstraint(
        condition=Exact(Length("currency"), 3) & Exact(models.F("currency"), Upper("currency")), name=name
    )


def name_key(name: str) -> str:
    """The name as it is compared: width, case and runs of blanks do not tell two people apart."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def telling_name(name: str, player_id: uuid.UUID) -> str:
    """The name of a player who shares it with another: some letters of the id follow it."""
    return f"{name} ({player_id.hex[:TELLING_DIGITS]})"


class NameKeyField(models.CharField):  # type: ignore[type-arg]  # it takes none at run time
    """Follows the row's `name` whenever the row is written, so that no form can forget it."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # noqa: FBT001 - Django's signature
        value = name_key(str(model_instance.name))  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, value)
        return value


class Club(models.Model):
    """A club: every other row belongs to one, and nobody sees two without being in both."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200)
    slug = models.SlugField(max_length=60, unique=True)
    currency = models.CharField(max_length=3, default="INR", help_text="ISO 4217, for example INR")
    timezone = models.CharField(max_length=60, default="Asia/Kolkata", help_text="For example Asia/Kolkata")
    locale = models.CharField(max_length=20, default="en_IN", help_text="How amounts are written, for example en_IN")
    keeps_limits = models.BooleanField(
        default=False, help_text="Nobody sits down or buys back in without the money for it in the club, or credit"
    )
    is_published = models.BooleanField(default=False, help_text="Boards can be read without login")
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [currency_shape("club_currency_is_three_capitals")]

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """What a person or a device is to a club."""

    OWNER = "owner"
    DIRECTOR = "director"
    SCORER = "scorer"
    CASHIER = "cashier"
    CHECKIN = "checkin", "check-in"
    AUDITOR = "auditor"
    DISPLAY = "display"


class Membership(models.Model):
    """One person's one role in one club."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "club"], name="membership_one_role_per_club"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role}, {self.club})"


class ApiToken(models.Model):
    """A device's bearer token for one club and one role: only its digest is kept."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="tokens")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    role = models.CharField(max_length=20, choices=Role)
    name = models.CharField(max_length=100, help_text="Which device carries it")
    prefix = models.CharField(max_length=12, help_text="Its first characters, to tell tokens apart")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, in hex")
    created_at = models.DateTimeField(default=now, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="apitoken_role_is_known"),
            models.CheckConstraint(condition=Exact(Length("digest"), 64), name="apitoken_digest_is_64_hex_digits"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class Player(models.Model):
    """Somebody who plays at the club. Two players may share a name: that is warned about, not forbidden."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    name = models.CharField(max_length=200)
    name_key = NameKeyField(max_length=800, editable=False)
    is_member = models.BooleanField(
        "member of the club", default=False, help_text="Enters at the members’ rate where a tournament's plan has one"
    )
    note = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(default=now, editable=False)
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["name_key"]
        indexes = [models.Index(fields=["club", "name_key"], name="player_by_club_and_name")]

    def __str__(self) -> str:
        return self.name
