"""Setting up: tournaments from presets, players by name, and forgetting a player who asks for it."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.utils.text import slugify

from scoring.rules.events import NEVER_KEPT
from scoring.rules.forms import Variant
from scoring.rules.problems import OptionsRejected, Problem, refuse_if
from scoring.rules.variants import PRESETS, VARIANTS, play_problems
from scoring.settlement.locales import currency_problems
from tournaments import log
from tournaments.commands.calendar import moment_problems
from tournaments.commands.closing import open_stream_of
from tournaments.commands.drafting import forget_in_drafts
from tournaments.commands.orders import Order
from tournaments.commands.public_names import renew_public_names
from tournaments.commands.stakes import stakes_of
from tournaments.commands.steering import forget_on_screens
from tournaments.commands.turns import club_turn
from tournaments.models import Club, EventNote, Player, Table, Tournament
from tournaments.models.people import name_key

MOST_NAME = 200
ERASED_NAME = "Erased player"
# What is left of a player in the row of one who was erased.
FORGOTTEN = {
    "name": ERASED_NAME,
    "name_key": name_key(ERASED_NAME),
    "note": "",
    "is_member": False,
    "public_name": ERASED_NAME,
    "public_key": name_key(ERASED_NAME),
    "has_page": False,
    "naming": "",
    "pseudonym": "",
}

# The mark behind the name of a namesake, in the languages that pages speak.
SOMEBODY_NEW = re.compile(r"(.+?) \((?:new|neu|नया|नई)\)", re.IGNORECASE)


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


def without_mark(name: str) -> tuple[str, bool]:
    """A name, and whether it was marked as somebody new: `Asha (new)` is not the Asha whom the club knows."""
    found = SOMEBODY_NEW.fullmatch(name)
    return (found[1], True) if found else (name, False)


def add_players(club: Club, names: Sequence[str]) -> list[Player]:
    """Add players by name, all or none. Empty lines are passed over; equal names are different people."""
    cleaned = [without_mark(" ".join(name.split()))[0] for name in names if name.strip()]
    problems = [
        problem for index, name in enumerate(cleaned, start=1) for problem in name_problems(name, f"line {index}")
    ]
    refuse_if(problems, OptionsRejected)
    if not cleaned:
        return []
    with club_turn(club.id):
        added = Player.objects.bulk_create(Player(club=club, name=name, name_key=name_key(name)) for name in cleaned)
        renew_public_names(club.id)
    return added


def likely_duplicates(club: Club, names: Sequence[str]) -> list[str]:
    """Names that the club knows already or that come twice in the list: to be warned about, not refused."""
    keys = [name_key(name) for name in names if name.strip()]
    known = set(Player.objects.filter(club=club, name_key__in=keys).values_list("name_key", flat=True))
    return [name for name in names if name.strip() and (name_key(name) in known or keys.count(name_key(name)) > 1)]


def erase_player(player: Player, *, now: datetime) -> None:
    """Forget who a player was. Scores, money and every hash stay: they know a player by number only.

    Free text of the club that mentions any part of the name goes as well: rather a reason too many than a name left.
    """
    names = [name for name in (player.name, player.pseudonym) if name]
    with club_turn(player.club_id):
        Player.objects.filter(id=player.id).update(**FORGOTTEN, erased_at=now)
        renew_public_names(player.club_id)
        forget_in_drafts(player)
        notes = EventNote.objects.filter(event__club=player.club_id).values_list("event__position", "text")
        log.erase_notes(player.club_id, [position for position, text in notes if _mention_any(text, names)])
        _forget_at_tables(player.club_id, names)
        forget_on_screens(player.club_id, lambda text: _mention_any(text, names))
        of_player = LogEntry.objects.filter(content_type__app_label="tournaments", content_type__model="player")
        of_player.filter(object_id=str(player.id)).update(object_repr=ERASED_NAME, change_message="")


def _forget_at_tables(club_id: UUID, names: Sequence[str]) -> None:
    """A table that is called after somebody has its number only, as its note in the log is gone."""
    called = Table.objects.filter(tournament__club=club_id).exclude(name="").values_list("id", "name")
    Table.objects.filter(id__in=[table for table, name in called if _mention_any(name, names)]).update(name="")


def house_options(draft: TournamentDraft) -> dict[str, Any]:
    """A draft's options over those of its preset, where there is one that this service knows."""
    preset = PRESETS[draft.preset][1].options if draft.preset in PRESETS else {}
    return {**preset, **draft.options}


def _played(draft: TournamentDraft) -> tuple[Variant, dict[str, Any]]:
    """The game and its house options: that of a preset, or a game that is named by itself."""
    rules = PRESETS[draft.preset][0] if draft.preset in PRESETS else VARIANTS[draft.variant]
    return rules, house_options(draft)


def _mention_any(text: str, names: Sequence[str]) -> bool:
    return any(_mentions(text, name) for name in names)


def _mentions(text: str, name: str) -> bool:
    """Whether a text has a word of the name or, where a script may do without blanks, the name at any place."""
    if _words(text) & _words(name):
        return True
    whole = "".join(name_key(name).split())
    return not whole.isascii() and whole in "".join(name_key(text).split())


def _words(text: str) -> set[str]:
    """The words of a text as names are compared; single letters say nothing."""
    return {word for word in re.findall(r"\w+", name_key(text)) if len(word) > 1}


def name_problems(name: str, where: str) -> list[Problem]:
    """A name is some text, without control characters, that fits."""
    if not name.strip():
        return [Problem(code="missing_name", field=where, detail=f"{where}: a name is needed")]
    if len(name) > MOST_NAME:
        detail = f"{where}: a name has at most {MOST_NAME} characters, not {len(name)}"
        return [Problem(code="name_too_long", field=where, detail=detail)]
    if any(unicodedata.category(letter) in NEVER_KEPT for letter in name):
        detail = f"{where}: a name cannot hold control characters"
        return [Problem(code="name_not_text", field=where, detail=detail)]
    return []


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
