"""Forms of signing in that allauth's pages show: its own, with our words, and tries counted in the database.

Named in the settings, and loaded with their pages. Those of passkeys load a library more: `passkey_forms`.
"""

from typing import Any

from allauth.account.forms import ReauthenticateForm, ResetPasswordForm
from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as CodeAgain
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from allauth.mfa.utils import decrypt
from django import forms
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy

from rummy_site.authentication.sign_in import (
    admit,
    code_attempts,
    log_failure,
    logins_with,
    pause_of,
    reset_attempts,
    succeeded,
    wait_text,
)

ONE_TIME_CODE = {"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True, "spellcheck": "false"}
MOST_LETTERS_OF_A_CODE = 20


def code_field(help_text: Any) -> forms.CharField:
    """The field of a code."""
    return forms.CharField(
        label=gettext_lazy("Code"),
        max_length=MOST_LETTERS_OF_A_CODE,
        widget=forms.TextInput(attrs=ONE_TIME_CODE),
        help_text=help_text,
    )


class PasswordAgainForm(ReauthenticateForm):  # type: ignore[misc]  # it is untyped
    """The password of whoever is signed in, before something that a thief of an open session must not do."""

    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=200,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )

    def clean_password(self) -> str:
        """Raises ValidationError for a wrong one, or with the time to wait."""
        try:
            return str(super().clean_password())
        except ValidationError:
            if pause := pause_of(context.request):
                raise ValidationError(wait_text(pause), code="throttled") from None
            raise


class ForgottenPasswordForm(ResetPasswordForm):  # type: ignore[misc]  # it is untyped
    """Asks for a link to a new password, which goes to every login with this address; it may be none."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email", "autofocus": True}),
    )

    def clean_email(self) -> str:
        """Raises ValidationError with the time to wait, whether or not the address has a login."""
        email = str(self.cleaned_data["email"])
        admit(context.request, reset_attempts(context.request, email))
        self.users = logins_with(email)
        return email


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]  # Django's is not generic at run time
    """The new password of whoever opened the link."""

    def __init__(self, *args: Any, user: User, temp_key: str = "", **words: Any) -> None:
        super().__init__(user, *args, **words)


class _CountedCode(BaseAuthenticateForm):  # type: ignore[misc]  # it is untyped
    """A code of an app, or a recovery code. The right one always gets in: it is counted for each place by itself."""

    code = code_field(gettext_lazy("Of your app, or one of your recovery codes"))

    def clean_code(self) -> str:
        """Raises ValidationError for a code that is wrong or was used, or with the time to wait."""
        request = context.request
        attempts = code_attempts(request, self.user)
        admit(request, attempts)
        try:
            with transaction.atomic():
                code = str(super().clean_code())
                _use_once(self.authenticator, code)
        except ValidationError:
            log_failure(request, self.user.get_username())
            raise
        succeeded(request, attempts)
        return code


def _use_once(authenticator: Authenticator, code: str) -> None:
    """Raises ValidationError for a code of an app that is not later than the last one used.

    allauth keeps used codes in Django's cache, which each process has for itself. Recovery codes are marked in the row.
    """
    if authenticator.type != Authenticator.Type.TOTP:
        return
    row = Authenticator.objects.select_for_update().get(pk=authenticator.pk)
    secret = decrypt(row.data["secret"])
    steps = [
        step
        for step in yield_hotp_counters_from_time()
        if constant_time_compare(format_hotp_value(hotp_value(secret, step)), code.strip())
    ]
    if not steps or max(steps) <= row.data.get("last_step", 0):
        raise get_adapter().validation_error("incorrect_code")
    row.data["last_step"] = max(steps)
    row.save(update_fields=["data"])


class CodeForm(_CountedCode, AuthenticateForm):  # type: ignore[misc]  # it is untyped
    """The second step of a sign-in."""


class CodeAgainForm(_CountedCode, CodeAgain):  # type: ignore[misc]  # it is untyped
    """Of whoever is signed in, in place of the password."""


class FirstCodeForm(ActivateTOTPForm):  # type: ignore[misc]  # it is untyped
    """The first code of an app that has just read the QR code."""

    code = code_field(gettext_lazy("The six digits that the app shows now"))
