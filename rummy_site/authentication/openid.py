"""Signing in through another service that speaks OpenID Connect: into logins that exist, and no others.

Loaded only where OPENID_URL is set. A login is known by the service's own id once it was connected on *Your login*,
else by its e-mail address, if the service has verified it.
"""

from collections.abc import Callable
from typing import Any

import structlog
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.providers.openid_connect.views import callback, login
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from requests import RequestException

from rummy_site.authentication.sign_in import logins_with

logger = structlog.get_logger(__name__)
CONNECT_SALT = "rummy_site.openid"


class OpenIdAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # it is untyped
    """Decides whose login it is."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Take the one login with the verified address. Raises ImmediateHttpResponse, to the sign-in page, for none."""
        if sociallogin.is_existing or sociallogin.state.get("process") == "connect":
            return
        verified = {address.email for address in sociallogin.email_addresses if address.verified}
        logins = [login for email in verified for login in logins_with(email)]
        if len(logins) != 1:
            text = gettext("No login has this address. Ask an owner of the club, or sign in and connect it.")
            raise self._refusal(request, text)
        sociallogin.user = logins[0]

    def on_authentication_error(self, request: HttpRequest, *about: Any, **more: Any) -> None:
        """Raises ImmediateHttpResponse, to the sign-in page."""
        raise self._refusal(request, gettext("The other service did not sign you in. Try again, or use your password."))

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Never: owners make logins."""
        return False

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: SocialAccount) -> str:
        """Where it is connected."""
        return redirect("mfa_index").url

    def send_notification_mail(self, *about: Any, **more: Any) -> None:
        """None, as of passkeys."""

    def _refusal(self, request: HttpRequest, text: str) -> ImmediateHttpResponse:
        messages.error(request, text)
        return ImmediateHttpResponse(redirect("mfa_index" if request.user.is_authenticated else "admin:login"))


def connect_address(request: HttpRequest) -> str:
    """The address that connects the service. It is good in this session alone: no other site can lead people to it."""
    bound = signing.dumps(request.session.session_key, salt=CONNECT_SALT)
    return reverse("openid_connect_login", args=["openid"], query={"process": "connect", "session": bound})


def go_there(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """To the service, to sign in or, from *Your login*, to connect it."""
    words = {**request.GET.dict(), **request.POST.dict()}
    if words.get("process") == "connect" and not _is_of_session(request, words.get("session", "")):
        return redirect("mfa_index" if request.user.is_authenticated else "admin:login")
    return _asked(request, lambda: login(request, provider_id))


def come_back(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """From the service."""
    return _asked(request, lambda: callback(request, provider_id))


def _asked(request: HttpRequest, ask: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    try:
        return ask()
    except (RequestException, ValueError) as error:
        logger.warning("the service of OPENID_URL does not answer", error=type(error).__name__)
        messages.error(request, gettext("The other service does not answer. Try again later, or use your password."))
        return redirect("mfa_index" if request.user.is_authenticated else "admin:login")


def _is_of_session(request: HttpRequest, bound: str) -> bool:
    try:
        key = signing.loads(bound, salt=CONNECT_SALT, max_age=settings.SESSION_COOKIE_AGE)
    except signing.BadSignature:
        return False
    return bool(key) and key == request.session.session_key


def disconnect(request: HttpRequest) -> HttpResponseBase:
    """The service signs in to this login no longer, unless by a verified address that is this login's."""
    raise_if_reauthentication_required(request, app="allauth.socialaccount")
    if request.method == "POST":
        SocialAccount.objects.filter(user_id=request.user.pk).delete()
        messages.success(request, gettext("Disconnected."))
    return redirect("mfa_index")
