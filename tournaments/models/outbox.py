"""Receivers of a club's messages, the browsers that asked for some, and what was or is to be sent to each.

A receiver follows the club's log from its own position. Addresses and secrets are encrypted
(`tournaments.outbox.secrets`); a delivery names players by id only, names are added when it is sent.
"""

import uuid

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy

from tournaments.models.bounds import (
    MOST_COUNT,
    MOST_POSITION,
    checks,
    json_fits,
    numbers_fit,
    texts_fit,
    within_the_calendar,
)
from tournaments.models.people import Club, Player
from tournaments.models.play import Tournament

MOST_RECEIVER_NAME, MOST_SEALED, MOST_SITE = 100, 4_000, 200
MOST_KINDS = 1_000
# The seating of five thousand players, by id.
MOST_BODY = 1_000_000
MOST_ANSWER = 300
MOST_MESSAGE_ID = 80


class MessageKind(models.TextChoices):
    """What a message tells. The values are part of the contract: receivers sort by them."""

    SEATING_PUBLISHED = "seating_published", gettext_lazy("Seating published")
    SEATING_WITHDRAWN = "seating_withdrawn", gettext_lazy("Seating undone")
    ROUND_STARTED = "round_started", gettext_lazy("Round started")
    TABLE_RESULT = "table_result", gettext_lazy("Result of a table")
    DEAL_CORRECTED = "deal_corrected", gettext_lazy("Deal corrected")
    ENTRY_RECEIVED = "entry_received", gettext_lazy("Player entered")
    STANDBY_PLACE = "standby_place", gettext_lazy("Place on the standby list")
    BALANCE_DUE = "balance_due", gettext_lazy("Balance due")
    NIGHT_REPORT = "night_report", gettext_lazy("Tournament report")
    TEST = "test", gettext_lazy("Test message")


class Receiver(models.Model):
    """Where a club's messages go. It is told of events after `position`; a new one starts at the end of the log.

    `busy_until` is the claim of the worker that sends to it, and after failures the moment of the next try.
    """

    class Channel(models.TextChoices):
        """How it is reached. `players`: by mail to each player who agreed to it, about that player alone.

        `push`: the browsers of readers who asked for it; a club has one such receiver from the first of them on.
        """

        WEBHOOK = "webhook", gettext_lazy("Webhook")
        CHAT = "chat", gettext_lazy("Chat")
        MAIL = "mail", gettext_lazy("E-mail address")
        PLAYERS = "players", gettext_lazy("Players by e-mail")
        PUSH = "push", gettext_lazy("Browsers of readers")

    class OffReason(models.TextChoices):
        """Why it was switched off, where no person of the club did it."""

        GONE = "gone", gettext_lazy("The address answered that it no longer exists (410)")
        FAILING = "failing", gettext_lazy("No message arrived for three days")
        UNSUBSCRIBED = "unsubscribed", gettext_lazy("The reader unsubscribed")
        UNREADABLE = "unreadable", gettext_lazy("The secret key of this site has changed: enter the address again")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="receivers")
    channel = models.CharField(max_length=10, choices=Channel)
    name = models.CharField(max_length=MOST_RECEIVER_NAME)
    address = models.TextField(blank=True, default="", help_text="Encrypted; empty for players")
    secret = models.TextField(blank=True, default="", help_text="Of a webhook, encrypted: signs each message")
    old_secret = models.TextField(blank=True, default="", help_text="The one before, which signs as well for a while")
    old_secret_until = models.DateTimeField(null=True, blank=True)
    kinds = models.JSONField(default=list, help_text="Kinds of messages it gets")
    language = models.CharField(max_length=10, blank=True, default="", help_text="Empty: the club's")
    site = models.CharField(max_length=MOST_SITE, help_text="Scheme and host with which links begin")
    position = models.BigIntegerField()
    is_on = models.BooleanField(default=True)
    off_reason = models.CharField(max_length=20, choices=OffReason, blank=True, default="")
    off_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0, help_text="In a row")
    busy_until = models.DateTimeField(default=now)
    created_at = models.DateTimeField(default=now)

    class Meta:
        ordering = ["created_at", "id"]
        constraints = [
            checks("receiver_channel_is_known", channel__in=["webhook", "chat", "mail", "players", "push"]),
            checks(
                "receiver_off_reason_is_known", off_reason__in=["", "gone", "failing", "unsubscribed", "unreadable"]
            ),
            numbers_fit("receiver", position=(0, MOST_POSITION), failures=(0, MOST_COUNT)),
            texts_fit(
                "receiver",
                name=MOST_RECEIVER_NAME,
                address=MOST_SEALED,
                secret=MOST_SEALED,
                old_secret=MOST_SEALED,
                language=10,
                site=MOST_SITE,
            ),
            json_fits("receiver", kinds=MOST_KINDS),
            within_the_calendar("receiver", "old_secret_until", "off_at", "failing_since", "busy_until", "created_at"),
        ]

    def __str__(self) -> str:
        return self.name


class PushSubscription(models.Model):
    """A browser that is told of one tournament, or of one player, until its reader stops it or it is gone.

    Nobody is known by it. `browser` is what the browser gave: the address at its push service, which lets anyone send
    to it, and the keys that only this browser reads with.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    browser = models.TextField(help_text="Address and keys, encrypted")
    address_digest = models.CharField(max_length=64, help_text="Of the address: the same browser has the same")
    language = models.CharField(max_length=10)
    network = models.CharField(max_length=64, help_text="Keyed digest of the network it came from")
    created_at = models.DateTimeField(default=now)
    failing_since = models.DateTimeField(null=True, blank=True)
    last_failure = models.CharField(max_length=MOST_ANSWER, blank=True, default="")

    class Meta:
        ordering = ["created_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["address_digest", "tournament"], name="pushsubscription_tournament_once"),
            models.UniqueConstraint(fields=["address_digest", "player"], name="pushsubscription_player_once"),
            checks(
                "pushsubscription_follows_one",
                models.Q(tournament__isnull=True, player__isnull=False)
                | models.Q(tournament__isnull=False, player__isnull=True),
            ),
            texts_fit(
                "pushsubscription",
                browser=MOST_SEALED,
                address_digest=64,
                language=10,
                network=64,
                last_failure=MOST_ANSWER,
            ),
            within_the_calendar("pushsubscription", "created_at", "failing_since"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Delivery(models.Model):
    """One message to one receiver, written in the transaction that moves the receiver's position past its event.

    `number` counts the messages of one event; `player` is the one whom mail to players goes to, `subscription` the
    browser. `body` is the message as JSON without names.
    """

    class State(models.TextChoices):
        """Whether it still waits, arrived, was given up, or had become pointless before it could be sent."""

        WAITING = "waiting", gettext_lazy("Waiting")
        SENT = "sent", gettext_lazy("Sent")
        FAILED = "failed", gettext_lazy("Not accepted")
        DROPPED = "dropped", gettext_lazy("Not sent")

    receiver = models.ForeignKey(Receiver, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    position = models.BigIntegerField()
    number = models.PositiveIntegerField()
    message_id = models.CharField(max_length=MOST_MESSAGE_ID, help_text="By it receivers know what they have already")
    kind = models.CharField(max_length=20, choices=MessageKind)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    subscription = models.ForeignKey(
        PushSubscription, on_delete=models.CASCADE, null=True, blank=True, related_name="deliveries"
    )
    body = models.TextField()
    told_at = models.DateTimeField(help_text="When the event was recorded")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    tries = models.PositiveIntegerField(default=0)
    next_try_at = models.DateTimeField(default=now)
    tried_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="HTTP status of the last answer")
    answer = models.CharField(max_length=MOST_ANSWER, blank=True, default="", help_text="Why it did not arrive")

    class Meta:
        ordering = ["position", "number", "id"]
        constraints = [
            models.UniqueConstraint(fields=["receiver", "position", "number"], name="delivery_once"),
            checks("delivery_kind_is_known", kind__in=MessageKind.values),
            checks("delivery_state_is_known", state__in=["waiting", "sent", "failed", "dropped"]),
            numbers_fit(
                "delivery", position=(0, MOST_POSITION), number=(0, MOST_COUNT), tries=(0, MOST_COUNT), status=(0, 999)
            ),
            texts_fit("delivery", message_id=MOST_MESSAGE_ID, body=MOST_BODY, answer=MOST_ANSWER),
            within_the_calendar("delivery", "told_at", "next_try_at", "tried_at"),
        ]
        indexes = [
            models.Index(
                fields=["receiver", "next_try_at"], condition=models.Q(state="waiting"), name="delivery_waiting"
            ),
            models.Index(fields=["receiver"], condition=models.Q(state="failed"), name="delivery_failed"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.receiver_id}: {self.state}"
