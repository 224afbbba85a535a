"""What a test knows to be there, for the type checker."""

from typing import TypeVar

Found = TypeVar("Found")


def there(found: Found | None) -> Found:
    """What was looked for; a test fails here where it is missing."""
    assert found is not None
    return found
