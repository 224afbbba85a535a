"""The wishes and the plan of a seating as a director types them, and the same written out again.

Rules: docs/seating.md, sections 1 and 8. One line a wish: `Asha, Bo` are kept apart, `Asha: 3` needs table 3,
`Rivertown: Asha, Bo` are of one group; in a plan `3: Asha, Bo, Cy` is table 3 and `Out: Dev` sits out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext

from scoring.problems import Problem, shown
from tournaments.draw import Apart, FixedTable, SeatedRound, Sizes, round_of
from tournaments.models.people import name_key
from tournaments.seating.drafts import HIGHEST_TABLE, KeptWishes

MOST_TEXT = 20_000
MOST_GROUP = 60
NUMBER = re.compile(r"[0-9]{1,3}")
TABLE = re.compile(r"(?:table\s*)?([0-9]{1,3})", re.IGNORECASE)
OUT = re.compile(r"(?:sits?\s+)?out", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WishTexts:
    """The wishes as they stand in the form."""

    allowed: frozenset[str]
    preferred: str
    most_tables: str
    may_sit_out: bool
    groups_apart: bool
    apart: str
    fixed: str
    groups: str


def wish_texts(wishes: KeptWishes, names: Mapping[str, str]) -> WishTexts:
    """Stored wishes, written out for the form."""
    groups: dict[str, list[str]] = {}
    for key, group in wishes.groups.items():
        if key in names:
            groups.setdefault(group, []).append(names[key])
    pairs = [f"{names[p.one]}, {names[p.other]}" for p in wishes.apart if p.one in names and p.other in names]
    return WishTexts(
        allowed=frozenset(map(str, wishes.sizes.allowed)),
        preferred=str(wishes.sizes.preferred),
        most_tables=str(wishes.sizes.most_tables or ""),
        may_sit_out=wishes.sizes.may_sit_out,
        groups_apart=wishes.groups_apart,
        apart="\n".join(pairs),
        fixed="\n".join(f"{names[wish.player]}: {wish.table}" for wish in wishes.fixed if wish.player in names),
        groups="\n".join(f"{group}: {', '.join(mates)}" for group, mates in groups.items()),
    )


def sent_wishes(post: QueryDict) -> WishTexts:
    """The form as it was sent."""
    return WishTexts(
        allowed=frozenset(post.getlist("allowed")),
        preferred=_line(post, "preferred"),
        most_tables=_line(post, "most_tables"),
        may_sit_out=post.get("may_sit_out") == "on",
        groups_apart=post.get("groups_apart") == "on",
        apart=text_of(post, "apart"),
        fixed=text_of(post, "fixed"),
        groups=text_of(post, "groups"),
    )


class Reader:
    """Reads names of the field, and keeps everything that could not be read."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.by_name = {name_key(name): key for key, name in names.items()}
        self.problems: list[Problem] = []

    def wishes(self, texts: WishTexts) -> KeptWishes:
        """The wishes that were meant; what is unclear stands in `problems`."""
        return KeptWishes(
            sizes=Sizes(
                allowed=tuple(sorted(int(size) for size in texts.allowed if NUMBER.fullmatch(size))),
                preferred=self.number(texts.preferred, "preferred") or 0,
                most_tables=self.number(texts.most_tables, "most_tables") if texts.most_tables else None,
                may_sit_out=texts.may_sit_out,
            ),
            apart=tuple(self._apart(texts.apart)),
            fixed=tuple(self._fixed(texts.fixed)),
            groups=dict(self._groups(texts.groups)),
            groups_apart=texts.groups_apart,
        )

    def plan(self, text: str) -> SeatedRound | None:
        """A round as it was written down; None where it cannot be read."""
        tables: dict[int, list[str]] = {}
        out: list[str] = []
        for line in _lines(text):
            head, _, rest = line.partition(":")
            found = TABLE.fullmatch(head.strip())
            if OUT.fullmatch(head.strip()):
                out += self.players(rest, "plan")
            elif found and rest and int(found[1]) not in tables:
                tables[int(found[1])] = self.players(rest, "plan")
            elif found and rest:
                self._wrong(
                    "table_twice", "plan", gettext("table {table} stands in the plan twice").format(table=int(found[1]))
                )
            else:
                self._wrong(
                    "unreadable",
                    "plan",
                    gettext("{line} is no table: write `3: Asha, Bo, Cy`").format(line=shown(line)),
                )
        if not tables and not self.problems:
            self._wrong(
                "missing_field", "plan", gettext("the plan names no table: write `1: Asha, Bo, Cy`, one table a line")
            )
        return round_of(tables, sits_out=out) if not self.problems else None

    def players(self, text: str, field: str) -> list[str]:
        """The players of a list of names."""
        found = [self._player(name, field) for name in re.split(r"[,;\t]", text) if name.strip()]
        return [key for key in found if key is not None]

    def number(self, text: str, field: str) -> int | None:
        if NUMBER.fullmatch(text) and 1 <= int(text) <= HIGHEST_TABLE:
            return int(text)
        self._wrong(
            "not_a_number",
            field,
            gettext("{text} is no whole number from 1 to {most}").format(text=shown(text), most=HIGHEST_TABLE),
        )
        return None

    def _apart(self, text: str) -> Iterator[Apart]:
        for line in _lines(text):
            pair = self.players(line, "apart")
            if len(pair) == 2 and pair[0] != pair[1]:
                yield Apart(one=pair[0], other=pair[1])
            elif not any(problem.field == "apart" for problem in self.problems):
                self._wrong(
                    "unreadable",
                    "apart",
                    gettext("{line}: write two players a line, `Asha, Bo`").format(line=shown(line)),
                )

    def _fixed(self, text: str) -> Iterator[FixedTable]:
        for line in _lines(text):
            name, _, table = line.rpartition(":")
            player, number = self._player(name or line, "fixed"), self.number(table.strip(), "fixed")
            if player is not None and number is not None:
                yield FixedTable(player=player, table=number)

    def _groups(self, text: str) -> Iterator[tuple[str, str]]:
        for line in _lines(text):
            group, colon, mates = line.partition(":")
            if not colon or not group.strip():
                self._wrong(
                    "unreadable",
                    "groups",
                    gettext("{line}: write the group first, `Rivertown: Asha, Bo`").format(line=shown(line)),
                )
            for player in self.players(mates, "groups"):
                yield player, group.strip()[:MOST_GROUP]

    def _player(self, name: str, field: str) -> str | None:
        found = self.by_name.get(name_key(name))
        if found is None:
            self._wrong(
                "unknown_player",
                field,
                gettext("{name} is not among those who are to be seated").format(name=shown(name.strip())),
            )
        return found

    def _wrong(self, code: str, field: str, detail: str) -> None:
        self.problems.append(Problem(code=code, field=field, detail=detail))


def plan_text(plan: SeatedRound, names: Mapping[str, str]) -> str:
    """A round written out as it can be typed again."""
    lines = [f"{table.number}: {_named(table.seats, names)}" for table in plan.tables]
    return "\n".join([*lines, f"Out: {_named(plan.sits_out, names)}"] if plan.sits_out else lines)


def text_of(post: QueryDict, name: str) -> str:
    """Several lines of a form."""
    return post.get(name, "").replace("\x00", "").replace("\r\n", "\n").strip()[:MOST_TEXT]


def _named(players: Sequence[str], names: Mapping[str, str]) -> str:
    return ", ".join(names.get(key, key) for key in players)


def _line(post: QueryDict, name: str) -> str:
    return text_of(post, name)[:20]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
