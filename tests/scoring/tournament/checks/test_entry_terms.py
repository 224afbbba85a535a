"""What a player pays to enter, and who has won a side pot: events recorded at the cash desk, and undone."""

from typing import Literal

from scoring.events import wire
from scoring.events.wire import Event
from scoring.tournament import TournamentState, problems_with
from scoring.tournament.state.fees import due_minor, entries_of, owed_by
from tests.builders.plans import Night
from tests.builders.wording import picture, refusal

ENTRY = 10_000
PLAN = {
    "stages": [{"smallest_table": 2}],
    "member_minor": 8_000,
    "side_pots": [
        {"name": "High hand", "contribution_minor": 500},
        {"name": "Jackpot", "contribution_minor": 1_000, "joins": "opt_in"},
    ],
}


def terms(player: str, rate: Literal["full", "member", "free"] = "full", *pots: str) -> wire.EntryTermsSet:
    return wire.EntryTermsSet(player=player, rate=rate, pots=pots, reason="asked")


def evening(*events: Event) -> TournamentState:
    return Night(PLAN).then(*events).state


def due(night: TournamentState, player: str) -> int:
    return due_minor(night, night.entrants[player], ENTRY)


def test_a_player_pays_the_entry_at_the_own_rate_and_every_pot_that_is_played_for():
    assert due(evening(), "asha") == 10_500
    assert due(evening(terms("asha", "member")), "asha") == 8_500
    night = evening(terms("asha", "free", "Jackpot"))
    assert owed_by(night, night.entrants["asha"], ENTRY).pots == {"High hand": 500, "Jackpot": 1_000}
    assert due(night, "asha") == 1_500
    assert evening(terms("asha", "free", "Jackpot"), terms("asha")).entrants == evening().entrants


def test_who_has_not_come_pays_what_was_taken_the_entry_first_then_side_pots():
    paid = wire.EntryPaid(player="asha", amount_minor=10_200)
    night = evening(paid, wire.MarkedAbsent(player="asha"), wire.MarkedAbsent(player="bo"))
    entries = entries_of(night, ENTRY, 0)
    assert (entries.by_player["asha"].entries, entries.by_player["asha"].pots["High hand"]) == ((10_000,), 200)
    assert entries.by_player["bo"].total == 0


def won(pot: str, *players: str, reason: str = "four queens") -> wire.SidePotWon:
    return wire.SidePotWon(pot=pot, players=players, reason=reason)


def undone(pot: str) -> wire.SidePotWinUndone:
    return wire.SidePotWinUndone(pot=pot, reason="miscounted")


def test_a_side_pot_is_won_by_whoever_the_director_names_and_can_be_taken_back():
    night = Night(PLAN).then(won("High hand", "cy", "bo"))
    assert night.state.pots_won == {"High hand": ("cy", "bo")}
    assert night.then(undone("High hand")).state.pots_won == {}


JOINED = terms("asha", "full", "Jackpot")
SUBSTITUTED = wire.PlayerSubstituted(player="asha", by="eve", reason="ill")
TERMS = [
    terms("zed"),
    terms("asha"),
    terms("asha", "full", "High hand"),
    terms("asha", "full", "Bad beat"),
    terms("asha", "full", "Jackpot", "Jackpot"),
]
WINS = [
    won("Bad beat", "asha"),
    won("High hand"),
    won("High hand", "asha", "asha"),
    won("High hand", "zed"),
    won("High hand", "asha", reason=" "),
    won("Jackpot", "asha"),
    undone("High hand"),
]


def told(night: TournamentState, event: Event) -> list[str]:
    return [refusal(problem) for problem in problems_with(night, event)]


def test_terms_and_wins_that_cannot_be_are_refused(snapshot):
    withdrawn = wire.EntryWithdrawn(player="asha", reason="ill")
    answers = {str(event): told(evening(), event) for event in (*TERMS, *WINS)} | {
        "a rate that the plan does not name": told(Night({"stages": [{}]}).state, terms("asha", "member")),
        "a pot that was won": told(evening(won("High hand", "asha")), won("High hand", "bo")),
        "who withdrew": told(evening(withdrawn), won("High hand", "asha")),
        "who joined an optional pot": told(evening(JOINED), won("Jackpot", "asha")),
        "the substitute of who joined it": told(evening(JOINED, SUBSTITUTED), won("Jackpot", "eve")),
    }
    assert picture(answers) == snapshot


def test_a_substitute_wins_no_pot_that_the_place_does_not_pay_into():
    """Planted fault: a pot that eve joined on the standby list, and pays nothing into since she plays for asha."""
    waits = wire.PlayerEntered(player="eve", is_standby=True)
    night = evening(waits, terms("eve", "full", "Jackpot"), SUBSTITUTED)
    assert owed_by(night, night.entrants["eve"], ENTRY).pots == {}
    assert [problem.code for problem in problems_with(night, won("Jackpot", "eve"))] == ["not_a_choice"]
    assert problems_with(night, won("High hand", "eve")) == []
