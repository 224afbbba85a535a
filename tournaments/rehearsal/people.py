"""The people of a rehearsal: the same names and numbers every time, so that a seed seats them the same way.

Rules: docs/rehearsal.md, section 2 (seeds). Knows nothing of tournaments.
"""

from collections.abc import Sequence
from uuid import UUID, uuid5

from scoring.problems import OptionsRejected, Problem
from tournaments.log.turns import club_turn
from tournaments.models import Club, Player
from tournaments.models.people import name_key
from tournaments.people.public_names import renew_public_names

SLUG = "rehearsal"
NAME = "Rehearsals"
NUMBERED = UUID("6f0c6a52-6a0e-5a0f-9a5c-5d2b8a6f3c11")
FIRST = (
    *("Asha", "Bo", "Cy", "Dev", "Esha", "Farid", "Gita", "Hari", "Isha", "Jay", "Kabir", "Leela", "Mohan", "Nina"),
    *("Om", "Priya", "Qasim", "Rani", "Samir", "Tara", "Uma", "Vikram", "Wahida", "Xavier", "Yash", "Zoya"),
)
LAST = ("Rao", "Iyer", "Khan", "Lobo", "Mehta", "Nair", "Patel", "Sen", "Das", "Jain")
MOST_PEOPLE = len(FIRST) * len(LAST)


def rehearsal_club() -> Club:
    """The club in which rehearsals are held unless another is named. Nothing of it is published."""
    club, _ = Club.objects.get_or_create(slug=SLUG, defaults={"name": NAME})
    return club


def rehearsal_players(club: Club, count: int) -> list[Player]:
    """So many people, those of earlier nights first; whoever is missing is added.

    Raises OptionsRejected in a club with players of its own: made-up people would stay in its lists for good.
    """
    _refuse_real_people(club)
    wanted = {uuid5(NUMBERED, f"{club.slug}:{number}"): _name(number) for number in range(count)}
    known = Player.objects.in_bulk(list(wanted))
    fresh = [
        Player(id=key, club=club, name=name, name_key=name_key(name))
        for key, name in wanted.items()
        if key not in known
    ]
    if fresh:
        with club_turn(club.id):
            Player.objects.bulk_create(fresh)
            renew_public_names(club.id)
    people = known | {player.id: player for player in fresh}
    return [people[key] for key in wanted]


def _refuse_real_people(club: Club) -> None:
    made_up = [uuid5(NUMBERED, f"{club.slug}:{number}") for number in range(MOST_PEOPLE)]
    real = Player.objects.filter(club=club).exclude(id__in=made_up).count()
    if real:
        people = "1 player of its own" if real == 1 else f"{real} players of its own"
        detail = f"{club.name} has {people}: made-up people would stay among them. Name a club made for it, or none"
        raise OptionsRejected([Problem(code="real_players", field="club", detail=detail)])


def names_of(players: Sequence[str]) -> tuple[str, ...]:
    """Who these are."""
    found = {str(key): name for key, name in Player.objects.filter(id__in=players).values_list("id", "name")}
    return tuple(found[player] for player in players)


def _name(number: int) -> str:
    return f"{FIRST[number % len(FIRST)]} {LAST[(number + number // len(FIRST)) % len(LAST)]}"
