"""How rounds count that a player did not play: late, gone, sitting out, or played by a substitute.

Rules: docs/rules/tournaments.md, "Policies". Two rules hold for every plan: leaving and coming back never gives a
better place than staying, and a late entry never starts better than the average. Knows nothing of cuts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from scoring.messages import Message, say
from scoring.tournament.plans import Plan
from scoring.tournament.state import RoundSeating, Standing, TournamentState
from scoring.tournament.state.played import Game, Part, PartKind, Score, average, score_text

MOST_ROUNDS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the standings: the player, and the people whose seats count for it.

    `is_here` is as of now; `stayed` is as of the end of the stage, or as of now while it is being played.
    """

    player: str
    people: tuple[str, ...]
    is_here: bool
    stayed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundScore:
    """The score of a line in one round, and from how many deals. `offset` puts it behind others whatever it scored."""

    amount: Score
    deals: Score
    offset: Score = 0


# Who was there, round by round.
Named = Mapping[int, frozenset[str]]
# All players' scores, round by round.
Field = Sequence[Mapping[int, RoundScore]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedRounds:
    """The rounds that do not count as a line's own play, by cause.

    `late` were over before the player entered, `forfeited` are given up, `averaged` count with the line's own average.
    """

    late: tuple[int, ...] = ()
    forfeited: tuple[int, ...] = ()
    averaged: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenScore:
    """A part of a score that a policy gives, and the deals that it counts for where averages are compared."""

    part: Part
    deals: Score = 0


def lines_of(state: TournamentState, stage: int, policy: str) -> tuple[Line, ...]:
    """All lines of a stage, in the order of their seats. A substitute plays on the seat's line, or on an own one."""
    lines: dict[str, Line] = {}
    for player in _members(state, stage):
        if policy != "seat":
            lines[player] = Line(
                player=player,
                people=(player,),
                is_here=state.entrants[player].plays,
                stayed=_stayed(state, player, stage),
            )
            continue
        *_, first = state.before(player)
        now = state.playing_for(first)
        people = tuple(_chain(state, first))
        is_here, stayed = state.entrants[now].plays, _place_stayed(state, first, stage)
        lines.setdefault(first, Line(player=now, people=people, is_here=is_here, stayed=stayed))
    return tuple(lines.values())


def named_in(rounds: Iterable[RoundSeating]) -> Named:
    """All players who had a seat in a round, or sat out."""
    return {
        seated.round: frozenset([p for table in seated.tables for p in table.players]).union(seated.sitting_out)
        for seated in rounds
    }


def missed_rounds(state: TournamentState, line: Line, named: Named, plan: Plan) -> MissedRounds:
    """Which rounds do not count as a line's own play, and why.

    The average is for players who stay away: one who returns has forfeited the missed rounds. Else a good start could
    be protected by leaving for a while.
    """
    there = [number for number, players in named.items() if not players.isdisjoint(line.people)]
    absent = [number for number in named if number not in there]
    if plan.substitute == "split" and _is_half(state, line.player):
        return MissedRounds(averaged=tuple(absent))
    late = tuple(number for number in absent if not there or number < there[0])
    gone = tuple(number for number in absent if number not in late)
    if plan.leaving == "void" and (gone or not line.stayed):
        last_gone = max(gone, default=0) if line.stayed else MOST_ROUNDS
        return MissedRounds(late=late, forfeited=tuple(sorted({*gone, *(n for n in there if n <= last_gone)})))
    if plan.leaving == "average" and not line.stayed:
        return MissedRounds(late=late, averaged=gone)
    return MissedRounds(late=late, forfeited=gone)


def late_start(rounds: Sequence[int], field: Field, plan: Plan, game: Game) -> GivenScore | None:
    """What a late entry starts with for the earlier rounds. Never better than the average."""
    if not rounds:
        return None
    whole = [_sum(scores, rounds) for scores in field if all(number in scores for number in rounds)]
    if not whole:
        return None
    mean = average([score.amount for score in whole])
    worst = max((score.amount for score in whole), key=game.signed)
    match plan.late:
        case "zero":
            start: Score = game.worse(0, mean)
            why = say("starts with 0")
            if start:
                why = say("zero would be better than the average, {score}", score=score_text(mean))
        case "average":
            start, why = mean, say("starts with the average, {score}", score=score_text(mean))
        case "highest_plus":
            start = worst + (plan.late_plus if game.low_is_good else -plan.late_plus)
            why = say(
                "starts {number} behind the lowest, who had {score}", number=plan.late_plus, score=score_text(worst)
            )
        case _:
            assert_never(plan.late)
    text = say("Late entry, {where} missed: {why}", where=_rounds(rounds), why=why)
    part = Part(what=PartKind.LATE, amount=start, points=start, text=text)
    return GivenScore(part=part, deals=average([score.deals for score in whole]))


def forfeit(number: int, field: Field, game: Game, *, is_points: bool) -> GivenScore:
    """The score of a forfeited round: the worst of all players in it, or no points for the place."""
    played = [scores[number] for scores in field if number in scores]
    if is_points or not played:
        text = say("Round {round} forfeited", round=number)
        return GivenScore(part=Part(what=PartKind.LEAVING, amount=0, points=0, text=text, round=number))
    worst = max(played, key=lambda score: game.signed(score.amount))
    text = say("Round {round} forfeited: the worst of the round, {score}", round=number, score=score_text(worst.amount))
    part = Part(what=PartKind.LEAVING, amount=worst.amount, points=worst.amount, text=text, round=number)
    return GivenScore(part=part, deals=worst.deals)


def own_average(number: int, what: PartKind, own: Iterable[RoundScore], field: Iterable[RoundScore]) -> GivenScore:
    """The average of a player's own rounds; before the first of them, the average of all players in that round."""
    mine = list(own)
    mean = average([score.amount for score in mine or list(field)])
    deals = average([score.deals for score in mine])
    whose = say("own average") if mine else say("average of the round")
    text = _without_table(what, number, whose, score_text(mean)) if mine or mean else _away(what, number)
    return GivenScore(part=Part(what=what, amount=mean, points=mean, text=text, round=number), deals=deals)


def _away(what: PartKind, number: int) -> Message:
    if what is PartKind.SIT_OUT:
        return say("Sat out round {round}", round=number)
    return say("Left after round {round}", round=number)


def _without_table(what: PartKind, number: int, whose: Message, score: str) -> Message:
    if what is PartKind.SIT_OUT:
        return say("Sat out round {round}: {word}, {score}", round=number, word=whose, score=score)
    return say("Left after round {round}: {word}, {score}", round=number, word=whose, score=score)


def _stayed(state: TournamentState, player: str, stage: int) -> bool:
    """Whether a player stayed to the end of a stage: leaving, or returning, after its cut changes nothing in it."""
    cut = next((cut for cut in state.cuts if cut.stage == stage), None)
    return state.entrants[player].plays if cut is None else player not in cut.gone


def _place_stayed(state: TournamentState, player: str, stage: int) -> bool:
    """The same for a place: of the player who had it at the end."""
    cut = next((cut for cut in state.cuts if cut.stage == stage), None)
    if cut is None:
        return state.entrants[state.playing_for(player)].plays
    while cut.gone.get(player) is Standing.SUBSTITUTED and (by := state.entrants[player].replaced_by) is not None:
        player = by
    return cut.gone.get(player) in (None, Standing.SUBSTITUTED)


def _is_half(state: TournamentState, player: str) -> bool:
    """Whether a player played only a part of what the seat played."""
    entrant = state.entrants[player]
    return entrant.plays_for is not None or entrant.replaced_by is not None


def _members(state: TournamentState, stage: int) -> Iterable[str]:
    """Players by round, table and seat; then those who sat out; then those without a seat. Entrants are unordered."""
    rounds = state.rounds_of(stage)
    seated = [player for stage_round in rounds for table in stage_round.tables for player in table.players]
    idle = [player for stage_round in rounds for player in stage_round.sitting_out]
    waiting = sorted(state.field()) if stage == state.stage else []
    return dict.fromkeys([*seated, *idle, *waiting])


def _chain(state: TournamentState, player: str) -> Iterable[str]:
    """A player and all who have played in that place since."""
    following: str | None = player
    while following is not None:
        yield following
        following = state.entrants[following].replaced_by


def _sum(scores: Mapping[int, RoundScore], rounds: Sequence[int]) -> RoundScore:
    return RoundScore(
        amount=sum(scores[number].amount for number in rounds),
        deals=sum(scores[number].deals for number in rounds),
    )


def _rounds(numbers: Sequence[int]) -> Message:
    if len(numbers) == 1:
        return say("round {round}", round=numbers[0])
    return say("rounds {rounds}", rounds=tuple(numbers))
