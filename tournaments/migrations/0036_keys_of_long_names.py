from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q
from django.db.models.functions import Length

from tournaments.models.people import MOST_NAME_KEY, name_key


def write_keys(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Keys that were cut at the limit, each with what tells it from another of the same beginning."""
    players = apps.get_model("tournaments", "Player").objects.using(editor.connection.alias)
    cut = Q(name_length=MOST_NAME_KEY) | Q(public_length__gte=MOST_NAME_KEY)
    rows = players.annotate(name_length=Length("name_key"), public_length=Length("public_key")).filter(cut)
    for player in rows.only("id", "name", "public_name").iterator():
        keys = {"name_key": name_key(player.name), "public_key": name_key(player.public_name)}
        players.filter(id=player.id).update(**keys)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0035_words_of_forms")]

    operations = [migrations.RunPython(write_keys, migrations.RunPython.noop)]
