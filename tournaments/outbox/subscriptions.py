"""What readers of public pages ask for: that their browser is told of a tournament, or of a player; and its end.

Rules: docs/how-to/messages.md, "Browsers"; docs/decisions/0090-browsers-are-told.md. Nobody is known here: a browser is
recognised by its address at its push service alone, which no other knows.
"""

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from uuid import UUID, uuid5

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import override

from scoring.messages import Message, say
from scoring.problems import OptionsRejected, Problem, refuse_if
from tournaments import log
from tournaments.entries.tickets import network_digest
from tournaments.log.context import club_lock
from tournaments.models import Club, EveningSheet, MessageKind, Player, PushSubscription, Receiver, Tournament
from tournaments.outbox import push
from tournaments.outbox.following import OF_PLAYERS
from tournaments.outbox.posting import AddressRefused, parts_of
from tournaments.outbox.push import Browser
from tournaments.outbox.receivers import end_of_log
from tournaments.outbox.secrets import sealed
from tournaments.rendering.i18n.translating import language_of_locale

# A hall shares one address.
MOST_FROM_A_NETWORK = 300
# Each message is posted to each of them.
MOST_OF_A_CLUB = 2_000
MOST_ENDPOINT = 1_000
Followed = Tournament | Player


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What a reader's browser asks: its keys, the language of the page, and where the site is."""

    browser: Browser
    language: str
    network: str
    site: str


def why_not(followed: Followed) -> Message | None:
    """Why nobody can be told of it; None where they can. Its club must be loaded."""
    club = followed.club
    if not push.is_set_up():
        return say("This site sends no messages to browsers")
    if log.moved_to(club.pk):
        return say("The club has moved to another site: follow it there")
    if not club.is_published:
        return say("Nothing of this club is published")
    if isinstance(followed, Player):
        is_shown = followed.has_page and followed.erased_at is None and followed.merged_into_id is None
        return None if is_shown else say("This player has no public page")
    if not followed.is_published or EveningSheet.objects.filter(tournament=followed, is_rehearsal=True).exists():
        return say("This tournament is not published")
    return say("This tournament is over") if followed.closed_at is not None else None


def key_for(followed: Followed) -> str:
    """The site's public key for a page with *Tell me here*; empty where nobody can be told of it."""
    return push.public_key() if why_not(followed) is None else ""


def subscribe(followed: Followed, asked: Asked, *, now: datetime) -> PushSubscription:
    """Tell a browser of a tournament or a player from now on; once more changes its keys and language.

    Raises OptionsRejected with every problem, ClubMoved.
    """
    club = followed.club
    refuse_if(list(_problems(followed, asked)), OptionsRejected)
    digest, network = address_digest(asked.browser.endpoint), network_digest(asked.network)
    with transaction.atomic():
        _receiver_of(club, site=asked.site, now=now)
        subscriptions = PushSubscription.objects.filter(club=club)
        what = {"player" if isinstance(followed, Player) else "tournament": followed}
        is_new = not subscriptions.filter(address_digest=digest, **what).exists()
        if is_new and (
            subscriptions.filter(network=network).count() >= MOST_FROM_A_NETWORK
            or subscriptions.count() >= MOST_OF_A_CLUB
        ):
            text = say("Too many browsers are told of this club already. Try again another day")
            raise OptionsRejected([Problem("too_many", text)])
        as_asked = {"browser": _sealed(asked.browser), "language": asked.language}
        as_new = {**as_asked, "club": club, "network": network, "created_at": now}
        subscription, _ = PushSubscription.objects.update_or_create(
            address_digest=digest, **what, defaults=as_asked, create_defaults=as_new
        )
    return subscription


def unsubscribe(followed_id: UUID, endpoint: str) -> None:
    """Tell a browser of it no longer. Repeating it changes nothing."""
    _of_browser(followed_id, endpoint).delete()


def renew(was: str, browser: Browser) -> bool:
    """Tell a browser at its new address of all that it is told of; returns whether it is told of anything.

    Whoever knows the old address is that browser. Raises OptionsRejected.
    """
    refuse_if(list(_browser_problems(browser)), OptionsRejected)
    held = PushSubscription.objects.filter(address_digest=address_digest(was))
    digest = address_digest(browser.endpoint)
    with transaction.atomic():
        if was != browser.endpoint:
            there = PushSubscription.objects.filter(address_digest=digest)
            is_there = Q(tournament__in=there.values("tournament")) | Q(player__in=there.values("player"))
            held.filter(is_there).delete()
        held.update(browser=_sealed(browser), address_digest=digest, failing_since=None, last_failure="")
    return PushSubscription.objects.filter(address_digest=digest).exists()


def is_subscribed(followed_id: UUID, endpoint: str) -> bool:
    """Whether a browser is told of it."""
    return _of_browser(followed_id, endpoint).exists()


def browsers_of(club: Club) -> int:
    """How many browsers are told of something in a club."""
    return PushSubscription.objects.filter(club=club).values("address_digest").distinct().count()


def address_digest(endpoint: str) -> str:
    """What a browser is recognised by."""
    return sha256(endpoint.encode()).hexdigest()


def _receiver_of(club: Club, *, site: str, now: datetime) -> None:
    """Make the one receiver of a club that tells browsers, with the first of them.

    Raises OptionsRejected if the club has switched it off.
    """
    receiver = Receiver.objects.filter(club=club, channel=Receiver.Channel.PUSH).first()
    if receiver is None:
        with club_lock(club.pk), override(language_of_locale(club.locale)):
            receiver, _ = Receiver.objects.get_or_create(
                id=uuid5(club.pk, "push"),
                defaults={
                    "club": club,
                    "channel": Receiver.Channel.PUSH,
                    "name": str(Receiver.Channel.PUSH.label),
                    "kinds": [kind.value for kind in MessageKind if kind in OF_PLAYERS],
                    "site": site,
                    "position": end_of_log(club),
                    "created_at": now,
                },
            )
    if not receiver.is_on:
        raise OptionsRejected([Problem("is_off", say("The club has switched messages to browsers off"))])


def _of_browser(followed_id: UUID, endpoint: str) -> QuerySet[PushSubscription]:
    of_it = Q(tournament=followed_id) | Q(player=followed_id)
    return PushSubscription.objects.filter(of_it, address_digest=address_digest(endpoint))


def _sealed(browser: Browser) -> str:
    return sealed(msgspec.json.encode(browser).decode())


def _problems(followed: Followed, asked: Asked) -> Iterator[Problem]:
    problem = why_not(followed)
    if problem is not None:
        yield Problem("not_told", problem)
    yield from _browser_problems(asked.browser)
    if asked.language not in dict(settings.LANGUAGES):
        yield Problem("not_a_choice", say("Choose a language of this site"), field="language")


def _browser_problems(browser: Browser) -> Iterator[Problem]:
    """What is wrong with what a browser gave. Its keys can be read only where the site can send to it."""
    if len(browser.endpoint) > MOST_ENDPOINT:
        text = say("Enter an address of at most {most} characters", most=MOST_ENDPOINT)
        yield Problem("out_of_range", text, field="endpoint")
    else:
        try:
            parts_of(browser.endpoint, allows_inner=settings.OUTBOX_ALLOWS_INNER)
        except AddressRefused as refused:
            yield Problem("not_an_address", refused.message, field="endpoint")
    if push.is_set_up() and not push.are_keys(browser.p256dh, browser.auth):
        yield Problem("not_keys", say("These are not the keys of a browser"), field="p256dh")
