"""Pages of signing in: those of allauth in the back office's design, and one's own login.

Each of allauth's views is loaded when its page is asked for: most people never open one.
"""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from smtplib import SMTPException
from typing import Any, cast

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.account.models import Login
from allauth.mfa.models import Authenticator
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, redirect_to_login
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.module_loading import import_string
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, ngettext

from rummy_site.authentication.sessions import end_other_sessions
from rummy_site.authentication.sign_in import (
    SignInForm,
    admit,
    answer_of_form,
    passkey_attempt,
    reset_attempts,
)
from tournaments.people import access
from tournaments.people.second_factor import owes_second_factor
from tournaments.web.admin.base.carried_typing import (
    SubmittedForm,
    keep_in_session,
    kept_in,
    send_again_page,
    taken_from_session,
)
from tournaments.web.admin.base.command_forms import pressed, words_in
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.register.invitation_pages import ADDRESS_TAKEN
from tournaments.web.admin.register.purposes import purpose_at

ADDRESS_SALT = "rummy_site.email"
LINK_SECONDS = 24 * 3600
MOST_TOKEN = 2_000
# Loaded only where another service signs people in.
SOCIAL_ACCOUNT = "allauth.socialaccount.models.SocialAccount"
# Where allauth looks for the key of a link that was opened.
RESET_KEY = "_password_reset_key"
OPEN_TO_STRANGERS = frozenset(
    {
        *("mfa_authenticate", "mfa_login_webauthn", "openid_connect_login", "openid_connect_callback"),
        *("account_reset_password", "account_reset_password_done", "account_reset_password_from_key", "reset_link"),
        "account_confirm_email",
    }
)
View = Callable[..., HttpResponseBase]


class SignInPage(LoginView):
    """Sign in with name or e-mail address, and password; a second factor is asked for on the next page."""

    authentication_form = SignInForm
    template_name = "admin/login.html"

    def form_valid(self, form: Any) -> Any:
        """Go through the steps that are left."""
        user = form.get_user()
        login = Login(user=user, redirect_url=self.get_success_url())
        return perform_password_login(self.request, {"username": user.get_username()}, login)


def ways_in(request: HttpRequest, after: str = "") -> dict[str, Any]:
    """Context of the sign-in page besides its form: another service, and what helps who has forgotten the password.

    The other service leads to `after`. A form that is kept on the page does not go along: a session would show it to
    whoever signs in here next.
    """
    context = {"has_mail": settings.HAS_MAIL_SERVER}
    if not settings.OPENID_URL:
        return context
    after = after or request.GET.get("next", "")
    address = reverse("openid_connect_login", args=["openid"], query={"next": after} if after else None)
    return {**context, "openid_url": address, "openid_name": settings.OPENID_NAME}


def go_on(request: HttpRequest, answer: HttpResponseBase, kept: SubmittedForm | None) -> HttpResponseBase:
    """The answer to a step of a sign-in. After the last one, a form that was kept when a session ended is shown again.

    Before it, the form is kept on.
    """
    if answer.status_code != HTTPStatus.FOUND:
        return answer
    if not request.user.is_authenticated:
        if kept:
            keep_in_session(request, kept)
        return answer
    stored = taken_from_session(request)
    kept = kept or stored
    if kept is None or owes_second_factor(actor_in(request), request.user.pk):
        if kept:
            keep_in_session(request, kept)
        return answer
    page = send_again_page(request, kept, purpose=purpose_at(kept.path))
    page.cookies.update(answer.cookies)
    return page


def account_page(view: str | View, template: str = "", *, title: str = "", purpose: str = "", button: str = "") -> View:
    """A page of signing in: a view of ours, or the name of one of allauth's, with a template of the back office.

    A refused form is answered 422, or 429 with the time to wait. Strangers are led to the sign-in page, unless the
    page is for them: allauth would keep what they send in a session.
    """

    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        was_signed_in = request.user.is_authenticated
        route = request.resolver_match
        if not was_signed_in and (route is None or route.url_name not in OPEN_TO_STRANGERS):
            return redirect_to_login(request.get_full_path())
        if was_signed_in and not admin.site.has_permission(request):
            return redirect("admin:login")
        kept = None if was_signed_in else kept_in(request)
        inner: View = import_string(view) if isinstance(view, str) else view
        answer = inner(request, *args, **kwargs)
        if not was_signed_in:
            answer = go_on(request, answer, kept)
        if isinstance(answer, TemplateResponse) and not answer.is_rendered and template:
            own = answer.context_data or {}
            answer.template_name = template
            # `title` may be of the view: what it says depends on what it found.
            context = {"title": gettext(title) if title else "", "button": gettext(button) if button else "", **own}
            answer.context_data = {**admin.site.each_context(request), **context}
            refused = any(form.errors for name in ("form", "webauthn_form") if (form := own.get(name)))
            if refused and answer.status_code == HTTPStatus.OK:
                answer.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
        add_never_cache_headers(answer)
        return answer_of_form(request, answer)

    page.purpose = purpose  # type: ignore[attr-defined]
    return page


def needs_mail(view: View) -> View:
    """A view that does not exist without a mail server."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.HAS_MAIL_SERVER:
            raise Http404
        return view(request, *args, **kwargs)

    return page


class DetailsForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's is not generic at run time
    """One's own name and e-mail address."""

    first_name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "name"}),
        help_text=gettext_lazy("As pages and the log show it"),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=gettext_lazy("You can sign in with it. Only owners of your clubs see it."),
    )

    class Meta:
        model = User
        fields = ("first_name", "email")

    def __init__(self, *args: Any, request: HttpRequest, **words: Any) -> None:
        super().__init__(*args, **words)
        self.request = request
        self.initial["first_name"] = self.instance.get_full_name()
        self.present_email = self.instance.email

    @property
    def new_email(self) -> str:
        """The address that is not this login's yet; empty where it is, or is left empty."""
        email = str(self.cleaned_data["email"])
        return email if email.casefold() != self.present_email.casefold() else ""

    def clean_email(self) -> str:
        """Raises ValidationError where too many mails were asked for.

        And without mail for the address of another login, whose owner could not sign in with it any more.
        """
        email = str(self.cleaned_data["email"])
        if not email or email.casefold() == self.present_email.casefold():
            return email
        if settings.HAS_MAIL_SERVER:
            admit(self.request, reset_attempts(self.request, email))
        elif access.address_is_taken(email, besides=self.instance.pk):
            raise ValidationError(gettext(ADDRESS_TAKEN), code="taken")
        return email

    def save(self, commit: bool = True) -> User:  # noqa: FBT001, FBT002 (the base class says so)
        """Save the name; and the address, unless a mail has to be answered first."""
        user: User = self.instance
        if "first_name" in self.changed_data:
            user.last_name = ""
        if settings.HAS_MAIL_SERVER and self.new_email:
            user.email = self.present_email
        user.save(update_fields=["first_name", "last_name", "email"])
        return user


def your_login(request: HttpRequest) -> HttpResponseBase:
    """The page of one's own login: name, e-mail address, password, passkeys, codes, sessions."""
    # Not the user of the request: a form that is refused leaves what was typed in its row.
    user = User.objects.get(pk=cast(int, request.user.pk))
    is_owing = owes_second_factor(actor_in(request), user.pk)
    kept = None if is_owing or request.method == "POST" else taken_from_session(request)
    if kept:
        return send_again_page(request, kept, purpose=purpose_at(kept.path))
    button = pressed(request.POST)
    form = DetailsForm(request.POST if button == "details" else None, instance=user, request=request)
    if button == "elsewhere":
        number = end_other_sessions(request)
        text = ngettext("Signed out on {number} other device.", "Signed out on {number} other devices.", number)
        messages.success(request, text.format(number=number))
        return redirect("mfa_index")
    if form.is_bound and form.is_valid() and _save_details(request, form):
        return redirect("mfa_index")
    authenticators = list(Authenticator.objects.filter(user_id=user.pk).order_by("created_at"))
    of_kind = {kind: [row for row in authenticators if row.type == kind] for kind in Authenticator.Type}
    codes = of_kind[Authenticator.Type.RECOVERY_CODES]
    context = {
        "form": form,
        "is_owing": is_owing,
        "passkeys": [(row, row.data["name"]) for row in of_kind[Authenticator.Type.WEBAUTHN]],
        "has_codes": bool(of_kind[Authenticator.Type.TOTP]),
        "has_recovery_codes": bool(codes),
        "recovery_codes_left": len(codes[0].wrap().get_unused_codes()) if codes else 0,
    }
    if settings.OPENID_URL:
        from rummy_site.authentication.openid import connect_address  # noqa: PLC0415 (only where it is used)

        context["openid_name"] = settings.OPENID_NAME
        context["openid_url"] = connect_address(request)
        context["is_connected"] = import_string(SOCIAL_ACCOUNT).objects.filter(user_id=user.pk).exists()
    return TemplateResponse(request, "admin/account/your_login.html", context)


def _save_details(request: HttpRequest, form: DetailsForm) -> bool:
    """Save one's name and address; a new address is used once the link that is mailed to it was opened."""
    email = form.new_email
    if "email" in form.changed_data:
        # Whoever has the mailbox can ask for a new password: a thief of an open session must not set it.
        raise_if_reauthentication_required(request, app="allauth.account")
    if email and settings.HAS_MAIL_SERVER:
        user = form.instance
        token = signing.dumps([user.pk, form.present_email, email, _password_digest(user)], salt=ADDRESS_SALT)
        link = request.build_absolute_uri(reverse("account_confirm_email", query={"token": token}))
        text = render_to_string("account/email/confirm_address.txt", {"link": link, "user": request.user}, request)
        try:
            send_mail(gettext("Your e-mail address at Rummy Evening"), text, None, [email])
        except (SMTPException, OSError):
            form.add_error("email", gettext("The mail could not be sent. Check the address, or try again later."))
            return False
        messages.success(request, gettext("Open the link that we mailed to {email}.").format(email=email))
    form.save()
    if not email or not settings.HAS_MAIL_SERVER or "first_name" in form.changed_data:
        messages.success(request, gettext("Saved"))
    return True


def confirm_email(request: HttpRequest) -> HttpResponseBase:
    """The page that a link in a mail leads to. Opening it does nothing yet: programs that look at mail open it too."""
    token = words_in(request.POST, "token", max_length=MOST_TOKEN)["token"] or request.GET.get("token", "")
    try:
        user_id, former, email, digest = signing.loads(token, salt=ADDRESS_SALT, max_age=LINK_SECONDS)
    except (signing.BadSignature, ValueError):
        return _notice(request, gettext("This link was used or has ended. Ask for a new one."))
    logins = User.objects.filter(pk=user_id, email=former, is_active=True)
    login = logins.first()
    # Whoever asked for it with the old password must not have the address once there is a new one.
    if login is None or not constant_time_compare(digest, _password_digest(login)):
        return _notice(request, gettext("This link was used or has ended. Ask for a new one."))
    if request.method == "POST":
        logins.update(email=email)
        messages.success(request, gettext("You can sign in with {email} from now on.").format(email=email))
        return redirect("mfa_index")
    context = {"text": gettext("Use {email} for this login?").format(email=email), "token": token}
    return TemplateResponse(request, "admin/account/confirm.html", context)


def _password_digest(user: User) -> str:
    return salted_hmac(ADDRESS_SALT, user.password, algorithm="sha256").hexdigest()


def _notice(request: HttpRequest, text: str) -> TemplateResponse:
    return TemplateResponse(request, "admin/account/notice.html", {"text": text})


def reset_link(request: HttpRequest) -> HttpResponseBase:
    """Where a link to a new password leads: its key goes into the session, and so into no address that is logged."""
    login, _, key = request.GET.get("key", "").partition("-")
    if not login.isalnum() or not login.isascii():
        return _notice(request, gettext("This link was used or has ended. Ask for a new one."))
    request.session[RESET_KEY] = key
    return redirect("account_reset_password_from_key", uidb36=login, key="set-password")


def passkey_sign_in(request: HttpRequest) -> HttpResponseBase:
    """What a passkey is to sign, as JSON; and signing in with its signature. Each question is counted as an attempt."""
    from allauth.mfa.webauthn.views import login_webauthn  # noqa: PLC0415 (few sign in so)

    if request.method == "GET":
        try:
            admit(request, [passkey_attempt(request)])
        except ValidationError as refused:
            return answer_of_form(request, JsonResponse({"detail": refused.message}))
    answer: HttpResponseBase = login_webauthn(request)
    if request.user.is_authenticated:
        access.succeed(passkey_attempt(request), now=now())
    return answer


def reset_sent(request: HttpRequest) -> HttpResponseBase:
    """The same for every address: whether it has a login is not told."""
    text = gettext("No mail within a few minutes? Look among the unwanted, or ask an owner of your club.")
    return _notice(request, text)


def to_sign_in(request: HttpRequest) -> HttpResponseBase:
    """After a new password: sign in with it."""
    return redirect("admin:login")
