import unicodedata
from collections.abc import Callable
from hashlib import sha256

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q
from django.db.models.functions import Length

MOST, DIGEST = 800, 32


def folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def told_apart(name: str) -> str:
    """A key whose end tells what was cut off."""
    key = folded(name)
    return key if len(key) <= MOST else key[: MOST - DIGEST] + sha256(key.encode()).hexdigest()[:DIGEST]


def cut(name: str) -> str:
    """A key as it was before."""
    return folded(name)[:MOST]


def write_keys(apps: Apps, editor: BaseDatabaseSchemaEditor, key: Callable[[str], str] = told_apart) -> None:
    """The keys of all names that are as long as a key can be."""
    players = apps.get_model("tournaments", "Player").objects.using(editor.connection.alias)
    is_long = Q(name_length=MOST) | Q(public_length__gte=MOST)
    rows = players.annotate(name_length=Length("name_key"), public_length=Length("public_key")).filter(is_long)
    for player in rows.only("id", "name", "public_name").iterator():
        players.filter(id=player.id).update(name_key=key(player.name), public_key=key(player.public_name))


def write_cut_keys(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """The keys as they were."""
    write_keys(apps, editor, cut)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0035_words_of_forms")]

    operations = [migrations.RunPython(write_keys, write_cut_keys)]
