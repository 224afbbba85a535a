"""An evening in short, asked of a site over HTTP: signs in, types a deal, waits until it is settled.

    python3 .ci/first_deal.py https://localhost [CODE]

With the code of the first login it makes that login, which later calls use. Needs nothing but Python; whose certificate
to trust says SSL_CERT_FILE.
"""

import json
import re
import sys
import time
import uuid
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

LOGIN = {"username": "asha", "password": "a pass phrase of a test"}
CLUB = {"club": "Marine Drive", "locale": "en_IN", "currency": "INR", "timezone": "Asia/Kolkata", "name": "Asha Rao"}
SETTLED_WITHIN_SECONDS = 60


class Browser:
    """One signed-in browser. What is refused raises HTTPError."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.cookies = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.cookies))

    def post(self, path: str, **fields: str) -> str:
        """Send a page's form; the page that follows."""
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', self.read(path))[0]
        return self.read(path, urlencode({**fields, "csrfmiddlewaretoken": token}).encode())

    def api(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Ask the API, or write with it."""
        return json.loads(self.read(f"/api/v1/{path}", body and json.dumps(body).encode(), "application/json"))

    def read(self, path: str, data: bytes | None = None, kind: str = "application/x-www-form-urlencoded") -> str:
        headers = {"Referer": self.site, "Content-Type": kind, "Idempotency-Key": uuid.uuid4().hex}
        tokens = {cookie.name: cookie.value or "" for cookie in self.cookies}
        headers["X-CSRFToken"] = tokens.get("csrftoken", "")
        with self.opener.open(Request(f"{self.site}{path}", data, headers), timeout=30) as answer:  # noqa: S310
            return str(answer.read().decode())


def play(site: str, code: str = "") -> None:
    """Sign in, and play a deal whose money is settled."""
    browser = Browser(site.rstrip("/"))
    if code:
        browser.post("/setup/", code=code, **LOGIN, **CLUB)
    else:
        browser.post("/admin/login/", **LOGIN)
    club = browser.api("me/")["roles"][0]["club"]
    named = browser.api(f"clubs/{club}/players/", {"names": ["Asha", "Bo"], "are_namesakes": True})
    draft = {"name": "Points", "preset": "points", "starts_at": "2026-01-18T19:00:00Z", "point_value_minor": 100}
    tournament = browser.api(f"clubs/{club}/tournaments/", draft)["id"]
    seats = [{"number": number, "player": row["id"]} for number, row in enumerate(named["items"], start=1)]
    table = browser.api(f"tournaments/{tournament}/tables/", {"number": 1, "seats": seats})["id"]
    outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 30}}
    for version, event in enumerate(
        ({"kind": "deal_recorded", "deal": 1, "outcomes": outcomes}, {"kind": "table_closed"}), start=1
    ):
        browser.api(f"tables/{table}/events/", {"expected_version": version, "event": event})
    deadline = time.monotonic() + SETTLED_WITHIN_SECONDS
    while (settlements := browser.api(f"tournaments/{tournament}/money/")["settlements"])[0]["state"] != "settled":
        if time.monotonic() > deadline:
            raise SystemExit(f"not settled: {settlements}")
        time.sleep(0.2)
    print("settled")  # noqa: T201 (it is a program)


if __name__ == "__main__":
    play(*sys.argv[1:])
