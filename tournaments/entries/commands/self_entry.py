"""Entries of people who enter by themselves: sent, confirmed by mail, decided at the desk, withdrawn, deleted.

Rules: docs/decisions/0082-players-enter-by-themselves.md. What a request leads to is entered by the same command as at
the desk, under the actor `self:ID`; its row is locked with the club, so that no request is accepted twice.
"""

import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from scoring.messages import say
from scoring.problems import EventNotAllowed, KeyReused, OptionsRejected, Problem, refuse_if
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.self_entry import (
    State,
    digest_of_players,
    is_in,
    places_of,
    players_meant,
    status_of,
    why_closed,
)
from tournaments.entries.tickets import network_digest, secret_from
from tournaments.log.context import CommandContext, tournament_lock
from tournaments.models import EntrantsShown, EntryRequest, Player, Tournament
from tournaments.models.bounds import moment_problems
from tournaments.models.entry_requests import MOST_WISH
from tournaments.models.people import MOST_EMAIL, MOST_PHONE
from tournaments.models.play import MOST_PLACES, MOST_REASON
from tournaments.people import access
from tournaments.people.access import CODE_LETTERS, Attempt, Verdict, token_digest
from tournaments.people.known_names import known_names
from tournaments.people.players import BY_THEMSELVES, likely_duplicates, name_faults, player_name_faults, without_mark
from tournaments.running.commands.record import tournament_state

ATTEMPT = "entry"
WITHOUT_PROOF = "without proof"
CODE_LENGTH = 5
# An unconfirmed request is deleted after this time, and the mailed link ends; a decided one is kept for its sender.
CONFIRMED_WITHIN, KEPT = timedelta(hours=48), timedelta(days=7)
# Of one tournament at a time; beyond it new ones push others out.
MOST_UNCONFIRMED = 200
# A confirmed mail brings a stranger in by itself; beyond so many in one tournament somebody has to look.
MOST_BY_THEMSELVES = 500
# Nobody's mailbox is filled by strangers who type its address here.
MAILS_A_DAY = 3
PHONE_SIGNS = frozenset("0123456789+-/(). ")
SHORTEST_PHONE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfEntrySettings:
    """How a tournament takes entries. Without `until`, until its start; without `places`, without a limit."""

    takes_entries: bool
    until: datetime | None = None
    places: int | None = None
    shows: str = EntrantsShown.NUMBER
    asks_email: bool = True
    asks_phone: bool = False


def change_self_entry(tournament_id: UUID, settings: SelfEntrySettings) -> Tournament:
    """Store the settings, in the row: like publishing, they are no part of the log. Raises OptionsRejected."""
    with tournament_lock(tournament_id) as tournament:
        refuse_if(list(_settings_problems(tournament, settings)), OptionsRejected)
        tournament.takes_entries = settings.takes_entries
        tournament.entries_until = settings.until
        tournament.places = settings.places
        tournament.shows_entrants = settings.shows
        tournament.asks_email, tournament.asks_phone = settings.asks_email, settings.asks_phone
        tournament.save(
            update_fields=["takes_entries", "entries_until", "places", "shows_entrants", "asks_email", "asks_phone"]
        )
    return tournament


def _settings_problems(tournament: Tournament, settings: SelfEntrySettings) -> Iterator[Problem]:
    state = tournament_state(tournament)
    if settings.takes_entries and state.plan is not None and state.plan.is_rehearsal:
        yield Problem("is_rehearsal", say("Nobody enters a practice tournament"), field="takes_entries")
    if settings.takes_entries and not tournament.takes_entries and tournament.closed_at is not None:
        yield Problem("tournament_closed", say("the tournament is closed: reopen it first"), field="takes_entries")
    if settings.until is not None:
        yield from moment_problems(settings.until, "until")
    if settings.places is not None and not 1 <= settings.places <= MOST_PLACES:
        detail = say("Enter a number from {least} to {most}", least=1, most=MOST_PLACES)
        yield Problem("out_of_range", detail, field="places")
    if settings.shows not in EntrantsShown.values:
        yield Problem("not_a_choice", say("Choose what the public sees"), field="shows")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody typed who wants to enter."""

    name: str
    email: str = ""
    phone: str = ""
    wants_mail: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Where a request came from: the client's network, the form's ticket, and whether its browser did the work."""

    network: str
    ticket: str
    is_proven: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRequest:
    """A stored request with the secret of its status page; with `mail_secret` a mail with that secret is to be sent."""

    row: EntryRequest
    secret: str
    mail_secret: str = ""
    is_replay: bool = False


def may_send(tournament_id: UUID, sender: Sender, *, now: datetime) -> Verdict:
    """Count one request from a network for a tournament, or refuse it without a write.

    Twenty in a quarter of an hour are free, for a hall shares one address; then each has to wait. Without proof of work
    there are five, and none for a quarter of an hour after them.
    """
    place = f"{tournament_id.hex}:{network_digest(sender.network)[:32]}"
    subject = access.ANY_NAME if sender.is_proven else WITHOUT_PROOF
    return access.begin(Attempt(kind=ATTEMPT, subject=subject, place=place), now=now)


def request_entry(tournament_id: UUID, wish: Wish, sender: Sender, *, mails: bool, now: datetime) -> SentRequest:
    """Store what somebody sent. `mails`: this site can send mail.

    The same ticket with the same wish again returns what is stored. Raises OptionsRejected with every problem, and if
    nobody can enter now; KeyReused for the same ticket with another wish; ClubMoved.
    """
    wish = _tidy(wish)
    secret = secret_from("status", sender.ticket)
    digest = token_digest(secret)
    with tournament_lock(tournament_id) as tournament:
        before = EntryRequest.objects.filter(digest=digest).first()
        if before is not None:
            return _sent_before(before, wish, secret)
        closed = why_closed(tournament, tournament_state(tournament), now=now)
        problems = [Problem("entries_closed", reason) for reason in closed]
        refuse_if([*problems, *wish_problems(wish)], OptionsRejected)
        row_id = uuid4()
        mail_secret = secret_from("mail", str(row_id)) if mails and _may_be_mailed(wish, sender, now) else ""
        # A second click may have arrived at the same moment.
        row, is_new = EntryRequest.objects.get_or_create(
            digest=digest,
            defaults={
                "id": row_id,
                "club_id": tournament.club_id,
                "tournament": tournament,
                "name": wish.name,
                "email": wish.email,
                "phone": wish.phone,
                "wants_mail": wish.wants_mail and bool(wish.email),
                "note": wish.note,
                "code": _free_code(tournament_id),
                "confirm_digest": token_digest(mail_secret) if mail_secret else "",
                "network": network_digest(sender.network),
                "is_proven": sender.is_proven,
                "made_at": now,
                "expires_at": now + CONFIRMED_WITHIN,
            },
        )
        if not is_new:
            return _sent_before(row, wish, secret)
        _push_out(row)
    return SentRequest(row=row, secret=secret, mail_secret=mail_secret)


def _sent_before(row: EntryRequest, wish: Wish, secret: str) -> SentRequest:
    if (row.name, row.email, row.phone, row.note) != (wish.name, wish.email, wish.phone, wish.note):
        raise KeyReused("this form was sent before with another content")
    return SentRequest(row=row, secret=secret, is_replay=True)


def _tidy(wish: Wish) -> Wish:
    """The wish with each text on one line; a mark for a new player is the desk's to give."""
    return Wish(
        name=without_mark(" ".join(wish.name.split()))[0],
        email=wish.email.strip(),
        phone=" ".join(wish.phone.split()),
        wants_mail=wish.wants_mail,
        note=" ".join(wish.note.split()),
    )


def wish_problems(wish: Wish) -> Iterator[Problem]:
    """Yield what is missing or wrong in what somebody typed."""
    wish = _tidy(wish)
    for code, why in player_name_faults(wish.name):
        yield Problem(code, why, field="name")
    yield from contact_problems(wish.email, wish.phone)
    if len(wish.note) > MOST_WISH:
        yield _too_long("note", MOST_WISH)
    elif wish.note and any(code == "name_not_text" for code, _ in name_faults(wish.note)):
        yield Problem("not_text", say("a note cannot hold control characters"), field="note")


def contact_problems(email: str, phone: str) -> Iterator[Problem]:
    """Yield what is wrong with a mail address and a phone number that somebody typed; empty ones are not."""
    if email:
        try:
            validate_email(email)
        except ValidationError:
            yield Problem("not_an_address", say("Enter an address such as asha@example.org"), field="email")
        if len(email) > MOST_EMAIL:
            yield _too_long("email", MOST_EMAIL)
    if phone and (not PHONE_SIGNS.issuperset(phone) or sum(map(str.isdigit, phone)) < SHORTEST_PHONE):
        yield Problem("not_a_phone_number", say("Enter a number such as +91 98200 12345"), field="phone")
    if len(phone) > MOST_PHONE:
        yield _too_long("phone", MOST_PHONE)


def _too_long(field: str, most: int) -> Problem:
    return Problem("too_long", say("At most {most} characters", most=most), field=field)


def _free_code(tournament_id: UUID) -> str:
    """A code that no request of the tournament has."""
    taken = set(EntryRequest.objects.filter(tournament=tournament_id).values_list("code", flat=True))
    while (code := "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))) in taken:
        pass
    return code


def _may_be_mailed(wish: Wish, sender: Sender, now: datetime) -> bool:
    """Whether a mail is sent: to a machine's wish none is, and to one address only so many a day."""
    if not wish.email or not sender.is_proven:
        return False
    since = now - timedelta(days=1)
    mailed = EntryRequest.objects.filter(email__iexact=wish.email, made_at__gt=since).exclude(confirm_digest="")
    emails = mailed.values_list("email", flat=True)
    return sum(is_same_address(email, wish.email) for email in emails) < MAILS_A_DAY


def is_same_address(one: str, other: str) -> bool:
    """Whether two mail addresses are one, whatever the case of their ASCII letters.

    Databases and case folding take a long s for an s, and the Kelvin sign for a k: those are other mailboxes.
    """
    return one == other or (one.isascii() and other.isascii() and one.lower() == other.lower())


def _push_out(row: EntryRequest) -> None:
    """Delete unconfirmed requests beyond `MOST_UNCONFIRMED`: without proof of work first, then of the same network.

    Then of the network with the most, and the oldest first. So machines push out machines. A request without proof
    never pushes out one with it: then it is refused itself. Raises OptionsRejected.
    """
    unconfirmed = EntryRequest.objects.filter(tournament=row.tournament_id, state=State.UNCONFIRMED)
    others = list(unconfirmed.exclude(pk=row.pk).order_by("made_at", "id").values_list("pk", "network", "is_proven"))
    over = len(others) + 1 - MOST_UNCONFIRMED
    if over <= 0:
        return
    if not row.is_proven and all(is_proven for _, _, is_proven in others):
        detail = say("Too many requests are waiting. Ask at the desk, or try again later")
        raise OptionsRejected([Problem("too_many_requests", detail)])
    requests_from = Counter(network for _, network, _ in others)
    # Sorting is stable: among equals the oldest stays first.
    order = sorted(others, key=lambda other: (other[2], other[1] != row.network, -requests_from[other[1]]))
    EntryRequest.objects.filter(pk__in=[pk for pk, _, _ in order[:over]]).delete()


@contextmanager
def _locked(row_id: UUID) -> Iterator[tuple[Tournament, EntryRequest]]:
    """The tournament and a request, both as they are while nobody else can decide."""
    with tournament_lock(EntryRequest.objects.values_list("tournament_id", flat=True).get(pk=row_id)) as tournament:
        yield tournament, EntryRequest.objects.get(pk=row_id)


def confirm_request(row_id: UUID, *, now: datetime) -> EntryRequest:
    """Take a mail address as the sender's. Where nobody needs to be asked who it is, they have entered then.

    Confirming twice changes nothing. Raises OptionsRejected if the time for it is over.
    """
    with _locked(row_id) as (tournament, row):
        if row.confirmed_at is not None or row.state in (State.REFUSED, State.WITHDRAWN):
            return row
        if now >= row.expires_at and row.state == State.UNCONFIRMED:
            raise OptionsRejected([Problem("too_late", say("This link has ended: enter again, or ask at the desk"))])
        row.confirmed_at = now
        if row.state == State.UNCONFIRMED:
            row.state = State.CONFIRMED
        row.save(update_fields=["confirmed_at", "state"])
        if row.state == State.ENTERED:
            _agree_to_mail(row)
        elif (who := _who_without_question(tournament, row, now=now)) is not None:
            try:
                _enter(tournament, row, who, context=_own_context(row, now))
            except EventNotAllowed:
                # The rules have an objection that only a person can answer: it stays a question for the desk.
                row.state = State.CONFIRMED
    return row


def _own_context(row: EntryRequest, now: datetime, part: str = "") -> CommandContext:
    return CommandContext(actor=f"{BY_THEMSELVES}{row.id}", now=now, key=f"entry-request:{row.id}{part}")


def _who_without_question(tournament: Tournament, row: EntryRequest, *, now: datetime) -> EntryRow | None:
    """The entry that a confirmed mail leads to by itself: a new name, or a player whose stored address it is."""
    if why_closed(tournament, tournament_state(tournament), now=now):
        return None
    by_themselves = EntryRequest.objects.filter(tournament=tournament, decided_by__startswith=BY_THEMSELVES)
    if by_themselves.count() >= MOST_BY_THEMSELVES:
        return None
    same, near = players_meant(known_names(tournament.club), row.name)
    if not same and not near and not likely_duplicates(tournament.club, [row.name]):
        return EntryRow(number=1, name=row.name, is_namesake=True)
    found = Player.objects.filter(pk__in=[player for player, _ in same]).exclude(is_suspended=True)
    emails = found.values_list("pk", "email") if row.email else ()
    players = [player for player, email in emails if is_same_address(email, row.email)]
    return EntryRow(number=1, name=row.name, player=str(players[0])) if len(players) == 1 else None


def accept_request(
    row_id: UUID,
    *,
    player: UUID | None = None,
    seen: str | None = None,
    keeps_contact: bool = True,
    context: CommandContext,
) -> EntryRequest:
    """Enter who sent a request: as this player of the club, or as a new one.

    `seen` is the digest of the players that the page offered: if there are others now, somebody has just added the same
    name, and the question is asked again. A request that has been accepted as the same person stays as it is. Who has
    entered otherwise is refused: the sender, perhaps a stranger, could withdraw them. A known player gets the address
    only if it `keeps_contact`: codes that open the player's statement are mailed there. Raises EventNotAllowed with
    every problem, of the tournament too.
    """
    with _locked(row_id) as (tournament, row):
        if row.state == State.ENTERED and (player is None or player == row.player_id):
            return row
        refuse_if(list(_decided(row)), EventNotAllowed)
        names = known_names(tournament.club)
        same, near = players_meant(names, row.name)
        if player is not None and str(player) not in names.by_id:
            raise EventNotAllowed([Problem("unknown_player", say("this player is not in the club"), field="player")])
        if player is not None and is_in(tournament_state(tournament), str(player)):
            detail = say("{name} is entered already", name=names.by_id[str(player)][1])
            raise EventNotAllowed([Problem("entered_already", detail, field="player")])
        if seen is not None and seen != digest_of_players((*same, *near)):
            detail = say("Another player looks like {name} now: check, and choose again", name=row.name)
            raise EventNotAllowed([Problem("list_moved", detail, field="player")])
        who = EntryRow(number=1, name=row.name, player=str(player or ""), is_namesake=player is None)
        _enter(tournament, row, who, keeps_contact=keeps_contact, context=context)
    return row


def _decided(row: EntryRequest) -> Iterator[Problem]:
    """Why nothing can be decided any more."""
    match row.state:
        case State.ENTERED:
            detail = say("{name} has been entered already by someone else", name=row.name)
            yield Problem("decided", detail, field="request")
        case State.REFUSED:
            yield Problem("decided", say("{name} has been refused by someone else", name=row.name), field="request")
        case State.WITHDRAWN:
            yield Problem("decided", say("{name} has withdrawn", name=row.name), field="request")


def _enter(
    tournament: Tournament, row: EntryRequest, who: EntryRow, *, keeps_contact: bool = True, context: CommandContext
) -> None:
    """Enter a player by the command of the desk; on the standby list where all places are taken.

    Who is in the tournament already stays as they are, on the standby list too: then nobody has decided the request.
    Raises EventNotAllowed.
    """
    with transaction.atomic():
        state = tournament_state(tournament)
        decided_by = context.actor
        if not is_in(state, who.player):
            is_standby = places_of(tournament, state).is_full and not state.is_started
            entry = EntryRow(
                number=1, name=who.name, player=who.player, is_namesake=who.is_namesake, is_standby=is_standby
            )
            before = set(state.entrants)
            after = enter_list(tournament.pk, [entry], context=context, adds_new=True).state
            player = who.player or next(iter(set(after.entrants) - before))
        else:
            player, decided_by = who.player, ""
        row.player_id, row.state = UUID(player), State.ENTERED
        row.decided_at, row.decided_by = context.now, decided_by
        row.save(update_fields=["player", "state", "decided_at", "decided_by"])
        if keeps_contact or not who.player:
            _keep_contact(row, is_new=not who.player)


def _keep_contact(row: EntryRequest, *, is_new: bool) -> None:
    """Keep address and number with the player: all of a new one's, and of a known one's what is missing.

    A known player gets them only where the desk saw a confirmed address: anybody can type a known name.
    """
    player = row.player
    assert player is not None  # noqa: S101 - who has entered is a player: a constraint of the row
    if is_new or row.confirmed_at is not None:
        player.email, player.phone = player.email or row.email, player.phone or row.phone
        player.save(update_fields=["email", "phone"])
        _agree_to_mail(row)


def _agree_to_mail(row: EntryRequest) -> None:
    """Let a player have mail where the request asked for it, at an address that was confirmed and is the player's.

    After the desk's decision no address is stored: a new player has that of the request already, and a known one's
    would be of whoever typed the name.
    """
    player = row.player
    assert player is not None  # noqa: S101 - see above
    if row.wants_mail and row.confirmed_at is not None and is_same_address(player.email, row.email):
        player.wants_mail = True
        player.save(update_fields=["wants_mail"])


def refuse_request(row_id: UUID, *, reason: str, context: CommandContext) -> EntryRequest:
    """Refuse a request, with a reason that its sender reads. Raises EventNotAllowed with every problem."""
    reason = " ".join(reason.split())
    with _locked(row_id) as (_, row):
        if row.state == State.REFUSED:
            return row
        problems = list(_decided(row))
        if not reason:
            problems.append(Problem("missing_reason", say("a reason is needed"), field="reason"))
        if len(reason) > MOST_REASON:
            problems.append(_too_long("reason", MOST_REASON))
        refuse_if(problems, EventNotAllowed)
        _decide(row, State.REFUSED, context, reason=reason)
    return row


def refuse_unconfirmed(tournament_id: UUID, *, context: CommandContext) -> int:
    """Refuse every request that nobody has confirmed; returns how many they were."""
    with tournament_lock(tournament_id):
        rows = EntryRequest.objects.filter(tournament=tournament_id, state=State.UNCONFIRMED)
        return rows.update(
            state=State.REFUSED,
            decided_at=context.now,
            decided_by=context.actor,
            expires_at=context.now + CONFIRMED_WITHIN,
        )


def withdraw_request(row_id: UUID, *, now: datetime) -> EntryRequest:
    """Withdraw, at the sender's own wish: also an entry, while they are not checked in and have not paid.

    Doing it twice changes nothing. Raises EventNotAllowed.
    """
    with _locked(row_id) as (tournament, row):
        if row.state in (State.WITHDRAWN, State.REFUSED):
            return row
        if not status_of(row, tournament_state(tournament)).may_withdraw:
            raise EventNotAllowed([Problem("at_the_desk", say("Tell the desk that you cannot come"))])
        if row.state == State.ENTERED:
            context = _own_context(row, now, ":withdrawn")
            act_at_desk(tournament.pk, DESK_ACTS["withdraw"], str(row.player_id), context=context)
        _decide(row, State.WITHDRAWN, _own_context(row, now))
    return row


def _decide(row: EntryRequest, state: EntryRequest.State, context: CommandContext, *, reason: str = "") -> None:
    row.state, row.reason = state, reason
    row.decided_at, row.decided_by, row.expires_at = context.now, context.actor, context.now + KEPT
    row.save(update_fields=["state", "reason", "decided_at", "decided_by", "expires_at"])


def delete_old_requests(*, now: datetime) -> int:
    """Delete what nobody confirmed in time, what was refused or withdrawn, and all of tournaments closed some days ago.

    Returns how many.
    """
    over = EntryRequest.objects.filter(
        state__in=[State.UNCONFIRMED, State.REFUSED, State.WITHDRAWN], expires_at__lte=now
    )
    of_closed = EntryRequest.objects.filter(tournament__closed_at__lte=now - KEPT)
    return sum(rows.delete()[0] for rows in (over, of_closed))
