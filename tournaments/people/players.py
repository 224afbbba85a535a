"""Players of a club: added by name, told apart, shown as the public reads them, and named in refusals.

A pure check knows a player by number; whoever is refused is named here.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import Max, Model, OuterRef, Subquery
from django.utils.timezone import now
from django.utils.translation import gettext

from scoring.facts.reading import NEVER_KEPT
from scoring.messages import Message, say
from scoring.problems import OptionsRejected, Problem, refuse_if
from tournaments.log.context import club_turn
from tournaments.models import Club, Player, Seat, Table, TableToken, Tournament
from tournaments.models.people import name_key
from tournaments.models.public_names import TELLING_DIGITS, shown_name, telling_name
from tournaments.people.contacts import holds_contact
from tournaments.people.namesakes import told_apart

# Actors of facts that no person recorded: what a command of the server wrote, and what the service did by itself.
PROGRAMS = ("command:", "system:")
MOST_NAME = 200
MOST_DIGITS = 32
# Letters, digits, punctuation and signs; and those of them that are drawn as nothing: Hangul fillers, empty braille.
SEEN = "LNPS"
FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# The mark behind the name of a namesake, in the languages that pages speak.
SOMEBODY_NEW = re.compile(r"(.+?) \((?:new|neu|नया|नई)\)", re.IGNORECASE)
CHOICE = ("id", "name", "naming", "pseudonym", "public_name")


def without_mark(name: str) -> tuple[str, bool]:
    """A name, and whether it was marked as somebody new: `Asha (new)` is not the Asha whom the club knows."""
    found = SOMEBODY_NEW.fullmatch(name)
    return (found[1], True) if found else (name, False)


def add_players(club: Club, names: Sequence[str], *, key: str = "") -> list[Player]:
    """Add players by name, all or none. Empty lines are passed over; equal names are different people.

    The same names under the same key again are the players that were added then.
    """
    cleaned = [without_mark(" ".join(name.split()))[0] for name in names if name.strip()]
    problems = [
        problem
        for index, name in enumerate(cleaned, start=1)
        for problem in player_name_problems(name, f"line {index}", say("line {number}", number=index))
    ]
    refuse_if(problems, OptionsRejected)
    if not cleaned:
        return []
    with club_turn(club.id):
        ids = [uuid5(club.id, f"{key} {index} {name}") if key else uuid4() for index, name in enumerate(cleaned)]
        before = Player.objects.in_bulk(ids) if key else {}
        if before:
            return [before[one] for one in ids if one in before]
        called = told_apart(club.id, cleaned, now=now())
        added = Player.objects.bulk_create(
            Player(id=one, club=club, name=name, name_key=name_key(name)) for one, name in zip(ids, called, strict=True)
        )
        renew_public_names(club.id)
    return added


def rename_player(player: Player) -> None:
    """Store a player under another name, told from everybody else's; and what is shown of all, in one turn."""
    with club_turn(player.club_id):
        (player.name,) = told_apart(player.club_id, [player.name], now=now(), but=player.id)
        player.save()
        renew_public_names(player.club_id)


def likely_duplicates(club: Club, names: Sequence[str]) -> list[str]:
    """Names that the club knows already or that come twice in the list: to be warned about, not refused."""
    keys = [name_key(name) for name in names if name.strip()]
    known = set(Player.objects.filter(club=club, name_key__in=keys).values_list("name_key", flat=True))
    return [name for name in names if name.strip() and (name_key(name) in known or keys.count(name_key(name)) > 1)]


def name_problems(name: str, field: str, where: str | Message) -> list[Problem]:
    """What is wrong with the name of anything, and where it stands."""
    return list(_told(name_faults(name), field, where))


def player_name_problems(name: str, field: str, where: str | Message) -> list[Problem]:
    """The same of a player's name, or of one that a player chose: every page shows it."""
    return list(_told(player_name_faults(name), field, where))


def _told(faults: Iterable[tuple[str, Message]], field: str, where: str | Message) -> Iterator[Problem]:
    for code, why in faults:
        yield Problem(code=code, field=field, detail=say("{what}: {why}", what=where, why=why))


def player_name_faults(name: str) -> Iterator[tuple[str, Message]]:
    """As any name, and nobody can be called or written to by it."""
    yield from name_faults(name)
    if holds_contact(name):
        yield "contact_in_name", say("a name cannot hold a phone number or an e-mail address")


def name_faults(name: str) -> Iterator[tuple[str, Message]]:
    """A name is some text, without control characters, that fits and of which something can be seen."""
    if not is_seen(name):
        yield "missing_name", say("a name is needed")
    elif len(name) > MOST_NAME:
        detail = say("a name has at most {most} characters, not {number}", most=MOST_NAME, number=len(name))
        yield "name_too_long", detail
    elif any(unicodedata.category(letter) in NEVER_KEPT for letter in name):
        yield "name_not_text", say("a name cannot hold control characters")


def is_seen(text: str) -> bool:
    """Whether a letter, a digit or a sign stands in a text: of a name without one a board shows an empty line."""
    return any(unicodedata.category(sign)[0] in SEEN and sign not in FILLERS for sign in text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Players by the name they are picked by. Where two share a name, some letters of the id follow it."""

    by_label: Mapping[str, UUID]
    seated: frozenset[UUID]

    @property
    def free_labels(self) -> list[str]:
        """Names of players who sit at no table of the round, given up ones apart."""
        return [label for label, player in self.by_label.items() if player not in self.seated]


def roster(tournament: Tournament, round_number: int) -> Roster:
    """Everybody who has not been erased, in two queries."""
    rows = Player.objects.filter(club_id=tournament.club_id, erased_at__isnull=True)
    players = list(rows.values_list("id", "name"))
    times = Counter(name for _, name in players)
    labels = {telling_name(name, player) if times[name] > 1 else name: player for player, name in players}
    seated = Seat.objects.filter(table__tournament=tournament, table__round=round_number).exclude(
        table__scoresheet__is_cancelled=True
    )
    return Roster(by_label=labels, seated=frozenset(seated.values_list("player_id", flat=True)))


def next_table(tournament: Tournament) -> tuple[int, int]:
    """The round that is being seated and the first number free in it."""
    last = Table.objects.filter(tournament=tournament).order_by("-round").values_list("round", flat=True).first() or 1
    highest = Table.objects.filter(tournament=tournament, round=last).aggregate(highest=Max("number"))["highest"]
    return last, (highest or 0) + 1


def actor_names(actors: set[str]) -> dict[str, str]:
    """Names of the people behind `user:ID`, of the cards behind `table:ID` or `table:ID:SEAT` and of programs.

    Others keep their word.
    """
    said = [actor.split(":", 2) for actor in actors]
    users = get_user_model().objects.filter(pk__in=_ids(said, "user", get_user_model()))
    player = Seat.objects.filter(table=OuterRef("table"), number=OuterRef("seat")).values("player__name")
    cards = TableToken.objects.filter(pk__in=_ids(said, "table", TableToken)).annotate(holder=Subquery(player))
    names = {f"user:{user.pk}": user.get_full_name() or user.get_username() for user in users}
    programs = {actor: gettext("the server") for actor in actors if actor.startswith(PROGRAMS)}
    of_card, of_seat = gettext("Table card of {table}"), gettext("{name}, card of {table}")
    holders = {
        f"table:{card.pk}:{card.seat}" if card.seat else f"table:{card.pk}": (
            of_seat.format(name=card.holder, table=card.table) if card.holder else of_card.format(table=card.table)
        )
        for card in cards.select_related("table")
    }
    return names | programs | holders


def _ids(said: Iterable[list[str]], kind: str, model: type[Model]) -> list[Any]:
    """The ids behind actors of a kind. What is none, in a row that somebody changed, stays the word that it is."""
    found = []
    for of_kind, text, *_ in said:
        with suppress(ValidationError):
            found += [model._meta.pk.to_python(text)] if of_kind == kind else []
    return found


def uuid_of(text: str) -> UUID | None:
    """The id that a text writes; None where it writes none."""
    try:
        return UUID(text)
    except ValueError:
        return None


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


def named(club_id: UUID, problems: Sequence[Problem]) -> list[Problem]:
    """The same problems with the players' names in their sentences, in one query."""
    ids = [player for problem in problems if (player := uuid_of(problem.seat or ""))]
    names: Mapping[str, str] = {
        str(player): name
        for player, name in Player.objects.filter(club_id=club_id, id__in=ids).values_list("id", "name")
    }
    return [problem.named(names) for problem in problems]
