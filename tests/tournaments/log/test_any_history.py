"""Random histories of writes, resends, seals and refusals: the log verifies and contains exactly them."""

import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from scoring.problems import KeyReused, StaleTable
from tests.builders.log_writers import START, Writer, an_event, new_club
from tests.builders.samples import few_or_many, tries
from tests.builders.state_machines import run_machine
from tournaments import log
from tournaments.models.log import ClubHead

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=20)


class AnyHistory(RuleBasedStateMachine):
    """A club with some tables, and a plain list of what its log must contain."""

    def __init__(self) -> None:
        super().__init__()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        self.club = new_club()
        self.tables: list[Writer] = []
        self.stored: list[log.StoredEvent] = []

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.transaction.__exit__(None, None, None)

    @rule(note=st.just("") | TEXT)
    def open(self, note: str) -> None:
        table = Writer(self.club)
        self.tables.append(table)
        self.stored.append(table.opens(an_event("{}", note=note)).stored)

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), body=TEXT, note=st.just("") | TEXT, off=st.sampled_from([0, 0, 0, -1, 1]))
    def write(self, data: st.DataObject, body: str, note: str, off: int) -> None:
        table = data.draw(st.sampled_from(self.tables))
        current = self.version_of(table)
        if off:
            with pytest.raises(StaleTable) as told:
                table.writes(current + off, an_event(body, note=note))
            assert told.value.current == current
            return
        self.stored.append(table.writes(current, an_event(body, note=note)).stored)

    @precondition(lambda self: self.stored)
    @rule(data=st.data(), after=st.integers(0, 3))
    def send_again(self, data: st.DataObject, after: int) -> None:
        first = data.draw(st.sampled_from(self.stored))
        again = Writer(self.club, first.stream_id).writes(after, an_event(first.body), key=str(first.key))
        assert again.is_replay
        assert again.stored == first

    @precondition(lambda self: self.stored)
    @rule(data=st.data())
    def send_something_else_under_a_known_key(self, data: st.DataObject) -> None:
        first = data.draw(st.sampled_from(self.stored))
        table = Writer(self.club, first.stream_id)
        with pytest.raises(KeyReused):
            table.writes(self.version_of(table), key=str(first.key), digest="cd" * 32)

    @rule()
    def seal(self) -> None:
        log.seal_club(self.club.id, START)

    @invariant()
    def the_log_says_it_all_and_verifies(self) -> None:
        assert log.read_club(self.club.id, limit=1_000) == self.stored
        verdict = log.verify_club(self.club.id.hex, is_full=True, examine=lambda rows: None)
        assert verdict.faults == ()
        head = ClubHead.objects.filter(club=self.club).first()
        assert (head.position if head else 0) == len(self.stored)

    def version_of(self, table: Writer) -> int:
        head = log.head_of(table.club.id, table.stream_id)
        assert head is not None
        return head.version


@pytest.mark.postgres
@pytest.mark.django_db
@pytest.mark.parametrize("examples", few_or_many(15, tries(2_000)))
def test_any_history_of_the_log_verifies_and_says_it_all(examples: int):
    """Planted faults it catches: the note's digest left out of the hash, or a replay that needs a new row."""
    run_machine(AnyHistory, examples=examples, steps=20)
