"""The director's pages for a round: drafted, changed, published, undone, and tables balanced while it plays."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.events import wire
from tests.builders.flat import flat
from tests.builders.page_text import text_of
from tests.builders.playing import Playing, context, loses, new_tournament, out, show
from tests.builders.there import there
from tournaments.models import Club, Scoresheet, SeatingDraft, Standing, Table, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_all_in_tournament, record_in_tournament
from tournaments.seating.commands.seat import seat_round
from tournaments.seating.queries.draft import room_of

pytestmark = pytest.mark.django_db
NAMES = ("Asha", "Bo", "Cy", "Dev", "Eli", "Fay", "Gita", "Hari")
SEED = "K7QF-2M9X"


@dataclass
class Seating:
    """A tournament of eight at tables of three to five, with Dita at its pages."""

    dita: Client
    tournament: Tournament
    ids: dict[str, str]

    @property
    def url(self) -> str:
        return f"/admin/tournaments/tournament/{self.tournament.pk}/seating/"

    @property
    def moves_url(self) -> str:
        return f"/admin/tournaments/tournament/{self.tournament.pk}/moves/"

    @property
    def version(self) -> int:
        row = SeatingDraft.objects.filter(tournament=self.tournament).order_by("round").first()
        return row.version if row is not None else 0

    def press(self, do: str, **typed: Any) -> Any:
        return self.dita.post(self.url, {"do": do, "version": self.version, **typed}, follow=True)

    def draw(self, do: str = "draw", **typed: Any) -> Any:
        wishes = {"method": "draw", "seed": SEED, "allowed": ["3", "4", "5"], "preferred": "4", **typed}
        return self.press(do, may_sit_out="on", **wishes)

    def tables(self) -> list[list[str]]:
        """Names by table of the draft."""
        room = room_of(self.tournament)
        return [[room.names[key] for key in table.seats] for table in there(room.draft).now.round.tables]


@pytest.fixture
def seating(dita: Client, club: Club) -> Seating:
    tournament = new_tournament(club, entry_minor=30_000)
    players = [str(player.id) for player in add_players(club, NAMES)]
    plan = {"stages": [{"smallest_table": 3, "largest_table": 5, "preferred_table": 4, "rounds": 2}]}
    record_in_tournament(tournament.id, wire.PlanMade(plan=plan), context=context())
    record_all_in_tournament(tournament.id, [wire.PlayerEntered(player=p) for p in players], context=context())
    return Seating(dita=dita, tournament=tournament, ids=dict(zip(NAMES, players, strict=True)))


@pytest.fixture
def room(seating: Seating) -> Seating:
    """Round 1 plays: Cy is out at table 1, and may rejoin; Gita and Hari are out at table 2 since the deal before."""
    names = [seating.ids[name] for name in NAMES]
    tables = ((1, tuple(names[:3])), (2, tuple(names[3:])))
    event = wire.RoundSeated(stage=1, round=1, tables=tables, method="draw", seed=SEED)
    first, second = (Playing(row=row) for row in seat_round(seating.tournament.id, event, context=context()).tables)
    first.deal(1, show, loses(30), loses(80))
    first.deal(2, show, loses(10), loses(30))
    second.deal(1, show, loses(5), loses(6), loses(80), loses(80))
    second.deal(2, show, loses(5), loses(6), loses(70), loses(70))
    second.deal(3, show, loses(5), loses(6), out, out)
    return seating


@pytest.mark.slow
def test_a_draw_shows_its_seed_drafts_every_round_of_the_stage_and_takes_another_when_drawn_again(seating: Seating):
    page = seating.draw(all_rounds="on")
    assert SEED in text_of(page)
    assert "Round 2 is drafted too" in text_of(page)
    assert sorted(map(len, seating.tables())) == [4, 4]
    page = seating.draw("again")
    assert SEED not in page.content.decode().split("wishes")[0]


def test_a_seed_that_cannot_be_read_impossible_wishes_and_unknown_names_are_told_and_the_wishes_stay(seating: Seating):
    answer = seating.draw(seed="nonsense!", apart="Asha, Bo")
    assert answer.status_code == 422
    assert "a draw code has 8 letters and digits" in text_of(answer)
    assert "Asha, Bo</textarea>" in answer.content.decode()
    answer = seating.draw(fixed="Asha: 1\nBo: 1", apart="Asha, Bo")
    assert answer.status_code == 422
    assert "Asha" in text_of(answer).split("Not done.")[1][:200]
    assert not SeatingDraft.objects.exists()
    answer = seating.draw(apart="Asha, Zoe", groups="Rivertown: Yves")
    for unknown in ("Zoe", "Yves"):
        assert f"'{unknown}' is not among the players to be seated" in text_of(answer)


def test_a_prepared_plan_is_taken_as_it_is_written(seating: Seating):
    seating.draw("prepared", plan="Table 3: Dev, Asha, Bo, Cy\n7: Hari; Gita; Fay\nOut: Eli")
    room = room_of(seating.tournament)
    assert [(t.number, len(t.seats)) for t in there(room.draft).now.round.tables] == [(3, 4), (7, 3)]
    assert seating.tables()[0] == ["Dev", "Asha", "Bo", "Cy"]
    assert there(room.draft).now.round.sits_out == (seating.ids["Eli"],)


def test_players_are_moved_by_the_lists_and_the_page_warns(seating: Seating):
    seating.draw("prepared", plan="1: Asha, Bo, Cy, Dev\n2: Eli, Fay, Gita, Hari")
    page = seating.press("place", player=seating.ids["Asha"], to="table:2")
    assert seating.tables() == [["Bo", "Cy", "Dev"], ["Eli", "Fay", "Gita", "Hari", "Asha"]]
    assert "tables have 3 to 5 players" in text_of(page)
    older = seating.dita.post(seating.url, {"do": "undo", "version": 1})
    assert older.status_code == 409
    assert "Not saved: seating changed" in text_of(older)
    assert seating.tables()[0] == ["Bo", "Cy", "Dev"]
    seating.press("undo")
    assert seating.tables()[0] == ["Asha", "Bo", "Cy", "Dev"]
    seating.press("place", player=seating.ids["Asha"], to=f"player:{seating.ids['Hari']}")
    seating.press("place", player=seating.ids["Bo"], to="out")
    assert seating.tables() == [["Hari", "Cy", "Dev"], ["Eli", "Fay", "Gita", "Asha"]]


def test_a_table_too_small_is_named_before_publishing_and_needs_a_reason(seating: Seating):
    page = seating.draw("prepared", plan="1: Asha, Bo\n2: Eli, Fay, Gita, Hari\n3: Cy, Dev")
    assert "table 1 has 2 players; allowed are 3, 4 and 5" in text_of(page)
    answer = seating.press("publish", round=1)
    assert answer.status_code == 422
    assert "enter a reason for breaking these restrictions" in text_of(answer)
    assert not Table.objects.exists()
    seating.press("publish", round=1, seats_absent="on", reason="Two families")
    assert Table.objects.count() == 3


def test_what_the_best_draw_could_not_avoid_is_one_sentence_and_no_warning(seating: Seating):
    """Planted fault: "7 warnings" for a draw that nobody could better."""
    seating.draw()
    seating.press("publish", round=1, seats_absent="on")
    for table in seating.tournament.tables.all():
        table.scoresheet.is_closed = table.scoresheet.is_finished = True
        table.scoresheet.save()
    second = {"do": "draw", "method": "draw", "seed": SEED, "allowed": ["3", "4", "5"], "preferred": "4"}
    page = seating.dita.post(seating.url, {**second, "version": 0}, follow=True)
    assert "The best seating found; it could not avoid: 4 repeated meetings." in text_of(page)
    assert "warning" not in text_of(page).split("Draft of round 2")[1]
    assert "Ready to publish" in text_of(page)


def test_a_pair_never_together_cannot_be_published_and_no_reason_is_asked_for(seating: Seating):
    """Planted fault: a reason that seats together whom the club keeps apart."""
    plan = "1: Asha, Bo, Cy\n2: Eli, Fay, Gita\n3: Dev, Hari"
    page = seating.draw("prepared", plan=plan, apart="asha, bo")
    assert "Asha and Bo are to be kept apart" in text_of(page)
    assert "Asha, Bo</textarea>" in page.content.decode()
    assert 'name="reason"' not in page.content.decode()
    assert seating.press("publish", round=1, seats_absent="on", reason="They have made up").status_code == 422
    assert not Table.objects.exists()


def test_a_seating_is_taken_back_with_a_reason_and_its_draft_is_there_again(seating: Seating):
    seating.draw()
    before = seating.tables()
    seating.press("publish", round=1, seats_absent="on")
    assert "enter a reason for undoing the seating" in text_of(seating.press("withdraw", round=1, reason=" "))
    seating.press("withdraw", round=1, reason="Two cards were mixed up")
    assert set(Scoresheet.objects.values_list("is_cancelled", flat=True)) == {True}
    assert seating.tables() == before


def test_short_tables_and_rejoin_windows_are_reported(room: Seating):
    page = text_of(room.dita.get(room.moves_url))
    assert "Table 1 short" in page
    assert "Cy at Table 1 until the next deal, rejoins with 41, while nobody has more than 79, for ₹300.00" in page
    assert "Ask first: Cy may still rejoin" in page


def told(page: Any, do: str) -> dict[str, str]:
    """Send the first form of a page with such a button, as a click would."""
    form = next(
        form for form in flat(page.content.decode()).split("<form")[1:] if f'value="{do}"' in form.split("</form>")[0]
    )
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form.split("</form>")[0]))
    return {**{name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"}, "do": do}


@pytest.mark.slow
def test_one_press_moves_players_in_dealing_order_and_another_takes_it_back(room: Seating):
    press = told(room.dita.get(room.moves_url), "apply")
    page = text_of(room.dita.post(room.moves_url, press, follow=True))
    assert "2 players moved. Now playing on: Table 3 (at 2)." in page
    table = Table.objects.get(number=3)
    scores = {seat.player.name: seat.number for seat in table.seats.select_related("player")}
    assert scores.keys() == {"Asha", "Bo", "Dev", "Eli", "Fay"}
    assert (
        list(Scoresheet.objects.filter(table__number__in=(1, 2)).values_list("has_moved_on", flat=True)) == [True] * 2
    )
    assert Table.objects.get(number=3).seats.get(number=1).player.name == "Dev"
    room.dita.post(room.moves_url, {**told(room.dita.get(room.moves_url), "undo"), "reason": "Wrong table"})
    assert not Scoresheet.objects.filter(has_moved_on=True).exists()
    assert "Undo move" not in text_of(room.dita.get(room.moves_url))


def test_a_press_on_an_older_room_moves_nobody(room: Seating):
    refusal = "Nobody was moved: the room has changed. Check and try again."
    picked = one_to(room, "Fay", 1)
    record_in_tournament(room.tournament.id, wire.CheckedIn(player=room.ids["Asha"]), context=context())
    assert refusal in text_of(room.dita.post(room.moves_url, picked))
    press = told(room.dita.get(room.moves_url), "apply")
    second = Scoresheet.objects.select_related("table").get(table__number=2)
    Playing(row=second.table, seen=second.version).deal(4, show, loses(80), loses(80), out, out)
    Playing(row=second.table, seen=second.version + 1).deal(5, show, loses(80), loses(2), out, out)
    assert refusal in text_of(room.dita.post(room.moves_url, press))
    assert not Scoresheet.objects.filter(has_moved_on=True).exists()


def test_a_table_of_the_directors_choice_is_closed(room: Seating):
    press = told(room.dita.get(room.moves_url), "close")
    assert press["table"] == "1"
    assert "Now playing on: Table 3 (at 2)" in text_of(room.dita.post(room.moves_url, press, follow=True))


def one_to(room: Seating, name: str, table: int) -> dict[str, str]:
    """One player to a table, as the director picks them."""
    return {**told(room.dita.get(room.moves_url), "one"), "player": room.ids[name], "to": str(table)}


def test_one_player_moves_to_a_table_of_the_directors_choice_with_their_score_and_goes_back(room: Seating):
    page = text_of(room.dita.post(room.moves_url, one_to(room, "Fay", 1), follow=True))
    assert "1 player moved. Now playing on: Table 3 (at 1) and Table 4 (at 2)." in page
    seats = Scoresheet.objects.get(table__number=3).table.seats.select_related("player")
    assert {seat.player.name for seat in seats} == {"Asha", "Bo", "Fay"}
    assert Standing.objects.get(table__number=3, player__name="Fay").total == 18
    room.dita.post(room.moves_url, told(room.dita.get(room.moves_url), "undo"))
    assert not Scoresheet.objects.filter(has_moved_on=True).exists()


def test_a_move_that_cannot_be_says_why_and_keeps_what_was_picked(room: Seating):
    for name, table, why in (
        ("Asha", 2, "table 1 would have 1 player left: close it instead"),
        ("Fay", 2, "Fay sits at table 2 already"),
        ("Fay", 9, "table 9 is not in play"),
        ("Cy", 2, "Cy is not playing at any table"),
    ):
        answer = room.dita.post(room.moves_url, one_to(room, name, table))
        assert answer.status_code == 422
        assert why in text_of(answer)
        assert answer.context["picked"] == {"player": room.ids[name], "to": str(table)}


def test_a_player_who_sits_the_only_round_of_a_stage_out_is_told_before_it_is_published(dita: Client, club: Club):
    tournament = new_tournament(club, preset="points", point_value_minor=100)
    players = [str(player.id) for player in add_players(club, NAMES[:7])]
    stages = [{"smallest_table": 3, "largest_table": 3, "preferred_table": 3, "per_table": 1}, {"smallest_table": 2}]
    record_in_tournament(tournament.id, wire.PlanMade(plan={"stages": stages}), context=context())
    record_all_in_tournament(tournament.id, [wire.PlayerEntered(player=p) for p in players], context=context())
    seating = Seating(dita=dita, tournament=tournament, ids=dict(zip(NAMES, players, strict=False)))
    page = text_of(seating.draw(allowed=["3"], preferred="3"))
    assert "would have no table in stage 1, and could not qualify" in page


@pytest.mark.slow
@pytest.mark.parametrize("page", ["seating", "seating_wall", "moves"])
def test_the_pages_cost_the_same_for_more_players(dita: Client, club: Club, page: str):
    costs = [_cost_with(dita, club, count, page) for count in (8, 40)]
    assert costs[1] <= costs[0]


def _cost_with(dita: Client, club: Club, count: int, page: str) -> int:
    tournament = new_tournament(club, name=f"Night of {count}")
    players = [str(player.id) for player in add_players(club, [f"P{number}" for number in range(count)])]
    plan = {"stages": [{"smallest_table": 3, "rounds": 2}]}
    record_in_tournament(tournament.id, wire.PlanMade(plan=plan), context=context())
    record_all_in_tournament(tournament.id, [wire.PlayerEntered(player=p) for p in players], context=context())
    tables = tuple((1 + start // 4, tuple(players[start : start + 4])) for start in range(0, count, 4))
    seat_round(tournament.id, wire.RoundSeated(stage=1, round=1, tables=tables, method="prepared"), context=context())
    home = f"/admin/tournaments/tournament/{tournament.pk}"
    url = {"seating": f"{home}/seating/", "seating_wall": f"{home}/seating/?round=1", "moves": f"{home}/moves/"}[page]
    if page == "seating":
        Seating(dita=dita, tournament=tournament, ids={}).draw()
    dita.get(url)
    with CaptureQueriesContext(connection) as caught:
        assert dita.get(url).status_code == 200
    return len(caught)
