"""How often somebody failed to sign in lately. What follows from it: `tournaments.people.attempts`."""

from django.db import models

from tournaments.models.bounds import MOST_COUNT, numbers_fit, texts_fit, within_the_calendar


class FailedAttempts(models.Model):
    """Attempts that failed for one name from one place, or from one place under any name.

    The name is kept as a keyed digest: people type their password into the wrong field.
    """

    kind = models.CharField(max_length=10)
    subject = models.CharField(max_length=64, blank=True)
    place = models.CharField(max_length=80)
    failures = models.PositiveIntegerField(default=0)
    free_at = models.DateTimeField()
    lapses_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "place", "subject"], name="failedattempts_one_row_each"),
            texts_fit("failedattempts", kind=10, subject=64, place=80),
            numbers_fit("failedattempts", failures=(0, MOST_COUNT)),
            within_the_calendar("failedattempts", "free_at", "lapses_at"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} from {self.place}: {self.failures}"
