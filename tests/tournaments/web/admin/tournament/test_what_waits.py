"""What waits is always reachable: Today or a list that it leads to names it, with a way to where it is dealt with.

`STATES` is the table: how each state is made, which roles may end it, in which list they find it from Today, what that
list says until then, and by which links and buttons it is ended. Only the first address is typed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from scoring.events import wire
from tests.builders.admin_tables import NOW, Evening, evening_at, person
from tests.builders.admin_tournaments import HEATS, Night, a_night, at
from tests.builders.confirming import evening_with
from tests.builders.cuts import a_cut_and_a_final
from tests.builders.walking import Walker
from tournaments.books.commands import settle_table
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk
from tournaments.log.context import CommandContext
from tournaments.models import Club, Role, Scoresheet, Tournament
from tournaments.running.commands.close import cancel_tournament, close_tournament
from tournaments.running.commands.create import TournamentDraft, change_tournament
from tournaments.running.commands.settle import settle_tournament
from tournaments.running.queries.dashboard import owed_tables
from tournaments.tables.commands.without_network import keep_late_sheet

pytestmark = pytest.mark.django_db
TODAY = "/admin/"
FEE = 10_000


@dataclass(frozen=True)
class Way:
    """From Today by the links of `place` to the list that says so as long as it waits; from there by links and buttons.

    Each step is the text of a link or a button. All that is typed may be typed into each form on the way.
    """

    place: tuple[str, ...]
    says: str
    steps: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """Something that waits in a club. `make` is given the browser of the user too, whose till may be what waits."""

    make: Callable[[Club, Client], object]
    ways: Mapping[Role, Way]
    typed: Mapping[str, str] = field(default_factory=dict)


def directors(*steps: str, says: str, place: tuple[str, ...] = ("Dashboard",)) -> dict[Role, Way]:
    return dict.fromkeys((Role.OWNER, Role.DIRECTOR), Way(place, says, steps))


def on_today(*steps: str, says: str, roles: tuple[Role, ...]) -> dict[Role, Way]:
    return dict.fromkeys(roles, Way((), says, steps))


def four(club: Club, **draft: Any) -> Night:
    """Asha, Bo, Cy and Dev are here; the tournament begins today."""
    night = a_night(club, HEATS, starts_at=now(), **draft)
    night.enter("Asha", "Bo", "Cy", "Dev")
    return night


def pay(night: Night, *players: str) -> None:
    """The fee of each, at the desk."""
    for player in players:
        act_at_desk(night.tournament.pk, DESK_ACTS["pay"], player, context=at(now=now()))


def drawn(club: Club, client: Client) -> None:
    dita = Client()
    dita.force_login(person("drawer", Role.DIRECTOR, club))
    dita.post(four(club).url("seating"), {"do": "planned"})


def late(club: Club, client: Client) -> None:
    table = evening_at(club, preset="points", entry_minor=0, point_value_minor=100)
    table.deal(1, show="1", s2=5, s3=6, s4=7)
    version = table.version
    table.record({"kind": "table_closed"})
    lost = {seat: {"how": "loss", "count": 9} for seat in "234"}
    raw = {"kind": "deal_recorded", "deal": 2, "outcomes": {"1": {"how": "show"}, **lost}}
    keep_late_sheet(table.table.pk, raw, expected=version, context=CommandContext(actor="user:7", now=NOW, key="late"))


def unconfirmed(club: Club, client: Client) -> Evening:
    table = evening_with(club, "second_seat")
    table.deal(1, show="1", s2=12, s3=20, s4=30)
    return table


def disputed(club: Club, client: Client) -> None:
    unconfirmed(club, client).record({"kind": "deal_disputed", "deal": 1, "reason": "I held 24", "seat": "2"})


def unpaid(club: Club, client: Client) -> None:
    """Bo has not paid. The user takes money without a till."""
    night = four(club, entry_minor=FEE)
    asha, _, cy, dev = night.state.entrants
    pay(night, asha, cy, dev)
    client.post(night.url("till"), {"do": "none"})


def overpaid(club: Club, client: Client) -> None:
    """Bo has paid 100.00 of 90.00."""
    night = four(club, entry_minor=FEE)
    asha, bo, cy, dev = night.state.entrants
    pay(night, bo)
    draft = TournamentDraft(name="Saturday", preset="pool_101", starts_at=night.tournament.starts_at, entry_minor=9_000)
    change_tournament(night.tournament, draft, context=at())
    settle_tournament(night.tournament.pk, now=now())
    pay(night, asha, cy, dev)
    client.post(night.url("till"), {"do": "none"})


def absent(club: Club, client: Client) -> None:
    night = four(club)
    night.record(wire.MarkedAbsent(player=list(night.state.entrants)[1]))


def outdated(club: Club, client: Client) -> None:
    table = a_cut_and_a_final(club)
    outcomes = {"1": {"how": "loss", "count": 10}, "2": {"how": "show"}}
    table.record({"kind": "deal_corrected", "deal": 1, "outcomes": outcomes, "reason": "read the wrong way round"})


def over(club: Club) -> Night:
    """Asha won before Bo, both have paid, and no worker has settled it yet."""
    night = a_night(club, {"stages": [{"smallest_table": 2}]}, entry_minor=FEE, starts_at=now())
    pay(night, *night.enter("Asha", "Bo"))
    night.play_round()
    close_tournament(night.tournament.pk, context=at(now=now()))
    return night


def unsettled(club: Club, client: Client) -> None:
    over(club)


def not_settled_table(club: Club, client: Client) -> None:
    """A table's money failed to be settled while the tournament is played on."""
    table = evening_at(club, preset="points", entry_minor=0, point_value_minor=100, now=now())
    table.deal(1, show="1", s2=5, s3=6, s4=7)
    table.record({"kind": "table_closed"})
    Scoresheet.objects.filter(table=table.table).update(settle_problem="the books are locked")


def settled(club: Club, client: Client) -> Night:
    """The same, settled; the user has a till with 500.00."""
    night = over(club)
    for table in owed_tables(night.tournament.pk):
        settle_table(table, now=now())
    settle_tournament(night.tournament.pk, now=now())
    client.post(night.url("till"), {"do": "open", "source": "owner", "float": "500"})
    return night


def uncounted(club: Club, client: Client) -> None:
    settled(club, client)


def uncounted_of_yesterday(club: Club, client: Client) -> None:
    """The tournament is no longer listed on Today."""
    settled(club, client)
    Tournament.objects.update(closed_at=NOW)


def unpaid_of_yesterday(club: Club, client: Client) -> None:
    """What was won is not collected, and another tournament is open today."""
    uncounted_of_yesterday(club, client)
    a_night(club, HEATS, starts_at=now(), name="Sunday")


def refunds_of_yesterday(club: Club, client: Client) -> None:
    """Bo paid, left without a seat, and the tournament was abandoned: the fee is in Bo's balance."""
    night = a_night(club, {"stages": [{"smallest_table": 2}]}, entry_minor=FEE, starts_at=now())
    pay(night, night.enter("Asha", "Bo")[1])
    cancel_tournament(night.tournament.pk, reason="a storm", context=at(now=now()))
    settle_tournament(night.tournament.pk, now=now())
    client.post(night.url("till"), {"do": "open", "source": "owner", "float": "500"})
    Tournament.objects.update(closed_at=NOW)


def unsettled_of_yesterday(club: Club, client: Client) -> None:
    over(club)
    Tournament.objects.update(closed_at=NOW)


TAKES = (Role.CASHIER, Role.CHECKIN)
SETTLES_BOTH = ("Saturday", "Settle now: entries and prizes", "Settle now")
COUNTS = ("Count and close", "Save count", "Close the till")
STATES: dict[str, State] = {
    "a seating is drawn and not published": State(
        make=drawn,
        ways=directors("Publish the seating", "Publish: open", says="drawn, not published"),
    ),
    "a late sheet": State(
        make=late,
        ways=directors("Review late sheets of Table 1", "Accept", says="1 late sheet waits for you"),
        typed={"ticks": "sheets"},
    ),
    "an unconfirmed deal": State(
        make=unconfirmed,
        ways={
            **directors("Table 2", "Second seat: confirm deal 1", says="1 unconfirmed"),
            **on_today("Table 2", "Second seat: confirm deal 1", says="1 unconfirmed", roles=(Role.SCORER,)),
        },
    ),
    "a disputed deal": State(
        make=disputed,
        ways=directors("Resolve dispute at Table 2", "Accept deal", "Accept deal", says="a deal is disputed"),
        typed={"reason": "counted together"},
    ),
    "an entry is not paid": State(
        make=unpaid,
        ways={
            **directors("Bo", "Take ₹100.00 in cash", says="Not paid 1 Bo"),
            **on_today("Bo", "Take ₹100.00 in cash", says="Not paid (1): Bo", roles=TAKES),
        },
    ),
    "a refund is owed": State(
        make=overpaid,
        ways={
            **directors("Bo", "Refund", says="Paid too much 1 Bo"),
            **on_today("Bo", "Refund", says="Paid too much (1): Bo", roles=TAKES),
        },
        typed={"amount": "10", "reason": "the fee was lowered"},
    ),
    "a no-show": State(
        make=absent,
        ways={
            **directors("Bo", "Mark arrived", says="No-shows 1 Bo"),
            **on_today("Bo", "Mark arrived", says="No-shows (1): Bo", roles=(Role.CHECKIN,)),
        },
    ),
    "a cut no longer fits": State(
        make=outdated,
        ways=directors(
            *("Review the cut", "Undo seating", "Undo seating", "Cut", "Undo cut"), says="the cut no longer fits"
        ),
        typed={"reason": "a heat was corrected"},
    ),
    "money of a tournament is not settled": State(
        make=unsettled,
        ways={
            **directors("Settle prizes", says="1 table not settled"),
            **on_today(*SETTLES_BOTH, says="Not yet settled: Saturday", roles=(Role.CASHIER,)),
        },
    ),
    "money of an earlier day is not settled": State(
        make=unsettled_of_yesterday,
        ways={
            **directors(*SETTLES_BOTH, says="Not yet settled: Saturday", place=()),
            **on_today(*SETTLES_BOTH, says="Not yet settled: Saturday", roles=(Role.CASHIER,)),
        },
    ),
    "money of a table could not be settled": State(
        make=not_settled_table,
        ways={
            **directors("Balances", "Settle now", says="the books are locked"),
            **on_today("Friday", "Settle now", says="Not yet settled: Friday", roles=(Role.CASHIER,)),
        },
    ),
    "a till is not counted": State(
        make=uncounted,
        ways={
            **directors("Count 1 till", *COUNTS, says="0 of 1 counted"),
            **on_today("Count the till", *COUNTS[1:], says="Count the till", roles=(Role.CASHIER,)),
        },
        typed={"piece-50000": "1"},
    ),
    "a till of an earlier day is not counted": State(
        make=uncounted_of_yesterday,
        ways={
            **directors("Count and close 1 till", *COUNTS, says="Count and close 1 till", place=()),
            **on_today("Count the till", *COUNTS[1:], says="Count the till", roles=(Role.CASHIER,)),
        },
        typed={"piece-50000": "1"},
    ),
    "a payout is not made": State(
        make=uncounted,
        ways={
            **directors("Pay out 1 player", "Pay out in cash", says="1 player with money to collect"),
            **on_today("Pay out 1 player", "Asha", "Pay out", says="Pay out 1 player", roles=(Role.CASHIER,)),
        },
        typed={"ticks": "payees"},
    ),
    "a payout of an earlier day is not made": State(
        make=unpaid_of_yesterday,
        ways={
            **directors("Saturday", "Pay out in cash", says="To pay out: Saturday", place=()),
            **on_today("Saturday", "Pay out in cash", says="To pay out: Saturday", roles=(Role.CASHIER,)),
        },
        typed={"ticks": "payees"},
    ),
    "a refund of an abandoned tournament is not made": State(
        make=refunds_of_yesterday,
        ways={
            **directors("Saturday", "Pay out in cash", says="To pay out: Saturday", place=()),
            **dict.fromkeys(
                (Role.CASHIER,),
                Way(("Cash desk",), "To pay out: Saturday", ("To pay out: Saturday", "Bo", "Pay out")),
            ),
        },
        typed={"ticks": "payees"},
    ),
}


def browser_of(club: Club, role: Role) -> Client:
    client = Client()
    client.force_login(person(role.value, role, club, first_name=role.value.capitalize()))
    return client


@pytest.mark.parametrize(
    ("name", "role"),
    [
        pytest.param(
            name, role, marks=() if role is list(state.ways)[-1] and "earlier day" not in name else pytest.mark.slow
        )
        for name, state in STATES.items()
        for role in state.ways
    ],
)
def test_what_waits_is_listed_and_its_list_leads_to_the_button_that_ends_it(club: Club, name: str, role: Role):
    """Planted faults: a dispute that Today does not show to scorers; a list of no-shows that leads nowhere."""
    state, client = STATES[name], browser_of(club, role)
    state.make(club, client)
    way = state.ways[role]
    walker = Walker(client).opens(TODAY).follows(*way.place)
    assert way.says in walker.text
    for text in way.steps:
        walker.takes(text, **state.typed)
        assert walker.status == 200, walker.text
    assert way.says not in Walker(client).opens(TODAY).follows(*way.place).text


@pytest.mark.slow
@pytest.mark.parametrize("name", STATES)
def test_who_may_not_end_it_finds_no_button_for_it(club: Club, name: str):
    """Planted fault: money that could not be settled, listed on Today with a link that a scorer may not open."""
    state, director = STATES[name], browser_of(club, Role.DIRECTOR)
    state.make(club, director)
    ends = {}
    for role, way in state.ways.items():
        client = director if role is Role.DIRECTOR else browser_of(club, role)
        walker, steps = Walker(client).opens(TODAY).follows(*way.place), list(way.steps)
        while not walker.offers_button(steps[0]) and walker.offers_link(steps[0]):
            walker.follows(steps.pop(0))
        ends[walker.url] = steps[0]
    for role in set(Role) - set(state.ways):
        client = browser_of(club, role)
        shown = Walker(client).opens(TODAY).addresses()
        for url, button in ends.items():
            walker = Walker(client).opens(url)
            assert not walker.offers_button(button), (role, url)
            assert walker.status == 200 or url not in shown, (role, url)
