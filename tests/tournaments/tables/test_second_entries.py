"""Two seats enter each deal: equal entries confirm each other, different ones are kept until both agree.

Planted faults that these catch: the version compared before the deal; a check since the phone's last read counted as
staleness; the actor compared, not the seat; a race refused instead of compared; the key forgotten with a comparison.
"""

from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from scoring.problems import EventNotAllowed, KeyReused, StaleTable
from scoring.sheets.snapshots import load_table
from tests.builders.admin_tables import NOW, Evening, club_called
from tests.builders.confirming import evening_with
from tests.builders.racing import at_once
from tests.builders.samples import each
from tournaments.log.context import CommandContext
from tournaments.models import Scoresheet
from tournaments.models.log import Event
from tournaments.people.permissions import TableRef, card_actor
from tournaments.tables.commands.record import RecordedEvent, record_at_table

pytestmark = pytest.mark.django_db
CARDS = {seat: uuid4() for seat in "1234"}


@pytest.fixture
def table(db: None) -> Evening:
    return evening_with(club_called("Asha's club", "asha"), "two_seats")


def context_of(seat: str, *before: str, card: UUID | None = None, key: str = "") -> CommandContext:
    """A phone with the card of a seat."""
    place = TableRef(club=uuid4(), table=uuid4())
    actor = card_actor(card or CARDS[seat], place, (seat, *before))
    return CommandContext(actor=actor.name, now=NOW, seats=actor.seats, key=key or str(uuid4()))


def deal(number: int, *counts: int, kind: str = "deal_recorded", **more: Any) -> dict[str, Any]:
    """Seat 1 shows, the others lose these points."""
    losses = {str(seat): {"how": "loss", "count": count} for seat, count in enumerate(counts, 2)}
    return {"kind": kind, "deal": number, "outcomes": {"1": {"how": "show"}, **losses}, **more}


def enters(table: Evening, seat: str, raw: dict[str, Any], *, seen: int, **of: Any) -> RecordedEvent:
    context = of.pop("context", None) or context_of(seat, **of)
    return record_at_table(table.table.pk, raw, expected=seen, context=context)


def kinds(table: Evening) -> list[str]:
    return list(Event.objects.filter(stream_id=table.table.pk).order_by("version").values_list("kind", flat=True))[1:]


def now(table: Evening) -> Any:
    return load_table(Scoresheet.objects.get(table=table.table).state)


def refused(table: Evening, seat: str, raw: dict[str, Any], **of: Any) -> list[str]:
    with pytest.raises(EventNotAllowed) as found:
        enters(table, seat, raw, **of)
    return [problem.code for problem in found.value.problems]


FIRST = deal(1, 12, 20, 30)
OTHER = deal(1, 21, 20, 30)


def test_an_equal_second_entry_confirms_the_first_from_the_version_before_it_and_a_third_adds_nothing(table: Evening):
    enters(table, "1", FIRST, seen=1)
    assert now(table).unconfirmed == (1,)
    stored = enters(table, "2", FIRST, seen=1).stored
    assert (stored.kind, stored.version, stored.body) == ("deal_confirmed", 3, '{"deal":1,"seat":"2"}')
    assert stored.actor == f"table:{CARDS['2']}:2"
    assert now(table).unconfirmed == ()
    third = enters(table, "3", FIRST, seen=1)
    assert (third.is_replay, third.stored.version) == (True, stored.version)
    assert enters(table, "4", OTHER, seen=1).stored.kind == "deal_disputed"
    assert refused(table, "3", FIRST, seen=1) == ["deal_disputed"]


def test_the_wild_card_left_out_contradicts_nothing_and_another_one_does(table: Evening):
    enters(table, "1", {**FIRST, "wild": "7H", "dealer": "4"}, seen=1)
    assert enters(table, "2", FIRST, seen=1).stored.kind == "deal_confirmed"
    enters(table, "1", deal(2, 1, 2, 3, wild="7H"), seen=2)
    assert enters(table, "2", deal(2, 1, 2, 3, wild="8H"), seen=3).stored.kind == "deal_disputed"


def test_a_hand_entered_as_cards_says_the_same_as_its_points(table: Evening):
    enters(table, "1", deal(1, 13, 20, 30), seen=1)
    cards = deal(1, 0, 20, 30)
    cards["outcomes"]["2"] = {"how": "loss", "groups": ["5H 6H 7H 8H", "2C 3C 4C", "9D 9S 9H 9C"], "loose": "3S KD"}
    assert enters(table, "2", cards, seen=1).stored.kind == "deal_confirmed"


def test_a_different_entry_is_kept_whole_beside_the_first_until_the_director_resolves_it(table: Evening):
    enters(table, "1", FIRST, seen=1)
    stored = enters(table, "2", OTHER, seen=1).stored
    assert stored.kind == "deal_disputed"
    seat, sheet = now(table).second_entry(1)
    assert (seat, sheet.outcomes["2"].count) == ("2", 21)
    assert now(table).disagreements(1, sheet) == ("2",)
    assert (now(table).disputed, now(table).locked) == ((1,), ())
    row = Scoresheet.objects.get(table=table.table)
    assert (row.has_dispute, row.unconfirmed) == (True, 1)
    table.record({"kind": "dispute_settled", "deal": 1, "reason": "counted together"})
    assert (now(table).disputed, now(table).unconfirmed) == ((), ())


def test_the_second_seat_corrects_its_own_entry_and_so_confirms_the_first(table: Evening):
    enters(table, "1", FIRST, seen=1)
    enters(table, "2", OTHER, seen=1)
    enters(table, "2", deal(1, 22, 20, 30), seen=3)
    assert now(table).second_entry(1)[1].outcomes["2"].count == 22
    assert enters(table, "2", FIRST, seen=4).stored.kind == "deal_confirmed"
    assert (now(table).disputed, now(table).unconfirmed) == ((), ())
    assert now(table).deal_entry(1).event.sheet.outcomes["2"].count == 12


def test_the_first_seat_corrects_its_entry_to_what_the_second_has_and_both_agree(table: Evening):
    enters(table, "1", FIRST, seen=1)
    enters(table, "2", OTHER, seen=1)
    corrected = deal(1, 25, 20, 30, kind="deal_corrected", reason="looked again")
    enters(table, "1", corrected, seen=2)
    assert (now(table).disputed, now(table).unconfirmed) == ((1,), (1,))
    enters(table, "1", deal(1, 21, 20, 30, kind="deal_corrected", reason="looked again"), seen=4)
    assert (now(table).disputed, now(table).unconfirmed) == ((), ())
    row = Scoresheet.objects.get(table=table.table)
    assert (row.has_dispute, row.unconfirmed) == (False, 0)
    # A seat that no longer disagrees may not change its entry without the other.
    enters(table, "1", deal(1, 25, 20, 30, kind="deal_corrected", reason="again"), seen=5)
    assert (now(table).disputed, now(table).unconfirmed) == ((1,), (1,))


def test_the_next_deal_is_not_stale_because_of_the_other_phones_word(table: Evening):
    enters(table, "1", FIRST, seen=1)
    enters(table, "2", FIRST, seen=1)
    assert enters(table, "1", deal(2, 1, 2, 3), seen=2).stored.version == 4
    enters(table, "2", deal(2, 9, 2, 3), seen=3)
    assert enters(table, "1", deal(3, 4, 5, 6), seen=4).stored.version == 6


def test_a_deal_typed_before_somebody_rejoined_is_looked_at_again(table: Evening):
    enters(table, "1", deal(1, 80, 20, 30), seen=1)
    enters(table, "2", deal(1, 80, 20, 30), seen=1)
    enters(table, "1", deal(2, 80, 20, 30), seen=3)
    table.record({"kind": "rejoined", "seat": "2"})
    with pytest.raises(StaleTable):
        enters(table, "3", deal(3, 1, 2, 3), seen=4)


def test_a_phone_that_was_offline_confirms_deal_after_deal(table: Evening):
    for number in (1, 2, 3):
        enters(table, "1", deal(number, number, 2, 3), seen=number)
    assert [enters(table, "2", deal(n, n, 2, 3), seen=n).stored.kind for n in (1, 2, 3)] == ["deal_confirmed"] * 3
    assert now(table).unconfirmed == ()


def test_an_entry_sent_again_gets_its_first_answer(table: Evening):
    once = context_of("1", key="a first one")
    assert [enters(table, "1", FIRST, seen=1, context=once).is_replay for _ in range(2)] == [False, True]
    assert kinds(table) == ["deal_recorded"]
    sent = context_of("2", key="once")
    first = enters(table, "2", FIRST, seen=1, context=sent)
    again = enters(table, "2", FIRST, seen=1, context=sent)
    assert (again.is_replay, again.stored.version) == (True, first.stored.version)
    assert kinds(table) == ["deal_recorded", "deal_confirmed"]
    with pytest.raises(KeyReused):
        enters(table, "2", OTHER, seen=1, context=sent)


def test_nothing_but_the_own_entry_of_another_seat_confirms_a_deal(table: Evening):
    enters(table, "1", FIRST, seen=1)
    # The same seat by a newer card.
    with pytest.raises(StaleTable):
        enters(table, "1", FIRST, seen=1, card=uuid4())
    assert refused(table, "1", FIRST, seen=2, card=uuid4()) == ["deal_exists"]
    # A device that entered for this seat before, and a word without an entry.
    assert refused(table, "2", FIRST, seen=1, context=context_of("2", "1")) == ["own_deal"]
    assert refused(table, "2", {"kind": "deal_confirmed", "deal": 1, "seat": "2"}, seen=2) == ["not_an_official"]
    # A login, the table's own card and a program are answered as before.
    for actor in ("user:7", f"table:{uuid4()}", f"token:{uuid4()}"):
        with pytest.raises(StaleTable):
            enters(table, "2", FIRST, seen=1, context=replace(context_of("2"), actor=actor, seats=()))
    nobody = {"kind": "deal_recorded", "deal": 1, "outcomes": {seat: {"how": "loss", "count": 9} for seat in "1234"}}
    assert refused(table, "2", nobody, seen=1) == ["no_winner"]
    assert (now(table).unconfirmed, kinds(table)) == ((1,), ["deal_recorded"])


def test_an_official_confirms_where_a_phone_has_gone_but_not_over_a_difference(table: Evening):
    enters(table, "1", FIRST, seen=1)
    table.record({"kind": "deal_confirmed", "deal": 1}, actor="user:7")
    assert now(table).unconfirmed == ()
    enters(table, "1", deal(2, 1, 2, 3), seen=3)
    enters(table, "2", deal(2, 9, 2, 3), seen=3)
    with pytest.raises(EventNotAllowed) as found:
        table.record({"kind": "deal_confirmed", "deal": 2, "seat": "2"}, actor="user:7")
    assert [problem.code for problem in found.value.problems] == ["deal_disputed"]


def test_a_correction_of_a_confirmed_deal_waits_for_the_other_seat_to_enter_it(table: Evening):
    enters(table, "1", FIRST, seen=1)
    enters(table, "2", FIRST, seen=1)
    enters(table, "1", deal(1, 21, 20, 30, kind="deal_corrected", reason="12 was 21"), seen=3)
    assert now(table).unconfirmed == (1,)
    assert enters(table, "2", OTHER, seen=4).stored.kind == "deal_confirmed"


def test_a_dispute_that_called_the_director_is_not_for_the_seats_to_mend(table: Evening):
    enters(table, "1", FIRST, seen=1)
    table.record({"kind": "deal_disputed", "deal": 1, "seat": "2", "reason": "cards on the floor"})
    assert refused(table, "2", FIRST, seen=1) == ["deal_disputed"]
    assert refused(table, "1", deal(1, 1, 2, 3, kind="deal_corrected", reason="x"), seen=3) == ["deal_disputed"]


def test_a_cancelled_deal_takes_its_second_entry_with_it(table: Evening):
    enters(table, "1", FIRST, seen=1)
    enters(table, "2", OTHER, seen=1)
    table.record({"kind": "deal_voided", "deal": 1, "reason": "misdeal"})
    assert now(table).disputed == ()
    assert enters(table, "2", OTHER, seen=4).stored.kind == "deal_recorded"


@pytest.mark.parametrize("confirmation", each("at_once", "second_seat", "second_official"))
def test_without_the_plans_option_a_second_entry_is_stale_as_before(confirmation: str):
    table = evening_with(club_called("Asha's club", "asha"), confirmation)
    enters(table, "1", FIRST, seen=1)
    with pytest.raises(StaleTable):
        enters(table, "2", FIRST, seen=1)
    assert kinds(table) == ["deal_recorded"]


def test_what_a_seat_entered_is_nothing_that_can_be_sent(table: Evening):
    enters(table, "1", FIRST, seen=1)
    sheet = {"outcomes": FIRST["outcomes"]}
    forged = {"kind": "deal_disputed", "deal": 1, "seat": "2", "reason": "x", "sheet": sheet}
    with pytest.raises(Exception, match="no field 'sheet'"):
        table.record(forged)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("counts", [(12, 12), (12, 21)])
def test_two_phones_that_save_at_the_same_moment_make_one_deal_and_one_word(counts: tuple[int, int]):
    for round_number in range(4):
        table = evening_with(club_called(f"Club {round_number}", f"club-{round_number}"), "two_seats")
        entered = zip("12", counts, strict=True)
        answers = at_once([partial(enters, table, seat, deal(1, count, 20, 30), seen=1) for seat, count in entered])
        assert all(isinstance(answer, RecordedEvent) for answer in answers), answers
        word = "deal_confirmed" if counts[0] == counts[1] else "deal_disputed"
        assert kinds(table) == ["deal_recorded", word]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_all_seats_that_save_at_the_same_moment_make_one_deal_and_one_word(transactional_db: None):
    table = evening_with(club_called("Asha's club", "asha"), "two_seats")
    answers = at_once([partial(enters, table, seat, FIRST, seen=1) for seat in "1234"])
    assert all(isinstance(answer, RecordedEvent) for answer in answers), answers
    assert kinds(table) == ["deal_recorded", "deal_confirmed"]
