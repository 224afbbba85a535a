"""Finding events without reading them: by stream, kind, key, position, version and time."""

import uuid
from datetime import timedelta

import pytest
from django.db.models import OuterRef
from django.utils.timezone import now

from tests.builders.log_writers import START, Writer, an_event, new_club, nothing, open_table, play_night, request
from tournaments import log
from tournaments.models import Club

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
OPENED, DEAL, CORRECTED = "table_opened", "deal_recorded", "deal_corrected"


def test_headers_come_in_the_order_of_the_log_and_only_those_asked_for():
    club = new_club()
    first, second = play_night(club, deals=2)
    play_night(new_club())
    found = list(log.find(club=club.id, streams=[second.stream_id, first.stream_id], kinds=[DEAL, CORRECTED]))
    assert [(each.position, each.kind) for each in found] == [
        *((3, DEAL), (4, DEAL), (5, DEAL), (6, DEAL)),
        *((7, CORRECTED), (8, CORRECTED)),
    ]
    assert {each.stream_id for each in found if each.position % 2} == {first.stream_id}
    assert [each.version for each in found] == [2, 2, 3, 3, 4, 4]
    assert {each.actor for each in found} == {"user:sam"}
    assert found[0].recorded_at == START + timedelta(minutes=5, microseconds=1)


def test_the_first_and_the_last_of_some_events_or_none():
    club = new_club()
    first, _ = play_night(club, deals=3)
    deals = log.find(club=club.id, streams=[first.stream_id], kinds=[DEAL])
    assert [getattr(each, "version", None) for each in (deals.first(), deals.last())] == [2, 4]
    nowhere = log.find(club=club.id, streams=[uuid.uuid4()])
    assert (nowhere.first(), nowhere.last(), nowhere.exists()) == (None, None, False)
    assert deals.exists()


def test_events_are_found_by_key_position_version_and_time():
    club = new_club()
    table = open_table(club)
    table.writes(1, key="mine")
    later = request(at=START + timedelta(minutes=5))
    log.append(table.place(2), an_event(), request=later, on_append=nothing)

    def positions(**criteria) -> list[int]:
        return [each.position for each in log.find(club=club.id, **criteria)]

    assert positions(keys=["mine", "another's"]) == [2]
    assert positions(positions=[3, 9]) == [3]
    assert positions(streams=[table.stream_id], after=1) == [2, 3]
    assert positions(since=START + timedelta(minutes=5)) == [3]
    assert positions() == [1, 2, 3]
    assert list(log.find(club=new_club().id, keys=["mine"])) == []


def test_a_span_tells_where_the_events_of_a_kind_begin_and_end():
    club = new_club()
    first, second = play_night(club, deals=3)
    spans = log.spans(club=club.id, streams=[first.stream_id, second.stream_id])
    found = {(each.stream_id, each.kind): each for each in spans}
    assert found.keys() == {(each.stream_id, kind) for each in (first, second) for kind in (OPENED, DEAL, CORRECTED)}
    deals = found[second.stream_id, DEAL]
    assert (deals.first, deals.last) == (4, 8)
    assert deals.first_recorded == START + timedelta(minutes=5, microseconds=2)
    assert deals.last_recorded == START + timedelta(minutes=15, microseconds=2)
    assert deals.last_occurred == START
    assert [each.kind for each in log.spans(club=club.id, streams=[first.stream_id], kinds=[DEAL])] == [DEAL]


def test_rows_are_chosen_by_what_happened_in_their_streams():
    club, other = new_club(), new_club()
    for each in (club, other):
        Writer(each, each.id).opens(an_event(kind="opened"))
    Writer(club, club.id).writes(1, an_event(kind="closed"), key="k")

    def chosen(**criteria) -> set[Club]:
        return set(Club.objects.filter(log.happened(OuterRef("pk"), club=OuterRef("pk"), **criteria)))

    assert chosen(kinds=["opened"]) == {club, other}
    assert chosen(kinds=["closed"]) == chosen(keys=["k"]) == chosen(after=1) == {club}
    assert chosen(kinds=["opened"], after=1) == set()


def test_events_of_some_kinds_are_read_in_the_order_of_the_log():
    club = new_club()
    first, second = play_night(club, deals=2)
    found = log.read_kinds(club.id, [second.stream_id, first.stream_id], [CORRECTED, OPENED])
    assert [(each.position, each.kind) for each in found] == [(1, OPENED), (2, OPENED), (7, CORRECTED), (8, CORRECTED)]
    assert found[2].note == "Bo counted his joker"
    assert log.read_kinds(club.id, [], [OPENED]) == []


def test_streams_are_told_by_what_they_are_the_history_of():
    club, other = new_club(), new_club()
    tables = {open_table(club).stream_id: club.id, open_table(other).stream_id: other.id}
    assert tables.items() <= log.streams(log.StreamKind.TABLE).items()
    assert list(log.streams(log.StreamKind.TABLE, club.id).values()) == [club.id]
    assert log.streams(log.StreamKind.CASH, club.id) == {}
    assert {log.kind_of(club_id, stream) for stream, club_id in tables.items()} == {log.StreamKind.TABLE}


def test_how_far_the_log_of_each_club_has_come():
    club, empty = new_club(), new_club()
    table = open_table(club)
    open_table(club)
    table.writes(1)
    log.lock_club(empty.id)
    ends = log.club_ends()
    assert ends[club.id] == (3, table.stream_id)
    assert empty.id not in ends


def test_notes_are_reported_with_the_positions_of_their_events_until_they_are_erased():
    club = new_club()
    table = open_table(club)
    table.writes(1, an_event(note="Asha was right"))
    open_table(new_club()).writes(1, an_event(note="somebody else's"))
    assert log.notes_of(club.id) == [(2, "Asha was right")]
    log.erase_notes(club.id, [2])
    assert log.notes_of(club.id) == []


def test_what_no_seal_covers_yet_is_reported_with_the_age_of_its_first_event():
    club, sealed, behind = new_club(), new_club(), new_club()
    open_table(club)
    for each in (sealed, behind):
        table = open_table(each)
        log.seal_club(each.id, now())
    later = request(at=START + timedelta(minutes=9))
    log.append(table.place(1), an_event(), request=later, on_append=nothing)
    since = log.unsealed_since()
    assert (since[club.id], since[behind.id]) == (START, START + timedelta(minutes=9))
    assert sealed.id not in since
