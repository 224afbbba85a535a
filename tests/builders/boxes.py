"""Boxes of clubs, and another installation to bring them into: this database without any row."""

from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from django.apps import apps
from django.db import connection

from tests.builders.tampering import unguarded
from tournaments.boxes.arriving import unbox
from tournaments.boxes.manifest import MANIFEST, code_of
from tournaments.boxes.packing import Packed, pack
from tournaments.models import Club

FIXED = ("contenttypes", "auth.Permission", "sites")


def packed(club: Club, path: Path, *, now: Any) -> Packed:
    """The box of a club in a file."""
    with path.open("w+b") as file:
        return pack(club.pk, file, now=now)


def another_installation() -> None:
    """Remove every row of every table of ours, as if this were another database."""
    with unguarded(), connection.cursor() as cursor:
        for model in reversed(list(apps.get_models())):
            if not model._meta.label.startswith(FIXED):
                cursor.execute(f"DELETE FROM {model._meta.db_table}")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def code_in(path: Path) -> str:
    """The code of a box."""
    with ZipFile(path) as archive:
        return code_of(archive.read(MANIFEST))


def lines_of(path: Path) -> dict[str, list[bytes]]:
    """The lines of every part of a box."""
    with ZipFile(BytesIO(path.read_bytes())) as archive:
        return {name: archive.read(name).splitlines() for name in archive.namelist()}


def moved(path: Path, *, now: Any, code: str = "") -> Club:
    """The club, brought into another installation."""
    another_installation()
    return Club.objects.get(pk=unbox(path, now=now, code=code).manifest.club)
