"""Problems with an event about one player: entering, checking in, paying, leaving, returning.

Rules: docs/events.md, "Tournaments". Of seats it knows only who has had one.
"""

from scoring.events import wire
from scoring.messages import Message, Seat, say
from scoring.problems import Problem
from scoring.tournament.state import Entrant, RoundSeating, Standing, TournamentState
from scoring.tournament.state.reentries import start_problems
from scoring.tournament.state.refusals import ALREADY, already, away, is_away, of_player


def entered(state: TournamentState, event: wire.PlayerEntered) -> list[Problem]:
    entrant = state.entrants.get(event.player)
    if entrant is not None and (entrant.plays or (entrant.standing is Standing.STANDBY and event.is_standby)):
        return [already(say("{seat} has entered already", seat=Seat(event.player)))]
    if entrant is not None and entrant.standing in (Standing.LEFT, Standing.ABSENT, Standing.SUBSTITUTED):
        return [of_player(event.player, "is_away", _way_back(event.player, entrant))]
    return [] if event.is_standby else late_problems(state, event)


def late_problems(state: TournamentState, event: wire.PlayerEntered) -> list[Problem]:
    """Late entries are taken as long as the plan says, and in its first stage only.

    A seat in the round that is being played is one in that round, not in the next.
    """
    player, playing = event.player, state.last_round
    if event.round is not None and (playing is None or playing.round != event.round or playing.stage != state.stage):
        detail = say("round {round} is not being played", round=event.round)
        return [of_player(player, "wrong_round", detail, field="round")]
    if not state.is_started or state.plan is None:
        return []
    last = state.plan.late_until_round
    if state.stage == 1 and (event.round or state.next_round) <= last:
        return []
    detail = say(
        "{seat} is too late: entry closed after round {last}, and round {round} is next",
        seat=Seat(player),
        last=last,
        round=state.next_round,
    )
    return [Problem("too_late", detail, field="player")]


def withdrawn(state: TournamentState, known: Entrant, event: wire.EntryWithdrawn) -> list[Problem]:
    if known.standing is Standing.WITHDRAWN:
        return [already(say("{seat} has withdrawn already", seat=Seat(event.player)))]
    if known.standing is Standing.SUBSTITUTED:
        return [of_player(event.player, "is_away", _way_back(event.player, known))]
    if was_seated(state, event.player):
        detail = say("{seat} has been seated already: mark the player as left", seat=Seat(event.player))
        return [Problem("was_seated", detail, field="player")]
    return []


def checked_in(state: TournamentState, known: Entrant, event: wire.CheckedIn) -> list[Problem]:
    if known.is_checked_in:
        return [already(say("{seat} is checked in already", seat=Seat(event.player)))]
    if known.standing not in (Standing.ENTERED, Standing.STANDBY):
        return [is_away(event.player, known)]
    return []


def unticked(state: TournamentState, known: Entrant, event: wire.CheckInUndone) -> list[Problem]:
    return [] if known.is_checked_in else [already(say("{seat} is not checked in", seat=Seat(event.player)))]


def refunded(state: TournamentState, known: Entrant, event: wire.EntryRefunded) -> list[Problem]:
    if event.amount_minor <= known.paid_minor:
        return []
    detail = say("{seat} has paid less: refund at most what was paid", seat=Seat(event.player))
    return [Problem("out_of_range", detail, field="amount_minor")]


def absent(state: TournamentState, known: Entrant, event: wire.MarkedAbsent) -> list[Problem]:
    if known.standing is Standing.ABSENT:
        return [already(say("{seat} is already a no-show", seat=Seat(event.player)))]
    if not known.plays:
        return [is_away(event.player, known)]
    return []


def left(state: TournamentState, known: Entrant, event: wire.PlayerLeft) -> list[Problem]:
    if known.standing is Standing.LEFT:
        return [already(say("{seat} has left already", seat=Seat(event.player)))]
    return [] if known.plays else [is_away(event.player, known)]


def returned(state: TournamentState, known: Entrant, event: wire.PlayerReturned) -> list[Problem]:
    if known.plays:
        return [already(say("{seat} is in already", seat=Seat(event.player)))]
    if known.standing in (Standing.LEFT, Standing.ABSENT):
        return []
    return [is_away(event.player, known)]


def hidden(state: TournamentState, known: Entrant, event: wire.PlayerHidden) -> list[Problem]:
    """Only a player named in a round is on a page of the public; without a plan nobody leaves between the tables."""
    if state.plan is None:
        return [of_player(event.player, "no_plan", say("the tournament has no plan: nobody can be hidden"))]
    if known.is_hidden:
        return [already(say("{seat} is already hidden", seat=Seat(event.player)))]
    if known.standing not in (Standing.LEFT, Standing.ABSENT):
        detail = say(
            "{seat} has not left: only players who left or are no-shows can be hidden", seat=Seat(event.player)
        )
        return [of_player(event.player, "has_not_left", detail)]
    if was_seated(state, event.player) or any(event.player in seated.sitting_out for seated in state.rounds):
        return []
    detail = say("{seat} had no seat, and is on no public page", seat=Seat(event.player))
    return [of_player(event.player, "never_seated", detail)]


def shown(state: TournamentState, known: Entrant, event: wire.PlayerShown) -> list[Problem]:
    return [] if known.is_hidden else [already(say("{seat} is not hidden", seat=Seat(event.player)))]


def substituted(state: TournamentState, known: Entrant, event: wire.PlayerSubstituted) -> list[Problem]:
    other = state.entrants.get(event.by)
    problems = []
    if event.round is not None and (state.last_round is None or state.last_round.round != event.round):
        detail = say("round {round} is not being played", round=event.round)
        problems.append(of_player(event.player, "wrong_round", detail, field="round"))
    if not known.plays:
        problems.append(is_away(event.player, known))
    if event.by == event.player:
        detail = say("{seat} cannot be their own substitute", seat=Seat(event.by))
        problems.append(Problem("same_player", detail, field="by"))
    elif other is not None and other.standing not in (Standing.STANDBY, Standing.WITHDRAWN):
        detail = say("{seat} is or was already a player", seat=Seat(event.by))
        problems.append(Problem("plays_already", detail, field="by"))
    return problems


def unsubstituted(state: TournamentState, known: Entrant, event: wire.SubstitutionUndone) -> list[Problem]:
    """Only while the substitute has played no earlier round; the command checks that no deal was recorded with them."""
    by = known.replaced_by
    if by is None:
        detail = say("nobody plays as a substitute for {seat}", seat=Seat(event.player))
        return [Problem("nothing_to_undo", detail, field="player")]
    if not state.entrants[by].plays:
        return [of_player(by, "is_away", _way_back(by, state.entrants[by]))]
    played = [seated for seated in state.rounds if by in _named_in(seated)]
    if not played:
        return []
    last = played[-1]
    if played != [state.last_round] or last.stage != state.stage:
        detail = say(
            "{seat} has played in round {round}: the substitution cannot be undone",
            seat=Seat(by),
            round=played[0].round,
        )
        return [Problem("already_played", detail, field="player")]
    if any(move.round == last.round and _moved_with(last, move.numbers, by) for move in state.moves):
        detail = say("{seat} was moved in round {round}: undo the move first", seat=Seat(by), round=last.round)
        return [Problem("already_played", detail, field="player")]
    return []


def reentered(state: TournamentState, known: Entrant, event: wire.PlayerReentered) -> list[Problem]:
    stage = state.current
    if stage is None or event.stage != state.stage or not stage.reentry_minor:
        detail = say("stage {number} has no re-entry", number=event.stage)
        return [of_player(event.player, "no_reentry", detail, field="stage")]
    if event.stage in known.reentries:
        return [
            already(say("{seat} has already re-entered in stage {number}", seat=Seat(event.player), number=event.stage))
        ]
    if state.next_round > stage.reentry_until_round:
        detail = say(
            "re-entry closed after round {last}, and round {round} is next",
            last=stage.reentry_until_round,
            round=state.next_round,
        )
        return [of_player(event.player, "too_late", detail)]
    if not known.plays:
        return [is_away(event.player, known)]
    return start_problems(state, event)


def unreentered(state: TournamentState, known: Entrant, event: wire.ReentryUndone) -> list[Problem]:
    if event.stage not in known.reentries:
        detail = say("{seat} has no re-entry in stage {number}", seat=Seat(event.player), number=event.stage)
        return [Problem(ALREADY, detail, field="player")]
    if event.stage == state.stage and known.reentered_before == state.next_round:
        return []
    detail = say(
        "round {round} was seated after {seat} had re-entered", round=state.next_round - 1, seat=Seat(event.player)
    )
    return [Problem("already_played", detail, field="player")]


def _way_back(player: str, known: Entrant) -> Message:
    """Why a player does not play, and the action that brings them back, by the name of its button."""
    why = away(player, known)
    match known.standing:
        case Standing.ABSENT:
            return say("{why}: mark the player as arrived", why=why)
        case Standing.LEFT:
            return say("{why}: mark the player as returned", why=why)
        case Standing.SUBSTITUTED:
            return say("{why}: remove the substitute first", why=why)
    return why


def _named_in(seated: RoundSeating) -> set[str]:
    """All players who were given a place in a round."""
    return {player for table in seated.tables for player in table.players}.union(seated.sitting_out)


def _moved_with(seated: RoundSeating, numbers: tuple[int, ...], player: str) -> bool:
    return any(table.number in numbers and player in table.players for table in seated.tables)


def was_seated(state: TournamentState, player: str) -> bool:
    """Whether a player has had a seat: of their own, or that of the player whom they replaced during a round."""
    place = state.entrants[player].plays_for
    if place is not None and state.entrants[place].replaced_in is not None:
        return True
    return any(player in table.players for seated in state.rounds for table in seated.tables)
