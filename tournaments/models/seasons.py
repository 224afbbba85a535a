"""Data across tournaments: a club's seasons, and what workers compute from closed tournaments for them and for ratings.

All but `Season` is derived data that `rebuild` recomputes. `ClubReadings.due` is raised in the transaction of the event
that changed a closed tournament; `done` follows when the derived data is stored. So a lost message loses no work.
"""

import uuid

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy

from scoring.messages import Message, restored
from tournaments.models.bounds import (
    MOST_COUNT,
    MOST_POSITION,
    checks,
    days_within_the_calendar,
    numbers_fit,
    texts_fit,
    within_the_calendar,
)
from tournaments.models.people import Club, Player
from tournaments.models.play import Tournament

MOST_FORMULA = 20_000


class Season(models.Model):
    """The tournaments of a club between two days, counted by one formula.

    `final` holds the standings on the day the season was closed; it was published then and is never rewritten.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="seasons", verbose_name=gettext_lazy("club"), db_index=False
    )
    slug = models.SlugField(max_length=80)
    name = models.CharField(max_length=200, verbose_name=gettext_lazy("name"))
    starts_on = models.DateField(verbose_name=gettext_lazy("starts on"))
    ends_on = models.DateField(verbose_name=gettext_lazy("ends on"))
    formula = models.TextField(help_text="How nights are counted, as canonical JSON")
    is_published = models.BooleanField(default=False, verbose_name=gettext_lazy("is published"))
    closed_at = models.DateTimeField(null=True, blank=True, editable=False, verbose_name=gettext_lazy("closed at"))
    final = models.TextField(blank=True, default="", editable=False)
    final_position = models.BigIntegerField(default=0, editable=False)
    final_digest = models.BinaryField(max_length=32, default=b"", editable=False)
    created_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        verbose_name = gettext_lazy("season")
        verbose_name_plural = gettext_lazy("seasons")
        ordering = ["-starts_on", "name"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="season_slug_once_per_club"),
            checks("season_ends_after_it_starts", ends_on__gte=models.F("starts_on")),
            checks(
                "season_closed_with_its_standings",
                models.Q(closed_at=None, final="") | (models.Q(closed_at__isnull=False) & ~models.Q(final="")),
            ),
            texts_fit("season", slug=80, name=200, formula=MOST_FORMULA, final_digest=32),
            numbers_fit("season", final_position=(0, MOST_POSITION)),
            days_within_the_calendar("season", "starts_on", "ends_on"),
            within_the_calendar("season", "closed_at", "created_at"),
        ]

    def __str__(self) -> str:
        return self.name


class NightResult(models.Model):
    """The result of a closed tournament for seasons and ratings, computed at one position of its board.

    `closed_position` is where the log first closed it: tournaments are rated in that order. `corrected_at` is when it
    was last corrected after that.
    """

    tournament = models.OneToOneField(
        Tournament, on_delete=models.PROTECT, primary_key=True, related_name="night_result"
    )
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    position = models.BigIntegerField()
    closed_position = models.BigIntegerField()
    corrected_at = models.DateTimeField(null=True, blank=True)
    state = models.TextField()

    class Meta:
        constraints = [
            checks("nightresult_as_of_its_closing", closed_position__gte=1, position__gte=models.F("closed_position")),
            numbers_fit("nightresult", position=(1, MOST_POSITION), closed_position=(1, MOST_POSITION)),
            within_the_calendar("nightresult", "corrected_at"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} at position {self.position}"


class PastTournament(models.Model):
    """A tournament of a season that was played without this service, and imported.

    All but the name follows from an event of the club at `position`; one that is undone has no row. `state` holds the
    places and points.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="past_tournaments")
    name = models.CharField(max_length=200, blank=True, default="")
    day = models.DateField()
    state = models.TextField()
    position = models.BigIntegerField()

    class Meta:
        constraints = [
            texts_fit("pasttournament", name=200),
            numbers_fit("pasttournament", position=(1, MOST_POSITION)),
            days_within_the_calendar("pasttournament", "day"),
        ]

    def __str__(self) -> str:
        return f"{self.name or self.day} of {self.season_id}"


class SeasonTable(models.Model):
    """A season's standings in all of its tables, as computed from its tournaments now."""

    season = models.OneToOneField(Season, on_delete=models.CASCADE, primary_key=True, related_name="table")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    state = models.TextField()
    position = models.BigIntegerField(help_text="Club position of the latest fact in it; 0 before the first night")
    computed_at = models.DateTimeField()

    class Meta:
        constraints = [
            numbers_fit("seasontable", position=(0, MOST_POSITION)),
            within_the_calendar("seasontable", "computed_at"),
        ]

    def __str__(self) -> str:
        return f"{self.season} at position {self.position}"


class PlayerRating(models.Model):
    """A player's rating in thousandths: now, and after each closed tournament."""

    player = models.OneToOneField(Player, on_delete=models.PROTECT, primary_key=True, related_name="rating")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="ratings")
    mu = models.IntegerField(help_text="The estimate")
    sigma = models.PositiveIntegerField(help_text="Its deviation")
    nights = models.PositiveIntegerField()
    tables = models.PositiveIntegerField()
    history = models.TextField(help_text="After each night: the tournament, mu and sigma, as JSON")

    class Meta:
        constraints = [
            checks("playerrating_is_never_certain", sigma__gte=1),
            numbers_fit(
                "playerrating",
                mu=(-MOST_COUNT, MOST_COUNT),
                sigma=(1, MOST_COUNT),
                nights=(0, MOST_COUNT),
                tables=(0, MOST_COUNT),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.mu} ± {self.sigma}"


class ClubReadings(models.Model):
    """How far a club's seasons and ratings have followed its log: behind while `due` is above `done`.

    `begun_at` is when a worker started on them, and `beat_at` its last heartbeat; other workers wait until it has been
    silent for some seconds.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="readings")
    due = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    begun_at = models.DateTimeField(null=True, blank=True)
    beat_at = models.DateTimeField(null=True, blank=True)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)
    computed_at = models.DateTimeField(null=True, blank=True)
    problem = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            checks("clubreadings_done_not_above_due", done__lte=models.F("due")),
            numbers_fit(
                "clubreadings",
                due=(0, MOST_COUNT),
                done=(0, MOST_COUNT),
                progress_done=(0, MOST_COUNT),
                progress_total=(0, MOST_COUNT),
            ),
            within_the_calendar("clubreadings", "begun_at", "beat_at", "computed_at"),
        ]

    @property
    def is_behind(self) -> bool:
        """Whether changes have not been included yet."""
        return self.due > self.done

    def __str__(self) -> str:
        return f"{self.club}: {self.done} of {self.due}"

    @property
    def why_behind(self) -> Message | None:
        """The reason why they could not be computed."""
        return restored(self.problem) if self.problem else None
