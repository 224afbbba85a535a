"""Clubs and their addresses, the people who work for them, and their players.

Personal data is stored in these rows only, so that it can be erased: events know a player by UUID. Knows nothing of
what a role may do; `tournaments.people.permissions` does.
"""

import re
import unicodedata
import uuid
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, URLValidator
from django.db import IntegrityError, models, transaction
from django.db.models.functions import Coalesce, Length, Lower, NullIf, Upper
from django.db.models.lookups import Exact
from django.utils.timezone import now
from django.utils.translation import gettext_lazy, pgettext_lazy

from scoring.cash import IN_PLAYERS_FAVOUR
from tournaments.models.bounds import checks, json_fits, numbers_fit, texts_fit, within_the_calendar
from tournaments.models.public_names import MOST_PUBLIC_NAME, NameSuffix, Naming, PublicNameField

ERASED_NAME = "Erased player"
# As many as a name of 200 signs can become when it is compared: some signs are written out as four.
MOST_NAME_KEY, DIGEST_SIGNS = 800, 32
MOST_NOTE = 10_000
MOST_EMAIL, MOST_PHONE, MOST_MEMBER_NUMBER = 254, 40, 40
MOST_TOKEN_DAYS = 3_650
MOST_YEARS_OF_NAMES = 30
# Some thousand keys of 16 digits.
MOST_ERASED_TEXTS = 20_000
MOST_BOX_DAYS = 3_650


def currency_shape(name: str) -> models.CheckConstraint:
    """Three upper-case letters, as ISO 4217 writes them."""
    return models.CheckConstraint(
        condition=Exact(Length("currency"), 3) & Exact(models.F("currency"), Upper("currency")), name=name
    )


# What Unicode calls ignorable by default: joiners, marks of direction, selectors, fillers. They are invisible in a
# name.
UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def folded(text: str) -> str:
    """Normalise a text for comparison: width, case, runs of blanks and zero-width characters are ignored."""
    return " ".join(UNSEEN.sub("", unicodedata.normalize("NFKC", text)).casefold().split())


def name_key(name: str) -> str:
    """Return the name as it is compared, in at most 800 characters.

    Ligatures make a name longer, up to eighteen times: what is cut off is replaced by a digest, so that two names with
    the same beginning keep different keys.
    """
    key = folded(name)
    return key if len(key) <= MOST_NAME_KEY else key[: MOST_NAME_KEY - DIGEST_SIGNS] + _digest(key)


# Letters that look like a Latin one, small or as a capital, and which: `Су` and `Cy` look like the same name.
CYRILLIC = dict(zip("авсԁеһніјкморԛѕтѵԝху", "abcdehhijkmopqstvwxy", strict=True))
GREEK = dict(zip("αβεηικμνορτυχζ", "abehikmnoptyxz", strict=True))
TO_LATIN = str.maketrans(CYRILLIC | GREEK)
FROM_LATIN = [str.maketrans({latin: letter for letter, latin in alike.items()}) for alike in (CYRILLIC, GREEK)]


def looks_key(name: str) -> str:
    """Return the name as it looks: letters of other alphabets that look Latin are replaced by the Latin ones."""
    return name_key(name).translate(TO_LATIN)


def keys_alike(names: Iterable[str]) -> set[str]:
    """Return the keys of all names that look like one of these, each written in one alphabet."""
    keys = {name_key(name) for name in names}
    latin = {key.translate(TO_LATIN) for key in keys}
    return keys | latin | {key.translate(letters) for key in latin for letters in FROM_LATIN}


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:DIGEST_SIGNS]


# Signs that people put where a letter is left out; `´` is a blank with an accent once it is normalised.
APOSTROPHES = re.compile("['’‘‛ʼʻʹ`´＇]")
NOT_IN_ASCII_WORDS = re.compile(r"[\x00-/:-@\[-`{-\x7f]+")
PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~\u2010-\u2027]")
# Latin letters that Unicode does not take apart have the plain letter in their names: L WITH STROKE, DOTLESS I.
LATIN_LETTER = re.compile(r"LATIN SMALL (?:LETTER|LIGATURE) (?:DOTLESS )?([A-Z]{1,2})(?: WITH .+)?")
OTHER_LATIN = {"ð": "d", "þ": "th", "ə": "e", "ŋ": "n"}
VIRAMA = 9
MOST_WORDS = 20


def name_words(name: str) -> list[str]:
    """The words of a name, as all searches, likenesses and lists from A to Z compare them.

    Accents, capitals, width and punctuation are ignored, `Łukasz` is `lukasz` and `O’Brien` is `obrien`; digits are
    not. Other alphabets stay as they are. A name of signs alone is its only word.
    """
    text = folded(APOSTROPHES.sub("", name))
    if not text.isascii():
        text = unicodedata.normalize("NFC", "".join(map(_plain_letter, unicodedata.normalize("NFKD", text))))
    if words := NOT_IN_ASCII_WORDS.sub(" ", text).split():
        return words
    signs = "".join(sign for sign in name if unicodedata.category(sign)[0] in "PS")
    return [signs] if signs else []


@cache
def _plain_letter(letter: str) -> str:
    """A folded letter without its accents; nothing for an accent, a blank for punctuation.

    The sign that joins Indian consonants is part of the word, not an accent.
    """
    if unicodedata.combining(letter) not in (0, VIRAMA):
        return ""
    if unicodedata.category(letter)[0] not in "LMN":
        return " "
    latin = LATIN_LETTER.fullmatch(unicodedata.name(letter, ""))
    return latin[1].lower() if latin else OTHER_LATIN.get(letter, letter)


def same_words(name: str) -> str:
    """The words of a name in one order and alphabet: names for which it is equal are spellings of one name."""
    return " ".join(sorted(" ".join(name_words(name)).translate(TO_LATIN).split()))


def search_key(name: str, *other_names: str) -> str:
    """Return the text in which words of a search are found, and by which names are sorted from A to Z.

    After the words of the name come those of its other names, and words that punctuation divides, as one:
    `Ann-Marie` is found by `annmarie` too. Text beyond 800 characters is cut off.
    """
    texts = dict.fromkeys(
        text for full_name in (name, *other_names) for text in (full_name, PUNCTUATION.sub("", full_name)) if text
    )
    return "\t".join(dict.fromkeys(" ".join(name_words(text)) for text in texts))[:MOST_NAME_KEY]


def searched_words(text: str) -> list[str]:
    """The words to find in search keys; an apostrophe divides two, so that `o'brien` finds `O Brien` as well."""
    return list(dict.fromkeys(name_words(APOSTROPHES.sub(" ", text))))[:MOST_WORDS]


def is_named(key: str, words: Sequence[str]) -> bool:
    """Whether a search key holds all the searched words, in any order."""
    return all(word in key for word in words)


def names_with(text: str, column: str = "search_key") -> models.Q:
    """The condition that the search key in a column holds all the words of a text."""
    return models.Q(*(models.Q((f"{column}__contains", word)) for word in searched_words(text)))


class NameKeyField(models.CharField):  # type: ignore[type-arg]  # it takes none at run time
    """Updated from the row's name on every save, so that no form can forget it."""

    of = "name"
    follows_row = True

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # noqa: FBT001 - Django's signature
        value = self.key_of(model_instance)
        setattr(model_instance, self.attname, value)
        return value

    def key_of(self, row: Any) -> str:
        return name_key(getattr(row, self.of))


class PublicKeyField(NameKeyField):
    """The same for the public name; declare it after that field in the model, because that is saved first."""

    of = "public_name"


class SearchKeyField(NameKeyField):
    """The search key of the name; a row that was merged into another is found by its own name too."""

    def key_of(self, row: Any) -> str:
        return search_key(row.name, row.merged_name)


class PublicSearchKeyField(PublicKeyField):
    """The search key of the public name."""

    def key_of(self, row: Any) -> str:
        return search_key(row.public_name)


# The form takes a line of text, in which some twenty currencies have room.
MOST_SMALLEST_CASH = 1_000


class CashRounding(models.TextChoices):
    """How cash is rounded to the smallest note or coin."""

    NEAREST = "nearest", gettext_lazy("to the nearest")
    PLAYER = IN_PLAYERS_FAVOUR, gettext_lazy("in the player's favour")


class Club(models.Model):
    """A club: every other row belongs to one, and only users with a role in two clubs see both."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, verbose_name=gettext_lazy("name"))
    slug = models.SlugField(max_length=60, unique=True, verbose_name=gettext_lazy("slug"))
    currency = models.CharField(
        max_length=3,
        default="INR",
        help_text=gettext_lazy("ISO 4217, for example INR"),
        verbose_name=gettext_lazy("currency"),
    )
    timezone = models.CharField(
        max_length=60,
        default="Asia/Kolkata",
        help_text=gettext_lazy("For example Asia/Kolkata"),
        verbose_name=gettext_lazy("timezone"),
    )
    locale = models.CharField(
        max_length=20,
        default="en_IN",
        help_text=gettext_lazy("How amounts are written, for example en_IN"),
        verbose_name=gettext_lazy("locale"),
    )
    keeps_limits = models.BooleanField(
        default=False,
        help_text=gettext_lazy("Players need enough balance or credit to play or re-enter"),
        verbose_name=gettext_lazy("requires balance or credit"),
    )
    # By currency, in minor units.
    smallest_cash = models.JSONField(
        gettext_lazy("smallest note or coin"),
        default=dict,
        blank=True,
        help_text=gettext_lazy("By currency, such as INR 1.00; EUR 0.05: cash is rounded to it. Empty: exact"),
    )
    cash_rounding = models.CharField(
        gettext_lazy("cash rounding"),
        max_length=8,
        choices=CashRounding.choices,
        default=CashRounding.NEAREST,
        help_text=gettext_lazy("Where a smallest note or coin is set"),
    )
    is_published = models.BooleanField(
        default=False,
        help_text=gettext_lazy("Publish standings"),
        verbose_name=gettext_lazy("is published"),
    )
    shows_money = models.BooleanField(
        gettext_lazy("publish amounts of players"),
        default=True,
        db_default=True,
        help_text=gettext_lazy("Off: only people of the club see who won or lost how much"),
    )
    naming = models.CharField(
        gettext_lazy("player names on public pages"),
        max_length=12,
        choices=[choice for choice in Naming.choices if choice[0] != Naming.PSEUDONYM],
        default=Naming.FULL,
        help_text=gettext_lazy("On public pages. A player can choose another way on the player's page."),
    )
    telling = models.CharField(
        gettext_lazy("players of the same name"),
        max_length=8,
        choices=NameSuffix.choices,
        default=NameSuffix.LETTERS,
        help_text=gettext_lazy("Behind the name of the second one. Names given before do not change."),
    )
    about = models.TextField(
        blank=True,
        default="",
        max_length=2_000,
        help_text=gettext_lazy("A few lines for visitors of the club's page; an empty line begins a paragraph"),
        verbose_name=gettext_lazy("about"),
    )
    venue = models.CharField(
        gettext_lazy("venue"),
        max_length=200,
        blank=True,
        default="",
        help_text=gettext_lazy("The address, as on a letter, in one line"),
    )
    website = models.URLField(
        gettext_lazy("web page or contact"),
        blank=True,
        default="",
        validators=[URLValidator(schemes=["https", "http"])],
        help_text=gettext_lazy("A full address that begins with https://"),
    )
    token_days = models.PositiveSmallIntegerField(
        gettext_lazy("device links end after, days"),
        null=True,
        blank=True,
        default=180,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_TOKEN_DAYS)],
        help_text=gettext_lazy("From the day a link is made. Empty: links never end"),
    )
    tokens_end_with_password = models.BooleanField(
        gettext_lazy("new password ends device links"),
        default=True,
        help_text=gettext_lazy("Ends a person's device links when their password is changed"),
    )
    requires_second_factor = models.BooleanField(
        gettext_lazy("require a second factor"),
        default=False,
        db_default=False,
        help_text=gettext_lazy("Owners and cashiers sign in with a passkey, or with a password and a code"),
    )
    # Accounts have to be kept for eight years in India and for eight to ten in Germany, with the names in them.
    keep_names_years = models.PositiveSmallIntegerField(
        gettext_lazy("keep names in books (years)"),
        default=10,
        db_default=10,
        validators=[MaxValueValidator(MOST_YEARS_OF_NAMES)],
        help_text=gettext_lazy("After erasing a player, in accounts, receipts and payouts. 0: not at all"),
    )
    keeps_boxes_days = models.PositiveSmallIntegerField(
        gettext_lazy("keep boxes (days)"),
        default=90,
        db_default=90,
        validators=[MaxValueValidator(MOST_BOX_DAYS)],
        help_text=gettext_lazy("Copies of the club written after each tournament, beside the backups. 0: none"),
    )
    has_player_links = models.BooleanField(
        gettext_lazy("personal links of players"),
        default=True,
        db_default=True,
        help_text=gettext_lazy("The desk can give a player a link to their seats and results. Off: none opens"),
    )
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        verbose_name = gettext_lazy("club")
        verbose_name_plural = pgettext_lazy("places where people play", "clubs")
        ordering = ["name"]
        constraints = [
            currency_shape("club_currency_is_three_capitals"),
            texts_fit("club", name=200, slug=60, timezone=60, locale=20, about=2_000, venue=200, website=200),
            within_the_calendar("club", "created_at"),
            checks("club_naming_is_known", models.Q(naming__in=Naming.values) & ~models.Q(naming=Naming.PSEUDONYM)),
            checks("club_telling_is_known", telling__in=NameSuffix.values),
            checks("club_cash_rounding_is_known", cash_rounding__in=CashRounding.values),
            json_fits("club", smallest_cash=MOST_SMALLEST_CASH),
            numbers_fit("club_token", token_days=(1, MOST_TOKEN_DAYS)),
            numbers_fit("club_names", keep_names_years=(0, MOST_YEARS_OF_NAMES)),
            numbers_fit("club_boxes", keeps_boxes_days=(0, MOST_BOX_DAYS)),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Refuse a slug that another club has ever had: its old addresses redirect for ever."""
        fields = kwargs.get("update_fields")
        with transaction.atomic():
            super().save(*args, **kwargs)
            if fields is None or "slug" in fields:
                slugs = self.slugs.model.objects
                row, _ = slugs.get_or_create(slug__iexact=self.slug, defaults={"slug": self.slug, "club": self})
                if row.club_id != self.pk:
                    raise IntegrityError(f"another club has had the slug {self.slug}")

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """The role of a user or a device in a club."""

    OWNER = "owner", gettext_lazy("Owner")
    DIRECTOR = "director", gettext_lazy("Director")
    SCORER = "scorer", gettext_lazy("Scorer")
    CASHIER = "cashier", gettext_lazy("Cashier")
    CHECKIN = "checkin", gettext_lazy("Check-in")
    AUDITOR = "auditor", gettext_lazy("Treasurer")
    DISPLAY = "display", gettext_lazy("Display")


class Membership(models.Model):
    """One person's one role in one club."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships", db_index=False
    )
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role, verbose_name=gettext_lazy("role"))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "club"], name="membership_one_role_per_club"),
            checks("membership_role_is_known", role__in=Role.values),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role}, {self.club})"


class Players(models.QuerySet["Player"]):
    """Players of clubs. For lists to choose from, use `present`."""

    def present(self) -> Self:
        """Every player who was not erased, each person once: rows merged into another are excluded."""
        return self.filter(erased_at__isnull=True, merged_into__isnull=True)

    def names_in_books(self) -> dict[uuid.UUID, str]:
        """Names by id, A to Z, for pages and files of money alone: an erased player's own while the club keeps it."""
        own = Coalesce(NullIf("books_name", models.Value("")), "name")
        a_to_z = Coalesce(NullIf(Lower("books_name"), models.Value("")), "search_key")
        return dict(self.order_by(a_to_z, "id").values_list("id", own))


class Player(models.Model):
    """A player of the club. Two players may share a name: that is warned about, not forbidden.

    A row that was merged into another has the name of that row, and keeps its own in case the merge is undone.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="players", verbose_name=gettext_lazy("club"), db_index=False
    )
    name = models.CharField(max_length=200, verbose_name=gettext_lazy("name"))
    name_key = NameKeyField(max_length=MOST_NAME_KEY, editable=False)
    search_key = SearchKeyField(max_length=MOST_NAME_KEY, editable=False, default="")
    is_member = models.BooleanField(
        gettext_lazy("member of the club"),
        default=False,
        help_text=gettext_lazy("Pays the member fee where the plan has one"),
    )
    is_suspended = models.BooleanField(
        gettext_lazy("suspended"),
        default=False,
        help_text=gettext_lazy("Seated in a tournament only after a question"),
    )
    naming = models.CharField(
        gettext_lazy("name on public pages"),
        max_length=12,
        choices=Naming.choices,
        blank=True,
        default="",
        help_text=gettext_lazy("The player's choice. Empty: the club's setting."),
    )
    pseudonym = models.CharField(
        max_length=200, blank=True, default="", help_text=gettext_lazy("Public name the player chose")
    )
    has_page = models.BooleanField(
        gettext_lazy("has a public page"),
        default=True,
        help_text=gettext_lazy("Published results on one page. Turn off for a player who objects."),
    )
    public_name = PublicNameField(max_length=MOST_PUBLIC_NAME, editable=False, default="")
    public_key = PublicKeyField(max_length=900, editable=False, default="")
    public_search_key = PublicSearchKeyField(max_length=MOST_NAME_KEY, editable=False, default="")
    note = models.TextField(blank=True, default="", max_length=MOST_NOTE, verbose_name=gettext_lazy("note"))
    # Never public: read by people of the club, and by what writes to the player.
    email = models.EmailField(gettext_lazy("e-mail"), max_length=MOST_EMAIL, blank=True, default="", db_default="")
    phone = models.CharField(gettext_lazy("phone"), max_length=MOST_PHONE, blank=True, default="", db_default="")
    member_number = models.CharField(
        gettext_lazy("number"),
        max_length=MOST_MEMBER_NUMBER,
        blank=True,
        default="",
        db_default="",
        help_text=gettext_lazy("The club’s or an association’s number for the player, as lists have it"),
    )
    wants_mail = models.BooleanField(
        gettext_lazy("messages by e-mail"),
        default=False,
        db_default=False,
        help_text=gettext_lazy("The player agreed to get seats and results by e-mail. Each message can stop it."),
    )
    created_at = models.DateTimeField(default=now, editable=False, verbose_name=gettext_lazy("created at"))
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The name when the player was erased, read by `name_in_books` and `names_in_books` alone.
    books_name = models.CharField(max_length=200, blank=True, default="", db_default="", editable=False)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, editable=False, related_name="merged_rows"
    )
    merged_name = models.CharField(max_length=200, blank=True, default="", editable=False)

    objects = Players.as_manager()

    class Meta:
        verbose_name = gettext_lazy("player")
        verbose_name_plural = gettext_lazy("players")
        ordering = ["search_key"]
        indexes = [
            models.Index(fields=["club", "name_key"], name="player_by_club_and_name"),
            models.Index(fields=["club", "search_key"], name="player_a_to_z"),
            models.Index(fields=["club", "public_key"], name="player_by_public_name"),
            models.Index(fields=["club"], condition=models.Q(merged_into__isnull=False), name="player_merged"),
        ]
        constraints = [
            checks("player_naming_is_known", naming__in=["", *Naming.values]),
            checks(
                "player_not_merged_into_itself",
                models.Q(merged_into__isnull=True) | ~models.Q(merged_into=models.F("id")),
            ),
            texts_fit(
                "player",
                name=200,
                name_key=MOST_NAME_KEY,
                search_key=MOST_NAME_KEY,
                pseudonym=200,
                public_name=MOST_PUBLIC_NAME,
                public_key=900,
                public_search_key=MOST_NAME_KEY,
                note=MOST_NOTE,
                email=MOST_EMAIL,
                phone=MOST_PHONE,
                member_number=MOST_MEMBER_NUMBER,
                merged_name=200,
                books_name=200,
            ),
            within_the_calendar("player", "created_at", "erased_at"),
            models.UniqueConstraint(
                fields=["club", "member_number"],
                condition=~models.Q(member_number=""),
                name="player_number_once_a_club",
                violation_error_message=gettext_lazy("Another player of the club has this number."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name_in_books(self) -> str:
        """The name for pages and files of money alone: an erased player's own while the club keeps it."""
        return self.books_name or self.name


class ClubSlug(models.Model):
    """A slug that a club has or had, never reused for another club; the club's row holds the current one.

    In other capitals it is the same slug. Printed, bookmarked and embedded addresses keep working. A tournament and a
    season keep their slug, and a player's address is a number, so that only clubs change theirs.
    """

    slug = models.SlugField(max_length=60, primary_key=True)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="slugs")

    class Meta:
        constraints = [texts_fit("clubslug", slug=60), models.UniqueConstraint(Lower("slug"), name="clubslug_once")]

    def __str__(self) -> str:
        return f"{self.slug}: {self.club}"


class FormerActor(models.Model):
    """The name of a login or device of the installation that a club came from: its records still say who saved them.

    It signs nobody in. Here another login may have the same number.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="former_actors", db_index=False)
    actor = models.CharField(max_length=100)
    name = models.CharField(max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "actor"], name="formeractor_once_a_club"),
            texts_fit("formeractor", actor=100, name=200),
        ]

    def __str__(self) -> str:
        return f"{self.actor}: {self.name}"


class ErasedPlayer(models.Model):
    """An erasure, by ids alone: it is done again where an older box or backup brings the player back.

    It outlives player and club. `texts` are keys of texts that an owner chose to delete with the player.
    """

    player = models.UUIDField(primary_key=True, editable=False)
    club = models.UUIDField(db_index=True)
    erased_at = models.DateTimeField()
    texts = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            within_the_calendar("erasedplayer", "erased_at"),
            json_fits("erasedplayer", texts=MOST_ERASED_TEXTS),
        ]

    def __str__(self) -> str:
        return str(self.player)
