"""The mail by which somebody who entered by themselves shows that the address is theirs."""

import logging

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
    """Send the link, in the language of the page; whether that worked. `url` has the secret in its fragment.

    Where it did not, the row waits for no mail: none is on its way, also when the same form is sent again.
    """
    ends = row.expires_at.astimezone(zone_of(tournament.club.timezone))
    subject = gettext("Confirm your entry: {name}").format(name=" ".join(tournament.name.split()))
    text = gettext(
        "Somebody entered this e-mail address for {tournament} at {club}.\n\n"
        "If that was you, open this link before {ends}:\n{url}\n\n"
        "If it was not, do nothing: without it nobody writes to you again.\n"
    ).format(tournament=tournament.name, club=tournament.club.name, ends=f"{day(ends.date())}, {clock(ends)}", url=url)
    try:
        is_sent = bool(send_mail(subject, text, None, [row.email]))
    except Exception as error:  # noqa: BLE001 - each backend has failures of its own; all mean that it did not leave
        logger.warning("a confirmation could not be mailed: %s", type(error).__name__)
        is_sent = False
    if not is_sent:
        row.confirm_digest = ""
        EntryRequest.objects.filter(pk=row.pk).update(confirm_digest="")
    return is_sent
