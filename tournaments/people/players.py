"""Adds players by name, and says what is wrong with a name."""

import re
import unicodedata
from collections.abc import Sequence

from scoring.facts.wire import NEVER_KEPT
from scoring.problems import OptionsRejected, Problem, refuse_if
from tournaments.log.turns import club_turn
from tournaments.models import Club, Player
from tournaments.models.people import name_key
from tournaments.people.public_names import renew_public_names

MOST_NAME = 200
# Letters, digits, punctuation and signs; and those of them that are drawn as nothing: Hangul fillers, empty braille.
SEEN = "LNPS"
FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")

# The mark behind the name of a namesake, in the languages that pages speak.
SOMEBODY_NEW = re.compile(r"(.+?) \((?:new|neu|नया|नई)\)", re.IGNORECASE)


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


def name_problems(name: str, where: str) -> list[Problem]:
    """A name is some text, without control characters, that fits and of which something can be seen."""
    if not is_seen(name):
        return [Problem(code="missing_name", field=where, detail=f"{where}: a name is needed")]
    if len(name) > MOST_NAME:
        detail = f"{where}: a name has at most {MOST_NAME} characters, not {len(name)}"
        return [Problem(code="name_too_long", field=where, detail=detail)]
    if any(unicodedata.category(letter) in NEVER_KEPT for letter in name):
        detail = f"{where}: a name cannot hold control characters"
        return [Problem(code="name_not_text", field=where, detail=detail)]
    return []


def is_seen(text: str) -> bool:
    """Whether a letter, a digit or a sign stands in a text: of a name without one a board shows an empty line."""
    return any(unicodedata.category(sign)[0] in SEEN and sign not in FILLERS for sign in text)
