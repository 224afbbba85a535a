"""The benchmark of a night takes each night that can be simulated; what was promised for one is not asked of another.

Planted faults: a seed that is read and not used; a format of one game kept for another; a limit of 200 players beside
the figures of 60; a deal of Indian rummy looked for in the sheet of gin.
"""

import json
from contextlib import nullcontext
from typing import Any

import pytest

from benchmarks import bench_night
from benchmarks.bench_night import AT_MOST, AT_MOST_ANYWHERE, LOOKED_AT, Night, corrections, limits, main
from scoring.rules.variants import VARIANTS
from tests.builders.playing import NOW, new_club
from tournaments.models import Scoresheet, Tournament
from tournaments.rehearsal.night import NightDraft, simulate_night


@pytest.mark.parametrize(
    ("words", "night"),
    [
        ("", Night(players=200, preset="pool_101", format="seven_rounds_of_four", seed="20260131")),
        ("--seed 7", Night(seed="7")),
        ("--format timed_rounds", Night(format="timed_rounds")),
        ("--players 60", Night(players=60, format="")),
        ("--preset gin --seed 7", Night(preset="gin", format="", seed="7")),
        ("--players 60 --format two_go_on", Night(players=60, format="two_go_on")),
    ],
)
def test_the_options_describe_the_night_that_is_measured(monkeypatch, capsys, words, night):
    monkeypatch.setattr(bench_night, "figures", lambda night: {repr(night): 0.0})
    main([*words.split(), "--json"])
    assert list(json.loads(capsys.readouterr().out)) == [repr(night)]


@pytest.mark.parametrize("night", [LOOKED_AT, Night(seed="7")])
def test_each_seed_of_the_promised_night_is_held_to_every_limit(night):
    assert limits(night) == AT_MOST


@pytest.mark.parametrize("night", [Night(players=60), Night(preset="points"), Night(format="timed_rounds")])
def test_another_night_is_held_only_to_what_does_not_depend_on_it(night):
    assert limits(night) == AT_MOST_ANYWHERE
    assert set(AT_MOST_ANYWHERE) == {"part_unchanged_ms", "json_unchanged_ms"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--players 1", "a tournament has 2 to 256 players, not 1"),
        ("--players 257", "a tournament has 2 to 256 players, not 257"),
        ("--players many", "argument --players: invalid int value: 'many'"),
        ("--preset pool_999", "there is no preset 'pool_999'; this service knows"),
        ("--format eight_rounds", "there is no format 'eight_rounds'"),
        ("--players 12 --format 48_24_6", "48 to 24 to 6 is for 24 to 72 players, not 12"),
        ("--preset gin --format seven_rounds_of_four", "tables at which gin cannot be played: it is for 2, 4, 6 seats"),
    ],
)
def test_a_night_that_cannot_be_played_is_refused_with_the_reason(monkeypatch, capsys, words, told):
    monkeypatch.setattr(bench_night, "throwaway_site", lambda **_: nullcontext())
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("game", VARIANTS)
def test_a_deal_of_each_game_is_corrected_again_and_again(game):
    draft = NightDraft(players=4, preset=VARIANTS[game].presets[0].name, seed="a", is_real=True)
    tournament = simulate_night(new_club(), draft, now=NOW).tournament
    change = corrections(tournament)
    before = _versions_and_scores(tournament)
    change()
    corrected = _versions_and_scores(tournament)
    change()
    change()
    again = _versions_and_scores(tournament)
    assert before[0] + 1 == corrected[0] == again[0] - 2
    assert before[1] != corrected[1] == again[1]


def _versions_and_scores(tournament: Tournament) -> tuple[int, list[Any]]:
    """How many events the tables have, and what each player has."""
    versions = Scoresheet.objects.filter(table__tournament=tournament).values_list("version", flat=True)
    scores = tournament.standings.order_by("pk").values_list("total", "chips", "net_points", "payout_minor")
    return sum(versions), list(scores)
