"""The mail by which somebody who entered by themselves shows that the address is theirs."""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.utils.translation import gettext

from tournaments.models import EntryRequest, Tournament
from tournaments.rendering.i18n.formatting import clock, day, zone_of

logger = logging.getLogger(__name__)


def mail_is_configured() -> bool:
    """Whether this site can send mail."""
    return bool(settings.HAS_MAIL_SERVER)


def send_confirmation(row: EntryRequest, tournament: Tournament, *, url: str) -> bool:
    """Send the link, in the language of the page; whether that worked. `url` has the secret in its fragment."""
    ends = row.expires_at.astimezone(zone_of(tournament.club.timezone))
    subject = gettext("Confirm your entry: {name}").format(name=" ".join(tournament.name.split()))
    text = gettext(
        "Somebody entered this e-mail address for {tournament} at {club}.\n\n"
        "If that was you, open this link before {ends}:\n{url}\n\n"
        "If it was not, do nothing: without it nobody writes to you again.\n"
    ).format(tournament=tournament.name, club=tournament.club.name, ends=f"{day(ends.date())}, {clock(ends)}", url=url)
    try:
        return bool(send_mail(subject, text, None, [row.email]))
    except (SMTPException, OSError) as error:
        logger.warning("a confirmation could not be mailed: %s", type(error).__name__)
        return False
