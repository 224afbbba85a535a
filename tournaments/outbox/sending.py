"""Sends what waits: each receiver by one worker at a time, in the order of the log, until it arrives or is given up.

A worker claims a receiver by a date in the future; one that is killed holds it until then, and no message is lost. A
message that was sent, and whose worker died before it could note that, is sent again under the same id. A receiver that
does not answer makes all its messages wait; one that refuses a single message gets the others meanwhile. Rules:
docs/how-to/messages.md, docs/decisions/0083-an-outbox-follows-the-log.md.
"""

import base64
import hmac
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.core.mail import send_mail
from django.db import connection
from django.db.models import Exists, OuterRef, Q
from django.utils.timezone import now
from django.utils.translation import gettext, override

from scoring.messages import Message, say
from tournaments.models import Delivery, Membership, Receiver, Role
from tournaments.models.outbox import MOST_ANSWER
from tournaments.outbox import chat, mail
from tournaments.outbox.following import clubs_behind, follow
from tournaments.outbox.posting import AddressRefused, NoAnswer, post
from tournaments.outbox.rendering import NotYet, Rendered, rendered
from tournaments.outbox.secrets import PREFIX, CannotBeRead, opened
from tournaments.rendering.i18n.translating import language_of_locale, translate
from tournaments.transient_errors import is_outage

# Between the tries of a message; after the last one it is given up. Three days in all.
PAUSES = [
    timedelta(seconds=seconds) for seconds in (5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400)
]
OFF_AFTER = timedelta(days=3)
# Longer than one message can take: after that the worker that holds a receiver has died.
CLAIM = timedelta(seconds=60)
MOST_AT_ONCE = 50
MOST_SECONDS = timedelta(seconds=30)
SETTLING = timedelta(seconds=10)
# After so many tries of one message a chat gets the next one.
CHAT_TRIES = 3
KEPT = timedelta(days=7)
THREADS = 8
logger = logging.getLogger(__name__)


class Result(Enum):
    """How an attempt ended."""

    SENT = "sent"
    # This message was refused; others may be taken.
    REFUSED = "refused"
    # The receiver did not answer, or cannot take anything now.
    DOWN = "down"
    # It takes nothing any more.
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Attempt:
    """How an attempt ended, with the HTTP status where there was one, a reason, and how long it was asked to wait."""

    result: Result
    status: int | None = None
    why: str = ""
    wait: timedelta = timedelta()


def message_id(receiver: Receiver, delivery: Delivery) -> str:
    """The id of a message, the same at every try: receivers recognise by it what they have already."""
    return f"msg_{receiver.club_id.hex}_{delivery.position}_{delivery.number}"


def due() -> list[UUID]:
    """The receivers with something to send now that no worker holds, those waiting longest first."""
    moment = now()
    waiting = Delivery.objects.filter(receiver=OuterRef("pk"), state=Delivery.State.WAITING, next_try_at__lte=moment)
    ready = Receiver.objects.filter(Exists(waiting), is_on=True, busy_until__lte=moment)
    return list(ready.order_by("busy_until").values_list("pk", flat=True))


def tell_owed(send: Callable[[UUID], object]) -> None:
    """Write the deliveries of new events, and pass each receiver with something to send to `send`."""
    for club_id in clubs_behind():
        try:
            while follow(club_id, now=now()):
                pass
        except Exception as error:
            if is_outage(error):
                raise
            # The other clubs' messages must not wait for it.
            logger.exception("a club's events cannot be told", extra={"club": str(club_id)})
    for receiver_id in due():
        send(receiver_id)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, thread_name_prefix="outbox")


def in_threads(receiver_id: UUID) -> None:
    """Have one of the worker's threads send, and do not wait for it: a slow receiver delays no other."""
    _threads().submit(_in_thread, receiver_id)


def _in_thread(receiver_id: UUID) -> None:
    try:
        send_due(receiver_id)
    except Exception as error:
        if is_outage(error):
            logger.warning("messages wait: the database does not answer (%s)", type(error).__name__)
        else:
            logger.exception("messages could not be sent", extra={"receiver": str(receiver_id)})
    finally:
        connection.close()


def send_due(receiver_id: UUID) -> int:
    """Send to one receiver what is due, for half a minute at most. Nothing if another worker holds it.

    Receiver, delivery and player are read again before each message: what was switched off, stopped or erased meanwhile
    is not sent.
    """
    began = now()
    row = Receiver.objects.filter(pk=receiver_id, is_on=True)
    if not row.filter(busy_until__lte=began).update(busy_until=began + CLAIM):
        return 0
    free_at, claimed_at, tries = began, began, 0
    _end_of_failing(receiver_id)
    waiting = Delivery.objects.filter(receiver=receiver_id, state=Delivery.State.WAITING, next_try_at__lte=began)
    due_now = list(waiting.order_by("position", "number").values_list("pk", flat=True)[:MOST_AT_ONCE])
    for delivery_id in due_now:
        moment = now()
        if moment - began > MOST_SECONDS:
            break
        mine = row.filter(busy_until=claimed_at + CLAIM)
        if moment - claimed_at > CLAIM / 4 and mine.update(busy_until=moment + CLAIM):
            claimed_at = moment
            mine = row.filter(busy_until=claimed_at + CLAIM)
        receiver = mine.select_related("club").first()
        if receiver is None:
            break
        delivery = waiting.select_related("player").filter(pk=delivery_id).first()
        if delivery is None:
            continue
        attempt = _attempt(delivery, receiver)
        if attempt is None:
            continue
        tries += 1
        _note(delivery, attempt, now(), counts=attempt.result is not Result.DOWN or _is_chat(receiver))
        pause = _pause(receiver, attempt, now())
        if pause is not None:
            free_at = now() + pause
            break
    _end_of_failing(receiver_id)
    row.filter(busy_until=claimed_at + CLAIM).update(busy_until=free_at)
    return tries


def _end_of_failing(receiver_id: UUID) -> None:
    """Forget failures where no message that failed waits any more: given up, dropped and erased ones prove nothing."""
    failed = Delivery.objects.filter(receiver=receiver_id, state=Delivery.State.WAITING, tried_at__isnull=False)
    failing = Receiver.objects.filter(~Exists(failed), pk=receiver_id, failing_since__isnull=False, is_on=True)
    failing.update(failing_since=None, failures=0)


def _is_chat(receiver: Receiver) -> bool:
    return receiver.channel == Receiver.Channel.CHAT


def _pause(receiver: Receiver, attempt: Attempt, moment: datetime) -> timedelta | None:
    """Note at the receiver how an attempt ended; how long it is left alone now, None where the next message follows."""
    row = Receiver.objects.filter(pk=receiver.pk)
    if attempt.result is Result.SENT:
        if receiver.failing_since is not None:
            receiver.failing_since, receiver.failures = None, 0
            row.update(failing_since=None, failures=0)
        return None
    if attempt.result is Result.REFUSED and receiver.channel == Receiver.Channel.PLAYERS:
        # One player's mailbox says nothing of the others'.
        return None
    receiver.failures += 1
    receiver.failing_since = receiver.failing_since or moment
    row.update(failing_since=receiver.failing_since, failures=receiver.failures)
    if attempt.result is Result.GONE:
        switch_off(receiver, Receiver.OffReason.GONE, now=moment)
        return timedelta()
    if moment - receiver.failing_since >= OFF_AFTER:
        switch_off(receiver, Receiver.OffReason.FAILING, now=moment)
        return timedelta()
    if attempt.result is Result.DOWN:
        return max(PAUSES[min(receiver.failures, len(PAUSES)) - 1], attempt.wait)
    return None


def _attempt(delivery: Delivery, receiver: Receiver) -> Attempt | None:
    """Send one message; None where there was nothing to send, or not yet."""
    try:
        return _sent(delivery, receiver)
    except CannotBeRead:
        switch_off(receiver, Receiver.OffReason.UNREADABLE, now=now())
        return Attempt(Result.DOWN, why=_said(receiver, say("The secret key of this site has changed")))
    except Exception as error:
        if is_outage(error):
            raise
        # A defect of ours in one message must not hold up all later ones.
        logger.exception("a message cannot be sent", extra={"delivery": delivery.pk})
        return Attempt(Result.REFUSED, why=type(error).__name__)


def _sent(delivery: Delivery, receiver: Receiver) -> Attempt | None:
    try:
        message = rendered(delivery, receiver)
    except NotYet:
        Delivery.objects.filter(pk=delivery.pk).update(next_try_at=now() + SETTLING)
        return None
    player = delivery.player
    has_stopped = player is not None and not (player.wants_mail and player.email)
    if message is None or has_stopped:
        Delivery.objects.filter(pk=delivery.pk).update(state=Delivery.State.DROPPED, tried_at=now())
        return None
    return _SEND[receiver.channel](message, delivery, receiver)


def _note(delivery: Delivery, attempt: Attempt, moment: datetime, *, counts: bool = True) -> None:
    """Store how an attempt ended. A message that did not arrive waits, longer each time, and is given up at last.

    Not `counts`: the receiver was down, which is no try of this message.
    """
    noted = {
        "tries": delivery.tries + counts,
        "tried_at": moment,
        "status": attempt.status,
        # Answers come from elsewhere: what cannot be stored in every database is left out.
        "answer": "".join(sign if sign.isprintable() else " " for sign in attempt.why)[:MOST_ANSWER],
    }
    if attempt.result is Result.SENT:
        noted["state"] = Delivery.State.SENT
    elif attempt.result is Result.REFUSED:
        if delivery.tries >= len(PAUSES):
            noted["state"] = Delivery.State.FAILED
        else:
            noted["next_try_at"] = moment + max(PAUSES[delivery.tries], attempt.wait)
    Delivery.objects.filter(pk=delivery.pk).update(**noted)


def _to_webhook(message: Rendered, delivery: Delivery, receiver: Receiver) -> Attempt:
    """Post to a webhook, signed as Standard Webhooks describes; with two secrets while they are exchanged."""
    moment = now()
    secrets = [opened(receiver.secret)]
    if receiver.old_secret and receiver.old_secret_until is not None and receiver.old_secret_until > moment:
        secrets.append(opened(receiver.old_secret))
    identity, stamp = message_id(receiver, delivery), str(int(moment.timestamp()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "rummy-evening",
        "webhook-id": identity,
        "webhook-timestamp": stamp,
        "webhook-signature": " ".join(signature(secret, identity, stamp, message.payload) for secret in secrets),
    }
    try:
        answer = post(opened(receiver.address), message.payload, headers, allows_inner=settings.OUTBOX_ALLOWS_INNER)
    except AddressRefused as refused:
        return Attempt(Result.DOWN, why=_said(receiver, refused.message))
    except NoAnswer as error:
        return Attempt(Result.DOWN, why=str(error))
    wait = timedelta(seconds=answer.retry_after or 0)
    if answer.is_success:
        return Attempt(Result.SENT, answer.status)
    if answer.status == 410:
        return Attempt(Result.GONE, answer.status)
    if 300 <= answer.status < 400:
        why = _said(receiver, say("The address redirects. Enter the address it leads to"))
        return Attempt(Result.DOWN, answer.status, why, wait)
    is_down = answer.status >= 500 or answer.status in (401, 403, 404, 408, 425, 429)
    return Attempt(Result.DOWN if is_down else Result.REFUSED, answer.status, wait=wait)


def signature(secret: str, identity: str, stamp: str, body: bytes) -> str:
    """HMAC-SHA256 over id, time and body, as a receiver verifies it."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    digest = hmac.new(key, f"{identity}.{stamp}.".encode() + body, sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def _to_chat(message: Rendered, delivery: Delivery, receiver: Receiver) -> Attempt:
    why = chat.send(opened(receiver.address), message.subject, f"{message.text}\n{message.link}")
    if not why:
        return Attempt(Result.SENT)
    # The library does not tell a chat that is down from one that does not like this message.
    is_refused = delivery.tries + 1 >= CHAT_TRIES
    return Attempt(Result.REFUSED if is_refused else Result.DOWN, why=_said(receiver, why))


def _to_mail(message: Rendered, delivery: Delivery, receiver: Receiver) -> Attempt:
    player = delivery.player
    address = player.email if player is not None else opened(receiver.address)
    why, is_refused = mail.send(message, address, message_id(receiver, delivery), receiver, player)
    if not why:
        return Attempt(Result.SENT)
    return Attempt(Result.REFUSED if is_refused else Result.DOWN, why=why)


_SEND: dict[str, Callable[[Rendered, Delivery, Receiver], Attempt]] = {
    Receiver.Channel.WEBHOOK: _to_webhook,
    Receiver.Channel.CHAT: _to_chat,
    Receiver.Channel.MAIL: _to_mail,
    Receiver.Channel.PLAYERS: _to_mail,
}


def _said(receiver: Receiver, message: Message) -> str:
    with override(language_of_locale(receiver.club.locale)):
        return translate(message)


def switch_off(receiver: Receiver, reason: str, *, now: datetime) -> None:
    """Switch a receiver off; *Today* says so, and the club's owners get a mail where the site sends any."""
    Receiver.objects.filter(pk=receiver.pk).update(is_on=False, off_reason=reason, off_at=now)
    if not mail.is_set_up() or reason == Receiver.OffReason.UNSUBSCRIBED:
        return
    owners = Membership.objects.filter(club=receiver.club_id, role=Role.OWNER, user__is_active=True)
    addresses = [address for address in owners.values_list("user__email", flat=True) if address]
    with override(language_of_locale(receiver.club.locale)):
        subject = gettext("{club}: messages to {name} are off").format(club=receiver.club.name, name=receiver.name)
        text = f"{Receiver.OffReason(reason).label}.\n{mail.page_of(receiver)}"
    try:
        send_mail(subject, text, None, addresses)
    except Exception as error:  # noqa: BLE001 - each backend has failures of its own; Today says the same
        logger.warning("owners could not be written to: %s", type(error).__name__)


def sweep(*, now: datetime) -> int:
    """Delete deliveries that ended a week ago, and those of receivers that are off; returns how many."""
    ended = Q(tried_at__lt=now - KEPT) & ~Q(state=Delivery.State.WAITING)
    off = Q(receiver__is_on=False, receiver__off_at__lt=now - KEPT, told_at__lt=now - KEPT)
    return Delivery.objects.filter(ended | off).delete()[0]
