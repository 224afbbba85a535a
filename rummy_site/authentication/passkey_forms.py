"""Forms of passkeys, with our words. Loaded with their pages: the library behind them is large."""

import struct

from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.forms.utils import ErrorDict
from django.utils.translation import gettext_lazy

MOST_LETTERS_OF_A_NAME = 60


def name_field() -> forms.CharField:
    """The field of a passkey's name."""
    return forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MOST_LETTERS_OF_A_NAME,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto"}),
        help_text=gettext_lazy("Such as the device it is on"),
    )


class _CarefulForm(forms.Form):
    """Refuses what is no passkey. allauth expects what browsers send, and fails for JSON in other shapes."""

    def full_clean(self) -> None:
        """Read the credential; whatever the libraries stumble over is a wrong one."""
        try:
            super().full_clean()
        except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, struct.error):
            self._errors = ErrorDict()
            self.cleaned_data = {}
            # The page that says so would read it again.
            self.data = {}
            self.add_error("credential", get_adapter().validation_error("incorrect_code"))


class PasskeySignInForm(_CarefulForm, LoginWebAuthnForm):  # type: ignore[misc]  # it is untyped
    """Signing in with a passkey alone."""


class PasskeyForm(_CarefulForm, AuthenticateWebAuthnForm):  # type: ignore[misc]  # it is untyped
    """The second step of a sign-in."""


class PasskeyAgainForm(_CarefulForm, ReauthenticateWebAuthnForm):  # type: ignore[misc]  # it is untyped
    """Of whoever is signed in, in place of the password."""


class NewPasskeyForm(_CarefulForm, AddWebAuthnForm):  # type: ignore[misc]  # it is untyped
    """A passkey that the browser has just made."""

    name = name_field()
    passwordless = forms.BooleanField(
        label=gettext_lazy("Signs in without a password"),
        required=False,
        initial=True,
        help_text=gettext_lazy("Not for a security key without PIN or fingerprint"),
    )


class PasskeyNameForm(EditWebAuthnForm):  # type: ignore[misc]  # it is untyped
    """Another name for a passkey."""

    name = name_field()

    def clean_name(self) -> str:
        """The name; an empty one leaves it as it was."""
        return str(self.cleaned_data["name"] or self.instance.wrap().name)
