"""Entries of planned evenings were booked with the prizes; now each has an entry of its own in the journal.

Every evening that counts is owed anew, and its worker takes the old entries back. The versions noted for the prizes go
back to nothing, so that the same fact may be settled in the new way; the new entries have another slot, so no reference
comes twice. Going back needs nothing: settled again, an evening is booked as that version books it.
"""

from django.db import migrations
from django.db.models import F
from django.db.models.functions import Greatest

from scoring.ledger import triggers


def owe_anew(apps, schema_editor):
    sheets = apps.get_model("tournaments", "EveningSheet").objects.filter(has_plan=True, is_rehearsal=False)
    # A later release lets no version go back; a database that went back behind this has its guards.
    triggers.make_way(schema_editor.connection)
    causes = [f"tournament:{tournament}" for tournament in sheets.values_list("tournament_id", flat=True)]
    sheets.update(due_position=Greatest(F("due_position"), F("last_position")), settled_position=0)
    noted = apps.get_model("scoring", "SettledCause").objects
    for start in range(0, len(causes), 500):
        noted.filter(cause__in=causes[start : start + 500]).update(version=0)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0011_tournaments_given_up"),
        ("scoring", "0002_kinds_of_money"),
    ]

    operations = [migrations.RunPython(owe_anew, migrations.RunPython.noop)]
