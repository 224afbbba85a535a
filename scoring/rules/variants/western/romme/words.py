"""How players say the options of Romme, and what is asked for at its tables.

Rules: docs/rules/romme.md, "House options". Knows nothing of where it is printed.
"""

from collections.abc import Iterator

from scoring.messages import Message, say
from scoring.options import Wording
from scoring.rules.variants.western.romme.options import RommeOptions
from scoring.rules.variants.western.words import deals_played, stock_runs_out

WORDINGS: dict[str, Wording] = {
    "scoring": Wording(
        "How rounds are scored",
        choices={
            "winner_collects": "the winner collects what the others lose",
            "penalty_only": "losers only lose",
            "match_points": "match points",
            "casino": "casino: with the value of the cards laid (unverified)",
        },
    ),
    "end_minus": Wording("The table ends when a seat has lost so many points", unset="only after the last round"),
    "eliminate_minus": Wording("A seat that has lost so many points is out", unset="nobody goes out"),
    "tie": Wording(
        "Seats tied for first",
        choices={
            "share": "they share",
            "extra_round": "an extra round",
            "most_rounds_won": "most rounds won",
        },
    ),
    "settlement": Wording(
        "Losers pay",
        choices={"none": "nothing is paid", "pay_points": "the winner’s points, every round"},
    ),
    "hand_bonus": Wording("Points of a hand romme, besides"),
    "hand_requires_no_opponent_meld": Wording("A hand romme needs that nobody else has melded"),
    "stock_out": Wording(
        "When the stock runs out",
        choices={
            "all_lose": "all lose their hand points",
            "reshuffle": "play goes on",
            "void": "the round is cancelled",
            "lowest_wins": "the lowest hand wins",
        },
    ),
    "no_meld_flat": Wording("What a loser pays who has not melded", unset="hand points, as usual"),
}


def reminders(options: RommeOptions) -> Iterator[Message]:
    """How many rounds are played, what a first meld needs, who is out, and what follows without a stock."""
    yield deals_played(options.rounds)
    if options.first_meld_min:
        yield say("A first meld needs at least {points} points.", points=options.first_meld_min)
    if options.bonus:
        yield say("A hand romme brings the winner {points} points besides.", points=options.bonus)
    if options.eliminate_minus:
        yield say("Out with {points} points lost.", points=options.eliminate_minus)
    yield stock_runs_out(WORDINGS["stock_out"].said(options.stock_out))


def hand_help(options: RommeOptions) -> Message:
    """What a hand romme is, and what it is worth here."""
    times, points = options.hand_multiplier, options.match_hand_win
    match options.scoring == "match_points", options.hand_requires_no_opponent_meld:
        case False, False:
            return say("All cards laid down in one turn: the round counts {number} times", number=times)
        case True, False:
            return say("All cards laid down in one turn: worth {points} match points", points=points)
        case False, _:
            return say(
                "All cards laid down in one turn while nobody else had melded: the round counts {number} times",
                number=times,
            )
    return say(
        "All cards laid down in one turn while nobody else had melded: worth {points} match points", points=points
    )
