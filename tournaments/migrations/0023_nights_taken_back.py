"""When a night that had been closed was taken off the pages: a season that counted it says so."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0022_words_of_lists_and_forms")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="unpublished_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
