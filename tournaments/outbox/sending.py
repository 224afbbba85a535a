"""Sends what waits: each receiver by one worker at a time, in the order of the log, until it arrives or is given up.

A worker claims a receiver by a date in the future; one that is killed holds it until then, and no message is lost. A
message that was sent, and whose worker died before it could note that, is sent again under the same id. A receiver that
does not answer makes all its messages wait; one that refuses a single message gets the others meanwhile. Rules:
docs/how-to/messages.md, docs/decisions/0083-an-outbox-follows-the-log.md.
"""

import base64
import hmac
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from hashlib import sha256
from threading import Lock
from uuid import UUID

from django.conf import settings
from django.core.mail import send_mail
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext, override

from scoring.messages import Message, say
from tournaments.models import Delivery, Membership, PushSubscription, Receiver, Role
from tournaments.models.outbox import MOST_ANSWER
from tournaments.models.statements import PreparedQuery
from tournaments.outbox import chat, mail, push
from tournaments.outbox.following import clubs_behind, follow
from tournaments.outbox.posting import AddressRefused, NoAnswer, post
from tournaments.outbox.rendering import Lookups, NotYet, Rendered, rendered
from tournaments.outbox.secrets import PREFIX, CannotBeRead, opened
from tournaments.rendering.i18n.translating import language_of_locale, translate
from tournaments.transient_errors import is_outage, outage_line

# Between the tries of a message; after the last one it is given up. Three days in all.
PAUSES = [
    timedelta(seconds=seconds) for seconds in (5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400)
]
OFF_AFTER = timedelta(days=3)
# So often, in three quarters of an hour, one message fails before a browser is given up: a club is silent for a week
# between two evenings, and one failure at the end of each proves nothing.
TRIES_FOR_A_BROWSER = 5
# Longer than one message can take: after that the worker that holds a receiver has died.
CLAIM = timedelta(seconds=60)
MOST_AT_ONCE = 200
MOST_SECONDS = timedelta(seconds=30)
# Each goes to a push service far away, and two hundred readers want to know their seat now.
BROWSERS_AT_ONCE = 16
# A message with its receiver as they are now: made anew for each, this question was a third of the time of sending it.
_DELIVERIES = PreparedQuery(
    lambda delivery_id: Delivery.objects.select_related("receiver", "player").filter(pk=delivery_id), (1, 2)
)
SETTLING = timedelta(seconds=10)
# After so many tries of one message a chat gets the next one.
CHAT_TRIES = 3
KEPT = timedelta(days=7)
# For all clubs together, made as they are needed.
THREADS = 16
# Of one club, and one more for those of its receivers whose last message failed.
SHARE, FAILING_SHARE = 3, 1
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


def due() -> list[Receiver]:
    """The receivers with something to send now that no worker holds, those waiting longest first."""
    moment = now()
    waiting = Delivery.objects.filter(receiver=OuterRef("pk"), state=Delivery.State.WAITING, next_try_at__lte=moment)
    ready = Receiver.objects.filter(Exists(waiting), is_on=True, busy_until__lte=moment)
    return list(ready.order_by("busy_until").only("club_id", "failing_since"))


def tell_owed(send: Callable[[Receiver], object]) -> None:
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
    for receiver in due():
        send(receiver)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, thread_name_prefix="outbox")


# The receivers of a club, and whether their last message failed: each such lane has its share of the threads.
Lane = tuple[UUID, bool]
_lanes_lock = Lock()
_queued: dict[Lane, dict[UUID, Receiver]] = {}
_at_work: Counter[Lane] = Counter()


def in_threads(receiver: Receiver) -> None:
    """Have one of the worker's threads send, and do not wait for it.

    Receivers that hang take the share of their lane, and delay no other club: those of the same lane are queued.
    """
    lane = receiver.club_id, receiver.failing_since is not None
    with _lanes_lock:
        _queued.setdefault(lane, {})[receiver.pk] = receiver
        if _at_work[lane] >= (FAILING_SHARE if lane[1] else SHARE):
            return
        _at_work[lane] += 1
    _threads().submit(_send_in_lane, lane)


def _send_in_lane(lane: Lane) -> None:
    try:
        while True:
            with _lanes_lock:
                queue = _queued.get(lane)
                if not queue:
                    _queued.pop(lane, None)
                    _at_work[lane] -= 1
                    return
                receiver = queue.pop(next(iter(queue)))
            try:
                send_due(receiver)
            except Exception as error:
                if outage := outage_line(error):
                    logger.warning("messages wait: %s", outage)
                else:
                    logger.exception("messages could not be sent", extra={"receiver": str(receiver.pk)})
    finally:
        connection.close()


def send_due(receiver: Receiver) -> int:
    """Send to one receiver what is due, for half a minute at most. Nothing if another worker holds it.

    Delivery, player and whether the receiver is on are read again before each message: what was switched off, stopped
    or erased meanwhile is not sent.
    """
    receiver_id = receiver.pk
    began = now()
    row = Receiver.objects.filter(pk=receiver_id, is_on=True)
    if not row.filter(busy_until__lte=began).update(busy_until=began + CLAIM):
        return 0
    free_at, claimed_at, tries, lookups = began, began, 0, Lookups()
    _end_of_failing(receiver_id)
    waiting = Delivery.objects.filter(receiver=receiver_id, state=Delivery.State.WAITING, next_try_at__lte=began)
    due_now = list(waiting.order_by("position", "number").values_list("pk", "subscription")[:MOST_AT_ONCE])
    for side_by_side in _groups(due_now):
        moment = now()
        if moment - began > MOST_SECONDS:
            break
        is_long_held = moment - claimed_at > CLAIM / 4
        if is_long_held and row.filter(busy_until=claimed_at + CLAIM).update(busy_until=moment + CLAIM):
            claimed_at = moment
        current = lookups.get("receiver", row.select_related("club").first)
        if current is None:
            break
        deliveries = _held(side_by_side, waiting, current, claimed_at + CLAIM)
        for delivery in deliveries:
            delivery.receiver = current
        pause: timedelta | None = None
        for delivery, attempt in _attempts(deliveries, lookups):
            tries += 1
            counts = attempt.result is not Result.DOWN or delivery.receiver.channel == Receiver.Channel.CHAT
            _note(delivery, attempt, now(), counts=counts)
            pause = _pause(delivery, attempt, now())
        if pause is not None:
            free_at = now() + pause
            break
    _end_of_failing(receiver_id)
    row.filter(busy_until=claimed_at + CLAIM).update(busy_until=free_at)
    return tries


def _held(
    delivery_ids: list[int], waiting: QuerySet[Delivery], receiver: Receiver, busy_until: datetime
) -> list[Delivery]:
    """Those of a group that still wait, while the receiver is on and held until the moment of our claim."""
    if receiver.channel == Receiver.Channel.PUSH:
        held = waiting.filter(pk__in=delivery_ids, receiver__is_on=True, receiver__busy_until=busy_until)
        return list(held.select_related("subscription").order_by("position", "number"))
    deliveries = [_DELIVERIES.first(delivery_id) for delivery_id in delivery_ids]
    return [
        delivery
        for delivery in deliveries
        if delivery is not None
        and delivery.state == Delivery.State.WAITING
        and (delivery.receiver.is_on, delivery.receiver.busy_until) == (True, busy_until)
    ]


def _groups(rows: Iterable[tuple[int, UUID | None]]) -> Iterator[list[int]]:
    """Yield the deliveries that are sent side by side: one alone, or one to each of several browsers."""
    group: dict[UUID | None, int] = {}
    for delivery, browser in rows:
        if group and (browser is None or browser in group or len(group) == BROWSERS_AT_ONCE):
            yield list(group.values())
            group = {}
        group[browser] = delivery
    if group:
        yield list(group.values())


def _end_of_failing(receiver_id: UUID) -> None:
    """Forget failures where no message that failed waits any more: given up, dropped and erased ones prove nothing."""
    failed = Delivery.objects.filter(receiver=receiver_id, state=Delivery.State.WAITING, tried_at__isnull=False)
    failing = Receiver.objects.filter(~Exists(failed), pk=receiver_id, failing_since__isnull=False, is_on=True)
    failing.update(failing_since=None, failures=0)


def _pause(delivery: Delivery, attempt: Attempt, moment: datetime) -> timedelta | None:
    """Note at the receiver how an attempt ended; how long it is left alone now, None where the next message follows."""
    receiver = delivery.receiver
    row = Receiver.objects.filter(pk=receiver.pk)
    if delivery.subscription is not None:
        # One browser says nothing of the others.
        _note_at_browser(delivery.subscription, attempt, moment, tries=delivery.tries)
        return None
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


def _attempts(deliveries: Iterable[Delivery], lookups: Lookups) -> Iterator[tuple[Delivery, Attempt]]:
    """Send messages, several side by side, and yield how each ended; not those that are not to be sent, or not yet."""
    ready = [(delivery, message) for delivery in deliveries if (message := _message(delivery, lookups)) is not None]
    if len(ready) > 1:
        with ThreadPoolExecutor(len(ready)) as threads:
            ended = list(threads.map(_attempt, *zip(*ready, strict=True)))
    else:
        ended = [_attempt(delivery, message) for delivery, message in ready]
    for (delivery, _), attempt in zip(ready, ended, strict=True):
        yield delivery, attempt


def _message(delivery: Delivery, lookups: Lookups) -> Rendered | Attempt | None:
    """What to send; a failed attempt where a defect of ours keeps it from being written, None where nothing is sent."""
    player, moment = delivery.player, now()
    has_stopped = player is not None and not (player.wants_mail and player.email)
    is_too_old = delivery.subscription_id is not None and moment - delivery.told_at > push.KEEP
    try:
        message = None if has_stopped or is_too_old else rendered(delivery, delivery.receiver, lookups)
    except NotYet:
        Delivery.objects.filter(pk=delivery.pk).update(next_try_at=moment + SETTLING)
        return None
    except Exception as error:  # noqa: BLE001 - a defect of ours in one message must not hold up all later ones
        return _defect(delivery, error)
    if message is None:
        Delivery.objects.filter(pk=delivery.pk).update(state=Delivery.State.DROPPED, tried_at=moment)
    return message


def _attempt(delivery: Delivery, message: Rendered | Attempt) -> Attempt:
    """Send one message. Of several that are sent side by side, all go to browsers, which needs no database."""
    if isinstance(message, Attempt):
        return message
    receiver = delivery.receiver
    try:
        return _SEND[receiver.channel](message, delivery, receiver)
    except CannotBeRead:
        switch_off(receiver, Receiver.OffReason.UNREADABLE, now=now())
        return Attempt(Result.DOWN, why=_said(receiver, say("The secret key of this site has changed")))
    except Exception as error:  # noqa: BLE001 - as above
        return _defect(delivery, error)


def _defect(delivery: Delivery, error: Exception) -> Attempt:
    """The failed attempt at a message with a defect of ours. Raises the error again if the database does not answer."""
    if is_outage(error):
        raise error
    logger.error("a message cannot be sent", exc_info=error, extra={"delivery": delivery.pk})
    return Attempt(Result.REFUSED, why=type(error).__name__)


def _note(delivery: Delivery, attempt: Attempt, moment: datetime, *, counts: bool = True) -> None:
    """Store how an attempt ended. A message that did not arrive waits, longer each time, and is given up at last.

    Not `counts`: the receiver was down, which is no try of this message.
    """
    noted = {
        "tries": delivery.tries + counts,
        "tried_at": moment,
        "status": attempt.status,
        "answer": _storable(attempt.why),
    }
    if attempt.result is Result.SENT:
        noted["state"] = Delivery.State.SENT
    elif attempt.result is Result.REFUSED:
        if delivery.tries >= len(PAUSES):
            noted["state"] = Delivery.State.FAILED
        else:
            noted["next_try_at"] = moment + max(PAUSES[delivery.tries], attempt.wait)
    Delivery.objects.filter(pk=delivery.pk).update(**noted)


def _storable(answer: str) -> str:
    """An answer from elsewhere without what cannot be stored in every database."""
    return "".join(sign if sign.isprintable() else " " for sign in answer)[:MOST_ANSWER]


def _to_webhook(message: Rendered, delivery: Delivery, receiver: Receiver) -> Attempt:
    """Post to a webhook, signed as Standard Webhooks describes; with two secrets while they are exchanged."""
    moment = now()
    secrets = [opened(receiver.secret)]
    if receiver.old_secret and receiver.old_secret_until is not None and receiver.old_secret_until > moment:
        secrets.append(opened(receiver.old_secret))
    identity, stamp = delivery.message_id, str(int(moment.timestamp()))
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
    why, is_refused = mail.send(message, address, delivery.message_id, receiver, player)
    if not why:
        return Attempt(Result.SENT)
    return Attempt(Result.REFUSED if is_refused else Result.DOWN, why=why)


def _to_browser(message: Rendered, delivery: Delivery, receiver: Receiver) -> Attempt:
    """Post to the push service of a browser. It is gone where the service says so, or its keys cannot be read."""
    if not push.is_set_up():
        return Attempt(Result.REFUSED, why=_said(receiver, say("This site sends no messages to browsers")))
    try:
        answer = push.send(message, delivery, receiver)
    except CannotBeRead:
        return Attempt(Result.GONE)
    except AddressRefused as refused:
        return Attempt(Result.REFUSED, why=_said(receiver, refused.message))
    except NoAnswer as error:
        return Attempt(Result.REFUSED, why=str(error))
    if answer.is_success:
        return Attempt(Result.SENT, answer.status)
    is_gone = answer.status in (404, 410)
    return Attempt(
        Result.GONE if is_gone else Result.REFUSED, answer.status, wait=timedelta(seconds=answer.retry_after or 0)
    )


def _note_at_browser(subscription: PushSubscription, attempt: Attempt, moment: datetime, *, tries: int) -> None:
    """Note how an attempt ended at the browser, after some `tries` of the same message.

    It is told nothing more once it is gone, or has failed for days.
    """
    row = PushSubscription.objects.filter(pk=subscription.pk)
    if attempt.result is Result.SENT:
        row.exclude(failing_since=None).update(failing_since=None, last_failure="")
        return
    since = subscription.failing_since or moment
    if attempt.result is Result.GONE or (moment - since >= OFF_AFTER and tries >= TRIES_FOR_A_BROWSER):
        row.delete()
        return
    row.update(failing_since=since, last_failure=_storable(f"{attempt.status or ''} {attempt.why}".strip()))
    # What else waits for it would wait as long for an answer.
    others = Delivery.objects.filter(subscription=subscription.pk, state=Delivery.State.WAITING)
    others.filter(next_try_at__lt=moment + PAUSES[0]).update(next_try_at=moment + PAUSES[0])


_SEND: dict[str, Callable[[Rendered, Delivery, Receiver], Attempt]] = {
    Receiver.Channel.WEBHOOK: _to_webhook,
    Receiver.Channel.CHAT: _to_chat,
    Receiver.Channel.MAIL: _to_mail,
    Receiver.Channel.PLAYERS: _to_mail,
    Receiver.Channel.PUSH: _to_browser,
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
    """Delete deliveries that ended a week ago, and those of receivers that are off; returns how many.

    And what browsers asked of tournaments that closed a week ago: it would count against the limits for ever.
    """
    PushSubscription.objects.filter(tournament__closed_at__lt=now - KEPT).delete()
    ended = Q(tried_at__lt=now - KEPT) & ~Q(state=Delivery.State.WAITING)
    off = Q(receiver__is_on=False, receiver__off_at__lt=now - KEPT, told_at__lt=now - KEPT)
    return Delivery.objects.filter(ended | off).delete()[0]
