"""Public names: shortened by the rules of docs/how-to/publishing.md, and no two alike in a club."""

import random
import re
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from tests.builders.playing import NOW, new_club, rename
from tests.builders.samples import crossed, each
from tournaments.models import Club, Player
from tournaments.models.people import MOST_NAME_KEY, folded, name_key
from tournaments.models.public_names import NameSuffix, Naming, shown_name
from tournaments.people.players import actor_names, add_players, likely_duplicates, renew_public_names
from tournaments.privacy import erase_player

NAMES = (
    ("Asha Rao", "Asha R.", "A. R."),
    ("  asha   devi rao ", "asha R.", "A. D. R."),
    ("Rao, Asha", "Asha R.", "A. R."),
    ("R. Asha", "Asha R.", "R. A."),
    ("Asha", "Asha", "A."),
    ("Anne-Marie (Anna) O'Neil", "Anne-Marie O.", "A. A. O."),
    ("श्रीनिवास क्षत्रिय", "श्रीनिवास क्ष.", "श्री. क्ष."),
    ("محمد عبد الله", "محمد ا.", "م. ع. ا."),
    ("田中太郎", "田.", "田."),
    ("Zoë Zappa 🃏", "Zoë Z.", "Z. Z."),
    ("Élodie Ünal", "Élodie Ü.", "É. Ü."),
    ("🃏 –", "–", "–"),
    ("Asha Rao (2)", "Asha R. (2)", "A. R. (2)"),
    ("Asha (B)", "Asha (B)", "A. (B)"),
)


def test_a_name_is_shortened_in_any_script_but_not_by_what_tells_it_apart():
    shortened = [(name, shown_name(name, Naming.FIRST), shown_name(name, Naming.INITIALS)) for name, _, _ in NAMES]
    assert shortened == [*NAMES]
    for name, _, initials in NAMES:
        assert shown_name(name, Naming.FULL) == name
        assert shown_name(name, Naming.PSEUDONYM) == initials
        assert shown_name(name, Naming.PSEUDONYM, "The  Fox") == "The Fox"
    assert len(shown_name("x" * 196 + " (2)", Naming.FIRST)) <= 200


def public(club: Club) -> dict[str, str]:
    return dict(Player.objects.filter(club=club, erased_at__isnull=True).values_list("name", "public_name"))


@pytest.mark.django_db
def test_a_player_who_came_first_keeps_the_plain_name():
    club = new_club(naming="first")
    add_players(club, ["Asha Rao"])
    (second,) = add_players(club, ["Asha Roy"])
    assert public(club) == {"Asha Rao": "Asha R.", "Asha Roy": f"Asha R. ({second.id.hex[:4]})"}
    rename("Asha Rao", "Uma Rao")
    renew_public_names(club.id)
    assert public(club) == {"Uma Rao": "Uma R.", "Asha Roy": "Asha R."}


@pytest.mark.django_db
def test_a_row_that_is_merely_saved_shows_no_more_than_was_chosen():
    """Planted fault: a form that did not renew it left the full name in the row."""
    club = new_club(naming="initials")
    player = Player.objects.create(club=club, name="Asha Rao")
    assert player.public_name == "A. R."
    other = add_players(club, ["Arun Roy"])[0]
    other.refresh_from_db()
    other.note = "left-handed"
    other.save()
    assert other.public_name == f"A. R. ({other.id.hex[:4]})"


@pytest.mark.django_db
@pytest.mark.parametrize("seed", each(0, 1, 2))
def test_whatever_is_chosen_no_two_players_of_a_club_look_alike(
    seed: int, django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
):
    """Planted fault: with the number of letters behind a name fixed at one, sixteen namesakes are too many."""
    monkeypatch.setattr("tournaments.people.players.TELLING_DIGITS", 1)
    chance, club = random.Random(seed), new_club()
    players = add_players(club, [f"{chance.choice('AB')}sha {chance.choice('RS')}ao" for _ in range(60)])
    for player in players:
        player.naming = chance.choice(["", *Naming.values])
        player.pseudonym = chance.choice(["", "Asha Rao", "A. R.", "the fox"])
    Player.objects.bulk_update(players, ["naming", "pseudonym"])
    Club.objects.filter(id=club.id).update(naming=chance.choice(["full", "first", "initials"]))
    with django_assert_max_num_queries(3):
        renew_public_names(club.id)
    rows = Player.objects.filter(club=club).values_list("public_name", "public_key")
    assert len({key for _, key in rows}) == 60
    assert all(name_key(name) == key for name, key in rows)
    assert renew_public_names(club.id) == 0


@pytest.mark.postgres
@pytest.mark.django_db
def test_namesakes_whose_names_grow_beyond_a_key_are_told_apart():
    """Planted fault: keys that are cut at their limit, whatever follows there."""
    club = new_club()
    long = "\ufdfd\ufdfa" * 100
    add_players(club, [long] * 3)
    rows = Player.objects.filter(club=club).values_list("name_key", "public_key")
    assert len({public for _, public in rows}) == 3
    assert {len(key) for row in rows for key in row} == {MOST_NAME_KEY}
    assert len({key for key, _ in rows}) == 1
    assert name_key(long[:-1] + "a") != name_key(long)


@pytest.mark.postgres
@pytest.mark.django_db
def test_keys_that_were_cut_are_written_again():
    """Planted fault: a migration that checks the name's key alone."""
    migration = import_module("tournaments.migrations.0036_keys_of_long_names")
    club = new_club()
    add_players(club, ["\ufdfa" * 100, "\ufdfa" * 100, "Asha"])
    wanted = list(Player.objects.order_by("id").values_list("name_key", "public_key"))
    migration.write_cut_keys(apps, connection.schema_editor())
    rows = Player.objects.values_list("name", "name_key", "public_name", "public_key")
    assert all((folded(name)[:800], folded(public)[:800]) == (key, shown) for name, key, public, shown in rows)
    assert list(Player.objects.order_by("id").values_list("name_key", "public_key")) != wanted
    migration.write_keys(apps, connection.schema_editor())
    assert list(Player.objects.order_by("id").values_list("name_key", "public_key")) == wanted


@pytest.mark.django_db
def test_an_erased_player_has_the_erased_name_for_everybody_and_no_page():
    club = new_club()
    player, namesake = add_players(club, ["Asha", "Asha"])
    player.naming, player.pseudonym = "pseudonym", "The Fox"
    player.save()
    erase_player(player, now=NOW, with_balance=True)
    player.refresh_from_db()
    assert (player.name, player.public_name, player.pseudonym) == ("Erased player", "Erased player", "")
    assert not player.has_page
    namesake.refresh_from_db()
    assert namesake.public_name == "Asha"


@pytest.mark.postgres
@pytest.mark.django_db
def test_the_migration_gives_everybody_who_is_here_a_name_for_the_public():
    club = new_club()
    first, second, gone, other = add_players(club, ["Asha", "ASHA", "Bo", "Cy"])
    erase_player(gone, now=NOW, with_balance=True)
    Player.objects.update(public_name="", public_key="", has_page=True)
    import_module("tournaments.migrations.0016_public_names").fill(apps, None)
    named = {player.id: player for player in Player.objects.filter(club=club)}
    assert (named[first.id].public_name, named[other.id].public_name) == ("Asha", "Cy")
    assert named[second.id].public_name == f"ASHA ({second.id.hex[:4]})"
    assert (named[gone.id].public_name, named[gone.id].has_page) == ("Erased player", False)
    assert renew_public_names(club.id) == 0


@pytest.mark.django_db
def test_what_a_program_recorded_was_recorded_by_the_server():
    """Planted fault: the log's name of a command on the dashboard, as in "command:import_sheet scores"."""
    with translation.override("de"):
        named = actor_names({"command:import_sheet", "system:leave_out", "somebody"})
    assert named == {"command:import_sheet": "der Server", "system:leave_out": "der Server"}


@pytest.mark.postgres
@pytest.mark.django_db
def test_twins_of_a_name_are_told_apart_by_the_migration_and_as_before_without_it():
    """Planted fault: keys written without the public names that two players share under them."""
    migration = import_module("tournaments.migrations.0038_namesakes")
    club = new_club()
    add_players(club, ["Asha", "As\u200bha", "Bo"])
    after = list(Player.objects.order_by("id").values_list("name_key", "public_name", "public_key"))
    migration.write_names_as_before(apps, connection.schema_editor())
    assert {public for _, public, _ in Player.objects.values_list("name_key", "public_name", "public_key")} == {
        "Asha",
        "As\u200bha",
        "Bo",
    }
    migration.write_names(apps, connection.schema_editor())
    assert list(Player.objects.order_by("id").values_list("name_key", "public_name", "public_key")) == after


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("naming", "telling"), crossed([Naming.FULL, Naming.FIRST, Naming.INITIALS], ["letters", "number"])
)
def test_newcomers_are_told_apart_as_if_everybody_were_looked_at(naming: str, telling: str):
    """Planted faults it catches: an older player whose name changes; two new players of one list who look the same."""
    club, chance = new_club(naming=naming, telling=telling), random.Random(5)
    for _ in range(12):
        before = dict(Player.objects.filter(club=club).values_list("id", "public_name"))
        add_players(club, [f"{chance.choice('ABC')}sha {chance.choice('RST')}ao" for _ in range(chance.randint(1, 6))])
        assert dict(Player.objects.filter(id__in=before).values_list("id", "public_name")) == before
        assert renew_public_names(club.pk) == 0


@pytest.mark.django_db
def test_adding_players_reads_no_name_but_those_that_would_look_the_same():
    """Planted fault it catches: all names of a club read under its lock, ten thousand for two new players."""
    club = new_club(naming=Naming.FIRST, telling="number")
    add_players(club, [f"Player{number} Rao" for number in range(200)])
    for _ in range(15):
        add_players(club, ["Asha Rao"])
    with CaptureQueriesContext(connection) as asked:
        add_players(club, ["Asha Rao", "Esha Rao"])
    assert len(asked) <= 14
    with connection.cursor() as cursor:
        read = [rows_of(cursor, query["sql"]) for query in asked.captured_queries if query["sql"].startswith("SELECT")]
    assert max(read) <= 20


def rows_of(cursor: Any, sql: str) -> int:
    cursor.execute(sql)
    return len(cursor.fetchall())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("known", "twin"),
    [
        ("Cy", "Су"),
        ("Су", "Cy"),
        ("Asha", "А\u0455ha"),
        ("BO", "ВО"),
        ("ΑΝΑ", "Ana"),
        ("Zoé", "Zoe\u0301"),
        ("Asha", "Asha\u200b"),
        ("Asha", "ａｓｈａ"),
    ],
)
@pytest.mark.parametrize("telling", list(NameSuffix))
@pytest.mark.django_db
def test_two_names_that_nobody_can_tell_apart_are_shown_apart(known: str, twin: str, telling: str):
    """Planted fault: only letters of one alphabet compared, so that a Cyrillic `Су` was beside `Cy` on every board."""
    club = new_club(telling=telling)
    first, second = add_players(club, [known])[0], add_players(club, [twin])[0]
    assert likely_duplicates(club, [known]) == [known]
    assert first.public_name == known
    for _ in range(2):
        for row in (first, second):
            row.refresh_from_db()
        assert re.fullmatch(r".+ \(\w+\)", second.public_name)
        renew_public_names(club.id)
    assert first.public_name == known


@pytest.mark.django_db
def test_names_of_other_alphabets_that_look_like_no_latin_one_stay_as_they_are():
    club = new_club()
    added = add_players(club, ["Вова", "Vova", "Анна", "Anna", "Мария", "आशा", "Ηλίας"])
    assert [row.public_name for row in added] == [row.name for row in added]
