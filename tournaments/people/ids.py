"""Ids as they come in texts: of facts, of accounts of the books, of addresses."""

from uuid import UUID


def uuid_of(text: str) -> UUID | None:
    """The id that a text writes; None where it writes none."""
    try:
        return UUID(text)
    except ValueError:
        return None
