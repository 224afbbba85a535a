"""Ratings: properties that must hold for any numbers."""

from scoring.seasons.formula import TablePlayed
from scoring.seasons.ratings import Rated, cautious, rated

CAST = ("asha", "bo", "cy", "dev")


def table(*places: int) -> TablePlayed:
    return TablePlayed(CAST[: len(places)], places)


def by_player(*nights: list[TablePlayed]) -> dict[str, Rated]:
    found = rated((f"night {number}", tables) for number, tables in enumerate(nights, 1))
    return {each.player: each for each in found}


def test_who_finishes_first_rises_above_who_finishes_last_and_everybody_becomes_surer():
    ratings = by_player([table(1, 2, 3, 4)])
    assert [*ratings] == list(CAST)
    assert ratings["asha"].mu > 25_000 > ratings["dev"].mu
    assert all(each.sigma < 8_333 for each in ratings.values())


def test_level_players_are_rated_alike():
    """Planted fault: with places counted by the row's number instead of the shared place, Bo is placed above Cy."""
    ratings = by_player([table(1, 2, 2, 4)])
    assert (ratings["bo"].mu, ratings["bo"].sigma) == (ratings["cy"].mu, ratings["cy"].sigma)


def test_the_same_nights_give_the_same_numbers():
    nights = [[table(1, 2, 3, 4), table(2, 1, 3)], [table(4, 3, 2, 1)]]
    assert by_player(*nights) == by_player(*nights)


def test_a_later_night_counts_on_from_the_earlier_one_and_both_are_kept():
    ratings = by_player([table(1, 2)], [table(1, 2), table(1, 2)])
    asha = ratings["asha"]
    assert [night for night, _, _ in asha.history] == ["night 1", "night 2"]
    assert (asha.nights, asha.tables, asha.history[-1][1]) == (2, 3, asha.mu)
    assert asha.history[0][1] < asha.mu


def test_somebody_who_won_once_is_not_shown_above_somebody_who_wins_every_night():
    """The number shown subtracts the uncertainty: one lucky table is no proof."""
    steady = [[TablePlayed(("asha", "bo"), (1, 2))]] * 12
    ratings = by_player(*steady, [TablePlayed(("dev", "cy"), (1, 2))])
    assert cautious(ratings["dev"].mu, ratings["dev"].sigma) < cautious(ratings["asha"].mu, ratings["asha"].sigma)


def test_a_table_of_one_rates_nobody():
    assert by_player([TablePlayed(("asha",), (1,))]) == {}
