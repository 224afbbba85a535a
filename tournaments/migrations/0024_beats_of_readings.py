"""When a worker that reads a club's nights was last heard of: another takes over from one that fell silent."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0023_nights_taken_back")]

    operations = [
        migrations.AddField(
            model_name="clubreadings",
            name="beat_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
