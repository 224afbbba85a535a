"""The fields that a hash covers, and that recipes 1 and 2 keep giving the same hashes."""

from datetime import UTC, datetime, timedelta, timezone

from scoring.events import hashes
from tournaments.log import rows

FIELDS = tuple(f"field {number}".encode() for number in range(14))
OF_TODAY = (b"2", *FIELDS[1:])


def test_the_recipes_never_change():
    """Stored hashes must verify for ever. Planted fault it catches: any change of framing, order or prefix."""
    start = hashes.genesis(b"ab" * 16, b"cd" * 16, b"table")
    digest = hashes.event_hash(start, 17, hashes.content_digest(FIELDS))
    assert digest.hex() == "e1a800df89f08b5690ff2c241bbe82ea8335710a59a0d336d8b48610b4fde611"
    assert hashes.content_digest(OF_TODAY).hex() == "bca3cae7a290cbe503005274a94a0b9d8c13931e41f29b2d66d18d047cf45daf"


def test_no_field_can_change_without_the_digest_nor_may_what_leaves_one_enter_the_next():
    for fields in (FIELDS, OF_TODAY):
        others = [
            tuple(field + b"!" if at == index else field for at, field in enumerate(fields)) for index in range(14)
        ]
        for index in range(1, 13):
            one, other = fields[index : index + 2]
            others.append((*fields[:index], one + other[:1], other[1:], *fields[index + 2 :]))
            assert b"".join(others[-1]) == b"".join(fields)
        assert hashes.content_digest(fields) not in set(map(hashes.content_digest, others))


def test_recipe_2_is_checked_without_knowing_who_wrote_the_event():
    who = hashes.framed_digest(OF_TODAY[hashes.WHO])
    shown = [*OF_TODAY[:6], who, *OF_TODAY[10:]]
    assert hashes.shown_digest(shown) == hashes.content_digest(OF_TODAY)


def test_place_and_predecessor_are_part_of_the_hash():
    base = hashes.event_hash(bytes(32), 1, bytes(32))
    assert hashes.event_hash(bytes(32), 2, bytes(32)) != base
    assert hashes.event_hash(b"\x01" + bytes(31), 1, bytes(32)) != base


def test_a_stream_begins_with_its_club_its_name_and_its_kind():
    starts = {
        hashes.genesis(club, stream, kind)
        for club in (b"c1", b"c2")
        for stream in (b"s1", b"s2")
        for kind in (b"table", b"tournament")
    }
    assert len(starts) == 8


def test_a_moment_is_written_the_same_way_wherever_the_clock_hangs():
    for microsecond in (0, 1, 999_999):
        moment = datetime(2026, 11, 20, 18, 0, 0, microsecond, tzinfo=UTC)
        in_india = moment.astimezone(timezone(timedelta(hours=5, minutes=30)))
        assert rows.time_text(in_india) == f"2026-11-20 18:00:00.{microsecond:06}"
        assert datetime.fromisoformat(f"{rows.time_text(in_india)}+00:00") == moment


def test_a_fingerprint_can_be_read_aloud():
    assert hashes.short_form(bytes(range(32))) == "0001-0203-0405-0607"
