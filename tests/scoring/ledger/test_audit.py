"""An audit finds changes made to the books while their guards were off."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from scoring.ledger import ledger_problems
from scoring.ledger.audit import _what_does_not_add_up
from scoring.models import Account, JournalEntry, Posting, SettledCause
from tests.builders.ledger import CLUB, NEIGHBOUR, TABLE, deal, settled
from tests.flushing.management.commands.flush import lifted

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def an_evening() -> None:
    """Two deals, of which the second was corrected, and a neighbour's table."""
    settled(17, deal(1, asha=-600, bo=540, house=60), deal(2, asha=-100, cy=100))
    settled(21, deal(1, asha=-600, bo=540, house=60), deal(2, asha=-200, cy=200))
    settled(3, deal(1, dev=-70, bo=70), club=NEIGHBOUR, cause="table:next door")


def entry(reference: str) -> JournalEntry:
    return JournalEntry.objects.get(reference=f"{TABLE}{reference}")


def settle_a_second_time() -> None:
    """Another entry for the same deal, as a ledger without unique references and locks would post it."""
    twin = entry("@17/deal:1")
    postings = list(twin.postings.values_list("account_id", "amount_minor", "purpose"))
    twin.id, twin.reference = None, f"{TABLE}@22/deal:1"
    twin.version = 22
    fresh = JournalEntry.objects.create(
        **{field.attname: getattr(twin, field.attname) for field in JournalEntry._meta.fields if field.name != "id"}
    )
    for account, amount, purpose in postings:
        Posting.objects.create(club=fresh.club, entry=fresh, account_id=account, amount_minor=amount, purpose=purpose)
    SettledCause.objects.filter(cause=TABLE).update(version=22)


def raise_an_amount() -> None:
    entry("@17/deal:1").postings.filter(amount_minor=540).update(amount_minor=640)


def reverse_less_than_was_posted() -> None:
    entry("@17/deal:2~reversed@21").postings.filter(amount_minor=100).update(amount_minor=90)
    entry("@17/deal:2~reversed@21").postings.filter(amount_minor=-100).update(amount_minor=-90)


def remove_two_postings_that_cancel() -> None:
    doomed = entry("@21/deal:2").postings.all()
    doomed._raw_delete("default")


def move_an_account_next_door() -> None:
    Account.objects.filter(owner="cy").update(club=NEIGHBOUR)


def turn_a_reversal_to_another_entry() -> None:
    JournalEntry.objects.filter(reverses__isnull=False).update(reverses=entry("@21/deal:2"))


def rename_an_entry() -> None:
    JournalEntry.objects.filter(id=entry("@17/deal:1").id).update(reference="table:of a friend@17/deal:1")


def forget_what_was_settled() -> None:
    SettledCause.objects.filter(cause=TABLE).update(version=F("version") - 1)


FAULTS: dict[Callable[[], None], str] = {
    raise_an_amount: f"{TABLE}@17/deal:1 does not balance: its postings sum to 100",
    reverse_less_than_was_posted: f"{TABLE}@17/deal:2 and its reversal do not cancel out",
    remove_two_postings_that_cancel: f"{TABLE}@21/deal:2 has 0 postings and should have 2",
    move_an_account_next_door: f"{TABLE}@21/deal:2 posts to an account of another club or currency",
    turn_a_reversal_to_another_entry: f"{TABLE}@21/deal:2 and its reversal do not cancel out",
    rename_an_entry: f"table:of a friend@17/deal:1 is not what an entry of {TABLE} at 17 is called",
    forget_what_was_settled: f"{TABLE} has entries of version 21 but is noted as settled to 20",
    settle_a_second_time: f"{TABLE}/deal:1 is settled 2 times over",
}


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_books_kept_by_our_own_ledger_are_in_order():
    an_evening()
    assert ledger_problems() == []


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_planted_fault_is_found_in_its_club_and_in_no_other(plant: Callable[[], None]):
    """Each planted fault is named by its function, and made with the triggers dropped."""
    an_evening()
    if plant is move_an_account_next_door and connection.vendor == "postgresql":
        pytest.skip("PostgreSQL lets no account that was used leave its club")
    with lifted(connection):
        plant()
    assert FAULTS[plant] in ledger_problems(CLUB)
    assert FAULTS[plant] in ledger_problems()
    assert ledger_problems(NEIGHBOUR) == []


def test_an_account_that_was_used_leaves_its_club_on_no_postgresql():
    if connection.vendor == "sqlite":
        pytest.skip("SQLite's keys are ids alone")
    an_evening()
    with lifted(connection):
        connection.check_constraints()
        run("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(IntegrityError, match="posting_account_fk"), transaction.atomic():
            move_an_account_next_door()


def test_posting_that_lost_its_entry_is_found():
    """Planted with foreign keys switched off, which on PostgreSQL takes a superuser."""
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite lets its owner switch foreign keys off")
    an_evening()
    with lifted(connection), connection.constraint_checks_disabled():
        JournalEntry.objects.filter(reference=f"{TABLE}@17/deal:1")._raw_delete("default")
    assert sum("belongs to no entry" in problem for problem in ledger_problems()) == 3


def test_guard_that_is_down_is_a_fault_in_itself():
    drop = "DROP TRIGGER scoring_posting_" + (
        "sealed" if connection.vendor == "sqlite" else "complete ON scoring_posting"
    )
    with connection.cursor() as cursor:
        cursor.execute(drop)
    (problem,) = ledger_problems()
    assert "does not stand" in problem


def test_each_fault_of_an_entry_is_said_by_itself():
    for held, count, balance, at_home, said in (
        (2, 2, 0, 2, []),
        (1, 1, 0, 1, ["e has 1 postings and should have 1"]),
        (2, 3, 0, 2, ["e has 2 postings and should have 3"]),
        (3, 3, -1, 3, ["e does not balance: its postings sum to -1"]),
        (2, 2, 0, 1, ["e posts to an account of another club or currency"]),
    ):
        entry = {"reference": "e", "held": held, "posting_count": count, "balance": balance, "at_home": at_home}
        assert list(_what_does_not_add_up(entry)) == said
