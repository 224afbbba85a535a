"""The first page of a new installation: its first login, who is owner and site administrator, and its first club.

Rules: docs/start/first-evening.md. The page asks for the code that `manage.py serve` and `login_link` print, and
exists only while there is no login.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.text import slugify
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters

from scoring.money.formatting import DEFAULT_LOCALE, LOCALES, currency_of_place, currency_problems
from tournaments.changing import time_zones
from tournaments.models import Club, ClubSlug, InvitationKind
from tournaments.people.invitations import set_up
from tournaments.people.players import name_problems
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.command_fields import NameField, TextField
from tournaments.web.admin.base.request import go_on
from tournaments.web.admin.register.clubs import places_in_language
from tournaments.web.admin.register.invitation_pages import MOST_CODE, LoginForm, invitation_page, sign_in, tried

MOST_CLUB_NAME, MOST_SLUG = 200, 60


class SetupForm(LoginForm):
    """The first login, and the first club."""

    code = TextField(
        label=gettext_lazy("Code"),
        max_length=MOST_CODE,
        attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false", "required": True},
        help_text=gettext_lazy("Printed where the site was started"),
    )
    club = NameField(label=gettext_lazy("Name of the club"), max_length=MOST_CLUB_NAME, attrs={"required": True})
    locale = forms.ChoiceField(
        label=gettext_lazy("Amounts as in"),
        choices=lambda: sorted(places_in_language().items(), key=lambda place: place[1]),
        help_text=gettext_lazy("Amounts are shown and read the way people write them there."),
    )
    currency = TextField(
        label=gettext_lazy("Currency"),
        max_length=3,
        attrs={"required": True},
        help_text=gettext_lazy("Its three letters, for example INR"),
    )
    timezone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        choices=lambda: [("", gettext("Choose a time zone")), *((name, name) for name in time_zones())],
        help_text=gettext_lazy("Times of the club are in this time zone."),
    )
    field_order: tuple[str, ...] = (
        "code",
        "name",
        "username",
        "password",
        "email",
        "club",
        "locale",
        "currency",
        "timezone",
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_code(self) -> str:
        """Raises ValidationError for a code that is not the printed one; wrong ones are counted."""
        code = str(self.cleaned_data["code"])
        invitation, refused = tried(self.request, code, (InvitationKind.SETUP,))
        if invitation is None:
            raise ValidationError(refused, code="unknown_code")
        return code

    def clean_club(self) -> str:
        """Raises ValidationError unless it is one line of text, as every name is."""
        name = " ".join(str(self.cleaned_data["club"]).split(" "))
        for problem in name_problems(name, "name", gettext("Name")):
            raise ValidationError(translate(problem.message))
        return name

    def clean_currency(self) -> str:
        """In capitals, as ISO 4217 writes it."""
        currency = str(self.cleaned_data["currency"]).upper()
        for problem in currency_problems(currency):
            raise ValidationError(translate(problem.message))
        return currency

    def new_club(self) -> Club:
        """The club, not saved yet. Its web address is made of its name."""
        typed = self.cleaned_data
        names = {name: typed[name] for name in ("locale", "currency", "timezone")}
        return Club(name=typed["club"], slug=_free_slug(typed["club"]), **names)


@sensitive_post_parameters("code", "password")
@never_cache
@csrf_protect
def first_login(request: HttpRequest) -> HttpResponse:
    """Make the first login and the first club, and go to Today; 404 once there is a login."""
    if get_user_model().objects.exists():
        raise Http404
    place = place_of(request.headers.get("Accept-Language", ""))
    initial: Mapping[str, str] = {"locale": place, "currency": currency_of_place(place)}
    form = SetupForm(request.POST if request.method == "POST" else None, request=request, initial=initial)
    if form.is_bound and form.is_valid():
        code, club, login = form.cleaned_data["code"], form.new_club(), form.login()
        user = form.attempt(lambda: set_up(code, club, login, now=now()))
        if user is not None:
            sign_in(request, user)
            return go_on(request, "admin:index", gettext("Welcome. The club is set up."))
    return invitation_page(request, "setup", {"title": gettext("Set up the site"), "form": form})


def place_of(accepted: str) -> str:
    """Where amounts are probably written as for a browser with these languages: by a country, else by a language."""
    languages = [tag.replace("-", "_").partition("_") for tag, _ in parse_accept_lang_header(accepted)]
    by_country = {locale.lower(): locale for locale in LOCALES}
    named = (by_country.get(f"{language}_{country}".lower(), "") for language, _, country in languages)
    # English alone may be anybody's.
    spoken = (
        next((locale for locale in LOCALES if locale.startswith(f"{language}_")), "")
        for language, *_ in languages
        if language != "en"
    )
    return next(filter(None, (*named, *spoken)), DEFAULT_LOCALE)


def _free_slug(name: str) -> str:
    """A web address made of a club's name, which no club has or had."""
    base = slugify(name)[: MOST_SLUG - 3].strip("-") or "club"
    taken = {slug.lower() for slug in ClubSlug.objects.values_list("slug", flat=True)}
    taken |= {slug.lower() for slug in Club.objects.values_list("slug", flat=True)}
    return next(slug for slug in (base, *(f"{base}-{number}" for number in range(2, 99))) if slug not in taken)


app_name = "setup"
urlpatterns = [path("", first_login, name="first_login")]
