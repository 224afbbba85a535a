"""Receivers of a club's messages, and a webhook of ours that answers as it is told."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest.mock import patch

from django.utils.timezone import now

from tournaments import log
from tournaments.models import Club, MessageKind, Receiver
from tournaments.outbox import sending
from tournaments.outbox.posting import Answer
from tournaments.outbox.secrets import new_secret, sealed

EVERY_KIND = [kind.value for kind in MessageKind if kind != MessageKind.TEST]
SECRET = new_secret()
ADDRESSES = {"webhook": "https://hook.example/in", "mail": "dita@club.example", "chat": "ntfy://club"}


def new_receiver(club: Club, channel: str = "webhook", **extra: Any) -> Receiver:
    """A receiver of everything, from the beginning of the log unless a position is given."""
    fields = {"name": channel, "kinds": EVERY_KIND, "position": 0, "site": "https://club.example"}
    address = ADDRESSES.get(channel, "")
    secret = sealed(SECRET) if channel == "webhook" else ""
    return Receiver.objects.create(
        club=club, channel=channel, **{**fields, "address": sealed(address), "secret": secret, **extra}
    )


def end_of_log(club: Club) -> int:
    end = log.club_ends().get(club.pk)
    return end.position if end is not None else 0


class Inbox:
    """What arrived at webhooks: bodies by message id, in the order of arrival, and how often each came."""

    def __init__(self, answer: Callable[[str], int] = lambda identity: 204) -> None:
        self.answer = answer
        self.bodies: dict[str, dict[str, Any]] = {}
        self.calls: list[str] = []
        self.headers: list[dict[str, str]] = []

    def __call__(self, url: str, body: bytes, headers: dict[str, str], **_: Any) -> Answer:
        identity = headers["webhook-id"]
        self.calls.append(identity)
        self.headers.append(dict(headers))
        status = self.answer(identity)
        if 200 <= status < 300:
            self.bodies.setdefault(identity, json.loads(body))
        return Answer(status=status)

    def kinds(self) -> list[str]:
        return [body["type"] for body in self.bodies.values()]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [body["data"] for body in self.bodies.values() if body["type"] == kind]


def told(inbox: Inbox) -> Inbox:
    """Send all that is due to this inbox instead of the network."""
    with patch.object(sending, "post", inbox):
        sending.tell_owed(sending.send_due)
    return inbox


def release_all() -> None:
    """Let the pauses between tries be over."""
    Receiver.objects.update(busy_until=now())
    for receiver in Receiver.objects.all():
        receiver.deliveries.update(next_try_at=now())


class WebServer:
    """A server on this machine for as long as the block runs; `answer` writes what it likes to the connection."""

    def __init__(self, answer: Callable[[BaseHTTPRequestHandler], None]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                answer(self)

            def log_message(self, *_: object) -> None:
                """Be silent."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port

    def __enter__(self) -> "WebServer":
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
