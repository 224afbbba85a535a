"""Evenings of the Western games, and their deals as the page sends them and as a program would."""

import json
from dataclasses import dataclass
from typing import Any

from tests.builders.admin_tables import Evening, evening_at
from tournaments.models import Club
from tournaments.models.log import Event


@dataclass(frozen=True)
class Game:
    """A preset, its players, a typed deal, and the same deal as an event."""

    preset: str
    names: tuple[str, ...]
    typed: dict[str, str | list[str]]
    event: dict[str, Any]


GAMES = {
    "rum": Game(
        preset="rum",
        names=("Asha", "Bo", "Cy"),
        typed={"out": "1", "counts-2": "12", "counts-3": "7", "went_rummy": "1", "dealer": "2"},
        event={"out": "1", "counts": {"2": 12, "3": 7}, "went_rummy": True, "dealer": "2"},
    ),
    "block": Game(
        preset="block",
        names=("Asha", "Bo", "Cy"),
        typed={"out": "-", "counts-1": "3", "counts-2": "12", "hands-3": "KH 7d", "dealer": "1"},
        event={"out": None, "counts": {"1": 3, "2": 12}, "hands": {"3": "KH 7D"}, "dealer": "1"},
    ),
    "rummy500": Game(
        preset="rummy500",
        names=("Asha", "Bo", "Cy"),
        typed={"out": "1", "melded-1": "95", "melded-2": "40", "melded-3": "0", "in_hand-2": "15", "in_hand-3": "30"},
        event={"out": "1", "melded": {"1": 95, "2": 40, "3": 0}, "in_hand": {"2": 15, "3": 30}},
    ),
    "romme": Game(
        preset="palace_casino",
        names=("Asha", "Bo", "Cy"),
        typed={"out": "1", "counts-2": "50", "counts-3": "21", "laid": "104"},
        event={"out": "1", "counts": {"2": 50, "3": 21}, "laid": 104},
    ),
    "gin": Game(
        preset="gin",
        names=("Asha", "Bo"),
        typed={"hands.0.knocker": "1", "hands.0.knocker_deadwood": "4", "hands.0.defender_deadwood": "17"},
        event={"knocker": "1", "knocker_deadwood": 4, "defender_deadwood": 17},
    ),
    "gin_partnership": Game(
        preset="gin_partnership",
        names=("Asha", "Bo", "Cy", "Dev"),
        typed={
            "hands.0.knocker": "1",
            "hands.0.ending": "gin",
            "hands.0.defender": "2",
            "hands.0.defender_deadwood": "20",
            "hands.1.knocker": "4",
            "hands.1.knocker_deadwood": "6",
            "hands.1.defender": "3",
            "hands.1.defender_deadwood": "9",
            "illegal_knocks": ["3"],
        },
        event={
            "hands": [
                {"knocker": "1", "ending": "gin", "defender": "2", "defender_deadwood": 20},
                {"knocker": "4", "knocker_deadwood": 6, "defender": "3", "defender_deadwood": 9},
            ],
            "illegal_knocks": ["3"],
        },
    ),
    "rummy_royal": Game(
        preset="rummy_royal",
        names=("Asha", "Bo", "Cy", "Dev"),
        typed={
            "dealer": "1",
            "out": "2",
            "cards_left-1": "3",
            "cards_left-3": "4",
            "cards_left-4": "1",
            "boxes.10H": "3",
            "boxes.KH": "4",
            "boxes.QH": "4",
            "extra_hand": "sold",
            "buyer": "2",
            "price": "5",
        },
        event={
            "dealer": "1",
            "out": "2",
            "cards_left": {"1": 3, "3": 4, "4": 1},
            "boxes": {"10H": "3", "KH": "4", "QH": "4"},
            "extra_hand": "sold",
            "buyer": "2",
            "price": 5,
        },
    ),
}


def tournament_state(club: Club, called: str, /, **draft: Any) -> Evening:
    """A table of a game with its users."""
    game = GAMES[called]
    return evening_at(club, preset=game.preset, names=game.names, **draft)


def fields(
    version: int, typed: dict[str, Any], *, deal: int = 1, key: str = "0" * 32, do: str = "save"
) -> dict[str, Any]:
    """The scorer's form of a game with fields of its own."""
    return {"kind": "deal_recorded", "version": str(version), "key": key, "deal": str(deal), "do": do, **typed}


def stored_sheet(evening: Evening, version: int) -> dict[str, Any]:
    """The deal sheet in the log."""
    sheet: dict[str, Any] = json.loads(Event.objects.get(stream_id=evening.table.pk, version=version).body)["sheet"]
    return sheet
