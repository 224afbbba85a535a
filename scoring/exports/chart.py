"""The chart of accounts as an accountant expects it: each account of ours under its root, by a name that never moves.

Rules: docs/books.md, "Accounts". An account is named after its owner's id, because two people may share a name,
change it, or have it erased; the name stands beside it as a remark.
"""

import re

from scoring.money import AccountKind

ROOTS: dict[AccountKind, str] = {
    AccountKind.PLAYER: "Liabilities:Players",
    AccountKind.PRIZE_POOL: "Liabilities:Prize-Pool",
    AccountKind.SIDE_POT: "Liabilities:Side-Pots",
    AccountKind.CLUB_FEE: "Income:House-Fee",
    AccountKind.LEVY: "Liabilities:Levies",
    AccountKind.GUARANTEE: "Expenses:Guarantees",
    AccountKind.CASH: "Assets:Cash",
    AccountKind.BANK: "Assets:Bank",
    AccountKind.OWNER: "Equity:Owners",
    AccountKind.CASH_DIFFERENCE: "Expenses:Cash-Differences",
    AccountKind.WRITE_OFF: "Expenses:Write-Offs",
}
DESK = "Desk"
PLAIN = re.compile(r"[A-Za-z0-9-]+")


def account_name(kind: AccountKind, owner: str) -> str:
    """The full name of an account; no two owners share one, and none is the parent of another.

    What a program holds for a parent is the sum of its children: money that is in nobody's till has a name of its own.
    """
    if kind is AccountKind.CASH and not owner:
        return f"{ROOTS[kind]}:{DESK}"
    return f"{ROOTS[kind]}:{_component(owner)}" if owner else ROOTS[kind]


def _component(owner: str) -> str:
    """An id as a part of an account's name, which begins with a capital and knows letters, digits and dashes."""
    return f"Id-{owner}" if PLAIN.fullmatch(owner) else f"Hex-{owner.encode().hex()}"
