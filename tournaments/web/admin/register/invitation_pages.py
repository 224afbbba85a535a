"""What a link opens: an invitation to work for a club, or the choice of a new password.

Rules: docs/decisions/0081-people-let-themselves-in.md. As with a table's card, the code is in the URL fragment, after
`#`, which no browser sends and no log or referrer contains; the page's script moves it into a form, and without the
script it is typed. It is exchanged by POST for a signed cookie that names the link, which is checked again when it is
used. Wrong codes are counted as those of cards are.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model, login
from django.contrib.auth.password_validation import (
    get_default_password_validators,
    password_validators_help_texts,
    validate_password,
)
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from scoring.problems import Problem
from tournaments.models import Club, Invitation, InvitationKind
from tournaments.models.access import MOST_INVITED_NAME
from tournaments.models.people import looks_key
from tournaments.people import access
from tournaments.people.invitations import (
    UNKNOWN,
    NewLogin,
    choose_password,
    invitation_by_code,
    make_login,
    problems_of,
    role_problems,
    take_role,
)
from tournaments.people.second_factor import has_second_factor
from tournaments.rendering.i18n.translating import sentence
from tournaments.web.admin.base.command_fields import TextField
from tournaments.web.admin.base.command_forms import CommandForm, data_of, pressed, words_in
from tournaments.web.admin.base.request import go_on
from tournaments.web.admin.base.scoping import page_status
from tournaments.web.codes import opened_by

User = get_user_model()
COOKIE, SALT, COOKIE_LASTS = "rummy_link", "tournaments.invitation", timedelta(hours=1)
OPENED_BY_CODE = (InvitationKind.INVITE, InvitationKind.PASSWORD)
MOST_CODE = 200
MOST_PASSWORD = 200
TOO_MANY = gettext_noop("Too many wrong codes came from this device. Wait ten minutes, or ask for a new link.")
ADDRESS_TAKEN = gettext_noop("Another login has this e-mail address. Enter another one, or leave it empty.")
EMPTY = gettext_noop("Enter the code of the link.")


class PasswordForm(CommandForm):
    """A new password, by the rules of the site."""

    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=MOST_PASSWORD,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "required": True}),
    )

    def __init__(self, *args: Any, user: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        # What is done after a change is no rule for a password.
        rules = [rule for rule in get_default_password_validators() if not hasattr(rule, "password_changed")]
        self.fields["password"].help_text = " ".join(map(str, password_validators_help_texts(rules)))

    def clean(self) -> dict[str, Any]:
        """The password must not be short, known to all, or like the name of its login."""
        cleaned = super().clean() or self.cleaned_data
        if password := cleaned.get("password"):
            try:
                validate_password(password, self.user or self.new_user(cleaned))
            except ValidationError as refused:
                self.add_error("password", refused)
        return cleaned

    def new_user(self, cleaned: Mapping[str, Any]) -> Any:
        """The login that the form makes, where it makes one, to compare the password with."""
        return None


class LoginForm(PasswordForm):
    """A new login."""

    username = forms.CharField(
        label=gettext_lazy("Login name"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "required": True}),
        help_text=gettext_lazy("Typed to sign in: letters, digits and @ . + - _"),
    )
    name = TextField(
        label=gettext_lazy("Name"),
        max_length=MOST_INVITED_NAME,
        attrs={"autocomplete": "name", "required": True},
        help_text=gettext_lazy("As pages and the log show it"),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        required=False,
        max_length=254,
        help_text=gettext_lazy("Optional: to reset a lost password"),
    )
    field_order: tuple[str, ...] = ("name", "username", "password", "email")

    def clean_username(self) -> str:
        """Raises ValidationError for a name that differs from another one only by case or look-alike letters.

        And for the e-mail address of another login: its owner, who signs in with it, would be taken for this one.
        """
        name = str(self.cleaned_data["username"])
        names = set(map(looks_key, User.objects.values_list("username", flat=True)))
        if looks_key(name) in names or access.address_is_taken(name):
            raise ValidationError(gettext("Someone else has this login name. Choose another one"), code="taken")
        return name

    def clean_email(self) -> str:
        """Raises ValidationError for the address of another login, which could not sign in with it any more."""
        email = str(self.cleaned_data["email"])
        if access.address_is_taken(email):
            raise ValidationError(gettext(ADDRESS_TAKEN), code="taken")
        return email

    def new_user(self, cleaned: Mapping[str, Any]) -> Any:
        """The login that the form makes."""
        return User(**{field: cleaned.get(name, "") for field, name in _COLUMNS.items()})

    def login(self) -> NewLogin:
        """What was typed."""
        return NewLogin(**{name: self.cleaned_data[name] for name in ("username", "name", "email", "password")})


_COLUMNS = {"username": "username", "first_name": "name", "email": "email"}


@sensitive_post_parameters("code")
@never_cache
@csrf_protect
def exchange(request: HttpRequest) -> HttpResponse:
    """The page that a link opens, or at which its code is typed, and the answer to what it sends."""
    return _exchanged(request) if request.method == "POST" else _code_page(request)


@sensitive_variables("code")
def _exchanged(request: HttpRequest) -> HttpResponse:
    code = "".join(words_in(request.POST, "code", max_length=MOST_CODE)["code"].split())
    if not code:
        return _code_page(request, gettext(EMPTY))
    invitation, refused = tried(request, code, OPENED_BY_CODE)
    if invitation is None:
        return _code_page(request, refused, status=429 if refused == gettext(TOO_MANY) else None)
    if problems := _problems(request, invitation):
        return _over_page(request, problems)
    answer = redirect("invitations:open")
    answer.set_cookie(
        COOKIE,
        signing.dumps(str(invitation.pk), salt=SALT),
        max_age=int(COOKIE_LASTS.total_seconds()),
        path=reverse("invitations:exchange"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return answer


@sensitive_variables("code")
def tried(request: HttpRequest, code: str, kinds: tuple[InvitationKind, ...]) -> tuple[Invitation | None, str]:
    """The link with a code, or why there is none: it is wrong, or too many from this device were."""
    invitation, is_too_many = opened_by(
        request, code.upper(), lambda text: invitation_by_code(text, kinds), kind="link:"
    )
    if is_too_many:
        return None, gettext(TOO_MANY)
    return invitation, "" if invitation is not None else sentence(UNKNOWN.detail)


@sensitive_post_parameters("password")
@never_cache
@csrf_protect
def opened(request: HttpRequest) -> HttpResponse:
    """What an exchanged link lets its holder do: take a role, make a login, or choose a password."""
    invitation = _in_cookie(request)
    if invitation is None:
        return redirect("invitations:exchange")
    if problems := _problems(request, invitation):
        return _over_page(request, problems)
    return _password_page(request, invitation) if invitation.user else _invited_page(request, invitation)


def _invited_page(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Take the role with the login that is signed in, or make a login."""
    do = pressed(request.POST) if request.method == "POST" else ""
    form: CommandForm = LoginForm(request.POST if do == "make" else None, initial={"name": invitation.name})
    if do == "take" and request.user.is_authenticated:
        form = CommandForm(request.POST)
        if form.is_valid():
            form.attempt(lambda: take_role(invitation.pk, request.user, now=now()))
            if not form.errors:
                return _welcome(request, invitation)
    if isinstance(form, LoginForm) and form.is_bound and form.is_valid():
        user = form.attempt(lambda: make_login(invitation.pk, form.login(), now=now()))
        if user is not None:
            sign_in(request, user)
            return _welcome(request, invitation)
    context = {
        "title": gettext("You are invited"),
        "invitation": invitation,
        "form": form,
        "login_form": form if isinstance(form, LoginForm) else LoginForm(initial={"name": invitation.name}),
        "sign_in_url": f"{reverse('admin:login')}?next={request.path}",
    }
    return invitation_page(request, "invited", context)


def _password_page(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Choose the new password. Who has a second factor then signs in with both: the link is no way around it."""
    form = PasswordForm(data_of(request), user=invitation.user)
    if form.is_bound and form.is_valid():
        user = form.attempt(lambda: choose_password(invitation.pk, form.cleaned_data["password"], now=now()))
        if user is not None:
            text = gettext("Your new password is saved.")
            if has_second_factor(user.pk):
                return _without_cookie(go_on(request, "admin:login", text))
            sign_in(request, user)
            return _without_cookie(go_on(request, "admin:index", text))
    context = {
        "title": gettext("New password"),
        "invitation": invitation,
        "form": form,
        "ending": access.tokens_of_password(form.user.pk, now=now()).count(),
    }
    return invitation_page(request, "password", context)


def sign_in(request: HttpRequest, user: Any) -> None:
    """Sign somebody in who has just proven to be allowed to."""
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])


def _welcome(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    text = gettext("Welcome. Your role at {club}: {role}.")
    club: Club = invitation.club  # type: ignore[assignment]  # an invitation has one
    return _without_cookie(
        go_on(request, "admin:index", text.format(club=club.name, role=invitation.get_role_display()))
    )


def _without_cookie(answer: HttpResponse) -> HttpResponse:
    answer.delete_cookie(COOKIE, path=reverse("invitations:exchange"))
    return answer


def _problems(request: HttpRequest, invitation: Invitation) -> list[Problem]:
    """Why the link opens nothing for this person."""
    problems = problems_of(invitation, now=now())
    if problems or invitation.user is not None or not request.user.is_authenticated:
        return problems
    return role_problems(invitation, request.user)


def _in_cookie(request: HttpRequest) -> Invitation | None:
    """The link that the browser has exchanged a code for."""
    try:
        signed = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=COOKIE_LASTS)
        key = UUID(str(signed))
    except (signing.BadSignature, ValueError):
        return None
    return Invitation.objects.select_related("club", "user", "made_by").filter(pk=key, kind__in=OPENED_BY_CODE).first()


def _over_page(request: HttpRequest, problems: list[Problem]) -> HttpResponse:
    """Why a link opens nothing; below it another code can be typed."""
    works_there = any(problem.code == "has_role" for problem in problems)
    text = " ".join(sentence(problem.detail) for problem in problems)
    return _without_cookie(_code_page(request, text, status=200 if works_there else 403))


def _code_page(request: HttpRequest, problem: str = "", *, status: int | None = None) -> HttpResponse:
    context = {"title": gettext("Open a link"), "problem": problem, "most_code": MOST_CODE}
    answer = invitation_page(request, "exchange", context, status=status or page_status(context, refused=problem))
    if status == 429:
        answer.headers["Retry-After"] = str(int(access.CODES_LOCKED_FOR.total_seconds()))
    return answer


def invitation_page(
    request: HttpRequest, name: str, context: dict[str, Any], *, status: int | None = None
) -> HttpResponse:
    """A page for people who are let in: narrow, and without the menu of the back office."""
    whole = {**admin.site.each_context(request), "purpose": "", **context}
    template = f"admin/tournaments/invitation/{name}.html"
    return TemplateResponse(request, template, whole, status=status or page_status(context))


app_name = "invitations"
urlpatterns = [path("", exchange, name="exchange"), path("open/", opened, name="open")]
