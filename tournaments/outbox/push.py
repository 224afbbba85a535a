"""Messages to browsers, by Web Push: encrypted for the one browser (RFC 8291), signed with the site's key (RFC 8292).

Needs the extra `push`. Rules: docs/decisions/0090-browsers-are-told.md. What is posted goes through our own sender,
which checks the address of the push service as it opens the socket.
"""

from datetime import timedelta
from email.utils import parseaddr
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language_bidi, gettext, override

from tournaments.models import Delivery, Receiver
from tournaments.outbox.posting import Answer, post
from tournaments.outbox.rendering import Rendered, site_of
from tournaments.outbox.secrets import opened

if TYPE_CHECKING:
    from py_vapid import Vapid02

# A seat that is read hours later helps nobody.
KEEP = timedelta(hours=2)
AUTH_BYTES, POINT_BYTES = 16, 65
# Decoding passes over what is no letter of base64, so the bytes alone bound nothing.
MOST_KEY = 100
# Push services take 4,096 bytes, and a letter has up to four.
MOST_TITLE, MOST_TEXT = 150, 500
# Of the points on the curve P-256: a private key is a number below it.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class Browser(msgspec.Struct, frozen=True, kw_only=True):
    """Where a browser is reached, and the keys that it alone reads with, as its `PushSubscription` gives them."""

    endpoint: str
    p256dh: str
    auth: str


def is_set_up() -> bool:
    """Whether this site can tell browsers anything: it wants to, and the extra is installed."""
    return bool(settings.TELLS_BROWSERS) and _has_extra()


@cache
def _has_extra() -> bool:
    return all(find_spec(module) for module in ("http_ece", "py_vapid"))


def public_key() -> str:
    """The public part of the site's key, with which a browser subscribes."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415 - as below
    from py_vapid import b64urlencode  # noqa: PLC0415 - as below

    return str(b64urlencode(_site_key().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)))


def _site_key() -> "Vapid02":
    """The site's key, made of `SECRET_KEY`: it is there from the first start, in every process and in each backup."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key  # noqa: PLC0415 - as below
    from py_vapid import Vapid02  # noqa: PLC0415 - an extra, and loaded where browsers are told

    digest = salted_hmac("tournaments.outbox.push", "", algorithm="sha256").digest()
    return Vapid02(derive_private_key(int.from_bytes(digest) % (ORDER - 1) + 1, SECP256R1()))


def are_keys(p256dh: str, auth: str) -> bool:
    """Whether these are a point on the curve and a secret, as browsers give them."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey  # noqa: PLC0415
    from py_vapid import b64urldecode  # noqa: PLC0415 - as above

    if max(len(p256dh), len(auth)) > MOST_KEY:
        return False
    try:
        point, secret = b64urldecode(p256dh.encode()), b64urldecode(auth.encode())
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
    except ValueError:
        return False
    return len(point) == POINT_BYTES and len(secret) == AUTH_BYTES


def send(message: Rendered, delivery: Delivery, receiver: Receiver) -> Answer:
    """Post one message to the push service of a browser. Raises as `post` does, and CannotBeRead."""
    import http_ece  # noqa: PLC0415 - as above
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key  # noqa: PLC0415
    from py_vapid import b64urldecode  # noqa: PLC0415

    subscription = delivery.subscription
    assert subscription is not None  # noqa: S101 - each delivery to a browser has its subscription
    browser = msgspec.json.decode(opened(subscription.browser), type=Browser)
    body = http_ece.encrypt(
        _payload(message, delivery),
        private_key=generate_private_key(SECP256R1()),
        dh=b64urldecode(browser.p256dh.encode()),
        auth_secret=b64urldecode(browser.auth.encode()),
        version="aes128gcm",
    )
    service, site = urlsplit(browser.endpoint), urlsplit(site_of(receiver))
    # Whom push services write to. Some refuse a host without a domain.
    is_named = site.scheme == "https" and "." in (site.hostname or "")
    sender = f"https://{site.hostname}" if is_named else f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
    claims = {"aud": f"{service.scheme}://{service.netloc}", "sub": sender}
    headers = {
        **_site_key().sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEEP.total_seconds())),
        "Urgency": "high",
    }
    return post(browser.endpoint, body, headers, allows_inner=settings.OUTBOX_ALLOWS_INNER)


def _payload(message: Rendered, delivery: Delivery) -> bytes:
    """What the service worker shows. A message sent twice replaces itself: its id is the notification's tag."""
    subscription = delivery.subscription
    assert subscription is not None  # noqa: S101 - as above
    link = urlsplit(message.link)
    with override(message.language):
        payload = {
            "id": delivery.message_id,
            "title": message.subject[:MOST_TITLE],
            "text": message.text[:MOST_TEXT],
            "path": f"{link.path}?{link.query}",
            "language": message.language,
            "direction": "rtl" if get_language_bidi() else "ltr",
            "stop": gettext("Stop"),
            "stop_path": reverse("tell_me"),
            "tournament": subscription.tournament_id,
            "player": subscription.player_id,
        }
    return msgspec.json.encode(payload)
