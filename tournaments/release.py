"""Computes ETag digests from given parts and a digest of this release. Knows nothing of the responses."""

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

from django.conf import settings

DIGEST_BYTES = 9
# Packages that show boards but never write them.
DOORS = frozenset({"boards", "migrations", "printing", "queries", "rendering", "sheet_import", "web"})
# The sources of responses: code, styles, scripts and pictures.
ROOMS, MADE_BY = ("rummy_site", "scoring", "tournaments"), frozenset({".py", ".css", ".js", ".svg"})


def tag_digest(*parts: object) -> str:
    """Return an unambiguous digest of all parts, which changes with every release."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    for part in (release_stamp(), *parts):
        text = str(part).encode(errors="surrogatepass")
        digest.update(len(text).to_bytes(4, "big") + text)
    return digest.hexdigest()


@cache
def release_stamp() -> str:
    """Return a digest of everything that responses are made of: templates, translations, code, and static files."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    for path in _sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def projection_stamp() -> str:
    """Return a digest of all code that may write boards. Rather too much of it than too little: a rebuild is cheap."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    for room in ("scoring", "tournaments"):
        for path in sorted((settings.BASE_DIR / room).rglob("*.py")):
            # Relative to the project: the names of the folders above must not matter.
            if not DOORS & set(path.relative_to(settings.BASE_DIR).parts):
                digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources() -> Iterator[Path]:
    for folder in settings.TEMPLATES[0]["DIRS"]:
        yield from sorted(Path(folder).rglob("*.html"))
    for folder in settings.LOCALE_PATHS:
        yield from sorted(Path(folder).glob("*/*/*.mo"))
    for room in ROOMS:
        yield from sorted(path for path in (settings.BASE_DIR / room).rglob("*") if path.suffix in MADE_BY)
