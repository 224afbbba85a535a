"""What one web process takes at once: how large, how long, how much together. docs/reference/running.md lists these."""

from dataclasses import dataclass

MOST_WAITING_WRITERS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What requests may take: so long each, so many bytes at each door, so many of large ones together, in and out."""

    seconds: int
    most_in: int
    most_out: int
    # By the beginning of the path; the first that fits.
    doors: tuple[tuple[str, int], ...]

    def most(self, path: str) -> int:
        """How large a body may be at this address."""
        return next(size for prefix, size in self.doors if path.startswith(prefix))


LIMITS = Limits(
    seconds=20,
    most_in=67_108_864,
    most_out=67_108_864,
    # Below /api/ what the parser takes (tournaments/web/api/base/bodies.py, not to be asked before the apps are
    # loaded): a deal has some hundred bytes. What the back office takes is a list or a season of paper sheets.
    doors=(("/api/", 262_144), ("/admin/", 4_194_304), ("", 262_144)),
)
