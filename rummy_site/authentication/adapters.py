"""What allauth asks of the site: who may sign in, by which steps, and what is said and mailed.

allauth's own texts are not shown: it is in no catalog of ours, and knows no Hindi.
"""

import threading
import time
from typing import Any, cast

import structlog
from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser, User
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, gettext_noop

logger = structlog.get_logger(__name__)
# By the name of the template in which allauth has its own text; those that are not here are not said.
SAID = {
    "account/messages/password_changed.txt": gettext_noop("Your new password is saved."),
    "mfa/messages/totp_activated.txt": gettext_noop("From now on you sign in with a code of your app too."),
    "mfa/messages/totp_deactivated.txt": gettext_noop("You sign in without a code of your app from now on."),
    "mfa/messages/webauthn_added.txt": gettext_noop("The passkey is saved."),
    "mfa/messages/webauthn_removed.txt": gettext_noop("The passkey is removed."),
    "socialaccount/messages/account_connected.txt": gettext_noop("Connected. It signs you in from now on."),
    "socialaccount/messages/account_connected_other.txt": gettext_noop("It is connected to another login already."),
    "mfa/messages/recovery_codes_generated.txt": gettext_noop("New recovery codes are made. Print them."),
}
NOT_HERE = gettext_lazy("This login may not open the back office. Ask an owner of the club.")


class LoginAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # it is untyped
    """Logins are made by owners of clubs; none is made by signing up."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "incorrect_password": gettext_lazy("This password is wrong."),
        "incorrect_code": gettext_lazy("This code is wrong, or was used before."),
        "invalid_password_reset": gettext_lazy("This link was used or has ended. Ask for a new one."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def get_login_stages(self) -> list[str]:
        """The steps between a right password and being signed in."""
        return ["rummy_site.authentication.stages.SecondFactorStage"]

    def pre_login(self, request: HttpRequest, user: User, **about: Any) -> HttpResponse | None:
        """Refuse whoever may not open the back office, however they prove who they are."""
        if user.is_active and user.is_staff:
            return None
        from allauth.account.internal.stagekit import clear_login  # noqa: PLC0415 (loaded at a sign-in alone)

        clear_login(request)
        messages.error(request, NOT_HERE)
        return redirect("admin:login")

    def is_reauthentication_required(self, *, app: str, **words: Any) -> bool:
        """Not of somebody who has just signed in: the password was asked for a moment ago.

        But always before another service is connected, as what it signs in outlives every password.
        """
        if app == "allauth.socialaccount":
            return True
        from allauth.account.internal.flows.login import get_authentication_records  # noqa: PLC0415 (as above)

        records = get_authentication_records(self.request, self.request.user)
        return not records or time.time() - records[-1]["at"] > app_settings.REAUTHENTICATION_TIMEOUT

    def add_message(  # noqa: PLR0913, PLR0917 (its own signature)
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Say our own text in place of allauth's."""
        text = message or gettext(SAID.get(message_template or "", ""))
        if message or message_template in SAID:
            messages.add_message(request, level, text, extra_tags=extra_tags)

    def format_email_subject(self, subject: str) -> str:
        """The subject as it is: it names the club's service itself."""
        return subject

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The link to a new password. Its key is in the query, which no log line holds."""
        return str(self.request.build_absolute_uri(reverse("reset_link", query={"key": key})))

    def send_password_reset_mail(self, user: AbstractBaseUser, email: str, context: dict[str, Any]) -> None:
        """Send the link beside the request: the time it takes would tell whether the address has a login."""
        # To the address of the login, never to what was typed: letters that look alike may be somebody else's mailbox.
        message = self.render_mail("account/email/password_reset_key", cast(User, user).email, context)
        threading.Thread(target=_send, args=(message,), name="mail").start()

    def send_notification_mail(self, *about: Any, **more: Any) -> None:
        """None: our mails are few, so that they are read."""

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """The page that has the button for it."""
        return reverse("mfa_index")


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except Exception:
        # Whoever asked must not learn of it: that would tell whether the address has a login. The log does.
        logger.exception("mail not sent")


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # it is untyped
    """Names and codes as people of a club see them on their devices."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": LoginAdapter.error_messages["incorrect_code"],
    }

    def get_totp_label(self, user: User) -> str:
        """The login name, by which people sign in."""
        return user.get_username()

    def build_totp_svg(self, url: str) -> str:
        """The QR code as SVG without styles: the site's policy would not show them."""
        import segno  # noqa: PLC0415 (shown on one page alone)

        # With a ground of its own: on a dark page no camera would read it.
        drawn = segno.make(url, error="m", micro=False)
        return str(drawn.svg_inline(scale=5, border=4, light="#fff", svgclass=None, lineclass=None))

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002 (its own name)
        """A name to begin with for a new passkey."""
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return gettext("Passkey {number}").format(number=number)

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """The site, as a device names it."""
        return {**super().get_public_key_credential_rp_entity(), "name": "Rummy Evening"}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """The user, as a device names them."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**entity, "name": user.get_username(), "display_name": user.get_full_name() or user.get_username()}
