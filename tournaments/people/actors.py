"""Names of those who acted: people behind their sign-ins, tables behind their cards."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import Model

from tournaments.models import TableToken


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
