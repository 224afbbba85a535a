"""The database itself refuses invalid changes to the books, whichever program makes them.

Planted fault: every test here failed with its trigger dropped.
"""

import uuid
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import IntegrityError, connection, models, transaction
from django.db.models.signals import post_migrate, pre_migrate

from scoring.ledger import triggers
from scoring.models import Account, JournalEntry, Posting
from scoring.money import AccountKind
from tests.builders.ledger import CLUB, NEIGHBOUR, NOW, deal, holdings, settled

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def account(owner: str = "asha", *, club: uuid.UUID = CLUB, currency: str = "INR") -> Account:
    return Account.objects.create(club=club, kind=AccountKind.PLAYER, owner=owner, currency=currency)


def write(*amounts: int, on: Account | None = None, says: int = 2) -> None:
    """An entry with these amounts, inserted without our ledger in the order that this database needs."""
    entry = JournalEntry(
        club=CLUB,
        reference=f"by hand {uuid.uuid4()}",
        cause="hand",
        slot="table",
        version=1,
        currency="INR",
        posting_count=says,
        posted_at=NOW,
    )
    held = on or account()
    postings = [
        Posting(club=CLUB, entry=entry, account=held, amount_minor=amount, purpose="cash") for amount in amounts
    ]
    with transaction.atomic():
        if connection.vendor == "sqlite":
            Posting.objects.bulk_create(postings)
            entry.save(force_insert=True)
        else:
            entry.save(force_insert=True)
            Posting.objects.bulk_create(postings)
        connection.check_constraints()


def test_entry_that_balances_is_taken():
    write(5, -5)
    assert Posting.objects.count() == 2


@pytest.mark.parametrize(
    ("amounts", "says"), [((5, -4), 2), ((5,), 2), ((5, -5), 3), ((5, -5, 5, -5), 2), ((), 2), ((5,), 1)]
)
def test_entry_that_does_not_add_up_is_refused(amounts: tuple[int, ...], says: int):
    with pytest.raises(IntegrityError):
        write(*amounts, says=says)


@pytest.mark.parametrize("elsewhere", [{"club": NEIGHBOUR}, {"currency": "EUR"}])
def test_entry_cannot_use_an_account_of_another_club_or_currency(elsewhere: dict[str, Any]):
    with pytest.raises(IntegrityError, match="another club or currency"):
        write(5, -5, on=account("stranger", **elsewhere))


def test_posting_of_nothing_is_refused():
    with pytest.raises(IntegrityError):
        write(0, 0)


def test_complete_entry_takes_no_more_postings_even_if_they_balance():
    settled(1, deal(1, asha=-600, bo=600))
    entry, held = JournalEntry.objects.get(), Account.objects.get(owner="asha")
    more = [Posting(club=CLUB, entry=entry, account=held, amount_minor=amount, purpose="cash") for amount in (7, -7)]
    with pytest.raises(IntegrityError):
        Posting.objects.bulk_create(more)


def test_posting_without_an_entry_is_refused_at_the_end_of_the_transaction():
    stray = Posting(club=CLUB, entry_id=uuid.uuid4(), account=account(), amount_minor=5, purpose="cash")

    def commit_it() -> None:
        with transaction.atomic():
            stray.save()
            connection.check_constraints()

    with pytest.raises(IntegrityError):
        commit_it()


CHANGES: dict[str, Callable[[], Any]] = {
    "change a posting": lambda: Posting.objects.update(amount_minor=1),
    "delete a posting": lambda: Posting.objects.all()._raw_delete("default"),
    "change an entry": lambda: JournalEntry.objects.update(memo="another story"),
    "delete an entry": lambda: JournalEntry.objects.all()._raw_delete("default"),
    "move an account": lambda: Account.objects.update(owner="bo"),
    "delete an account": lambda: Account.objects.all()._raw_delete("default"),
}


@pytest.mark.parametrize("deed", CHANGES)
def test_nobody_can_rewrite_the_books(deed: str):
    settled(1, deal(1, asha=-600, bo=600))
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        CHANGES[deed]()
    assert holdings() == {"asha": -600, "bo": 600}


@pytest.mark.parametrize("table", sorted(triggers.BOOKS.tables))
def test_table_cannot_be_emptied_at_one_stroke(table: str):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no TRUNCATE")
    settled(1, deal(1, asha=-600, bo=600))
    connection.check_constraints()
    with pytest.raises(IntegrityError, match="TRUNCATE refused"), connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {table} CASCADE")


@pytest.mark.parametrize("table", sorted(triggers.BOOKS.tables))
def test_row_cannot_be_replaced_by_another_with_its_key(table: str):
    """SQLite deletes the old row of an INSERT OR REPLACE without asking the delete trigger."""
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite can replace")
    settled(1, deal(1, asha=-600, bo=600))
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")


def test_reference_is_given_once():
    settled(1, deal(1, asha=-600, bo=600))
    entry = JournalEntry.objects.get()
    twin = JournalEntry(
        **{
            field.attname: getattr(entry, field.attname)
            for field in JournalEntry._meta.concrete_fields
            if field.name != "id"
        }
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save(force_insert=True)


def drop_a_guard() -> str:
    table = "scoring_posting"
    name = f"{table}_no_change" if connection.vendor == "postgresql" else f"{table}_no_update"
    on = f" ON {table}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{on}")
    return name


def test_dropped_guard_is_missed_at_start_up_and_put_back_by_migrate():
    assert triggers.missing(connection) == []
    name = drop_a_guard()
    assert triggers.missing(connection) == [name]
    assert [found.id for found in run_checks(tags=["database"], databases=["default"])] == ["scoring.W001"]
    call_command("migrate", verbosity=0, stdout=StringIO())
    assert triggers.missing(connection) == []


def test_a_database_without_tables_misses_no_guard_yet(monkeypatch: pytest.MonkeyPatch):
    """The first `migrate` would warn of every one. Planted fault: the check did not ask whether the tables exist."""
    drop_a_guard()
    monkeypatch.setattr(connection.introspection, "table_names", lambda *_: [])
    assert run_checks(tags=["database"], databases=["default"]) == []


def test_guard_that_was_switched_off_or_rewritten_is_missed():
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE scoring_posting DISABLE TRIGGER scoring_posting_complete")
            cursor.execute(
                "CREATE OR REPLACE FUNCTION scoring_refuse_change() RETURNS trigger LANGUAGE plpgsql "
                "AS 'BEGIN RETURN NULL; END'"
            )
            expected = {"scoring_posting_complete", "scoring_refuse_change"}
        else:
            cursor.execute("DROP TRIGGER scoring_posting_no_update")
            cursor.execute(
                "CREATE TRIGGER scoring_posting_no_update BEFORE UPDATE ON scoring_posting BEGIN SELECT 1; END"
            )
            expected = {"scoring_posting_no_update"}
    assert set(triggers.missing(connection)) == expected
    triggers.restore(connection)
    assert triggers.missing(connection) == []


@pytest.mark.parametrize(("apps_of_plan", "makes_way"), [(("auth", "scoring"), True), (("auth",), False)])
def test_only_a_plan_that_may_rebuild_the_books_makes_way_for_it(apps_of_plan: tuple[str, ...], makes_way: bool):
    """Planted fault: guards lifted for every migration of the books' application."""
    plan = [(type("Migration", (), {"app_label": label}), False) for label in apps_of_plan]
    pre_migrate.send(sender=apps.get_app_config("scoring"), using="default", plan=plan)
    assert bool(triggers.missing(connection)) == (makes_way and connection.vendor == "sqlite")


@pytest.mark.django_db(transaction=True)
def test_guards_stand_again_after_django_has_rebuilt_a_table():
    """Planted faults: guards not lifted, so that SQLite refuses the rename; not restored, so that two are gone."""
    settled(1, deal(1, asha=-600, bo=600))
    app = apps.get_app_config("scoring")
    wider = models.CharField(max_length=41)
    wider.set_attributes_from_name("slot")
    wider.model = JournalEntry
    plan = [(type("Migration", (), {"app_label": "scoring"}), False)]
    pre_migrate.send(sender=app, using="default", plan=plan, app_config=app)
    with connection.schema_editor() as editor:
        editor.alter_field(JournalEntry, JournalEntry._meta.get_field("slot"), wider)
    post_migrate.send(sender=app, using="default", plan=plan, app_config=app)
    assert triggers.missing(connection) == []
    assert holdings() == {"asha": -600, "bo": 600}
