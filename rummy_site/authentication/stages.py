"""The step of a sign-in that asks for the second factor.

allauth has the same, but with it each process would load the library of passkeys at its first sign-in (4 MB).
"""

from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.stages import LoginStage
from django.http import HttpResponseRedirect
from django.urls import reverse

from tournaments.people.second_factor import has_second_factor


class SecondFactorStage(LoginStage):  # type: ignore[misc]  # it is untyped
    """Asks everybody who has a second factor, unless they signed in with a passkey, which is both in one."""

    key = "mfa_authenticate"
    urlname = "mfa_authenticate"

    def handle(self) -> tuple[HttpResponseRedirect | None, bool]:
        """An address to go to, or none; and that the sign-in continues."""
        user = self.login.user
        records = get_authentication_records(self.request, user)
        if any(record.get("passwordless") for record in records) or not has_second_factor(user.pk):
            return None, True
        return HttpResponseRedirect(reverse(self.urlname)), True
