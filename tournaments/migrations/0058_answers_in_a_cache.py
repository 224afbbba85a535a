"""Answers are cached by Django's cache framework; nothing reads or writes their rows any more.

The table stays until a later release, empty and without references: processes of the release before may still be
serving while this runs, and would fail without it. Triggers go on deleting what those store of a club that changes a
name (`tournaments.projections.shown`). docs/decisions/0079-one-cache.md
"""

from django.db import migrations

REFERENCES = "SELECT conname FROM pg_constraint WHERE conrelid = 'tournaments_keptanswer'::regclass AND contype = 'f'"


def let_go(apps, schema_editor):
    schema_editor.execute("DELETE FROM tournaments_keptanswer")
    if schema_editor.connection.vendor == "postgresql":
        # What is still to be held against a deferred key keeps a table from being changed.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(REFERENCES)
            for (name,) in cursor.fetchall():
                cursor.execute(f'ALTER TABLE tournaments_keptanswer DROP CONSTRAINT "{name}"')


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0057_names_in_books")]

    operations = [
        migrations.RunPython(let_go, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("KeptAnswer")]),
    ]
