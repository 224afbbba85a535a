"""Foreign keys between rows of a club include the club of both rows."""

import uuid

from tournaments.models.log import Event, EventNote, Stream


def test_a_join_names_the_club_whichever_end_it_starts_from():
    own = '"tournaments_stream"."club_id" = ("tournaments_event"."club_id")'
    assert own in str(Event.objects.filter(stream__kind="table").query)
    assert own in str(Stream.objects.filter(events__kind="table_opened").query)
    beside = '"tournaments_event"."club_id" = ("tournaments_eventnote"."club_id")'
    assert beside in str(EventNote.objects.select_related("event").query)


def test_a_row_is_found_from_one_that_refers_to_it_in_its_own_club():
    event = Event(club_id=uuid.uuid4(), stream_id=uuid.uuid4())
    looked_for = Event._meta.get_field("stream").get_reverse_related_filter(event)
    assert set(looked_for.children) == {("id", event.stream_id), ("club", event.club_id)}
