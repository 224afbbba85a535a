"""The sweep finds the evenings whose money waits without looking at every evening there ever was."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0024_beats_of_readings")]

    operations = [
        migrations.AddIndex(
            model_name="eveningsheet",
            index=models.Index(
                condition=models.Q(("due_position__gt", models.F("settled_position"))),
                fields=["due_position"],
                name="evening_settlement_due",
            ),
        ),
    ]
