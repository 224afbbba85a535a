"""Proofs and rebuilds in several processes, and continued after an interruption: the result is the same.

Planted faults: a fault that only its worker sees; notes of another log, or of another command, taken for this one's;
a line that was cut off; notes that outlive the end; a killed worker that is not missed.
"""

import io
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.builders import tampering
from tests.builders.log_writers import an_event, new_club, play_night
from tests.builders.playing import loses, new_table, show
from tournaments.integrity import ranges
from tournaments.log import auditing, verifying
from tournaments.management.runs import Noted, Runs
from tournaments.models import Club, Standing

pytestmark = pytest.mark.django_db(transaction=True)
NOTES = Path(settings.VAR_DIR) / "resume" / "verify_log.jsonl"


@pytest.fixture(autouse=True)
def clubs(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Club]]:
    """Two clubs whose logs are read in parts of five; something was changed, something cannot be read."""
    monkeypatch.setattr(verifying, "MOST_AT_ONCE", 5)
    clubs = [new_club(name) for name in ("One", "Two")]
    for club in clubs:
        table, _ = play_night(club, tables=2, deals=5)
        table.writes(7, an_event('{"deal":"seven"}'))
    with tampering.unguarded():
        where = "WHERE club_id = %s AND position = %s"
        tampering.run(f"UPDATE tournaments_event SET actor = 'user:dev' {where}", clubs[1].id, 9)
    yield clubs
    NOTES.unlink(missing_ok=True)


def said(*words: str) -> tuple[str, str]:
    """The output and exit status of a command; `verify_log --full` by default."""
    out = io.StringIO()
    named = words if words and words[0] == "prove" else ("verify_log", "--full", *words)
    try:
        call_command(*named, stdout=out, stderr=out)
    except CommandError as error:
        return out.getvalue(), f"{error.returncode}: {error}"
    return out.getvalue(), ""


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The parts processed from now on. At the fourth Ctrl-C is pressed."""
    parts: list[Any] = []
    examine: Callable[..., Any] = auditing.examine

    def watched(part: Any, tell: Any) -> Any:
        parts.append(part)
        if len(parts) == 4:
            raise KeyboardInterrupt
        return examine(part, tell)

    monkeypatch.setattr(auditing, "examine", watched)
    return parts


@pytest.mark.slow
@pytest.mark.postgres
def test_several_processes_find_what_one_finds(monkeypatch: pytest.MonkeyPatch):
    """Of log, boards and books, in one pool: the log of these clubs has tables that have no row."""
    monkeypatch.setattr(ranges, "MOST_STREAMS", 1)
    new_table().deal(1, show, loses(3), loses(4), loses(5))
    Standing.objects.filter(seat_number=2).update(total=7)
    alone = said("prove")
    assert "total is '7', the log says '3'" in alone[0]
    assert "cannot be read" in alone[0]
    assert "has no row" in alone[0]
    assert alone[1].startswith("1: not proved: verify_log, rebuild")
    assert said("prove", "--processes", "2") == alone


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_with_the_next_part(worked: list[Any], capsys: pytest.CaptureFixture[str]):
    _, end = said("--resume")
    assert end == "130: stopped; the same command goes on from there"
    assert len(worked) == 4
    again = said("--resume")
    assert "Events: 3 of 6 parts were done before" in capsys.readouterr().err
    assert [part.start for part in worked] == [0, 5, 10, 0, 0, 5, 10]
    assert not NOTES.exists()
    assert again == said("--resume") == said()
    assert len(worked) == 7 + 6 + 6


@pytest.mark.slow
def test_proofs_that_were_stopped_together_go_on_together(worked: list[Any], monkeypatch: pytest.MonkeyPatch):
    """Planted fault: a proof that was finished before, and is done again."""
    assert said("prove", "--resume")[1].startswith("130: stopped")
    assert len(worked) == 4
    stop = mock.patch("tournaments.management.commands.check_ledger.entry_problems", side_effect=KeyboardInterrupt)
    with stop:
        assert said("prove", "--resume")[1].startswith("130: stopped")
    assert len(worked) == 4 + 3
    whole = said("prove", "--resume")
    assert len(worked) == 7
    assert whole == said("prove")


def test_one_that_was_stopped_without_notes_begins_again(worked: list[Any]):
    assert said()[1] == "130: stopped"
    said()
    assert len(worked) == 4 + 6


@pytest.mark.parametrize("cut", [1, 30])
def test_a_line_that_was_cut_off_counts_for_nothing(worked: list[Any], cut: int):
    said("--resume")
    NOTES.write_bytes(NOTES.read_bytes()[:-cut])
    said("--resume")
    assert [part.start for part in worked[4:]] == [10, 0, 5, 10]


def test_notes_of_another_question_count_for_nothing(worked: list[Any], clubs: list[Club]):
    said("--resume")
    assert len(NOTES.read_text().splitlines()) == 1 + 3
    said("--resume", "--club", clubs[1].slug)
    assert [part.start for part in worked[4:]] == [0, 5, 10]


def test_whoever_does_the_same_is_refused_meanwhile():
    held = Noted("verify_log  True")
    try:
        assert "another process does the same" in said("--resume")[1]
    finally:
        held.close(is_over=True)


@pytest.mark.slow
@pytest.mark.postgres
def test_what_goes_wrong_in_a_worker_ends_the_command():
    """The command does not report success: neither after an error there, nor when the process is gone."""
    with pytest.raises(CommandError, match="a process was ended from outside"):
        work_that_goes_wrong()


def work_that_goes_wrong() -> None:
    parts = verifying.stretches(Club.objects.earliest("name").id.hex, is_full=True)
    with Runs("verify_log", processes=2) as run:
        with pytest.raises(ZeroDivisionError):
            list(run("Events", failing, parts, auditing.Examined))
        list(run("Events", killed, parts, auditing.Examined))


def failing(part: Any, tell: Any) -> Any:
    return 1 // 0


def killed(part: Any, tell: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_progress_is_quiet_unless_there_is_a_terminal_or_somebody_asks(capsys: pytest.CaptureFixture[str]):
    said()
    assert capsys.readouterr().err == ""
    said("--progress")
    shown = capsys.readouterr().err.splitlines()
    assert shown[-1].startswith("Events [##############################] 30/30")
    assert shown[-1].endswith(" events a second")


def test_a_number_of_processes_is_one():
    with pytest.raises(CommandError, match="'many' is no number from 0 to 64"):
        call_command("verify_log", "--processes", "many")
