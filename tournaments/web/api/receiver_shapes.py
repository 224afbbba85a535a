"""The answers and bodies about the receivers of a club's messages, and about its boxes.

Rules: docs/reference/api.md, "Messages" and "Boxes". A field that is left out of an answer has the default given here.
"""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from tournaments.models.outbox import MOST_RECEIVER_NAME
from tournaments.outbox.receivers import MOST_ADDRESS
from tournaments.web.api.table_shapes import Page

# Readers add what is for their browsers (`push`); it is listed, switched and removed as the others.
AnyChannel = Literal["webhook", "chat", "mail", "players", "push"]
Channel = Literal["webhook", "chat", "mail", "players"]
KindName = Literal[
    "seating_published",
    "seating_withdrawn",
    "round_started",
    "table_result",
    "deal_corrected",
    "entry_received",
    "standby_place",
    "balance_due",
    "night_report",
]
ReceiverName = Annotated[str, Meta(min_length=1, max_length=MOST_RECEIVER_NAME)]
Address = Annotated[
    str, Meta(max_length=MOST_ADDRESS, description="Of the webhook, the chat or the mailbox; empty for players")
]
Kinds = Annotated[list[KindName], Meta(min_length=1, max_length=20)]
Language = Annotated[str, Meta(max_length=10, description="A language of this site; empty: the club's")]


class ReceiverAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where messages go. `off_reason` says why it was switched off, where no person of the club did it.

    `failures` are those in a row, since `failing_since`. `address` is empty where it cannot be read any more.
    """

    id: UUID
    club: UUID
    channel: AnyChannel
    name: str
    address: str
    kinds: list[KindName]
    is_on: bool
    created_at: datetime
    language: str = ""
    off_reason: Literal["", "gone", "failing", "unsubscribed", "unreadable"] = ""
    off_at: datetime | None = None
    failing_since: datetime | None = None
    failures: int = 0
    old_secret_until: datetime | None = None


class ReceiverWithSecret(ReceiverAnswer, frozen=True, kw_only=True, omit_defaults=True):
    """A receiver; the `secret` of a webhook signs each message, and is in the answers that set it alone."""

    secret: str | None = None


class ReceiverPage(Page[ReceiverAnswer], frozen=True, kw_only=True):
    """A page of receivers."""


class ReceiverBody(msgspec.Struct, kw_only=True):
    """A new receiver. It is told of what happens from now on."""

    channel: Channel
    name: ReceiverName
    address: Address = ""
    kinds: Kinds
    language: Language = ""


class ReceiverChange(msgspec.Struct, kw_only=True):
    """What is to change of a receiver; what is left out stays. What waits goes to the new address."""

    name: ReceiverName | None = None
    address: Address | None = None
    kinds: Kinds | None = None
    language: Language | None = None


class SwitchBody(msgspec.Struct, kw_only=True):
    """Whether messages are sent."""

    is_on: bool


class ReceiverAct(msgspec.Struct, kw_only=True):
    """Nothing needs to be given."""


class DeliveryAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message. `position` is that of its event in the club's log, 0 of a test; `told_at` is when that was recorded.

    `player` is whom a mail to players goes to. `answer` says why it did not arrive.
    """

    position: int
    number: int
    kind: str
    state: Literal["waiting", "sent", "failed", "dropped"]
    told_at: datetime
    tries: int = 0
    tried_at: datetime | None = None
    next_try_at: datetime | None = None
    player: UUID | None = None
    status: int | None = None
    answer: str = ""


class DeliveryPage(Page[DeliveryAnswer], frozen=True, kw_only=True):
    """A page of messages, the newest first."""


class BoxAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A club box. Another installation takes it with its `code`, which is empty for a box that cannot be read."""

    name: str
    made_at: datetime
    bytes: int
    code: str


class BoxPage(Page[BoxAnswer], frozen=True, kw_only=True):
    """A page of boxes, the newest first."""


class BoxBody(msgspec.Struct, kw_only=True):
    """Nothing needs to be given."""
