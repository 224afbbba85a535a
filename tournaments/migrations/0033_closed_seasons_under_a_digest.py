"""A closed season gets a digest over all that it was published with, as it is found.

Going back drops the column.
"""

from django.db import migrations, models

from tournaments.seasons.results import publication_digest


def digest_closed_seasons(apps, schema_editor):
    seasons = apps.get_model("tournaments", "Season").objects
    for season in seasons.filter(closed_at__isnull=False):
        season.final_digest = publication_digest(season)
        season.save(update_fields=["final_digest"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0032_slugs_of_clubs")]

    operations = [
        migrations.AddField(
            "season", "final_digest", models.BinaryField(default=b"", editable=False, max_length=32)
        ),
        migrations.RunPython(digest_closed_seasons, migrations.RunPython.noop),
    ]
