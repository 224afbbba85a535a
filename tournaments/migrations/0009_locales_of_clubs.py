from django.db import migrations, models


class Migration(migrations.Migration):
    """Amounts are written as people write them where the club is."""

    dependencies = [("tournaments", "0008_prizes_of_evenings")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="locale",
            field=models.CharField(
                default="en_IN", help_text="How amounts are written, for example en_IN", max_length=20
            ),
        ),
    ]
