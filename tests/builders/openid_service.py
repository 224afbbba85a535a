"""A small service that speaks OpenID Connect. Whom it signs in is written in the code that it is asked with."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs


def code_for(**claims: Any) -> str:
    """The code with which the service sends somebody back."""
    return base64.urlsafe_b64encode(json.dumps(claims).encode()).decode()


class _Service(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        base = f"http://{self.headers['Host']}"
        if self.path == "/userinfo":
            code = self.headers["Authorization"].removeprefix("Bearer ")
            return self._send(json.loads(base64.urlsafe_b64decode(code)))
        return self._send(
            {
                "issuer": base,
                "authorization_endpoint": f"{base}/authorize",
                "token_endpoint": f"{base}/token",
                "userinfo_endpoint": f"{base}/userinfo",
                "jwks_uri": f"{base}/keys",
            }
        )

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if form["code"] == ["refused"] or "code_verifier" not in form:
            return self._send({"error": "invalid_grant"}, status=400)
        return self._send({"access_token": form["code"][0], "token_type": "Bearer"})

    def _send(self, answer: Any, *, status: int = 200) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def openid_service() -> Iterator[str]:
    """The address of the service while it runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Service)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
