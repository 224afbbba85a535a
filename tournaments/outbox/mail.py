"""Messages by mail, through Django's settings: each says how to stop, in its headers (RFC 8058) and in its text."""

import smtplib

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from django.utils.translation import gettext, override

from tournaments.models import Player, Receiver
from tournaments.outbox.rendering import Rendered, language_of, site_of

SALT = "tournaments.outbox.stop"
# Of django-anymail, an extra: of one address alone.
ANYMAIL_REFUSALS = frozenset({"AnymailRecipientsRefused", "AnymailInvalidAddress"})
# A provider that answers so takes no message at all now.
NOT_OF_THE_MESSAGE = frozenset({401, 403, 408, 429})


def is_set_up() -> bool:
    """Whether this site sends mail at all."""
    return bool(settings.HAS_MAIL_SERVER)


def send(message: Rendered, address: str, identity: str, receiver: Receiver, player: Player | None) -> tuple[str, bool]:
    """Send one message. Returns why it did not arrive, or an empty text; and whether this message alone was refused."""
    stop = stop_url(receiver, player)
    with override(message.language):
        way_out = gettext("Stop these messages: {link}").format(link=stop)
    mail = EmailMultiAlternatives(
        subject=" ".join(message.subject.split()),
        body=f"{message.text}\n\n{message.link}\n\n-- \n{way_out}\n",
        to=[address],
        headers={
            "Message-ID": f"<{identity}.{receiver.pk.hex}@{_host(receiver)}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    try:
        mail.send()
    except Exception as error:  # noqa: BLE001 - each backend has failures of its own; all mean that it did not leave
        return f"{type(error).__name__}: {error}", _is_of_the_message(error)
    return "", False


def _is_of_the_message(error: Exception) -> bool:
    """Whether other messages may be taken: one dead mailbox must not stop the mail to all."""
    if isinstance(error, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError | UnicodeError):
        return True
    status = getattr(error, "status_code", None)
    is_refused = isinstance(status, int) and 400 <= status < 500 and status not in NOT_OF_THE_MESSAGE
    return is_refused or type(error).__name__ in ANYMAIL_REFUSALS


def stop_url(receiver: Receiver, player: Player | None) -> str:
    """The address at which one reader stops these messages, without a login."""
    token = signing.dumps([str(receiver.pk), str(player.pk) if player is not None else ""], salt=SALT)
    with override(language_of(receiver)):
        return site_of(receiver) + reverse("pages:stop_messages", args=[token])


def stopped_by(token: str) -> tuple[Receiver, Player | None] | None:
    """The receiver, and the player if it is mail to players, that a token of `stop_url` is about; None for others."""
    try:
        receiver_id, player_id = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    receiver = Receiver.objects.select_related("club").filter(pk=receiver_id).first()
    player = Player.objects.filter(pk=player_id).first() if player_id else None
    return None if receiver is None or (player_id and player is None) else (receiver, player)


def page_of(receiver: Receiver) -> str:
    """The address of the page on which the club's people change a receiver."""
    return site_of(receiver) + reverse("admin:tournaments_club_messages", args=[receiver.club_id])


def _host(receiver: Receiver) -> str:
    return site_of(receiver).partition("://")[2].partition("/")[0].partition(":")[0] or "localhost"
