"""The cash desk in the admin: tills, money in and out, undoing, and who may do what to whose till."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tables import NOW, club_called
from tests.builders.admin_tournaments import HEATS, a_night
from tests.builders.buttons import form_that
from tests.builders.cash_desk import CashDesk, at_the_desk
from tests.builders.page_text import refusal_of
from tests.builders.playing import context, new_tournament
from tournaments.models import CashBook, Club, Player, Role
from tournaments.models.log import Event
from tournaments.people.players import add_players
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def players(club: Club) -> list[Player]:
    return add_players(club, ("Asha", "Bo", "Cyrus", "José"))


@pytest.fixture
def desk(club: Club, players: list[Player]) -> CashDesk:
    """Cora is a cashier."""
    return at_the_desk(club, Role.CASHIER, "cora")


@pytest.fixture
def dita(club: Club, players: list[Player]) -> CashDesk:
    """Dita directs."""
    return at_the_desk(club, Role.DIRECTOR, "dita")


@pytest.mark.slow
def test_an_entry_that_is_not_paid_stands_at_whoever_has_to_pay_it_and_at_whoever_plays_on_it(dita: CashDesk):
    """Planted fault: only the player's own entry, which leaves out the one that a substitute plays on."""
    night = a_night(dita.club, HEATS, entry_minor=10_000)
    uma, viv = night.enter("Uma", "Viv")
    night.record(wire.EntryPaid(player=uma, amount_minor=10_000))
    night.seat()
    (zoe,) = add_players(dita.club, ["Zoe"])
    night.record(wire.PlayerSubstituted(player=viv, by=str(zoe.pk), reason="is ill"))
    dita.opens()
    assert "Entry fees not paid" not in dita.page(dita.player("Uma"))
    for name in ("Viv", "Zoe"):
        shown = dita.page(dita.player(name))
        assert "₹100.00" in shown.partition("Entry fees not paid")[2].partition("</ul>")[0]
        assert "entry fee of <bdi>Viv</bdi>; <bdi>Zoe</bdi> plays" in shown
    dita.takes("100", "Zoe")
    assert "from balance" not in dita.page(dita.player("Zoe"))
    dita.takes("100", "Viv")
    form = form_that(dita.page(dita.player("Zoe")), "from_balance")
    dita.client.post(form.action, {**form.values, "do": "from_balance"})
    assert (dita.has("Viv"), dita.has("Zoe")) == (0, 10_000)
    assert "Entry fees not paid" not in dita.page(dita.player("Zoe"))


def test_letters_lead_to_the_only_player_who_has_them_or_list_all_with_what_they_have(desk: CashDesk):
    for letters in ("jos", "JOS", "jose", "osé"):
        answer = desk.client.get(desk.url(), {"q": letters})
        assert (answer.status_code, answer["Location"]) == (302, desk.url(desk.player("José"))), letters
    desk.opens().takes("50", "Asha")
    page = desk.page("?q=s")
    assert [told for told in ("Asha", "Cyrus", "José", "₹50.00") if told not in page] == []
    assert "No player found" in desk.page("?q=zz")


def test_money_that_is_taken_stands_over_the_search_with_its_payer_and_its_receipt(desk: CashDesk):
    desk.opens()
    answer = desk.sends(desk.player("Asha"), "take", amount="1,500")
    assert "Taken from <bdi>Asha</bdi>: <b>₹1,500.00</b>" in desk.page(answer.url)
    receipt = desk.client.get(desk.url(f"receipts/{desk.book}/3/"))
    assert receipt["Content-Type"] == "application/pdf"
    assert receipt.content.startswith(b"%PDF-")
    desk.takes("50", "Asha", payer="Bo")
    assert "paid by <bdi>Bo</bdi>" in desk.page()
    assert (desk.has("Asha"), desk.has("Bo")) == (155_000, 0)


@pytest.mark.slow
def test_what_is_at_stake_stands_beside_what_may_be_paid_out(desk: CashDesk):
    """In a club that keeps limits; the entry of a table under way is booked at its end."""
    Club.objects.filter(pk=desk.club.pk).update(keeps_limits=True)
    desk.opens().takes("500", "Asha").takes("500", "Bo")
    home = new_tournament(Club.objects.get(pk=desk.club.pk), entry_minor=30_000)
    players = [Player.objects.get(club=desk.club, name=name) for name in ("Asha", "Bo")]
    seats = [SeatedPlayer(number=number, player=player.pk) for number, player in enumerate(players, start=1)]
    open_table(home, TableDraft(number=1, seats=seats), context=context())
    page = desk.page(desk.url(desk.player("Asha")))
    shown = page.split('class="cash-facts')[1].split("</dl>")[0]
    assert re.findall("<dd[^>]*>([^<]+)</dd>", shown) == ["₹500.00", "none", "₹300.00", "₹200.00"]


def test_every_problem_of_a_form_is_reported_at_once_and_nothing_typed_is_lost(desk: CashDesk):
    desk.opens()
    page = desk.sends(
        desk.player("Asha"), "transfer", status=422, to="Zoe", amount="12,5,0", reason=""
    ).content.decode()
    assert "is not an amount of INR" in page
    assert "no player found" in page
    assert "enter a reason" in page
    assert 'value="Zoe"' in page
    assert 'value="12,5,0"' in page
    page = desk.sends(desk.player("Asha"), "take", status=422, amount="99999999999999").content.decode()
    assert "an amount is at most ₹10,00,00,00,000.00" in page


def test_a_night_begins_with_the_first_till_without_which_no_money_is_taken(desk: CashDesk):
    assert "to take payments and pay out." in desk.page(desk.player("Asha"))
    sent = {"do": "take", "amount": "50", "key": str(uuid4())}
    assert "open it first" in refusal_of(desk.client.post(desk.url(desk.player("Asha")), sent))
    desk.page("night/")
    assert "No entries yet. The cash book opens with the first till or payment." in desk.page()
    assert not CashBook.objects.exists()
    desk.opens("200")
    assert desk.holds(desk.till) == 20_000
    assert "The till of Cora was opened, change from the owner" in desk.page()


@pytest.mark.slow
def test_a_form_that_is_sent_twice_is_written_once_and_with_another_amount_is_refused(desk: CashDesk):
    desk.opens()
    sent = {**desk.form(desk.player("Asha"), "take"), "amount": "50"}
    for _ in range(2):
        assert desk.client.post(desk.url(desk.player("Asha")), sent).status_code == 302
    answer = desk.client.post(desk.url(desk.player("Asha")), {**sent, "amount": "60"})
    assert "form already sent with other data: check and try again" in answer.content.decode()
    assert desk.has("Asha") == 5_000


def test_a_line_meanwhile_is_looked_at_first_where_it_is_about_the_same_player(desk: CashDesk, dita: CashDesk):
    desk.opens()
    dita.opens()
    for name, status in (("Bo", 302), ("Asha", 422)):
        sent = {**desk.form(desk.player("Asha"), "take"), "amount": "50"}
        dita.takes("10", name)
        answer = desk.client.post(desk.url(desk.player("Asha")), sent)
        assert answer.status_code == status, name
    assert "someone else changed this: check and try again" in answer.content.decode()
    assert 'value="50"' in answer.content.decode()


@pytest.mark.slow
def test_nothing_that_went_through_a_closed_till_is_offered_to_be_taken_back(desk: CashDesk, dita: CashDesk):
    desk.opens("0").takes("50", "Asha")
    dita.opens().takes("10", "Bo")
    of_cora, of_dita = (f'href="{desk.url(f"lines/{line}/")}"' for line in (3, 5))
    assert of_cora in dita.page()
    desk.counts(p5000=1)
    desk.sends(desk.count_page, "close")
    for path in ("", dita.player("Asha")):
        assert of_cora not in dita.page(path), path
    assert of_dita in dita.page()
    page = dita.page("lines/3/")
    assert "Undo entry 3" not in page
    assert "Its till is already closed. Add another entry to correct it." in page
    assert "Undo entry 5" in dita.page("lines/5/")


def test_a_line_is_taken_back_with_a_reason_and_stands_struck_through(desk: CashDesk):
    desk.opens().takes("500", "Asha")
    assert "enter a reason" in desk.sends("lines/3/", "undo", status=422).content.decode()
    assert desk.has("Asha") == 50_000
    desk.sends("lines/3/", "undo", reason="one nought too many")
    page = desk.page()
    assert "<s>Taken from" in page
    assert "one nought too many" in page
    assert desk.has("Asha") == 0
    assert desk.client.get(desk.url(f"receipts/{desk.book}/3/")).status_code == 404


@pytest.mark.slow
def test_markup_in_a_name_and_a_reason_stays_text(desk: CashDesk, club: Club):
    name = "<script>alert(1)</script>"
    add_players(club, (name,))
    desk.opens().takes("50", name)
    desk.sends(desk.player(name), "transfer", to="Bo", amount="5", reason="<b>bold</b>")
    for path in ("", desk.player(name), "balances/", f"nights/{desk.book}/", "?q=script"):
        page = desk.client.get(desk.url(path), follow=True).content.decode()
        assert name not in page, path
        assert "<b>bold</b>" not in page, path


def test_a_cashier_works_with_their_own_till_only_and_a_director_with_any(desk: CashDesk, dita: CashDesk):
    desk.opens()
    dita.opens()
    for place in (dita.till, "bank"):
        sent = {**desk.form(desk.player("Asha"), "take"), "amount": "50", "place": place}
        assert "your own" in refusal_of(desk.client.post(desk.url(desk.player("Asha")), sent)), place
    assert desk.page(dita.count_page, status=404)
    assert desk.has("Asha") == 0
    dita.takes("50", "Asha", place=desk.till)
    assert desk.holds(desk.till) == 25_000
    assert "Count the till" in dita.page(desk.count_page)


@pytest.mark.slow
def test_another_cashiers_line_is_a_directors_to_take_back(desk: CashDesk, dita: CashDesk):
    dita.opens()
    dita.takes("50", "Asha")
    desk.opens()
    sent = {**desk.form(desk.player("Asha"), "take"), "do": "undo", "reason": "mine"}
    assert "another cashier" in refusal_of(desk.client.post(desk.url("lines/3/"), sent))
    assert "Undo entry 3" not in desk.page("lines/3/")
    dita.sends("lines/3/", "undo", reason="typed twice")
    assert dita.has("Asha") == 0


@pytest.mark.slow
def test_credit_and_what_is_written_off_are_a_directors(desk: CashDesk, dita: CashDesk):
    desk.opens()
    assert "Credit limit," not in desk.page(desk.player("Bo"))
    for deed in ("credit", "write_off"):
        sent = {**desk.form(desk.player("Bo"), "take"), "do": deed, "amount": "5", "reason": "x"}
        assert desk.client.post(desk.url(desk.player("Bo")), sent).status_code == 403
    dita.sends(dita.player("Bo"), "credit", amount="30", reason="pays on Friday")
    desk.sends(desk.player("Bo"), "pay_out", amount="30")
    dita.sends(dita.player("Bo"), "write_off", amount="30", reason="moved away")
    assert desk.has("Bo") == 0


def test_a_player_a_book_of_another_club_and_a_currency_that_the_club_does_not_use_have_no_desk(desk: CashDesk):
    other = at_the_desk(club_called("Friday", "friday"), Role.OWNER, "olga").opens()
    stranger = add_players(other.club, ("Zed",))[0]
    desk.opens()
    desk.page(f"player/{stranger.pk}/", status=404)
    page = desk.sends(desk.player("Asha"), "take", status=422, amount="5", payer="Zed").content.decode()
    assert "no player found" in page
    desk.page("?currency=EUR", status=404)
    before = Event.objects.count()
    sent = {**desk.form(desk.player("Asha"), "take"), "amount": "50", "book": str(other.book)}
    assert desk.client.post(desk.url(desk.player("Asha")), sent).status_code == 404
    assert Event.objects.count() == before


@pytest.mark.slow
def test_balances_name_who_has_and_who_owes_with_the_way_to_the_statement(desk: CashDesk, dita: CashDesk):
    desk.opens().takes("50", "Asha")
    dita.sends(dita.player("Bo"), "credit", amount="30", reason="pays on Friday")
    desk.sends(desk.player("Bo"), "pay_out", amount="20")
    page = desk.page("balances/")
    assert "The club holds" not in page
    assert "The club holds <b>₹50.00</b> for players, and is owed <b>₹20.00</b>" in dita.page("balances/")
    assert f"/admin/tournaments/player/{Player.objects.get(name='Bo').pk}/statement/" in page
    assert "limit ₹30.00" in page


@pytest.mark.slow
def test_balances_of_a_large_club_are_in_pages_and_summed_over_all(desk: CashDesk, dita: CashDesk, monkeypatch: Any):
    """Planted fault: 200 players with a balance were listed in 101 kB."""
    monkeypatch.setattr("tournaments.web.admin.cash.book.PLAYERS_A_PAGE", 2)
    desk.opens()
    for name in ("Asha", "Bo", "José"):
        desk.takes("50", name)

    def look(asked: str) -> tuple[list[str], list[str | None]]:
        page = LexborHTMLParser(dita.page(f"balances/?{asked}"))
        names = [each.text() for each in page.css("[aria-labelledby=all] .desk-name bdi")]
        return names, [each.attributes["href"] for each in page.css("[aria-labelledby=all] .pager a")]

    assert look("currency=INR") == (["Asha", "Bo"], ["?players=2&currency=INR#all"])
    assert look("players=2") == (["José"], ["?players=1#all"])
    assert "holds <b>₹150.00</b> for players" in dita.page("balances/?players=2")


def test_an_entry_is_paid_from_the_balance_where_it_covers_the_fee(desk: CashDesk):
    night = a_night(desk.club, HEATS, entry_minor=4_000)
    uma, viv = night.enter("Uma", "Viv", is_here=False)
    desk.opens().takes("50", "Uma")
    at_door = [f"{night.url('desk')}{player}/" for player in (uma, viv)]
    page = desk.page(at_door[0])
    for told in (
        "Pay from balance (₹50.00)",
        "Take ₹40.00 in cash</button>",
        "Take ₹40.00 from balance</button>",
        "Cash goes to the till of Cora.",
    ):
        assert told in page
    assert "from balance" not in desk.page(at_door[1])
    desk.sends(at_door[0], "from_balance")
    assert (desk.has("Uma"), desk.holds(desk.till)) == (1_000, 25_000)


def test_an_entry_fee_is_paid_at_the_cash_desk_by_the_act_of_check_in(desk: CashDesk):
    """Planted fault: *Take payment* beside an unpaid entry fee of 500.00, which filled the balance alone."""
    night = a_night(desk.club, HEATS, entry_minor=50_000)
    uma, viv = night.enter("Uma", "Viv")
    assert "in cash</button>" not in desk.page(desk.player("Uma"))
    desk.opens("0").takes("600", "Viv")
    page = desk.page(desk.player("Uma"))
    assert "Take ₹500.00 in cash</button>" in page
    assert "Take ₹500.00 from balance" not in page
    assert "Cash goes to the till of Cora." in page
    assert "This adds to the balance and pays no entry fee." in page
    for name, button in (("Uma", "take"), ("Viv", "from_balance")):
        form = form_that(desk.page(desk.player(name)), button)
        for _ in range(2):
            answer = desk.client.post(form.action, {**form.values, "do": button})
            assert (answer.status_code, answer["Location"]) == (302, desk.url())
        assert "Entry fees not paid" not in desk.page(desk.player(name))
    paid = [night.state.entrants[player] for player in (uma, viv)]
    assert [one.paid_by_place for one in paid] == [{desk.till: 50_000}, {"account": 50_000}]
    assert (desk.holds(desk.till), desk.has("Uma"), desk.has("Viv")) == (110_000, 0, 10_000)


def test_a_cashier_is_led_back_to_check_in_and_nobody_to_a_night_that_is_over_or_of_other_money(
    desk: CashDesk, dita: CashDesk
):
    new_tournament(dita.club, name="Sunday", currency="EUR")
    closed = new_tournament(dita.club)
    closed.closed_at = NOW
    closed.save()
    assert "Dashboard: " not in dita.page()
    night = a_night(desk.club, HEATS)
    page = desk.page()
    assert (f'href="{night.url("desk")}"' in page, f'href="{night.url()}"' in page) == (True, False)


@pytest.mark.slow
def test_amounts_are_read_as_the_club_writes_them_whatever_the_language(desk: CashDesk):
    """Planted fault: a form that reads `1,00,000.50` by the reader's language."""
    desk.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    desk.opens("1,00,000.50")
    assert 'lang="de"' in desk.page()
    assert desk.holds(desk.till) == 10_000_050
