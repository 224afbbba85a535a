"""Every word that has stood for a club in its addresses: none of them is ever another club's.

What was printed, bookmarked or embedded leads on for ever. A tournament and a season keep the word they were made with,
and a player's address is a number, so that only clubs change theirs.
"""

from django.db import models

from tournaments.models.bounds import texts_fit
from tournaments.models.people import Club


class ClubSlug(models.Model):
    """A slug and the club that took it first; the club's own row says which one holds now."""

    slug = models.SlugField(max_length=60, primary_key=True)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="slugs")

    class Meta:
        constraints = [texts_fit("clubslug", slug=60)]

    def __str__(self) -> str:
        return f"{self.slug}: {self.club}"
