"""The ETags of a tournament's pages."""

from django.test import Client

from tests.builders.public_tables import address
from tournaments.models import Tournament

PARTS = ("", "board/", "board.json", "board.csv", "embed/", "r1/table-1/", "r1/table-1/sheet/", "r1/table-1/sheet.json")


def tags(client: Client, tournament: Tournament) -> dict[str, str]:
    return {part: client.get(address(tournament, part))["ETag"] for part in PARTS}
