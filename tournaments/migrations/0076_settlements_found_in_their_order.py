"""Due settlements are indexed in the order in which they are settled, and messages that were given up are.

PostgreSQL takes a third of all score sheets to be due. It read all of them for each sweep, every ten seconds; with the
order in the index it reads the due ones alone.
"""

from django.db import migrations, models

from scoring.storage.indexes import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tournaments", "0075_checks_of_the_site")]

    operations = [
        # Its successor has its name, and drops it.
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveIndex(model_name="scoresheet", name="scoresheet_settlement_due")],
        ),
        AddIndexConcurrently(
            model_name="scoresheet",
            index=models.Index(
                condition=models.Q(("due_version__gt", models.F("settled_version"))),
                fields=["settle_attempts", "last_recorded_at"],
                name="scoresheet_settlement_due",
            ),
        ),
        AddIndexConcurrently(
            model_name="delivery",
            index=models.Index(condition=models.Q(("state", "failed")), fields=["receiver"], name="delivery_failed"),
        ),
    ]
