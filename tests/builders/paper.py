"""One night with every kind of print: entries, prizes, a levy, side pots, tills, corrections, receipts."""

from dataclasses import dataclass

from django.utils.timezone import now

from scoring.events import wire
from tests.builders.admin_tables import NOW, club_called, evening_at
from tests.builders.admin_tournaments import Night, a_night, at, play_out, record
from tests.builders.cash_desk import CashDesk, at_the_desk
from tests.builders.fixed_chance import at_a_moment
from tournaments.books.commands import settle_table
from tournaments.models import Club, Player, Role
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.settle import settle_tournament

PLAN = {
    "stages": [{"smallest_table": 2}],
    "prizes_bp": [7_000, 3_000],
    "guaranteed_minor": 60_000,
    "levy_bp": 1_800,
    "things": ["Xyz"],
    "side_pots": [{"name": "Jackpot", "contribution_minor": 500}, {"name": "Bonanza", "contribution_minor": 700}],
}
CAST = ("Asha", "Bo")
# Names and codes on these sheets: of people, a club and its pots, of a currency and a place.
NAMES = {
    *CAST,
    "Cora",
    "Cy",
    "Dev",
    "Club",
    "Xyz",
    "Saturday",
    "Tuesday",
    "Jackpot",
    "Bonanza",
    "INR",
    "Asia",
    "Kolkata",
}


@dataclass(frozen=True, kw_only=True)
class Printed:
    """The address of each sheet of the night, by its kind; `desk` opens them."""

    desk: CashDesk
    night: Night
    addresses: dict[str, str]


def a_printed_night(club: Club) -> Printed:
    """Asha wins an evening of two, and a table of points that pays each deal; Cora is the cashier who directs."""
    Club.objects.filter(pk=club.pk).update(name="Club Xyz")
    club.refresh_from_db()
    night = a_night(club, PLAN, entry_minor=30_000, fee_bp=1_000, is_published=True)
    asha, bo = night.enter(*CAST)
    desk = at_the_desk(club, Role.DIRECTOR, "cora").opens("200")
    desk.takes("500", "Asha", payer="Bo").takes("50", "Bo").takes("70", "Bo")
    desk.sends(desk.player("Asha"), "pay_out", amount="20")
    desk.sends("lines/5/", "undo", reason="7")
    night.record(*(wire.EntryPaid(player=each, amount_minor=31_200, place=desk.till) for each in (asha, bo)))
    _played(night, asha)
    _points(club)
    return Printed(desk=desk, night=night, addresses=_addresses(club, night, desk))


def printed_night() -> Printed:
    """The same in a club of its own, with ids in the order of their rows."""
    with at_a_moment(now()):
        return a_printed_night(club_called("Asha's club", "asha"))


def _played(night: Night, winner: str) -> None:
    [table] = night.seat()
    record(
        table,
        {"kind": "deal_recorded", "deal": 1, "outcomes": {"1": {"how": "show"}, "2": {"how": "loss", "count": 9}}},
    )
    record(table, {"kind": "deal_voided", "deal": 1, "reason": "7"})
    play_out(table)
    record(table, {"kind": "table_closed"})
    night.record(wire.SidePotWon(pot="Jackpot", players=(winner,), reason="7"))
    close_tournament(night.tournament.pk, context=at())
    settle_tournament(night.tournament.pk, now=NOW)


def _points(club: Club) -> None:
    """Two deals that are paid one by one, the first of which is corrected after it was settled."""
    table = evening_at(
        club, preset="points", name="Tuesday", names=("Cy", "Dev"), entry_minor=0, point_value_minor=200, fee_bp=1_000
    )
    for deal in (1, 2):
        table.deal(deal, show="1", s2=30)
    settle_table(table.table.pk, now=NOW)
    again = {"1": {"how": "show"}, "2": {"how": "loss", "count": 20}}
    table.record({"kind": "deal_corrected", "deal": 1, "reason": "7", "outcomes": again})
    table.record({"kind": "table_closed"})
    settle_table(table.table.pk, now=NOW)


def _addresses(club: Club, night: Night, desk: CashDesk) -> dict[str, str]:
    tournament = f"/admin/tournaments/tournament/{night.tournament.pk}"
    books = f"/admin/tournaments/club/{club.pk}/books"
    player = "/admin/tournaments/player/{}/statement/file/?kind=pdf"
    bo, dev = (Player.objects.get(club=club, name=name).pk for name in ("Bo", "Dev"))
    return {
        "journal of a period": f"{books}/journal/?kind=pdf&first=2026-01-01&last=2030-01-01",
        "journal of a tournament": f"{tournament}/money/journal/?kind=pdf",
        "trial balance": f"{books}/balances/?kind=pdf",
        "trial balance of a day without any": f"{books}/balances/?kind=pdf&last=2026-01-01",
        "statement": player.format(bo),
        "statement of somebody who owes": player.format(dev),
        "money taken": desk.url(f"receipts/{desk.book}/3/"),
        "money paid out": desk.url(f"receipts/{desk.book}/6/"),
        "payouts": f"{tournament}/money/payouts/",
        "night report": f"{tournament}/money/summary/",
        "score sheets": f"{tournament}/paper/sheets/",
        "seating": f"{tournament}/paper/seating/",
        "standings": f"{tournament}/paper/standings/",
        "winners": f"{tournament}/paper/winners/",
        "certificates": f"{tournament}/paper/certificates/",
    }
