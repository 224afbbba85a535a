"""Simulates a tournament: check-in, rounds, cuts, tie-breaks, and closing.

Rules: docs/how-to/rehearsal.md, section 6 (the night). A tournament that counts (`is_real`) is settled at its end.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from scoring.events import wire
from scoring.messages import say
from scoring.problems import Defect, OptionsRejected, Problem, refuse_if
from scoring.rules.chance import Chance
from scoring.rules.variants import PRESETS
from scoring.tournament import TournamentState, problems_with
from scoring.tournament.standings import propose_cut
from scoring.tournament.state.reentries import too_little
from tournaments.books.commands import settle_table
from tournaments.draw.search import high_card, lots
from tournaments.feasibility.suggest import playable_sizes
from tournaments.log.context import CommandContext
from tournaments.models import Club, Table, Tournament
from tournaments.projections.boards import seats_played
from tournaments.rehearsal import (
    ACTOR,
    MOST_PEOPLE,
    Room,
    names_of,
    rehearsal_players,
    simulated_plan,
)
from tournaments.rehearsal.rounds import play_round
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.create import TournamentDraft, create_tournament, make_plan
from tournaments.running.commands.cut import (
    make_cut,
    withdraw_cut,
)
from tournaments.running.commands.record import tournament_state
from tournaments.running.commands.settle import settle_tournament

STAKES: dict[str, Any] = {"entry_minor": 20_000, "fee_bp": 1_000, "point_value_minor": 100}
SPARE_PEOPLE = 4
COMES_LATE, STAYS_AWAY, GOES_HOME, COMES_BACK, IS_REPLACED, BUYS_BACK = 0.3, 0.03, 0.01, 0.5, 0.1, 0.4
CUT_AGAIN = 0.1
FEWEST_TO_LEAVE = 8
MOST_TIES, MOST_CARDS = 40, 52


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationDraft:
    """The requested simulation. `format` names a known format; if empty, the first that suits. `plan` overrides it.

    Deals count at once, or when another seat has confirmed them: a second official would have to sign in.
    """

    players: int
    preset: str
    seed: str
    format: str = ""
    is_real: bool = False
    confirmation: Literal["at_once", "second_seat"] = "at_once"
    plan: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedTournament:
    """The result: the winners (several only if they share the place), the tables, and how often each event occurred."""

    tournament: Tournament
    state: TournamentState
    winners: tuple[str, ...]
    tables: int
    recorded: Counter[str]


def simulate_tournament(club: Club, draft: SimulationDraft, *, now: datetime) -> SimulatedTournament:
    """Play a whole tournament. Raises OptionsRejected where it cannot be played with so many players."""
    _refuse_what_cannot_be_played(draft)
    rules, preset = PRESETS[draft.preset]
    playable = playable_sizes(rules.name, preset.options, STAKES)
    plan = draft.plan or simulated_plan(draft.preset, draft.players, playable, draft.format)
    people = [str(player.id) for player in rehearsal_players(club, draft.players + SPARE_PEOPLE)]
    room = _opened(club, draft, now)
    whole = {**plan, "is_rehearsal": not draft.is_real, "confirmation": draft.confirmation}
    room.state = make_plan(room.id, whole, context=room.context()).state
    _let_in(room, people[: draft.players], people[draft.players :])
    _play_stages(room)
    winners = _winners(room)
    close_tournament(room.id, context=room.context())
    if draft.is_real:
        for table in Table.objects.filter(tournament_id=room.id).values_list("id", flat=True):
            settle_table(table, now=room.now)
        settle_tournament(room.id, now=room.now)
    return SimulatedTournament(
        tournament=Tournament.objects.get(id=room.id),
        state=tournament_state(room.tournament),
        winners=names_of(winners),
        tables=Table.objects.filter(tournament_id=room.id).count(),
        recorded=room.recorded,
    )


def _refuse_what_cannot_be_played(draft: SimulationDraft) -> None:
    problems = []
    most = MOST_PEOPLE - SPARE_PEOPLE
    if draft.preset not in PRESETS:
        detail = say(
            "there is no preset {typed}; this service knows {list}", typed=repr(draft.preset), list=", ".join(PRESETS)
        )
        problems.append(Problem(code="unknown_preset", field="preset", detail=detail))
    if not 2 <= draft.players <= most:
        detail = say("a tournament has 2 to {last} players, not {number}", last=most, number=draft.players)
        problems.append(Problem(code="out_of_range", field="players", detail=detail))
    refuse_if(problems, OptionsRejected)


def _opened(club: Club, draft: SimulationDraft, now: datetime) -> Room:
    """Create the tournament and the state needed to play it."""
    kind = "Night" if draft.is_real else "Rehearsal"
    tournament_draft = TournamentDraft(
        name=f"{kind} {draft.seed}: {PRESETS[draft.preset][1].title}",
        preset=draft.preset,
        starts_at=now,
        is_published=draft.is_real,
        **STAKES,
    )
    tournament = create_tournament(club, tournament_draft, context=CommandContext(actor=ACTOR, now=now))
    chance = Chance(f"{draft.seed}:{draft.preset}:{draft.players}:{draft.format}")
    return Room(tournament=tournament, chance=chance, now=now, state=tournament_state(tournament))


def _let_in(room: Room, players: Sequence[str], spare: Sequence[str]) -> None:
    """Enter all players, check them in and take payments; some stay away, one is on the standby list."""
    room.record_events(*(wire.PlayerEntered(player=player) for player in players))
    room.standby = list(spare)
    if spare and room.chance.happens(COMES_LATE):
        room.record_events(wire.PlayerEntered(player=spare[0], is_standby=True))
    away = room.chance.some_of(players, STAYS_AWAY) if len(players) > FEWEST_TO_LEAVE else []
    for player in players:
        if player in away:
            room.record_events(wire.MarkedAbsent(player=player))
        else:
            room.record_events(wire.CheckedIn(player=player), _paid(player))


def _paid(player: str) -> wire.EntryPaid:
    return wire.EntryPaid(player=player, amount_minor=STAKES["entry_minor"])


def _play_stages(room: Room) -> None:
    """Play round after round, cut after cut, until the plan is played or one player is left."""
    plan = room.state.plan
    if plan is None:
        raise Defect("a night is played by a plan")
    for number, stage in enumerate(plan.stages, 1):
        for played in range(stage.rounds):
            _between_rounds(room, is_first=number == 1 and played == 0)
            playable = room.playable
            if len(room.state.field()) < min(playable):
                return
            play_round(room, playable)
        if number < len(plan.stages):
            _cut(room)


def _between_rounds(room: Room, *, is_first: bool) -> None:
    """Late entries, players who leave, return or re-enter, and substitutes."""
    if is_first:
        return
    chance, plan = room.chance, room.state.plan
    _comings(room)
    field = room.state.field()
    if len(field) <= FEWEST_TO_LEAVE or plan is None:
        return
    room.record_events(*(wire.PlayerLeft(player=player) for player in chance.some_of(field, GOES_HOME)))
    if room.standby and chance.happens(IS_REPLACED):
        player = chance.one_of(room.state.field())
        room.record_events(wire.PlayerSubstituted(player=player, by=room.standby.pop(0), reason="had to go to work"))


def _comings(room: Room) -> None:
    """Late entries in the first stage, returning players, and re-entries where the stage allows them."""
    chance, state, stage = room.chance, room.state, room.stage
    plan = state.plan
    takes_late = plan is not None and state.stage == 1 and state.next_round <= plan.late_until_round
    if takes_late and room.standby and chance.happens(COMES_LATE):
        late = room.standby.pop(0)
        room.record_events(wire.PlayerEntered(player=late), wire.CheckedIn(player=late), _paid(late))
    away = [player for player, entrant in state.entrants.items() if entrant.standing == "left"]
    room.record_events(*(wire.PlayerReturned(player=player) for player in chance.some_of(away, COMES_BACK)))
    if stage.reentry_minor and state.next_round <= stage.reentry_until_round:
        out = [p for p, entrant in state.entrants.items() if entrant.plays and p not in state.field()]
        reentries = [wire.PlayerReentered(player=player, stage=state.stage) for player in out]
        open_to = [
            event for event in reentries if not problems_with(state, event) + too_little(state, event, room.game)
        ]
        for event in chance.some_of(open_to, BUYS_BACK):
            room.record_events(event, wire.EntryPaid(player=event.player, amount_minor=stage.reentry_minor))


def _cut(room: Room) -> None:
    """Break ties and make the cut; now and then it is withdrawn and made again."""
    for _ in range(MOST_TIES):
        proposal = propose_cut(room.state, seats_played(room.tournament, room.state), room.game)
        if not proposal.tasks:
            break
        for task in proposal.tasks:
            _settle(room, task.players, task.methods, task.stage)
    stage = room.state.stage
    room.state = make_cut(room.id, context=room.context()).state
    if room.chance.happens(CUT_AGAIN):
        room.state = withdraw_cut(room.id, stage, reason="a sheet was looked at again", context=room.context())
        room.state = make_cut(room.id, context=room.context()).state
        room.recorded["cut_withdrawn"] += 1
    room.recorded["cut_made"] += 1


def _settle(room: Room, players: Sequence[str], methods: Sequence[str], stage: int) -> None:
    """Break a tie with the first method that the plan names; one for the first place too, which wins nothing here."""
    seed = room.seed()
    match methods[0]:
        case "extra_deal":
            settled = wire.TieSettled(stage=stage, order=tuple(room.chance.shuffled(players)), method="extra_deal")
        case "high_card" if len(players) <= MOST_CARDS:
            cards = {drawn.player: str(drawn.card) for drawn in high_card(seed, players)}
            settled = wire.TieSettled(stage=stage, order=tuple(cards), method="high_card", cards=cards)
        case _:
            settled = wire.TieSettled(stage=stage, order=lots(seed, players), method="lots", seed=seed)
    room.record_events(settled)


def _winners(room: Room) -> tuple[str, ...]:
    """Return the players in first place of the last stage played; ties are broken as the plan says."""
    state = room.state
    last = state.rounds[-1].stage if state.rounds else 0
    if last < state.stage and len(state.field()) == 1:
        return state.field()
    first = _first_of(room, last)
    if len(first) > 1:
        breaks = state.plan.tie_breaks if state.plan else ()
        methods = [name for name in breaks if name in ("extra_deal", "high_card", "lots")]
        if methods:
            _settle(room, first, methods, last)
    return _first_of(room, last)


def _first_of(room: Room, stage: int) -> tuple[str, ...]:
    return tuple(row.player for row in room.standings(stage) if row.place == 1)
