"""A note says where its fact stands, and on PostgreSQL keys of the log lead with the club.

Rows stay where they are; PostgreSQL holds each against the new keys before they stand. SQLite keeps its keys. There is
no way back: earlier code writes no club beside a note. docs/decisions/0065-keys-lead-with-the-club.md
"""

import django.db.models.deletion
from django.db import migrations, models

from scoring.storage.postgresql import give_keys
from tournaments.log.triggers import LOG

OF_CLUB = "FOREIGN KEY (club_id) REFERENCES tournaments_club(id) DEFERRABLE INITIALLY DEFERRED"
KEYS = {
    "tournaments_stream": {
        "tournaments_stream_pkey": "PRIMARY KEY (club_id, id)",
        "tournaments_stream_club_id_5b7acfaa_fk_tournaments_club_id": OF_CLUB,
    },
    "tournaments_event": {
        "event_one_per_club_position": 'PRIMARY KEY (club_id, "position")',
        "event_one_per_stream_version": "UNIQUE (club_id, stream_id, version)",
        "event_one_per_club_and_key": "UNIQUE (club_id, key)",
        "tournaments_event_club_id_81ce0bb7_fk_tournaments_club_id": OF_CLUB,
        "event_stream_fk": (
            "FOREIGN KEY (club_id, stream_id) REFERENCES tournaments_stream(club_id, id) DEFERRABLE INITIALLY DEFERRED"
        ),
    },
    "tournaments_eventnote": {
        "tournaments_eventnote_pkey": 'PRIMARY KEY (club_id, "position")',
        "eventnote_event_fk": (
            'FOREIGN KEY (club_id, "position") REFERENCES tournaments_event(club_id, "position")'
            " DEFERRABLE INITIALLY DEFERRED"
        ),
    },
    "tournaments_seal": {
        "seal_one_per_club_and_start": "PRIMARY KEY (club_id, from_position)",
        "tournaments_seal_club_id_785c6bf5_fk_tournaments_club_id": OF_CLUB,
    },
}
PLACES = """
UPDATE tournaments_eventnote SET
  club_id = (SELECT club_id FROM tournaments_event WHERE id = event_id),
  position = (SELECT position FROM tournaments_event WHERE id = event_id)"""


def make_way(apps, schema_editor):
    LOG.make_way(schema_editor.connection)


def find_places(apps, schema_editor):
    schema_editor.execute(PLACES)


def lead_with_the_club(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            give_keys(cursor, KEYS)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0046_ids_as_bytes")]

    operations = [
        migrations.RunPython(make_way),
        migrations.AddField(
            "eventnote",
            "club",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="event_notes",
                to="tournaments.club",
            ),
        ),
        migrations.AddField("eventnote", "position", models.BigIntegerField(null=True)),
        migrations.RunPython(find_places),
        migrations.AlterField(
            "eventnote",
            "club",
            models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="event_notes", to="tournaments.club"
            ),
        ),
        migrations.AlterField("eventnote", "position", models.BigIntegerField()),
        migrations.AddConstraint(
            "eventnote",
            models.CheckConstraint(
                condition=models.Q(("position__range", (1, 1000000000000000))), name="eventnote_numbers_fit"
            ),
        ),
        migrations.RunPython(lead_with_the_club),
    ]
