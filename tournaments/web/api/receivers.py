"""Who is told what happens in a club: receivers added, changed, tested and removed, and what was sent to each.

Rules: docs/reference/api.md, "Messages"; docs/how-to/messages.md. The same commands as the page calls. Receivers are no
events: nothing of them is in the log.
"""

from uuid import UUID

from django.http import Http404
from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.log.context import club_lock
from tournaments.models import Delivery, Receiver
from tournaments.outbox.receivers import (
    ReceiverDraft,
    add_receiver,
    change_receiver,
    readable_address,
    readable_secrets,
    receiver_of,
    remove_receiver,
    rotate_secret,
    send_test,
    switch,
)
from tournaments.people.permissions import Permission
from tournaments.web.api import receiver_shapes as shapes
from tournaments.web.api.answers import shaped
from tournaments.web.api.bodies import read_body
from tournaments.web.api.clubs import created, find_club
from tournaments.web.api.doors import ApiView, filtered, page_of
from tournaments.web.api.filters import DeliveryFilter, ReceiverFilter
from tournaments.web.api.schema import KEY, PAGING, describes


class Receivers(ApiView):
    """The receivers of a club's messages."""

    permissions = {"GET": Permission.DIRECT, "POST": Permission.DIRECT}

    @describes("list_receivers", shapes.ReceiverPage, parameters=PAGING, filters=ReceiverFilter)
    def get(self, request: Request, club_id: UUID) -> Response:
        """In the order in which they were added."""
        rows = filtered(request, ReceiverFilter, Receiver.objects.filter(club=find_club(self, club_id)))
        return Response(page_of(request, rows, receiver_answer, order=("created_at", "id")))

    @describes(
        "add_receiver",
        shapes.ReceiverWithSecret,
        body=shapes.ReceiverBody,
        parameters=[KEY],
        example={
            "channel": "webhook",
            "name": "Website",
            "address": "https://hook.example/in",
            "kinds": ["seating_published", "table_result"],
        },
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Adds a receiver. Links in its messages begin with the host of this request."""
        club = find_club(self, club_id)
        key = self.command_context().key
        body = read_body(shapes.ReceiverBody, request.data)
        added_at = now()
        draft = ReceiverDraft(
            channel=body.channel,
            name=body.name,
            address=body.address,
            kinds=body.kinds,
            language=body.language,
            site=f"{request.scheme}://{request.get_host()}",
        )
        receiver = add_receiver(club, draft, now=added_at, key=key)
        return _told_once(receiver, is_replay=receiver.created_at < added_at)


class ReceiverView(ApiView):
    """A view of one receiver."""

    permissions = {"POST": Permission.DIRECT}

    def receiver(self, club_id: UUID, receiver_id: UUID) -> Receiver:
        """The receiver, if this request may do its deed in its club."""
        receiver = receiver_of(find_club(self, club_id), receiver_id)
        if receiver is None:
            raise Http404
        return receiver


class Deliveries(ReceiverView):
    """What was and is to be sent to a receiver."""

    permissions = {"GET": Permission.DIRECT}

    @describes("list_deliveries", shapes.DeliveryPage, parameters=PAGING, filters=DeliveryFilter)
    def get(self, request: Request, club_id: UUID, receiver_id: UUID) -> Response:
        """The newest first."""
        rows = filtered(request, DeliveryFilter, self.receiver(club_id, receiver_id).deliveries.all())
        return Response(page_of(request, rows, _delivery, order=("-told_at", "-id")))


class ChangeReceiver(ReceiverView):
    """Another name, address, language, or other messages for a receiver."""

    @describes(
        "change_receiver",
        shapes.ReceiverAnswer,
        body=shapes.ReceiverChange,
        parameters=[KEY],
        example={"kinds": ["seating_published"]},
    )
    def post(self, request: Request, club_id: UUID, receiver_id: UUID) -> Response:
        """Changes what is given."""
        receiver = self.receiver(club_id, receiver_id)
        self.command_context()
        body = read_body(shapes.ReceiverChange, request.data)
        # Two programs that change different fields at once lose neither.
        with club_lock(receiver.club_id):
            receiver = self.receiver(club_id, receiver_id)
            draft = ReceiverDraft(
                channel=receiver.channel,
                name=receiver.name if body.name is None else body.name,
                address=readable_address(receiver) if body.address is None else body.address,
                kinds=receiver.kinds if body.kinds is None else body.kinds,
                language=receiver.language if body.language is None else body.language,
            )
            change_receiver(receiver, draft)
        return created(receiver_answer(self.receiver(club_id, receiver_id)), is_replay=False)


class SwitchReceiver(ReceiverView):
    """A receiver that is switched on or off."""

    @describes(
        "switch_receiver",
        shapes.ReceiverAnswer,
        body=shapes.SwitchBody,
        parameters=[KEY],
        example={"is_on": False},
    )
    def post(self, request: Request, club_id: UUID, receiver_id: UUID) -> Response:
        """Switches a receiver off, or on again: then it is told of what happens from now on, not of what it missed."""
        receiver = self.receiver(club_id, receiver_id)
        self.command_context()
        is_on = read_body(shapes.SwitchBody, request.data).is_on
        switch(receiver, is_on=is_on, now=now())
        is_replay = receiver.is_on == is_on
        return created(receiver_answer(self.receiver(club_id, receiver_id)), is_replay=is_replay)


class TestMessage(ReceiverView):
    """A test message."""

    @describes("test_receiver", shapes.ReceiverAnswer, body=shapes.ReceiverAct, example={})
    def post(self, request: Request, club_id: UUID, receiver_id: UUID) -> Response:
        """Has a test message sent at once. Its delivery says whether it arrived."""
        receiver = self.receiver(club_id, receiver_id)
        read_body(shapes.ReceiverAct, request.data)
        send_test(receiver, now=now())
        return Response(receiver_answer(receiver))


class RotateSecret(ReceiverView):
    """A new secret."""

    @describes("rotate_secret", shapes.ReceiverWithSecret, body=shapes.ReceiverAct, parameters=[KEY], example={})
    def post(self, request: Request, club_id: UUID, receiver_id: UUID) -> Response:
        """Gives a webhook a new secret. For a day messages are signed with the former one as well."""
        receiver = self.receiver(club_id, receiver_id)
        key = self.command_context().key
        read_body(shapes.ReceiverAct, request.data)
        is_new = rotate_secret(receiver, now=now(), key=key)
        return _told_once(self.receiver(club_id, receiver_id), is_replay=not is_new)


class RemoveReceiver(ReceiverView):
    """A receiver that is removed."""

    @describes("remove_receiver", shapes.ReceiverAnswer, body=shapes.ReceiverAct, example={})
    def post(self, request: Request, club_id: UUID, receiver_id: UUID) -> Response:
        """Removes a receiver with all that was to be sent to it. After that it does not exist."""
        receiver = self.receiver(club_id, receiver_id)
        read_body(shapes.ReceiverAct, request.data)
        answer = receiver_answer(receiver)
        remove_receiver(receiver)
        return Response(answer)


def receiver_answer(
    receiver: Receiver, shape: type[shapes.ReceiverAnswer] = shapes.ReceiverAnswer, **given: object
) -> shapes.ReceiverAnswer:
    """A receiver, without its secret."""
    return shaped(shape, receiver, club=receiver.club_id, address=readable_address(receiver), **given)


def with_secret(receiver: Receiver) -> shapes.ReceiverAnswer:
    """A receiver with the secret that its messages are signed with."""
    secret = next(iter(readable_secrets(receiver, now=now())), None)
    return receiver_answer(receiver, shapes.ReceiverWithSecret, secret=secret)


def _told_once(receiver: Receiver, *, is_replay: bool) -> Response:
    """The answer with a secret; no cache keeps it."""
    response = created(with_secret(receiver), is_replay=is_replay)
    response["Cache-Control"] = "no-store"
    return response


def _delivery(delivery: Delivery) -> shapes.DeliveryAnswer:
    waits = delivery.state == Delivery.State.WAITING
    return shaped(
        shapes.DeliveryAnswer,
        delivery,
        player=delivery.player_id,
        next_try_at=delivery.next_try_at if waits else None,
    )
