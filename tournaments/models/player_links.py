"""What a player has who does not work for the club: a personal link, and what was said with it to the desk.

Only digests of secrets are kept. Knows nothing of what a link shows: `tournaments.web.public.people.personal_link`
does, and `tournaments.people.player_links` decides when a link ends and a code is right.
"""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy

from tournaments.models.bounds import MOST_SMALL, checks, is_as_long, numbers_fit, texts_fit, within_the_calendar
from tournaments.models.people import MOST_EMAIL, Club, Player
from tournaments.models.play import Tournament


class PlayerLink(models.Model):
    """A link that one player has: at most one of a player works. `made_by` is an actor such as `user:7`.

    `code_digest` is of the one-time code that opens what is the player's own for a while; `code_tries` counts how often
    one was typed. `new_email` is an address that the code was sent to, and that it confirms.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="links")
    digest = models.CharField(max_length=64, unique=True, help_text="Keyed digest of the link's code, in hex")
    made_by = models.CharField(max_length=100)
    made_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    code_digest = models.CharField(max_length=64, blank=True, default="", help_text="Keyed digest of the one-time code")
    code_until = models.DateTimeField(null=True, blank=True)
    code_tries = models.PositiveSmallIntegerField(default=0)
    mailed_at = models.DateTimeField(null=True, blank=True, help_text="When a code was mailed that nobody has used")
    new_email = models.EmailField(max_length=MOST_EMAIL, blank=True, default="")

    class Meta:
        ordering = ["-made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=models.Q(revoked_at__isnull=True), name="playerlink_one_works"
            ),
            is_as_long("playerlink_digest_is_64_hex_digits", "digest", 64),
            texts_fit("playerlink", made_by=100, code_digest=64, new_email=MOST_EMAIL),
            numbers_fit("playerlink", code_tries=(0, MOST_SMALL)),
            within_the_calendar("playerlink", "made_at", "last_used_at", "revoked_at", "code_until", "mailed_at"),
        ]

    def __str__(self) -> str:
        return f"Link of {self.player}"


class PlayerNotice(models.Model):
    """What was said with a player's link about one tournament, the last of its kind. The desk decides what follows."""

    class Kind(models.TextChoices):
        """What was said."""

        HERE = "here", gettext_lazy("I am here")
        LATE = "late", gettext_lazy("I am late")
        CANNOT_COME = "cannot_come", gettext_lazy("I cannot come")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+", db_index=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="notices", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=12, choices=Kind)
    said_at = models.DateTimeField()
    comes_at = models.DateTimeField(null=True, blank=True, help_text="When who is late expects to come")
    dismissed_at = models.DateTimeField(null=True, blank=True)
    dismissed_by = models.CharField(max_length=100, blank=True, default="")

    class Meta:
        ordering = ["said_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player", "kind"], name="playernotice_one_each"),
            checks("playernotice_kind_is_known", kind__in=["here", "late", "cannot_come"]),
            checks("playernotice_late_until", models.Q(kind="late", comes_at__isnull=False) | ~models.Q(kind="late")),
            texts_fit("playernotice", dismissed_by=100),
            within_the_calendar("playernotice", "said_at", "comes_at", "dismissed_at"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.kind}"
