"""The house rules on a sheet: options that count, and separately how the house plays at the table."""

import html

import pytest
from django.test import Client
from django.utils import translation

from scoring.rules.variants import PRESETS
from tests.builders.public_tables import a_club, a_tournament, address, seat
from tournaments.rendering.i18n.translating import translate

pytestmark = pytest.mark.django_db


def house_rules(client: Client, preset: str) -> tuple[str, str]:
    """The two lists: options that count, and those for play."""
    tournament = a_tournament(a_club(), preset)
    seat(tournament)
    text = html.unescape(client.get(address(tournament, "r1/table-1/")).content.decode())
    counts, _, played = text.partition("House rules at this table")[2].partition("How it is played at the table")
    return counts, played.partition("</section>")[0]


def test_what_changes_only_the_play_stands_under_a_heading_of_its_own(client: Client):
    counts, played = house_rules(client, "palace_cyclic")
    assert "Cyclic laying: sequences may run past the ace" in played
    assert "Cyclic laying: sequences may run past the ace" not in counts
    assert "What a joker in hand costs" in counts


def test_a_training_table_is_told_as_unrated(client: Client):
    _, played = house_rules(client, "palace_training")
    assert "Practice: unrated, no season points" in played


def test_a_game_without_options_for_play_has_one_list(client: Client):
    counts, played = house_rules(client, "rummy_royal")
    assert "The three cards of one suit that have a box of their own" in counts
    assert played == ""


def test_a_note_on_a_preset_is_whole_in_every_language(client: Client):
    """Planted fault: translated word by word, "10 or 15" became "10 oder 15" amid English."""
    tournament = a_tournament(a_club(), "gin")
    page = client.get(address(tournament, "rules/"), headers={"Accept-Language": "de"}).content.decode()
    with translation.override("de"):
        assert f'<p class="quiet">{translate(PRESETS["gin"][1].note)}</p>' in page
