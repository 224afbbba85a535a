"""`manage.py import_list`: what it says and what it stores."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.builders.playing import new_club
from tournaments.models import Club, Import, Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return new_club()


def run(club: Club, *words: str, **options: Any) -> str:
    said = StringIO()
    call_command("import_list", *words, club=club.slug, stdout=said, stderr=said, **options)
    return said.getvalue()


def test_a_file_is_tried_imported_once_for_each_key_and_undone(club: Club, tmp_path: Path):
    file = tmp_path / "list.csv"
    file.write_bytes("Spieler;Telefon\nJürgen;1234567\n".encode("cp1252"))
    assert "1 new (nothing was stored" in run(club, str(file), kind="players", dry_run=True)
    assert not Player.objects.exists()
    for _ in range(2):
        run(club, str(file), kind="players", key="once")
    assert list(Player.objects.values_list("name", "phone")) == [("Jürgen", "1234567")]
    assert run(club, undo=str(Import.objects.get().pk)) == "undone\n"
    assert not Player.objects.exists()


def test_what_cannot_be_imported_is_named_row_by_row(club: Club, tmp_path: Path):
    file = tmp_path / "list.csv"
    file.write_text("Name\nAsha\nAsha\n")
    said = StringIO()
    with pytest.raises(CommandError):
        call_command("import_list", str(file), club=club.slug, kind="players", stderr=said)
    assert said.getvalue() == "row 3, column A: Asha is in row 2 already\n"
    for words, options in (
        ((str(tmp_path / "none.csv"),), {"kind": "players"}),
        ((str(file),), {"kind": "players", "column": ["Z"]}),
        ((str(file),), {"kind": "entries", "tournament": "none"}),
        ((), {"undo": "none"}),
        ((), {}),
    ):
        with pytest.raises(CommandError):
            run(club, *words, **options)
