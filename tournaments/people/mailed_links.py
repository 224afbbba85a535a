"""Mails with a player's personal link or a one-time code, in the language of the page from which they are sent.

They do not go through the outbox: its deliveries are stored, and these secrets are stored nowhere.
"""

import logging

from django.core.mail import send_mail
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_variables

from tournaments.models import PlayerLink

logger = logging.getLogger(__name__)


@sensitive_variables("url", "text")
def mail_link(link: PlayerLink, *, url: str) -> bool:
    """Send a new link to the player's address; whether that worked. `url` has the code in its fragment."""
    club = " ".join(link.club.name.split())
    text = gettext(
        "This is your personal link at {club}. It shows your seat and your results, and tells the desk that you are "
        "here or late:\n{url}\n\n"
        "It works until the desk gives you a new one. Earlier links have ended.\n"
    ).format(club=club, url=url)
    return _is_sent(gettext("Your link: {club}").format(club=club), text, link.player.email)


@sensitive_variables("code", "text")
def mail_code(link: PlayerLink, code: str, *, to: str) -> bool:
    """Send a one-time code; whether that worked."""
    club = " ".join(link.club.name.split())
    text = gettext(
        "Your code for {club}: {code}\n\n"
        "Type it on your page within 10 minutes.\n\n"
        "If you did not ask for it, somebody else has your link: ask the desk for a new one.\n"
    ).format(club=club, code=code)
    return _is_sent(gettext("Your code: {club}").format(club=club), text, to)


@sensitive_variables("text")
def _is_sent(subject: str, text: str, to: str) -> bool:
    try:
        return bool(send_mail(subject, text, None, [to]))
    except Exception as error:  # noqa: BLE001 - each backend has failures of its own; all mean that it did not leave
        logger.warning("a mail to a player could not be sent: %s", type(error).__name__)
        return False
