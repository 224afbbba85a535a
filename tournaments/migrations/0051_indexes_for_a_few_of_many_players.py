"""A few players are found among thousands: by their public names in a club, and by their seats in a tournament.

The index on a standing's player is replaced by a longer one that begins with it. On SQLite a change of the field alone
would copy the table.
"""

import django.db.models.deletion
from django.db import migrations, models

OLD = "tournaments_standing_player_id_55217065"


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0050_slugs_in_any_capitals')]

    operations = [
        migrations.AddIndex(
            model_name='player',
            index=models.Index(fields=['club', 'public_key'], name='player_by_public_name'),
        ),
        migrations.AddIndex(
            model_name='standing',
            index=models.Index(fields=['player', 'tournament'], name='standing_by_player'),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"DROP INDEX IF EXISTS {OLD}", f"CREATE INDEX {OLD} ON tournaments_standing (player_id)"
                ),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name='standing',
                    name='player',
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name='standings',
                        to='tournaments.player',
                    ),
                ),
            ],
        ),
    ]
