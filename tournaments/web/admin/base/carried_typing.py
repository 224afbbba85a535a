"""Signed form data that a page carries, so that no input is lost: late submissions, and the values when it was opened.

Rules: docs/decisions/0033. After a session or table card has expired, or another sign-in in a second tab, the answer
carries the submitted fields, and the user reviews and sends them again; never passwords, files, or cross-site posts.
An edit page carries a digest of each field, so that only the fields changed on it are written. Nothing is kept on the
server, and rows need no version; compare while holding the row's lock.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core import signing
from django.http import HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.template.response import TemplateResponse
from django.utils.translation import gettext, gettext_noop

from scoring.rules.variants import ending_title
from tournaments.rendering.i18n.translating import translate

SALT = "tournaments.kept_typing"
KEPT = "kept"
# A pasted list of players is the longest text that a page takes; packed and signed it stays below this.
MOST_TYPED = 300_000
MOST_KEPT = 600_000
GOOD_FOR_SECONDS = 12 * 3600
MOST_SHOWN = 300
# Hidden fields of a form: sent again, but not shown to the user.
ENVELOPE = frozenset(
    {"seen", "key", "version", "line", "book", "do", "next", "part", "preset", "club", "told", "shown", "kind"}
)
# Labels of the fields on a deal's page; a field of any other form is labelled by its name.
OF_A_DEAL = {
    "deal": gettext_noop("Deal"),
    "dealer": gettext_noop("Dealer"),
    "ended": gettext_noop("How it ended"),
    "loose": gettext_noop("Loose cards"),
    "reason": gettext_noop("Reason"),
    "wild": gettext_noop("Wild joker"),
}
OF_A_SEAT = re.compile(r"(?P<field>[a-z_]+)-(?P<seat>[0-9]{1,3})")
# Shown without a label: an outcome, hand points and a group of cards explain themselves; other fields do not.
WITHOUT_TITLE = frozenset({"how", "count", "group"})
# Fields that no answer repeats: passwords under any name, and the code of a table card.
SECRET = re.compile(r".*password.*|code", re.IGNORECASE | re.DOTALL)
# Whether device links end with a new password, a tick on the club's page.
NO_SECRETS = frozenset({"tokens_end_with_password"})
NEVER_SENT = frozenset({"csrfmiddlewaretoken", KEPT})


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedForm:
    """A submitted form: its address, and its fields in their order."""

    path: str
    fields: tuple[tuple[str, str], ...]

    def shown(self) -> list[tuple[str, str]]:
        """The values that the user typed, by field label; for a deal one line per seat."""
        typed_fields = [(name, value) for name, value in self.fields if value and not _is_envelope(name)]
        is_deal = "deal" in dict(self.fields)
        lines: dict[str, list[str]] = {}
        for name, value in typed_fields:
            title, text = _of_a_deal(name, value) if is_deal else (_title_of(name), value)
            lines.setdefault(title, []).append(text)
        return [(title, _cut(", ".join(texts))) for title, texts in lines.items()]

    def sealed(self, request: HttpRequest) -> str:
        """Signed and compressed, for a hidden field of a page of this browser."""
        return signing.dumps([self.path, self.fields], salt=_salt(request), compress=True)


def typed_in(request: HttpRequest) -> SubmittedForm | None:
    """The submitted form, if it can be kept: a POST without files or secrets, not sent by HTMX and not too long."""
    if request.method != "POST" or request.FILES or "HX-Request" in request.headers:
        return None
    fields = tuple(
        (name, str(value)) for name, values in request.POST.lists() for value in values if name not in NEVER_SENT
    )
    is_long = sum(len(name) + len(value) for name, value in fields) > MOST_TYPED
    if has_secrets(request) or is_long or not fields:
        return None
    return SubmittedForm(path=request.get_full_path(), fields=fields)


def has_secrets(request: HttpRequest) -> bool:
    """Whether the posted form holds a password or a card's code: no answer may repeat such a form."""
    return any(SECRET.fullmatch(name) and name not in NO_SECRETS for name in request.POST)


class KeptForm(forms.Form):
    """The hidden field of a page that keeps a form."""

    kept = forms.CharField(max_length=MOST_KEPT)


def _salt(request: HttpRequest) -> str:
    """What another browser sends is not offered to whoever signs in here: the CSRF cookie tells browsers apart."""
    get_token(request)
    return f"{SALT}:{request.META['CSRF_COOKIE']}"


def kept_in(request: HttpRequest) -> SubmittedForm | None:
    """The form kept in an earlier answer to this browser; None where it is missing, expired, or not signed here."""
    form = KeptForm(request.POST)
    if not form.is_valid():
        return None
    try:
        path, fields = signing.loads(form.cleaned_data[KEPT], salt=_salt(request), max_age=GOOD_FOR_SECONDS)
    except signing.BadSignature:
        return None
    return SubmittedForm(path=path, fields=tuple((name, value) for name, value in fields))


def is_ours(request: HttpRequest) -> bool:
    """Whether a page of this site sent the request, as the browser reports: no other post is offered again."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return False
    sender = request.headers.get("Origin") or request.headers.get("Referer") or ""
    come_from = urlsplit(sender)
    return (come_from.scheme, come_from.netloc) == (request.scheme, request.get_host())


def keep_in_session(request: HttpRequest, kept: SubmittedForm) -> None:
    """Keep the form while the user goes through further pages of signing in."""
    request.session[KEPT] = [kept.path, kept.fields]


def taken_from_session(request: HttpRequest) -> SubmittedForm | None:
    """The form kept by `keep_in_session`, which is not kept any longer; None where there is none."""
    path, fields = request.session.pop(KEPT, (None, ()))
    return SubmittedForm(path=path, fields=tuple((name, value) for name, value in fields)) if path else None


def kept_context(request: HttpRequest, kept: SubmittedForm) -> dict[str, Any]:
    """Context for a page that keeps the form until the user has signed in."""
    return {"kept": kept.sealed(request), "kept_fields": kept.shown()}


def send_again_page(request: HttpRequest, kept: SubmittedForm, *, purpose: str, status: int = 200) -> HttpResponse:
    """A page that shows the form again, to be reviewed and sent with the CSRF token of the current session.

    `purpose` says what the page is for from which it was sent.
    """
    context = {
        "title": gettext("Send again"),
        "purpose": purpose,
        "path": kept.path,
        "fields": kept.fields,
        "kept_fields": kept.shown(),
    }
    answer = TemplateResponse(request, "send_again.html", context, status=status)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _is_envelope(name: str) -> bool:
    return name.rpartition("-")[2] in ENVELOPE or name.endswith(("_FORMS", "-id"))


def _of_a_deal(name: str, value: str) -> tuple[str, str]:
    """The line of a deal to which a field belongs, and the field's text there."""
    of_seat = OF_A_SEAT.fullmatch(name)
    if of_seat is None:
        return gettext(OF_A_DEAL[name]) if name in OF_A_DEAL else _title_of(name), value
    seat, field = gettext("Seat %(place)s") % {"place": of_seat["seat"]}, of_seat["field"]
    if field in WITHOUT_TITLE:
        title = ending_title(value) if field == "how" else None
        return seat, translate(title) if title else value
    return seat, f"{gettext(OF_A_DEAL[field]) if field in OF_A_DEAL else _title_of(field)}: {value}"


def _cut(text: str) -> str:
    return text[:MOST_SHOWN] + ("…" if len(text) > MOST_SHOWN else "")


def _title_of(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").strip().capitalize()


# The values of a form when its page was opened, field by field.

SEEN = "seen"
HELD_SALT = "tournaments.held_fields"
STANDS = "stands"
CHOICE = "choose-"
DIGEST = 22
# Some 200 fields of a form; a longer token was not made here.
MOST_SEEN = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """A field changed here and, since the page was opened, by another user. `digest` is of the current value."""

    name: str
    stands: str
    typed: str

    @property
    def digest(self) -> str:
        return digest_of(self.stands)

    @property
    def choice_name(self) -> str:
        """The name of the input that asks which of the two values to keep."""
        return CHOICE + self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """The outcome of merging a sent form: in `texts`, fields that were not changed have their current value."""

    texts: Mapping[str, str]
    changed: Sequence[str]
    clashes: Sequence[Clash]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDigests:
    """The digests of a page when it was opened, and the user's choices for fields that another user changed."""

    digests: Mapping[str, str]
    choices: Mapping[str, str]

    def is_changed(self, name: str, typed: str) -> bool:
        """Whether this was changed on the page. A field that the page did not offer counts only if a value was sent."""
        if name not in self.digests and self.digests:
            return typed not in ("", str(False))
        return digest_of(typed) != self.digests.get(name) and self.choices.get(name) != STANDS

    def merge(self, stands: Mapping[str, str], typed: Mapping[str, str]) -> Merge:
        """Merge field by field: the typed value where only this page changed it; a clash where another user did too.

        A user who keeps their own value names the current one by its digest, so that a third change is shown again.
        Without a token the state of the page is unknown, so every difference from the current values is a clash.
        """
        changed = [name for name, text in typed.items() if self.is_changed(name, text)]
        differing = [name for name in changed if typed[name] != stands.get(name, "")]
        clashes = [
            Clash(name=name, stands=stands.get(name, ""), typed=typed[name])
            for name in differing
            if self._is_clash(name, stands.get(name, ""))
        ]
        return Merge(
            texts={**stands, **{name: typed[name] for name in changed}},
            changed=differing,
            clashes=clashes,
        )

    def _is_clash(self, name: str, stands: str) -> bool:
        """Whether another user changed this field. One that the page did not offer is left to the command."""
        was_offered = name in self.digests or not self.digests
        return was_offered and digest_of(stands) not in (self.digests.get(name), self.choices.get(name))


def token_of(texts: Mapping[str, str], subject: str) -> str:
    """The token for a page with these texts of one subject, such as `tournaments.player:` and its id."""
    digests = {name: digest_of(text) for name, text in texts.items()}
    return signing.dumps(digests, salt=f"{HELD_SALT}:{subject}", compress=True)


def held_by(data: Mapping[str, object] | QueryDict, subject: str, *, prefix: str = "") -> PageDigests:
    """The page's state from the token of a sent form; a token not made here for this subject counts as missing."""
    token = str(data.get(prefix + SEEN) or "")
    digests: object = {}
    if len(token) <= MOST_SEEN:
        try:
            digests = signing.loads(token, salt=f"{HELD_SALT}:{subject}")
        except signing.BadSignature:
            digests = {}
    digest_by_field = {str(key): str(value) for key, value in digests.items()} if isinstance(digests, dict) else {}
    start = prefix + CHOICE
    choices = {name.removeprefix(start): str(data[name]) for name in data if name.startswith(start)}
    return PageDigests(digests=digest_by_field, choices=choices)


def digest_of(text: str) -> str:
    """A short digest to compare texts; line endings are ignored, because they depend on the browser."""
    return sha256(text.replace("\r\n", "\n").encode()).hexdigest()[:DIGEST]
