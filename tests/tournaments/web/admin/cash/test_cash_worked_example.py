"""The worked example of docs/how-to/books.md, "The cash desk": after each line the balances are as the page says."""

from collections.abc import Callable
from pathlib import Path

import pytest

from scoring.ledger import ledger_problems
from tests.builders.cash_desk import at_the_desk
from tournaments.models import Club, Role
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db
PAGE = (Path(__file__).resolve().parents[5] / "docs" / "how-to" / "books.md").read_text()
HEADING = "| line | Asha | Bo | Cora's till | bank |"


def rows() -> dict[str, list[int]]:
    """The balances after each line, in minor units."""
    table = PAGE.partition(HEADING)[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return {said: [int(amount.replace(",", "").replace(".", "")) for amount in amounts] for said, *amounts in cells}


def test_the_worked_night_comes_to_what_the_page_says(club: Club):
    add_players(club, ("Asha", "Bo"))
    cora, dita = at_the_desk(club, Role.CASHIER, "cora"), at_the_desk(club, Role.DIRECTOR, "dita")
    asha, bo = cora.player("Asha"), cora.player("Bo")
    deeds: dict[str, Callable[[], object]] = {
        "Cora opens her till with 200.00 from the owner": lambda: cora.opens("200"),
        "Asha brings 500.00": lambda: cora.takes("500", "Asha"),
        "Asha pays 150.00 for Bo": lambda: cora.sends(asha, "transfer", to="Bo", amount="150", reason="a friend"),
        "Bo is paid out 50.00": lambda: cora.sends(bo, "pay_out", amount="50"),
        "1,000.00 are taken from Bo by mistake": lambda: cora.takes("1000", "Bo"),
        "that entry is undone": lambda: cora.sends("lines/6/", "undo", reason="it was Cy"),
        "Cora counts 640.00": lambda: cora.counts(p50000=1, p10000=1, p2000=2),
        "Dita books the 10.00 that are missing": lambda: dita.sends(cora.count_page, "difference", reason="change"),
        "Cora closes her till to the bank": lambda: cora.sends(cora.count_page, "close", target="bank"),
        "Dita closes the cash book": lambda: dita.sends("night/", "close"),
    }
    stood = {}
    for said, deed in deeds.items():
        deed()
        stood[said] = [cora.has("Asha"), cora.has("Bo"), cora.holds(cora.till), cora.holds("bank")]
    assert stood == rows()
    assert ledger_problems(club.pk) == []
