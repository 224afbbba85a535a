"""Personal links of players, given at the desk and opened on a phone; and the one-time code of their second step.

Rules: docs/decisions/0088-a-link-for-a-player.md. A link is a bearer's: whoever has it sees what is public, and says
things that the desk checks. What is the player's own asks for a code of six digits too, which the desk gives or which
goes to the address to which the player lets the club write. Only keyed digests are stored. Knows nothing of pages.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID, uuid5

from django.db.models import F, Q
from django.utils.crypto import constant_time_compare, salted_hmac

from scoring.messages import say
from scoring.problems import OptionsRejected, Problem
from tournaments.log.context import club_lock
from tournaments.models import Club, Player, PlayerLink
from tournaments.people import access
from tournaments.people.access import Attempt, Verdict, code_digest, new_code
from tournaments.transient_errors import left_out_if_locked

# 31^20 are 6e29, as for an invitation: nobody finds one by guessing, and it can still be typed.
LINK_LENGTH = 20
NOTED_EVERY = timedelta(hours=1)
# One in 200,000 guesses a code. A stranger who has the link can have one mailed every four hours: 30 guesses a day, and
# six mails that warn the player, who asks for a new link.
CODE_DIGITS, MOST_TRIES = 6, 5
CODE_LASTS, MAILED_AGAIN_AFTER = timedelta(minutes=10), timedelta(hours=4)
# What the limits on said notices and on mails to a new address are counted under.
NOTICE, ADDRESS = "notice", "address"
ENDED = Problem("link_ended", say("This link has ended. Ask the desk for a new one"), field="code")


class MadeLink(NamedTuple):
    """A link and its code; the code is empty where the link was made before, for it is shown once."""

    link: PlayerLink
    code: str


def give_links(club: Club, players: Sequence[UUID], *, key: UUID, by: str, now: datetime) -> list[MadeLink]:
    """Make a new link for each of these players; their earlier ones end.

    The same key again returns what it made, without codes. Players who were erased, removed or merged meanwhile get
    none. Raises OptionsRejected where the club has no personal links, ClubMoved.
    """
    ids = {uuid5(key, str(player)): player for player in players}
    with club_lock(club.pk):
        if not Club.objects.filter(pk=club.pk, has_player_links=True).exists():
            detail = say("The club has no personal links: an owner can turn them on in the settings")
            raise OptionsRejected([Problem("links_are_off", detail)])
        before = list(PlayerLink.objects.filter(pk__in=ids, club=club).select_related("player"))
        made_before = {link.player_id for link in before}
        present = Player.objects.present().filter(club=club, pk__in=set(ids.values()) - made_before)
        by_id = {player.pk: player for player in present}
        end_links(list(by_id), now=now)
        codes = {link_id: new_code(LINK_LENGTH) for link_id, player in ids.items() if player in by_id}
        links = [
            PlayerLink(
                id=link_id, club=club, player=by_id[ids[link_id]], digest=code_digest(code), made_by=by, made_at=now
            )
            for link_id, code in codes.items()
        ]
        PlayerLink.objects.bulk_create(links)
    made = [*(MadeLink(link, "") for link in before), *(MadeLink(link, codes[link.pk]) for link in links)]
    return sorted(made, key=lambda each: (each.link.player.search_key, each.link.player_id))


def end_link(player_id: UUID, *, now: datetime) -> None:
    """End a player's link at once; without one nothing changes. Of a club that has moved too: its links still open."""
    end_links([player_id], now=now)


def end_links(players: Sequence[UUID], *, now: datetime) -> None:
    """The same for several players."""
    PlayerLink.objects.filter(player__in=players, revoked_at=None).update(revoked_at=now, code_digest="")


def working_link(player_id: UUID) -> PlayerLink | None:
    """The link of a player that works."""
    return PlayerLink.objects.filter(player=player_id, revoked_at=None).first()


def link_by_code(code: str) -> PlayerLink | None:
    """The link with this code, however it was typed, also one that has ended."""
    return PlayerLink.objects.select_related("player", "club").filter(digest=code_digest(code)).first()


def open_link(link_id: UUID) -> PlayerLink | None:
    """The link of a browser that has opened it, if it still works."""
    rows = PlayerLink.objects.select_related("player", "club__shown_version").filter(pk=link_id)
    link = rows.first()
    return link if link is not None and works(link) else None


def works(link: PlayerLink) -> bool:
    """Whether a link opens something: not one that was ended, of an erased or merged player, or of a club without."""
    player = link.player
    is_present = player.erased_at is None and player.merged_into_id is None
    return link.revoked_at is None and is_present and link.club.has_player_links


def note_use(link: PlayerLink, *, now: datetime) -> None:
    """Record that a link is in use, once an hour: reading a page writes nothing else."""
    if link.last_used_at is not None and now - link.last_used_at <= NOTED_EVERY:
        return
    with left_out_if_locked():
        PlayerLink.objects.filter(pk=link.pk).update(last_used_at=now)


# The second step: a code of six digits, used once.


def give_code(link: PlayerLink, *, now: datetime, new_email: str = "") -> str:
    """Make the one-time code of a link, good for ten minutes; an earlier one ends. Raises OptionsRejected.

    With `new_email` it is for the owner of that address, and confirms it.
    """
    code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}d}"
    rows = PlayerLink.objects.filter(pk=link.pk, revoked_at=None)
    fresh = {"code_digest": _digest_of_code(link, code), "code_until": now + CODE_LASTS, "code_tries": 0}
    if not rows.update(**fresh, new_email=new_email):
        raise OptionsRejected([ENDED])
    return code


def code_to_mail(link: PlayerLink, *, now: datetime) -> str:
    """The same, for a mail to the player's address: one in four hours, unless the last one was used.

    Raises OptionsRejected, also where the player lets the club write to no address.
    """
    if not may_be_mailed(link.player):
        raise OptionsRejected([Problem("no_address", say("No code can be mailed to you: ask the desk for one"))])
    due = Q(mailed_at=None) | Q(mailed_at__lte=now - MAILED_AGAIN_AFTER)
    if not PlayerLink.objects.filter(due, pk=link.pk, revoked_at=None).update(mailed_at=now):
        detail = say("A code was mailed a short while ago: use that one, or ask the desk for a code")
        raise OptionsRejected([Problem("mailed_already", detail)])
    return give_code(link, now=now)


def may_be_mailed(player: Player) -> bool:
    """Whether the club may write to a player: they said so, and the address was confirmed or given at the desk."""
    return player.wants_mail and bool(player.email)


def use_code(link: PlayerLink, typed: str, *, now: datetime, confirms_email: bool = False) -> str:
    """Use a link's one-time code. Returns the new address that it confirms, empty where it is for the second step.

    A try is counted before the code is compared, so that a hundred at once are a hundred. Raises OptionsRejected.
    """
    rows = PlayerLink.objects.filter(pk=link.pk, revoked_at=None, code_until__gt=now).exclude(code_digest="")
    rows = rows.exclude(new_email="") if confirms_email else rows.filter(new_email="")
    if not rows.filter(code_tries__lt=MOST_TRIES).update(code_tries=F("code_tries") + 1):
        raise OptionsRejected([Problem("no_code", say("No code is open any more: get a new one"), field="one_time")])
    digest = _digest_of_code(link, "".join(typed.split()))
    stored = rows.values_list("code_digest", "new_email").first()
    is_right = stored is not None and constant_time_compare(stored[0], digest)
    # Of two who type the right one at once, one is let in.
    if stored is None or not is_right or not rows.filter(code_digest=digest).update(code_digest="", mailed_at=None):
        detail = say("This is not the code. Read it once more, and try again")
        raise OptionsRejected([Problem("wrong_code", detail, field="one_time")])
    return str(stored[1])


def _digest_of_code(link: PlayerLink, code: str) -> str:
    return salted_hmac("tournaments.people.player_links.code", f"{link.pk}:{code}", algorithm="sha256").hexdigest()


def may_do_often(link: PlayerLink, kind: str, *, now: datetime) -> Verdict:
    """Count one notice of a link, or one mail to a new address: five in a quarter of an hour, then none for as long."""
    return access.begin(Attempt(kind=kind, subject=link.pk.hex, place="", counts_for_place=False), now=now)
