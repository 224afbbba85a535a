"""Simulates a tournament from a seed, through the commands that its staff use: for training, demos, load and tests.

Rules: docs/how-to/rehearsal.md. Apart from the players nothing is written directly: what a scorer or a director may not
do is refused here as well. A rehearsal is never published and never settled. Its plan is a format that suits the number
of players and the game, with table sizes at which it can be played.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from scoring.events.wire import Event
from scoring.messages import say, say_many
from scoring.problems import OptionsRejected, Problem
from scoring.rules.chance import Chance
from scoring.rules.variants import PRESETS
from scoring.tournament import Stage, TournamentState
from scoring.tournament.plans.formats import format_for
from scoring.tournament.standings.results import stage_results
from scoring.tournament.standings.tiebreaks import Ranked, chain_of, ranked
from scoring.tournament.state.played import Game
from tournaments.draw import SeatedRound, SeatingConstraints, Sizes, size_problems, table_sizes
from tournaments.draw.search import seed_from
from tournaments.feasibility.suggest import playable_sizes
from tournaments.log.context import CommandContext, club_lock
from tournaments.models import Club, Player, Tournament
from tournaments.models.people import name_key
from tournaments.people.players import renew_public_names
from tournaments.projections.boards import seats_played
from tournaments.projections.terms import game_of, stage_terms
from tournaments.running.commands.create import plan_of_format
from tournaments.running.commands.record import record_all_in_tournament

# The players of a rehearsal: the same names and ids every time, so that a seed seats them the same way.

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
    """Return the club of rehearsals for which no other is named. Nothing of it is published."""
    club, _ = Club.objects.get_or_create(slug=SLUG, defaults={"name": NAME})
    return club


def rehearsal_players(club: Club, count: int) -> list[Player]:
    """Return so many players, those of earlier rehearsals first; missing ones are added.

    Raises OptionsRejected in a club with players of its own: made-up people would stay in its lists for good.
    """
    _refuse_real_people(club)
    name_by_id = {uuid5(NUMBERED, f"{club.slug}:{number}"): _name(number) for number in range(count)}
    player_by_id = Player.objects.in_bulk(list(name_by_id))
    fresh = [
        Player(id=key, club=club, name=name, name_key=name_key(name))
        for key, name in name_by_id.items()
        if key not in player_by_id
    ]
    if fresh:
        with club_lock(club.id):
            Player.objects.bulk_create(fresh)
            renew_public_names(club.id)
    people = player_by_id | {player.id: player for player in fresh}
    return [people[key] for key in name_by_id]


def _refuse_real_people(club: Club) -> None:
    made_up = [uuid5(NUMBERED, f"{club.slug}:{number}") for number in range(MOST_PEOPLE)]
    real = Player.objects.filter(club=club).exclude(id__in=made_up).count()
    if real:
        people = say_many("{count} player of its own", "{count} players of its own", count=real)
        detail = say(
            "{name} has {what}: made-up people would stay among them. Name a club made for it, or none",
            name=club.name,
            what=people,
        )
        raise OptionsRejected([Problem(code="real_players", field="club", detail=detail)])


def names_of(players: Sequence[str]) -> tuple[str, ...]:
    """Return the names of these players."""
    name_by_player = {str(key): name for key, name in Player.objects.filter(id__in=players).values_list("id", "name")}
    return tuple(name_by_player[player] for player in players)


def _name(number: int) -> str:
    return f"{FIRST[number % len(FIRST)]} {LAST[(number + number // len(FIRST)) % len(LAST)]}"


USUAL_LARGEST = 6


def simulated_plan(preset: str, players: int, playable: Sequence[int], wanted: str = "") -> dict[str, Any]:
    """Return the plan of the wanted format, or of the first that suits. Raises OptionsRejected if it does not fit."""
    game = PRESETS[preset][0].name
    names = [wanted] if wanted else [plan_format.name for plan_format in format_for(players, game)]
    plans = [plan_of_format(name, players) for name in names]
    for plan in plans:
        if all(can_be_played(stage, playable) for stage in plan["stages"]):
            return plan
    if wanted:
        detail = say(
            "{format} has tables at which {game} cannot be played: it is for {list} seats",
            format=wanted,
            game=preset,
            list=tuple(size for size in playable if size <= USUAL_LARGEST),
        )
        raise OptionsRejected([Problem(code="not_a_choice", field="format", detail=detail)])
    return _small_tables(playable)


def sizes_for(stage: Stage, players: int, playable: Sequence[int]) -> Sizes:
    """Return the table sizes for a round; smaller tables where a player would sit out a stage of one round."""
    allowed = tuple(size for size in stage.sizes if size in playable)
    wider = tuple(size for size in playable if size <= max(stage.largest_table, min(playable)))
    sizes = _sizes(allowed or wider, stage)
    if size_problems(players, sizes) or (stage.rounds == 1 and table_sizes(players, sizes).sit_outs):
        return _sizes(wider, stage)
    return sizes


def _sizes(allowed: Sequence[int], stage: Stage) -> Sizes:
    preferred = min(allowed, key=lambda size: abs(size - stage.preferred_table))
    return Sizes(allowed=tuple(allowed), preferred=preferred)


def can_be_played(stage: Mapping[str, Any], playable: Sequence[int]) -> bool:
    """Whether a game can be played at every table size that a stage allows."""
    return all(size in playable for size in range(stage["smallest_table"], stage["largest_table"] + 1))


def _small_tables(playable: Sequence[int]) -> dict[str, Any]:
    """Return a plan for games that need a certain number of seats: three rounds, and a final of one table."""
    seats = min(playable)
    size = {"smallest_table": seats, "largest_table": seats, "preferred_table": seats}
    return {
        "stages": [{"name": "Qualifying", "rounds": 3, **size, "advancing": seats}, {"name": "Final", **size}],
        "prizes_bp": [7000, 3000],
    }


# The state of a rehearsal while it is played: the tournament, the random generator, and the clock.

ACTOR, SECOND_ACTOR = "command:simulate_night", "command:simulate_night_desk"
A_DEED_TAKES = timedelta(seconds=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """All rounds of a stage, drawn at its start."""

    seed: str
    constraints: SeatingConstraints
    rounds: tuple[SeatedRound, ...]


@dataclass(slots=True, kw_only=True)
class Room:
    """The state of the simulation. `recorded` counts the events by kind."""

    tournament: Tournament
    chance: Chance
    now: datetime
    state: TournamentState
    standby: list[str] = field(default_factory=list)
    drawn: Draw | None = None
    recorded: Counter[str] = field(default_factory=Counter)

    @property
    def id(self) -> UUID:
        return self.tournament.id

    @property
    def stage(self) -> Stage:
        """The plan's settings for the current stage."""
        return self.state.current or Stage()

    @property
    def playable(self) -> tuple[int, ...]:
        """Numbers of seats at which the game of the stage can be played."""
        terms = stage_terms(self.tournament, self.state, self.state.stage)
        return playable_sizes(terms.variant, terms.options, terms.stakes)

    @property
    def game(self) -> Game:
        return game_of(self.tournament, self.state, self.state.stage)

    def context(self, actor: str = ACTOR) -> CommandContext:
        """Return the context of the next command, a little later than the last."""
        self.now += A_DEED_TAKES
        return CommandContext(actor=actor, now=self.now)

    def seed(self) -> str:
        """Return a draw code like those given to directors."""
        return seed_from(bytes(self.chance.number(0, 255) for _ in range(5)))

    def record_events(self, *events: Event) -> None:
        """Record events of the tournament with one command."""
        if events:
            self.state = record_all_in_tournament(self.id, events, context=self.context()).state
            self.recorded.update(event.kind for event in events)

    def standings(self, stage: int | None = None) -> tuple[Ranked, ...]:
        """Return the current standings of a stage."""
        number = stage or self.state.stage
        game = game_of(self.tournament, self.state, number)
        results = stage_results(self.state, number, seats_played(self.tournament, self.state), game)
        return ranked(results, chain_of(self.state, number, game))
