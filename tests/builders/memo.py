"""Lines of arithmetic as the books keep them."""

from collections.abc import Iterable

from scoring.money.reasons import Reason


def lines(because: Iterable[Reason]) -> tuple[str, ...]:
    """Lines of arithmetic as a memo holds them."""
    return tuple(map(str, because))
