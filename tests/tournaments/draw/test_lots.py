"""Lots and high cards that anyone can draw again."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders.rooms import CAST
from tournaments.draw import SeatingRejected
from tournaments.draw.search import high_card, lots, seed_as_read, seed_from


def test_lots_are_in_the_order_of_their_published_sums():
    expected = sorted(CAST, key=lambda key: sha256(f"3TQD-81HA:{key}".encode()).hexdigest())
    assert list(lots("3TQD-81HA", CAST)) == expected


def test_lots_are_what_they_have_always_been():
    assert lots("3TQD-81HA", CAST) == ("Cy", "Asha", "Dev", "Bo")


@given(order=st.permutations(CAST), seed=st.text())
def test_lots_do_not_depend_on_the_order_of_the_list(order, seed):
    assert lots(seed, order) == lots(seed, CAST)


def test_every_player_draws_another_card_and_the_highest_wins():
    drawn = high_card("A", [f"P{number}" for number in range(52)])
    assert [str(one.card) for one in drawn[:5]] == ["AS", "AH", "AD", "AC", "KS"]
    assert str(drawn[-1].card) == "2C"


def test_cards_are_dealt_from_the_published_pack_in_the_order_of_the_keys():
    names = [f"card {rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK"]
    pack = sorted(names, key=lambda name: sha256(f"A:{name}".encode()).hexdigest())
    drawn = {one.player: f"card {one.card}" for one in high_card("A", reversed(CAST))}
    assert [drawn[name] for name in sorted(CAST)] == pack[: len(CAST)]


@given(chance=st.binary(min_size=5, max_size=20))
def test_a_seed_is_short_and_can_be_read_back_however_it_is_typed(chance):
    seed = seed_from(chance)
    assert len(seed) == 9
    assert seed_as_read(seed.lower().replace("-", " ").replace("0", "o").replace("1", "l")) == seed


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda: high_card("A", [f"P{number}" for number in range(53)]), "53 players"),
        (lambda: seed_from(b"1234"), "5 random bytes"),
        (lambda: seed_as_read("K7Q"), "this one has 3"),
    ],
)
def test_a_pack_too_small_a_seed_of_too_little_chance_and_one_that_cannot_be_are_refused(asked, said):
    with pytest.raises(SeatingRejected, match=said):
        asked()
