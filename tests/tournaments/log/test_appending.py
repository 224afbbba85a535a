"""Appending one event, once, or refusing it with the reason."""

import uuid
from typing import Any

import pytest
from django.db import transaction

from scoring.problems import Defect, KeyReused, StaleTable
from tests.builders.log_writers import START, Writer, an_event, new_club, nothing, open_table, request
from tournaments import log
from tournaments.models.log import ClubHead, Event, EventNote, Stream

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_versions_of_a_table_and_positions_of_its_club_have_no_gap_and_each_club_has_keys_of_its_own():
    club = new_club()
    first, second = open_table(club), open_table(club)
    first.writes(1, key="k1")
    second.writes(1)
    first.writes(2)
    assert first.versions() == [1, 2, 3]
    assert second.versions() == [1, 2]
    assert [event.position for event in log.read_club(club.id)] == [1, 2, 3, 4, 5]
    theirs = open_table(new_club("Dita's club")).writes(1, key="k1")
    assert (theirs.stored.position, theirs.is_replay) == (2, False)


def test_the_answer_is_what_stands_in_the_log_to_the_microsecond():
    table = open_table(new_club())
    exact = START.replace(microsecond=7)
    event = an_event('{"deal":7}', note="Sam spilled tea")
    answer = log.append(table.place(1), event, request=request(at=exact), on_append=nothing)
    assert not answer.is_replay
    assert log.read(table.club.id, table.stream_id)[1] == answer.stored
    assert answer.stored.recorded_at == exact
    assert log.head_of(table.club.id, table.stream_id) == log.Head(version=2, hash=answer.stored.hash)


def test_who_writes_behind_or_ahead_of_the_table_is_told_where_it_stands_and_takes_no_position():
    table = open_table(new_club())
    table.writes(1)
    for after in (1, 5):
        with pytest.raises(StaleTable) as told:
            table.writes(after)
        assert (told.value.expected, told.value.current) == (after, 2)
    assert table.versions() == [1, 2]
    assert table.writes(2).stored.position == 3


def test_a_table_of_another_club_does_not_exist():
    table, stranger = open_table(new_club()), open_table(new_club("Dita's club"))
    with pytest.raises(StaleTable) as told:
        Writer(stranger.club, table.stream_id).writes(1)
    assert told.value.current == 0
    assert table.versions() == [1]


def test_an_event_sent_again_gets_its_first_answer_and_is_stored_once():
    """Also for the version that stands now. Planted faults it catches: looking a key up by its digest alone, answering
    with the newest event, leaving the key out of the unique constraint."""
    table = open_table(new_club())
    first = table.writes(1, key="k1")
    table.writes(2)
    for after in (1, 3):
        again = table.writes(after, key="k1")
        assert again.is_replay
        assert again.stored == first.stored
    assert table.versions() == [1, 2, 3]


def test_a_resend_writes_no_boards():
    table = open_table(new_club())
    seen: list[Any] = []
    for _ in range(2):
        log.append(table.place(1), an_event(), request=request("k1"), on_append=seen.append)
    assert len(seen) == 1


def test_a_key_that_comes_back_with_another_request_is_refused():
    table = open_table(new_club())
    table.writes(1, key="k1")
    for expected in (1, 2):
        with pytest.raises(KeyReused):
            table.writes(expected, an_event('{"deal":2}'), key="k1", digest="cd" * 32)
    assert table.versions() == [1, 2]


def test_a_stream_is_opened_once_and_opening_it_again_gets_the_first_answer():
    club = new_club()
    table = Writer(club)
    opened = table.opens(key="open 1")
    again = Writer(club).opens(key="open 1")
    assert again.is_replay
    assert again.stored == opened.stored
    assert Stream.objects.filter(club=club).count() == 1
    with pytest.raises(StaleTable) as told:
        table.opens()
    assert told.value.current == 1


def test_a_board_that_cannot_be_written_leaves_nothing_of_the_event():
    """Planted fault it catches: writing the boards after the transaction instead of in it."""
    table = open_table(new_club())

    def breaks(stored: log.StoredEvent) -> None:
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError, match="disk"):
        log.append(table.place(1), an_event(note="why"), request=request(), on_append=breaks)
    assert table.versions() == [1]
    assert not EventNote.objects.exists()
    assert table.writes(1).stored.position == 2


def test_several_events_in_one_transaction_stand_or_fall_together():
    table = open_table(new_club())

    def import_sheet() -> None:
        with transaction.atomic():
            for after in (1, 2, 2):
                table.writes(after)

    with pytest.raises(StaleTable):
        import_sheet()
    assert table.versions() == [1]
    assert ClubHead.objects.get(club=table.club).position == 1


def test_a_note_lives_beside_the_log_and_may_be_erased():
    table = open_table(new_club())
    stored = table.writes(1, an_event(note="Bo left with a headache")).stored
    assert log.read(table.club.id, table.stream_id)[1].note == "Bo left with a headache"
    assert log.erase_notes(table.club.id, [stored.position]) == 1
    assert [stored_event.note for stored_event in log.read(table.club.id, table.stream_id)] == ["", None]
    assert "headache" not in str(list(Event.objects.values()))


def test_notes_of_the_same_words_have_digests_of_their_own_and_an_event_without_one_has_none():
    """Digests alone do not show who wrote the same text, or let one guess it. Planted fault: a note without a salt."""
    table = open_table(new_club())
    for version in (1, 2):
        table.writes(version, an_event(note="misdeal"))
    table.writes(3, an_event())
    digests = [bytes(row) for row in Event.objects.order_by("version").values_list("note_digest", flat=True)]
    assert len(set(digests[1:3])) == 2
    assert digests[3] == b""


def written_by(**asked: Any) -> Writer:
    """A table after an event of a request with these values."""
    table = open_table(new_club())
    usual: dict[str, Any] = {
        "key": "k",
        "digest": "ab" * 32,
        "actor": "user:1",
        "device": "",
        "received_at": an_event().occurred_at,
    }
    log.append(table.place(1), an_event(), request=log.Request(**(usual | asked)), on_append=nothing)
    return table


def test_the_longest_that_is_allowed_is_stored_and_what_one_database_would_refuse_is_refused_on_both():
    for longest in ({"key": "k" * 200}, {"actor": "a" * 100}, {"device": "d" * 100}):
        assert written_by(**longest).versions() == [1, 2]
    before = Event.objects.count()
    misfits = ({"key": "k" * 201}, {"actor": "a" * 101}, {"device": "d" * 101}, {"actor": ""}, {"device": "phone\x00"})
    for number, misfit in enumerate(misfits, start=1):
        with pytest.raises(Defect):
            written_by(**misfit)
        assert Event.objects.count() == before + number, "the table was opened, and nothing written"


def test_an_event_is_named_by_its_hash_and_a_stream_as_it_was_asked_for():
    club, name = new_club(), uuid.uuid4()
    opened = Writer(club, name).opens()
    assert Stream.objects.get(club=club).id == name
    assert Event.objects.get(id=opened.stored.id).version == 1
