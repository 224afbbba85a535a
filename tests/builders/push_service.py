"""A browser that asked to be told, with its keys, and the push service that takes what is sent to it."""

import base64
import json
import os
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.builders.receivers import WebServer


def in_url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class Reader:
    """A browser: what it gives a site, and what it reads of what was sent to it."""

    endpoint: str
    key: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    def asked(self, do: str = "on", **more: object) -> dict[str, Any]:
        """What its page posts."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": in_url(point), "auth": in_url(self.secret)}
        return {"do": do, "endpoint": self.endpoint, "language": "en-gb", **keys, **more}

    def read(self, body: bytes) -> dict[str, Any]:
        """What its service worker is given."""
        read: dict[str, Any] = json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret))
        return read


class PushService:
    """Takes messages on this machine while the block runs, and answers as `status` says; `came` is all of it."""

    def __init__(self, status: int = 201) -> None:
        self.status = status
        self.came: list[tuple[str, dict[str, str], bytes]] = []
        self.server = WebServer(self._answer)

    def __enter__(self) -> "PushService":
        self.server.__enter__()
        return self

    def __exit__(self, *ended: object) -> None:
        self.server.__exit__(*ended)

    def reader(self, name: str) -> Reader:
        return Reader(f"http://127.0.0.1:{self.server.port}/{name}")

    def read(self, reader: Reader) -> list[dict[str, Any]]:
        """What a browser read, in the order of arrival."""
        return [reader.read(body) for path, _, body in self.came if reader.endpoint.endswith(path)]

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["Content-Length"]))
        self.came.append((request.path, dict(request.headers), body))
        request.send_response(self.status)
        request.end_headers()
