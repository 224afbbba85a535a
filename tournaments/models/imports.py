"""Lists that were imported: who, when, how much; what they changed in rows of players, so that it can be undone.

Which column means what is remembered for each kind of list. What an import stored in the log is found by its positions.
"""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy

from tournaments.models.bounds import MOST_POSITION, checks, json_fits, numbers_fit, texts_fit, within_the_calendar
from tournaments.models.people import Club, Player
from tournaments.models.play import Tournament
from tournaments.models.seasons import Season

MOST_FILE_NAME, MOST_COUNTS, MOST_HEADINGS = 200, 500, 20_000
# A note is the longest of what is kept of a player, and JSON writes a letter with up to twelve.
MOST_CHANGES = 200_000


class ImportKind(models.TextChoices):
    """What a list holds."""

    PLAYERS = "players", gettext_lazy("Players")
    ENTRIES = "entries", gettext_lazy("Entries")
    BALANCES = "balances", gettext_lazy("Opening balances")
    STANDINGS = "standings", gettext_lazy("Past standings")


class Import(models.Model):
    """One imported list, saved as a whole under one idempotency key. The file itself is not kept."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="imports", db_index=False)
    kind = models.CharField(max_length=20, choices=ImportKind.choices)
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, null=True, related_name="+")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, null=True, related_name="+")
    file_name = models.CharField(max_length=MOST_FILE_NAME, blank=True, default="")
    actor = models.CharField(max_length=200)
    key = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    # By outcome, such as new and changed.
    counts = models.JSONField(default=dict)
    # The positions in the club's log between which its events lie; 0 where it stored none.
    first_position = models.BigIntegerField(default=0)
    last_position = models.BigIntegerField(default=0)
    made_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)
    undone_by = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering = ["-made_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["club", "key"], name="import_once_a_key"),
            checks("import_kind_is_known", kind__in=ImportKind.values),
            texts_fit("import", kind=20, file_name=MOST_FILE_NAME, actor=200, key=200, digest=64, undone_by=200),
            json_fits("import", counts=MOST_COUNTS),
            numbers_fit("import", first_position=(0, MOST_POSITION), last_position=(0, MOST_POSITION)),
            within_the_calendar("import", "made_at", "undone_at"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.made_at:%Y-%m-%d}"


class ImportedPlayer(models.Model):
    """What an import changed in the row of a player: the values before and after, by column. Emptied by an erasure."""

    of = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="players", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    is_new = models.BooleanField()
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["of", "player"], name="importedplayer_once"),
            json_fits("importedplayer", before=MOST_CHANGES, after=MOST_CHANGES),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} of {self.of_id}"


class ImportColumns(models.Model):
    """Which field each heading of a club's lists of a kind meant the last time; empty for a column that is left out."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=20, choices=ImportKind.choices)
    headings = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "kind"], name="importcolumns_once"),
            checks("importcolumns_kind_is_known", kind__in=ImportKind.values),
            texts_fit("importcolumns", kind=20),
            json_fits("importcolumns", headings=MOST_HEADINGS),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.club_id}"
