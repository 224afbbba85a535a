"""How players are shown to the public. Everybody who is here keeps the full name; equal ones are told apart."""

import uuid
from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Count, F

import tournaments.models.people
import tournaments.models.public_names
from tournaments.models.public_names import telling_name

NAMINGS = [
    ("full", "full name"),
    ("first", "first name and initial, as Asha R."),
    ("initials", "initials, as A. R."),
]
PSEUDONYM = ("pseudonym", "a name of their own choice")


def fill(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """The full name for everybody, in one statement; of equal ones all but the first get some letters behind it."""
    player = apps.get_model("tournaments", "Player")
    player.objects.update(public_name=F("name"), public_key=F("name_key"))
    player.objects.filter(erased_at__isnull=False).update(has_page=False)
    living = player.objects.filter(erased_at__isnull=True)
    twice = living.values("club_id", "name_key").annotate(times=Count("id")).filter(times__gt=1)
    for club, key in twice.values_list("club_id", "name_key"):
        namesakes = living.filter(club_id=club, name_key=key).order_by("created_at", "id")
        for row in namesakes.only("id", "name", "name_key")[1:]:
            told = telling_name(row.name, uuid.UUID(str(row.id)))
            player.objects.filter(id=row.id).update(public_name=told, public_key=f"{key} ({row.id.hex[:4]})")


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0015_members_of_clubs"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="naming",
            field=models.CharField(
                choices=NAMINGS,
                default="full",
                help_text=(
                    "On every page that can be read without login. A player may choose otherwise, on the player's page."
                ),
                max_length=12,
                verbose_name="players are shown by",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="naming",
            field=models.CharField(
                blank=True,
                choices=[*NAMINGS, PSEUDONYM],
                default="",
                help_text="What the player wishes. Nothing chosen: as the club shows everybody.",
                max_length=12,
                verbose_name="is shown to the public by",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="pseudonym",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The name of their own choice, as everybody will read it",
                max_length=200,
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="has_page",
            field=models.BooleanField(
                default=True,
                help_text=(
                    "Results of all published nights on one page. Taken off for a player who does not want that."
                ),
                verbose_name="has a public page",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="public_name",
            field=tournaments.models.public_names.PublicNameField(default="", editable=False, max_length=220),
        ),
        migrations.AddField(
            model_name="player",
            name="public_key",
            field=tournaments.models.people.PublicKeyField(default="", editable=False, max_length=900),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("naming__in", ["full", "first", "initials", "pseudonym"]))
                & ~models.Q(("naming", "pseudonym")),
                name="club_naming_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(("naming__in", ["", "full", "first", "initials", "pseudonym"])),
                name="player_naming_is_known",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
