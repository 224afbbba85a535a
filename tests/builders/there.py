"""Asserting that something exists, for the type checker."""

from typing import TypeVar

Found = TypeVar("Found")


def there(found: Found | None) -> Found:
    """Return the value; a test fails here if it is None."""
    assert found is not None
    return found
