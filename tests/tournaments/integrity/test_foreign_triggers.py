"""A trigger that none of our code made is named, whatever table it is on."""

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from rummy_site.operations.doctor import LOOKS
from tests.builders.samples import each
from tournaments.integrity.triggers import strangers_elsewhere

pytestmark = pytest.mark.django_db
NAMED = "trigger ours_not is none of this code: find out who put it there"


def trigger_on(table: str) -> None:
    """A trigger that could write anything anywhere."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"CREATE TRIGGER ours_not AFTER UPDATE ON {table} BEGIN SELECT 1; END")
            return
        cursor.execute("CREATE FUNCTION ours_not() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
        cursor.execute(f"CREATE TRIGGER ours_not AFTER UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION ours_not()")


@pytest.mark.parametrize("table", each("auth_user", "tournaments_membership", "django_session"))
def test_a_trigger_on_a_table_without_guards_fails_the_doctor_and_the_proof(table: str):
    """Planted fault: only tables of log and books were looked at, so that a restore passed with it."""
    assert strangers_elsewhere(connection) == []
    trigger_on(table)
    assert strangers_elsewhere(connection) == [NAMED]
    assert NAMED in [text for _, text in LOOKS["guards"](datetime.now(UTC))]
    heard = StringIO()
    with pytest.raises(CommandError, match="not proved: guards"):
        call_command("prove", stdout=StringIO(), stderr=heard)
    assert NAMED in heard.getvalue()
