"""After an update the boards are automatically rebuilt from the log by the new code.

Planted faults: the stamp written before the boards; `migrate` that checks migrations alone.
"""

from io import StringIO
from unittest import mock

import pytest
from django.core.management import call_command

from rummy_site.management.commands import migrate
from rummy_site.management.commands.migrate import are_boards_current, renew_boards
from tests.builders.playing import NOW, finished_pool
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import ProjectionRelease, Scoresheet, Standing

pytestmark = pytest.mark.django_db


@pytest.fixture
def updated():
    """A settled table whose boards were written by other code, in another way."""
    finished_pool().close()
    renew_boards(now=NOW)
    Standing.objects.update(total=7)
    ProjectionRelease.objects.update(stamp="another release")


@pytest.mark.postgres
def test_migrating_writes_boards_again_that_other_code_wrote_and_only_then_reads_the_log(updated):
    assert not are_boards_current()
    said = StringIO()
    call_command("migrate", stdout=said)
    assert rebuild_differences() == []
    assert "every board written again" in said.getvalue()
    assert are_boards_current()
    with mock.patch.object(migrate, "rebuild") as rebuild:
        call_command("migrate", verbosity=0)
        rebuild.assert_not_called()


def test_boards_that_could_not_all_be_written_are_tried_again(updated):
    with mock.patch.object(migrate, "rebuild", side_effect=TimeoutError), pytest.raises(TimeoutError):
        renew_boards(now=NOW)
    assert not are_boards_current()
    assert renew_boards(now=NOW)


def test_what_an_update_owes_is_settled_with_it():
    finished_pool(name="Owed").close()
    ProjectionRelease.objects.all().delete()
    assert Scoresheet.objects.get().settled_version == 0
    renew_boards(now=NOW)
    sheet = Scoresheet.objects.get()
    assert sheet.settled_version == sheet.due_version > 0


def test_asking_what_would_be_migrated_writes_nothing(updated):
    call_command("migrate", plan=True, verbosity=0)
    assert not are_boards_current()
