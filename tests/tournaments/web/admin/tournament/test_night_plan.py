"""The plan's page: a format in one click, a form that keeps its input, and a reason once the evening has begun."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from scoring.events import wire
from scoring.rules.variants import VARIANTS
from scoring.tournament.plans import as_stored, read_plan
from scoring.tournament.plans.formats import every_format
from tests.builders.admin_tournaments import HEATS, Night, a_night
from tests.builders.page_text import refusal_of
from tests.builders.samples import each
from tests.builders.there import there
from tests.builders.typed_plans import typed
from tournaments.models import Club, Tournament
from tournaments.models.log import Event
from tournaments.running.commands.create import plan_of_format
from tournaments.web.admin.tournament.plan_form import sent_plan

CAST = ("Asha", "Bo", "Cy", "Dev")


def test_a_format_that_suits_the_players_and_the_game_is_stored_in_one_press(dita: Client, club: Club):
    night = a_night(club)
    shown = dita.get(night.url("plan") + "?players=6").context["formats"]
    assert "48_24_6" not in {known.name for known in shown}
    assert not [known.name for known in shown if known in VARIANTS["points"].formats]
    assert b"48 to 24 to 6" in dita.get(night.url("plan") + "?players=48").content
    assert "is for 24 to 72 players, not 8" in refusal_of(
        dita.post(night.url("plan"), {"do": "format", "format": "48_24_6", "players": "8"})
    )
    assert night.state.plan is None
    answer = dita.post(night.url("plan"), {"do": "format", "format": "48_24_6", "players": "48"})
    assert (answer.status_code, answer["Location"]) == (302, night.url())
    assert [stage.name for stage in night.plan.stages] == ["First round", "Semi-final", "Final"]


def test_every_format_comes_back_from_its_form_as_it_went_in(client: Client):
    from django.http import QueryDict

    for known in every_format():
        players = known.players[len(known.players) // 2]
        raw = plan_of_format(known.name, players)
        post = QueryDict(mutable=True)
        for name, value in typed(raw).items():
            post.setlist(name, value if isinstance(value, list) else [value])
        assert read_plan(sent_plan(post).raw()) == read_plan(raw), known.name


def test_a_score_that_may_be_below_zero_is_typed_on_a_keyboard_that_has_a_minus(dita: Client, club: Club):
    """Planted fault: a keypad of digits for every number; that of an iPhone has no minus."""
    page = dita.get(a_night(club, HEATS).url("plan")).content.decode()
    inputs = {name: tag for tag in re.findall(r"<input[^>]*>", page) for name in re.findall(r'"stage-1-(\w+)"', tag)}
    for name in ("at_least", "reentry_chips", "reentry_at_least", "reentry_own_least"):
        assert "inputmode" not in inputs[name], name
    for name in ("advancing", "per_table", "wild_cards"):
        assert 'inputmode="numeric"' in inputs[name], name


def test_a_changed_form_is_stored_whole(dita: Client, club: Club):
    night = a_night(club)
    sent = typed(HEATS, **{"stage-1-minutes": "45", "stage-1-length": "minutes", "plan-prizes_bp": "60, 40"})
    sent |= {"plan-tie_breaks": ["deals_won", "lots"], "stage-2-options": "limit=201, rejoin_when_one_left=no"}
    assert dita.post(night.url("plan"), sent).status_code == 302
    plan = night.plan
    assert (plan.stages[0].minutes, plan.prizes_bp, plan.tie_breaks) == (45, (6_000, 4_000), ("deals_won", "lots"))
    assert plan.stages[1].options == {"limit": 201, "rejoin_when_one_left": False}
    assert '"minutes":60' in Event.objects.get(kind="plan_made").body


@pytest.mark.slow
def test_every_problem_stands_at_its_field_and_nothing_is_stored(dita: Client, club: Club):
    night = a_night(club)
    sent = typed(HEATS, **{"stage-2-rounds": "many", "plan-prizes_bp": "50, 30", "stage-1-per_table": "0"})
    answer = dita.post(night.url("plan"), sent)
    fields = answer.context["form"].by_input
    assert answer.status_code == 422
    assert "stage-2-rounds" in fields
    assert 'value="many"' in answer.content.decode()
    mended = dita.post(night.url("plan"), sent | {"stage-2-rounds": "1"}).context["form"].by_input
    assert {"stage-1-per_table", "plan-prizes_bp"} <= set(mended)
    assert night.state.plan is None


LEVELS = {
    "stages": [
        {"smallest_table": 2, "per_table": 1},
        {"smallest_table": 2, "carries": "score", "reentry_minor": 5_000, "reentry_until_round": 2},
    ]
}


def shown_of_reentries(client: Client, night: Night) -> list[str]:
    """What the form of the plan shows of re-entries to stage 2."""
    more = {one.name: one.text for one in client.get(night.url("plan")).context["form"].stage_forms[1].more}
    return [more[f"reentry_{name}"] for name in ("begins", "chips", "at_least")]


START = {"stage-2-reentry_begins": "score_and_chips", "stage-2-reentry_chips": "-40", "stage-2-reentry_at_least": "90"}


@pytest.mark.slow
def test_what_a_re_entry_starts_with_is_typed_refused_at_its_field_or_comes_back_from_its_form(
    dita: Client, club: Club
):
    """Planted fault: an optional field shown as UNSET, and refused when it is sent back."""
    night = a_night(club)
    wrong = START | {"stage-2-reentry_at_least": "101"}
    found = dita.post(night.url("plan"), typed(LEVELS, **wrong)).context["form"].by_input
    assert [problem.text() for problem in found["stage-2-reentry_at_least"]] == [
        "stage 2: a re-entry that starts with 101 is out at 101"
    ]
    wrong = {"stage-2-reentry_chips": "1000001", "stage-2-reentry_at_least": "many"}
    found = dita.post(night.url("plan"), typed(LEVELS, **wrong)).context["form"].by_input
    assert {"stage-2-reentry_chips", "stage-2-reentry_at_least"} <= set(found)
    assert night.state.plan is None
    shown = dita.post(night.url("plan"), typed(LEVELS, do="add")).content.decode()
    assert "UNSET" not in shown
    assert [title in shown for title in ("Re-entry starts with", "Re-entry: score required")] == [True, True]
    assert dita.post(night.url("plan"), typed(LEVELS)).status_code == 302
    assert "reentry_begins" not in Event.objects.get(kind="plan_made").body
    assert shown_of_reentries(dita, night) == ["nothing", "0", ""]
    assert dita.post(night.url("plan"), typed(LEVELS, **START)).status_code == 302
    plan = night.plan
    assert plan.stages[1].reentry == ("score_and_chips", -40, 90)
    assert shown_of_reentries(dita, night) == ["score_and_chips", "-40", "90"]
    assert as_stored(read_plan(dita.get(night.url("plan")).context["form"].raw()), plan) == plan


MONEY = {
    "plan-fixed_minor": "100.00; 50",
    "plan-guaranteed_minor": "1,500",
    "plan-stage_prizes": "1; each table; 20.00 10.00\n2; whole stage; 5",
    "plan-side_pots": "High hand; 20; everybody; prizes\nJackpot; 50; optional",
    "plan-things": "the cup\na ham",
    "plan-member_minor": "240.50",
    "plan-levy_bp": "18",
    "plan-levy_name": "GST",
}


def test_money_is_typed_in_units_of_the_currency_and_in_percent_and_comes_back_as_it_went_in(dita: Client, club: Club):
    night = a_night(club)
    assert dita.post(night.url("plan"), typed(HEATS, **MONEY)).status_code == 302
    plan = night.plan
    assert (plan.fixed_minor, plan.guaranteed_minor, plan.member_minor) == ((10_000, 5_000), 150_000, 24_050)
    assert (plan.levy_bp, plan.levy_name, plan.things) == (1_800, "GST", ("the cup", "a ham"))
    prizes = [(prize.stage, prize.of, prize.amounts_minor) for prize in plan.stage_prizes]
    assert prizes == [(1, "each_table", (2_000, 1_000)), (2, "stage", (500,))]
    pots = [(pot.name, pot.contribution_minor, pot.joins, pot.unwon) for pot in plan.side_pots]
    assert pots == [("High hand", 2_000, "everybody", "prizes"), ("Jackpot", 5_000, "opt_in", "carried")]
    assert as_stored(read_plan(dita.get(night.url("plan")).context["form"].raw()), plan) == plan


IN_LANGUAGES = {
    "en-gb": (
        "2; each table; 20\n2; whole stage; 5",
        "High hand; 20; everybody; prizes\nJackpot; 50; optional; carried",
    ),
    "de": ("2; jeder Tisch; 20\n2; ganze Phase; 5", "High hand; 20; alle; Preise\nJackpot; 50; freiwillig; übertragen"),
    "hi": ("2; हर टेबल; 20\n2; पूरा चरण; 5", "High hand; 20; सब; इनाम\nJackpot; 50; मर्ज़ी से; आगे जाए"),
}


@pytest.mark.parametrize("typed_in", each(*IN_LANGUAGES, quick=("de",)))
def test_prizes_of_stages_and_side_pots_are_read_in_every_language_and_shown_in_that_of_the_page(
    dita: Client, club: Club, typed_in: str
):
    """Planted fault: the words of these lines are read, or written, in English alone."""
    night = a_night(club)
    stage_prizes, side_pots = IN_LANGUAGES[typed_in]
    lines = {"plan-stage_prizes": stage_prizes, "plan-side_pots": side_pots.upper()}
    assert dita.post(night.url("plan"), typed(HEATS, **lines)).status_code == 302
    assert [prize.of for prize in night.plan.stage_prizes] == ["each_table", "stage"]
    pots = [(pot.name, pot.joins, pot.unwon) for pot in night.plan.side_pots]
    assert pots == [("HIGH HAND", "everybody", "prizes"), ("JACKPOT", "opt_in", "carried")]
    for language, (stages, pots_in_language) in IN_LANGUAGES.items():
        page = dita.get(night.url("plan"), headers={"accept-language": language})
        shown = {field.name: field.text for field in page.context["form"].plan_fields}
        assert shown["stage_prizes"] == stages.replace("20", "20.00").replace("5", "5.00"), language
        named = pots_in_language.replace("High hand; 20", "HIGH HAND; 20.00").replace("Jackpot; 50", "JACKPOT; 50.00")
        assert shown["side_pots"] == named, language


def test_amounts_that_cannot_be_read_are_reported_at_their_fields_all_at_once(dita: Client, club: Club):
    wrong = {
        "plan-guaranteed_minor": "plenty",
        "plan-fixed_minor": "100; lots",
        "plan-paid_share_bp": "a quarter",
        "plan-side_pots": "High hand; much\nJackpot; 50; wish",
    }
    answer = dita.post(a_night(club).url("plan"), typed(HEATS, **wrong))
    told = {name: [problem.text() for problem in found] for name, found in answer.context["form"].by_input.items()}
    assert answer.status_code == 422
    assert told == {
        "plan-guaranteed_minor": ["'plenty' is not an amount of INR, such as 12.50"],
        "plan-fixed_minor": ["'100; lots' is not an amount of INR, such as 12.50"],
        "plan-paid_share_bp": ["'a quarter' is not a percentage, such as 12.5"],
        "plan-side_pots": [
            "side pot 1: 'much' is not an amount of INR, such as 12.50",
            "side pot 2: 'wish' is not everybody or optional",
        ],
    }
    assert "100; lots" in answer.content.decode()
    page = dita.post(a_night(club).url("plan"), typed(HEATS, **wrong), headers={"accept-language": "de"})
    assert "alle oder freiwillig" in html.unescape(page.content.decode())


def test_a_plan_that_was_only_shown_again_is_refused_in_the_words_of_its_form(dita: Client, club: Club):
    """Planted fault: "option contribution_minor cannot be '1,5': a whole number from 0 to 1000000000000"."""
    wrong = {"plan-side_pots": "High hand; much\nJackpot; 50; best"}
    answer = dita.post(a_night(club).url("plan"), typed(HEATS, do="preview", **wrong))
    shown = html.unescape(answer.content.decode())
    assert "side pot 1: 'much' is not an amount of INR, such as 12.50" in shown
    assert "side pot 2: 'best' is not everybody or optional" in shown
    assert "contribution_minor cannot be" not in shown


@pytest.mark.slow
def test_usual_prizes_are_one_press_that_shows_who_gets_what_and_stores_nothing(dita: Client, club: Club):
    night = a_night(club, entry_minor=10_000, fee_bp=1_000)
    answer = dita.post(night.url("plan"), typed(HEATS, do="prizes-quarter", players="16"))
    form, shown = answer.context["form"], answer.context["prizes"]
    assert (form.values["prizes_bp"], form.values["paid_share_bp"]) == ("100", "25")
    assert read_plan(form.raw()).paid_share_bp == 2_500
    assert night.state.plan is None
    assert [(row.place, row.amount) for row in shown.rows] == [
        ("1", "₹576.00"),
        ("2", "₹403.20"),
        ("3", "₹273.60"),
        ("4", "₹187.20"),
    ]
    assert [(line.title, line.amount) for line in shown.lines] == [
        ("Entry fees", "₹1,600.00"),
        ("House fee", "−₹160.00"),
        ("Prizes", "₹1,440.00"),
    ]


@pytest.mark.slow
def test_a_stage_is_added_and_taken_out_without_storing_and_the_version_that_was_seen_stays(dita: Client, club: Club):
    night = a_night(club)
    more = dita.post(night.url("plan"), typed(HEATS, do="add", version="2"))
    assert (len(more.context["form"].stages), more.context["version"]) == (3, 2)
    less = dita.post(night.url("plan"), typed(HEATS, do="remove-1"))
    assert [stage["name"] for stage in less.context["form"].stages] == ["Final"]
    assert night.state.plan is None


@pytest.mark.slow
def test_after_the_start_a_change_warns_and_needs_a_reason(dita: Client, club: Club):
    night = a_night(club, HEATS)
    night.enter(*CAST)
    night.seat()
    page = dita.get(night.url("plan")).content.decode()
    assert "The tournament has begun" in page
    assert "Show formats" not in page
    sent = typed(HEATS, **{"plan-leaving": "void"})
    refused = dita.post(night.url("plan"), sent)
    assert refused.status_code == 422
    assert refused.context["form"].reason_problems
    assert dita.post(night.url("plan"), sent | {"reason": "the room asked for it"}).status_code == 302
    assert night.plan.leaving == "void"


def test_of_two_directors_the_later_one_is_told_what_stands_and_keeps_what_was_typed(dita: Client, club: Club):
    night = a_night(club, HEATS)
    seen = str(dita.get(night.url("plan")).context["version"])
    assert dita.post(night.url("plan"), typed(HEATS, version=seen, **{"plan-late": "average"})).status_code == 302
    mine = typed(HEATS, version=seen, **{"plan-leaving": "void"})
    answer = dita.post(night.url("plan"), mine)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Not saved: plan changed" in page
    told = {(one["title"], one["stands"], one["typed"]) for one in answer.context["differences"]}
    assert told == {("Late entries start with", "average", "zero"), ("When a player leaves", "forfeit", "void")}
    assert answer.context["form"].values["leaving"] == "void"
    assert night.plan.leaving == "forfeit"
    again = mine | {"version": str(answer.context["version"]), "plan-late": "average"}
    assert dita.post(night.url("plan"), again).status_code == 302
    plan = there(night.state.plan)
    assert (plan.late, plan.leaving) == ("average", "void")


@pytest.mark.slow
def test_a_plan_is_typed_on_over_a_tick_at_the_desk_and_stays_once_the_tournament_is_closed(dita: Client, club: Club):
    night = a_night(club, HEATS)
    seen = str(dita.get(night.url("plan")).context["version"])
    night.enter("Asha")
    assert dita.post(night.url("plan"), typed(HEATS, version=seen, **{"plan-leaving": "void"})).status_code == 302
    night.record(wire.TournamentClosed())
    assert "the tournament is closed" in refusal_of(dita.post(night.url("plan"), typed(HEATS, reason="later")))


SIX = {"smallest_table": 4, "largest_table": 6, "preferred_table": 6}
THIN: dict[str, Any] = {"stages": [{**SIX, "per_table": 1}, SIX]}


@pytest.mark.slow
def test_a_plan_that_stops_is_refused_with_the_numbers_and_buttons_that_mend_its_form(dita: Client, club: Club):
    night = a_night(club)
    answer = dita.post(night.url("plan"), typed(THIN, players="18"))
    assert answer.status_code == 422
    assert night.state.plan is None
    page = html.unescape(answer.content.decode())
    assert "with 14 to 18 players: stage 2: 3 players cannot fill a table" in page
    assert [fix.word for fix in answer.context["trial"].fixes] == [
        "fix:2.smallest_table=3",
        "fix:1.per_table=2",
        "fix:1.wild_cards=1",
    ]
    assert ">Stage 2, Smallest table: 3</button>" in page
    mended = dita.post(night.url("plan"), typed(THIN, players="18") | {"do": "fix:1.per_table=2"})
    assert mended.status_code == 200
    assert night.state.plan is None
    sent = {one.input_name: one.text for stage in mended.context["form"].stage_forms for one in stage.first}
    assert sent["stage-1-per_table"] == "2"
    assert not mended.context["trial"].problems
    assert dita.post(night.url("plan"), typed(THIN, players="18") | sent).status_code == 302


def test_what_stops_a_plan_at_other_numbers_only_can_be_saved_for_one_number(dita: Client, club: Club):
    night = a_night(club)
    raw: dict[str, Any] = {"stages": [{"smallest_table": 6, "preferred_table": 6}]}
    assert "Save for 6 players only" in refusal_of(dita.post(night.url("plan"), typed(raw, players="6")))
    assert dita.post(night.url("plan"), typed(raw, players="6") | {"do": "save-only"}).status_code == 302
    assert night.state.plan is not None


@pytest.mark.slow
def test_a_bye_is_said_and_refuses_nothing(dita: Client, club: Club):
    night = a_night(club)
    raw: dict[str, Any] = {"stages": [{"smallest_table": 2, "largest_table": 4, "preferred_table": 4}]}
    shown = html.unescape(dita.post(night.url("plan"), typed(raw, players="9") | {"do": "preview"}).content.decode())
    assert "Tried with 5 to 13 players" in shown
    assert "with 5 to 6, 9 players: stage 1: " in shown or "stage 1: 1 table of 3" in shown
    assert dita.post(night.url("plan"), typed(raw, players="9")).status_code == 302


def test_a_format_takes_over_the_levy_of_the_tournament(dita: Client, club: Club):
    """Planted fault: a second question for the levy, answered with none."""
    night = a_night(club, entry_minor=10_000, fee_bp=1_000)
    Tournament.objects.filter(pk=night.tournament.pk).update(levy_bp=1_800, levy_name="GST", levy_on="fee")
    page = dita.get(night.url("plan") + "?players=48&format=48_24_6").content.decode()
    assert "GST, 18% of the house fee" in page
    dita.post(night.url("plan"), {"do": "format", "format": "48_24_6", "players": "48"})
    assert (night.plan.levy_bp, night.plan.levy_name, night.plan.levy_on) == (1_800, "GST", "fee")


def test_a_number_that_no_tournament_has_is_refused_and_a_saved_plan_stays_beside_the_sentence(
    dita: Client, club: Club
):
    """Planted fault: a number silently replaced by the nearest valid one."""
    night = a_night(club)
    for players in ("1", "5000"):
        said = f"a tournament has 2 to 500 players, not {players}"
        assert said in html.unescape(refusal_of(dita.get(night.url("plan"), {"players": players})))
        sent = {"do": "save", "stage-1-name": "Heats by typing", "players": players, "version": "1", "key": "1" * 32}
        assert said in html.unescape(refusal_of(dita.post(night.url("plan"), sent)))
    assert night.state.plan is None
    page = html.unescape(dita.get(a_night(club, HEATS).url("plan"), {"players": 5000}).content.decode())
    assert "a tournament has 2 to 500 players, not 5000" in page
    assert 'value="Heats"' in page
