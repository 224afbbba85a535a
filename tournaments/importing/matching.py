"""Whom each row of a list means: a player by number, by name, one who is nearly called so, or somebody new.

Rules: docs/how-to/importing.md, "Who is meant".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from scoring.messages import say
from scoring.problems import Problem
from tournaments.importing import AS_NEW, LEAVE_OUT, ImportDraft, ListRow
from tournaments.models import Club, Player
from tournaments.models.people import MOST_MEMBER_NUMBER, same_words
from tournaments.people.known_names import Known, KnownNames, known_names
from tournaments.people.players import player_name_faults, without_mark
from tournaments.spreadsheets import lost_digits

Person = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Whom a row means: a known player, or a new one where `player` is None and there are no `candidates`."""

    row: ListRow
    name: str
    player: Known | None = None
    is_left_out: bool = False
    candidates: tuple[Known, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def is_similar(self) -> bool:
        """Whether somebody has to choose."""
        return bool(self.candidates) and self.player is None and not self.is_left_out

    @property
    def person(self) -> str:
        """Identifies the player, also a new one: rows of one new player have the same name and number."""
        return str(self.player[0]) if self.player else f"{same_words(self.name)}\t{self.row.text('number')}"


@dataclass(slots=True, kw_only=True)
class _Matching:
    """The players of the club, and what was chosen for the first row of each person."""

    known: KnownNames
    number_of: Mapping[UUID, str]
    by_number: Mapping[str, Known]
    draft: ImportDraft
    matches: dict[Person, Match] = field(default_factory=dict)


def matched(draft: ImportDraft, rows: Sequence[ListRow]) -> list[Match]:
    """Whom the rows mean, in two queries whatever their number."""
    club_names, numbers = known_names(draft.club), _numbers(draft.club)
    by_number = {
        number: club_names.by_id[str(player)] for player, number in numbers.items() if str(player) in club_names.by_id
    }
    matching = _Matching(known=club_names, number_of=numbers, by_number=by_number, draft=draft)
    return [_match(matching, row) for row in rows]


def by_number_in(club: Club) -> dict[str, str]:
    """The id of the player who has each number of a club, as text."""
    return {number: str(player) for player, number in _numbers(club).items()}


def _numbers(club: Club) -> dict[UUID, str]:
    rows = Player.objects.filter(club=club, erased_at__isnull=True).exclude(member_number="").order_by()
    return {
        kept or player: number for player, kept, number in rows.values_list("id", "merged_into_id", "member_number")
    }


def _match(matching: _Matching, row: ListRow) -> Match:
    name, is_namesake = without_mark(" ".join(row.name.split()))
    problems = list(_row_problems(matching, row, name))
    choice = matching.draft.choices.get(row.number, "")
    if problems:
        is_left_out = choice == LEAVE_OUT
        return Match(row=row, name=name, is_left_out=is_left_out, problems=() if is_left_out else tuple(problems))
    if not choice and not is_namesake:
        # What was decided for the first row of a person holds for all.
        person = (name, row.text("number"))
        if person not in matching.matches:
            matching.matches[person] = _found(matching, row, name)
        return _of_row(matching.matches[person], row)
    match = _chosen(matching, row, name, AS_NEW if is_namesake and not choice else choice)
    matching.matches.setdefault((name, row.text("number")), match)
    return match


def _of_row(match: Match, row: ListRow) -> Match:
    return Match(
        row=row,
        name=match.name,
        player=match.player,
        is_left_out=match.is_left_out,
        candidates=match.candidates,
        problems=tuple(problem for problem in match.problems if row.number == match.row.number),
    )


def _chosen(matching: _Matching, row: ListRow, name: str, choice: str) -> Match:
    if choice == LEAVE_OUT:
        return Match(row=row, name=name, is_left_out=True)
    player = matching.known.by_id.get(choice)
    problems = []
    if player is None and choice != AS_NEW:
        problems.append(row.problem("name", "unknown_player", say("this player is not in the club")))
    if matching.by_number.get(row.text("number"), player) != player:
        detail = say("Another player of the club has this number.")
        problems.append(row.problem("number", "number_taken", detail))
    return Match(row=row, name=name, player=player, problems=tuple(problems))


def _found(matching: _Matching, row: ListRow, name: str) -> Match:
    number = row.text("number")
    if number in matching.by_number:
        return Match(row=row, name=name, player=matching.by_number[number])
    namesakes = matching.known.found(name)
    # Somebody of this name with another number may be another person.
    is_certain = len(namesakes) == 1 and not (number and matching.number_of.get(namesakes[0][0]))
    if is_certain:
        return Match(row=row, name=name, player=namesakes[0])
    candidates = tuple(namesakes or matching.known.nearly(name))
    if candidates and matching.draft.others:
        return _chosen(matching, row, name, matching.draft.others)
    return Match(row=row, name=name, candidates=candidates)


def _row_problems(matching: _Matching, row: ListRow, name: str) -> Iterator[Problem]:
    """Problems with the name and the number of a row."""
    number = row.values.get("number", "")
    if lost_digits(number):
        detail = say("the spreadsheet shortened {value}: format the column as text", value=row.text("number"))
        yield row.problem("number", "lost_digits", detail)
    elif len(row.text("number")) > MOST_MEMBER_NUMBER:
        detail = say("{number} characters: at most {most}", number=len(row.text("number")), most=MOST_MEMBER_NUMBER)
        yield row.problem("number", "too_long", detail)
    elif not name and row.text("number") and row.text("number") not in matching.by_number:
        detail = say("no player has the number {typed}: enter a name", typed=row.text("number"))
        yield row.problem("number", "unknown_player", detail)
    elif name or not row.text("number"):
        for code, why in player_name_faults(name):
            yield row.problem("name" if "name" in row.columns else "family", code, why)
