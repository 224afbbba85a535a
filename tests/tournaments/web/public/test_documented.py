"""Every field of the public JSON and CSV is documented in docs/how-to/publishing.md."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.builders.public_tables import a_club, a_tournament, address, seat
from tournaments.web.public.base.exports import board_heading

DOCUMENT = Path(__file__).resolve().parents[4] / "docs" / "how-to" / "publishing.md"
# Explained elsewhere, or keyed by seat or by the name of an option.
BY_KEY = {"options", "stakes", "cells", "payouts_minor", "conflicts", "seats"}


def fields(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from fields(item)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            if name not in BY_KEY:
                yield from fields(inner)


@pytest.mark.django_db
@pytest.mark.parametrize("part", ["board.json", "r1/table-1/sheet.json"])
def test_every_field_of_the_json_is_documented(client: Client, part: str):
    tournament = a_tournament(a_club())
    table = seat(tournament).deal("show", 80, 80, 10).correct(1, "show", 80, 80, 20)
    table.deal("show", 30, "wrong_show", "first_drop")
    text = DOCUMENT.read_text()
    found = set(fields(json.loads(client.get(address(tournament, part)).content)))
    assert {name for name in found if f"`{name}`" not in text} == set()


def test_every_column_of_the_csv_is_documented():
    text = DOCUMENT.read_text()
    assert [column for column in board_heading() if f"`{column}`" not in text] == []
