"""Names of those who acted: people behind their sign-ins, tables behind their cards."""

from django.contrib.auth import get_user_model

from tournaments.models import TableToken


def actor_names(actors: set[str]) -> dict[str, str]:
    """Names of the people behind `user:ID` and of the cards behind `table:ID`; other actors keep their word."""
    said = [actor.partition(":") for actor in actors]
    users = get_user_model().objects.filter(pk__in=[int(number) for kind, _, number in said if kind == "user"])
    cards = TableToken.objects.filter(pk__in=[number for kind, _, number in said if kind == "table"])
    names = {f"user:{user.pk}": user.get_full_name() or user.get_username() for user in users}
    return names | {f"table:{card.pk}": f"Table card of {card.table}" for card in cards.select_related("table")}
