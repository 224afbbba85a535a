"""Puts up the guards of the log: triggers on both databases, and PostgreSQL's function that stores an event."""

from django.db import migrations

from tournaments.log import triggers


def put_up(apps, schema_editor):
    triggers.restore(schema_editor.connection)


class Migration(migrations.Migration):
    # Going back leaves the guards standing: a log without them is what must never be.
    dependencies = [("tournaments", "0001_clubs_tables_and_log")]

    operations = [migrations.RunPython(put_up, migrations.RunPython.noop)]
