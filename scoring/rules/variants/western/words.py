"""What is asked for at tables of several Western games, in sentences.

Rules: docs/rules/western.md. Knows nothing of any one game, nor of where it is printed.
"""

from scoring.messages import Message, say, say_many


def played_to(target: int) -> Message:
    """The score that ends the game."""
    return say("Played to {target} points, reached or passed.", target=target)


def deals_played(deals: int) -> Message:
    """A fixed number of deals."""
    return say_many("{number} deal is played.", "{number} deals are played.", count=deals, number=deals)


def stock_runs_out(how: Message) -> Message:
    """What follows when there is no card left to draw."""
    return say("When the stock runs out: {how}.", how=how)
