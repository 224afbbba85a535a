"""Creating a season, changing it, and closing it with final published standings.

Rules: docs/how-to/seasons.md. The formula, the first day and the games are frozen with the first deal of the first
tournament. The worker's updates are in `update`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from uuid import uuid4, uuid5

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.text import slugify

from scoring.messages import Day, say
from scoring.problems import EventNotAllowed, KeyReused, OptionsRejected, Problem, refuse_if
from scoring.rules.variants import PRESETS, VARIANTS
from scoring.seasons.formula import Formula, dump_formula, load_formula, read_formula
from tournaments.log.context import club_lock
from tournaments.models import Club, ClubReadings, PastTournament, Season, SeasonTable, Standing, Tournament
from tournaments.models.bounds import day_problems
from tournaments.people.players import name_problems
from tournaments.projections.stale import mark_stale
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.seasons.results import days_of, publication_digest

LONGEST = timedelta(days=800)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonDraft:
    """The wanted state of a season; `formula` as in the API contract."""

    name: str
    starts_on: date
    ends_on: date
    formula: Mapping[str, Any] = field(default_factory=dict)
    is_published: bool = False


def create_season(club: Club, draft: SeasonDraft, *, key: str = "") -> Season:
    """Create a season; the next worker run computes it. Raises OptionsRejected with every problem.

    The same draft under the same key again returns the season that was made. Raises KeyReused for another draft.
    """
    columns = _columns(draft, read_draft(draft))
    own_id = uuid5(club.id, f"season {key}") if key else uuid4()
    with club_lock(club.id):
        season = Season.objects.filter(id=own_id).first()
        if season is None:
            season = Season.objects.create(id=own_id, club=club, slug=_free_slug(club, draft.name), **columns)
            mark_stale(club.id)
        elif any(getattr(season, name) != value for name, value in columns.items()):
            raise KeyReused(f"the idempotency key {key!r} was used for another season")
    return season


def change_season(season: Season, draft: SeasonDraft) -> Season:
    """Change a season to match a draft; whether it is published can always change.

    Raises OptionsRejected where the draft differs in what is frozen because the season has begun or is closed.
    """
    formula = read_draft(draft, stored=load_formula(season.formula))
    with club_lock(season.club_id):
        row = Season.objects.select_related("club").get(pk=season.pk)
        refuse_if(_frozen_problems(row, draft, formula), OptionsRejected)
        columns = _columns(draft, formula)
        changed = [name for name, value in columns.items() if getattr(row, name) != value]
        for name in changed:
            setattr(row, name, columns[name])
        row.save(update_fields=changed)
        mark_stale(row.club_id)
    return row


def _columns(draft: SeasonDraft, formula: Formula) -> dict[str, Any]:
    return {
        "name": draft.name.strip(),
        "is_published": draft.is_published,
        "starts_on": draft.starts_on,
        "ends_on": draft.ends_on,
        "formula": dump_formula(formula),
    }


def close_season(season: Season, *, now: datetime) -> Season:
    """Store a season's current standings as final. Raises EventNotAllowed with all that prevents it."""
    with club_lock(season.club_id):
        row = Season.objects.select_related("club").get(pk=season.pk)
        refuse_if(closing_problems(row, now=now), EventNotAllowed)
        table = SeasonTable.objects.get(season=row)
        row.closed_at, row.final, row.final_position = now, table.state, table.position
        row.final_digest = publication_digest(row)
        row.save(update_fields=["closed_at", "final", "final_position", "final_digest"])
    return row


def read_draft(draft: SeasonDraft, *, stored: Formula | None = None) -> Formula:
    """Parse the formula of a draft. Raises OptionsRejected with every problem of the draft.

    Games of the `stored` formula may stay, even if no longer offered: tournaments of them were played.
    """
    problems = name_problems(draft.name, "name", say("name"))
    problems += day_problems(draft.starts_on, "starts_on") + day_problems(draft.ends_on, "ends_on")
    if draft.ends_on < draft.starts_on:
        problems.append(Problem("out_of_range", say("a season cannot end before it starts"), field="ends_on"))
    elif draft.ends_on - draft.starts_on > LONGEST:
        detail = say("a season lasts at most {number} days", number=LONGEST.days)
        problems.append(Problem(code="out_of_range", field="ends_on", detail=detail))
    formula = Formula()
    try:
        formula = read_formula(draft.formula)
    except OptionsRejected as refused:
        problems += refused.problems
    refuse_if(problems + _unknown_games(formula, stored or Formula()), OptionsRejected)
    return formula


def has_begun(season: Season) -> bool:
    """Whether a deal was recorded in one of its tournaments, published or not, or one was imported.

    `season` must carry its club.
    """
    played = Standing.objects.filter(tournament__in=_tournaments_in(season), deals_played__gt=0).exists()
    return played or PastTournament.objects.filter(season=season.pk).exists()


def closing_problems(season: Season, *, now: datetime) -> list[Problem]:
    """Return the reasons why a season cannot be closed. `season` must carry its club."""
    if season.closed_at is not None:
        return [Problem(code="season_closed", detail=say("{name} is closed already", name=season.name))]
    problems = []
    if now.astimezone(zone_of(season.club.timezone)).date() < season.ends_on:
        last = Day(season.ends_on.isoformat())
        detail = say("{name} lasts until {day}: change its last day first", name=season.name, day=last)
        problems.append(Problem(code="season_goes_on", field="ends_on", detail=detail))
    # One that was never played is forgotten, one that is still to come on the last day is not.
    counts = Q(starts_at__gt=now) | Exists(Standing.objects.filter(tournament=OuterRef("pk"), deals_played__gt=0))
    missing = _tournaments_in(season).filter(counts, is_published=True, closed_at__isnull=True)
    for name in sorted(set(missing.values_list("name", flat=True))):
        problems.append(Problem(code="night_open", detail=say("{name} is not closed, and would be missing", name=name)))
    readings = ClubReadings.objects.filter(club_id=season.club_id).first()
    if readings is None or readings.is_behind or not SeasonTable.objects.filter(season=season).exists():
        detail = say("a tournament was closed or corrected just now and is not counted yet: try again in a moment")
        problems.append(Problem(code="readings_behind", detail=detail))
    return problems


def _frozen_problems(row: Season, draft: SeasonDraft, formula: Formula) -> list[Problem]:
    """Return the problems with changing what is frozen: players know the terms before they play."""
    if row.closed_at is not None:
        frozen_terms = (row.name, row.starts_on, row.ends_on, load_formula(row.formula))
        if frozen_terms == (draft.name.strip(), draft.starts_on, draft.ends_on, formula):
            return []
        return [Problem(code="season_closed", detail=say("{name} is closed, and stays as published", name=row.name))]
    if not has_begun(row):
        return []
    problems = []
    if formula != load_formula(row.formula):
        detail = say("the formula is locked: a tournament of this season has used it")
        problems.append(Problem(code="formula_frozen", field="formula", detail=detail))
    if draft.starts_on != row.starts_on:
        detail = say("the first day is locked: a tournament of this season has been played")
        problems.append(Problem(code="formula_frozen", field="starts_on", detail=detail))
    if draft.ends_on < row.ends_on and _plays_after(row, draft.ends_on):
        detail = say("a tournament after that day already counts in the season")
        problems.append(Problem(code="formula_frozen", field="ends_on", detail=detail))
    return problems


def _plays_after(season: Season, last: date) -> bool:
    later = Season(club=season.club, starts_on=last + timedelta(days=1), ends_on=season.ends_on)
    return has_begun(later) or PastTournament.objects.filter(season=season.pk, day__gt=last).exists()


def _tournaments_in(season: Season) -> QuerySet[Tournament]:
    """The tournaments that begin on a day of the season."""
    within = Tournament.objects.filter(club_id=season.club_id, is_cancelled=False, **days_of(season))
    return within.exclude(evening_sheet__is_rehearsal=True)


def games_no_longer_offered(formula: Formula) -> list[tuple[str, str]]:
    """Return what categories name and this service does not offer: `variant` or `preset`, and its name, each once."""
    games = [("variant", name) for category in formula.categories for name in category.variants if name not in VARIANTS]
    games += [("preset", name) for category in formula.categories for name in category.presets if name not in PRESETS]
    return list(dict.fromkeys(games))


def _unknown_games(formula: Formula, stored: Formula) -> list[Problem]:
    problems, dropped_games = [], games_no_longer_offered(stored)
    for category in formula.categories:
        own = games_no_longer_offered(Formula(categories=(category,)))
        unknown = [name for kind, name in own if (kind, name) not in dropped_games]
        if unknown:
            detail = say("{name}: there is no game {list}", name=category.name, list=", ".join(unknown))
            problems.append(Problem(code="not_a_choice", field="categories", detail=detail))
    return problems


def _free_slug(club: Club, name: str) -> str:
    """Return the first slug for this name that the club has not used for a season."""
    base_slug = slugify(name)[:60].rstrip("-") or "season"
    taken_slugs = set(Season.objects.filter(club=club, slug__startswith=base_slug).values_list("slug", flat=True))
    if base_slug not in taken_slugs:
        return base_slug
    return next(
        slug for number in range(2, len(taken_slugs) + 3) if (slug := f"{base_slug}-{number}") not in taken_slugs
    )
