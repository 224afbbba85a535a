import re
import unicodedata
import uuid
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tournaments.models.public_names import shown_name

MOST, DIGEST = 800, 32
UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
Key = Callable[[str], str]


def as_before(name: str) -> str:
    """A name as it was compared: signs of no width told it from its twin."""
    return _cut(" ".join(unicodedata.normalize("NFKC", name).casefold().split()))


def without_unseen(name: str) -> str:
    return _cut(" ".join(UNSEEN.sub("", unicodedata.normalize("NFKC", name)).casefold().split()))


def _cut(key: str) -> str:
    return key if len(key) <= MOST else key[: MOST - DIGEST] + sha256(key.encode()).hexdigest()[:DIGEST]


def write_names(apps: Apps, editor: BaseDatabaseSchemaEditor, key: Key = without_unseen) -> None:
    """The keys of all names, and the public names that two would share under them. Most clubs have nothing to change."""
    players = apps.get_model("tournaments", "Player").objects.using(editor.connection.alias)
    clubs = apps.get_model("tournaments", "Club").objects.using(editor.connection.alias)
    for club_id, naming in clubs.order_by("id").values_list("id", "naming"):
        taken: set[str] = set()
        for row in players.filter(club_id=club_id).order_by("created_at", "id").iterator():
            public = row.public_name if row.erased_at else _public(row, naming, taken, key)
            wanted = {"name_key": key(row.name), "public_name": public, "public_key": key(public)}
            if any(getattr(row, column) != said for column, said in wanted.items()):
                players.filter(id=row.id).update(**wanted)


def _public(row: Any, naming: str, taken: set[str], key: Key) -> str:
    """What the public reads of a player, who came first first: letters of the id follow a name that is taken."""
    player = uuid.UUID(str(row.pk))
    plain = shown_name(row.name, row.naming or naming, row.pseudonym)
    told = (f"{plain} ({player.hex[:digits]})" for digits in range(4, 33))
    public = plain if key(plain) not in taken else next(one for one in told if key(one) not in taken)
    taken.add(key(public))
    return public


def write_names_as_before(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """The same by the keys of before."""
    write_names(apps, editor, as_before)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0037_late_sheets")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="telling",
            field=models.CharField(
                choices=[
                    ("letters", "characters of an id, as Asha (3f2a)"),
                    ("number", "a number, as Asha (2)"),
                    ("initial", "a letter, as Asha (B)"),
                    ("year", "the year added, as Asha (2026)"),
                ],
                default="letters",
                help_text="Behind the name of the second one. Names given before do not change.",
                max_length=8,
                verbose_name="players of the same name",
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("telling__in", ["letters", "number", "initial", "year"])),
                name="club_telling_is_known",
            ),
        ),
        migrations.RunPython(write_names, write_names_as_before),
    ]
