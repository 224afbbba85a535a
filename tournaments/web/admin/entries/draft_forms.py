"""Seating restrictions and seatings as a director types them, and stored ones written out as the same text.

Rules: docs/how-to/seating.md, sections 1 and 8. One restriction a line: `Asha, Bo` are kept apart, `Asha: 3` needs
table 3, `Rivertown: Asha, Bo` form a group; in a seating `3: Asha, Bo, Cy` is table 3 and `Out: Dev` sits out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.http import HttpRequest

from scoring.messages import Message, say
from scoring.problems import Problem, shown
from tournaments.draw import Apart, FixedTable, SeatedRound, Sizes, round_of
from tournaments.models.people import name_key
from tournaments.seating.drafts import HIGHEST_TABLE, KeptConstraints
from tournaments.web.admin.base.command_fields import MOST_REASON, CarriedNumber, TicksField, WordField
from tournaments.web.admin.base.command_forms import CommandForm

Sent = dict[str, Any]
MOST_TEXT = 20_000
MOST_NUMBER = 20
MOST_GROUP = 60
NUMBER = re.compile(r"[0-9]{1,3}")
TABLE = re.compile(r"(?:table\s*)?([0-9]{1,3})", re.IGNORECASE)
OUT = re.compile(r"(?:sits?\s+)?out", re.IGNORECASE)


class DraftForm(CommandForm):
    """The fields that any button of the draft page sends."""

    do = WordField()
    part = WordField()
    version = CarriedNumber()
    round = CarriedNumber(missing=None, most_digits=3)
    player = WordField()
    to = WordField()
    seats_absent = forms.BooleanField(required=False)
    method = WordField()
    all_rounds = forms.BooleanField(required=False)
    seed = WordField(max_length=MOST_TEXT)
    plan = WordField(max_length=MOST_TEXT)
    reason = WordField(max_length=MOST_REASON)
    allowed = TicksField()
    preferred = WordField(max_length=MOST_NUMBER)
    most_tables = WordField(max_length=MOST_NUMBER)
    may_sit_out = forms.BooleanField(required=False)
    groups_apart = forms.BooleanField(required=False)
    apart = WordField(max_length=MOST_TEXT)
    fixed = WordField(max_length=MOST_TEXT)
    groups = WordField(max_length=MOST_TEXT)


def sent_draft(request: HttpRequest) -> Sent:
    """The submitted page; everything is empty for a GET request."""
    return DraftForm(request.POST).read


def constraint_texts(constraints: KeptConstraints, names: Mapping[str, str]) -> Sent:
    """Stored restrictions, written out for the form."""
    groups: dict[str, list[str]] = {}
    for key, group in constraints.groups.items():
        if key in names:
            groups.setdefault(group, []).append(names[key])
    pairs = [f"{names[p.one]}, {names[p.other]}" for p in constraints.apart if p.one in names and p.other in names]
    return {
        "allowed": list(map(str, constraints.sizes.allowed)),
        "preferred": str(constraints.sizes.preferred),
        "most_tables": str(constraints.sizes.most_tables or ""),
        "may_sit_out": constraints.sizes.may_sit_out,
        "groups_apart": constraints.groups_apart,
        "apart": "\n".join(pairs),
        "fixed": "\n".join(
            f"{names[fixed_table.player]}: {fixed_table.table}"
            for fixed_table in constraints.fixed
            if fixed_table.player in names
        ),
        "groups": "\n".join(f"{group}: {', '.join(mates)}" for group, mates in groups.items()),
    }


class Reader:
    """Reads names of the tournament's players, and collects problems with what could not be read."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.by_name = {name_key(name): key for key, name in names.items()}
        self.problems: list[Problem] = []

    def constraints(self, sent: Sent) -> KeptConstraints:
        """The restrictions as typed; what could not be read is in `problems`."""
        return KeptConstraints(
            sizes=Sizes(
                allowed=tuple(sorted(int(size) for size in set(sent["allowed"]) if NUMBER.fullmatch(size))),
                preferred=self.number(sent["preferred"], "preferred") or 0,
                most_tables=self.number(sent["most_tables"], "most_tables") if sent["most_tables"] else None,
                may_sit_out=sent["may_sit_out"],
            ),
            apart=tuple(self._apart(sent["apart"])),
            fixed=tuple(self._fixed(sent["fixed"])),
            groups=dict(self._groups(sent["groups"])),
            groups_apart=sent["groups_apart"],
        )

    def plan(self, text: str) -> SeatedRound | None:
        """A typed seating of a round; None where it cannot be read."""
        tables: dict[int, list[str]] = {}
        out: list[str] = []
        for line in _lines(text):
            head, _, rest = line.partition(":")
            match = TABLE.fullmatch(head.strip())
            if OUT.fullmatch(head.strip()):
                out += self.players(rest, "plan")
            elif match and rest and int(match[1]) not in tables:
                tables[int(match[1])] = self.players(rest, "plan")
            elif match and rest:
                self._wrong("table_twice", "plan", say("table {table} is listed twice", table=int(match[1])))
            else:
                self._wrong(
                    "unreadable",
                    "plan",
                    say("{line} is not a table: write `3: Asha, Bo, Cy`", line=shown(line)),
                )
        if not tables and not self.problems:
            self._wrong(
                "missing_field", "plan", say("the seating has no table: write `1: Asha, Bo, Cy`, one table a line")
            )
        return round_of(tables, sits_out=out) if not self.problems else None

    def players(self, text: str, field: str) -> list[str]:
        """The ids of the players in a list of names."""
        player_ids = [self._player(name, field) for name in re.split(r"[,;\t]", text) if name.strip()]
        return [key for key in player_ids if key is not None]

    def number(self, text: str, field: str) -> int | None:
        if NUMBER.fullmatch(text) and 1 <= int(text) <= HIGHEST_TABLE:
            return int(text)
        self._wrong(
            "not_a_number",
            field,
            say("{text} is not a whole number from 1 to {most}", text=shown(text), most=HIGHEST_TABLE),
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
                    say("{line}: write two players a line, `Asha, Bo`", line=shown(line)),
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
                    say("{line}: write the group first, `Rivertown: Asha, Bo`", line=shown(line)),
                )
            for player in self.players(mates, "groups"):
                yield player, group.strip()[:MOST_GROUP]

    def _player(self, name: str, field: str) -> str | None:
        player_id = self.by_name.get(name_key(name))
        if player_id is None:
            self._wrong(
                "unknown_player",
                field,
                say("{name} is not among the players to be seated", name=shown(name.strip())),
            )
        return player_id

    def _wrong(self, code: str, field: str, detail: Message) -> None:
        self.problems.append(Problem(code=code, field=field, detail=detail))


def plan_text(plan: SeatedRound, names: Mapping[str, str]) -> str:
    """A round's seating as text that can be typed again."""
    lines = [f"{table.number}: {_named(table.seats, names)}" for table in plan.tables]
    return "\n".join([*lines, f"Out: {_named(plan.sits_out, names)}"] if plan.sits_out else lines)


def _named(players: Sequence[str], names: Mapping[str, str]) -> str:
    return ", ".join(names.get(key, key) for key in players)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
