"""The second factor of a login, besides its password: who needs one, who has one, and how it is forgotten.

Rules: docs/decisions/0080-signing-in.md. Recovery codes are none by themselves: they stand in for a lost one.
"""

from collections.abc import Iterable

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.auth.models import User
from django.utils.module_loading import import_string

from tournaments.people.permissions import Actor

FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def has_second_factor(user_id: int) -> bool:
    """Whether a login has a passkey, or codes of an app."""
    return bool(Authenticator.objects.filter(user_id=user_id, type__in=FACTORS).exists())


def with_second_factor(user_ids: Iterable[int]) -> set[int]:
    """Those of these logins that have one."""
    rows = Authenticator.objects.filter(user_id__in=list(user_ids), type__in=FACTORS)
    return set(rows.values_list("user_id", flat=True))


def owes_second_factor(actor: Actor, user_id: int) -> bool:
    """Whether a signed-in user must set up a second factor before anything else. One query where one is needed."""
    return actor.needs_second_factor and not has_second_factor(user_id)


def forget_second_factor(user: User) -> bool:
    """Delete passkeys, codes and recovery codes of a login, whose owner lost them. Returns whether there were any.

    Whoever calls this sets a new password too, which ends the login's sessions.
    """
    deleted, _ = Authenticator.objects.filter(user_id=user.pk).delete()
    disconnect_services(user)
    return bool(deleted)


def disconnect_services(user: User) -> None:
    """Let no other service sign in to a login, where the site has any: who had the login may have connected their own.

    By a verified address that is the login's it still signs in.
    """
    if apps.is_installed("allauth.socialaccount"):
        import_string("allauth.socialaccount.models.SocialAccount").objects.filter(user_id=user.pk).delete()
