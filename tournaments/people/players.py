"""Players of a club: added by name, told apart, shown under their public names, and named in refusals.

Pure checks know a player by id; this module adds the names to their problems.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import CharField, Max, Model, OuterRef, Subquery, Value
from django.db.models.functions import Cast, Concat
from django.utils.timezone import now
from django.utils.translation import gettext

from scoring.events.reading import NEVER_KEPT
from scoring.messages import Message, say
from scoring.problems import KeyReused, OptionsRejected, Problem, refuse_if
from tournaments.log.context import club_lock
from tournaments.models import ApiToken, Club, FormerActor, Player, Seat, Table, TableToken, Tournament
from tournaments.models.people import ERASED_NAME, Players, looks_key, name_key, same_words, search_key
from tournaments.models.public_names import TELLING_DIGITS, holds_contact, shown_name, telling_name
from tournaments.people.known_names import distinct_names, looks_taken
from tournaments.rendering.i18n.translating import spoken

# Actors of events that no person recorded: those of server commands, and those of the service itself.
PROGRAMS = ("command:", "system:")
# Who entered by themselves, with the id of what they sent.
BY_THEMSELVES = "self:"
MOST_NAME = 200
# How many letters of the id are appended to tell players apart: the first length that makes the name unique.
SUFFIX_LENGTHS = range(TELLING_DIGITS, 33)
# Letters, digits, punctuation and signs; and those of them that are invisible: Hangul fillers, empty braille.
SEEN = "LNPS"
FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# The mark after the name of a second player of that name, in the languages of the pages.
SOMEBODY_NEW = re.compile(r"(.+?) \((?:new|neu|नया|नई)\)", re.IGNORECASE)
# Columns that a merged row copies from the row it is merged into, and the columns they depend on.
NAMES = ("name", "name_key", "search_key", "public_name", "public_key", "public_search_key", "has_page")
CHOICE = ("id", *NAMES, "naming", "pseudonym", "merged_into", "merged_name")


def without_mark(name: str) -> tuple[str, bool]:
    """Return a name and whether it was marked as new: `Asha (new)` is not the Asha whom the club knows."""
    match = SOMEBODY_NEW.fullmatch(name)
    return (match[1], True) if match else (name, False)


def add_players(
    club: Club, names: Sequence[str], *, key: str = "", columns: Sequence[Mapping[str, Any]] | None = None
) -> list[Player]:
    """Add players by name, all or none. Empty lines are skipped; equal names are different people.

    `columns` are further columns of each, where no name is empty.

    The same names under the same key again return the players that were added then. Raises KeyReused for other names
    under that key.
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
    with club_lock(club.id):
        ids = _ids_by_key(club, key, cleaned) if key else [uuid4() for _ in cleaned]
        if key:
            first, last = (UUID(bytes=ids[0].bytes[:8] + rest * 8) for rest in (b"\x00", b"\xff"))
            before = {player.id: player for player in Player.objects.filter(club=club, id__range=(first, last))}
            if before and before.keys() != set(ids):
                raise KeyReused(f"the idempotency key {key!r} was used for another list")
            if before:
                return [before[player_id] for player_id in ids]
        stored_names = distinct_names(club.id, cleaned, now=now())
        added = [
            Player(id=player_id, club=club, name=name, **further)
            for player_id, name, further in zip(ids, stored_names, columns or [{}] * len(ids), strict=True)
        ]
        _set_distinct_public_names(club, added)
        return Player.objects.bulk_create(added)


def _ids_by_key(club: Club, key: str, names: Sequence[str]) -> list[UUID]:
    """Ids that begin with what the key gives and end with what the whole list gives.

    So what was added under a key is found without a row of its own, and another list is told from the same one again.
    """
    beginning = uuid5(club.id, key).bytes[:8]
    return [
        UUID(bytes=beginning + uuid5(club.id, "\n".join((key, str(index), *names))).bytes[8:])
        for index in range(len(names))
    ]


def _set_distinct_public_names(club: Club, added: Sequence[Player]) -> None:
    """Set public names of players to be added, with letters of the id where one looks like another player's.

    No other player's name changes, so in a large club only rows that would look the same are read.
    """
    for player in added:
        player.public_name = shown_name(player.name, club.naming)
    taken_looks = looks_taken(club.id, (player.public_name for player in added), column="public_key")
    alike = []
    for player in added:
        alike += [player] if looks_key(player.public_name) in taken_looks else []
        taken_looks.add(looks_key(player.public_name))
    for digits in SUFFIX_LENGTHS:
        if not alike:
            break
        candidates = {player: telling_name(player.public_name, player.id, digits) for player in alike}
        taken_looks |= looks_taken(club.id, candidates.values(), column="public_key")
        alike = []
        for player, name in candidates.items():
            if looks_key(name) in taken_looks:
                alike.append(player)
                continue
            player.public_name = name
            taken_looks.add(looks_key(name))


def likely_duplicates(club: Club, names: Sequence[str]) -> list[str]:
    """Names that the club already has or that are twice in the list, in any spelling: warned about, not refused."""
    times = Counter(map(same_words, names))
    rows = Player.objects.filter(club=club, erased_at__isnull=True).order_by()
    known_looks = {same_words(own or name) for name, own in rows.values_list("name", "merged_name")}
    spellings = [(name, same_words(name)) for name in names if name.strip()]
    return [name for name, words in spellings if words in known_looks or times[words] > 1]


def name_problems(name: str, field: str, where: str | Message) -> list[Problem]:
    """Problems with any name, at `field`; `where` says what it is the name of."""
    return list(_name_problems(name_faults(name), field, where))


def player_name_problems(name: str, field: str, where: str | Message) -> list[Problem]:
    """Problems with a player's name, or one that a player chose: every page shows it."""
    return list(_name_problems(player_name_faults(name), field, where))


def _name_problems(faults: Iterable[tuple[str, Message]], field: str, where: str | Message) -> Iterator[Problem]:
    for code, why in faults:
        yield Problem(code=code, field=field, detail=say("{what}: {why}", what=where, why=why))


def player_name_faults(name: str) -> Iterator[tuple[str, Message]]:
    """Faults of a player's name: as of any name, and it must not contain a phone number or an address."""
    yield from name_faults(name)
    if holds_contact(name):
        yield "contact_in_name", say("a name cannot hold a phone number or an e-mail address")


def name_faults(name: str) -> Iterator[tuple[str, Message]]:
    """Faults of a name: it must be text without control characters, fit, and be visible."""
    if not is_seen(name):
        yield "missing_name", say("a name is needed")
    elif len(name) > MOST_NAME:
        detail = say("a name has at most {most} characters, not {number}", most=MOST_NAME, number=len(name))
        yield "name_too_long", detail
    elif any(unicodedata.category(letter) in NEVER_KEPT for letter in name):
        yield "name_not_text", say("a name cannot hold control characters")


def is_seen(text: str) -> bool:
    """Whether a text has a letter, a digit or a sign: otherwise a board would show an empty line."""
    return any(unicodedata.category(sign)[0] in SEEN and sign not in FILLERS for sign in text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Players by the name shown in selection lists. Where two share a name, some letters of the id are appended."""

    by_label: Mapping[str, UUID]
    seated: frozenset[UUID]

    @property
    def free_labels(self) -> list[str]:
        """Names of players who sit at no table of the round, abandoned tables aside."""
        return [label for label, player in self.by_label.items() if player not in self.seated]


def roster(tournament: Tournament, round_number: int) -> Roster:
    """Every player who can be chosen, in two queries."""
    players = list(Player.objects.present().filter(club_id=tournament.club_id).values_list("id", "name"))
    times = Counter(looks_key(name) for _, name in players)
    labels = {telling_name(name, player) if times[looks_key(name)] > 1 else name: player for player, name in players}
    seated = Seat.objects.filter(table__tournament=tournament, table__round=round_number).exclude(
        table__scoresheet__is_cancelled=True
    )
    return Roster(by_label=labels, seated=frozenset(seated.values_list("player_id", flat=True)))


def next_table(tournament: Tournament) -> tuple[int, int]:
    """The round being seated and its first free table number."""
    last = Table.objects.filter(tournament=tournament).order_by("-round").values_list("round", flat=True).first() or 1
    highest = Table.objects.filter(tournament=tournament, round=last).aggregate(highest=Max("number"))["highest"]
    return last, (highest or 0) + 1


def actor_names(actors: set[str], club_id: UUID | None = None) -> dict[str, str]:
    """Names for the actors `user:ID` (users), `token:ID` (devices), `table:ID` and `table:ID:SEAT` (table cards).

    And for players who entered by themselves, for programs, and for logins, devices and cards that are gone. Other
    actors have none. A club that came from another installation brought the names of its logins there: one whose number
    another login has here has both names.
    """
    if not actors:
        return {}
    names = login_names(actors, club_id)
    player = Seat.objects.filter(table=OuterRef("table"), number=OuterRef("seat")).values("player__name")
    cards = TableToken.objects.filter(pk__in=_ids(actors, "table", TableToken)).annotate(holder=Subquery(player))
    programs = {actor: gettext("the server") for actor in actors if actor.startswith(PROGRAMS)}
    programs |= {actor: gettext("the player") for actor in actors if actor.startswith(BY_THEMSELVES)}
    of_card, of_seat = gettext("Table card of {table}"), gettext("{name}, card of {table}")
    holders = {
        f"table:{card.pk}:{card.seat}" if card.seat else f"table:{card.pk}": (
            of_seat.format(name=card.holder, table=spoken(card.table.called))
            if card.holder
            else of_card.format(table=spoken(card.table.called))
        )
        for card in cards.select_related("table")
    }
    gone = {"user": gettext("deleted login"), "token": gettext("deleted device link"), "table": gettext("table card")}
    nameless = {actor: gone[actor.partition(":")[0]] for actor in actors if actor.partition(":")[0] in gone}
    missing = nameless.keys() - names.keys() - holders.keys() if club_id else set()
    former = FormerActor.objects.filter(club=club_id, actor__in=missing) if missing else FormerActor.objects.none()
    return nameless | dict(former.values_list("actor", "name")) | names | programs | holders


def login_names(actors: Iterable[str], club_id: UUID | None = None) -> dict[str, str]:
    """Names of the logins and devices here among some actors."""
    same_number = FormerActor.objects.filter(
        club=club_id, actor=Concat(Value("user:"), Cast(OuterRef("pk"), CharField()))
    )
    users = get_user_model().objects.filter(pk__in=_ids(actors, "user", get_user_model()))
    names = {
        f"user:{user.pk}": " / ".join(filter(None, (user.former, user.get_full_name() or user.get_username())))
        for user in users.annotate(former=Subquery(same_number.values("name")[:1]))
    }
    tokens = ApiToken.objects.filter(pk__in=_ids(actors, "token", ApiToken)).values_list("pk", "name")
    return names | {f"token:{pk}": name for pk, name in tokens}


def _ids(actors: Iterable[str], kind: str, model: type[Model]) -> list[Any]:
    """The ids of all actors of a kind. An invalid id, in a row that someone changed, is returned unchanged."""
    actor_ids = []
    for of_kind, text, *_ in (actor.split(":", 2) for actor in actors if ":" in actor):
        with suppress(ValidationError):
            actor_ids += [model._meta.pk.to_python(text)] if of_kind == kind else []
    return actor_ids


def uuid_of(text: str) -> UUID | None:
    """Parse a UUID; None where the text is none."""
    try:
        return UUID(text)
    except ValueError:
        return None


def renew_public_names(club_id: UUID) -> int:
    """Recompute the public name of every player of a club; returns how many have changed.

    A row that was merged has the names of the row it is merged into, so that every page shows one person.
    """
    naming = Club.objects.values_list("naming", flat=True).get(id=club_id)
    living = Player.objects.filter(club_id=club_id, erased_at__isnull=True)
    rows = {player.id: player for player in living.order_by("created_at", "id").only(*CHOICE)}
    public_names = as_chosen(rows.values(), naming)
    changed = []
    for player in rows.values():
        kept_player = rows.get(player.merged_into_id, player) if player.merged_into_id else player
        public = public_names.get(kept_player.id, player.public_name)
        found_by = search_key(kept_player.name, player.merged_name)
        new_values = (
            *(kept_player.name, name_key(kept_player.name), found_by),
            *(public, name_key(public), search_key(public)),
            kept_player.has_page,
        )
        if player.public_name != public or (player is not kept_player and _names(player) != new_values):
            for column, value in zip(NAMES, new_values, strict=True):
                setattr(player, column, value)
            changed.append(player)
    Player.objects.bulk_update(changed, NAMES, batch_size=300)
    return len(changed)


def _names(player: Player) -> tuple[object, ...]:
    return tuple(getattr(player, column) for column in NAMES)


def as_chosen(players: Collection[Player], naming: str) -> dict[UUID, str]:
    """Public names by player, earlier players first: as the club shows all players, or as they have chosen.

    A choice that was made only for a merged row applies to the person.
    """
    merged = {player.merged_into_id: player for player in players if player.merged_into_id and player.naming}
    taken_looks: set[str] = set()
    names: dict[UUID, str] = {}
    for player in (player for player in players if player.merged_into_id is None):
        chosen = player if player.naming else merged.get(player.id, player)
        public_name = shown_name(player.name, chosen.naming or naming, chosen.pseudonym)
        if looks_key(public_name) in taken_looks:
            candidates = (telling_name(public_name, player.id, digits) for digits in SUFFIX_LENGTHS)
            public_name = next(name for name in candidates if looks_key(name) not in taken_looks)
        taken_looks.add(looks_key(public_name))
        names[player.id] = public_name
    return names


# Rows that were merged into another one: docs/decisions/0053-merged-players.md.


def merged_rows(club_id: UUID) -> dict[str, str]:
    """Every merged row of a club, with the row it is merged into."""
    rows = Player.objects.filter(club_id=club_id, merged_into__isnull=False).order_by()
    return {str(row): str(kept_row) for row, kept_row in rows.values_list("id", "merged_into")}


def rows_of(club_id: UUID, players: Iterable[str]) -> dict[str, str]:
    """All rows of some people, each with the row it is merged into, or itself."""
    merged = merged_rows(club_id)
    kept_rows = {merged.get(player, player) for player in players}
    return {kept_row: kept_row for kept_row in kept_rows} | {
        row: into for row, into in merged.items() if into in kept_rows
    }


def named(club_id: UUID, problems: Sequence[Problem]) -> list[Problem]:
    """Add the players' names to the messages of these problems, in one query."""
    names = {str(player): name for player, name in _players_in(club_id, problems).values_list("id", "name")}
    return [problem.named(names) for problem in problems]


def named_in_books(club_id: UUID, problems: Sequence[Problem]) -> list[Problem]:
    """The same for refusals about money alone: an erased player's own name while the club keeps it."""
    names = {str(player): name for player, name in _players_in(club_id, problems).names_in_books().items()}
    return [problem.named(names) for problem in problems]


def _players_in(club_id: UUID, problems: Sequence[Problem]) -> Players:
    ids = [player for problem in problems if (player := uuid_of(problem.seat or ""))]
    return Player.objects.filter(club_id=club_id, id__in=ids)


def as_in_books(club_id: UUID, names: Mapping[str, str]) -> Mapping[str, str]:
    """These names by player as the books have them, for what is about money alone; a query if anybody is erased."""
    erased = [player for player, name in names.items() if name == ERASED_NAME]
    if not erased:
        return names
    kept = Player.objects.filter(club_id=club_id, id__in=erased).names_in_books()
    return {**names, **{str(player): name for player, name in kept.items()}}
