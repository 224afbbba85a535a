"""Creates tournaments from presets, with their own streams."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.utils.text import slugify

from scoring.money.locales import currency_problems
from scoring.problems import OptionsRejected, Problem, refuse_if
from scoring.rules.table.variant import Variant
from scoring.rules.variants import PRESETS, VARIANTS, play_problems
from tournaments.books.stakes import stakes_of
from tournaments.calendar import moment_problems
from tournaments.evenings.commands.close import open_stream_of
from tournaments.log.context import Order
from tournaments.log.turns import club_turn
from tournaments.models import Club, Tournament
from tournaments.people.players import name_problems


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentDraft:
    """What a director fills in. `options` are house options over those of the preset.

    Where no preset fits, `preset` is empty and `variant` names the game with the options that it has by itself. Without
    a currency it is played for the club's: `in_currency_of` says which.
    """

    name: str
    preset: str
    starts_at: datetime
    variant: str = ""
    currency: str = ""
    entry_minor: int = 0
    fee_bp: int = 0
    fee_floor_minor: int = 0
    fee_cap_minor: int | None = None
    levy_bp: int = 0
    levy_name: str = "levy"
    levy_on: str = "gross"
    point_value_minor: int = 0
    is_published: bool = True
    options: dict[str, Any] = field(default_factory=dict)


def create_tournament(club: Club, draft: TournamentDraft, *, order: Order) -> Tournament:
    """A tournament from a preset, with its own stream. Raises OptionsRejected with every problem."""
    draft = in_currency_of(club, draft)
    refuse_if(draft_problems(draft), OptionsRejected)
    rules, options = _played(draft)
    with club_turn(club.id):
        tournament = Tournament.objects.create(
            club=club,
            slug=_free_slug(club, draft.name),
            name=draft.name.strip(),
            preset=draft.preset,
            variant=rules.name,
            options=options,
            starts_at=draft.starts_at,
            is_published=draft.is_published,
            **stakes_of(draft),
        )
        open_stream_of(tournament, order=order)
    return tournament


def in_currency_of(club: Club, draft: TournamentDraft) -> TournamentDraft:
    """A draft that says what it is played for."""
    return draft if draft.currency else replace(draft, currency=club.currency)


def draft_problems(draft: TournamentDraft, *, kept: Tournament | None = None) -> list[Problem]:
    """Everything that keeps a draft from becoming a tournament.

    Currency and preset of a tournament that is `kept` are not asked for: they may be known no longer.
    """
    problems = name_problems(draft.name, "name") + moment_problems(draft.starts_at, "starts_at")
    is_bare = draft.preset in ("", kept.preset if kept else "") and draft.variant in VARIANTS
    if draft.preset not in PRESETS and not is_bare:
        detail = f"there is no preset {draft.preset!r}; this service knows {', '.join(PRESETS)}"
        return [*problems, Problem(code="unknown_preset", field="preset", detail=detail)]
    rules, options = _played(draft)
    if kept is None or draft.currency != kept.currency:
        problems += currency_problems(draft.currency)
    return problems + play_problems(rules.name, options=options, stakes=stakes_of(draft))


def house_options(draft: TournamentDraft) -> dict[str, Any]:
    """A draft's options over those of its preset, where there is one that this service knows."""
    preset = PRESETS[draft.preset][1].options if draft.preset in PRESETS else {}
    return {**preset, **draft.options}


def _played(draft: TournamentDraft) -> tuple[Variant, dict[str, Any]]:
    """The game and its house options: that of a preset, or a game that is named by itself."""
    rules = PRESETS[draft.preset][0] if draft.preset in PRESETS else VARIANTS[draft.variant]
    return rules, house_options(draft)


def _free_slug(club: Club, name: str) -> str:
    """The first address of this name that the club has not used; names in any script get a plain one."""
    wanted = slugify(name)[:60].rstrip("-") or "tournament"
    taken = set(Tournament.objects.filter(club=club, slug__startswith=wanted).values_list("slug", flat=True))
    number = 1
    slug = wanted
    while slug in taken:
        number += 1
        slug = f"{wanted}-{number}"
    return slug
