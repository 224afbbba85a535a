"""A table and a credit name their club, and on PostgreSQL keys of what is read from the log lead with it.

Rows stay where they are; PostgreSQL holds each against the new keys before they stand. SQLite keeps its keys. There is
no way back: earlier code writes no club beside a table or a credit. docs/decisions/0065-keys-lead-with-the-club.md
"""

import django.db.models.deletion
from django.db import migrations, models

from scoring.storage.postgresql import give_keys

OF_A_CLUB = ("tournament", "player", "season", "table")
WITHIN_CLUB = "ALTER TABLE tournaments_{0} ADD CONSTRAINT {0}_within_club UNIQUE (club_id, id)"
CLUBS = (
    "UPDATE tournaments_table SET club_id = (SELECT club_id FROM tournaments_tournament WHERE id = tournament_id)",
    "UPDATE tournaments_playercredit SET club_id = (SELECT club_id FROM tournaments_player WHERE id = player_id)",
)


def of(owner):
    return f"FOREIGN KEY (club_id, {owner}_id) REFERENCES tournaments_{owner}(club_id, id) DEFERRABLE INITIALLY DEFERRED"


OF_CLUB = "FOREIGN KEY (club_id) REFERENCES tournaments_club(id) DEFERRABLE INITIALLY DEFERRED"
KEYS = {
    "tournaments_table": {
        "tournaments_table_pkey": "PRIMARY KEY (id)",
        "table_within_club": "UNIQUE (club_id, id)",
        "table_number_once_per_round": "UNIQUE (tournament_id, round, number)",
        "table_tournament_fk": of("tournament"),
    },
    "tournaments_scoresheet": {
        "tournaments_scoresheet_pkey": "PRIMARY KEY (club_id, table_id)",
        "scoresheet_table_fk": of("table"),
        "scoresheet_by_table": "btree (table_id)",
        "scoresheet_settlement_due": "btree (due_version) WHERE (due_version > settled_version)",
    },
    "tournaments_standing": {
        "standing_once_per_seat": "PRIMARY KEY (club_id, table_id, seat_number)",
        "standing_table_fk": of("table"),
        "standing_tournament_fk": of("tournament"),
        "standing_player_fk": of("player"),
        "standing_by_table": "btree (table_id)",
        "standing_by_tournament": "btree (tournament_id, place)",
        "tournaments_standing_player_id_55217065": "btree (player_id)",
    },
    "tournaments_eveningsheet": {
        "tournaments_eveningsheet_pkey": "PRIMARY KEY (club_id, tournament_id)",
        "eveningsheet_tournament_fk": of("tournament"),
        "eveningsheet_by_tournament": "btree (tournament_id)",
        "evening_settlement_due": "btree (due_position) WHERE (due_position > settled_position)",
    },
    "tournaments_nightresult": {
        "tournaments_nightresult_pkey": "PRIMARY KEY (club_id, tournament_id)",
        "nightresult_tournament_fk": of("tournament"),
        "nightresult_by_tournament": "btree (tournament_id)",
    },
    "tournaments_seasontable": {
        "tournaments_seasontable_pkey": "PRIMARY KEY (club_id, season_id)",
        "seasontable_season_fk": of("season"),
        "seasontable_by_season": "btree (season_id)",
    },
    "tournaments_playerrating": {
        "tournaments_playerrating_pkey": "PRIMARY KEY (club_id, player_id)",
        "playerrating_player_fk": of("player"),
        "playerrating_by_player": "btree (player_id)",
    },
    "tournaments_playercredit": {
        "playercredit_once": "PRIMARY KEY (club_id, player_id, currency)",
        "playercredit_player_fk": of("player"),
        "playercredit_by_player": "btree (player_id)",
    },
    "tournaments_cashbook": {
        "tournaments_cashbook_pkey": "PRIMARY KEY (club_id, id)",
        "cashbook_number_once": "UNIQUE (club_id, currency, number)",
        "cashbook_one_open": "UNIQUE btree (club_id, currency) WHERE (NOT is_closed)",
        "cashbook_by_id": "btree (id)",
        "tournaments_cashbook_club_id_d5268612_fk_tournaments_club_id": OF_CLUB,
    },
    "tournaments_keptanswer": {
        "keptanswer_once_per_view": "PRIMARY KEY (club_id, tournament_id, view)",
        "keptanswer_tournament_fk": of("tournament"),
    },
}


def find_clubs(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        # What is still to be held against a deferred key keeps a table from being changed.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    for statement in CLUBS:
        schema_editor.execute(statement)


def lead_with_the_club(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            for name in OF_A_CLUB:
                cursor.execute(WITHIN_CLUB.format(name))
            give_keys(cursor, KEYS)


def club(**how):
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.club", **how
    )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0047_keys_of_the_log_lead_with_the_club")]

    operations = [
        migrations.AddField("table", "club", club(editable=False, null=True)),
        migrations.AddField("playercredit", "club", club(null=True)),
        migrations.RunPython(find_clubs),
        migrations.AlterField("table", "club", club(editable=False)),
        migrations.AlterField("playercredit", "club", club()),
        migrations.RunPython(lead_with_the_club),
    ]
