"""The cash desk's rows: a night's book, written with each of its facts, and how far players may owe.

Both are rebuildable from the books' streams at any time. What accounts hold, the journal says.
"""

import uuid

from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import Exact

from scoring.money.payouts import MOST_SUM
from tournaments.models.bounds import MOST_COUNT, numbers_fit, within_the_calendar
from tournaments.models.people import Club, Player


class CashBook(models.Model):
    """One night of a club's cash desk, in one currency; its id is that of its stream. One is open at a time."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="cash_books")
    currency = models.CharField(max_length=3)
    number = models.PositiveIntegerField(help_text="Counts the books of a club in one currency")
    version = models.PositiveIntegerField(default=0)
    state = models.TextField()
    is_closed = models.BooleanField(default=False)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["club", "currency", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["club", "currency", "number"], name="cashbook_number_once"),
            models.UniqueConstraint(
                fields=["club", "currency"], condition=models.Q(is_closed=False), name="cashbook_one_open"
            ),
            models.CheckConstraint(condition=Exact(Length("currency"), 3), name="cashbook_currency_code"),
            models.CheckConstraint(
                condition=models.Q(is_closed=False, closed_at=None) | models.Q(is_closed=True, closed_at__isnull=False),
                name="cashbook_closed_at_a_moment",
            ),
            numbers_fit("cashbook", number=(1, MOST_COUNT), version=(0, MOST_COUNT)),
            within_the_calendar("cashbook", "opened_at", "closed_at"),
        ]

    def __str__(self) -> str:
        return f"night {self.number} ({self.currency})"


class PlayerCredit(models.Model):
    """How far below nought a player's balance may go in one currency, as was granted last."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="credits")
    currency = models.CharField(max_length=3)
    limit_minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "currency"], name="playercredit_once"),
            models.CheckConstraint(condition=models.Q(limit_minor__gte=1), name="playercredit_above_nought"),
            models.CheckConstraint(condition=Exact(Length("currency"), 3), name="playercredit_currency_code"),
            numbers_fit("playercredit", limit_minor=(1, MOST_SUM)),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.limit_minor} {self.currency}"
