"""What speaks against a fact about money: what a player pays to enter, and who has won a side pot.

Rules: docs/rules/tournaments.md, "Fees" and "Side pots". Knows nothing of amounts taken or accounts.
"""

from scoring.evening.plans.prizes import SidePot
from scoring.evening.state.fees import has_entry, has_joined
from scoring.evening.state.refusals import already, of_player, twice, unknown
from scoring.evening.state.state import Evening
from scoring.facts import wire
from scoring.problems import Problem


def terms(evening: Evening, fact: wire.EntryTermsSet) -> list[Problem]:
    known = evening.entrants.get(fact.player)
    if known is None:
        return [unknown(fact.player)]
    if (known.rate, known.pots) == (fact.rate, fact.pots):
        return [already(fact.player, "{seat} has entered on these terms already")]
    problems = []
    if fact.rate == "member" and (evening.plan is None or evening.plan.member_minor is None):
        problems.append(of_player(fact.player, "not_a_choice", "the plan has no entry fee for members", field="rate"))
    if len(set(fact.pots)) < len(fact.pots):
        problems.append(of_player(fact.player, "not_a_choice", "{seat} joins a side pot twice", field="pots"))
    for name in dict.fromkeys(fact.pots):
        pot = _pot_called(evening, name)
        if pot is None:
            problems.append(_no_such_pot(evening, name, "pots"))
        elif pot.joins == "everybody":
            detail = f"everybody plays for {name}: nobody joins it"
            problems.append(of_player(fact.player, "not_a_choice", detail, field="pots"))
    return problems


def pot_won(evening: Evening, fact: wire.SidePotWon) -> list[Problem]:
    pot = _pot_called(evening, fact.pot)
    if pot is None:
        return [_no_such_pot(evening, fact.pot, "pot")]
    if fact.pot in evening.pots_won:
        detail = f"{fact.pot} has been won already: take that back first"
        return [Problem(code="already_won", field="pot", detail=detail)]
    problems = twice(fact.players, field="players")
    if not fact.players:
        problems.append(Problem(code="missing_field", field="players", detail=f"say who has won {fact.pot}"))
    for player in dict.fromkeys(fact.players):
        problems += _winner_problems(evening, pot, player)
    return problems


def pot_not_won(evening: Evening, fact: wire.SidePotWinUndone) -> list[Problem]:
    if fact.pot in evening.pots_won:
        return []
    return [Problem(code="not_won", field="pot", detail=f"nobody has won {fact.pot}")]


def _winner_problems(evening: Evening, pot: SidePot, player: str) -> list[Problem]:
    """A substitute plays for the pots of whoever had the place first, and for no other: that entry alone pays in."""
    if player not in evening.entrants:
        return [unknown(player)]
    places = [evening.entrants[holder] for holder in evening.before(player) if holder in evening.entrants]
    if has_entry(places[0]) and has_joined(places[-1], pot):
        return []
    return [of_player(player, "not_a_choice", f"{{seat}} does not play for {pot.name}", field="players")]


def _pot_called(evening: Evening, name: str) -> SidePot | None:
    pots = evening.plan.side_pots if evening.plan else ()
    return next((pot for pot in pots if pot.name == name), None)


def _no_such_pot(evening: Evening, name: str, field: str) -> Problem:
    pots = evening.plan.side_pots if evening.plan else ()
    known = f"; there are {', '.join(pot.name for pot in pots)}" if pots else ""
    return Problem(code="not_a_choice", field=field, detail=f"the plan has no side pot {name!r}{known}")
