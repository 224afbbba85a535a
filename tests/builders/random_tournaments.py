"""Random nights: a seed gives the players, the game, the format and everything that goes wrong."""

import json
import random
from collections import Counter
from collections.abc import Iterator

from scoring.ledger import ledger_problems, trial_balance
from scoring.rules.variants import VARIANTS
from scoring.tournament.plans.formats import format_for
from scoring.tournament.standings import final_places
from tests.builders.playing import NOW
from tournaments.feasibility.suggest import playable_sizes
from tournaments.models import Club, Scoresheet, Seat
from tournaments.models.log import Event
from tournaments.projections.boards import seats_played
from tournaments.projections.terms import game_of
from tournaments.rehearsal import can_be_played, names_of
from tournaments.rehearsal.simulation import STAKES, SimulatedTournament, SimulationDraft, simulate_tournament
from tournaments.running.commands.create import plan_of_format

FEWEST, MOST = 7, 60


def draft_of(number: int) -> SimulationDraft:
    """What is played on the night of this seed: mostly few players, all games alike."""
    chance = random.Random(number)
    rules = chance.choice([*VARIANTS.values(), VARIANTS["pool"], VARIANTS["pool"]])
    preset = chance.choice(rules.presets)
    players = FEWEST + int((MOST - FEWEST + 1) * chance.random() ** 3)
    playable = playable_sizes(rules.name, preset.options, STAKES)
    plans = {known.name: plan_of_format(known.name, players) for known in format_for(players, rules.name)}
    fitting = [name for name, plan in plans.items() if all(can_be_played(stage, playable) for stage in plan["stages"])]
    return SimulationDraft(
        players=players,
        preset=preset.name,
        seed=str(number),
        format=chance.choice(fitting) if fitting else "",
        is_real=chance.random() < 0.3,
        confirmation="second_seat" if chance.random() < 0.2 else "at_once",
    )


def played(number: int, club: Club) -> SimulatedTournament:
    return simulate_tournament(club, draft_of(number), now=NOW)


def broken(night: SimulatedTournament) -> list[str]:
    """Everything that does not hold after a night, in words."""
    return [*_broken_rounds(night), *_broken_cuts(night), *_broken_end(night), *_broken_money(night)]


def _broken_rounds(night: SimulatedTournament) -> Iterator[str]:
    """Every player has one place in a round, at a table or sitting out, and the seats agree with the evening."""
    for seated in night.state.rounds:
        moved = {number for move in night.state.moves if move.round == seated.round for number in move.numbers}
        at_first = Counter(p for t in seated.tables if t.number not in moved for p in t.players)
        at_first.update(seated.sitting_out)
        in_the_end = Counter(player for table in seated.running for player in table.players)
        yield from (f"{p} has two places in round {seated.round}" for p, n in at_first.items() if n > 1)
        yield from (f"{p} ends twice in round {seated.round}" for p, n in in_the_end.items() if n > 1)
        yield from (f"{p} comes from nowhere in round {seated.round}" for p in in_the_end if p not in at_first)
        rows = Seat.objects.filter(table__tournament=night.tournament, table__round=seated.round)
        rows = rows.filter(table__number__in=[table.number for table in seated.running])
        if Counter(map(str, rows.values_list("player_id", flat=True))) != in_the_end:
            yield f"the seats of round {seated.round} are not those of the evening"


def _broken_cuts(night: SimulatedTournament) -> Iterator[str]:
    """As many qualify as the plan says, or as many as there are."""
    plan = night.state.plan
    assert plan is not None
    for cut in night.state.cuts:
        stage, last = plan.stages[cut.stage - 1], night.state.rounds_of(cut.stage)[-1]
        if stage.at_least is not None:
            continue
        of_tables = sum(min(stage.per_table, len(table.players)) for table in last.running)
        there = sum(len(table.players) for table in last.tables if not table.is_over) + len(last.sitting_out)
        wanted = stage.advancing or of_tables + stage.wild_cards
        if len(cut.advancing) != wanted and len(cut.advancing) < there:
            yield f"{len(cut.advancing)} went on from stage {cut.stage}; the plan says {wanted}"


def _broken_end(night: SimulatedTournament) -> Iterator[str]:
    """One winner, everything closed, no contradictions."""
    if len(night.winners) != 1:
        yield f"{len(night.winners)} winners: {night.winners}"
    seats = seats_played(night.tournament, night.state)
    places = final_places(night.state, seats, lambda stage: game_of(night.tournament, night.state, stage))
    first = tuple(player for player, place in places if place == 1)
    if names_of(first) != night.winners:
        yield f"{night.winners} won, but the prizes would go to {names_of(first)}"
    if night.tournament.closed_at is None or not night.state.is_closed:
        yield "the tournament is open"
    sheets = Scoresheet.objects.filter(table__tournament=night.tournament)
    if sheets.filter(is_closed=False, is_cancelled=False).exists():
        yield "a table is open"
    if sheets.filter(has_conflict=True).exists():
        yield "events of a table contradict each other"


def _broken_money(night: SimulatedTournament) -> Iterator[str]:
    """What was taken at the desk is what players have paid; books that count add up, and a practice has none."""
    taken = Event.objects.filter(stream_id=night.tournament.id, kind="entry_paid")
    paid = sum(entrant.paid_minor for entrant in night.state.entrants.values())
    if sum(json.loads(body)["amount_minor"] for body in taken.values_list("body", flat=True)) != paid:
        yield "what was taken at the desk is not what the players have paid"
    yield from (f"books: {problem}" for problem in ledger_problems())
    lines = trial_balance(night.tournament.club_id)
    if sum(line.balance_minor for line in lines):
        yield "the books do not add up"
    if lines and night.state.plan and night.state.plan.is_rehearsal:
        yield "a rehearsal has been settled"
