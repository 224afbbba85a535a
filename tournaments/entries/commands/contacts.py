"""A player's own mail address and phone number, changed with the own link after its second step.

Rules: docs/decisions/0088-a-link-for-a-player.md. An address is stored once a code that was mailed to it came back:
codes for the second step go there later. The names of columns are those of a player; none of it is in the log.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from scoring.messages import say
from scoring.problems import OptionsRejected, Problem, refuse_if
from tournaments.entries.commands.self_entry import contact_problems, is_same_address
from tournaments.log.context import club_lock
from tournaments.models import Player, PlayerLink
from tournaments.people.player_links import use_code


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """What a player typed; `wants_mail`: the club may write to the address."""

    email: str = ""
    phone: str = ""
    wants_mail: bool = False


def change_contact(player: Player, contact: Contact, *, mails: bool) -> str:
    """Store number and agreement, and an address that is emptied. `mails`: this site can send mail.

    Beside a new address only the end of an agreement is stored. Returns the new address that a code has to
    confirm; empty where there is none. Raises OptionsRejected with every problem, ClubMoved.
    """
    email, phone = contact.email.strip(), " ".join(contact.phone.split())
    is_new = bool(email) and not is_same_address(email, player.email)
    problems = list(contact_problems(email, phone))
    if is_new and not mails:
        detail = say("This site sends no mail: tell the desk your new address")
        problems.append(Problem("no_mail_server", detail, field="email"))
    refuse_if(problems, OptionsRejected)
    fields: dict[str, object] = {"phone": phone}
    if not is_new:
        fields |= {"email": email, "wants_mail": contact.wants_mail and bool(email)}
    elif not contact.wants_mail:
        # Not only once the new address is confirmed: it may never be.
        fields |= {"wants_mail": False}
    _store(player.club_id, player.pk, fields)
    return email if is_new else ""


def confirm_address(link: PlayerLink, typed: str, *, wants_mail: bool, now: datetime) -> None:
    """Store the new address that the code confirms. Raises OptionsRejected, ClubMoved."""
    email = use_code(link, typed, now=now, confirms_email=True)
    _store(link.club_id, link.player_id, {"email": email, "wants_mail": wants_mail})


def _store(club_id: UUID, player_id: UUID, fields: dict[str, object]) -> None:
    with club_lock(club_id):
        Player.objects.present().filter(pk=player_id).update(**fields)
