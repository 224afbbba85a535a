"""The guards of the log: triggers on both databases, and PostgreSQL's function that stores an event.

They are put up at the end of every `migrate` (`tournaments.log.triggers`): those of today name columns that are not
there yet.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_clubs_tables_and_log")]

    operations = []
