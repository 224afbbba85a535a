from django.db import migrations, models


class Migration(migrations.Migration):
    """Evenings that are played for training are told apart in the table's own column."""

    dependencies = [("tournaments", "0006_seating_drafts")]

    operations = [
        migrations.AddField(
            model_name="eveningsheet",
            name="is_rehearsal",
            field=models.BooleanField(
                default=False, help_text="Played for training: never published, never settled"
            ),
        ),
    ]
