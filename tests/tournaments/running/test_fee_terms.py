"""A tournament's own bounds of the house fee and its levy: every table has them, and the books a line for each."""

from typing import Any

import pytest

from scoring.ledger import ledger_problems, trial_balance
from scoring.models import JournalEntry
from scoring.money.reasons import reasons
from scoring.problems import OptionsRejected
from scoring.sheets.snapshots import load_table
from tests.builders.playing import NOW, context, finished_pool, new_tournament
from tournaments.books.commands import settle_table
from tournaments.models import Tournament
from tournaments.running.commands.create import TournamentDraft, change_tournament, create_tournament_once
from tournaments.sheet_import import SheetRejected
from tournaments.sheet_import.run import import_sheet

pytestmark = pytest.mark.django_db
GST: dict[str, Any] = {"levy_bp": 1_800, "levy_name": "GST", "levy_on": "fee"}
SHEET = """Club,Asha's club
Tournament,Saturday
Table,1
Game,Pool 101
Entry,Rs 1000
Fee,12 %
{lines}
Deal,Asha,Bo,Cy
1,show,34,D
"""


def held(table) -> dict[str, int]:
    return {line.kind.value: line.balance_minor for line in trial_balance(table.row.tournament.club_id)}


@pytest.mark.parametrize(
    ("terms", "club_fee", "levy"),
    [({"fee_cap_minor": 25_000, **GST}, 25_000, 4_500), ({"fee_floor_minor": 60_000}, 60_000, None)],
)
def test_a_pot_pays_within_the_bounds_of_the_house_fee_and_a_levy_on_it(terms, club_fee, levy):
    table = finished_pool(**terms)
    table.close()
    assert settle_table(table.row.id, now=NOW).posted == 1
    assert (held(table)["club_fee"], held(table).get("levy")) == (club_fee, levy)
    assert ledger_problems() == []


def test_the_payout_shows_the_formula_with_its_numbers():
    table = finished_pool(fee_floor_minor=400, fee_cap_minor=25_000, **GST)
    table.close()
    settle_table(table.row.id, now=NOW)
    [payout] = load_table(table.sheet.state).payouts()
    assert JournalEntry.objects.get().memo.splitlines() == list(map(str, payout.because))
    assert tuple(map(str, reasons(payout.because, "INR"))) == (
        "4 entries of ₹1,000.00 make ₹4,000.00",
        "House fee: 12% of ₹4,000.00, at least ₹4.00, at most ₹250.00, is ₹250.00",
        "GST: 18% of ₹250.00 is ₹45.00",
        "1 takes ₹3,705.00",
    )


def test_a_cap_under_the_floor_makes_no_tournament():
    with pytest.raises(OptionsRejected, match="the minimum house fee is higher than the maximum"):
        new_tournament(fee_floor_minor=500, fee_cap_minor=400)
    assert not Tournament.objects.exists()


def test_bounds_may_change_until_a_table_is_open():
    tournament = new_tournament(fee_bp=1_000)
    draft = TournamentDraft(name="Saturday", preset="pool_101", starts_at=NOW, fee_bp=1_000, fee_cap_minor=900, **GST)
    change_tournament(tournament, draft, context=context())
    tournament.refresh_from_db()
    assert (tournament.fee_cap_minor, tournament.levy_bp, tournament.levy_name) == (900, 1_800, "GST")


def test_a_repeated_request_with_other_bounds_is_another_request():
    club = new_tournament().club
    draft: dict[str, Any] = {"name": "Sunday", "preset": "pool_101", "starts_at": NOW}
    create_tournament_once(club, TournamentDraft(**draft, fee_cap_minor=900), context=context(key="k"))
    assert create_tournament_once(club, TournamentDraft(**draft, fee_cap_minor=900), context=context(key="k"))[1]
    with pytest.raises(Exception, match="used for another request"):
        create_tournament_once(club, TournamentDraft(**draft, fee_cap_minor=901), context=context(key="k"))


def test_a_paper_sheet_may_say_the_bounds_and_a_levy_on_something_known():
    new_tournament(name="Another")
    with pytest.raises(SheetRejected) as told:
        import_sheet(SHEET.format(lines="Levy,18 %,GST,of the weather").encode(), now=NOW)
    assert "write gross or fee" in told.value.problems[0].text()
    lines = 'Fee at least,Rs 10\nFee at most,"1,000.00"\nLevy,18 %,GST,of the fee'
    import_sheet(SHEET.format(lines=lines).encode(), now=NOW)
    found = Tournament.objects.get(name="Saturday")
    assert (found.fee_floor_minor, found.fee_cap_minor) == (1_000, 100_000)
    assert (found.levy_bp, found.levy_name, found.levy_on) == (1_800, "GST", "fee")
