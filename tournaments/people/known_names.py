"""Names of a club's players: finds players by name, exactly or nearly, and marks the second player of the same name.

Rules: docs/how-to/evening.md, "Enter players"; docs/how-to/publishing.md, "Names". A search ignores accents, capitals,
punctuation and word order, never digits: `Bo 2` is not `Bo 3`. Similarity is measured by RapidFuzz, among names with a
word that begins with the same letter: comparing 500 lines with 10,000 names leaves no time for more.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from scoring.json_text import holds_no_text
from tournaments.models import Club, Player
from tournaments.models.people import TO_LATIN, keys_alike, looks_key, name_key, same_words
from tournaments.models.public_names import MARKED, TELLING_DIGITS, NameSuffix, marked_name, marks_of
from tournaments.models.statements import places

SUFFIXED_NAME = re.compile(rf"(.+) \(([0-9a-f]{{{TELLING_DIGITS}}})\)")
# One letter in seven may differ: `Muhamed Khan` finds `Mohammed Khan`, `Esha` does not find `Asha`.
LEAST_LIKENESS = 84
MOST_OFFERED = 5
MARKS_AT_ONCE = 12
MARK = re.compile(r"\s*\([^()]*\)$")
Known = tuple[UUID, str]
_Row = tuple[UUID, str, str, bool, UUID | None, str]
_COLUMNS = ("id", "name", "name_key", "is_member", "merged_into", "merged_name")


@dataclass(frozen=True)
class KnownNames:
    """The players of a club by the name under which they are compared."""

    by_key: Mapping[str, Sequence[Known]]
    members: frozenset[UUID] = frozenset()
    # Merged rows, with the row they are merged into.
    merged: Mapping[UUID, UUID] = field(default_factory=dict)
    # Whether all players of the club are here: only then names are found that are nearly the same.
    is_whole: bool = True

    def found(self, name: str) -> Sequence[Known]:
        """The players who have this name; letters of the id after it tell players of the same name apart."""
        suffixed = SUFFIXED_NAME.fullmatch(name)
        if suffixed is not None:
            same = [
                player for player in self.by_key.get(name_key(suffixed[1]), ()) if player[0].hex.startswith(suffixed[2])
            ]
            if same:
                return same
        return self.by_key.get(name_key(name), ())

    def bearers(self, name: str) -> list[Known]:
        """All players of this name, including those with a mark after it."""
        bare = name_key(name)
        return [
            player
            for player in self.by_id.values()
            if name_key(((marked := MARKED.fullmatch(player[1])) and marked[1]) or player[1]) == bare
        ]

    def nearly(self, name: str) -> list[Known]:
        """Players who may be meant by an unknown name: typing mistakes first, then longer names that contain it."""
        looks = same_words(name)
        keys = dict.fromkeys((*self._alike(looks), *self._longer(looks.split())))
        return [player for key in keys for player in self._by_looks[key]][:MOST_OFFERED]

    def shorter(self, name: str) -> list[Known]:
        """Players whose whole name is a part of this one: `Asha Rao` may be the Asha whom the club knows."""
        words = same_words(name).split()
        shorter_names = dict.fromkeys(
            looks for word in words for looks in self._by_word.get(word, ()) if _holds(list(words), looks.split())
        )
        return [player for looks in shorter_names for player in self._by_looks[looks]][:MOST_OFFERED]

    @cached_property
    def by_id(self) -> Mapping[str, Known]:
        """All players by id, as text."""
        return {str(player[0]): player for players in self.by_key.values() for player in players}

    @cached_property
    def _by_looks(self) -> dict[str, list[Known]]:
        looks: dict[str, list[Known]] = {}
        for player in self.by_id.values():
            looks.setdefault(same_words(player[1]), []).append(player)
        return looks

    @cached_property
    def _by_initial(self) -> dict[tuple[str, str], list[str]]:
        """The names to compare, by the first letter of each word and by the digits in it."""
        names_by_initial: dict[tuple[str, str], list[str]] = {}
        for looks in self._by_looks:
            for initial in _initials(looks):
                names_by_initial.setdefault((initial, _digits(looks)), []).append(looks)
        return names_by_initial

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        words: dict[str, list[str]] = {}
        for looks in self._by_looks:
            for word in set(looks.split()):
                words.setdefault(word, []).append(looks)
        return words

    def _alike(self, looks: str) -> list[str]:
        if looks in self._by_looks:
            return [looks]
        from rapidfuzz import fuzz, process  # noqa: PLC0415 (workers, which look for no names, save its 7 MB)

        digits = _digits(looks)
        near = [
            scored_name
            for initial in _initials(looks)
            for scored_name in process.extract(
                looks,
                self._by_initial.get((initial, digits), ()),
                scorer=fuzz.ratio,
                score_cutoff=LEAST_LIKENESS,
                limit=MOST_OFFERED,
            )
        ]
        return [spelling for spelling, _, _ in sorted(near, key=lambda one: -one[1])]

    def _longer(self, words: Sequence[str]) -> Iterator[str]:
        """Names with all these words and more: `Asha` and `Asha R.` may be Asha Rao."""
        longest = max(words, key=len, default="")
        digits = _digits(" ".join(words))
        for looks in self._by_word.get(longest, ()) if len(longest) > 1 else ():
            if _digits(looks) == digits and _holds(looks.split(), words):
                yield looks


def known_names(club: Club) -> KnownNames:
    """Every player of a club who can be chosen, in one query; a merged row stands for the row it is merged into."""
    rows = Player.objects.filter(club=club, erased_at__isnull=True)
    return _known_from(rows.values_list(*_COLUMNS), is_whole=True)


def known_by_name(club: Club, names: Iterable[str], players: Iterable[str] = ()) -> KnownNames:
    """Those of them who have one of these names exactly, or are one of these players: in two or three queries.

    However many players the club has, only these and its merged rows are read.
    """
    # A database cannot be asked for what is no text; whoever asks refuses such a name.
    storable_names = [name for name in names if not holds_no_text(name)]
    storable_names += [suffixed[1] for name in storable_names if (suffixed := SUFFIXED_NAME.fullmatch(name))]
    here = Player.objects.filter(club=club, erased_at__isnull=True).order_by()
    rows = [
        *here.filter(merged_into__isnull=True, name_key__in={name_key(name) for name in storable_names}).values_list(
            *_COLUMNS
        ),
        *here.filter(merged_into__isnull=False).values_list(*_COLUMNS),
    ]
    # The club is compared here: as part of the question SQLite would go through all of it.
    if chosen := set(players):
        others = Player.objects.filter(id__in=chosen, erased_at__isnull=True).order_by()
        rows += [tuple(row) for *row, club_id in others.values_list(*_COLUMNS, "club_id") if club_id == club.pk]
    return _known_from(rows, is_whole=False)


def _known_from(rows: Iterable[_Row], *, is_whole: bool) -> KnownNames:
    by_key: dict[str, list[Known]] = {}
    members: set[UUID] = set()
    merged: dict[UUID, UUID] = {}
    for player, name, key, is_member, kept_id, own in rows:
        namesakes = by_key.setdefault(name_key(own) if kept_id else key, [])
        if (bearer := (kept_id or player, name)) not in namesakes:
            namesakes.append(bearer)
        members |= {player} if is_member and not kept_id else set()
        merged |= {player: kept_id} if kept_id else {}
    return KnownNames(by_key, frozenset(members), merged, is_whole)


def _holds(known: list[str], words: Sequence[str]) -> bool:
    """Whether a longer name has a word for each of these: the word itself, or one that begins with an initial."""
    unused_words = list(known)
    for word in sorted(words, key=len, reverse=True):
        matching_word = next(
            (
                known_word
                for known_word in unused_words
                if known_word == word or (len(word) == 1 and known_word.startswith(word))
            ),
            None,
        )
        if matching_word is None:
            return False
        unused_words.remove(matching_word)
    return True


def _initials(looks: str) -> set[str]:
    return {word[0] for word in looks.split()}


def _digits(looks: str) -> str:
    return "".join(filter(str.isdigit, looks))


# Players who share a name: the second one gets a mark after the name, as the club chooses. From then on the mark is
# part of the name, and a later choice of the club changes no existing name. Letters of an id are not stored in names.


class Doubts(NamedTuple):
    """Which of some players are suspended, and which share a name with another of them, marks aside."""

    suspended: frozenset[str]
    alike: frozenset[str]


def doubts_about(club_id: UUID, players: Iterable[str]) -> Doubts:
    """Which players must not be seated without asking first, in one query."""
    rows = Player.objects.filter(club_id=club_id, id__in=[UUID(player) for player in players])
    player_rows = [
        (str(player_id), same_words(MARK.sub("", key)), is_out)
        for player_id, key, is_out in rows.values_list("id", "name_key", "is_suspended")
    ]
    times = Counter(key for _, key, _ in player_rows)
    return Doubts(
        suspended=frozenset(player_id for player_id, _, is_out in player_rows if is_out),
        alike=frozenset(player_id for player_id, key, _ in player_rows if times[key] > 1),
    )


def distinct_names(club_id: UUID, names: Sequence[str], *, now: datetime, but: UUID | None = None) -> list[str]:
    """Return the names as they are to be stored: one query if all are free. `but` is a player whose name is ignored.

    Call with the club's lock held: two requests that add the same name must not both find it free.
    """
    keys = {looks_key(name) for name in names}
    taken_looks = looks_taken(club_id, names, but=but)
    if not taken_looks and len(keys) == len(names):
        return list(names)
    telling = Club.objects.values_list("telling", flat=True).get(id=club_id)
    if telling == NameSuffix.LETTERS:
        return list(names)
    marks = [*islice(marks_of(telling, now.year), MARKS_AT_ONCE)]
    taken_looks |= looks_taken(club_id, (marked_name(name, mark) for name in names for mark in marks), but=but)

    def is_taken(name: str) -> bool:
        return bool(looks_taken(club_id, [name], but=but))

    free_names = []
    for name in names:
        free = (
            name
            if looks_key(name) not in taken_looks
            else _marked(name, marks_of(telling, now.year), is_taken, taken_looks)
        )
        taken_looks.add(looks_key(free))
        free_names.append(free)
    return free_names


def _marked(name: str, marks: Iterator[str], is_taken: Callable[[str], bool], taken: set[str]) -> str:
    """The name with the first unused mark. For the first dozen the caller knows which are used."""
    return next(
        free
        for number, free in enumerate(marked_name(name, mark) for mark in marks)
        if looks_key(free) not in taken and (number < MARKS_AT_ONCE or not is_taken(free))
    )


_KEYS = """
SELECT {0} FROM tournaments_player
WHERE club_id = %s AND {0} IN ({1}) AND erased_at IS NULL AND merged_into_id IS NULL"""


def looks_taken(club_id: UUID, names: Iterable[str], *, but: UUID | None = None, column: str = "name_key") -> set[str]:
    """Return the looks of those of these names that another player of the club has, or is shown under.

    `column` is the key of the names, or of the public names. One plain statement, because each list of players asks
    it; no query without names.
    """
    keys = sorted(keys_alike(names))
    if not keys:
        return set()
    others, parameters = (" AND id <> %s", [but]) if but else ("", [])
    with connection.cursor() as cursor:
        cursor.execute(_KEYS.format(column, places(keys)) + others, [club_id, *keys, *parameters])
        return {key.translate(TO_LATIN) for (key,) in cursor.fetchall()}
