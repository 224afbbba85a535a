"""Signing in through another service that speaks OpenID Connect: into logins that exist, and no others.

Loaded only where OPENID_URL is set. A login is known by the service's own id once it was connected on *Your login*,
else by its e-mail address, if the service has verified it.
"""

from typing import Any

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext

from rummy_site.authentication.sign_in import logins_with


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


def disconnect(request: HttpRequest) -> HttpResponseBase:
    """The service signs in to this login no longer, unless by a verified address that is this login's."""
    raise_if_reauthentication_required(request, app="allauth.socialaccount")
    if request.method == "POST":
        SocialAccount.objects.filter(user_id=request.user.pk).delete()
        messages.success(request, gettext("Disconnected."))
    return redirect("mfa_index")
