"""Addresses of signing in, below /admin/account/, under the names by which allauth knows them.

What is not listed does not exist: nobody signs up, and a login has one e-mail address.
"""

from django.conf import settings
from django.urls import URLPattern, path
from django.utils.translation import gettext_noop

from rummy_site.authentication import pages
from rummy_site.authentication.pages import account_page, needs_mail

FORM, PASSKEY, NOTICE = (f"admin/account/{name}.html" for name in ("form", "passkey", "notice"))
YOURS = account_page(
    pages.your_login,
    "admin/account/your_login.html",
    title=gettext_noop("Your login"),
    purpose=gettext_noop("How you sign in: name, address, password, and what is asked besides."),
)

urlpatterns: list[URLPattern] = [
    path("", YOURS, name="mfa_index"),
    # allauth returns to these after a change, or when somebody is not signed in.
    path("", YOURS, name="mfa_list_webauthn"),
    path("", YOURS, name="account_email"),
    path(
        "confirm/",
        account_page(
            "allauth.account.views.reauthenticate",
            FORM,
            title=gettext_noop("Enter your password"),
            purpose=gettext_noop("So that nobody changes how you sign in who found this page open."),
            button=gettext_noop("Continue"),
        ),
        name="account_reauthenticate",
    ),
    path(
        "confirm/code/",
        account_page(
            "allauth.mfa.base.views.reauthenticate",
            FORM,
            title=gettext_noop("Enter a code"),
            purpose=gettext_noop("It is asked for before you change how you sign in."),
            button=gettext_noop("Continue"),
        ),
        name="mfa_reauthenticate",
    ),
    path(
        "confirm/passkey/",
        account_page(
            "allauth.mfa.webauthn.views.reauthenticate_webauthn",
            PASSKEY,
            title=gettext_noop("Use your passkey"),
            purpose=gettext_noop("It is asked for before you change how you sign in, in place of the password."),
            button=gettext_noop("Use passkey"),
        ),
        name="mfa_reauthenticate_webauthn",
    ),
    path(
        "code/",
        account_page(
            "allauth.mfa.base.views.authenticate",
            "admin/account/code.html",
            title=gettext_noop("Second step"),
            purpose=gettext_noop("Your password was right. This login asks for one thing more."),
            button=gettext_noop("Sign in"),
        ),
        name="mfa_authenticate",
    ),
    path("passkey/", account_page(pages.passkey_sign_in), name="mfa_login_webauthn"),
    path(
        "codes/add/",
        account_page(
            "allauth.mfa.totp.views.activate_totp",
            "admin/account/first_code.html",
            title=gettext_noop("Set up codes"),
            purpose=gettext_noop("An app on your phone shows a code that changes every half minute."),
            button=gettext_noop("Save"),
        ),
        name="mfa_activate_totp",
    ),
    path(
        "codes/remove/",
        account_page(
            "allauth.mfa.totp.views.deactivate_totp",
            FORM,
            title=gettext_noop("Remove codes"),
            purpose=gettext_noop("The app’s codes are not asked for any longer."),
            button=gettext_noop("Remove codes"),
        ),
        name="mfa_deactivate_totp",
    ),
    path(
        "recovery/",
        account_page(
            "allauth.mfa.recovery_codes.views.view_recovery_codes",
            "admin/account/recovery_codes.html",
            title=gettext_noop("Recovery codes"),
            purpose=gettext_noop("Each lets you in once if your phone is lost. Print them, and keep them safe."),
        ),
        name="mfa_view_recovery_codes",
    ),
    path(
        "recovery/new/",
        account_page(
            "allauth.mfa.recovery_codes.views.generate_recovery_codes",
            FORM,
            title=gettext_noop("New recovery codes"),
            purpose=gettext_noop("The codes that you have now end."),
            button=gettext_noop("Make new codes"),
        ),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "passkeys/add/",
        account_page(
            "allauth.mfa.webauthn.views.add_webauthn",
            "admin/account/new_passkey.html",
            title=gettext_noop("Add passkey"),
            purpose=gettext_noop("Sign in with the fingerprint, face or PIN of this device, or with a security key."),
            button=gettext_noop("Add passkey"),
        ),
        name="mfa_add_webauthn",
    ),
    path(
        "passkeys/<int:pk>/edit/",
        account_page(
            "allauth.mfa.webauthn.views.edit_webauthn",
            FORM,
            title=gettext_noop("Rename passkey"),
            purpose=gettext_noop("So that you know which device it is on."),
            button=gettext_noop("Save"),
        ),
        name="mfa_edit_webauthn",
    ),
    path(
        "passkeys/<int:pk>/remove/",
        account_page(
            "allauth.mfa.webauthn.views.remove_webauthn",
            FORM,
            title=gettext_noop("Remove passkey"),
            purpose=gettext_noop("It signs nobody in from then on. Delete it on your device too."),
            button=gettext_noop("Remove passkey"),
        ),
        name="mfa_remove_webauthn",
    ),
    path(
        "forgotten/",
        needs_mail(
            account_page(
                "allauth.account.views.password_reset",
                FORM,
                title=gettext_noop("Forgotten password"),
                purpose=gettext_noop("We mail you a link with which you choose a new one."),
                button=gettext_noop("Send link"),
            )
        ),
        name="account_reset_password",
    ),
    path(
        "forgotten/sent/",
        needs_mail(
            account_page(
                pages.reset_sent,
                NOTICE,
                title=gettext_noop("Look into your mail"),
                purpose=gettext_noop("If this address belongs to a login, a link is on its way."),
            )
        ),
        name="account_reset_password_done",
    ),
    path(
        "forgotten/link/",
        needs_mail(
            account_page(
                pages.reset_link,
                NOTICE,
                title=gettext_noop("New password"),
                purpose=gettext_noop("Open the link in the newest mail."),
            )
        ),
        name="reset_link",
    ),
    path(
        "forgotten/<slug:uidb36>/<slug:key>/",
        needs_mail(
            account_page(
                "allauth.account.views.password_reset_from_key",
                "admin/account/new_password.html",
                title=gettext_noop("New password"),
                purpose=gettext_noop("Choose a password that you use nowhere else."),
                button=gettext_noop("Save"),
            )
        ),
        name="account_reset_password_from_key",
    ),
    path("forgotten/done/", pages.to_sign_in, name="account_reset_password_from_key_done"),
    path(
        "address/",
        needs_mail(
            account_page(
                pages.confirm_email,
                NOTICE,
                title=gettext_noop("Confirm address"),
                purpose=gettext_noop("So that a mistyped address gets no mail of yours."),
            )
        ),
        name="account_confirm_email",
    ),
]

if settings.OPENID_URL:
    urlpatterns += [
        path(
            "openid/<slug:provider_id>/",
            account_page("rummy_site.authentication.openid.go_there"),
            name="openid_connect_login",
        ),
        path(
            "openid/<slug:provider_id>/back/",
            account_page("rummy_site.authentication.openid.come_back"),
            name="openid_connect_callback",
        ),
        path(
            "disconnect/",
            account_page("rummy_site.authentication.openid.disconnect"),
            name="openid_disconnect",
        ),
        path("openid/", pages.to_sign_in, name="socialaccount_login_cancelled"),
        path("openid/", YOURS, name="socialaccount_connections"),
    ]
