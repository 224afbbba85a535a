"""Promise 8: any changed byte of the history is detected and located.

The guards are lifted first: this is about the owner of the database.
"""

import random
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scoring.events.hashes import content_digest, event_hash, event_id, genesis
from tests.builders import tampering
from tests.builders.log_writers import START, an_event, new_club, open_table, play_night
from tests.builders.tampering import Cell, run, undone
from tournaments import log
from tournaments.log import auditing, following, raw, verifying
from tournaments.log.auditing import verify_log
from tournaments.log.parts import InTurn

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    """A night of two tables, most of it sealed, with the guards lifted."""
    club = new_club()
    play_night(club)
    log.seal_club(club.id, START)
    open_table_of_points(club)
    log.seal_club(club.id, START + timedelta(hours=1))
    open_table_of_points(club)
    assert verify_log().findings == ()
    with tampering.unguarded():
        yield club


def open_table_of_points(club):
    return play_night(club, tables=1, deals=2)


def first_bad() -> tuple[int, str]:
    """The first bad position of the audit, and its finding; (-1, "") when it finds nothing."""
    findings = verify_log(is_full=True).findings
    return (findings[0].position, findings[0].text) if findings else (-1, "")


def check(club, cell: Cell, value: object) -> None:
    """The change is refused by the database, or found at its position."""
    with undone():
        if not tampering.write(cell, value):
            return
        if cell.table == "event":
            # By the hashes alone: that a changed text cannot be read any more is another, weaker proof.
            faults = log.verify_club(club.id.hex, is_full=True, examine=lambda rows: None).faults
            assert [fault.position for fault in faults[:1]] == [cell.position], (cell, value, faults)
        else:
            position, said = first_bad()
            assert said, f"nobody noticed {cell.table}.{cell.column} changed to {value!r}"
            assert position == cell.position or cell.table != "eventnote" or "belong to no event" in said


@pytest.mark.postgres
def test_a_changed_byte_of_any_column_is_found_where_it_is(night):
    """Planted fault it catches: a column left out of what the hash covers (kind, schema, key, request digest,
    actor, device, both moments and body were tried; the others are held by the order of the log as well)."""
    chance = random.Random(6222)
    by_column: dict[tuple[str, str], list[Cell]] = {}
    for cell in tampering.cells():
        by_column.setdefault((cell.table, cell.column), []).append(cell)
    assert len(by_column) == 18 + 5 + 8 + 5 + 2
    for cells in by_column.values():
        for cell in chance.sample(cells, min(3, len(cells))):
            choices = list(tampering.flips(cell))
            for value in chance.sample(choices, min(3, len(choices))):
                check(night, cell, value)


@pytest.mark.slow(long=True)
def test_every_byte_of_every_column_is_found_where_it_is(night):
    """The same for each byte of the night, one random bit of it."""
    chance = random.Random(2026)
    for cell in tampering.cells():
        bit = chance.randrange(8)
        for value in tampering.flips(cell, range(bit, bit + 1)):
            check(night, cell, value)


def test_a_gap_is_reported_once_with_what_follows_from_it_and_the_seals_behind_it_count(night):
    """Planted faults: a seal over the gap that is compared nevertheless; one after it that is not."""
    _forge(night, position=16)
    for gone, then in (
        (1, (3, "version 2 of its stream stands where 1 must follow")),
        (2, (4, "version 2 of its stream stands where 1 must follow")),
        (5, (7, "version 4 of its stream stands where 3 must follow")),
        (14, None),
        (15, (16, "version 2 of its stream stands where 1 must follow")),
    ):
        with undone():
            tampering.remove_events(gone)
            gap = (gone, f"nothing stands here; the next event is at position {gone + 1}")
            behind = (18, "the seal over 15 to 18 has another root") if gone < 15 else None
            found = [(fault.position, fault.text) for fault in verify_log(is_full=True).findings]
            assert found == [each for each in (gap, then, behind) if each]


def test_what_is_wrong_with_seals_and_with_events_is_told_in_the_order_of_the_log(night):
    """Planted fault: findings reported in another order, those of the seals first."""
    run("UPDATE tournaments_seal SET from_position = 16 WHERE from_position = 15")
    run("UPDATE tournaments_event SET actor = 'user:dev' WHERE position = 2")
    assert [finding.position for finding in verify_log(is_full=True).findings][:2] == [2, 15]


def test_two_events_that_changed_places_are_found(night):
    """Of two tables, so that each table by itself is unchanged.

    Planted fault it catches: a position that the hash does not cover.
    """
    tables = {event.position: event.stream_id for event in log.read_club(night.id)}
    assert tables[3] != tables[4]
    for before, after in ((3, 99), (4, 3), (99, 4)):
        run("UPDATE tournaments_event SET position = %s WHERE position = %s", after, before)
    assert first_bad()[0] == 3


def test_two_bodies_that_changed_places_are_found(night):
    with connection.cursor() as cursor:
        cursor.execute("SELECT position, body FROM tournaments_event WHERE position IN (3, 5)")
        bodies = dict(cursor.fetchall())
    run("UPDATE tournaments_event SET body = %s WHERE position = 3", bodies[5])
    run("UPDATE tournaments_event SET body = %s WHERE position = 5", bodies[3])
    assert first_bad()[0] == 3


@pytest.mark.postgres
def test_an_event_slipped_in_is_found(night):
    """A deal is copied as a further one, and the heads moved along; only the keyed hashes cannot be computed."""
    _copy_of_the_last_event(version="version + 1", position="position + 1")
    run("UPDATE tournaments_clubhead SET position = position + 1")
    assert first_bad()[0] == _end()


@pytest.mark.postgres
def test_a_deal_forged_with_fitting_hashes_is_found_by_the_seal(night):
    """The owner of the database computes every later hash again; the seal still has the old root.

    Planted fault it catches: a seal whose root is not compared.
    """
    _forge(night, position=4)
    position, said = first_bad()
    assert "another root" in said
    assert 4 <= position <= 14


def test_a_deal_forged_behind_a_seal_that_fits_is_found_by_the_next(night):
    """Planted fault: once one seal has been compared, those after it count as broken."""
    _forge(night, position=16)
    assert first_bad() == (18, "the seal over 15 to 18 has another root")


def test_forged_seals_as_well_are_found_by_a_noted_fingerprint(night):
    noted = log.club_fingerprint(night.id)
    assert log.missing_fingerprint(noted) == ""
    _forge(night, position=4)
    run("DELETE FROM tournaments_seal")
    log.seal_club(night.id, START)
    assert verify_log(is_full=True).findings == ()
    assert noted in log.missing_fingerprint(noted)


def test_a_cut_tail_is_found_by_the_head(night):
    last = _end()
    _cut(last)
    assert first_bad() == (last, f"the log ends here, the club's head says {last}")


@pytest.mark.postgres
def test_a_tail_cut_off_with_all_its_heads_is_found_by_a_seal(night):
    log.seal_club(night.id, START + timedelta(hours=2))
    _cut(16)
    _rewind(night)
    assert first_bad() == (16, "the log ends here, a seal covers it up to 22")


def test_a_tail_cut_off_behind_the_last_seal_is_found_by_a_noted_fingerprint(night):
    """Nothing in the database can show it; the noted fingerprint can."""
    last = log.read_club(night.id, limit=100)[-1]
    noted = log.fingerprint(night.id, last.stream_id)
    _cut(last.position)
    _rewind(night)
    assert verify_log(is_full=True).findings == ()
    assert noted in log.missing_fingerprint(noted)


def test_a_missing_seal_is_found(night):
    run("DELETE FROM tournaments_seal WHERE from_position = 1")
    assert first_bad() == (1, "a seal is missing or does not follow the one before")


def test_a_stream_that_is_gone_is_found_at_its_first_event(night):
    stream = log.read_club(night.id)[1].stream_id
    run("DELETE FROM tournaments_stream WHERE id = %s", stream)
    position, said = first_bad()
    assert position == 2
    assert "is not there" in said
    # At its end the test's transaction checks what refers to the stream.
    for event in [event for event in log.read_club(night.id, limit=100) if event.stream_id == stream]:
        tampering.remove_events(event.position)


def test_an_erased_note_is_no_fault(night):
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM tournaments_eventnote")
        assert cursor.fetchone()[0]
    log.erase_notes(night.id, list(range(1, _end() + 1)))
    assert first_bad() == (-1, "")


@pytest.mark.postgres
def test_a_note_put_beside_an_event_that_had_none_is_found(night):
    event = log.read_club(night.id)[4]
    run(
        "INSERT INTO tournaments_eventnote (event_id, club_id, position, salt, text)"
        " VALUES (%s, %s, 5, %s, 'never said')",
        event.id,
        night.id,
        b"",
    )
    assert first_bad() == (5, "the note beside it is not the one that was written")


def test_a_note_cannot_be_made_never_to_have_been(night):
    """Planted fault it catches: a note's digest that the hash does not cover."""
    noted = next(event for event in log.read_club(night.id, limit=100) if event.note)
    run("DELETE FROM tournaments_eventnote WHERE event_id = %s", noted.id)
    run("UPDATE tournaments_event SET note_digest = %s WHERE position = %s", b"", noted.position)
    assert first_bad()[0] == noted.position


def test_a_body_that_no_rule_can_read_is_named_although_its_hash_fits():
    """Our own defect, not tampering. Planted fault it catches: verifying hashes only."""
    table = play_night(new_club(), tables=1, deals=1)[0]
    stored = table.writes(3, an_event('{"deal":"seven"}')).stored
    position, said = first_bad()
    assert position == stored.position
    assert "cannot be read" in said


def test_a_table_that_does_not_begin_with_its_opening_is_named():
    open_table(new_club()).writes(1)
    assert first_bad()[0] == 1


def test_long_sealed_history_is_left_out_unless_all_is_asked_for(night, monkeypatch):
    monkeypatch.setattr(verifying, "ALWAYS_WHOLE", 3)
    sealed = 18
    audit = verify_log()
    assert (audit.events, audit.skipped, audit.findings) == (_end() - sealed, sealed, ())
    monkeypatch.setattr(verifying, "ALWAYS_WHOLE", _end())
    assert verify_log().skipped == 0
    monkeypatch.setattr(verifying, "ALWAYS_WHOLE", 3)
    run("UPDATE tournaments_event SET actor = 'user:dev' WHERE position = 2")
    assert verify_log().findings == ()
    assert first_bad()[0] == 2


def test_the_unsealed_rest_of_a_table_is_read_on_from_its_sealed_part(monkeypatch):
    monkeypatch.setattr(verifying, "ALWAYS_WHOLE", 1)
    club = new_club()
    table = play_night(club, tables=1, deals=2)[0]
    log.seal_club(club.id, START)
    stored = table.writes(4, an_event('{"deal":1}', kind="deal_voided", note="misdeal")).stored
    assert verify_log().findings == ()
    with tampering.unguarded():
        run("UPDATE tournaments_event SET body = '{\"deal\":2}' WHERE position = %s", stored.position)
        assert verify_log().findings[0].position == stored.position


def told(**options: Any) -> tuple[bool, str]:
    """Whether the command ends well, and everything that it says."""
    said = StringIO()
    try:
        call_command("verify_log", stdout=said, stderr=said, **options)
    except CommandError as error:
        return False, f"{said.getvalue()}{error}"
    return True, said.getvalue()


@pytest.mark.postgres
def test_the_command_says_that_all_is_well_what_to_note_for_the_next_time_and_which_guards_are_down(night):
    noted = log.club_fingerprint(night.id)
    is_well, said = told(club=night.slug, noted=[noted])
    assert is_well
    for expected in (f"{_end()} events checked", f"{night.slug}: note {noted} elsewhere", "tournaments_event"):
        assert expected in said


def test_the_command_fails_on_a_fingerprint_that_the_log_has_lost_an_unknown_club_and_a_change(night):
    options: list[tuple[dict[str, Any], str]] = [
        ({"noted": ["3-0000-0000-0000-0000"]}, "history was changed or its end cut off"),
        ({"noted": ["x"]}, "'x' is no fingerprint"),
        ({"club": "elsewhere"}, "no club"),
    ]
    for given, expected in options:
        is_well, said = told(**given)
        assert not is_well
        assert expected in said
    run("UPDATE tournaments_event SET body = '{}' WHERE position = 9")
    is_well, said = told(club=night.slug)
    assert not is_well
    assert f"{night.slug}: first bad position 9:" in said


def _end() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(position) FROM tournaments_event")
        return int(cursor.fetchone()[0])


def _cut(position: int) -> None:
    tampering.remove_events(position, _end())


def _rewind(club) -> None:
    """Heads set back so that they fit what is left, and streams without events removed."""
    run("UPDATE tournaments_clubhead SET position = (SELECT max(position) FROM tournaments_event)")
    run("DELETE FROM tournaments_stream WHERE id NOT IN (SELECT stream_id FROM tournaments_event)")
    for stream in {event.stream_id for event in log.read_club(club.id, limit=100)}:
        last = log.read(club.id, stream)[-1]
        _set_head(last.stream_id, last.version, last.hash)


def _set_head(stream, version: int, digest: bytes) -> None:
    run("UPDATE tournaments_stream SET version = %s, head_hash = %s WHERE id = %s", *(version, digest, stream))


def _copy_of_the_last_event(**changes: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM tournaments_event WHERE position = %s", [_end()])
        columns = [column[0] for column in cursor.description]
    changes |= {"key": "'00000000-0000-4000-8000-000000000001'"}
    values = ["%s" if column == "id" else changes.get(column, column) for column in columns]
    run(
        f"INSERT INTO tournaments_event ({', '.join(columns)})"
        f" SELECT {', '.join(values)} FROM tournaments_event WHERE position = %s",
        *(uuid4(), _end()),
    )


def _forge(club, *, position: int) -> None:
    """Another body at one position, and every later hash of its stream computed again."""
    heads: dict[bytes, bytes] = {}
    kinds = raw.streams_of(club.id.hex)
    for row in raw.events_after(club.id.hex, 0):
        fields = list(row.fields)
        if row.position == position:
            fields[13] = fields[13].replace(b"11", b"12")
            assert fields != row.fields
            run("UPDATE tournaments_event SET body = %s WHERE position = %s", fields[13].decode(), position)
        start = genesis(club.id.hex.encode(), row.stream, kinds[row.stream])
        digest = event_hash(heads.get(row.stream, start), row.position, content_digest(fields))
        heads[row.stream] = digest
        new_id = UUID(bytes=event_id(row.position, digest))
        old_id = UUID(hex=row.id.decode())
        run("UPDATE tournaments_eventnote SET event_id = %s WHERE event_id = %s", new_id, old_id)
        run("UPDATE tournaments_event SET hash = %s, id = %s WHERE position = %s", digest, new_id, row.position)
        _set_head(UUID(hex=row.stream.decode()), row.version, digest)


def test_after_a_change_every_other_stream_is_gone_through_to_its_end(night):
    """Planted fault: an audit that ends with the first fault, and hides later ones."""
    streams: dict[object, list[log.StoredEvent]] = {}
    for event in log.read_club(night.id, limit=100):
        streams.setdefault(event.stream_id, []).append(event)
    first, second = sorted(events[1].position for events in streams.values() if len(events) > 1)[:2]
    run("UPDATE tournaments_event SET actor = 'user:dev' WHERE position IN (%s, %s)", first, second)
    found = [finding.position for finding in verify_log(is_full=True).findings]
    assert found == [first, second], "one for each stream, and none of what follows from it"


def test_a_gap_in_the_log_hides_no_change_behind_it(night):
    events = log.read_club(night.id, limit=100)
    gone, changed = events[4], next(e for e in events[6:] if e.stream_id != events[4].stream_id)
    tampering.remove_events(gone.position)
    run("UPDATE tournaments_event SET actor = 'user:dev' WHERE position = %s", changed.position)
    found = [finding.position for finding in verify_log(is_full=True).findings]
    assert found[0] == gone.position
    assert changed.position in found


def test_what_cannot_be_read_and_what_was_changed_are_told_apart():
    table, other = play_night(new_club(), tables=2, deals=1)
    unread = table.writes(3, an_event('{"deal":"seven"}')).stored
    with tampering.unguarded():
        run("UPDATE tournaments_event SET actor = 'user:dev' WHERE stream_id = %s AND version = 2", other.stream_id)
        found = [(one.position == unread.position, one.is_unreadable) for one in verify_log(is_full=True).findings]
    assert sorted(found) == [(False, False), (True, True)]


@pytest.fixture
def readers(monkeypatch):
    """The readers that verify the streams; rows come a few at a time."""
    made: list[following.StreamReader] = []

    class Seen(following.StreamReader):
        def __call__(self, rows):
            super().__call__(rows)
            made.append(self)
            most.append(len(self.states))

    most: list[int] = []
    monkeypatch.setattr(raw, "CHUNK", 6)
    monkeypatch.setattr(auditing, "StreamReader", Seen)
    return made, most


def test_what_is_held_does_not_grow_with_the_number_of_streams(readers):
    """Planted fault it catches: every table seen kept in memory until the last one."""
    made, most = readers
    club = new_club()
    play_night(club)
    assert verify_log(is_full=True).findings == ()
    of_one_night = max(most)
    most.clear()
    for _ in range(4):
        play_night(club)
    assert verify_log(is_full=True).findings == ()
    assert max(most) <= of_one_night == 2
    assert made[-1].states == {}


def test_a_table_that_was_let_go_is_read_again_and_judged_the_same(readers, monkeypatch):
    """Planted faults it catches: a table continued from an empty state; an event reported again at each reading."""
    table, other = play_night(new_club(), tables=2, deals=6)
    unread = table.writes(8, an_event('{"deal":"seven"}')).stored
    for version in range(8, 20):
        other.writes(version, an_event('{"kind":"x"}', kind="unknown_to_all"))
    held = [(one.position, one.text) for one in verify_log(is_full=True).findings]
    monkeypatch.setattr(following, "MOST_EVENTS_HELD", 0)
    assert [(one.position, one.text) for one in verify_log(is_full=True).findings] == held
    assert unread.position in {position for position, _ in held}
    assert len(held) == 13
    assert max(readers[1][-3:]) == 0


def test_a_user_who_waits_is_told_how_far_it_has_come(readers):
    told: list[tuple[int, int]] = []
    for _ in range(2):
        play_night(new_club())
    audit = verify_log(is_full=True, run=InTurn(lambda done, total: told.append((done, total))))
    assert told == sorted(told)
    assert told[-1] == (audit.events, audit.events)
    assert len(told) > 4
