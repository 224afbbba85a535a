"""What speaks against a fact about one player: entering, arriving, paying, leaving, coming back.

Rules: docs/events.md, "Tournaments". Knows nothing of seats but who has had one.
"""

from scoring.evening.state.reentries import start_problems
from scoring.evening.state.refusals import ALREADY, AWAY, already, of_player, unknown
from scoring.evening.state.state import Evening, RoundSeating, Standing
from scoring.facts import wire
from scoring.problems import Problem


def entered(evening: Evening, fact: wire.PlayerEntered) -> list[Problem]:
    known = evening.entrants.get(fact.player)
    if known is not None and (known.plays or (known.standing is Standing.STANDBY and fact.is_standby)):
        return [already(fact.player, "{seat} has entered already")]
    if known is not None and known.standing in (Standing.LEFT, Standing.ABSENT, Standing.SUBSTITUTED):
        return [of_player(fact.player, "is_away", f"{AWAY[known.standing]}: let them return instead")]
    return [] if fact.is_standby else _late_problems(evening, fact.player)


def _late_problems(evening: Evening, player: str) -> list[Problem]:
    """Late entries are taken as long as the plan says, and in its first stage only."""
    if not evening.is_started or evening.plan is None:
        return []
    last = evening.plan.late_until_round
    if evening.stage == 1 and evening.next_round <= last:
        return []
    detail = f"{{seat}} is too late: entries were taken up to round {last}, and round {evening.next_round} is next"
    return [of_player(player, "too_late", detail)]


def withdrawn(evening: Evening, fact: wire.EntryWithdrawn) -> list[Problem]:
    known = evening.entrants.get(fact.player)
    if known is None:
        return [unknown(fact.player)]
    if known.standing is Standing.WITHDRAWN:
        return [already(fact.player, "{seat} has withdrawn already")]
    if known.standing is Standing.SUBSTITUTED:
        detail = f"{AWAY[known.standing]}: withdraw the substitute first"
        return [of_player(fact.player, "is_away", detail)]
    if _was_seated(evening, fact.player):
        return [of_player(fact.player, "was_seated", "{seat} has been seated already: say that they left")]
    return []


def checked_in(evening: Evening, fact: wire.CheckedIn) -> list[Problem]:
    known = evening.entrants.get(fact.player)
    if known is None:
        return [unknown(fact.player)]
    if known.is_checked_in:
        return [already(fact.player, "{seat} is checked in already")]
    if known.standing not in (Standing.ENTERED, Standing.STANDBY):
        return [of_player(fact.player, "is_away", AWAY[known.standing])]
    return []


def unticked(evening: Evening, fact: wire.CheckInUndone) -> list[Problem]:
    known = evening.entrants.get(fact.player)
    if known is None:
        return [unknown(fact.player)]
    return [] if known.is_checked_in else [already(fact.player, "{seat} is not checked in")]


def paid(evening: Evening, fact: wire.EntryPaid) -> list[Problem]:
    return [] if fact.player in evening.entrants else [unknown(fact.player)]


def refunded(evening: Evening, fact: wire.EntryRefunded) -> list[Problem]:
    known = evening.entrants.get(fact.player)
    if known is None:
        return [unknown(fact.player)]
    if fact.amount_minor <= known.paid_minor:
        return []
    detail = "{seat} has not paid so much: no more can be given back than was paid"
    return [of_player(fact.player, "out_of_range", detail, field="amount_minor")]


def absent(evening: Evening, fact: wire.MarkedAbsent) -> list[Problem]:
    known = evening.entrants.get(fact.player)
    if known is None:
        return [unknown(fact.player)]
    if known.standing is Standing.ABSENT:
        return [already(fact.player, "{seat} is marked absent already")]
    if not known.plays:
        return [of_player(fact.player, "is_away", AWAY[known.standing])]
    return []


def left(evening: Evening, fact: wire.PlayerLeft) -> list[Problem]:
    known = evening.entrants.get(fact.player)
    if known is None:
        return [unknown(fact.player)]
    if known.standing is Standing.LEFT:
        return [already(fact.player, "{seat} has left already")]
    return [] if known.plays else [of_player(fact.player, "is_away", AWAY[known.standing])]


def returned(evening: Evening, fact: wire.PlayerReturned) -> list[Problem]:
    known = evening.entrants.get(fact.player)
    if known is None:
        return [unknown(fact.player)]
    if known.plays:
        return [already(fact.player, "{seat} is in already")]
    if known.standing in (Standing.LEFT, Standing.ABSENT):
        return []
    return [of_player(fact.player, "is_away", AWAY[known.standing])]


def substituted(evening: Evening, fact: wire.PlayerSubstituted) -> list[Problem]:
    known, other = evening.entrants.get(fact.player), evening.entrants.get(fact.by)
    if known is None:
        return [unknown(fact.player)]
    problems = []
    if not known.plays:
        problems.append(of_player(fact.player, "is_away", AWAY[known.standing]))
    if fact.by == fact.player:
        problems.append(of_player(fact.by, "same_player", "{seat} cannot be their own substitute", field="by"))
    elif other is not None and other.standing not in (Standing.STANDBY, Standing.WITHDRAWN):
        problems.append(of_player(fact.by, "plays_already", "{seat} plays, or has played, for themselves", field="by"))
    return problems


def unsubstituted(evening: Evening, fact: wire.SubstitutionUndone) -> list[Problem]:
    """As long as the substitute has played no round before; the command sees that no deal was recorded with them."""
    known = evening.entrants.get(fact.player)
    if known is None:
        return [unknown(fact.player)]
    by = known.replaced_by
    if by is None:
        return [of_player(fact.player, "nothing_to_undo", "nobody plays in the place of {seat}")]
    if not evening.entrants[by].plays:
        detail = f"{AWAY[evening.entrants[by].standing]}: let them return first"
        return [of_player(by, "is_away", detail)]
    played = [seated for seated in evening.rounds if by in _named_in(seated)]
    if not played:
        return []
    last = played[-1]
    if played != [evening.last_round] or last.stage != evening.stage:
        detail = f"{{seat}} has played in round {played[0].round}: the place cannot be given back"
        return [of_player(by, "already_played", detail)]
    if any(move.round == last.round and _moved_with(last, move.numbers, by) for move in evening.moves):
        detail = f"{{seat}} was moved in round {last.round}: take the move back first"
        return [of_player(by, "already_played", detail)]
    return []


def reentered(evening: Evening, fact: wire.PlayerReentered) -> list[Problem]:
    known, stage = evening.entrants.get(fact.player), evening.current
    if known is None:
        return [unknown(fact.player)]
    if stage is None or fact.stage != evening.stage or not stage.reentry_minor:
        return [of_player(fact.player, "no_reentry", f"stage {fact.stage} takes no re-entries", field="stage")]
    if fact.stage in known.reentries:
        return [already(fact.player, f"{{seat}} has bought back into stage {fact.stage} already")]
    if evening.next_round > stage.reentry_until_round:
        detail = (
            f"re-entries were taken up to round {stage.reentry_until_round}, and round {evening.next_round} is next"
        )
        return [of_player(fact.player, "too_late", detail)]
    if not known.plays:
        return [of_player(fact.player, "is_away", AWAY[known.standing])]
    return start_problems(evening, fact)


def unreentered(evening: Evening, fact: wire.ReentryUndone) -> list[Problem]:
    known = evening.entrants.get(fact.player)
    if known is None:
        return [unknown(fact.player)]
    if fact.stage not in known.reentries:
        return [of_player(fact.player, ALREADY, f"{{seat}} has no re-entry in stage {fact.stage}")]
    if fact.stage == evening.stage and known.reentered_before == evening.next_round:
        return []
    detail = f"round {evening.next_round - 1} was seated after {{seat}} had bought back in"
    return [of_player(fact.player, "already_played", detail)]


def _named_in(seated: RoundSeating) -> set[str]:
    """Everybody who was given a place in a round."""
    return {player for table in seated.tables for player in table.players}.union(seated.sitting_out)


def _moved_with(seated: RoundSeating, numbers: tuple[int, ...], player: str) -> bool:
    return any(table.number in numbers and player in table.players for table in seated.tables)


def _was_seated(evening: Evening, player: str) -> bool:
    return any(player in table.players for seated in evening.rounds for table in seated.tables)
