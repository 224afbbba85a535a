"""The people of a club: listed, given another role, removed; and links that let somebody in, each shown once.

Rules: docs/reference/api.md, "Players, people and the club"; docs/reference/roles.md. The same commands as the pages
call.
"""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID, uuid5

from django.db.models import Count
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.debug import sensitive_variables
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.models import ApiToken, Club, Invitation, Membership, Role
from tournaments.people.access import working_tokens
from tournaments.people.invitations import (
    change_role,
    invite,
    last_seen,
    make_password_link,
    open_links,
    remove_person,
    revoke,
)
from tournaments.people.permissions import Permission
from tournaments.people.second_factor import with_second_factor
from tournaments.web.api import club_shapes as shapes
from tournaments.web.api.answers import shaped
from tournaments.web.api.bodies import read_body
from tournaments.web.api.clubs import created, find_club, owner_behind
from tournaments.web.api.doors import ApiView, filtered, page_of
from tournaments.web.api.filters import InvitationFilter, PersonFilter
from tournaments.web.api.schema import KEY, PAGING, describes


class People(ApiView):
    """Who works for a club."""

    permissions = {"GET": Permission.MANAGE}

    @describes("list_people", shapes.ClubPersonPage, parameters=PAGING, filters=PersonFilter)
    def get(self, request: Request, club_id: UUID) -> Response:
        """By login name, each with the role and when they were last seen."""
        club = find_club(self, club_id)
        rows = filtered(request, PersonFilter, _people_of(club))
        return Response(page_of(request, rows, _lines(club), order=("user__username", "id")))


class PersonView(ApiView):
    """A view of somebody who works for a club."""

    permissions = {"POST": Permission.MANAGE}

    def person(self, club_id: UUID, person_id: UUID) -> tuple[Membership, Any]:
        """Their role in the club, and the owner who decides about it."""
        club = find_club(self, club_id)
        self.command_context()
        by = owner_behind(self, club)
        return get_object_or_404(_people_of(club), pk=person_id), by


class ChangeRole(PersonView):
    """The role of somebody."""

    @describes(
        "change_role",
        shapes.ClubPerson,
        body=shapes.RoleBody,
        parameters=[KEY],
        example={"role": "cashier", "expected_role": "scorer"},
    )
    def post(self, request: Request, club_id: UUID, person_id: UUID) -> Response:
        """Gives somebody another role. The last owner stays. A role that they have already changes nothing.

        With `revokes_devices`, device links that they made end if they may do what the new role may not.
        """
        membership, by = self.person(club_id, person_id)
        body = read_body(shapes.RoleBody, request.data)
        is_replay = membership.role == body.role
        revokes = body.revokes_devices
        role, expected = Role(body.role), body.expected_role
        change_role(membership, role, expected=expected, by=by, now=now(), revokes_devices=revokes)
        membership.role = body.role
        return created(_lines(membership.club)(membership), is_replay=is_replay)


class RemovePerson(PersonView):
    """The end of somebody's work."""

    @describes(
        "remove_person",
        shapes.ClubPerson,
        body=shapes.RemovePersonBody,
        parameters=[KEY],
        example={"revokes_devices": True},
    )
    def post(self, request: Request, club_id: UUID, person_id: UUID) -> Response:
        """Removes somebody, with the links that they made or that are for them. If sent again, it is 404.

        Device links that they made go on unless `revokes_devices`; the answer counts them as they were.
        """
        membership, by = self.person(club_id, person_id)
        body = read_body(shapes.RemovePersonBody, request.data)
        answer = _lines(membership.club)(membership)
        remove_person(membership, by=by, now=now(), revokes_devices=body.revokes_devices)
        return created(answer, is_replay=False)


class PasswordLink(PersonView):
    """A new password for somebody."""

    @describes(
        "make_password_link", shapes.IssuedInvitation, body=shapes.PasswordLinkBody, parameters=[KEY], example={}
    )
    def post(self, request: Request, club_id: UUID, person_id: UUID) -> Response:
        """Makes a link with which somebody chooses a new password, good for 24 hours; earlier ones end.

        Refused for somebody who works for another club too. Sent twice, it makes another link, and the first one ends.
        """
        membership, by = self.person(club_id, person_id)
        body = read_body(shapes.PasswordLinkBody, request.data)
        made = make_password_link(
            membership.user,
            club=membership.club,
            made_by=by,
            by_device=isinstance(request.auth, ApiToken),
            forgets_second_factor=body.forgets_second_factor,
            now=now(),
        )
        return _issued(request, *made)


class Invitations(ApiView):
    """Links that let somebody in."""

    permissions = {"GET": Permission.MANAGE, "POST": Permission.MANAGE}

    @describes("list_invitations", shapes.InvitationPage, parameters=PAGING, filters=InvitationFilter)
    def get(self, request: Request, club_id: UUID) -> Response:
        """The links that open something, invitations and password links, the latest first; without their codes."""
        club = find_club(self, club_id)
        links = Invitation.objects.filter(pk__in=[link.pk for link in open_links(club, now=now())])
        rows = filtered(request, InvitationFilter, links.select_related("user", "made_by"))
        return Response(page_of(request, rows, _link, order=("-made_at", "id")))

    @describes(
        "invite_person",
        shapes.IssuedInvitation,
        body=shapes.InvitationBody,
        parameters=[KEY],
        example={"role": "scorer", "name": "Sam Iyer", "note": "Bring a pen"},
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Makes a link with which one person gets a role in the club. It works once, for 7 days.

        The same key again returns it without its code: lost, revoke it and make another.
        """
        club = find_club(self, club_id)
        key = self.command_context().key
        by = owner_behind(self, club)
        body = read_body(shapes.InvitationBody, request.data)
        draft = Invitation(
            id=uuid5(club.pk, f"invitation {key}"),
            club=club,
            role=body.role,
            name=body.name,
            note=body.note,
            made_by=by,
        )
        return _issued(request, *invite(draft, now=now()))


class RevokeInvitation(ApiView):
    """A link that lets somebody in."""

    permissions = {"POST": Permission.MANAGE}

    @describes(
        "revoke_invitation",
        shapes.InvitationAnswer,
        body=shapes.RevokeInvitationBody,
        parameters=[KEY],
        example={},
    )
    def post(self, request: Request, club_id: UUID, invitation_id: UUID) -> Response:
        """Revokes an invitation or password link: it opens nothing any more. One that was used stays as it is."""
        club = find_club(self, club_id)
        self.command_context()
        by = owner_behind(self, club)
        read_body(shapes.RevokeInvitationBody, request.data)
        links = Invitation.objects.select_related("club", "user", "made_by")
        link = get_object_or_404(links, club=club, pk=invitation_id)
        is_replay = link.revoked_at is not None or link.used_at is not None
        revoke(link, by=by, now=now())
        return created(_link(get_object_or_404(links, pk=link.pk)), is_replay=is_replay)


def _people_of(club: Club) -> Any:
    return Membership.objects.filter(club=club).select_related("user", "club")


def _lines(club: Club) -> Callable[[Membership], shapes.ClubPerson]:
    """A function that shows somebody of the club; what it shows is looked up once for all of them."""
    users = [membership.user for membership in _people_of(club)]
    links = working_tokens(now=now()).filter(club=club).values_list("user").annotate(Count("pk")).order_by()
    return partial(
        _person,
        seen=last_seen(users),
        with_factor=with_second_factor(user.pk for user in users),
        devices=dict(links),
    )


def _person(membership: Membership, *, seen: Any, with_factor: Any, devices: Any) -> shapes.ClubPerson:
    user = membership.user
    return shaped(
        shapes.ClubPerson,
        membership,
        actor=f"user:{user.pk}",
        login=user.get_username(),
        name=user.get_full_name() or user.get_username(),
        last_seen=seen.get(user.pk),
        has_second_factor=user.pk in with_factor,
        devices=devices.get(user.pk, 0),
    )


def _link(link: Invitation, shape: type[shapes.InvitationAnswer] = shapes.InvitationAnswer, **given: Any) -> Any:
    maker = link.made_by
    return shaped(
        shape,
        link,
        role=link.role or None,
        login=link.user.get_username() if link.user else None,
        made_by=(maker.get_full_name() or maker.get_username()) if maker else "",
        **given,
    )


@sensitive_variables("code", "address")
def _issued(request: Request, link: Invitation, code: str) -> Response:
    """The link with its code, in this answer alone; no cache keeps it."""
    address = f"{request.build_absolute_uri(reverse('invitations:exchange'))}#{code}" if code else None
    response = created(_link(link, shapes.IssuedInvitation, code=code or None, address=address), is_replay=not code)
    response["Cache-Control"] = "no-store"
    return response
