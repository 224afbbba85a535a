"""The check-in desk and the list of entries, as their users see them."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from scoring.cash import load_book
from scoring.events import wire
from scoring.events.cash import TillClosed, TillCounted
from scoring.tournament import Entrant
from tests.builders.admin_tables import NOW
from tests.builders.desk_pages import CAST, at, context, desk, enter, tournament
from tests.builders.page_text import html, refusal_of, said, text_of
from tournaments.cash.commands import open_book, write_in_book
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk
from tournaments.entries.queries import entries
from tournaments.models import CashBook, Player, Role, Tournament
from tournaments.models.log import Event
from tournaments.models.public_names import Names
from tournaments.people.players import add_players
from tournaments.running.commands.create import make_plan
from tournaments.running.commands.record import record_in_tournament, tournament_state
from tournaments.running.queries.dashboard import dashboard_of, running_tournament
from tournaments.seating.commands.seat import seat_round

__all__ = ["desk", "tournament"]

HTMX: dict[str, Any] = {"HTTP_HX_REQUEST": "true"}
NASTY = '<script>alert("x")</script>'


@pytest.fixture
def cashier(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.CASHIER, login="cash")


def id_of(name: str) -> str:
    return str(Player.objects.get(name=name).pk)


def entrant(tournament: Tournament, name: str) -> Entrant:
    return tournament_state(tournament).entrants[id_of(name)]


def tick(
    client: Client,
    tournament: Tournament,
    act: str,
    name: str,
    *,
    version: int | None = None,
    anyway: bool = False,
    **more: Any,
) -> Any:
    """A tap on a tick of the list as it was seen."""
    seen = tournament_state(tournament).version if version is None else version
    sent = {"version": str(seen), "do": f"{act}.{id_of(name)}", "q": "", **({"anyway": "on"} if anyway else {})}
    return client.post(at(tournament), sent, **more)


def test_the_desk_reads_whose_turn_it_is_on_the_standby_list(desk: Client, tournament: Tournament):
    """Planted fault: the list is A to Z and says no more, so that Gita gets the place that is Zoe's."""
    enter(tournament, "Zoe; standby\nGita; standby", adds_new=True)
    rows = text_of(desk.get(at(tournament)))
    assert "Zoe standby 1" in rows
    assert "Gita standby 2" in rows


def test_a_tick_says_what_it_did_offers_to_take_it_back_and_is_named_in_the_log(desk: Client, tournament: Tournament):
    answer = tick(desk, tournament, "check_in", "Bo", **HTMX)
    assert answer.status_code == 200
    assert "Bo</bdi> is checked in" in html(answer)
    assert f'value="untick.{id_of("Bo")}"' in html(answer)
    assert entrant(tournament, "Bo").is_checked_in
    last = Event.objects.filter(stream_id=tournament.pk).latest("version")
    assert last.kind == "checked_in"
    assert last.actor.startswith("user:")
    assert last.actor != "user:0"


def test_without_scripts_a_tick_comes_back_to_the_search_with_its_undo(desk: Client, tournament: Tournament):
    sent = {"version": "5", "do": f"check_in.{id_of('Bo')}", "q": "bo"}
    answer = desk.post(at(tournament), sent, follow=True)
    page = html(answer)
    assert "is checked in" in page
    assert f'value="untick.{id_of("Bo")}"' in page
    assert len(re.findall(r"data-desk-row hidden", page)) == 3


def test_desks_with_old_lists_work_side_by_side_and_take_one_entry_fee(
    desk: Client, dita: Client, cashier: Client, tournament: Tournament
):
    seen = tournament_state(tournament).version
    for client, name in ((desk, "Asha"), (dita, "Bo"), (desk, "Cy"), (dita, "Dev")):
        tick(client, tournament, "check_in", name, version=seen)
    assert all(one.is_checked_in for one in tournament_state(tournament).entrants.values())
    tick(cashier, tournament, "pay", "Bo")
    assert tick(desk, tournament, "pay", "Bo", version=seen, **HTMX).status_code == 200
    assert entrant(tournament, "Bo").paid_minor == 30_000


def test_a_refused_tick_says_why_and_shows_the_list(desk: Client, tournament: Tournament):
    act_at_desk(tournament.pk, DESK_ACTS["absent"], id_of("Bo"), context=context())
    answer = refusal_of(tick(desk, tournament, "check_in", "Bo", **HTMX))
    assert "Bo was marked as a no-show" in answer
    assert 'id="desk-list"' in answer


def test_one_more_player_than_places_is_asked_about_at_each_tick_that_lets_one_play(
    desk: Client, tournament: Tournament
):
    """Planted faults: a tick that asks nothing; one that asks again after the answer; a question without one."""
    act_at_desk(tournament.pk, DESK_ACTS["withdraw"], id_of("Bo"), context=context())
    act_at_desk(tournament.pk, DESK_ACTS["stand_by"], id_of("Bo"), context=context())
    Tournament.objects.filter(pk=tournament.pk).update(places=len(CAST) - 1)
    question = f"{len(CAST)} players would play, and there are {len(CAST) - 1} places: enter them anyway?"
    asked = refusal_of(tick(desk, tournament, "promote", "Bo", **HTMX))
    assert question in asked
    assert f'value="promote.{id_of("Bo")}"' in asked.partition("Save anyway")[0].rpartition("<button")[2]
    page = html(tick(desk, tournament, "promote", "Bo", follow=True))
    assert (question in page, page.count("Save anyway")) == (True, 1)
    of_player = at(tournament, f"desk/{id_of('Bo')}/")
    assert 'name="anyway"' in refusal_of(desk.post(of_player, {"do": "promote"}))
    assert not entrant(tournament, "Bo").plays
    assert tick(desk, tournament, "check_in", "Bo", **HTMX).status_code == 200, "one who stands by"
    assert tick(desk, tournament, "promote", "Bo", anyway=True, **HTMX).status_code == 200
    assert entrant(tournament, "Bo").plays


def test_a_director_hides_who_has_left_and_the_desk_sees_it_marked(desk: Client, dita: Client, tournament: Tournament):
    players = tuple(id_of(name) for name in CAST)
    seated = wire.RoundSeated(stage=1, round=1, tables=((1, players),), method="by_hand")
    record_in_tournament(tournament.pk, wire.PlanMade(plan={"stages": [{"smallest_table": 2}]}), context=context())
    seat_round(tournament.pk, seated, context=context())
    record_in_tournament(tournament.pk, wire.PlayerLeft(player=id_of("Bo")), context=context())
    page = at(tournament, f"desk/{id_of('Bo')}/")
    assert 'value="hide"' in html(dita.get(page))
    assert 'value="hide"' not in html(desk.get(page))
    assert desk.post(page, {"do": "hide"}).status_code == 403
    sent = {"do": "hide", "reason": "asked for it"}
    assert "Bo is hidden from the public." in said(dita.post(page, sent, follow=True))
    assert entrant(tournament, "Bo").is_hidden
    for where in (page, at(tournament, "desk/"), at(tournament, "entries/")):
        assert html(dita.get(where)).count("hidden from the public") == 1
    assert "Bo is shown to the public again." in said(dita.post(page, {"do": "show"}, follow=True))
    assert not entrant(tournament, "Bo").is_hidden


@pytest.mark.slow
def test_a_list_of_five_hundred_is_read_with_a_handful_of_questions(
    desk: Client, tournament: Tournament, django_assert_max_num_queries: Any
):
    enter(tournament, "\n".join(f"Player {number}" for number in range(496)), adds_new=True)
    with django_assert_max_num_queries(9):
        page = html(desk.get(at(tournament, "desk/list/")))
    assert page.count("data-desk-row") == 500


def test_a_cashier_takes_entries_and_ticks_nobody_in(cashier: Client, tournament: Tournament):
    assert "Check in<" not in html(cashier.get(at(tournament)))
    assert tick(cashier, tournament, "check_in", "Bo").status_code == 403
    assert tick(cashier, tournament, "pay", "Bo").status_code == 302
    assert not entrant(tournament, "Bo").is_checked_in
    assert entrant(tournament, "Bo").paid_minor == 30_000


def test_a_players_page_offers_what_is_possible_and_does_it_for_nobody_else(desk: Client, tournament: Tournament):
    page = at(tournament, f"desk/{id_of('Bo')}/")
    assert "Mark no-show" in html(desk.get(page))
    assert "Mark as returned" not in html(desk.get(page))
    assert said(desk.post(page, {"do": "absent", "key": "c" * 32})) == "Bo is marked as a no-show."
    shown = html(desk.get(page))
    assert (">no-show</span>" in shown, "absent</span>" in shown) == (True, False)
    assert "Mark arrived" in html(desk.get(page))
    assert tick(desk, tournament, "erase", "Bo").status_code == 403
    (zoe,) = add_players(tournament.club, ["Zoe"])
    assert desk.get(at(tournament, f"desk/{zoe.pk}/")).status_code == 404


def test_the_desk_names_the_till_that_takes_the_cash(cashier: Client, tournament: Tournament):
    make_plan(tournament.pk, {"stages": [{"smallest_table": 2}]}, context=context())
    pages = at(tournament), at(tournament, f"desk/{id_of('Bo')}/")

    def named() -> set[str]:
        return {
            re.sub(r".*(Cash goes[^<]*|The first payment[^<]*|The till of[^<]*)<.*", r"\1", html(cashier.get(page)))
            for page in pages
        }

    assert named() == {"The first payment asks where cash goes."}
    open_book(tournament.club_id, "INR", context=context())
    assert named() == {"The first payment asks where cash goes."}
    cashier.post(at(tournament, "till/"), {"do": "none"})
    assert named() == {"Cash goes to the check-in desk, without a till."}
    cashier.post(at(tournament, "till/"), {"do": "open", "source": "owner"})
    tick(cashier, tournament, "pay", "Asha")
    assert named() == {"Cash goes to the till of cash."}
    book = CashBook.objects.get(is_closed=False)
    (till,) = load_book(book.state).tills
    for event in (TillCounted(till=till, pieces={"30000": 1}), TillClosed(till=till)):
        write_in_book(book.pk, event, context=context())
    assert named() == {"The till of cash is closed: it takes no cash."}


def test_everything_is_refunded_only_with_a_reason(desk: Client, tournament: Tournament):
    """Planted fault: one tap on the page, or on Undo, refunded all of it."""
    tick(desk, tournament, "pay", "Bo")
    page = at(tournament, f"desk/{id_of('Bo')}/")
    assert "enter a reason" in refusal_of(desk.post(page, {"do": "give_back", "key": "c" * 32}))
    assert "enter a reason" in refusal_of(tick(desk, tournament, "give_back", "Bo", **HTMX))
    assert entrant(tournament, "Bo").paid_minor == 30_000
    assert desk.post(page, {"do": "give_back", "key": "d" * 32, "reason": "wrong player"}).status_code == 302
    assert entrant(tournament, "Bo").paid_minor == 0
    assert Event.objects.filter(stream_id=tournament.pk).latest("version").note.text == "wrong player"


def test_another_amount_is_taken_and_given_back_with_a_reason(cashier: Client, tournament: Tournament):
    page = at(tournament, f"desk/{id_of('Bo')}/")
    cashier.post(page, {"do": "take", "amount": "150.50", "seen": "0", "key": "c" * 32})
    assert entrant(tournament, "Bo").paid_minor == 15_050
    assert "enter a reason" in refusal_of(
        cashier.post(page, {"do": "give", "amount": "50", "seen": "15050", "key": "d" * 32})
    )
    cashier.post(page, {"do": "give", "amount": "50", "seen": "15050", "reason": "a friend", "key": "e" * 32})
    assert entrant(tournament, "Bo").paid_minor == 10_050


def test_what_is_no_amount_is_not_taken(cashier: Client, tournament: Tournament):
    page = at(tournament, f"desk/{id_of('Bo')}/")
    for amount in ("", "0", "-5", "1e3", "12.345", "a lot"):
        sent = {"do": "take", "amount": amount, "seen": "0", "key": "c" * 32}
        assert cashier.post(page, sent).status_code == 422, amount
    assert entrant(tournament, "Bo").paid_minor == 0


def test_a_substitute_is_picked_by_name_and_taken_back(desk: Client, tournament: Tournament):
    page = at(tournament, f"desk/{id_of('Bo')}/")
    sent = {"do": "substitute", "by": "Zoe", "reason": "is ill", "key": "c" * 32}
    assert "no player Zoe: check spelling or add" in refusal_of(desk.post(page, sent))
    desk.post(page, {**sent, "adds_new": "on"})
    assert entrant(tournament, "Zoe").plays_for == id_of("Bo")
    assert "substituted by <bdi>Zoe</bdi>" in html(desk.get(at(tournament)))
    assert "Remove substitute" in html(desk.get(page))
    answer = html(desk.post(page, {"do": "unsubstitute", "reason": "was back in time"}, follow=True))
    assert "Bo plays for themselves again." in answer
    assert entrant(tournament, "Bo").plays
    assert "Remove substitute" not in answer


def test_one_player_is_entered_by_name_and_pays(desk: Client, tournament: Tournament):
    sent = {"do": "one", "name": "Zoe", "is_paid": "on", "key": "c" * 32}
    assert 'value="Zoe"' in refusal_of(desk.post(at(tournament, "entries/"), sent))
    desk.post(at(tournament, "entries/"), {**sent, "adds_new": "on"})
    assert entrant(tournament, "Zoe").paid_minor == 30_000


def test_a_list_is_shown_first_and_stored_as_it_was_shown(desk: Client, tournament: Tournament):
    before = Event.objects.count()
    page = html(desk.post(at(tournament, "entries/"), {"do": "look", "names": "Bo; paid\nZoe", "key": "c" * 32}))
    assert "has entered already, and pays" in page
    assert "new player" in page
    assert Event.objects.count() == before
    hidden = dict(re.findall(r'name="(key|shown)" value="([^"]+)"', page))
    desk.post(at(tournament, "entries/"), {"do": "store", "names": "Bo; paid\nZoe", "adds_new": "on", **hidden})
    assert entrant(tournament, "Bo").paid_minor == 30_000
    assert entrant(tournament, "Zoe").plays


def test_a_file_is_shown_with_its_bad_rows_and_stays_there_to_be_fixed(desk: Client, tournament: Tournament):
    def uploads(content: bytes) -> Any:
        upload = SimpleUploadedFile("list.csv", content)
        return desk.post(at(tournament, "entries/"), {"do": "look", "file": upload, "key": "c" * 32})

    page = html(uploads("\ufeffname,paid\nZoe,yes\nBo,\nzoe,\n,yes\n".encode()))
    assert "zoe is in row 2 already" in page
    assert 'aria-label="Who is zoe?"' in page
    assert "row 5: a name is needed" in page
    assert "1 error. Not saved." in page
    assert '<input type="hidden" name="is_csv" value="yes">' in page
    assert "Zoe,yes" in page
    assert "row 1: unreadable letters: save the file as CSV UTF-8" in refusal_of(uploads(b"PK\x03\xff\xfe"))


@pytest.mark.slow
def test_markup_in_a_name_is_only_a_name(desk: Client, tournament: Tournament):
    look = desk.post(at(tournament, "entries/"), {"do": "look", "names": NASTY, "key": "c" * 32})
    enter(tournament, NASTY, adds_new=True)
    player = Player.objects.get(name=NASTY).pk
    pages = [desk.get(at(tournament, page)) for page in ("desk/", "entries/", "entries/print/", f"desk/{player}/")]
    for page in (look, *pages):
        assert NASTY not in html(page)
        assert "&lt;script&gt;" in html(page)


def test_a_fee_lowered_after_players_paid_says_who_has_paid_too_much_until_it_is_refunded(
    desk: Client, cashier: Client, tournament: Tournament
):
    """300 to 280: planted fault, a tick as before, and nobody is told of 20."""
    tick(desk, tournament, "pay", "Bo")
    Tournament.objects.filter(pk=tournament.pk).update(entry_minor=28_000)
    tournament.refresh_from_db()
    page = at(tournament, f"desk/{id_of('Bo')}/")
    for shown in (at(tournament), page):
        assert html(desk.get(shown)).count("₹20.00 too much") == 1
    assert [line.overpaid_minor for line in entries(tournament).lines if line.overpaid_minor] == [2_000]
    assert dashboard_of(running_tournament(tournament, now=NOW, names=Names.REAL)).overpaid == [(id_of("Bo"), "Bo")]
    cashier.post(page, {"do": "give", "amount": "20", "seen": "30000", "reason": "lower fee", "key": "e" * 32})
    assert "too much" not in html(desk.get(at(tournament))) + html(desk.get(page))


def test_the_late_policy_stands_where_late_entries_are_made(dita: Client, tournament: Tournament):
    plan = {"stages": [{"smallest_table": 2}], "late": "average", "late_until_round": 2}
    record_in_tournament(tournament.pk, wire.PlanMade(plan=plan), context=context())
    page = html(dita.get(at(tournament, f"desk/{id_of('Bo')}/")))
    assert "taken up to round 2; a late player starts with the average score" in page
