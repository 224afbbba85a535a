"""The migrated database that each test process copies is rebuilt when a migration changes."""

from pathlib import Path

import pytest

from tests import migrated


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that the kept database depends on."""
    monkeypatch.setattr(migrated, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(migrated, "SOURCES", (str(tmp_path),))
    found = tmp_path / "0001_first.py"
    found.write_text("a column")
    return found


def copied(source: Path, says: str) -> str:
    target = source.with_suffix(".sqlite3")
    migrated.copy_kept("sqlite3", lambda path: path.write_text(says), target)
    return target.read_text()


def test_it_is_made_once_and_again_where_a_migration_changed(source: Path):
    """Planted fault: a name without the digest of the migrations; every test ran on yesterday's tables."""
    assert [copied(source, "made"), copied(source, "made again")] == ["made", "made"]
    source.write_text("another column")
    assert copied(source, "made again") == "made again"
    source.write_text("a column")
    assert copied(source, "made a third time") == "made", "another branch begins with its own"


def test_no_more_are_kept_than_branches_are_worked_on(source: Path):
    for number in range(migrated.MOST_KEPT + 2):
        source.write_text(f"column {number}")
        copied(source, "made")
    assert len(list(migrated.KEPT.glob("[0-9a-f]*.sqlite3"))) == migrated.MOST_KEPT


def test_what_a_killed_process_left_is_not_gone_on_from(source: Path):
    """Planted fault: one path for all; a half-built copy of another branch was migrated further."""

    def make(path: Path) -> None:
        path.write_text(path.read_text() + "the rest" if path.exists() else "whole")

    with pytest.raises(KeyboardInterrupt):
        migrated.copy_kept("sqlite3", _half, source.with_suffix(".sqlite3"))
    migrated.copy_kept("sqlite3", make, source.with_suffix(".sqlite3"))
    assert source.with_suffix(".sqlite3").read_text() == "whole"


def _half(path: Path) -> None:
    path.write_text("half")
    raise KeyboardInterrupt
