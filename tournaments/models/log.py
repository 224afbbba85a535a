"""The log's tables: streams of events, the notes that belong to them, and the seals over them.

Nothing here is ever edited: database triggers refuse it, and only `tournaments.log` writes. What each column
means and how the hash covers it: docs/decisions/0003-log-hash-covers-every-column.md. On PostgreSQL keys are not those
of the models, they lead with the club: docs/decisions/0065-keys-lead-with-the-club.md.
"""

from datetime import datetime
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy

from scoring import references, storage
from scoring.storage.bounds import HASH_BYTES
from tournaments.models.bounds import MOST_COUNT, MOST_POSITION, checks, is_as_long, numbers_fit, texts_fit
from tournaments.models.people import Club


class MomentField(models.DateTimeField):  # type: ignore[type-arg]
    """A moment that SQLite stores as a number of microseconds since 1970, where Django stores a text of 26 characters.

    Why: docs/decisions/0072-sixteen-bytes-of-a-key.md.
    """

    def get_internal_type(self) -> str:
        """None, so that Django's backend converts nothing by itself."""
        return "MomentField"

    def db_type(self, connection: Any) -> str:
        """Return the declared column type."""
        return str(storage.of(connection).MOMENT_TYPE)

    def get_db_prep_value(self, value: Any, connection: Any, *args: Any, **kwargs: Any) -> Any:
        """Convert a moment to a query parameter."""
        moment = self.get_prep_value(value)
        if isinstance(moment, datetime):
            return storage.of(connection).moment_value(moment)
        return super().get_db_prep_value(moment, connection, *args, **kwargs)

    def from_db_value(self, value: Any, *_: object) -> Any:
        """Convert a stored value to a moment."""
        return storage.moment_from(value) if isinstance(value, int) else value


class StreamKind(models.TextChoices):
    """What a stream is the history of."""

    TABLE = "table"
    TOURNAMENT = "tournament"
    CASH = "cash"
    CLUB = "club"


MOST_MOVED_TO = 200


class ClubHead(models.Model):
    """The last position assigned in a club. Each append locks this row first, so positions follow commits.

    A club that has `moved_to` another installation takes no further event here.
    """

    club = models.OneToOneField(Club, on_delete=models.PROTECT, primary_key=True, related_name="head")
    position = models.BigIntegerField(default=0)
    moved_to = models.CharField(max_length=MOST_MOVED_TO, blank=True, default="", db_default="")

    class Meta:
        constraints = [
            checks("clubhead_position_not_negative", position__gte=0),
            numbers_fit("clubhead", position=(0, MOST_POSITION)),
            texts_fit("clubhead", moved_to=MOST_MOVED_TO),
        ]

    def __str__(self) -> str:
        return f"{self.club} at position {self.position}"


class Stream(models.Model):
    """The history of one table, tournament, cash book or club; its id is that of what it is the history of."""

    id = models.UUIDField(primary_key=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="streams")
    kind = models.CharField(max_length=20, choices=StreamKind)
    version = models.PositiveIntegerField(default=0)
    head_hash = models.BinaryField(max_length=HASH_BYTES)

    class Meta:
        constraints = [
            checks("stream_kind_is_known", kind__in=StreamKind.values),
            checks("stream_version_not_negative", version__gte=0),
            is_as_long("stream_head_hash_is_32_bytes", "head_hash", HASH_BYTES),
            numbers_fit("stream", version=(0, MOST_COUNT)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id} at version {self.version}"


class Event(models.Model):
    """One event as it was recorded. Its id is derived from its position and its hash."""

    id = models.UUIDField(primary_key=True, editable=False)
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="events", db_index=False, verbose_name=gettext_lazy("club")
    )
    position = models.BigIntegerField(verbose_name=gettext_lazy("position"))
    stream = references.ForeignKey(
        Stream, on_delete=models.PROTECT, related_name="events", db_index=False, verbose_name=gettext_lazy("stream")
    )
    version = models.PositiveIntegerField(verbose_name=gettext_lazy("version"))
    kind = models.CharField(max_length=40, verbose_name=gettext_lazy("kind"))
    schema = models.PositiveSmallIntegerField(verbose_name=gettext_lazy("schema"))
    recipe = models.PositiveSmallIntegerField(verbose_name=gettext_lazy("recipe"))
    body = models.TextField(verbose_name=gettext_lazy("body"))
    actor = models.CharField(max_length=100, verbose_name=gettext_lazy("actor"))
    device = models.CharField(max_length=100, blank=True, verbose_name=gettext_lazy("device"))
    recorded_at = MomentField(verbose_name=gettext_lazy("recorded at"))
    occurred_at = MomentField(verbose_name=gettext_lazy("occurred at"))
    key = models.UUIDField(verbose_name=gettext_lazy("key"))
    # Of events that earlier releases stored under a key that is no UUID: the key itself, which their hash covers.
    given_key = models.TextField(blank=True, default="", db_default="", editable=False)
    request_digest = models.BinaryField(max_length=HASH_BYTES)
    note_digest = models.BinaryField(max_length=HASH_BYTES)
    hash = models.BinaryField(max_length=HASH_BYTES)

    class Meta:
        verbose_name = gettext_lazy("event")
        verbose_name_plural = gettext_lazy("events")
        ordering = ["club", "position"]
        constraints = [
            models.UniqueConstraint(fields=["club", "position"], name="event_one_per_club_position"),
            models.UniqueConstraint(fields=["stream", "version"], name="event_one_per_stream_version"),
            models.UniqueConstraint(fields=["club", "key"], name="event_one_per_club_and_key"),
            checks("event_position_from_1", position__gte=1),
            checks("event_version_from_1", version__gte=1),
            is_as_long("event_hash_is_32_bytes", "hash", HASH_BYTES),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at position {self.position}"


class EventNote(models.Model):
    """Free text that belongs to an event, stored outside the log: it may be erased, its digest stays in the event.

    `club` and `position` identify the event.
    """

    event = references.OneToOneField(Event, on_delete=models.PROTECT, primary_key=True, related_name="note")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="event_notes", db_index=False)
    position = models.BigIntegerField()
    salt = models.BinaryField(max_length=16)
    text = models.TextField()

    class Meta:
        constraints = [numbers_fit("eventnote", position=(1, MOST_POSITION))]

    def __str__(self) -> str:
        return self.text


class Seal(models.Model):
    """A Merkle root over a stretch of a club's events, chained to the seal before it."""

    id = models.UUIDField(primary_key=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seals", db_index=False)
    from_position = models.BigIntegerField()
    to_position = models.BigIntegerField()
    root = models.BinaryField(max_length=HASH_BYTES)
    previous = models.BinaryField(max_length=HASH_BYTES)
    hash = models.BinaryField(max_length=HASH_BYTES)
    sealed_at = models.DateTimeField()

    class Meta:
        ordering = ["club", "to_position"]
        constraints = [
            models.UniqueConstraint(fields=["club", "from_position"], name="seal_one_per_club_and_start"),
            checks("seal_covers_at_least_one_event", from_position__gte=1, to_position__gte=models.F("from_position")),
        ]

    def __str__(self) -> str:
        return f"{self.club}: {self.from_position} to {self.to_position}"
