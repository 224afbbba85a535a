"""The modules of the project."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("rummy_site", "scoring", "tournaments", "benchmarks")


def house_files() -> list[Path]:
    """Every module we wrote, migrations and tests left out."""
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))
