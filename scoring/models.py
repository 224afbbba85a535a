"""The books: accounts, journal entries and their postings, and the version to which each cause is settled.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Shape and constraints only; the triggers that keep
entries balanced and unchanged are in scoring/storage/, and only scoring.ledger writes. A club is an id
here, and a cause a text such as "table:UUID", because the books know nothing of clubs and tables. On PostgreSQL keys
are not those of the models, they lead with the club: docs/decisions/0065-keys-lead-with-the-club.md.
"""

import uuid
from enum import StrEnum

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy

from scoring import references
from scoring.money import AccountKind, Purpose
from scoring.money.payouts import MOST_SUM


def _choices(words: type[StrEnum]) -> list[tuple[str, object]]:
    return [(word.value, gettext_lazy(word.value.replace("_", " "))) for word in words]


def _is_currency_code() -> Exact:
    return Exact(Length("currency"), 3)


class Account(models.Model):
    """The balance of one owner with one club in one currency. A positive balance is what the club owes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.UUIDField(editable=False, verbose_name=gettext_lazy("club"))
    kind = models.CharField(max_length=16, choices=_choices(AccountKind), verbose_name=gettext_lazy("kind"))
    owner = models.CharField(max_length=64, blank=True)
    currency = models.CharField(max_length=3, verbose_name=gettext_lazy("currency"))

    class Meta:
        verbose_name = gettext_lazy("account")
        verbose_name_plural = gettext_lazy("accounts")
        constraints = [
            models.UniqueConstraint(fields=["club", "kind", "owner", "currency"], name="account_once"),
            models.CheckConstraint(
                condition=Q(kind__in=[kind.value for kind in AccountKind]), name="account_kind_known"
            ),
            models.CheckConstraint(condition=_is_currency_code(), name="account_currency_code"),
            models.CheckConstraint(
                condition=~Q(kind=AccountKind.PLAYER.value, owner=""), name="account_player_has_owner"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.owner} {self.currency}".replace("  ", " ")


class JournalEntry(models.Model):
    """One balanced movement of money, for one slot of a cause. Never changed; a wrong one is reversed.

    `posting_count` is the entry's control total: it is complete with that many postings and takes no more, which the
    database enforces.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.UUIDField(verbose_name=gettext_lazy("club"))
    reference = models.CharField(max_length=200, verbose_name=gettext_lazy("reference"))
    cause = models.CharField(max_length=80)
    slot = models.CharField(max_length=40)
    version = models.BigIntegerField()
    currency = models.CharField(max_length=3, verbose_name=gettext_lazy("currency"))
    memo = models.TextField(blank=True)
    posting_count = models.PositiveIntegerField()
    reverses = references.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="reversal"
    )
    posted_at = models.DateTimeField(verbose_name=gettext_lazy("posted at"))
    # A digest over the entry and its postings: docs/decisions/0028-what-is-proven-how.md.
    digest = models.BinaryField(max_length=32, default=b"")

    class Meta:
        verbose_name = gettext_lazy("journal entry")
        verbose_name_plural = gettext_lazy("journal entries")
        constraints = [
            models.UniqueConstraint(fields=["club", "reference"], name="entry_reference_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="entry_version_from_1"),
            models.CheckConstraint(condition=Q(posting_count__gte=2), name="entry_two_postings_or_more"),
            models.CheckConstraint(condition=_is_currency_code(), name="entry_currency_code"),
            models.CheckConstraint(condition=~Q(reverses=F("id")), name="entry_reverses_another"),
            models.CheckConstraint(
                condition=~Q(cause="") & ~Q(slot="") & ~Q(reference=""), name="entry_names_its_cause"
            ),
        ]
        indexes = [
            models.Index(fields=["club", "cause"], name="entry_by_cause"),
            models.Index(fields=["club", "-posted_at"], name="entry_by_day"),
        ]

    def __str__(self) -> str:
        return self.reference


class Posting(models.Model):
    """One amount on one account, part of one entry. Never changed."""

    id = models.BigAutoField(primary_key=True)
    club = models.UUIDField(editable=False)
    entry = references.ForeignKey(JournalEntry, on_delete=models.PROTECT, related_name="postings")
    account = references.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="postings", db_index=False
    )  # found through posting_by_account
    amount_minor = models.BigIntegerField()
    purpose = models.CharField(max_length=16, choices=_choices(Purpose))

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(amount_minor=0), name="posting_moves_money"),
            models.CheckConstraint(
                condition=Q(amount_minor__range=(-MOST_SUM, MOST_SUM)), name="posting_amount_in_range"
            ),
            models.CheckConstraint(
                condition=Q(purpose__in=[purpose.value for purpose in Purpose]), name="posting_purpose_known"
            ),
        ]
        indexes = [models.Index(fields=["account", "id"], name="posting_by_account")]

    def __str__(self) -> str:
        return f"{self.purpose} {self.amount_minor}"


class SettledCause(models.Model):
    """The version of a cause to which the books are settled. Locked while the cause is settled."""

    club = models.UUIDField()
    cause = models.CharField(max_length=80)
    version = models.BigIntegerField()
    settled_at = models.DateTimeField()
    digest = models.BinaryField(max_length=32, default=b"")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "cause"], name="settled_cause_once"),
            models.CheckConstraint(condition=Q(version__gte=0), name="settled_version_not_negative"),
            models.CheckConstraint(condition=~Q(cause=""), name="settled_cause_named"),
        ]

    def __str__(self) -> str:
        return f"{self.cause}@{self.version}"
