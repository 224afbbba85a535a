"""One comparison of names: a search finds a player however the name is typed, and lists from A to Z are in one order.

Planted faults that these catch: a search by a key of its own, words that must be in one order, a letter that Unicode
does not take apart left as it is, a list sorted by code points.
"""

import random
from collections.abc import Callable, Iterable
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.builders.admin_tables import person
from tests.builders.api_clients import Device
from tests.builders.playing import context, loses, new_club, new_table, new_tournament, show
from tournaments.boards import board
from tournaments.boards.players import listed_players
from tournaments.books.queries import tournament_players
from tournaments.cash.queries import labels_of, players_called
from tournaments.changing import change_player
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.queries import entries, matching
from tournaments.integrity.rebuild_rows import name_differences
from tournaments.merging import merge_players, undo_merge
from tournaments.models import Player, Role, Tournament
from tournaments.models.people import is_named, name_words, same_words, search_key, searched_words
from tournaments.models.public_names import Names
from tournaments.people.players import add_players
from tournaments.printing.lists import seating_lists
from tournaments.rendering.pdf import Table
from tournaments.seating.queries.draft import room_of, standing_order
from tournaments.web.admin.register import journal

A_TO_Z = ("Åsa Berg", "Bo", "Élodie", "Işık", "Łukasz", "Øyvind", "Pat O’Brien", "Rao, Asha", "Štefan", "zoe", "Zoë B")
SEARCHES = [
    *[("Asha Rao", text) for text in ("asha rao", "rao asha", "RAO, Asha", "sha ra", "Rao-Asha")],
    *[("Łukasz", text) for text in ("lukasz", "Łukasz", "ŁUKASZ", "łuk")],
    *[("Işık", text) for text in ("isik", "işık", "ISIK", "Işık", "ışik")],
    *[("Pat O’Brien", text) for text in ("pat o'brien", "obrien pat", "o´brien", "O’BRIEN", "pat o brien")],
    *[("OBrien", text) for text in ("o'brien", "obrien")],
    *[("Ann-Marie", text) for text in ("ann marie", "annmarie", "Ann–Marie", "marie ann", "ann-marie")],
    *[("Müller", text) for text in ("muller", "MÜLLER", "mu\u0308ller")],
    *[("Groß", text) for text in ("gross", "GROSS", "groß")],
    *[("Đặng Þór Æsa", text) for text in ("dang thor aesa", "aesa ĐẶNG")],
    *[("क़मर शर्मा", text) for text in ("शर्मा", "कमर", "शर्मा क़मर")],
    *[("A.R. Rahman", text) for text in ("ar rahman", "a r rahman", "rahman a.r.")],
    ("Bo 2", "2 bo"),
    ("🃏", "🃏"),
]


def test_a_name_is_found_by_its_words_without_accents_punctuation_and_order():
    assert [case for case in SEARCHES if not is_named(search_key(case[0]), searched_words(case[1]))] == []
    for name, text in (("Bo 2", "bo 3"), ("Asha Rao", "har"), ("Asha Rao", "asha roy"), ("Bo", "🃏")):
        assert not is_named(search_key(name), searched_words(text))


def test_two_spellings_are_one_name_and_digits_are_not():
    for one, other in (
        ("O'Brien", "O’Brien"),
        ("O´Brien", "OBRIEN"),
        ("Müller", "Muller"),
        ("Łukasz", "lukasz"),
        ("Rao, Asha", "Asha Rao"),
    ):
        assert same_words(one) == same_words(other)
        assert same_words(f"{one} 2") != same_words(other)


def test_the_key_of_any_name_fits():
    for name in ("", " ", "\0", "´", "\u200b", "'" * 200, "\ufdfa" * 200, "각" * 200):
        assert len(search_key(name)) <= 800
        assert "\0" not in "".join(searched_words(name))


def test_a_search_of_many_words_is_cut():
    assert len(searched_words(" ".join(map(str, range(5_000))))) == 20
    assert name_words("") == searched_words("") == []


def by_the_desk(night: Tournament, text: str) -> Iterable[str]:
    lines = entries(night).lines
    found = matching(lines, text)
    return [line.name for line in lines if line.player in found]


def by_the_cash_desk(night: Tournament, text: str) -> Iterable[str]:
    return players_called(night.club, text).values()


def by_the_list_of_players(night: Tournament, text: str) -> Iterable[str]:
    client = Client()
    client.force_login(person(f"dita {text}", Role.DIRECTOR, night.club))
    listed = client.get(reverse("admin:tournaments_player_changelist"), {"q": text}).context["cl"].queryset
    return [player.name for player in listed]


def by_balances(night: Tournament, text: str) -> Iterable[str]:
    return [name for _, name in tournament_players(night, text)]


def by_the_journal(_: Tournament, text: str) -> Iterable[str]:
    return Player.objects.filter(id__in=journal.players_called(text)).values_list("name", flat=True)


def by_the_public_list(night: Tournament, text: str) -> Iterable[str]:
    return [player.name for player in listed_players(night.club, text)[0]]


DOORS: list[Callable[[Tournament, str], Iterable[str]]] = [
    by_the_desk,
    by_the_cash_desk,
    by_the_list_of_players,
    by_balances,
    by_the_journal,
    by_the_public_list,
]


@pytest.fixture
def night() -> Tournament:
    """Players of every spelling, in any order: all sit at tables and have entered."""
    night = new_tournament(new_club(is_published=True), is_published=True)
    names = [*A_TO_Z, "Ann-Marie"]
    random.Random(5).shuffle(names)
    for number, seated in enumerate((names[:6], names[6:]), start=1):
        new_table(night, tuple(seated), number=number).deal(1, show, *[loses(10)] * 5)
    rows = [EntryRow(number=number, name=name) for number, name in enumerate(names, start=1)]
    enter_list(night.pk, rows, context=context(), adds_new=False)
    return night


@pytest.mark.django_db
def test_every_search_finds_every_spelling(night: Tournament):
    wanted = {
        "asha rao": "Rao, Asha",
        "rao asha": "Rao, Asha",
        "lukasz": "Łukasz",
        "isik": "Işık",
        "ISIK": "Işık",
        "pat o'brien": "Pat O’Brien",
        "obrien": "Pat O’Brien",
        "ann marie": "Ann-Marie",
        "annmarie": "Ann-Marie",
        "oyvind": "Øyvind",
        "elodie": "Élodie",
        "stefan": "Štefan",
        "ÅSA": "Åsa Berg",
        "berg asa": "Åsa Berg",
    }
    for door in DOORS:
        assert {text: list(door(night, text)) for text in wanted} == {text: [name] for text, name in wanted.items()}
        assert list(door(night, "zoe x")) == []


def of_the_api(night: Tournament) -> list[str]:
    device = Device(night.club, Role.DIRECTOR)
    answer = device.get(f"/api/v1/clubs/{night.club_id}/players/").json()
    return [player["name"] for player in answer["items"]]


def of_the_first_seating(night: Tournament) -> list[str]:
    room = room_of(night)
    return [room.field[player] for player in standing_order(room)]


def on_paper(night: Tournament) -> list[str]:
    paper = seating_lists(board(night, Names.REAL), 1)[0]
    (table,) = [part for part in paper.parts if isinstance(part, Table)]
    return [str(row.cells[0]) for row in table.rows]


LISTS: list[Callable[[Tournament], Iterable[str]]] = [
    of_the_api,
    lambda night: [line.name for line in entries(night).lines],
    lambda night: labels_of(night.club).values(),
    lambda night: [name for _, name in tournament_players(night)],
    lambda night: [player.name for player in listed_players(night.club)[0]],
    of_the_first_seating,
    on_paper,
]


@pytest.mark.django_db
def test_every_list_from_a_to_z_has_letters_with_signs_beside_the_plain_ones(night: Tournament):
    for listed in LISTS:
        names = list(listed(night))
        assert names == sorted([*A_TO_Z, "Ann-Marie"], key=search_key)
        assert [name for name in names if name != "Ann-Marie"] == list(A_TO_Z)


@pytest.mark.postgres
@pytest.mark.django_db
def test_keys_follow_new_names_merges_and_repairs():
    club = new_club()
    kept, row = add_players(club, ["Łukasz Rao", "Wojtek"])
    merge_players(row, kept, context=context())
    change_player(kept.pk, {"name": "Łucja Rao"})
    assert set(players_called(club, "wojtek").values()) == set(players_called(club, "lucja").values()) == {"Łucja Rao"}
    assert list(name_differences(club.pk)) == []
    undo_merge(Player.objects.get(pk=row.pk), context=context())
    assert set(players_called(club, "wojtek").values()) == {"Wojtek"}
    assert list(name_differences(club.pk)) == []
    Player.objects.update(search_key="", public_search_key="")
    assert len(list(name_differences(club.pk))) == 4
    migration = import_module("tournaments.migrations.0053_search_keys_of_names")
    migration.write_search_keys(apps, connection.schema_editor())
    assert list(name_differences(club.pk)) == []
