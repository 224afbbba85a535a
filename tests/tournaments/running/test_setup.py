"""Names from outside: any script, and no characters that break a database or a page."""

import pytest

from scoring.problems import OptionsRejected
from tests.builders.playing import new_club, new_tournament
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db


@pytest.mark.postgres
@pytest.mark.parametrize("name", ["Asha\x00", "As\x07ha", "Asha\ud800", "As\x1bha"])
def test_control_characters_and_halves_of_letters_are_no_name(name):
    """Planted fault it catches: half a surrogate pair gets as far as the database, which cannot keep it."""
    club = new_club()
    with pytest.raises(OptionsRejected, match="line 1: a name cannot hold control characters"):
        add_players(club, [name])
    with pytest.raises(OptionsRejected, match="name: a name cannot hold control characters"):
        new_tournament(club, name=name)


@pytest.mark.postgres
@pytest.mark.parametrize("name", ["Ñandú", "عائشة", "आशा", "🂡 Ace", "<script>", 'O\'Brien "Bo"', "\u202eAsha"])
def test_names_in_any_script_are_names(name):
    assert add_players(new_club(), [name])[0].name == name
