"""Adding, changing, testing and removing the receivers of a club, and its page's list of what was sent to each.

Rules: docs/how-to/messages.md. Every problem is reported at once, each with its field.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4, uuid5

import msgspec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Max

from scoring.messages import say
from scoring.problems import KeyReused, OptionsRejected, Problem, refuse_if
from tournaments import log
from tournaments.log.context import club_lock
from tournaments.models import Club, Delivery, MessageKind, PushSubscription, Receiver
from tournaments.models.outbox import MOST_RECEIVER_NAME
from tournaments.outbox import chat, mail
from tournaments.outbox.posting import AddressRefused, parts_of
from tournaments.outbox.secrets import CannotBeRead, new_secret, opened, sealed
from tournaments.outbox.sending import CLAIM

# Each is told of every event: a club has a handful.
MOST_RECEIVERS = 20
MOST_ADDRESS = 1_000
BOTH_SECRETS_FOR = timedelta(days=1)
Channel = Receiver.Channel
# Debts of players are not for a chat that many read.
NOT_FOR_CHATS = frozenset({MessageKind.BALANCE_DUE})


class ReceiverDraft(msgspec.Struct, frozen=True, kw_only=True):
    """What is chosen of a receiver. `site` is the scheme and host with which links in its messages begin."""

    channel: str
    name: str
    address: str = ""
    kinds: Sequence[str] = ()
    language: str = ""
    site: str = ""


def receivers_of(club: Club) -> list[Receiver]:
    """The receivers of a club, in the order in which they were added."""
    return list(Receiver.objects.filter(club=club))


def receivers_switched_off(clubs: Collection[UUID] | None) -> list[Receiver]:
    """The receivers of some clubs, or of all, that no person of the club switched off."""
    rows = Receiver.objects.filter(is_on=False).exclude(off_reason="").select_related("club")
    return list(rows if clubs is None else rows.filter(club__in=clubs) if clubs else ())


def receiver_of(club: Club, receiver_id: UUID) -> Receiver | None:
    """One receiver of a club; None if the club has no such receiver."""
    return Receiver.objects.select_related("club").filter(club=club, pk=receiver_id).first()


def readable_address(receiver: Receiver) -> str:
    """The address as it was entered; empty where it cannot be read any more."""
    try:
        return opened(receiver.address)
    except CannotBeRead:
        return ""


def readable_secrets(receiver: Receiver, *, now: datetime) -> list[str]:
    """The signing secrets in force, the newest first."""
    old = receiver.old_secret if receiver.old_secret_until is not None and receiver.old_secret_until > now else ""
    try:
        return [opened(secret) for secret in (receiver.secret, old) if secret]
    except CannotBeRead:
        return []


def add_receiver(club: Club, draft: ReceiverDraft, *, now: datetime, key: str = "") -> Receiver:
    """Add a receiver, which is told of what happens from now on. The same key again returns the one added then.

    Raises OptionsRejected with every problem, and KeyReused for another draft under the same key.
    """
    refuse_if(list(_problems(draft)), OptionsRejected)
    receiver_id = uuid5(club.pk, f"receiver {key}") if key else uuid4()
    with club_lock(club.pk):
        there = Receiver.objects.filter(club=club).exclude(channel=Channel.PUSH)
        known = there.filter(pk=receiver_id).first()
        if known is not None:
            if _draft_of(known) != _drafted(draft):
                raise KeyReused(f"the idempotency key {key!r} was used for another receiver")
            return known
        if there.count() >= MOST_RECEIVERS:
            text = say("A club has at most {most} receivers. Remove one first", most=MOST_RECEIVERS)
            raise OptionsRejected([Problem(code="too_many_receivers", detail=text)])
        is_signed = draft.channel == Channel.WEBHOOK
        return Receiver.objects.create(
            id=receiver_id,
            club=club,
            channel=draft.channel,
            secret=sealed(new_secret()) if is_signed else "",
            position=end_of_log(club),
            created_at=now,
            **_columns(draft),
            site=draft.site,
        )


def change_receiver(receiver: Receiver, draft: ReceiverDraft) -> None:
    """Change name, address, kinds and language. What waits goes to the new address. Raises OptionsRejected."""
    refuse_if(list(_problems(draft)), OptionsRejected)
    Receiver.objects.filter(pk=receiver.pk).update(**_columns(draft))


def switch(receiver: Receiver, *, is_on: bool, now: datetime) -> None:
    """Switch a receiver off, or on again from the end of the log: what waited is not sent late."""
    with club_lock(receiver.club_id):
        row = Receiver.objects.filter(pk=receiver.pk).exclude(is_on=is_on)
        if not is_on:
            row.update(is_on=False, off_reason="", off_at=now)
        elif row.update(
            is_on=True,
            off_reason="",
            off_at=None,
            failing_since=None,
            failures=0,
            position=end_of_log(receiver.club),
        ):
            _end_pause(receiver.pk, now)
            waiting = receiver.deliveries.filter(state=Delivery.State.WAITING)
            waiting.update(state=Delivery.State.DROPPED, tried_at=now)


def send_test(receiver: Receiver, *, now: datetime) -> None:
    """Have a worker send a test message at once, also while the receiver is left alone after failures.

    Raises OptionsRejected where it is off, or has no address of its own.
    """
    if receiver.channel in (Channel.PLAYERS, Channel.PUSH):
        raise OptionsRejected([Problem(code="no_test", detail=say("Players and readers get no test message"))])
    if not receiver.is_on:
        raise OptionsRejected([Problem(code="is_off", detail=say("Switch it on first"))])
    with transaction.atomic():
        # One at a time: the number is the next one.
        row = Receiver.objects.select_for_update().get(pk=receiver.pk)
        last = row.deliveries.filter(position=0).aggregate(last=Max("number"))["last"] or 0
        kind = MessageKind.TEST
        row.deliveries.create(
            position=0,
            number=last + 1,
            message_id=f"msg_{uuid4().hex}",
            kind=kind,
            body="{}",
            told_at=now,
            next_try_at=now,
        )
        _end_pause(row.pk, now)


def _end_pause(receiver_id: UUID, now: datetime) -> None:
    """Let the next try be now. A pause no longer than a claim stays: it can be a worker that is sending."""
    Receiver.objects.filter(pk=receiver_id, busy_until__gt=now + CLAIM).update(busy_until=now)


def rotate_secret(receiver: Receiver, *, now: datetime, key: str = "") -> bool:
    """Give a webhook a new secret; for a day messages are signed with the former one as well.

    Under a key that it was changed for already, nothing is changed and the answer is False: a second change would end
    the secret that the webhook still knows.
    """
    if receiver.channel != Channel.WEBHOOK:
        raise OptionsRejected([Problem(code="no_secret", detail=say("Only webhooks have a secret"))])
    secret = new_secret(f"{receiver.pk} {key}" if key else "")
    with club_lock(receiver.club_id):
        row = Receiver.objects.get(pk=receiver.pk)
        if secret in readable_secrets(row, now=now):
            return False
        Receiver.objects.filter(pk=row.pk).update(
            secret=sealed(secret), old_secret=row.secret, old_secret_until=now + BOTH_SECRETS_FOR
        )
    return True


def remove_receiver(receiver: Receiver) -> None:
    """Remove a receiver with all that was to be sent to it, and if it is for browsers, what readers asked for."""
    with transaction.atomic():
        # Its messages go first: without this a worker would put down another one meanwhile.
        list(Receiver.objects.select_for_update().filter(pk=receiver.pk).values_list("pk"))
        if receiver.channel == Channel.PUSH:
            PushSubscription.objects.filter(club=receiver.club_id).delete()
        Receiver.objects.filter(pk=receiver.pk).delete()


def names_of_receivers(club_id: UUID) -> list[str]:
    """The names that were given to receivers: free text, which can have a person in it."""
    return list(Receiver.objects.filter(club=club_id).values_list("name", flat=True))


def receivers_of_person(club_id: UUID, emails: Collection[str], mentions: Callable[[str], bool]) -> list[Receiver]:
    """The receivers that have one of these addresses, folded, or a name with the person in it."""
    return [
        receiver
        for receiver in Receiver.objects.filter(club=club_id)
        if _has_address(receiver, emails) or mentions(receiver.name)
    ]


def forget_in_outbox(
    club_id: UUID, players: Collection[str], emails: Collection[str], mentions: Callable[[str], bool]
) -> None:
    """Delete what was sent to erased players, receivers with their addresses, and their names in names of receivers."""
    Delivery.objects.filter(player__in=[UUID(player) for player in players]).delete()
    for receiver in receivers_of_person(club_id, emails, mentions):
        if _has_address(receiver, emails):
            remove_receiver(receiver)
        else:
            Receiver.objects.filter(pk=receiver.pk).update(name=Channel(receiver.channel).value)


def _has_address(receiver: Receiver, emails: Collection[str]) -> bool:
    return receiver.channel == Channel.MAIL and readable_address(receiver).casefold() in emails


def _columns(draft: ReceiverDraft) -> dict[str, object]:
    kinds = [kind.value for kind in MessageKind if kind.value in draft.kinds]
    address = sealed(draft.address) if draft.channel != Channel.PLAYERS else ""
    return {"name": draft.name, "address": address, "kinds": kinds, "language": draft.language}


def _drafted(draft: ReceiverDraft) -> tuple[object, ...]:
    address = draft.address if draft.channel != Channel.PLAYERS else ""
    return (draft.channel, draft.name, address, set(draft.kinds), draft.language)


def _draft_of(receiver: Receiver) -> tuple[object, ...]:
    """What was chosen of a receiver, to be compared with a draft."""
    address = readable_address(receiver)
    return (receiver.channel, receiver.name, address, set(receiver.kinds), receiver.language)


def end_of_log(club: Club) -> int:
    """The last position of the club's log; the caller holds the club's lock, so that none is being added."""
    last = log.find(club=club.pk).last()
    return last.position if last is not None else 0


def _problems(draft: ReceiverDraft) -> Iterator[Problem]:
    # Readers add what is for their browsers.
    if draft.channel not in Channel.values or draft.channel == Channel.PUSH:
        yield Problem(code="not_a_choice", field="channel", detail=say("Choose how to send"))
        return
    if not draft.name or len(draft.name) > MOST_RECEIVER_NAME:
        text = say("Enter a name of at most {most} characters", most=MOST_RECEIVER_NAME)
        yield Problem(code="out_of_range", field="name", detail=text)
    yield from _address_problems(draft)
    told = set(MessageKind.values) - {MessageKind.TEST}
    if not draft.kinds or not told.issuperset(draft.kinds):
        yield Problem(code="not_a_choice", field="kinds", detail=say("Choose one or more kinds of messages"))
    elif draft.channel == Channel.CHAT and NOT_FOR_CHATS.intersection(draft.kinds):
        text = say("Balances of players are not sent to a chat. Leave this kind out")
        yield Problem(code="not_for_chats", field="kinds", detail=text)
    if draft.language and draft.language not in dict(settings.LANGUAGES):
        yield Problem(code="not_a_choice", field="language", detail=say("Choose a language of this site"))


def _address_problems(draft: ReceiverDraft) -> Iterator[Problem]:
    if draft.channel in (Channel.MAIL, Channel.PLAYERS) and not mail.is_set_up():
        text = say("This site sends no mail yet. Set EMAIL_URL")
        yield Problem(code="no_mail", field="channel", detail=text)
    if draft.channel == Channel.PLAYERS:
        return
    if len(draft.address) > MOST_ADDRESS:
        text = say("Enter an address of at most {most} characters", most=MOST_ADDRESS)
        yield Problem(code="out_of_range", field="address", detail=text)
    elif draft.channel == Channel.MAIL:
        try:
            validate_email(draft.address)
        except ValidationError:
            text = say("Enter an e-mail address such as dita@example.org")
            yield Problem(code="not_an_address", field="address", detail=text)
    elif draft.channel == Channel.CHAT:
        problem = chat.problem_with(draft.address)
        if problem is not None:
            yield Problem(code="not_an_address", field="address", detail=problem)
    else:
        try:
            parts_of(draft.address, allows_inner=settings.OUTBOX_ALLOWS_INNER)
        except AddressRefused as refused:
            yield Problem(code="not_an_address", field="address", detail=refused.message)
