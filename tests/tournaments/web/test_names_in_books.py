"""The name of an erased player stays in the books until the club's date, and nowhere else.

Planted faults these catch: a receipt over 10,152.41 that reads "Erased player"; a name kept for the books that a
leaderboard, a list of players, a search or the API of a tournament shows.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from random import Random

import openpyxl
import pytest
import time_machine
from django.apps import apps
from django.test import Client

from scoring.events import cash, wire
from scoring.models import Account, Posting
from tests.builders.admin_addresses import CLUB_PAGES, stocked
from tests.builders.admin_tables import NOW, club_called, person
from tests.builders.admin_tournaments import Night, a_night, at, play_out, record
from tests.builders.api_clients import Device
from tests.builders.buttons import Forms, form_that
from tests.builders.every_address import of_the_api, public
from tests.builders.every_write import page_of
from tests.builders.page_text import text_of
from tests.builders.pdf_text import pages
from tests.builders.two_clubs import World, objects_of
from tournaments import tasks
from tournaments.books.commands import settle_table
from tournaments.cash.commands import open_book, till_of, write_in_book
from tournaments.cash.queries import found_at_desk, players_called
from tournaments.changing import change_player
from tournaments.log.context import CommandContext
from tournaments.merging import merge_players
from tournaments.models import Club, Player, Role
from tournaments.models.people import ERASED_NAME
from tournaments.people.players import add_players
from tournaments.privacy import erase_player, forget_names_in_books, kept_until
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.record import record_in_tournament
from tournaments.running.commands.settle import settle_tournament

pytestmark = pytest.mark.django_db

NAME = "Zubeida Merchant"
PLAN = {"stages": [{"smallest_table": 2}], "prizes_bp": [7_000, 3_000]}
TEN_YEARS = timedelta(days=3_653)


@dataclass(frozen=True)
class Paid:
    """A player who won at a table and in a tournament and was paid out, seen by an owner of the club."""

    world: World
    night: Night
    player: Player
    book: str
    payout: int

    def books(self) -> dict[str, str]:
        """The address of every page and file of money that names a player, by what it is."""
        club = f"/admin/tournaments/club/{self.world.club.pk}/"
        player, tournament = f"/admin/tournaments/player/{self.player.pk}/", self.night.url("money")
        account = Account.objects.get(club=self.world.club.pk, owner=str(self.player.pk))
        entry = Posting.objects.filter(account=account).latest("id").entry_id
        return {
            "accounts": "/admin/scoring/account/",
            "account": f"/admin/scoring/account/{account.pk}/change/",
            "journal entry": f"/admin/scoring/journalentry/{entry}/change/",
            **{
                f"journal as {kind}": f"{club}books/journal/?kind={kind}"
                for kind in ("csv", "xlsx", "beancount", "pdf")
            },
            **{f"balances as {kind}": f"{club}books/balances/?kind={kind}" for kind in ("csv", "pdf")},
            "cash desk": f"{club}cash/",
            "entry of the cash book": f"{club}cash/lines/{self.payout}/",
            "player at the cash desk": f"{club}cash/player/{self.player.pk}/",
            "balances": f"{club}cash/balances/",
            "cash book": f"{club}cash/nights/{self.book}/",
            **{f"cash book as {kind}": f"{club}cash/nights/{self.book}/file/?kind={kind}" for kind in ("csv", "xlsx")},
            "receipt": f"{club}cash/receipts/{self.book}/{self.payout}/",
            "tournament's money": tournament,
            "tournament's journal": f"{tournament}journal/",
            "payout list": f"{tournament}payouts/",
            "report": f"{tournament}summary/",
            "player": f"{player}change/",
            "statement": f"{player}statement/",
            "statement as pdf": f"{player}statement/file/?kind=pdf",
            "API of balances": f"/api/v1/clubs/{self.world.club.pk}/cash/balances/",
        }

    def elsewhere(self) -> Iterator[str]:
        """Every address without money of the back office, of the public pages and files, and of the API."""
        found = objects_of(self.world.club, self.night.tournament, Random(1)) | {"player": self.player}
        admin = (page_of(name, self.world, found) for name in CLUB_PAGES)
        addresses = {*public(found), *of_the_api(found), *filter(None, admin), "/admin/tournaments/player/?q=Zubeida"}
        of_money = ("/admin/scoring/", "/cash/", "/books/", "/money/", *self.books().values())
        yield from sorted(address for address in addresses if not any(part in address for part in of_money))

    def read(self, address: str) -> str:
        """The text of an answer, whatever kind of file it is; empty for what is not there."""
        client = self.world.browser if address.startswith("/admin/") else self.world.visitor
        answer = (self.world.device if address.startswith("/api/") else client).get(address)
        body = answer.getvalue()
        if body.startswith(b"%PDF"):
            return " ".join(pages(body))
        if body.startswith(b"PK") and "spreadsheet" in answer["Content-Type"]:
            book = openpyxl.load_workbook(io.BytesIO(body))
            return repr([[cell.value for cell in row] for sheet in book for row in sheet.iter_rows()])
        return body.decode(errors="replace")


@pytest.fixture
def paid() -> Paid:
    evening = stocked("books")
    club, player = evening.club, evening.table.seats.all()[0].player
    change_player(player.pk, {"name": NAME})
    evening.deal(2, show="1", s2=80)
    evening.deal(3, show="1", s2=80)
    evening.record({"kind": "table_closed"})
    settle_table(evening.table.pk, now=NOW)
    close_tournament(evening.tournament.pk, context=at())
    context = CommandContext(actor="user:0", now=NOW)
    till = till_of(club.pk, "INR", context=context)
    night = a_night(club, PLAN, entry_minor=10_000, fee_bp=1_000, is_published=True, name="Cup")
    players = [str(player.pk), str(add_players(club, ["Lou"])[0].pk)]
    for event in (wire.PlayerEntered, wire.CheckedIn):
        night.record(*(event(player=each) for each in players))
    night.record(*(wire.EntryPaid(player=each, amount_minor=10_000, place=till) for each in players))
    [table] = night.seat(players)
    play_out(table)
    record(table, {"kind": "table_closed"})
    close_tournament(night.tournament.pk, context=at())
    settle_tournament(night.tournament.pk, now=NOW)
    book = open_book(club.pk, "INR", context=context)
    payout = cash.MoneyPaidOut(player=players[0], amount_minor=4_200, place=till)
    line = write_in_book(book, payout, context=replace(context, key="payout")).line
    owner = Client()
    owner.force_login(evening.club.memberships.get(role=Role.OWNER).user)
    world = World(evening, evening, Device(club, Role.OWNER), owner, Client())
    return Paid(world, night, player, str(book), line)


def anywhere() -> str:
    """Every value of every row of the database."""
    return repr([list(model._default_manager.values_list()) for model in apps.get_models()])


def named(paid: Paid, addresses: dict[str, str]) -> set[str]:
    return {what for what, address in addresses.items() if NAME in paid.read(address)}


@pytest.mark.slow
def test_every_page_and_file_of_money_names_an_erased_player_until_the_clubs_date_and_no_other_does(paid: Paid):
    books = paid.books()
    assert named(paid, books) == set(books)
    erase_player(paid.player, now=NOW, with_balance=True)
    assert named(paid, books) == set(books)
    # Pages for directors that name prizes and unpaid fees beside other things.
    beside = {paid.night.url(page) for page in ("close", "night", "night/part", "prizes", "results")}
    beside |= {
        f"/api/v1/tournaments/{paid.night.tournament.pk}/{file}/" for file in ("prizes", "payouts/file", "report/file")
    }
    # What an owner tells the person on request.
    beside |= {f"/admin/tournaments/player/{paid.player.pk}/data/"}
    beside |= {f"/api/v1/clubs/{paid.world.club.pk}/players/{paid.player.pk}/data/"}
    assert {address for address in paid.elsewhere() if NAME in paid.read(address)} == beside
    assert players_called(paid.world.club, NAME) == {}
    assert forget_names_in_books(now=NOW + TEN_YEARS) == 1
    assert named(paid, books) == set()
    assert "Zubeida" not in anywhere()


def test_a_club_that_keeps_no_names_has_none_in_its_books_at_once(paid: Paid):
    Club.objects.update(keep_names_years=0)
    page = text_of(paid.world.browser.get(f"/admin/tournaments/player/{paid.player.pk}/erase/"))
    assert "The books do not keep the name either." in page
    assert "nobody can say then whose it is" in page
    erase_player(Player.objects.get(pk=paid.player.pk), now=NOW, with_balance=True)
    assert NAME not in anywhere()


def test_the_erase_page_and_the_players_own_say_until_when_the_name_stays(paid: Paid):
    page, browser = f"/admin/tournaments/player/{paid.player.pk}", paid.world.browser
    with time_machine.travel(NOW, tick=False):
        assert "The name stays in the books until Sat 15 Mar 2036: in accounts" in text_of(
            browser.get(f"{page}/erase/")
        )
        answer = browser.post(f"{page}/erase/", {"sure": "yes", "with_balance": "yes"}, follow=True)
    assert "Player erased. The name stays in the books until Sat 15 Mar 2036." in text_of(answer)
    assert f"In the books until Sat 15 Mar 2036: {NAME}" in text_of(browser.get(f"{page}/change/"))
    scorer = Client()
    scorer.force_login(person("sue", Role.CHECKIN, paid.world.club))
    assert NAME not in scorer.get(f"{page}/change/").content.decode()


def test_a_player_who_is_erased_already_keeps_name_and_day_and_a_report_names_one_where_it_is_about_money_alone(
    paid: Paid,
):
    erase_player(paid.player, now=NOW, with_balance=True)
    report = paid.read(paid.books()["report"])
    assert f"1 {NAME} ₹" in report
    assert "Winner Erased player" in report
    erased = Player.objects.get(pk=paid.player.pk)
    answer = paid.world.browser.post(f"/admin/tournaments/player/{erased.pk}/erase/", {"sure": "yes"})
    assert answer["Location"] == f"/admin/tournaments/player/{erased.pk}/change/"
    erase_player(erased, now=NOW + timedelta(days=400), with_balance=True)
    again = Player.objects.get(pk=erased.pk)
    assert (again.books_name, again.erased_at) == (NAME, NOW)


def test_the_owner_sets_the_years_on_the_clubs_page(paid: Paid):
    address, browser = f"/admin/tournaments/club/{paid.world.club.pk}/change/", paid.world.browser
    forms = Forms(browser.get(address).content.decode()).found
    [values] = [form.values for form in forms if "keep_names_years" in form.values]
    assert browser.post(address, {**values, "keep_names_years": "31"}).status_code == 200
    assert browser.post(address, {**values, "keep_names_years": "8"}).status_code == 302
    assert paid.world.club.keep_names_years == 8


def test_who_has_moved_no_money_is_kept_in_no_books_unless_an_open_tournament_has_something_to_book():
    """Planted fault: everybody who was ever on a list is kept for ten years."""
    club = club_called("Asha's club", "asha")
    [player] = add_players(club, ["Yasmin Irani"])
    erase_player(player, now=NOW)
    assert "Yasmin" not in anywhere()
    a_night(club, PLAN, entry_minor=10_000, name="Open").enter("Yasmin Irani")
    erase_player(Player.objects.get(name="Yasmin Irani"), now=NOW)
    assert Player.objects.get(books_name="Yasmin Irani").name == ERASED_NAME


def test_both_rows_of_a_merged_player_are_named_in_the_books_and_both_are_cleared(paid: Paid):
    [into] = add_players(paid.world.club, ["Zubeida M. Merchant"])
    merge_players(paid.player, into, context=at())
    erase_player(into, now=NOW, with_balance=True)
    lines = Player.objects.filter(pk__in=[into.pk, paid.player.pk]).names_in_books()
    assert set(lines.values()) == {"Zubeida M. Merchant"}
    assert "Zubeida M. Merchant" in paid.read(paid.books()["receipt"])
    assert forget_names_in_books(now=NOW + TEN_YEARS) == 2
    assert "Zubeida" not in anywhere()


def test_the_books_are_in_the_order_of_the_names_that_they_show():
    players = add_players(club_called("Asha's club", "asha"), ["Zz", "Aa", "Bo"])
    Player.objects.filter(name="Bo").update(books_name="yasmin", erased_at=NOW)
    found = Player.objects.filter(pk__in=[player.pk for player in players]).names_in_books()
    assert list(found.values()) == ["Aa", "yasmin", "Zz"]


def test_the_day_is_one_of_the_clubs_clock():
    days = {
        datetime(2026, 3, 14, 18, 29, tzinfo=UTC): date(2036, 3, 14),
        datetime(2026, 3, 14, 18, 30, tzinfo=UTC): date(2036, 3, 15),
        datetime(2028, 2, 29, 12, 0, tzinfo=UTC): date(2038, 3, 1),
    }
    assert {moment: kept_until(Club(timezone="Asia/Kolkata"), moment) for moment in days} == days


@pytest.mark.parametrize("years", [10, 3])
def test_the_worker_clears_a_name_on_its_day_by_the_clubs_present_setting_and_again_after_a_backup(years: int):
    club = club_called("Asha's club", "asha", keep_names_years=years)
    [player] = add_players(club, [NAME])
    erased = {"name": ERASED_NAME, "books_name": NAME, "erased_at": datetime(2026, 3, 14, 12, 0, tzinfo=UTC)}
    midnight = datetime(2026 + years, 3, 13, 18, 30, tzinfo=UTC)
    for _ in range(2):
        Player.objects.filter(pk=player.pk).update(**erased)
        with time_machine.travel(midnight - timedelta(seconds=1), tick=False):
            assert tasks.forget_names() == 0
        with time_machine.travel(midnight, tick=False):
            assert tasks.forget_names() == 1
        assert Player.objects.get(pk=player.pk).name_in_books == ERASED_NAME


# Pages that are about a tournament or a list of people as well: the name stands where they are about money alone.

TABLE = {"stages": [{"smallest_table": 2}], "prizes_bp": [10_000]}
POT = {"name": "High hand", "joins": "opt_in", "contribution_minor": 500}


@pytest.fixture
def erased(paid: Paid) -> Paid:
    """The same player erased, with an unpaid entry in a tournament that goes on, beside Lou."""
    night = a_night(paid.world.club, TABLE | {"side_pots": [POT]}, entry_minor=10_000, name="Open")
    lou = str(Player.objects.get(name="Lou").pk)
    night.record(*(wire.PlayerEntered(player=player) for player in (lou, str(paid.player.pk))))
    night.record(wire.EntryTermsSet(player=lou, rate="full", pots=("High hand",)), wire.CheckedIn(player=lou))
    erase_player(paid.player, now=NOW, with_balance=True)
    return replace(paid, night=night)


def posted(paid: Paid, address: str, button: str, **typed: str) -> str:
    """The page that refuses what one of its buttons would do."""
    form = form_that(paid.read(address), button)
    answer = paid.world.browser.post(address, {**form.values, "do": button, **typed})
    assert answer.status_code == 422, answer
    return text_of(answer)


def test_refusals_of_the_cash_desk_name_an_erased_player_as_the_books_do(erased: Paid):
    page = erased.books()["player at the cash desk"]
    assert f"{NAME} has ₹689.00, and ₹689.00 may be paid out" in posted(erased, page, "pay_out", amount="99999")
    event = {"kind": "money_paid_out", "player": str(erased.player.pk), "amount_minor": 9_999_900, "place": "bank"}
    refused = erased.world.device.send(
        f"/api/v1/clubs/{erased.world.club.pk}/cash/", {"event": event, "expected_version": 0}
    )
    assert NAME in refused.content.decode()


def test_the_search_of_the_cash_desk_finds_a_name_in_the_books(erased: Paid):
    desk, browser = erased.books()["cash desk"], erased.world.browser
    assert browser.get(f"{desk}?q=merchant zub")["Location"] == erased.books()["player at the cash desk"]
    assert "Lou" not in text_of(browser.get(f"{desk}?q=merchant zub", follow=True))
    [again] = add_players(erased.world.club, [NAME])
    assert list(found_at_desk(erased.world.club, NAME).values()) == [NAME, f"{NAME} ({erased.player.pk.hex[:4]})"]
    assert players_called(erased.world.club, NAME) == {str(again.pk): NAME}
    assert found_at_desk(erased.world.club, "") == {}


def test_a_payer_is_no_erased_player(erased: Paid):
    """Nobody pays for others from the balance of a player who is gone: only the player's own page takes their money."""
    page = f"{erased.books()['cash desk']}player/{Player.objects.get(name='Lou').pk}/"
    assert "no player found" in posted(erased, page, "take", amount="5", payer="Zubeida")


def test_the_prizes_page_and_its_refusals_name_an_erased_player_as_the_books_do(erased: Paid):
    page = erased.night.url("prizes")
    refused = posted(erased, page, "won", player=str(erased.player.pk), reason="four queens")
    assert f"{NAME} does not play for High hand" in refused


def test_the_dashboard_has_the_name_where_it_is_about_money_alone(erased: Paid):
    page = text_of(erased.world.browser.get(erased.night.url()))
    assert "Not here yet 1 Erased player" in page
    assert f"Not paid 2 Lou , {NAME}" in page


def test_closing_names_whose_fee_was_lowered_as_the_books_do(erased: Paid):
    terms = wire.EntryTermsSet(player=str(erased.player.pk), rate="free", reason="guest")
    helper = replace(at(), actor="user:77")
    record_in_tournament(erased.night.tournament.pk, terms, context=helper)
    assert f"Free entry for {NAME} by" in text_of(erased.world.browser.get(erased.night.url("close")))


def test_check_in_and_what_it_refuses_say_erased_player(erased: Paid):
    page = f"{erased.night.url('desk')}{erased.player.pk}/"
    helper = Client()
    helper.force_login(person("sue", Role.CHECKIN, erased.world.club))
    assert NAME not in text_of(helper.get(page)) + text_of(helper.get(erased.night.url("desk")))
    form = form_that(helper.get(page).content.decode(), "terms")
    refused = helper.post(page, {**form.values, "do": "terms", "rate": "free", "reason": ""})
    assert refused.status_code == 422
    assert NAME not in text_of(refused)
