"""Wishes about seats that contradict each other."""

from itertools import combinations

from tournaments.draw import Apart, FixedTable


def apart(*names):
    """Every named player is kept from every other one."""
    return tuple(Apart(one=one, other=other) for one, other in combinations(names, 2))


def at(table, *names):
    return tuple(FixedTable(player=name, table=table) for name in names)
