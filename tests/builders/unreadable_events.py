"""Events that the present version cannot read, with the hashes, boards and books of an earlier one that stored them."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from scoring import ledger
from scoring.events import wire
from scoring.events.table import Event
from scoring.money import plan_entries
from scoring.rules.table.table import Table, fold
from scoring.sheets.snapshots import dump_table, load_table
from tests.builders.playing import NOW, Playing, context
from tournaments import log
from tournaments.management.terminal import UNREAD, EventsUnread
from tournaments.models import Scoresheet
from tournaments.projections.boards import write_boards


@contextmanager
def an_earlier_version() -> Iterator[None]:
    """Commands that store what they encoded, without checking that it reads back."""
    with mock.patch("tournaments.log.appending.refuse_what_does_not_read_back"):
        yield


class OldTable:
    """A table written by an earlier version: it keeps its folded state, and reads nothing back."""

    def __init__(self, playing: Playing) -> None:
        self.playing = playing
        self.table: Table = load_table(playing.sheet.state)

    def tells(self, event: Event) -> log.StoredEvent:
        """Store an event with its boards, and settle what is owed as that version did."""
        form, version = wire.encode(event), self.table.version + 1
        self.table = fold(self.table, [(version, event)])
        row = self.playing.row
        stored = log.append(
            log.StreamVersion(club_id=row.tournament.club_id, stream_id=row.id, expected=version - 1),
            log.NewEvent(kind=form.kind, schema=form.schema, body=form.body, occurred_at=NOW, note=form.note),
            request=context().request("ab" * 32),
            on_append=lambda stored: write_boards(row, self.table, position=stored.position, recorded_at=NOW),
        ).stored
        self._settle()
        return stored

    def _settle(self) -> None:
        entries = plan_entries(self.table.dues(), players=self.table.players, currency="INR")
        row, version = self.playing.row, self.table.version
        ledger.settle(row.tournament.club_id, f"table:{row.id}", version=version, entries=entries, now=NOW)
        sheet = Scoresheet.objects.filter(table=row)
        sheet.update(due_version=version, settled_version=version, state=dump_table(self.table))


def proof(**words: Any) -> tuple[bool, str]:
    """Whether `prove` succeeds, and its output."""
    return _run("prove", **words)


def proved_but_for_what_cannot_be_read() -> str:
    """The output of `prove` for a log in which nothing was changed and something cannot be read."""
    out = io.StringIO()
    with pytest.raises(EventsUnread, match="proved but for events that cannot be read") as caught:
        call_command("prove", stdout=out, stderr=out)
    assert caught.value.returncode == UNREAD
    return out.getvalue()


def told(command: str, **words: Any) -> tuple[bool, str]:
    """Whether a command succeeds, and its output."""
    return _run(command, **words)


def _run(command: str, **words: Any) -> tuple[bool, str]:
    out = io.StringIO()
    try:
        call_command(command, stdout=out, stderr=out, **words)
    except CommandError as error:
        return False, f"{out.getvalue()}{error}"
    return True, out.getvalue()
