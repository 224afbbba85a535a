"""The players of a club by their names: who bears one, and who might be meant by one that nobody bears.

Rules: docs/how-to/evening.md, "Enter players". Accents, capitals, signs and the order of words do not tell two names
apart here, digits always do: `Bo 2` is never taken for `Bo 3`. Likeness is measured by RapidFuzz, among names of which
a word begins with the same letter: that is all that 500 lines against 10,000 names leave time for.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID

from rapidfuzz import fuzz, process

from tournaments.models import Club, Player
from tournaments.models.people import folded, name_key
from tournaments.models.public_names import MARKED, TELLING_DIGITS

TOLD_APART = re.compile(rf"(.+) \(([0-9a-f]{{{TELLING_DIGITS}}})\)")
# One letter in seven may differ: `Mohammed Khan` is found by `Muhamed Khan`, `Esha` is not by `Asha`.
LEAST_LIKENESS = 84
MOST_OFFERED = 5
NOT_IN_ASCII_WORDS = re.compile(r"[\x00-/:-@\[-`{-\x7f]+")
Known = tuple[UUID, str]
_COLUMNS = ("id", "name", "name_key", "is_member", "merged_into", "merged_name")


@dataclass(frozen=True)
class KnownNames:
    """The players of a club by the name as it is compared."""

    by_key: Mapping[str, Sequence[Known]]
    members: frozenset[UUID] = frozenset()
    # Rows that were merged, with the one that stays.
    merged: Mapping[UUID, UUID] = field(default_factory=dict)

    def found(self, name: str) -> Sequence[Known]:
        """Whoever bears this name; letters of the id behind it tell two of one name apart."""
        told = TOLD_APART.fullmatch(name)
        if told is not None:
            same = [one for one in self.by_key.get(name_key(told[1]), ()) if one[0].hex.startswith(told[2])]
            if same:
                return same
        return self.by_key.get(name_key(name), ())

    def bearers(self, name: str) -> list[Known]:
        """Everybody of this name, those with a mark behind it too."""
        bare = name_key(name)
        return [
            one
            for one in self.by_id.values()
            if name_key(((marked := MARKED.fullmatch(one[1])) and marked[1]) or one[1]) == bare
        ]

    def nearly(self, name: str) -> list[Known]:
        """Who might be meant by a name that nobody bears: slips of the pen first, then longer names that hold it."""
        looks = _looks(name)
        keys = dict.fromkeys((*self._alike(looks), *self._longer(looks.split())))
        return [one for key in keys for one in self._by_looks[key]][:MOST_OFFERED]

    @cached_property
    def by_id(self) -> Mapping[str, Known]:
        """Everybody by the id as it is written."""
        return {str(one[0]): one for players in self.by_key.values() for one in players}

    @cached_property
    def _by_looks(self) -> dict[str, list[Known]]:
        looks: dict[str, list[Known]] = {}
        for one in self.by_id.values():
            looks.setdefault(_looks(one[1]), []).append(one)
        return looks

    @cached_property
    def _by_initial(self) -> dict[tuple[str, str], list[str]]:
        """What is compared, by the first letter of each of its words and by the digits in it."""
        found: dict[tuple[str, str], list[str]] = {}
        for looks in self._by_looks:
            for initial in _initials(looks):
                found.setdefault((initial, _digits(looks)), []).append(looks)
        return found

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
        digits = _digits(looks)
        near = [
            one
            for initial in _initials(looks)
            for one in process.extract(
                looks,
                self._by_initial.get((initial, digits), ()),
                scorer=fuzz.ratio,
                score_cutoff=LEAST_LIKENESS,
                limit=MOST_OFFERED,
            )
        ]
        return [found for found, _, _ in sorted(near, key=lambda one: -one[1])]

    def _longer(self, words: Sequence[str]) -> Iterator[str]:
        """Names with all these words and more: `Asha` and `Asha R.` may be Asha Rao."""
        longest = max(words, key=len, default="")
        digits = _digits(" ".join(words))
        for looks in self._by_word.get(longest, ()) if len(longest) > 1 else ():
            if _digits(looks) == digits and _holds(looks.split(), words):
                yield looks


def known_names(club: Club) -> KnownNames:
    """Everybody of a club who can be chosen, in one query; a row that was merged is the one that stays."""
    by_key: dict[str, list[Known]] = {}
    rows = Player.objects.filter(club=club, erased_at__isnull=True)
    members: set[UUID] = set()
    merged: dict[UUID, UUID] = {}
    for player, name, key, is_member, kept, own in rows.values_list(*_COLUMNS):
        known = by_key.setdefault(name_key(own) if kept else key, [])
        if (one := (kept or player, name)) not in known:
            known.append(one)
        members |= {player} if is_member and not kept else set()
        merged |= {player: kept} if kept else {}
    return KnownNames(by_key, frozenset(members), merged)


def _holds(known: list[str], words: Sequence[str]) -> bool:
    """Whether a longer name has a word for each of these: the word itself, or one that an initial begins."""
    left = list(known)
    for word in sorted(words, key=len, reverse=True):
        found = next((one for one in left if one == word or (len(word) == 1 and one.startswith(word))), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _looks(name: str) -> str:
    """The words of a name in any order, without accents and signs: what a slip of the pen would keep."""
    text = folded(name)
    if not text.isascii():
        plain = (letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
        text = "".join(letter if unicodedata.category(letter)[0] in "LMN" else " " for letter in plain)
    return " ".join(sorted(NOT_IN_ASCII_WORDS.sub(" ", text).split()))


def _initials(looks: str) -> set[str]:
    return {word[0] for word in looks.split()}


def _digits(looks: str) -> str:
    return "".join(filter(str.isdigit, looks))
