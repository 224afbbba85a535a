"""Refusals that name players: a pure check knows a player by number, and whoever is refused by name."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import Model

from scoring.problems import Problem
from tournaments.models import Club, Player, TableToken
from tournaments.models.people import name_key
from tournaments.models.public_names import TELLING_DIGITS, shown_name, telling_name

# Names of those who acted: people behind their sign-ins, tables behind their cards.


def actor_names(actors: set[str]) -> dict[str, str]:
    """Names of the people behind `user:ID` and of the cards behind `table:ID`; other actors keep their word."""
    said = [actor.partition(":") for actor in actors]
    users = get_user_model().objects.filter(pk__in=_ids(said, "user", get_user_model()))
    cards = TableToken.objects.filter(pk__in=_ids(said, "table", TableToken))
    names = {f"user:{user.pk}": user.get_full_name() or user.get_username() for user in users}
    return names | {f"table:{card.pk}": f"Table card of {card.table}" for card in cards.select_related("table")}


def _ids(said: Iterable[tuple[str, str, str]], kind: str, model: type[Model]) -> list[Any]:
    """The ids behind actors of a kind. What is none, in a row that somebody changed, stays the word that it is."""
    found = []
    for of_kind, _, text in said:
        with suppress(ValidationError):
            found += [model._meta.pk.to_python(text)] if of_kind == kind else []
    return found


# Ids as they come in texts: of facts, of accounts of the books, of addresses.


def uuid_of(text: str) -> UUID | None:
    """The id that a text writes; None where it writes none."""
    try:
        return UUID(text)
    except ValueError:
        return None


# The names that the public reads, brought up to date in a club: as chosen, and no two alike.


MOST_DIGITS = 32


CHOICE = ("id", "name", "naming", "pseudonym", "public_name")


def renew_public_names(club_id: UUID) -> int:
    """Every player of a club under the name that follows from the choices; says how many have another one now."""
    naming = Club.objects.values_list("naming", flat=True).get(id=club_id)
    living = Player.objects.filter(club_id=club_id, erased_at__isnull=True)
    players = list(living.order_by("created_at", "id").only(*CHOICE))
    changed = []
    for player, shown in zip(players, as_chosen(players, naming).values(), strict=True):
        if player.public_name != shown:
            player.public_name, player.public_key = shown, name_key(shown)
            changed.append(player)
    Player.objects.bulk_update(changed, ("public_name", "public_key"), batch_size=300)
    return len(changed)


def as_chosen(players: Iterable[Player], naming: str) -> dict[UUID, str]:
    """What the public reads of each player, who came first first: as the club shows everybody, or they have chosen."""
    taken: set[str] = set()
    names: dict[UUID, str] = {}
    for player in players:
        shown = shown_name(player.name, player.naming or naming, player.pseudonym)
        if name_key(shown) in taken:
            told = (telling_name(shown, player.id, digits) for digits in range(TELLING_DIGITS, MOST_DIGITS + 1))
            shown = next(name for name in told if name_key(name) not in taken)
        taken.add(name_key(shown))
        names[player.id] = shown
    return names


# Refusals that name players: a pure check knows a player by number, and whoever is refused by name.


def named(club_id: UUID, problems: Sequence[Problem]) -> list[Problem]:
    """The same problems with the players' names in their sentences, in one query."""
    ids = [player for problem in problems if (player := uuid_of(problem.seat or ""))]
    names: Mapping[str, str] = {
        str(player): name
        for player, name in Player.objects.filter(club_id=club_id, id__in=ids).values_list("id", "name")
    }
    return [problem.named(names) for problem in problems]
