"""A posting names its club, and on PostgreSQL keys of the books lead with it.

Rows stay where they are; PostgreSQL holds each against the new keys before they stand. SQLite keeps its keys. There is
no way back: earlier code writes no club beside a posting. docs/decisions/0065-keys-lead-with-the-club.md
"""

from django.db import migrations, models

from scoring.ledger import triggers
from scoring.storage.postgresql import give_keys

DEFERRED = "DEFERRABLE INITIALLY DEFERRED"
KEYS = {
    "scoring_account": {
        "scoring_account_pkey": "PRIMARY KEY (club, id)",
        "account_once": "UNIQUE (club, kind, owner, currency)",
    },
    "scoring_journalentry": {
        "scoring_journalentry_pkey": "PRIMARY KEY (club, id)",
        "entry_reference_once": "UNIQUE (club, reference)",
        "scoring_journalentry_reverses_id_key": "UNIQUE (club, reverses_id)",
        "entry_reverses_fk": f"FOREIGN KEY (club, reverses_id) REFERENCES scoring_journalentry(club, id) {DEFERRED}",
        "entry_by_cause": "btree (club, cause)",
        "entry_by_day": "btree (club, posted_at DESC)",
    },
    "scoring_posting": {
        "scoring_posting_pkey": "PRIMARY KEY (club, entry_id, id)",
        "posting_by_account": "btree (club, account_id, id)",
        "posting_entry_fk": f"FOREIGN KEY (club, entry_id) REFERENCES scoring_journalentry(club, id) {DEFERRED}",
        "posting_account_fk": f"FOREIGN KEY (club, account_id) REFERENCES scoring_account(club, id) {DEFERRED}",
    },
    "scoring_settledcause": {"settled_cause_once": "PRIMARY KEY (club, cause)"},
}
CLUBS = "UPDATE scoring_posting SET club = (SELECT entry.club FROM scoring_journalentry AS entry WHERE entry.id = entry_id)"


def make_way(apps, schema_editor):
    triggers.make_way(schema_editor.connection)


def find_clubs(apps, schema_editor):
    schema_editor.execute(CLUBS)


def lead_with_the_club(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            give_keys(cursor, KEYS)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0004_entries_under_a_digest")]

    operations = [
        migrations.RunPython(make_way),
        migrations.AddField("posting", "club", models.UUIDField(editable=False, null=True)),
        migrations.RunPython(find_clubs),
        migrations.AlterField("posting", "club", models.UUIDField(editable=False)),
        migrations.RunPython(lead_with_the_club),
    ]
