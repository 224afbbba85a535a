"""The example club: an evening from paper with the worked examples of the rules, a side evening and a planned one.

Planted faults these catch: a split that rounds, a rejoin at the wrong total, a demo that doubles when it is repeated.
"""

import json
import shutil
import stat
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command

from scoring.ledger import ledger_problems
from scoring.models import JournalEntry, Posting
from scoring.rules.variants import VARIANTS
from scoring.seasons import load_standings
from scoring.tournament import load_tournament_state
from tests.builders.demo import demo_with_files, load_demo
from tournaments.books.commands import tables_to_settle
from tournaments.integrity.audit import compare_books
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.management.commands.demo_data import OFFICIALS
from tournaments.models import (
    EveningSheet,
    Membership,
    Player,
    PlayerRating,
    Role,
    Scoresheet,
    SeasonTable,
    Standing,
    Tournament,
)
from tournaments.models.log import Event

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def loaded(recorded, tmp_path_factory) -> Iterator[tuple[str, Path]]:
    """The output of the demo, and its folder."""
    folder = tmp_path_factory.mktemp("demo")
    with recorded(demo_with_files) as (output, files):
        for name, (mode, content) in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
            (folder / name).chmod(mode)
        yield output, folder


@pytest.fixture
def demo(loaded: tuple[str, Path], settings, tmp_path: Path) -> str:
    """The demo's output; changes that one test makes are rolled back before the next."""
    said, folder = loaded
    settings.VAR_DIR = Path(shutil.copytree(folder, tmp_path / "demo"))
    return said


def standing(name: str) -> Standing:
    return Standing.objects.get(player__name=name)


def entry(player: str, slot: str) -> JournalEntry:
    """The current entry of a slot in which a player has a part."""
    owner = str(Player.objects.get(name=player).id)
    return JournalEntry.objects.get(postings__account__owner=owner, slot=slot, reversal=None, postings__purpose="award")


def awards(slot: str, player: str) -> dict[str, int]:
    names = {str(key): name for key, name in Player.objects.values_list("id", "name")}
    postings = Posting.objects.filter(entry=entry(player, slot), purpose="award").select_related("account")
    return {names[posting.account.owner]: posting.amount_minor for posting in postings}


def test_tables_of_every_game_are_finished_and_running_a_season_counts_them_and_an_evening_comes(demo):
    assert "14 tables finished, 13 running" in demo
    assert Scoresheet.objects.filter(is_closed=True).count() == 14
    assert Scoresheet.objects.filter(is_finished=False).count() == 13
    assert Tournament.objects.filter(closed_at__isnull=False).count() == 2
    assert {event.actor for event in Event.objects.all()} == {"command:import_sheet", "command:demo_data"}
    tables = Scoresheet.objects.values_list("table__tournament__variant", "is_closed")
    assert {variant for variant, is_closed in tables if is_closed} == set(VARIANTS)
    assert set(VARIANTS) - {"points", "deals", "pool"} <= {variant for variant, is_closed in tables if not is_closed}
    season = load_standings(SeasonTable.objects.get().state).tables[0]
    counted = Tournament.objects.filter(pk__in=season.nights)
    assert {tournament.closed_at is not None for tournament in counted} == {True}
    assert len(season.rows) > 10
    assert PlayerRating.objects.count() >= len(season.rows)
    coming = Tournament.objects.get(tables__isnull=True, closed_at__isnull=True)
    assert coming.starts_at.astimezone(ZoneInfo(coming.club.timezone)).strftime("%H:%M") == "19:30"
    assert (coming.is_published, bool(coming.club.about), bool(coming.club.venue)) == (True, True, True)


def test_the_worked_examples_come_out_as_the_rules_print_them(demo):
    fee = Posting.objects.get(entry=entry("Asha Rao", "deal:1"), purpose="fee").amount_minor
    assert awards("deal:1", "Asha Rao")["Asha Rao"] + fee == 20_000
    assert awards("table", "Vikram Sethi") == {"Vikram Sethi": 264_000, "Wahida Khan": 176_000, "Xavier Lobo": 88_000}
    out = {"Bharat Jain": (210, 3), "Qasim Ali": (113, 7), "Tara Sen": (157, 4)}
    assert {name: (standing(name).total, standing(name).out_in_deal) for name in out} == out


@pytest.mark.slow
def test_everything_is_settled_and_proved(demo):
    assert tables_to_settle() == []
    assert ledger_problems() == []
    assert compare_books().faults == ()
    assert rebuild_differences() == []
    call_command("verify_log", stdout=StringIO())
    assert Event.objects.filter(kind="deal_corrected").count() == 3
    assert Event.objects.filter(kind="deal_voided").count() == 2
    assert Event.objects.filter(kind="rejoined").count() == 1


@pytest.mark.slow
def test_a_second_time_changes_nothing_and_says_the_same(demo):
    before = (Event.objects.count(), Player.objects.count(), JournalEntry.objects.count())
    assert load_demo() == demo
    assert (Event.objects.count(), Player.objects.count(), JournalEntry.objects.count()) == before


def test_what_was_renamed_or_played_since_is_left_alone(demo):
    Player.objects.filter(name="Gita Nair").update(name="Gita N.")
    Tournament.objects.filter(name="Saturday points").update(name="Sunday points")
    load_demo()
    assert Tournament.objects.count() == 14
    assert Player.objects.filter(name="Gita Nair").count() == 0


def test_somebody_of_each_role_can_sign_in_and_lost_passwords_are_made_again(demo, client, settings):
    path = Path(settings.VAR_DIR) / "demo_logins.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    passwords = json.loads(path.read_text())
    assert {role for role in Role if role is not Role.DISPLAY} == set(OFFICIALS.values())
    for username, role in OFFICIALS.items():
        assert passwords[username] in demo
        assert client.login(username=username, password=passwords[username])
        assert Membership.objects.get(user__username=username).role == role
    assert len(set(passwords.values())) == len(OFFICIALS)
    path.write_text(json.dumps({"demo-scorer": passwords["demo-scorer"]}))
    load_demo()
    kept = json.loads(path.read_text())
    assert (kept["demo-scorer"], kept.keys()) == (passwords["demo-scorer"], OFFICIALS.keys())
    path.unlink()
    load_demo()
    assert not client.login(username="demo-scorer", password=passwords["demo-scorer"])
    assert client.login(username="demo-scorer", password=json.loads(path.read_text())["demo-scorer"])


def test_a_folder_without_sheets_is_said(tmp_path: Path):
    with pytest.raises(CommandError, match="no sheets"):
        call_command("demo_data", examples=tmp_path)


def test_a_planned_evening_is_in_the_middle_of_its_second_round_with_a_cut_ahead(demo):
    evening = load_tournament_state(EveningSheet.objects.get(has_plan=True).state)
    assert ([seated.round for seated in evening.rounds], evening.stage, evening.cuts) == ([1, 2], 1, ())
    deals = Scoresheet.objects.filter(table__tournament__evening_sheet__has_plan=True, table__round=2)
    assert sorted(deals.values_list("deals", flat=True)) == [1, 2, 2]
    assert evening.clocks["2"].running_since is None
    assert 0 < evening.clocks["2"].left(at=0) < evening.clocks["2"].seconds
