"""The page on which lists come in: previewed, saved as they were seen, and undone."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.builders.admin_tables import person
from tests.builders.playing import new_club
from tests.builders.seasons import season
from tests.builders.spreadsheets import workbook_of
from tournaments.models import Club, Import, PastTournament, Player, Role
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return new_club(locale="de_DE", currency="EUR")


@pytest.fixture
def director(club: Club, client: Client) -> Client:
    client.force_login(person("dir", Role.DIRECTOR, club))
    return client


def page(club: Club) -> str:
    return reverse("admin:tournaments_club_imports", args=[club.pk])


def carried(answer: Any, **more: str) -> dict[str, str]:
    """What the form of a preview sends."""
    form = answer.context["form"]
    columns = {column["field"]: column["chosen"] for column in answer.context["columns"]}
    return {
        "kind": form["kind"].value(),
        "tournament": form["tournament"].value() or "",
        "rows": form["rows"].value(),
        "file_name": form["file_name"].value(),
        "key": form["key"].value(),
        "has_heading": "true" if answer.context["has_heading"] else "false",
        "shown": answer.context["preview"].fingerprint,
        **columns,
        **more,
    }


def previewed(client: Client, club: Club, **sent: Any) -> Any:
    return client.post(page(club), {"do": "look", "kind": "players", "key": "c" * 32, **sent})


def test_a_workbook_is_previewed_saved_and_undone(director: Client, club: Club):
    file = SimpleUploadedFile("mitglieder.xlsx", workbook_of([["Spieler", "Nummer"], ["Asha", "00042"], ["Bo", 7]]))
    answer = previewed(director, club, file=file)
    assert [row["row"].name for row in answer.context["rows"]] == ["Asha", "Bo"]
    assert not Player.objects.exists()
    assert director.post(page(club), carried(answer, do="store")).status_code == 302
    assert list(Player.objects.order_by("name").values_list("name", "member_number")) == [
        ("Asha", "00042"),
        ("Bo", "7"),
    ]
    made = Import.objects.get()
    assert (made.file_name, made.counts) == ("mitglieder.xlsx", {"new": 2})
    asked = director.get(page(club), {"undo": str(made.pk)})
    assert [line["is_asked"] for line in asked.context["earlier"]] == [True]
    director.post(page(club), {"do": "undo", "import": str(made.pk), "key": "d" * 32})
    assert not Player.objects.exists()


def test_a_list_that_changed_since_it_was_shown_is_shown_again(director: Client, club: Club):
    answer = previewed(director, club, cells="Name\nAsha\n")
    Player.objects.create(club=club, name="Asha")
    again = director.post(page(club), carried(answer, do="store"))
    assert again.status_code == 422
    assert director.post(page(club), carried(again, do="store")).status_code == 302
    assert Player.objects.count() == 1


def test_columns_and_choices_are_set_on_the_page(director: Client, club: Club):
    Player.objects.create(club=club, name="Mohammed Khan")
    answer = previewed(director, club, cells="Wer;Was\nMuhamed Khan;1234567\n")
    assert answer.status_code == 422
    columns = {"column-0": "name", "column-1": "phone", "has_heading": "true"}
    answer = director.post(page(club), carried(answer, do="look", **columns))
    assert answer.context["has_choices"]
    refused = director.post(page(club), carried(answer, do="store"))
    assert refused.status_code == 422
    answer = director.post(page(club), carried(answer, do="look", **{"who-2": "new"}))
    director.post(page(club), carried(answer, do="store", **{"who-2": "new"}))
    assert set(Player.objects.values_list("name", "phone")) == {("Mohammed Khan", ""), ("Muhamed Khan", "1234567")}


def test_what_cannot_be_read_is_refused_on_the_page(director: Client, club: Club):
    for sent in ({}, {"file": SimpleUploadedFile("x.xlsx", b"PK\x03\x04")}, {"rows": "{}"}, {"kind": "gold"}):
        answer = previewed(director, club, **sent)
        assert answer.status_code == 422
        assert answer.context["form"].errors


def test_another_clubs_import_is_not_found(director: Client, club: Club):
    other = new_club()
    assert director.get(page(other)).status_code == 404
    assert director.post(page(club), {"do": "undo", "import": str(other.pk), "key": "d" * 32}).status_code == 404


def test_past_standings_are_imported_from_the_page_of_their_season(director: Client, club: Club):
    """Planted fault: who a similar name is, is asked once for each tournament, and the last answer is none."""
    spring = season(club)
    add_players(club, ["Devika Rao"])
    link = f"{page(club)}?kind=standings&season={spring.pk}"
    assert (
        link.replace("&", "&amp;")
        in director.get(reverse("admin:tournaments_season_change", args=[spring.pk])).content.decode()
    )
    form = director.get(link).context["form"]
    assert (form["kind"].value(), form["season"].value()) == ("standings", str(spring.pk))
    assert "season" in previewed(director, club, kind="standings", cells="Name;Date;Points\n").context["form"].errors
    sent = {"kind": "standings", "season": str(spring.pk), "cells": "Name;2026-01-04;2026-01-11\nDevika Roa;5;6,5\n"}
    answer = previewed(director, club, **sent)
    assert [bool(row["options"]) for row in answer.context["rows"]] == [True, False]
    devika = str(Player.objects.get().pk)
    words = {"season": str(spring.pk), "who-2": devika}
    again = director.post(page(club), carried(answer, do="look", **words))
    assert again.context["rows"][1]["effects"] == ["Sun 11 Jan 2026: place 1, 6,50 points"]
    assert director.post(page(club), carried(again, do="store", **words)).status_code == 302
    assert PastTournament.objects.count() == 2
    assert [line["made"].season for line in director.get(page(club)).context["earlier"]] == [spring]
