"""Libraries that others load where they happen to be installed, and that this site does not use.

A machine with tools for developers has more of them than a server. So a site starts the same on both.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Have these modules count as not installed while the block imports others. Those that are loaded already stay."""
    hidden = [name for name in names if name not in sys.modules]
    # None is how Python itself marks a module that cannot be imported.
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
