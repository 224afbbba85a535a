"""A club that keeps limits seats nobody without the money for it; one that keeps none seats anybody."""

import pytest

from scoring.rules import cash_facts as facts
from scoring.rules.problems import FactRejected, OptionsRejected
from tests.tournaments.playing import (
    CAST,
    Playing,
    finished_pool,
    loses,
    new_club,
    new_table,
    new_tournament,
    order,
    show,
)
from tournaments.commands import SeatedPlayer, TableDraft, add_players, open_table
from tournaments.commands.cash_books import open_book, write_in_book
from tournaments.models import Club, Player, Table, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def brings(player: Player, amount_minor: int) -> None:
    book = open_book(player.club_id, "INR", order=order())
    write_in_book(
        book, facts.MoneyReceived(player=str(player.id), amount_minor=amount_minor, place="bank"), order=order()
    )


def pays_out(player: Player, amount_minor: int) -> None:
    book = open_book(player.club_id, "INR", order=order())
    fact = facts.MoneyPaidOut(player=str(player.id), amount_minor=amount_minor, place="bank")
    write_in_book(book, fact, order=order())


def sit(home: Tournament, players: list[Player]) -> Table:
    seats = [SeatedPlayer(number=number, player=player.id) for number, player in enumerate(players, start=1)]
    return open_table(home, TableDraft(number=1, seats=seats), order=order())


@pytest.fixture
def strict(db: None) -> Club:
    return new_club(keeps_limits=True)


def test_a_seat_needs_the_entry_fee(strict: Club) -> None:
    home = new_tournament(strict, entry_minor=30_000)
    asha, bo = add_players(strict, ["Asha", "Bo"])
    brings(asha, 30_000)
    brings(bo, 29_999)
    with pytest.raises(OptionsRejected) as refused:
        sit(home, [asha, bo])
    assert [(problem.code, problem.seat) for problem in refused.value.problems] == [("balance_too_low", "2")]
    assert "Bo: 300.00 INR are needed, and 299.99 are there" in refused.value.problems[0].detail
    brings(bo, 1)
    sit(home, [asha, bo])


def test_a_seat_at_points_rummy_needs_a_full_count(strict: Club) -> None:
    home = new_tournament(strict, preset="points", point_value_minor=200)
    asha, bo = add_players(strict, ["Asha", "Bo"])
    brings(asha, 16_000)
    brings(bo, 15_999)
    with pytest.raises(OptionsRejected) as refused:
        sit(home, [asha, bo])
    assert [problem.seat for problem in refused.value.problems] == ["2"]


def test_credit_counts_as_money(strict: Club) -> None:
    home = new_tournament(strict, entry_minor=30_000)
    players = add_players(strict, ["Asha", "Bo"])
    book = open_book(strict.id, "INR", order=order())
    for player in players:
        fact = facts.CreditGranted(player=str(player.id), limit_minor=30_000, reason="plays every week")
        write_in_book(book, fact, order=order())
    sit(home, players)


def test_who_buys_back_in_needs_the_money_for_it(strict: Club) -> None:
    home = new_tournament(strict, entry_minor=30_000)
    players = add_players(strict, list(CAST))
    for player in players:
        brings(player, 30_000)
    table = Playing(row=sit(home, players))
    table.deal(1, show, loses(2), loses(2), loses(80))
    table.deal(2, show, loses(2), loses(2), loses(30))
    pays_out(players[3], 1)
    with pytest.raises(FactRejected) as refused:
        table.record({"kind": "rejoined", "seat": "4"})
    assert [problem.code for problem in refused.value.problems] == ["balance_too_low"]
    brings(players[3], 1)
    table.record({"kind": "rejoined", "seat": "4"})


def test_a_club_without_limits_seats_anybody(db: None) -> None:
    assert finished_pool().totals()


def test_a_table_for_nothing_asks_for_nothing(strict: Club) -> None:
    table = new_table(new_tournament(strict))
    table.deal(1, show, loses(60), loses(70), loses(80))
    assert table.sheet.version == 2
