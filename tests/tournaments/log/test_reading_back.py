"""An event is stored only if it reads back the same: in every stream, whoever made it.

Planted faults: the check of what was encoded removed from the append; events made without their event.
"""

import ast
from datetime import timedelta
from typing import Any

import pytest

from rummy_site.environment import BASE_DIR
from scoring.events import cash, wire
from scoring.events.table import Event
from scoring.money.payouts import MOST_MINOR, MOST_SUM
from scoring.problems import Defect, EventRejected
from scoring.rules.variants.indian.outcomes import DealSheet, Outcome, OutcomeKind
from tests.builders.log_writers import START, Writer, new_club, nothing, open_table, request
from tournaments import log
from tournaments.models.log import Event as EventRow

pytestmark = pytest.mark.django_db

BEYOND: list[tuple[Event, str, str]] = [
    (wire.BoughtIn(seat="1", amount_minor=MOST_MINOR + 1), "amount_minor", str(MOST_MINOR)),
    (wire.PenaltyGiven(seat="1", points=10_001, reason="x"), "points", "10000"),
    (wire.EntryPaid(player="asha", amount_minor=MOST_SUM + 1), "amount_minor", str(MOST_SUM)),
    (wire.EntryPaid(player="x" * 65, amount_minor=1), "player", "64"),
    (wire.TimeAdded(round=1, seconds=86_401, reason="x"), "seconds", "86400"),
    (cash.TillCounted(till="user:7", pieces={"100": 114_793}), "pieces", "100000"),
    (cash.MoneyReceived(player="asha", amount_minor=MOST_MINOR + 1, place="bank"), "amount_minor", str(MOST_MINOR)),
]


def tell(told: Event) -> log.Appended:
    table = open_table(new_club())
    return log.append(table.place(1), log.NewEvent.of(told, START), request=request(), on_append=nothing)


@pytest.mark.postgres
def test_a_value_beyond_its_bound_is_refused_with_field_and_limit():
    for number, (told, field, limit) in enumerate(BEYOND, start=1):
        with pytest.raises(EventRejected) as caught:
            tell(told)
        [problem] = caught.value.problems
        assert (problem.code, problem.field) == ("out_of_range", field)
        assert limit in problem.text()
        assert EventRow.objects.count() == number, "the refused event must not be stored"


def test_every_field_beyond_its_bound_is_reported_at_once():
    told = cash.MoneyReceived(player="", amount_minor=0, place="moon")
    with pytest.raises(EventRejected) as caught:
        tell(told)
    assert [problem.field for problem in caught.value.problems] == ["player", "amount_minor", "place"]


def test_an_opening_that_does_not_read_back_opens_nothing():
    writer, told = Writer(new_club()), cash.CashBookOpened(currency="rupees")
    with pytest.raises(EventRejected):
        log.open_stream(writer.place(0), "cash", log.NewEvent.of(told, START), request=request(), on_append=nothing)
    assert not writer.versions()


def test_an_event_that_comes_back_as_another_is_a_defect_and_not_stored():
    """A body with more than its event would read back as less than was hashed."""
    told = wire.SeatLeft(seat="1")
    event = log.NewEvent(kind=told.kind, schema=1, body='{"seat":"1","why":"tea"}', occurred_at=START, event=told)
    table = open_table(new_club())
    with pytest.raises(Defect, match="does not read back"):
        log.append(table.place(1), event, request=request(), on_append=nothing)
    assert table.versions() == [1]


def test_a_deal_reads_back_with_the_sheet_of_its_variant():
    sheet = DealSheet(outcomes={"1": Outcome(how=OutcomeKind.SHOW), "2": Outcome(how=OutcomeKind.LOSS, count=34)})
    stored = tell(wire.DealRecorded(deal=1, sheet=sheet)).stored
    assert '"count":34' in stored.body
    with pytest.raises(EventRejected) as caught:
        tell(wire.DealRecorded(deal=1_001, sheet=sheet))
    assert [problem.field for problem in caught.value.problems] == ["deal"]


@pytest.mark.postgres
def test_a_resend_of_what_was_stored_by_an_earlier_version_still_gets_its_answer():
    """The check comes before the write, and does not delay the resend of a good event."""
    table = open_table(new_club())
    event, asked = log.NewEvent.of(wire.SeatLeft(seat="1"), START + timedelta(seconds=1)), request("k")
    first = log.append(table.place(1), event, request=asked, on_append=nothing)
    again = log.append(table.place(1), event, request=asked, on_append=nothing)
    assert again.is_replay
    assert again.stored.position == first.stored.position


def _calls(tree: ast.AST) -> list[str]:
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [name for call in calls if (name := _name(call)) == "NewEvent"]


def _name(call: Any) -> str:
    return call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "")


def test_the_service_makes_events_of_events_alone():
    """An event that was built by hand would be stored unchecked."""
    files = [path for folder in ("tournaments", "scoring", "rummy_site") for path in (BASE_DIR / folder).rglob("*.py")]
    named = [path for path in files if "NewEvent" in path.read_text()]
    assert named
    assert [str(path) for path in named if _calls(ast.parse(path.read_text()))] == []
