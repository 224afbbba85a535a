"""What this release is: a digest of all that answers are made of. Knows nothing of what is answered."""

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

from django.conf import settings

DIGEST_BYTES = 9
# Templates that pages are made of (those of the back office are in none of them), and what counts, draws and colours.
SHOWN = ("pages", "cards")
ROOMS, MADE_BY = ("rummy_site", "scoring", "tournaments"), frozenset({".py", ".css", ".js", ".svg"})


@cache
def release_stamp() -> str:
    """A tag with it in it does not hold after an update.

    Code is in it because it says and counts what stands in an answer, styles because their addresses do.
    """
    digest = blake2b(digest_size=DIGEST_BYTES)
    for path in _sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources() -> Iterator[Path]:
    for folder in settings.TEMPLATES[0]["DIRS"]:
        yield from sorted(path for shown in SHOWN for path in Path(folder).glob(f"{shown}/*"))
    for folder in settings.LOCALE_PATHS:
        yield from sorted(Path(folder).glob("*/*/*.mo"))
    for room in ROOMS:
        yield from sorted(path for path in (settings.BASE_DIR / room).rglob("*") if path.suffix in MADE_BY)
