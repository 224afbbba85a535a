"""Standings of past tournaments: what was played without this service, counted in a season beside what is played here.

Rules: docs/how-to/importing.md, "Past standings"; docs/decisions/0089-past-tournaments-of-a-season.md. Each tournament
is an event of the club, and a row that is derived from it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from uuid import UUID, uuid5

from django.utils.timezone import now

from scoring.events.club import (
    LAST_PLACE,
    MOST_CAME,
    MOST_HUNDREDTHS,
    PastTournamentImported,
    PastTournamentTakenBack,
)
from scoring.events.reading import read_stored
from scoring.merging import Merges
from scoring.messages import Day, Message, say
from scoring.money.formatting import marks_of
from scoring.problems import Problem
from scoring.seasons.formula import MOST_NIGHTS, PastStandings, dump_past, load_formula, load_past
from tournaments import log
from tournaments.importing import (
    ImportDraft,
    ImportRejected,
    ListRow,
    Outcome,
    Preview,
    PreviewRow,
    Staying,
    refused_row,
)
from tournaments.importing.columns import Columns
from tournaments.importing.matching import Match, matched
from tournaments.log.context import CommandContext, part
from tournaments.merging import append_to_club, merges_from, merges_of
from tournaments.models import Import, PastTournament, Season
from tournaments.models.people import folded, same_words
from tournaments.people.known_names import Known
from tournaments.people.players import add_players, name_faults
from tournaments.projections.stale import mark_stale
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.i18n.typed_amounts import read_decimal
from tournaments.seasons.results import past_results

PLACE = re.compile(r"[=T]?\s*([0-9]{1,6})\s*(?:[.=]|st|nd|rd|th)?", re.IGNORECASE)
HUNDREDTH = Decimal("0.01")
# A tournament of a list: its day, and its name without capitals.
Key = tuple[date, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """What one row says: the tournament, and place and points in hundredths, each None where the row has none."""

    day: date | None
    name: str
    place: int | None
    points: int | None

    @property
    def key(self) -> Key | None:
        return (self.day, folded(self.name)) if self.day else None


@dataclass(slots=True, kw_only=True)
class _Listed:
    """One tournament of a list: its rows by person, whose results are read."""

    name: str
    results: dict[str, _Result] = field(default_factory=dict)

    @property
    def has_points(self) -> bool:
        return any(result.points is not None for result in self.results.values())

    @property
    def has_places(self) -> bool:
        return any(result.place is not None for result in self.results.values())

    @property
    def standings(self) -> PastStandings:
        """The places, from the points where the list has none, and the points."""
        points = {person: result.points for person, result in self.results.items() if result.points is not None}
        places = {person: result.place for person, result in self.results.items() if result.place is not None}
        if not places:
            best_first = enumerate(sorted(points.values(), reverse=True), 1)
            first = {number: place for place, number in reversed(list(best_first))}
            places = {person: first[own] for person, own in points.items()}
        return PastStandings(places=places, points=points)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A row of a list with whom it means, what it says, and every problem with it."""

    match: Match
    result: _Result
    problems: list[Problem]


def check(draft: ImportDraft, columns: Columns) -> Preview:
    """What each row adds to the season. A player who is not in the club yet is a new one."""
    season = _season(draft)
    list_problems = list(columns.problems)
    if season.closed_at is not None:
        detail = say("{name} is closed, and stays as published", name=season.name)
        return Preview(problems=(*list_problems, Problem("season_closed", detail, field="season")))
    # Its days as they are now: the draft's season was read before the club was locked.
    draft = replace(draft, season=season)
    rows = [_read(match, draft) for match in matched(draft, columns.rows)]
    listed = _listed(rows)
    _require_the_same_of_each(rows, listed, needs_points=load_formula(season.formula).points == "score")
    if len(listed) > MOST_NIGHTS:
        detail = say("{number} tournaments: at most {most}", number=len(listed), most=MOST_NIGHTS)
        list_problems.append(Problem("too_many_tournaments", detail, field="date"))
    earlier = past_results(draft.club.id, season=season.pk)
    imported = {(past.day, folded(past.name)): load_past(past.state) for past in earlier}
    standings = {key: tournament.standings for key, tournament in listed.items()}
    # One whose name an erasure removed is known by what it says.
    nameless = [(past.day, load_past(past.state)) for past in earlier if not past.name]
    imported |= {key: own for key, own in standings.items() if key not in imported and (key[0], own) in nameless}
    decimal_mark = marks_of(draft.club.locale).decimal
    preview_rows = [_preview_row(row, standings, imported, decimal_mark) for row in rows]
    return Preview(rows=tuple(_said_once(preview_rows)), problems=tuple(list_problems))


def _said_once(rows: Iterable[PreviewRow]) -> Iterator[PreviewRow]:
    """The rows, each problem and each question who somebody is with the first one: a cell may belong to many rows."""
    said: set[tuple[str | None, str]] = set()
    asked: set[tuple[str, tuple[Known, ...]]] = set()
    for row in rows:
        problems = [problem for problem in row.problems if (problem.field, problem.code) not in said]
        candidates = () if (row.name, row.candidates) in asked else row.candidates
        said |= {(problem.field, problem.code) for problem in problems}
        asked.add((row.name, row.candidates))
        yield replace(row, problems=tuple(problems), candidates=candidates)


def store(draft: ImportDraft, columns: Columns, preview: Preview, made: Import, *, context: CommandContext) -> None:
    """Add the new players, and store each tournament as an event. Call with the club's lock held."""
    season = _season(draft)
    counting = [
        (row, list_row)
        for row, list_row in zip(preview.rows, columns.rows, strict=True)
        if row.outcome in (Outcome.NEW, Outcome.CHANGED)
    ]
    new = {
        _new_person(row, list_row): (row.name, list_row.text("number")) for row, list_row in counting if not row.player
    }
    numbers = [{"member_number": number} for _, number in new.values()]
    added = add_players(draft.club, [name for name, _ in new.values()], columns=numbers)
    ids = {person: str(player.id) for person, player in zip(new, added, strict=True)}
    listed: dict[Key, _Listed] = {}
    for row, list_row in counting:
        result, _ = _result(list_row, draft)
        if result.key is not None:
            tournament = listed.setdefault(result.key, _Listed(name=result.name))
            tournament.results[row.player or ids[_new_person(row, list_row)]] = result
    merges = merges_of(made.club_id)
    positions = []
    for (day, name), tournament in sorted(listed.items()):
        standings = tournament.standings
        event = PastTournamentImported(
            tournament=str(uuid5(made.id, f"{day} {name}")),
            season=str(season.pk),
            day=day.isoformat(),
            places=dict(sorted(standings.places.items())),
            points=dict(sorted(standings.points.items())),
        )

        def on_append(
            stored: log.StoredEvent, after: Merges, *, name: str = tournament.name, key: str = event.tournament
        ) -> None:
            columns_of_row = _columns_of(after.past[key], stored.position)
            PastTournament.objects.create(id=UUID(key), club_id=made.club_id, name=name, **columns_of_row)
            positions.append(stored.position)

        own = part(context, f"{event.kind} {event.tournament}")
        merges = append_to_club(made.club_id, merges, event, context=own, on_append=on_append)
    made.first_position, made.last_position = min(positions, default=0), max(positions, default=0)
    made.save(update_fields=["first_position", "last_position"])
    mark_stale(made.club_id)


def undo(made: Import, *, context: CommandContext) -> list[Staying]:
    """Take every tournament of an import back; players that it added stay.

    Raises ImportRejected where the season is closed: it stays as published.
    """
    assert made.season is not None  # noqa: S101 - a list of standings has one
    if made.season.closed_at is not None:
        detail = say("{name} is closed, and stays as published", name=made.season.name)
        raise ImportRejected([Problem("season_closed", detail, field="import")])
    merges = merges_of(made.club_id)
    stored = [
        read_stored(event.kind, event.schema, event.body)
        for event in log.read(made.club_id, made.club_id)
        if made.first_position <= event.position <= made.last_position
    ]
    for event in stored:
        if isinstance(event, PastTournamentImported) and event.tournament in merges.past:
            back = PastTournamentTakenBack(tournament=event.tournament)

            def on_append(stored: log.StoredEvent, after: Merges, *, key: str = event.tournament) -> None:
                PastTournament.objects.filter(id=UUID(key)).delete()

            own = part(context, f"{back.kind} {back.tournament}")
            merges = append_to_club(made.club_id, merges, back, context=own, on_append=on_append)
    mark_stale(made.club_id)
    return []


def staying_of(made: Import) -> list[tuple[UUID, Staying]]:
    """Nothing: the tournaments of a list are undone all or none."""
    return []


# The rows that are derived from the log.


def write_past(club_id: UUID, stored: Sequence[log.StoredEvent]) -> None:
    """Write the imported tournaments of a club again, from the events of its stream. Only their names are kept."""
    derived = past_columns(stored)
    PastTournament.objects.filter(club_id=club_id).exclude(id__in=derived).delete()
    PastTournament.objects.bulk_create(
        [PastTournament(id=key, club_id=club_id, **columns) for key, columns in derived.items()],
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["season", "day", "state", "position"],
    )


def past_columns(stored: Sequence[log.StoredEvent]) -> dict[UUID, dict[str, Any]]:
    """What the rows of a club's imported tournaments hold, by their ids, as its stream says."""
    past = merges_from(stored).past
    position_of = {
        event.tournament: stored_event.position
        for stored_event in stored
        if stored_event.kind == PastTournamentImported.kind
        and isinstance(
            event := read_stored(stored_event.kind, stored_event.schema, stored_event.body), PastTournamentImported
        )
    }
    return {UUID(key): _columns_of(event, position_of[key]) for key, event in past.items()}


def _columns_of(event: PastTournamentImported, position: int) -> dict[str, Any]:
    return {
        "season_id": UUID(event.season),
        "day": date.fromisoformat(event.day),
        "state": dump_past(PastStandings(places=event.places, points=event.points)),
        "position": position,
    }


# What the rows of a list say.


def _season(draft: ImportDraft) -> Season:
    if draft.season is None or draft.season.club_id != draft.club.id:
        raise ImportRejected([Problem("missing_field", say("choose the season"), field="season")])
    return Season.objects.get(pk=draft.season.pk)


def _result(row: ListRow, draft: ImportDraft) -> tuple[_Result, list[Problem]]:
    """What a row says, and every problem with it."""
    problems = []
    day, today = row.day("date"), now().astimezone(zone_of(draft.club.timezone)).date()
    season = draft.season
    if day is None:
        detail = say("{typed} is not a day; write it like {sample}", typed=row.text("date"), sample="2026-01-31")
        problems.append(row.problem("date", "not_a_day", detail))
    elif day > today:
        detail = say("{day} is not over yet", day=Day(day.isoformat()))
        problems.append(row.problem("date", "not_a_day", detail))
    elif season is not None and not season.starts_on <= day <= season.ends_on:
        detail = say("{day} is not in {season}", day=Day(day.isoformat()), season=season.name)
        problems.append(row.problem("date", "outside_season", detail))
    name = " ".join(row.text("tournament").split())
    problems += [row.problem("tournament", code, why) for code, why in (name_faults(name) if name else ())]
    place, points = None, None
    if "place" in row.values:
        match = PLACE.fullmatch(row.text("place"))
        place = int(match[1]) if match else 0
        if not 1 <= place <= LAST_PLACE:
            detail = say("{typed} is not a place", typed=row.text("place"))
            problems.append(row.problem("place", "not_a_number", detail))
    if "points" in row.values:
        cell = row.values["points"]
        number = (
            Decimal(cell) if isinstance(cell, int | Decimal) else read_decimal(row.text("points"), draft.club.locale)
        )
        if number is None or not number.is_finite() or abs(number) * 100 > MOST_HUNDREDTHS:
            detail = say("{typed} is not a number of points", typed=row.text("points"))
            problems.append(row.problem("points", "not_a_number", detail))
        else:
            points = int(number.quantize(HUNDREDTH, ROUND_HALF_UP).scaleb(2))
    return _Result(day=day, name=name, place=place, points=points), problems


def _new_person(row: PreviewRow, list_row: ListRow) -> str:
    """Identifies a new player, as `Match.person` does."""
    return f"{same_words(row.name)}\t{list_row.text('number')}"


def _read(match: Match, draft: ImportDraft) -> _Row:
    result, problems = _result(match.row, draft)
    return _Row(match=match, result=result, problems=[] if match.is_left_out else [*match.problems, *problems])


def _listed(rows: Sequence[_Row]) -> dict[Key, _Listed]:
    """The tournaments of the list. A row that lists a person a second time in one, or a number of another, is noted."""
    listed: dict[Key, _Listed] = {}
    first_rows: dict[tuple[Key, str], int] = {}
    numbers: dict[str, tuple[str, int]] = {}
    for row in rows:
        match, key = row.match, row.result.key
        if match.is_left_out or match.is_similar or match.problems or key is None:
            continue
        tournament = listed.setdefault(key, _Listed(name=row.result.name))
        first = first_rows.setdefault((key, match.person), match.row.number)
        number = "" if match.player else match.row.text("number")
        person, row_of_number = numbers.setdefault(number, (match.person, match.row.number))
        if number and person != match.person:
            detail = say("{name} is in row {first} already", name=number, first=row_of_number)
            row.problems.append(match.row.problem("number", "listed_twice", detail))
        if match.person in tournament.results:
            detail = say("{name} is in row {first} already", name=match.name, first=first)
            row.problems.append(match.row.problem("name", "listed_twice", detail))
        else:
            tournament.results[match.person] = row.result
    return listed


def _require_the_same_of_each(rows: Sequence[_Row], listed: Mapping[Key, _Listed], *, needs_points: bool) -> None:
    """Note what a row lacks that others of its tournament have, or that the season needs; and what is too big."""
    lists_points = {key: needs_points or tournament.has_points for key, tournament in listed.items()}
    lists_places = {key: tournament.has_places for key, tournament in listed.items()}
    for row in rows:
        key, list_row = row.result.key, row.match.row
        if key is None or key not in listed or row.match.is_left_out:
            continue
        number = len(listed[key].results)
        if number > MOST_CAME:
            detail = say("{number} players in one tournament: at most {most}", number=number, most=MOST_CAME)
            row.problems.append(list_row.problem("date", "too_many_players", detail))
        if (lists_points[key] or not lists_places[key]) and "points" not in list_row.values:
            row.problems.append(list_row.problem("points", "missing_field", say("enter the points")))
        if lists_places[key] and "place" not in list_row.values:
            row.problems.append(list_row.problem("place", "missing_field", say("enter the place")))


def _preview_row(
    row: _Row, standings: Mapping[Key, PastStandings], imported: Mapping[Key, PastStandings], decimal_mark: str
) -> PreviewRow:
    match, key, number = row.match, row.result.key, row.match.row.number
    if match.is_left_out:
        return PreviewRow(number=number, name=match.name, outcome=Outcome.LEFT_OUT)
    if row.problems or key is None:
        return refused_row(match.row, row.problems)
    if match.is_similar:
        return PreviewRow(number=number, name=match.name, outcome=Outcome.SIMILAR, candidates=match.candidates)
    place, points = standings[key].places[match.person], standings[key].points.get(match.person)
    before = imported.get(key)
    if before is not None and (before.places.get(match.person), before.points.get(match.person)) != (place, points):
        detail = say("{tournament} is imported already: undo that import first", tournament=_called(row.result))
        return refused_row(match.row, [match.row.problem("date", "imported_already", detail)])
    outcome = Outcome.NEW if match.player is None else Outcome.CHANGED if before is None else Outcome.SAME
    return PreviewRow(
        number=number,
        name=match.player[1] if match.player else match.name,
        player=str(match.player[0]) if match.player else "",
        outcome=outcome,
        effects=(_effect(row.result, place, decimal_mark),),
    )


def _called(result: _Result) -> Message:
    """A tournament in a sentence: its name, if it has one, and its day."""
    day = Day(result.day.isoformat()) if result.day else ""
    return say("{name}, {day}", name=result.name, day=day) if result.name else say("{day}", day=day)


def _effect(result: _Result, place: int, decimal_mark: str) -> Message:
    if result.points is None:
        return say("{tournament}: place {place}", tournament=_called(result), place=place)
    text = _points_text(result.points, decimal_mark)
    return say("{tournament}: place {place}, {points} points", tournament=_called(result), place=place, points=text)


def _points_text(hundredths: int, decimal_mark: str) -> str:
    whole, rest = divmod(abs(hundredths), 100)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{whole}{decimal_mark}{rest:02}" if rest else f"{sign}{whole}"
