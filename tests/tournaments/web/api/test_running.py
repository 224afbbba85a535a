"""What a director does with a tournament over the API: plans, drafts, moves, cuts, the clock, screens, cards, its end.

Planted faults these catch: a resend that does it again, an old version that wins, a guard that only a page has, a
player of another club in a draft, a secret that is given twice.
"""

from typing import Any

import pytest

from scoring.events import wire
from tests.builders.api_clients import Device, person
from tests.builders.playing import context, loses, new_club, new_tournament, show
from tests.builders.stages import Night, pool_won_in, short_tables
from tournaments.models import LateSheet, Player, Role, SeatingDraft, Table, TableToken, Tournament
from tournaments.models.log import Event
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_in_tournament, tournament_state
from tournaments.tables.commands.record import record_wire_event

pytestmark = pytest.mark.django_db

HEATS: dict[str, Any] = {
    "stages": [{"smallest_table": 2, "largest_table": 2, "preferred_table": 2, "per_table": 1}, {"smallest_table": 2}]
}


class Program:
    """A director's program at a tournament."""

    def __init__(self, tournament: Tournament, role: Role = Role.DIRECTOR) -> None:
        self.tournament, self.client = tournament, Device(tournament.club, role)

    def path(self, page: str) -> str:
        return f"/api/v1/tournaments/{self.tournament.pk}/{page}/"

    def get(self, page: str) -> Any:
        answer = self.client.get(self.path(page))
        assert answer.status_code == 200, answer.content
        return answer.json()

    def ask(self, page: str, sent_as: str = "", **body: Any) -> Any:
        """The whole answer, refused or not."""
        return self.client.send(self.path(page), body, key=sent_as)

    def post(self, page: str, sent_as: str = "", **body: Any) -> Any:
        answer = self.ask(page, sent_as, **body)
        assert answer.status_code in (200, 201), answer.content
        return answer.json()

    def refused(self, page: str, **body: Any) -> list[str]:
        """The codes of a refusal, which stores nothing."""
        before = Event.objects.count()
        answer = self.ask(page, **body)
        assert answer.status_code == 422, answer.content
        assert Event.objects.count() == before
        return [problem["code"] for problem in answer.json()["problems"]]

    def twice(self, page: str, **body: Any) -> Any:
        """A request that is sent again: the same answer, marked, and nothing stored by it."""
        first = self.post(page, "once-" + page, **body)
        before = Event.objects.count()
        again = self.ask(page, "once-" + page, **body)
        assert (again.status_code, again.headers.get("Idempotency-Replayed")) == (201, "true"), again.content
        assert Event.objects.count() == before
        return first


@pytest.fixture
def night():
    return Night(HEATS, entry_minor=10_000)


@pytest.fixture
def program(night):
    return Program(night.tournament)


@pytest.mark.slow
def test_a_plan_is_tried_and_mended_before_it_is_stored(program):
    fours = {"smallest_table": 4, "largest_table": 4, "preferred_table": 4}
    sixes = {"smallest_table": 6, "largest_table": 6, "preferred_table": 6}
    stages: list[dict[str, Any]] = [{**fours, "per_table": 1}, sixes]
    tried = program.client.send(program.path("plan/check"), {"plan": {"stages": stages}, "players": 8}, key=None).json()
    assert tried["problems"]
    assert program.refused("plan", plan={"stages": stages}, players=8)
    for change in tried["suggestions"][0]:
        stages[change["stage"] - 1][change["field"]] = change["value"]
    mended = {"plan": {"stages": stages}, "players": 8}
    assert program.client.send(program.path("plan/check"), mended, key=None).json()["problems"] == []
    stored = program.twice("plan", **mended)
    assert program.get("plan") == stored
    old = program.ask("plan", plan=HEATS, expected_version=stored["version"] - 1)
    assert (old.status_code, old.json()["current_version"]) == (409, stored["version"])


@pytest.mark.slow
def test_formats_are_offered_with_their_plans(program):
    offered = program.client.get(program.path("plan/formats") + "?players=4").json()["items"]
    assert offered
    assert all(one["plan"]["stages"] for one in offered)


def test_a_draft_is_made_changed_undone_locked_and_discarded(night, program):
    asha, bo, cy, dev = night.players
    sizes = {"allowed": [2], "preferred": 2}
    apart = {"sizes": sizes, "apart": [{"one": asha, "other": bo}], "fixed": [{"player": cy, "table": 2}]}
    draft = program.twice("draft", seed="K7QF-2M9X", restrictions=apart)
    assert (draft["version"], draft["method"], draft["errors"]) == (1, "draw", [])
    tables = {table["number"]: {seat["player"] for seat in table["seats"]} for table in draft["tables"]}
    assert cy in tables[2]
    assert not any({asha, bo} <= players for players in tables.values())
    mate = next(player for players in tables.values() if asha in players for player in players if player != asha)
    other = next(player for player in (cy, dev) if player != mate)
    changed = program.twice("draft/change", expected_version=1, act="swap", player=mate, other=other)
    assert (changed["version"], changed["method"], changed["may_undo"]) == (2, "by_hand", True)
    stale = program.ask("draft/change", expected_version=1, act="undo")
    assert (stale.status_code, stale.json()["current_version"]) == (409, 2)
    assert program.post("draft/change", expected_version=2, act="undo")["tables"] == draft["tables"]
    program.twice("draft/discard", expected_version=3)
    assert not SeatingDraft.objects.exists()
    assert program.get("draft")["version"] == 0


def test_a_prepared_draft_names_each_stranger_by_its_place(night, program):
    (stranger,) = add_players(new_club("Dita's club"), ["Zoe"])
    asha, bo, *_ = night.players
    answer = program.ask("draft", tables=[{"number": 1, "players": [asha, str(stranger.pk)]}], sits_out=[bo])
    assert answer.status_code == 422
    assert [problem["field"] for problem in answer.json()["problems"]] == ["tables[0].players[1]"]
    assert not SeatingDraft.objects.exists()


def test_a_draft_is_published_once_and_asks_before_it_seats_who_has_not_paid(program):
    program.post("draft")
    assert set(program.refused("draft/publish", expected_version=1)) == {"not_paid"}
    published = program.twice("draft/publish", expected_version=1, seats_absent=True)
    assert len(published["tables"]) == 2 == Table.objects.count()
    assert {problem["code"] for problem in published["warnings"]} == {"not_paid"}
    undone = program.twice("seating/undo", round=1, reason="somebody was forgotten")
    assert tournament_state(program.tournament).version == undone["version"]
    assert program.get("draft")["version"] == 1


@pytest.mark.slow
def test_seats_change_before_the_first_deal_and_are_changed_back(night, program):
    night.seat((0, 1), (2, 3))
    asha, _, cy, dev = night.players
    swapped = program.twice("seats/swap", one=asha, other=cy)
    assert cy in {seat["player"] for seat in swapped["tables"][0]["seats"]}
    late = program.twice("seats/late", name="Zoe", adds_new=True, table=1, extends=True)
    assert (late["table"], len(late["tables"][0]["seats"])) == (1, 3)
    program.twice("seats/undo", key="once-seats/late")
    assert program.refused("seats/leave", player=str(Player.objects.get(name="Zoe").pk), why="sits_out")
    left = program.twice("seats/leave", player=dev, why="left")
    assert dev not in {seat["player"] for table in left["tables"] for seat in table["seats"]}
    version = tournament_state(program.tournament).version
    for page, body in (
        ("seats/swap", {"one": asha, "other": cy}),
        ("seats/late", {"name": "Ida", "adds_new": True}),
        ("seats/leave", {"player": asha, "why": "left"}),
        ("seats/undo", {"key": "once-seats/leave"}),
    ):
        assert program.ask(page, **body, expected_version=version - 1).status_code == 409, page


@pytest.mark.slow
def test_short_tables_are_evened_out_by_a_proposal_and_the_move_is_undone():
    night, _ = short_tables()
    program = Program(night.tournament)
    moves = program.get("moves")
    assert moves["proposals"]
    body = {"expected_version": moves["version"], "proposal": moves["proposals"][0]["id"]}
    program.twice("moves", **body)
    after = program.get("moves")
    assert after["last_move"] == after["version"]
    program.twice("moves/undo", move=after["last_move"], reason="they would rather stay")
    assert program.refused("moves", expected_version=program.get("moves")["version"], proposal="nothing")


def test_a_cut_is_looked_at_made_and_undone(night, program):
    one, two = night.seat((0, 1), (2, 3))
    assert {problem["code"] for problem in program.get("cut")["problems"]} == {"table_open"}
    assert set(program.refused("cut")) == {"table_open"}
    pool_won_in(one, 2)
    pool_won_in(two, 2)
    shown = program.get("cut")
    assert [player["name"] for player in shown["players"] if player["reason"]] == ["Asha", "Cy"]
    made = program.twice("cut", expected_version=shown["version"])
    assert [player["name"] for player in made["advancing"]] == ["Asha", "Cy"]
    assert program.twice("cut/undo", reason="a sheet was wrong")["cut_stages"] == 0


LEVEL: dict[str, Any] = {
    "stages": [{"smallest_table": 2, "advancing": 3}, {"smallest_table": 2}],
    "tie_breaks": ["deals_won"],
}


@pytest.mark.slow
def test_a_tie_is_broken_by_a_method_that_is_offered():
    night = Night(LEVEL)
    program = Program(night.tournament)
    one, two = night.seat((0, 1), (2, 3))
    pool_won_in(one, 2)
    pool_won_in(two, 2, first=False)
    (tie,) = program.get("cut")["ties"]
    players = [one["player"] for one in tie["players"]]
    assert "lots" in tie["methods"]
    assert program.refused("ties", players=night.players[:2], method="lots", seed="K7QF-2M9X") == ["not_a_choice"]
    cards = {players[0]: "PJ", players[1]: "KS"}
    assert program.refused("ties", players=players, method="high_card", cards=cards) == ["not_a_choice"]
    program.twice("ties", players=players, method="high_card", cards={players[0]: "2C", players[1]: "KS"})
    assert program.get("cut")["ties"] == []


@pytest.mark.slow
def test_the_clock_runs_stands_and_a_second_press_changes_nothing(night, program):
    assert program.refused("clock", act="start", seconds=600) == ["wrong_round"]
    night.seat((0, 1), (2, 3))
    assert program.post("clock", act="start", seconds=600)["clock"]["is_running"]
    again = program.ask("clock", act="start", seconds=600)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert not program.twice("clock", act="pause")["clock"]["is_running"]
    assert program.refused("clock", act="add_time", reason="a dispute") == ["missing_field"]
    added = program.post("clock", act="add_time", seconds=60, table=2, reason="a dispute")
    assert added["clock"]["tables"] == [{"number": 2, "extra_seconds": 60}]
    assert program.post("clock", act="call_last_deal")["clock"]["last_deal_at"]
    assert program.refused("clock", act="undo_last_deal") == ["missing_field"]
    assert not program.post("clock", act="undo_last_deal", reason="called too early")["clock"].get("last_deal_at")


@pytest.mark.slow
def test_a_tournament_is_deleted_and_restored_but_an_abandoned_one_is_not_restored(night, program):
    """Planted fault: an abandoned tournament comes back by the way of a deleted one, without a reason."""
    assert program.refused("restore") == ["not_deleted"]
    deleted = program.twice("delete")
    assert (deleted["is_closed"], deleted["is_published"]) == (True, False)
    assert not program.twice("restore", is_published=True)["is_closed"]
    night.seat((0, 1), (2, 3))[0].deal(1, show, loses(20))
    assert program.refused("delete") == ["already_played"]
    abandoned = program.twice("abandon", reason="flooded")
    assert abandoned["is_cancelled"]
    assert not program.twice("reopen", reason="dry again")["is_closed"]


@pytest.mark.slow
def test_a_closing_names_what_is_open_and_its_version_is_looked_at(night, program):
    pool = night.seat((0, 1), (2, 3))
    assert {problem["code"] for problem in program.get("close")["problems"]} == {"table_open"}
    for table in pool:
        pool_won_in(table, 2)
    version = program.get("close")["version"]
    for page, body in (("close", {}), ("abandon", {"reason": "x"}), ("change", {"name": "x"}), ("cut", {})):
        assert program.ask(page, **body, expected_version=version - 1).status_code == 409, page
    assert program.twice("close", expected_version=version)["is_closed"]
    assert program.post("settle")["problems"] == []


@pytest.mark.slow
def test_a_tournament_is_renamed_unpublished_and_its_stakes_are_fixed_by_the_first_table(night, program):
    changed = program.twice("change", name="Sunday", is_published=False, entry_minor=20_000)
    assert (changed["name"], changed["is_published"]) == ("Sunday", False)
    night.tournament.refresh_from_db()
    assert (night.tournament.entry_minor, night.tournament.preset) == (20_000, "pool_101")
    night.seat((0, 1), (2, 3))
    assert program.refused("change", entry_minor=30_000) == ["options_frozen"]
    assert program.post("change", is_published=True)["is_published"]


def test_a_tournament_is_set_up_in_one_step_or_not_at_all_and_repeated():
    club = new_club()
    asha, bo = add_players(club, ["Asha", "Bo"])
    director = Device(club, Role.DIRECTOR)
    path = f"/api/v1/clubs/{club.pk}/tournaments/set-up/"
    (stranger,) = add_players(new_club("Dita's club"), ["Zoe"])
    body = {
        "name": "Sunday",
        "preset": "pool_101",
        "starts_at": "2026-01-18T19:00:00Z",
        "plan": HEATS,
        "players": [str(asha.pk), str(bo.pk)],
        "names": ["Cy", "Dev"],
    }
    refused = director.send(path, {**body, "players": [str(asha.pk), str(stranger.pk)]})
    assert [problem["field"] for problem in refused.json()["problems"]] == ["players[1]"]
    assert director.send(path, {**body, "plan": {"stages": []}}).status_code == 422
    assert not Tournament.objects.filter(club=club).exists()
    made = director.send(path, body, key="once")
    again = director.send(path, body, key="once")
    assert (made.json()["entered"], again.headers["Idempotency-Replayed"]) == (4, "true")
    assert again.json()["id"] == made.json()["id"]
    program = Program(Tournament.objects.get(pk=made.json()["id"]))
    program.client = director
    copy = program.twice("repeat", name="Sunday again")
    assert (copy["name"], copy["entered"]) == ("Sunday again", 4)


@pytest.mark.slow
def test_prizes_are_read_with_their_calculation_and_set_alone(night, program):
    record_in_tournament(
        night.tournament.pk, wire.EntryPaid(player=night.players[0], amount_minor=10_000), context=context()
    )
    night.seat((0, 1), (2, 3))
    plan = program.get("plan")["plan"]
    assert program.refused("prizes", prizes={"stages": []}) == ["unknown_field"]
    stored = program.twice("prizes", prizes={"prizes_bp": [6_000, 4_000]}, reason="as announced")
    assert stored["plan"] == {**plan, "prizes_bp": [6_000, 4_000]}
    read = program.get("prizes")
    assert read["gross_minor"] == 40_000
    assert sum(prize["amount_minor"] for prize in read["prizes"]) == read["pool_minor"] - read["kept_minor"]
    assert all(prize["because"] for prize in read["prizes"])
    assert Program(night.tournament, Role.SCORER).client.get(program.path("prizes")).status_code == 403


@pytest.mark.slow
def test_screens_are_steered_pinned_and_skipped_once_for_each_skip_that_was_seen(program):
    assert program.post("screens", message="Round 3 starts at 21:15", chosen=["clock"], is_automatic=False)
    assert program.post("screens/pin", screen="clock")["pinned"] == "clock"
    assert program.post("screens/pin")["pinned"] is None
    assert program.refused("screens", is_automatic=False) == ["missing_field"]
    assert [program.post("screens/skip", skips=0)["skips"] for _ in range(2)] == [1, 1]
    assert program.post("screens/skip", skips=1)["skips"] == 2
    assert program.ask("screens/skip", skips=0).status_code == 409
    assert program.get("screens")["message"] == "Round 3 starts at 21:15"


def test_table_cards_give_their_secret_once_and_end(night, program):
    """Planted fault: a card for a table that was cancelled."""
    tables = night.seat((0, 1), (2, 3))
    made = program.ask("cards", "once")
    assert made["Cache-Control"] == "no-store"
    items = made.json()["items"]
    assert len({item["secret"] for item in items}) == 2
    assert items[0]["address"].endswith(f"#{items[0]['secret']}")
    assert [item["secret"] for item in program.ask("cards", "once").json()["items"]] == [None, None]
    assert TableToken.objects.count() == 2
    assert "secret" not in program.get("cards")["items"][0]
    assert len(program.post("cards/revoke", tables=[items[0]["table"]])["items"]) == 1
    assert program.refused("cards/revoke", cards=[str(tables[0].row.pk)]) == ["not_a_choice"]
    assert program.post("cards/revoke", cards=[items[1]["id"]])["items"] == []
    record_wire_event(
        tables[0].row.pk, {"kind": "table_cancelled", "reason": "a mistake"}, expected=1, context=context()
    )
    assert program.refused("cards", tables=[str(tables[0].row.pk)]) == ["table_over"]


@pytest.mark.slow
def test_late_sheets_are_listed_and_accepted_or_refused(night, program):
    one, two = night.seat((0, 1), (2, 3))
    for table, key in ((one, "a"), (two, "b")):
        table.deal(1, show, loses(20))
        table.record({"kind": "table_closed", "time_called": True})
        body = wire.canonical({"kind": "deal_recorded", "deal": 2, "outcomes": {"1": show, "2": loses(30)}})
        LateSheet.objects.create(
            club=night.tournament.club,
            table=table.row,
            key=key,
            digest="0" * 64,
            body=body,
            actor="user:1",
            sent_at=context().now,
        )
    listed = program.get("late-sheets")["items"]
    assert [(item["number"], item["event"]["deal"]) for item in listed] == [(1, 2), (2, 2)]

    def answer(item: Any, **body: Any) -> Any:
        return program.client.send(f"/api/v1/tables/{item['table']}/late-sheets/", {"sheets": [item["id"]], **body})

    assert answer(listed[1], answer="refuse").status_code == 422
    assert answer(listed[0], answer="accept").json()["is_closed"] is False
    again = answer(listed[0], answer="accept")
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert answer(listed[0], answer="refuse", reason="x").status_code == 422
    assert answer(listed[1], answer="refuse", reason="not readable").status_code == 201
    assert program.get("late-sheets")["items"] == []
    assert one.sheet.deals == 2


@pytest.mark.slow
def test_several_events_of_a_table_are_stored_all_or_none_and_seats_are_exchanged(night, program):
    (table, _) = night.seat((0, 1), (2, 3))
    path = f"/api/v1/tables/{table.row.pk}/"
    deals = [{"kind": "deal_recorded", "deal": number, "outcomes": {"1": show, "2": loses(20)}} for number in (1, 2)]
    wrong = {"expected_version": 1, "events": [deals[0], {**deals[1], "deal": 7}]}
    assert program.client.send(path + "events/all/", wrong).status_code == 422
    assert table.sheet.version == 1
    body = {"expected_version": 1, "events": deals}
    stored = program.client.send(path + "events/all/", body, key="once").json()
    assert (stored["version"], len(stored["events"])) == (3, 2)
    assert program.client.send(path + "events/all/", body, key="once").headers["Idempotency-Replayed"] == "true"
    scorer = Device(night.tournament.club, Role.SCORER)
    corrected = {**deals[1], "kind": "deal_corrected", "reason": "misread"}
    redraws = {"expected_version": 3, "events": [corrected], "redraws": True}
    assert scorer.send(path + "events/all/", redraws).status_code == 403
    assert program.client.send(path + "events/all/", redraws).status_code == 201
    exchange = {"expected_version": 4, "seats": ["1", "2"], "deals": [1, 2], "reason": "mixed up"}
    assert program.client.send(path + "exchange/", exchange, key="x").json()["version"] == 6
    assert program.client.send(path + "exchange/", exchange, key="x").headers["Idempotency-Replayed"] == "true"
    assert table.totals() == [40, 0]


@pytest.mark.slow
def test_players_are_paid_out_and_allowed_credit_all_or_none():
    club = new_club()
    home = new_tournament(club)
    asha, bo = (str(player.pk) for player in add_players(club, ["Asha", "Bo"]))
    director = Device(club, Role.DIRECTOR)
    cash = f"/api/v1/clubs/{club.pk}/cash/"
    till = f"token:{director.token.pk}"
    director.send(cash, {"event": {"kind": "till_opened", "till": till, "float_minor": 1_000}})
    for player in (asha, bo):
        event = {"kind": "money_received", "player": player, "amount_minor": 500, "place": f"till:{till}"}
        assert director.send(cash, {"event": event}).status_code == 201
    before = Event.objects.count()
    assert director.send(cash + "payouts/", {"amounts": {asha: 500, bo: 501}}).status_code == 422
    assert director.send(cash + "payouts/", {"amounts": {asha.upper(): 500}}).status_code == 422
    assert Event.objects.count() == before
    body = {"amounts": {asha: 500, bo: 400}}
    assert director.send(cash + "payouts/", body, key="once").status_code == 201
    assert director.send(cash + "payouts/", body, key="once").headers["Idempotency-Replayed"] == "true"
    limits = {"limits": {asha: 1_000, bo: 1_000}, "reason": "will bring it"}
    assert director.send(cash + "credit/", limits).status_code == 201
    cashier = Device(club, Role.CASHIER)
    assert cashier.send(cash + "credit/", limits).status_code == 403
    assert cashier.send(cash + "payouts/", {"amounts": {bo: 100}, "place": f"till:{till}"}).status_code == 422
    assert home.club_id == club.pk
    assert person(club, Role.OWNER)
