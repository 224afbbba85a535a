"""The few rows of a club that were merged into others are found among thousands."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0051_indexes_for_a_few_of_many_players')]

    operations = [
        migrations.AddIndex(
            model_name='player',
            index=models.Index(
                condition=models.Q(('merged_into__isnull', False)), fields=['club'], name='player_merged'
            ),
        ),
    ]
