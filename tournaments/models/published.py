"""What was written for a tournament to the store of published copies, so that all of it can be deleted again."""

import json

from django.db import models

from tournaments.models.bounds import MOST_COUNT, MOST_POSITION, numbers_fit, texts_fit, within_the_calendar

MOST_NAMED = 4_000_000


class PublishedCopy(models.Model):
    """One row per tournament that has files in the store; it outlives the tournament, until the files are deleted.

    `files` names each with a digest of what it holds: empty for one that was about to be written.
    """

    tournament = models.UUIDField(primary_key=True)
    club = models.UUIDField()
    store = models.CharField(max_length=500)
    folder = models.CharField(max_length=200)
    position = models.BigIntegerField(default=-1)
    version = models.BigIntegerField(default=-1)
    files = models.TextField(default="{}")
    whole_at = models.DateTimeField(null=True, blank=True)
    is_whole = models.BooleanField(default=False)
    written_at = models.DateTimeField(null=True, blank=True)
    busy_until = models.DateTimeField()
    problem = models.CharField(max_length=500, default="")
    failures = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            numbers_fit(
                "publishedcopy",
                position=(-1, MOST_POSITION),
                version=(-1, MOST_POSITION),
                failures=(0, MOST_COUNT),
            ),
            texts_fit("publishedcopy", store=500, folder=200, problem=500, files=MOST_NAMED),
            within_the_calendar("publishedcopy", "whole_at", "written_at", "busy_until"),
        ]

    @property
    def manifest(self) -> dict[str, str]:
        """Return the files by name."""
        return dict[str, str](json.loads(self.files))

    def __str__(self) -> str:
        return self.folder
