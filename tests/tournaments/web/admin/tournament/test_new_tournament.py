"""A tournament from three questions, made like the last one, and with the same counts in the browser."""

import html
import re

import pytest
from django.test import Client
from django.utils.formats import date_format
from django.utils.timezone import localtime

from scoring.rules.variants import PRESETS
from tests.builders.admin_tables import NOW
from tests.builders.admin_tournaments import a_night
from tests.builders.flat import flat
from tests.builders.new_tournaments import ADD, NAMES, PLAN, answers
from tests.builders.page_text import refusal_of
from tests.builders.samples import each
from tests.builders.there import there
from tournaments.models import Club, Player, Tournament
from tournaments.people.players import add_players
from tournaments.privacy import erase_player
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.running.commands.record import tournament_state
from tournaments.web.admin.entries.choices import digest_of


@pytest.mark.slow
def test_answers_show_a_whole_plan_in_plain_words_and_make_nothing(dita: Client, club: Club):
    answer = dita.post(ADD, answers(club, do="show"))
    page = html.unescape(answer.content.decode())
    assert "Qualifying: 2 rounds, 3 tables of 6" in page
    assert "6 players qualify" in page
    assert "Final: 1 round, 1 table of 6" in page
    assert "₹900.00" in page
    assert not Tournament.objects.filter(club=club).exists()


def test_more_people_than_a_tournament_has_are_refused_with_their_number(dita: Client, club: Club):
    """Planted fault: a plan for 500 shown as one for all of them."""
    people = [str(player.pk) for player in add_players(club, [f"Member {number}" for number in range(501)])]
    for do in ("show", "create"):
        page = flat(dita.post(ADD, answers(club, do=do, names="") | {"player": people}).content.decode())
        assert "A tournament has 2 to 500 players, not 501." in page
    for players in ("1", "5000"):
        assert dita.post(ADD, answers(club, names="", players=players)).status_code == 422
    assert "a tournament has 2 to 500 players, not 1" in refusal_of(dita.post(ADD, answers(club, names="Player 1")))
    names = "\n".join(f"Player {number}" for number in range(5000))
    page = refusal_of(dita.post(ADD, answers(club, names=names)))
    assert "5000 rows at once are too many" in page
    assert "Player 4999" in page
    assert not Tournament.objects.filter(club=club).exists()


@pytest.mark.slow
def test_a_tournament_without_a_final_has_no_name_for_its_only_stage(dita: Client, club: Club):
    """Planted fault: every first stage called Rounds, so that a page said "Seat round 1 of Rounds"."""
    page = html.unescape(dita.post(ADD, answers(club, do="show", final="")).content.decode())
    assert "<li>2 rounds, 3 tables of 6</li>" in page
    dita.post(ADD, answers(club, final=""))
    plan = tournament_state(Tournament.objects.get(club=club)).plan
    assert plan is not None
    assert [stage.name for stage in plan.stages] == [""]


@pytest.mark.slow
def test_a_script_is_given_the_plan_alone(dita: Client, club: Club):
    part = dita.post(ADD, answers(club, do=""), headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith("<section")
    assert "The plan with 18 players" in part


@pytest.mark.slow
def test_one_press_makes_the_tournament_its_plan_and_its_entries(dita: Client, club: Club):
    answer = dita.post(ADD, answers(club))
    made = Tournament.objects.get(club=club)
    assert (answer.status_code, answer["Location"]) == (302, f"/admin/tournaments/tournament/{made.pk}/night/")
    evening = tournament_state(made)
    assert len(evening.field()) == 18
    assert evening.plan is not None
    assert [(stage.rounds, stage.advancing) for stage in evening.plan.stages] == [(2, 6), (1, 0)]
    assert (made.name, made.entry_minor) == ("Pool 101", 10_000)
    page = flat(dita.get(f"/admin/tournaments/tournament/{made.pk}/seating/").content.decode())
    assert "<bdi>Qualifying</bdi>: seat round 1" in page


def test_time_at_hand_decides_the_rounds(dita: Client, club: Club):
    dita.post(ADD, answers(club, ends="time", minutes="120", final=""))
    plan = tournament_state(Tournament.objects.get(club=club)).plan
    assert plan is not None
    assert [stage.rounds for stage in plan.stages] == [4]


def test_a_levy_is_asked_for_once_shown_in_the_preview_and_taken_from_entry_fees(dita: Client, club: Club):
    """Planted fault: a levy of the tournament that its plan did not have, so that no entry fee paid it."""
    sent = answers(club, fee="10", fee_cap="8", levy="18", levy_name="GST", levy_on="fee")
    page = flat(dita.post(ADD, sent | {"do": "show"}).content.decode())
    assert "<dt>GST, 18% of the house fee</dt>" in page
    dita.post(ADD, sent)
    made = Tournament.objects.get(club=club)
    plan = there(tournament_state(made).plan)
    assert (plan.levy_bp, plan.levy_name, plan.levy_on, plan.fee_cap_minor) == (1_800, "GST", "fee", 800)
    assert (made.levy_bp, made.levy_on) == (1_800, "fee")


def test_a_levy_at_the_tables_says_on_what_it_is_taken(dita: Client, club: Club):
    """The limits of the fee of a deal are none of an entry fee."""
    sent = answers(club, preset="points", shown="points", entry="100", point_value="1", fee="10")
    sent |= {"levy": "18", "levy_name": "GST", "levy_on": "fee", "fee_cap": "2"}
    page = flat(dita.post(ADD, sent | {"do": "show"}).content.decode())
    assert "At the tables: house fee, 10% of each win" in page
    assert "At the tables: GST, 18% of the house fee" in page
    dita.post(ADD, sent)
    made = Tournament.objects.get(club=club)
    plan = there(tournament_state(made).plan)
    assert (plan.levy_bp, plan.fee_cap_minor, made.fee_cap_minor) == (1_800, None, 200)


@pytest.mark.slow
def test_people_are_ticked_in_the_list_of_the_club(dita: Client, club: Club):
    people = [str(Player.objects.create(club=club, name=name, name_key=name.casefold()).pk) for name in NAMES[:4]]
    dita.post(ADD, answers(club, names="", final="") | {"player": people})
    assert set(tournament_state(Tournament.objects.get(club=club)).entrants) == set(people)


def test_what_is_wrong_is_told_and_what_was_typed_stays(dita: Client, club: Club):
    page = html.unescape(refusal_of(dita.post(ADD, answers(club, names="Asha; sometimes\nBo", entry="a lot"))))
    assert "row 1" in page
    assert "Asha; sometimes" in page
    assert "a lot" in page
    assert not Tournament.objects.filter(club=club).exists()


@pytest.mark.slow
def test_sent_twice_it_is_one_tournament_and_with_another_name_it_is_said_that_the_first_was_sent(
    dita: Client, club: Club
):
    """After "Back". Planted fault: the first tournament shown as if it were the second one."""
    sent = answers(club, key="0" * 32)
    assert dita.post(ADD, sent)["Location"] == dita.post(ADD, sent)["Location"]
    assert Tournament.objects.filter(club=club).count() == 1
    assert "form already sent with other data" in html.unescape(refusal_of(dita.post(ADD, sent | {"name": "Saturday"})))
    assert Tournament.objects.filter(club=club).count() == 1


def test_each_repeat_has_a_name_of_its_own(dita: Client, club: Club):
    """Planted fault: two tournaments of one name, of which the wrong one is deleted."""
    before = a_night(club, PLAN)
    before.enter("Asha", "Bo", "Cy", "Dev")
    name, pages = before.tournament.name, [before.url("repeat")]
    for key in "123":
        answer = dita.post(pages[-1], {"key": key * 32})
        assert answer.status_code == 302
        pages.append(answer["Location"].replace("/night/", "/repeat/"))
    names = set(Tournament.objects.filter(club=club).values_list("name", flat=True))
    day = date_format(localtime(timezone=zone_of(club.timezone)), "DATE_FORMAT")
    assert names == {name, f"{name}, {day}", f"{name}, {day} (2)", f"{name}, {day} (3)"}
    page = flat(dita.get(pages[-1].replace("/repeat/", "/delete-unused/")).content.decode())
    assert f"<bdi>{name}, {day} (3)</bdi>, {day}" in page
    assert "4 players entered." in page


AMOUNTS = each(("pool_101", {"entry": "a lot"}), ("points", {"point_value": "much"}), ("points", {"fee": "ten"}))


@pytest.mark.parametrize("wrong", AMOUNTS)
def test_an_amount_that_cannot_be_read_is_one_error_at_its_field(
    dita: Client, club: Club, wrong: tuple[str, dict[str, str]]
):
    """Planted faults: "0 errors", and "no tables for 18 players: choose another game"."""
    preset, typed = wrong
    sent = answers(club, preset=preset, shown=preset) | {"point_value": "1"} | typed
    for do in ("show", "create"):
        page = flat(dita.post(ADD, sent | {"do": do}).content.decode())
        assert page.count('<span class="wrong"') == 1
        assert "no tables for" not in page
    assert "1 error; what you typed is still here." in page
    assert not Tournament.objects.filter(club=club).exists()


def test_another_game_keeps_the_value_of_a_point_only_if_both_have_one(dita: Client, club: Club):
    for shown, chosen, typed, stored in (
        ("points", "pool_101", "2", 0),
        ("pool_101", "points", "0", 100),
        ("points", "points_session", "2", 200),
    ):
        dita.post(ADD, answers(club, preset=chosen, shown=shown, point_value=typed, names="Asha\nBo", final=""))
        assert Tournament.objects.get(club=club, preset=chosen).point_value_minor == stored


def test_a_script_is_given_the_whole_form_of_another_game(dita: Client, club: Club):
    answer = dita.post(ADD, answers(club, do="", preset="points"), headers={"HX-Request": "true"})
    assert answer["HX-Retarget"] == ".new-tournament"
    assert 'name="point_value"' in answer.content.decode().split("shown-plan-title")[0]


@pytest.mark.slow
def test_house_rules_are_typed_and_shown_as_people_write_them(dita: Client, club: Club):
    """Planted faults: "none" for no limit, an amount typed in paise, a share in basis points, a name of the log."""
    page = flat(dita.get(f"{ADD}?preset=pool_101").content.decode())
    assert re.search('<input type="text" name="option-max_rejoins" placeholder="no maximum"', page)
    for preset in PRESETS:
        page = flat(dita.get(f"{ADD}?preset={preset}").content.decode())
        rules = page[page.index("House rules") :]
        assert not re.search(r"minor unit|basis point|`|placeholder=\"none\"", rules), preset
    dita.post(ADD, answers(club, **{"option-rejoin_entry_below_minor": "500"}))
    assert Tournament.objects.get(club=club).options["rejoin_entry_below_minor"] == 50_000
    dita.post(
        ADD, answers(club, preset="deals_best_of_2", shown="deals_best_of_2", **{"option-second_prize_bp": "12.5"})
    )
    made = Tournament.objects.get(club=club, preset="deals_best_of_2")
    assert made.options["second_prize_bp"] == 1_250
    assert 'value="12.5"' in dita.get(f"/admin/tournaments/tournament/{made.pk}/change/").content.decode()


def test_a_house_rule_that_cannot_be_read_is_refused_at_its_field(dita: Client, club: Club):
    for typed in ("plenty", "-1"):
        page = flat(refusal_of(dita.post(ADD, answers(club, **{"option-rejoin_entry_below_minor": typed}))))
        assert "no tables for" not in page


def test_the_same_people_as_last_time_are_a_tick_and_who_was_erased_is_left_out_with_a_sentence(
    dita: Client, club: Club
):
    a_night(club, PLAN).enter("Asha", "Bo", "Cy", "Dev", "Eli")
    erase_player(Player.objects.get(name="Eli"), now=NOW, with_balance=True)
    answer = dita.post(ADD, answers(club, same="on", names="Esha", final=""), follow=True)
    assert "1 player was erased since and is not entered." in html.unescape(answer.content.decode())
    assert entered(Tournament.objects.get(club=club, name="Pool 101")) == {"Asha", "Bo", "Cy", "Dev", "Esha"}


@pytest.mark.slow
def test_the_plan_shows_which_names_were_read_who_is_new_and_what_was_left_out(dita: Client, club: Club):
    """Planted faults: pasted names entered as they were read, without being shown; a note for each number of a list."""
    Player.objects.create(club=club, name="Asha Rao", name_key="asha rao")
    pasted = "Tonight:\n1. Asha Rao\n2. Bo Rao, 98200 12345\n3. Cy Rao - paid"
    page = flat(dita.post(ADD, answers(club, do="show", names=pasted)).content.decode())
    assert "3 names read: <bdi>Asha Rao</bdi>, <bdi>Bo Rao</bdi>, <bdi>Cy Rao</bdi> (paid)" in page
    assert "New to the club: <bdi>Bo Rao</bdi>, <bdi>Cy Rao</bdi>" in page
    assert "<bdi>98200 12345</bdi> (phone number)" in page
    assert "<bdi>Tonight</bdi> (heading)" in page
    assert page.count("Numbers, bullets and ticks of the list were left out.") == 1
    assert "number in the list" not in page


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["Asia/Kolkata", "Mars/Phobos"])
def test_a_second_tournament_of_one_name_bears_its_day(dita: Client, club: Club, zone: str):
    """Planted faults: three tournaments in three weeks, all called "Pool 101"; 500 where this machine lacks a zone."""
    Club.objects.filter(pk=club.pk).update(timezone=zone)
    for _ in range(2):
        dita.post(ADD, answers(club, starts_at="2026-03-14T19:30"))
    first, second = Tournament.objects.filter(club=club).order_by("pk")
    assert sorted([first.name, second.name]) == ["Pool 101", "Pool 101, 14 Mar 2026"]


def choice(number: int, text: str, picked: str) -> dict[str, str]:
    """A choice for a row, as the page sends it."""
    return {"chosen_in": digest_of(text), f"who-{number}": picked}


def known(club: Club, *names: str) -> list[str]:
    return [str(player.pk) for player in add_players(club, names)]


def entered(made: Tournament) -> set[str]:
    return set(Player.objects.filter(id__in=tournament_state(made).entrants).values_list("name", flat=True))


ALMOST = "Muhamed Khan\nBo\nCy\nDev"


@pytest.mark.slow
def test_a_name_that_is_almost_a_known_one_is_asked_about_before_anything_is_made(dita: Client, club: Club):
    """Planted fault: a typing mistake that became a second player of the club."""
    (khan,) = known(club, "Mohammed Khan")
    shown = flat(dita.post(ADD, answers(club, do="show", names=ALMOST, final="")).content.decode())
    assert "Who is Muhamed Khan?" in shown
    assert re.search(f'<option value="{khan}" ?>Mohammed Khan</option>', shown)
    assert "New to the club: <bdi>Bo</bdi>, <bdi>Cy</bdi>, <bdi>Dev</bdi>" in shown
    assert "row 1: choose who Muhamed Khan is" in refusal_of(dita.post(ADD, answers(club, names=ALMOST, final="")))
    assert not Tournament.objects.filter(club=club).exists()
    picked = choice(1, ALMOST, khan)
    part = dita.post(ADD, answers(club, do="", names=ALMOST, **picked), headers={"HX-Request": "true"})
    assert f'value="{khan}" selected' in flat(part.content.decode())
    assert dita.post(ADD, answers(club, names=ALMOST, final="", **picked)).status_code == 302
    assert entered(Tournament.objects.get(club=club)) == {"Mohammed Khan", "Bo", "Cy", "Dev"}


def test_a_choice_belongs_to_the_list_in_which_it_was_made(dita: Client, club: Club):
    (khan,) = known(club, "Mohammed Khan")
    picked = choice(1, ALMOST, khan)
    assert dita.post(ADD, answers(club, names=f"Eli\n{ALMOST}", final="", **picked)).status_code == 422
    assert not Tournament.objects.filter(club=club).exists()


@pytest.mark.slow
def test_a_name_that_two_players_bear_and_one_that_is_listed_twice_are_chosen_too(dita: Client, club: Club):
    first, second = known(club, "Asha", "Asha (2)")
    Player.objects.filter(pk=second).update(name="Asha", name_key="asha")
    text = "Asha\nBo\nBo\nCy"
    shown = flat(dita.post(ADD, answers(club, do="show", names=text)).content.decode())
    assert [f"Who is {name}?" in shown for name in ("Asha", "Bo", "Cy")] == [True, True, False]
    picked = {**choice(1, text, second), "who-3": "nobody"}
    assert dita.post(ADD, answers(club, names=text, final="", **picked)).status_code == 302
    assert second in tournament_state(Tournament.objects.get(club=club)).entrants
    assert first not in tournament_state(Tournament.objects.get(club=club)).entrants
