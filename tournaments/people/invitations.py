"""Who works for a club: invited by a link that can be used once, given another role, removed; and new passwords.

Rules: docs/decisions/0081-people-let-themselves-in.md. A link holds a code, of which only the keyed digest is kept. It
is checked again when it is used, under the lock of its row: whoever made it must still be allowed to. An owner decides
about the own club alone: name and password of somebody who also works for another club, or who is a site
administrator, are not the owner's. What is done is recorded in the history of the club, without the code.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from scoring.messages import Message, say
from scoring.problems import KeyReused, OptionsRejected, Problem, refuse_if
from tournaments.log.context import club_lock
from tournaments.models import Club, Invitation, InvitationKind, Membership, Role
from tournaments.people.access import code_digest, new_code, revoke_tokens, working_tokens
from tournaments.people.permissions import MATRIX, Permission
from tournaments.people.second_factor import disconnect_services, forget_second_factor

INVITATIONS_LAST, PASSWORD_LINKS_LAST = timedelta(days=7), timedelta(hours=24)
# 31^20 are 6e29: nobody finds one by guessing, and it can still be typed.
INVITATION_LENGTH = 20
# What the history of a club calls what was done about people.
INVITATION, PASSWORD_LINK, PERSON = gettext_noop("invitation"), gettext_noop("password link"), gettext_noop("person")
ROLE, PASSWORD, SECOND_FACTOR = gettext_noop("role"), gettext_noop("password"), gettext_noop("second factor")
UNKNOWN = Problem("unknown_code", say("No open link has this code. Open it again, or type it as printed"), field="code")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLogin:
    """What somebody typed to make a login; a form has validated it."""

    username: str
    name: str
    email: str
    password: str = field(repr=False)


def invite(draft: Invitation, *, now: datetime) -> tuple[Invitation, str]:
    """Make a link with which one person gets a role in a club: the draft has its id, club, role, name, note and maker.

    Returns it with its code. The same id again returns the existing link with an empty code: that was shown once.
    Raises KeyReused where the id is that of another link.
    """
    code = new_code(INVITATION_LENGTH)
    given = {name: getattr(draft, name) for name in ("club", "role", "name", "note", "made_by")}
    made = {"digest": code_digest(code), "made_at": now, "expires_at": now + INVITATIONS_LAST}
    with transaction.atomic():
        invitation, is_new = Invitation.objects.get_or_create(
            pk=draft.pk, defaults={"kind": InvitationKind.INVITE, **given, **made}
        )
        if any(getattr(invitation, name) != given[name] for name in ("club", "role", "name", "note")):
            raise KeyReused("the idempotency key was used for another invitation")
        if is_new:
            clubs = Club.objects.filter(invitations=invitation)
            record(draft.made_by, clubs, {"added": {"name": INVITATION, "object": str(invitation)}})
    return invitation, code if is_new else ""


def make_password_link(  # noqa: PLR0913 - a link for whom, by whom, and what it does
    user: Any,
    *,
    now: datetime,
    club: Club | None = None,
    made_by: Any = None,
    by_device: bool = False,
    forgets_second_factor: bool = False,
) -> tuple[Invitation, str]:
    """Make a link with which this person chooses a new password. Returns it with its code; earlier ones end.

    `made_by` is empty for a command of the server, and who made the device link `by_device`. Raises OptionsRejected
    where an owner may not decide about it.
    """
    code = new_code(INVITATION_LENGTH)
    with transaction.atomic():
        refuse_if(password_problems(user, club=club, made_by=made_by, by_device=by_device), OptionsRejected)
        earlier = Invitation.objects.filter(user=user, used_at__isnull=True, revoked_at__isnull=True)
        earlier.update(revoked_at=now)
        invitation = Invitation.objects.create(
            kind=InvitationKind.PASSWORD,
            club=club,
            user=user,
            forgets_second_factor=forgets_second_factor,
            digest=code_digest(code),
            made_by=made_by,
            made_at=now,
            expires_at=now + PASSWORD_LINKS_LAST,
        )
        if made_by is not None:
            clubs = {*_clubs_of(user), *([club] if club else [])}
            record(made_by, clubs, {"added": {"name": PASSWORD_LINK, "object": user.get_username()}})
    return invitation, code


def make_setup_code(*, now: datetime) -> str:
    """Make the code with which an installation gets its first login; earlier ones end. Empty where it has a login."""
    code = new_code(INVITATION_LENGTH)
    with transaction.atomic():
        Invitation.objects.filter(kind=InvitationKind.SETUP, used_at__isnull=True).delete()
        if get_user_model().objects.exists():
            return ""
        Invitation.objects.create(
            kind=InvitationKind.SETUP,
            digest=code_digest(code),
            made_at=now,
            expires_at=now + INVITATIONS_LAST,
        )
    return code


def invitation_by_code(code: str, kinds: Iterable[InvitationKind]) -> Invitation | None:
    """The link with this code, however it was typed, in whatever state it is."""
    rows = Invitation.objects.select_related("club", "user", "made_by")
    return rows.filter(digest=code_digest(code), kind__in=kinds).first()


def problems_of(invitation: Invitation, *, now: datetime) -> list[Problem]:
    """Why a link opens nothing any more, in one sentence; empty where it does."""
    if invitation.used_at is not None:
        return _over("used", say("This link was used already. Ask for a new one"))
    maker, club = invitation.made_by, invitation.club
    if maker is not None and club is not None and not manages(maker, club):
        text = say("The person who made this link no longer manages the club. Ask an owner for a new one")
        return _over("maker_left", text)
    if invitation.revoked_at is not None:
        return _over("revoked", say("This link was revoked. Ask for a new one"))
    if invitation.expires_at <= now and invitation.kind == InvitationKind.SETUP:
        return _over("expired", say("This code has expired. Make a new one with the command login_link"))
    if invitation.expires_at <= now:
        return _over("expired", say("This link has expired. Ask for a new one"))
    if invitation.user is not None:
        return password_problems(invitation.user, club=club, made_by=maker)
    return []


def password_problems(user: Any, *, club: Club | None, made_by: Any, by_device: bool = False) -> list[Problem]:
    """Why somebody may not decide about a login's password: another club relies on it, or the whole site does.

    A site administrator and a command of the server may; a device link of an administrator has its role in the club
    and no more.
    """
    if made_by is None or (made_by.is_superuser and not by_device):
        return []
    clubs = {membership.club_id for membership in Membership.objects.filter(user=user)}
    detail: Message | None = None
    if user.is_superuser:
        detail = say("This is a site administrator: ask another one for a link, or reset the password by mail")
    elif club is None or clubs - {club.pk}:
        detail = say("This person works for another club too: reset the password by mail, or ask a site administrator")
    elif not clubs:
        detail = say("This person no longer works for the club")
    return _over("not_yours", detail) if detail else []


def role_problems(invitation: Invitation, user: Any) -> list[Problem]:
    """Why an invitation changes nothing for somebody: it takes away no permission that a role in the club gives."""
    present = Membership.objects.filter(club=invitation.club, user=user).first()
    if present is None or MATRIX[Role(invitation.role)] > MATRIX[Role(present.role)]:
        return []
    role = present.get_role_display()
    return _over("has_role", say("You already work for this club as {role}. An owner can change your role", role=role))


def take_role(invitation_id: UUID, user: Any, *, now: datetime) -> Membership:
    """Give somebody with a login the role that they are invited to. Raises OptionsRejected; the link is then unused."""
    with _used(invitation_id, InvitationKind.INVITE, now=now) as invitation:
        refuse_if(role_problems(invitation, user), OptionsRejected)
        membership, _ = Membership.objects.update_or_create(
            club=invitation.club, user=user, defaults={"role": invitation.role}
        )
        if not user.is_staff:
            user.is_staff = True
            user.save(update_fields=["is_staff"])
        # A link to a new password that another club has made would now be a way into this one.
        links = Invitation.objects.filter(user=user, club__isnull=False, used_at__isnull=True, revoked_at__isnull=True)
        links.exclude(club=invitation.club).update(revoked_at=now)
        _note_use(invitation, user, now)
        record(user, [membership.club], {"added": {"name": PERSON, "object": _named(user, invitation.role)}})
    return membership


def make_login(invitation_id: UUID, login: NewLogin, *, now: datetime) -> Any:
    """Make a login with the role that its owner was invited to. Raises OptionsRejected; nothing is then made."""
    with _used(invitation_id, InvitationKind.INVITE, now=now) as invitation:
        user = _new_user(login)
        club = Club.objects.get(invitations=invitation)
        Membership.objects.create(club=club, user=user, role=invitation.role)
        _note_use(invitation, user, now)
        record(user, [club], {"added": {"name": PERSON, "object": _named(user, invitation.role)}})
    return user


def choose_password(invitation_id: UUID, password: str, *, now: datetime) -> Any:
    """Set the password that the link is for. Raises OptionsRejected. Every session of the old password ends.

    A login that could not sign in can again: whoever made the link wants that.
    """
    with _used(invitation_id, InvitationKind.PASSWORD, now=now) as invitation:
        user = get_user_model().objects.select_for_update().get(password_links=invitation)
        # Before the password is saved, which ends all links to a new one that are still unused.
        _note_use(invitation, user, now)
        user.set_password(password)
        user.is_active = user.is_staff = True
        user.save(update_fields=["password", "is_active", "is_staff"])
        end_sessions(user)
        disconnect_services(user)
        fields = [PASSWORD]
        if invitation.forgets_second_factor:
            forget_second_factor(user)
            fields.append(SECOND_FACTOR)
        changed = {"name": PERSON, "object": user.get_username(), "fields": fields}
        record(user, _clubs_of(user), {"changed": changed})
    return user


def set_up(code: str, club: Club, login: NewLogin, *, now: datetime) -> Any:
    """Make the first login of an installation, owner of its first club and site administrator; returns it.

    Raises OptionsRejected for a code that is not open any more.
    """
    found = invitation_by_code(code, [InvitationKind.SETUP])
    if found is None:
        raise OptionsRejected([UNKNOWN])
    with _used(found.pk, InvitationKind.SETUP, now=now) as invitation:
        if get_user_model().objects.exists():
            raise OptionsRejected(_over("used", say("The site has a login already")))
        user = _new_user(login, is_superuser=True)
        club.save(force_insert=True)
        Membership.objects.create(club=club, user=user, role=Role.OWNER)
        _note_use(invitation, user, now)
        record(user, [club], {"added": {"name": PERSON, "object": _named(user, Role.OWNER)}})
    return user


def revoke(invitation: Invitation, *, by: Any, now: datetime) -> None:
    """Revoke a link at once. One that was used, or revoked before, stays as it is."""
    with transaction.atomic():
        rows = Invitation.objects.filter(pk=invitation.pk, used_at__isnull=True, revoked_at__isnull=True)
        if rows.update(revoked_at=now) and invitation.club is not None:
            what = str(invitation) if invitation.user is None else invitation.user.get_username()
            kind = INVITATION if invitation.user is None else PASSWORD_LINK
            record(by, [invitation.club], {"deleted": {"name": kind, "object": what}})


def open_links(club: Club, *, now: datetime) -> Sequence[Invitation]:
    """The links of a club that open something, the latest first."""
    rows = Invitation.objects.filter(club=club, used_at__isnull=True, revoked_at__isnull=True, expires_at__gt=now)
    links = list(rows.select_related("club", "user", "made_by"))
    # Each maker is asked about once: a few people make all links. At most one link for a password is open for a login.
    makers = {link.made_by for link in links if link.made_by is not None}
    working = {None, *(maker.pk for maker in makers if manages(maker, club))}
    links = [link for link in links if link.made_by_id in working]
    return [link for link in links if link.user is None or not problems_of(link, now=now)]


def change_role(  # noqa: PLR0913 - what a page has asked for
    membership: Membership, role: Role, *, expected: str, by: Any, now: datetime, revokes_devices: bool = False
) -> int:
    """Give somebody of a club another role than the expected one, which the user has seen.

    Device links that they made are the club's, and go on unless `revokes_devices`: then those end that may do what the
    new role may not. Returns how many ended. Raises OptionsRejected where somebody else has changed the role, or where
    the club would be without an owner.
    """
    with club_lock(membership.club_id):
        current = Membership.objects.select_related("club", "user").filter(pk=membership.pk).first()
        if current is None:
            raise OptionsRejected(_over("gone", say("Someone else removed this person. Go back to People")))
        if current.role == role:
            return 0
        if current.role != expected:
            text = say("Someone else changed the role to {role}. Compare, then save", role=current.get_role_display())
            raise OptionsRejected([Problem("stale", text, field="role")])
        refuse_if(owner_problems(current, role), OptionsRejected)
        Membership.objects.filter(pk=current.pk).update(role=role)
        above = [other for other in Role if not MATRIX[other] <= MATRIX[role]] if revokes_devices else []
        devices = working_tokens(now=now).filter(club=current.club, user=current.user, role__in=above)
        token_ids = list(devices.values_list("pk", flat=True))
        revoke_tokens(token_ids, now=now)
        changed = {"name": PERSON, "object": _named(current.user, role), "fields": [ROLE]}
        record(by, [current.club], {"changed": changed})
    return len(token_ids)


def remove_person(membership: Membership, *, by: Any, now: datetime, revokes_devices: bool = False) -> None:
    """Remove somebody from a club, with the invitations and password links that they made or that are for them.

    Device links that they made are the club's, and go on unless `revokes_devices`. Their sessions end too, unless the
    login is of use elsewhere. Raises OptionsRejected for the last owner. Repeating it changes nothing. Of a club that
    has moved too: its data stay here, and who left must not read them.
    """
    with club_lock(membership.club_id, even_moved=True):
        current = Membership.objects.select_related("club", "user").filter(pk=membership.pk).first()
        if current is None:
            return
        refuse_if(owner_problems(current, None), OptionsRejected)
        club, user = current.club, current.user
        current.delete()
        if revokes_devices:
            devices = working_tokens(now=now).filter(club=club, user=user)
            revoke_tokens(devices.values_list("pk", flat=True), now=now)
        links = Invitation.objects.filter(Q(made_by=user) | Q(user=user), club=club, used_at__isnull=True)
        links.filter(revoked_at__isnull=True).update(revoked_at=now)
        if not user.is_superuser and not Membership.objects.filter(user=user).exists():
            end_sessions(user)
        record(by, [club], {"deleted": {"name": PERSON, "object": user.get_username()}})


def manages(user: Any, club: Club) -> bool:
    """Whether this login is an owner's of the club, or a site administrator's; never where nobody is signed in."""
    if not user.is_active:
        return False
    roles = [role for role in Role if Permission.MANAGE in MATRIX[role]]
    return user.is_superuser or Membership.objects.filter(user=user, club=club, role__in=roles).exists()


def owner_problems(membership: Membership, role: Role | None) -> list[Problem]:
    """Report that a club would be without an owner who can sign in."""
    if membership.role != Role.OWNER or role == Role.OWNER:
        return []
    owners = Membership.objects.filter(club=membership.club, role=Role.OWNER, user__is_active=True)
    if owners.exclude(pk=membership.pk).exists():
        return []
    text = say("The last owner of a club stays. Make someone else an owner first")
    return [Problem("last_owner", text, field="role")]


def last_seen(users: Iterable[Any]) -> dict[int, datetime]:
    """When each of these logins was last here, by id, to about ten minutes: by its sessions, else by its last sign-in.

    A session's end is moved while it is used. Nothing is written for it.
    """
    seen = {user.pk: user.last_login for user in users}
    for user_id, session in _sessions_of(seen):
        moment = session.expire_date - timedelta(seconds=settings.SESSION_COOKIE_AGE)
        seen[user_id] = max(moment, seen[user_id] or moment)
    return {user_id: moment for user_id, moment in seen.items() if moment is not None}


def end_sessions(user: Any) -> None:
    """Sign a login out everywhere."""
    keys = [session.pk for _, session in _sessions_of({user.pk})]
    Session.objects.filter(pk__in=keys).delete()


def record(by: Any, clubs: Iterable[Club], change: dict[str, Any]) -> None:
    """Record what was done about people in the history of these clubs, in Django's form of a change; never a code."""
    LogEntry.objects.log_actions(by.pk, clubs, CHANGE, [change], single_object=False)


@contextmanager
def _used(invitation_id: UUID, kind: InvitationKind, *, now: datetime) -> Iterator[Invitation]:
    """A transaction in which nobody else can use this link. Raises OptionsRejected where it opens nothing."""
    with transaction.atomic():
        rows = Invitation.objects.select_for_update(of=("self",)).select_related("club", "user", "made_by")
        invitation = rows.filter(pk=invitation_id, kind=kind).first()
        if invitation is None:
            raise OptionsRejected([UNKNOWN])
        refuse_if(problems_of(invitation, now=now), OptionsRejected)
        yield invitation


def _note_use(invitation: Invitation, user: Any, now: datetime) -> None:
    invitation.used_at, invitation.used_by = now, user
    invitation.save(update_fields=["used_at", "used_by"])


def _new_user(login: NewLogin, *, is_superuser: bool = False) -> Any:
    """A login for the back office. Raises OptionsRejected where somebody else took the name a moment ago."""
    try:
        with transaction.atomic():
            return get_user_model().objects.create_user(
                login.username,
                login.email,
                login.password,
                first_name=login.name,
                is_staff=True,
                is_superuser=is_superuser,
            )
    except IntegrityError as error:
        taken = say("Someone else has this login name. Choose another one")
        raise OptionsRejected([Problem("taken", taken, field="username")]) from error


def _clubs_of(user: Any) -> list[Club]:
    return list(Club.objects.filter(memberships__user=user))


def _sessions_of(user_ids: Iterable[int]) -> Iterator[tuple[int, Session]]:
    ids = {str(user_id): user_id for user_id in user_ids}
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        user_id = ids.get(str(session.get_decoded().get(SESSION_KEY)))
        if user_id is not None:
            yield user_id, session


def _named(user: Any, role: str) -> str:
    return f"{user.get_username()} ({Role(role).label})"


def _over(code: str, text: Message) -> list[Problem]:
    return [Problem(code, text)]
