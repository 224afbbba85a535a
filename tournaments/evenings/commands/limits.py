"""Nobody spends more than they have in the club, and were granted to owe.

Rules: docs/books.md, "The cash desk", and docs/evening.md, "Entries in the books". Asked under the club's turn, so that
nobody else spends the same money meanwhile.
"""

from collections.abc import Sequence
from functools import cached_property

from scoring import ledger
from scoring.evening import Evening, fold_evening
from scoring.evening.prizes.entry_plan import ACCOUNT
from scoring.evening.state.charges import any_money_in
from scoring.facts.wire import EntryPaid, Fact, PlanMade
from scoring.money import format_minor
from scoring.problems import Problem
from tournaments.books.causes import entry_cause
from tournaments.books.player_balances import Means, hold_means
from tournaments.evenings.prize_money import EveningMoney
from tournaments.models import Tournament


class Purses:
    """What the players of one deed have, held for all of them together when the first of them spends something."""

    def __init__(self, tournament: Tournament, facts: Sequence[Fact]) -> None:
        """Ask nothing yet: money that is brought is no question of balances."""
        self.tournament = tournament
        self._facts = facts

    @cached_property
    def means(self) -> dict[str, Means]:
        """By player, in the tournament's currency."""
        players = {player for fact in self._facts if (player := getattr(fact, "player", None)) is not None}
        return hold_means(self.tournament.club_id, self.tournament.currency, players)


def problem_of_spending(means: Means, player: str, currency: str, amount_minor: int) -> Problem | None:
    """What speaks against a player's spending so much of what is theirs; the player is the problem's seat."""
    if amount_minor <= means.room_minor:
        return None
    amounts = (means.balance_minor, means.staked_minor, max(0, means.room_minor), amount_minor)
    said, held, left, asked = (format_minor(amount, currency) for amount in amounts)
    plain = f"{{seat}} has {said} {currency} in the club and may spend {left}: not {asked}"
    staked = (
        f"{{seat}} has {said} {currency} in the club, {held} of it at stake at open tables, "
        f"and may spend {left}: not {asked}"
    )
    detail = staked if means.staked_minor else plain
    return Problem(code="balance_too_low", seat=player, field="amount_minor", detail=detail)


def entry_problems(purses: Purses, begun: Evening, before: Evening, fact: Fact) -> list[Problem]:
    """What speaks against an entry paid from, or given back out of, a balance that does not cover it.

    So it is where a fact takes up again what was paid before and is a balance since: somebody who withdrew enters once
    more, or pays the full fee after all. `begun` is the evening before the whole deed, so that one balance is not spent
    by each of its facts. Money that is brought, or goes back where it came from, is no question.
    """
    if isinstance(fact, PlanMade):
        return problems_of_taking_again(purses.tournament, fold_evening(before, [(before.version + 1, fact)]))
    player = getattr(fact, "player", None)
    if player is None or (before.plan is not None and before.plan.is_rehearsal):
        return []
    if before.plan is None and isinstance(fact, EntryPaid) and fact.place == ACCOUNT:
        detail = "nothing is booked for an entry before there is a plan: make it, then the balance can pay"
        return [Problem(code="no_plan", seat=player, field="place", detail=detail)]
    after = fold_evening(before, [(before.version + 1, fact)])
    tournament = purses.tournament
    spent = max(_by_account(after, player) - _by_account(begun, player), _taken(tournament, begun, after, player))
    if spent <= 0:
        return []
    problem = problem_of_spending(purses.means[player], player, tournament.currency, spent)
    return [problem] if problem else []


def problems_of_taking_again(tournament: Tournament, after: Evening) -> list[Problem]:
    """Whose entry takes again what was theirs meanwhile and is gone, where something made everybody's entry another.

    A tournament that was given up goes on, a fee rises, a substitution is taken back. Held against the books, for what
    a worker has not given back yet is nobody's to spend. Three queries where money is in it; none otherwise.
    """
    if not any_money_in(after):
        return []
    causes = {player: entry_cause(tournament.pk, player) for player in after.entrants}
    stands = ledger.booked_for_players(tournament.club_id, list(causes.values()), list(causes))
    money = EveningMoney(tournament=tournament, evening=after)
    taken = {player: stands.get((cause, player), 0) - money.balance_left(player) for player, cause in causes.items()}
    spent = {player: amount for player, amount in taken.items() if amount > 0}
    means = hold_means(tournament.club_id, tournament.currency, spent)
    return [
        _gone(player, tournament.currency, amount, means[player].room_minor)
        for player, amount in spent.items()
        if amount > means[player].room_minor
    ]


def _gone(player: str, currency: str, amount_minor: int, room_minor: int) -> Problem:
    asked, left = format_minor(amount_minor, currency), format_minor(max(0, room_minor), currency)
    detail = (
        f"{{seat}} has had {asked} {currency} of the entry back, and {left} are there: "
        "take money at the cash desk, or grant credit"
    )
    return Problem(code="balance_too_low", seat=player, detail=detail)


def _by_account(evening: Evening, player: str) -> int:
    entrant = evening.entrants.get(player)
    return entrant.paid_elsewhere.get(ACCOUNT, 0) if entrant else 0


def _taken(tournament: Tournament, begun: Evening, after: Evening, player: str) -> int:
    """How much less a player's entry leaves on the account than it did."""
    was, now = (EveningMoney(tournament=tournament, evening=evening) for evening in (begun, after))
    return was.balance_left(player) - now.balance_left(player)
