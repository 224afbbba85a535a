"""What a form held when its page was opened, field by field, so that sending it writes only what was changed on it.

Rules: docs/decisions/0033. A page carries a digest of each field in a signed text; nothing is kept on the server and
no row needs a version. Knows nothing of rows, locks or pages: whoever compares holds the row's lock.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.core import signing
from django.http import QueryDict
from django.utils.translation import gettext

from tournaments.rendering.i18n.formatting import listed

SEEN = "seen"
SALT = "tournaments.held_fields"
STANDS = "stands"
CHOICE = "choose-"
DIGEST = 22
# Some 200 fields of a form; a longer token is none of ours.
MOST_SEEN = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """A field that was changed here and, since the page was opened, by somebody else. `digest` is of what stands."""

    name: str
    stands: str
    typed: str

    @property
    def digest(self) -> str:
        return digest_of(self.stands)

    @property
    def choice_name(self) -> str:
        """The name under which the page asks which of both is to hold."""
        return CHOICE + self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """What a sent form asks for: fields that were left alone have in `texts` what stands now."""

    texts: Mapping[str, str]
    changed: Sequence[str]
    clashes: Sequence[Clash]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a page held: its digests, and what was chosen where somebody else had changed the same field."""

    digests: Mapping[str, str]
    choices: Mapping[str, str]

    def is_changed(self, name: str, typed: str) -> bool:
        """Whether somebody typed this on the page. What the page did not ask for counts only where something came."""
        if name not in self.digests and self.digests:
            return typed not in ("", str(False))
        return digest_of(typed) != self.digests.get(name) and self.choices.get(name) != STANDS

    def merge(self, stands: Mapping[str, str], typed: Mapping[str, str]) -> Merge:
        """Each field as typed where it was changed here alone; a clash where others changed it too.

        Whoever chose their own after they had been shown what stands names it by its digest: a third change is shown
        again. Without a token nothing is known of the page, so that nothing of it goes before what stands.
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
        """What the page did not offer was changed by nobody who looked at it: whether it may be, the command says."""
        was_offered = name in self.digests or not self.digests
        return was_offered and digest_of(stands) not in (self.digests.get(name), self.choices.get(name))

    def removal(self, name: str, stands: Mapping[str, str]) -> Merge:
        """The whole row is to go: whoever asks has seen it as it stands, or is shown it first."""
        seen = {key: digest_of(text) for key, text in stands.items()}
        clash = Clash(name=name, stands=repr(sorted(stands.items())), typed="")
        is_known = seen == dict(self.digests) or self.choices.get(name) == clash.digest
        return Merge(texts=stands, changed=[], clashes=[] if is_known else [clash])


def token_of(texts: Mapping[str, str], subject: str) -> str:
    """The token for a page that holds these texts of one subject, such as `tournaments.player:` and its id."""
    digests = {name: digest_of(text) for name, text in texts.items()}
    return signing.dumps(digests, salt=f"{SALT}:{subject}", compress=True)


def held_by(data: Mapping[str, object] | QueryDict, subject: str, *, prefix: str = "") -> Held:
    """What the page held that this form was sent from; a token that is none of ours counts as missing."""
    token = str(data.get(prefix + SEEN) or "")
    digests: object = {}
    if len(token) <= MOST_SEEN:
        try:
            digests = signing.loads(token, salt=f"{SALT}:{subject}")
        except signing.BadSignature:
            digests = {}
    known = {str(key): str(value) for key, value in digests.items()} if isinstance(digests, dict) else {}
    start = prefix + CHOICE
    choices = {name.removeprefix(start): str(data[name]) for name in data if name.startswith(start)}
    return Held(digests=known, choices=choices)


def digest_of(text: str) -> str:
    """Tells one text from another; line ends are those of whoever typed last, and say nothing."""
    return sha256(text.replace("\r\n", "\n").encode()).hexdigest()[:DIGEST]


# How a page tells that somebody else was faster, field by field, and what a form has saved in the end.


@dataclass(frozen=True, slots=True, kw_only=True)
class ClashShown:
    """A clash as a page tells it."""

    title: str
    stands: str
    typed: str
    choice_name: str
    choice: str


def saved_said(name: str, titles: Iterable[str]) -> str:
    """What was saved of a form, and nothing that was not."""
    changed = list(titles)
    if not changed:
        return gettext("Nothing was changed.")
    return gettext("{name} saved. Changed: {fields}.").format(name=name, fields=listed(changed))
