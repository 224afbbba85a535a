"""A table of the draw with its seats."""

from tournaments.draw.balance import RunningTable


def table(number, seats, deals_next=None):
    """`table(1, "ABC")`: A, B and C are still in, and A deals next unless another is named."""
    return RunningTable(number=number, seats=tuple(seats), next_dealer=deals_next or seats[0])
