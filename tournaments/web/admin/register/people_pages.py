"""The people of a club: who works there, their roles and device links, invitations, and links for a new password.

Rules: docs/reference/roles.md; docs/decisions/0081-people-let-themselves-in.md. Owners see those of their clubs. A
link's code is shown once, as a QR code, an address and a text to type, and stored nowhere.
"""

import ipaddress
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext
from django.views.decorators.debug import sensitive_variables

from tournaments.models import ApiToken, Club, Invitation, Membership, Role
from tournaments.models.access import MOST_INVITED_NAME, MOST_INVITED_NOTE
from tournaments.people.access import tokens_of_password, working_tokens
from tournaments.people.invitations import (
    change_role,
    invite,
    last_seen,
    make_password_link,
    open_links,
    owner_problems,
    password_problems,
    remove_person,
    revoke,
)
from tournaments.people.permissions import Permission
from tournaments.people.players import uuid_of
from tournaments.people.second_factor import has_second_factor, with_second_factor
from tournaments.web.admin.base.command_fields import TextField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, data_of, forms_shown, sent_form
from tournaments.web.admin.base.list_files import ListFile, asked_file, list_file
from tournaments.web.admin.base.pages import Page, purpose
from tournaments.web.admin.base.request import go_on
from tournaments.web.admin.base.scoping import actor_in, admin_page, club_moment, clubs_with
from tournaments.web.admin.tournament.paper_pages import code_picture, in_groups

User = get_user_model()


class InviteForm(CommandForm):
    """Whom to invite. The form's key becomes the id of the invitation: a form sent twice makes one."""

    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices, initial=Role.SCORER)
    name = TextField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=MOST_INVITED_NAME,
        help_text=gettext_lazy("Optional: tells open invitations apart"),
    )
    note = TextField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=MOST_INVITED_NOTE,
        help_text=gettext_lazy("Optional: the invited person reads it"),
    )


class RoleForm(CommandForm):
    """Another role for somebody of the club, and the one that the page showed."""

    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices)
    expected_role = WordField()
    revokes_devices = forms.BooleanField(
        label=gettext_lazy("Revoke their device links above the new role"),
        required=False,
        help_text=gettext_lazy("Devices that may do what the new role may not stop at once. Otherwise they continue"),
    )


class RemoveForm(CommandForm):
    """Somebody's end at the club, and of the device links that they made."""

    revokes_devices = forms.BooleanField(
        label=gettext_lazy("Revoke their device links too"),
        required=False,
        help_text=gettext_lazy("Devices of the club that work with one stop at once. Otherwise they continue"),
    )


class PasswordLinkForm(CommandForm):
    """A link with which somebody of the club chooses a new password."""

    forgets_second_factor = forms.BooleanField(
        label=gettext_lazy("Also forget the second factor"),
        required=False,
        help_text=gettext_lazy("For a phone or key that is lost"),
    )


FORMS: dict[str, type[CommandForm]] = {"role": RoleForm, "password": PasswordLinkForm}


@purpose(gettext_noop("Who works for the club, what they may do, and who is invited."))
def people(request: HttpRequest, club: Club) -> HttpResponse:
    """The list of people, and the links that are open."""
    moment = now()
    memberships = list(Membership.objects.filter(club=club).select_related("user").order_by("user__username"))
    others = list(_other_logins(club)) if actor_in(request).is_site_admin else []
    users = [*(membership.user for membership in memberships), *others]
    seen, with_factor = last_seen(users), with_second_factor(user.pk for user in users)
    usable = Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=moment))
    devices = dict(ApiToken.objects.filter(usable, club=club).values_list("user").annotate(Count("pk")).order_by())

    def line(user: Any) -> dict[str, Any]:
        return {
            "user": user,
            "seen": club_moment(seen[user.pk], club) if user.pk in seen else "",
            "has_second_factor": user.pk in with_factor,
            "devices": devices.get(user.pk, 0),
            "url": reverse("admin:tournaments_club_person", args=[club.pk, user.pk]),
        }

    order = list(Role)
    members = sorted(
        (
            {**line(row.user), "role": row.get_role_display(), "place": order.index(Role(row.role))}
            for row in memberships
        ),
        key=lambda entry: entry["place"],
    )
    if kind := asked_file(request):
        return _people_file(club, kind, members)
    context = {
        "title": gettext("People"),
        "club": club,
        "people": members,
        "others": [line(user) for user in others],
        "links": [{"link": link, "until": club_moment(link.expires_at, club)} for link in open_links(club, now=moment)],
        "other_clubs": clubs_with(request, Permission.MANAGE).exclude(pk=club.pk).order_by("name"),
    }
    return _page(request, "people", context)


def _people_file(club: Club, kind: ListFile, members: list[dict[str, Any]]) -> HttpResponse:
    heading = [gettext("Name"), gettext("Login name"), gettext("Role"), gettext("Last seen")]
    rows = (
        (
            entry["user"].get_full_name() or entry["user"].get_username(),
            entry["user"].get_username(),
            entry["role"],
            entry["seen"] or gettext("never"),
            entry["devices"],
            gettext("yes") if entry["has_second_factor"] else gettext("no"),
        )
        for entry in members
    )
    heading += [gettext("Device links"), gettext("Second factor")]
    return list_file(kind, f"{club.slug}-people", heading, rows, locale=club.locale)


@purpose(gettext_noop("Make a link with which one person gets in and has a role at the club."))
def invite_person(request: HttpRequest, club: Club) -> HttpResponse:
    """Ask whom, then show the link once."""
    form = InviteForm(data_of(request))
    if request.method != "POST" or not form.is_valid():
        return _page(request, "invite", {"title": gettext("Invite"), "club": club, "form": form})
    typed = form.cleaned_data
    draft = Invitation(
        id=uuid_of(typed["key"]) or uuid4(),
        club=club,
        role=typed["role"],
        name=typed["name"],
        note=typed["note"],
        made_by_id=request.user.pk,
    )
    made = form.attempt(lambda: invite(draft, now=now()))
    if made is None:
        return _page(request, "invite", {"title": gettext("Invite"), "club": club, "form": form})
    return _link_page(request, club, *made)


@purpose(gettext_noop("Change what one person may do at the club, or make a link for a new password."))
def person(request: HttpRequest, club: Club, user_id: int) -> HttpResponse:
    """One person of the club, or for a site administrator a login without a role there."""
    user, membership = _person(request, club, user_id)
    role = membership.role if membership else ""
    form = sent_form(request, FORMS, initial={"role": role, "expected_role": role})
    if isinstance(form, RoleForm) and membership is None:
        raise Http404
    if isinstance(form, RoleForm) and membership is not None and form.is_valid():
        chosen, expected = Role(form.cleaned_data["role"]), form.cleaned_data["expected_role"]
        revokes = form.cleaned_data["revokes_devices"]
        revoked = form.attempt(
            lambda: change_role(
                membership, chosen, expected=expected, by=request.user, now=now(), revokes_devices=revokes
            )
        )
        if revoked is not None:
            text = gettext("{name} is now: {role}.").format(name=_called(user), role=chosen.label)
            if revoked:
                ended = ngettext("{number} device link is revoked.", "{number} device links are revoked.", revoked)
                text = f"{text} {ended.format(number=revoked)}"
            return go_on(request, people_url(club.pk), text)
        form.put(expected_role=Membership.objects.values_list("role", flat=True).get(pk=membership.pk))
    if isinstance(form, PasswordLinkForm) and form.is_valid():
        made = form.attempt(
            lambda: make_password_link(
                user,
                club=club,
                made_by=request.user,
                forgets_second_factor=form.cleaned_data["forgets_second_factor"],
                now=now(),
            )
        )
        if made is not None:
            return _link_page(request, club, *made)
    context = {
        "title": _called(user),
        "club": club,
        "person": user,
        "membership": membership,
        "form": form,
        "forms": forms_shown(FORMS, form, initial={"role": role, "expected_role": role}),
        "has_second_factor": has_second_factor(user.pk),
        "devices": working_tokens(now=now()).filter(club=club, user=user).count(),
        "ending": tokens_of_password(user.pk, now=now()).count(),
        "problems": password_problems(user, club=club, made_by=request.user),
    }
    return _page(request, "person", context)


@purpose(gettext_noop("End somebody’s work for the club, with everything that lets them in."))
def remove(request: HttpRequest, club: Club, user_id: int) -> HttpResponse:
    """Ask, then remove."""
    user, membership = _person(request, club, user_id)
    if membership is None:
        raise Http404
    form = RemoveForm(data_of(request))
    if request.method == "POST" and form.is_valid():
        revokes_devices = form.cleaned_data["revokes_devices"]
        form.attempt(lambda: remove_person(membership, by=request.user, now=now(), revokes_devices=revokes_devices))
        if not form.errors:
            text = gettext("{name} no longer works for the club.").format(name=_called(user))
            # Whoever removed themselves has no page of the club any more.
            is_gone = user.pk == request.user.pk and not actor_in(request).is_site_admin
            return go_on(request, reverse("admin:index") if is_gone else people_url(club.pk), text)
    context = {
        "title": gettext("Remove {name}").format(name=_called(user)),
        "club": club,
        "person": user,
        "form": form,
        "devices": working_tokens(now=now()).filter(club=club, user=user).count(),
        "problems": owner_problems(membership, None),
    }
    return _page(request, "remove_person", context)


@purpose(gettext_noop("Revoke this invitation or password link: it stops working at once."))
def revoke_link(request: HttpRequest, club: Club, invitation_id: UUID) -> HttpResponse:
    """Ask, then revoke."""
    link = Invitation.objects.select_related("club", "user").filter(club=club, pk=invitation_id).first()
    if link is None:
        raise Http404
    if request.method == "POST":
        revoke(link, by=request.user, now=now())
        return go_on(request, people_url(club.pk), gettext("The link is revoked."))
    return _page(request, "revoke_link", {"title": gettext("Revoke link"), "club": club, "link": link})


def first_people(request: HttpRequest) -> HttpResponse:
    """Leads to the people of the first club that the user manages; former addresses of the pages of logins do too."""
    club = clubs_with(request, Permission.MANAGE).order_by("name").values_list("pk", flat=True).first()
    if club is None:
        raise PermissionDenied
    return redirect(people_url(club))


def people_url(club_id: UUID) -> str:
    """The address of a club's people."""
    return reverse("admin:tournaments_club_people", args=[club_id])


def _person(request: HttpRequest, club: Club, user_id: int) -> tuple[Any, Membership | None]:
    """Somebody of the club, and their role there; 404 for others, but those whom a site administrator is shown."""
    membership = Membership.objects.select_related("user", "club").filter(club=club, user_id=user_id).first()
    if membership is not None:
        return membership.user, membership
    user = _other_logins(club).filter(pk=user_id).first() if actor_in(request).is_site_admin else None
    if user is None:
        raise Http404
    return user, None


def _other_logins(club: Club) -> Any:
    """Logins that no list of a club's people has: site administrators, and whoever has no role anywhere."""
    alone = Q(is_superuser=True) | Q(memberships=None)
    return User.objects.filter(alone).exclude(memberships__club=club).order_by("username").distinct()


def _called(user: Any) -> str:
    return str(user.get_full_name() or user.get_username())


@sensitive_variables("code", "address")
def _link_page(request: HttpRequest, club: Club, link: Invitation, code: str) -> HttpResponse:
    """The link, as a QR code, an address and a text to type: this page alone has it."""
    page = request.build_absolute_uri(reverse("invitations:exchange"))
    address = f"{page}#{code}"
    context = {
        "title": gettext("New password link") if link.user else gettext("Invitation"),
        "club": club,
        "link": link,
        "until": club_moment(link.expires_at, club),
        "is_here_alone": _is_here_alone(request),
        **(
            {"page": page, "address": address, "code": in_groups(code), "picture": code_picture(address)}
            if code
            else {}
        ),
    }
    # As every page of the back office, no cache keeps it.
    return _page(request, "link", context)


def _is_here_alone(request: HttpRequest) -> bool:
    """Whether the page was opened at an address that only this computer reaches."""
    host = request.get_host().rpartition(":")[0] or request.get_host()
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _page(request: HttpRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    return admin_page(request, f"admin/tournaments/people/{name}.html", context, model=Club)


PEOPLE_PAGES = (
    Page("people/", "people", people, Permission.MANAGE, is_read_only=True),
    Page("people/invite/", "invite", invite_person, Permission.MANAGE),
    Page("people/<int:user_id>/", "person", person, Permission.MANAGE),
    Page("people/<int:user_id>/remove/", "remove_person", remove, Permission.MANAGE),
    Page("people/links/<uuid:invitation_id>/", "revoke_link", revoke_link, Permission.MANAGE),
)
