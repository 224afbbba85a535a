"""A club in which any actions that commands accept are done in any order, and what must hold after them.

Actions on tables, evenings, cash books, players and seasons are drawn by a number and sent to the real commands, across
tournaments that share players. A refusal is no fault; any other exception is one, and so is a page that
answers with an error or leaves a row out.
"""

import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.test import Client

from scoring import ledger
from scoring.events import cash
from scoring.problems import Defect, RummyError
from tests.builders.admin_addresses import CLUB_PAGES
from tests.builders.admin_tables import Evening, person
from tests.builders.api_clients import Device
from tests.builders.club_acts import NAMES, PLAN, TILL, EveningActs
from tests.builders.every_address import Visits, heard, of_the_api, public
from tests.builders.every_write import page_of
from tests.builders.more_club_acts import DeskActs, PeopleActs, TableActs
from tests.builders.playing import NOW, context, new_club, new_tournament
from tests.builders.proofs import complaints
from tests.builders.two_clubs import World, objects_of
from tournaments.cash.commands import open_book
from tournaments.models import Club, Role
from tournaments.people.players import add_players
from tournaments.running.commands.create import make_plan
from tournaments.tasks import seal_logs, sweep_readings, sweep_settlements


class AnyOrder(EveningActs, TableActs, DeskActs, PeopleActs):
    """One club, its tournaments, and the actions that were accepted or refused."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.club = new_club(is_published=True)
        # A generator of its own, so that actions are the same however many pages are requested.
        self.looking = random.Random(seed)
        self.visits = visits_of(self.club, self.looking)
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.last: list[str] = []
        add_players(self.club, NAMES)
        stakes = {"entry_minor": 10_000, "fee_bp": 1_000}
        for number, preset in enumerate(("pool_101", "pool_101", "points", "deals_best_of_2")):
            own = {"point_value_minor": 100} if preset == "points" else stakes
            home = new_tournament(
                self.club, preset, name=f"Night {number}", starts_at=NOW + timedelta(days=number), **own
            )
            if preset == "pool_101":
                make_plan(home.id, PLAN, context=context())
        self.book = open_book(self.club.id, "INR", context=context())
        self.at_desk(cash.TillOpened(till=TILL, float_minor=20_000))
        self.acts: dict[str, Callable[[], object]] = {
            name.removeprefix("do_"): getattr(self, name) for name in dir(self) if name.startswith("do_")
        }

    def step(self) -> None:
        """One action, accepted or refused."""
        seldom = ("erase", "delete_it", "remove", "close_season", "cancel", "merge", "unmerge", "change", "abandon")
        name = self.chance.choice(sorted(self.acts))
        if name in seldom and self.chance.random() < 0.8:
            return
        self.last.append(name)
        try:
            self.acts[name]()
        except RummyError as error:
            if isinstance(error, Defect):
                raise
            self.refused[name] += 1
            return
        self.done[name] += 1

    def faults(self, *, pages: int) -> list[str]:
        """Everything that does not hold now, once workers have done what is due; and so many pages that are broken."""
        with heard() as said:
            for task in (sweep_settlements, sweep_readings, seal_logs):
                task()
        sums: Counter[str] = Counter()
        for line in ledger.trial_balance(self.club.id):
            sums[line.currency] += line.balance_minor
        return [
            *said,
            *complaints(),
            *(f"{currency} does not add up" for currency, left in sums.items() if left),
            *self.broken(pages),
        ]

    def broken(self, most: int) -> list[str]:
        """Which of so many addresses around one of the tournaments are broken, and why."""
        found = objects_of(self.club, self.looking.choice(list(self.club.tournaments.order_by("name"))), self.looking)
        admin = (page_of(name, self.visits.world, found) for name in CLUB_PAGES)
        addresses = [*public(found), *of_the_api(found), *filter(None, admin)]
        broken = self.visits.again(self.looking.sample(addresses, most))
        return [f"{address}: {self.visits.whys.get(address)}" for address in broken]


def visits_of(club: Club, chance: random.Random) -> Visits:
    """Requests for a club's pages by a visitor, a device and its owner."""
    owner = person("olga", Role.OWNER, club, is_superuser=True)
    browser = Client(raise_request_exception=False)
    browser.force_login(owner)
    device = Device(club, Role.OWNER, owner=owner)
    device.raise_request_exception = False
    # No table and no tournament of its own: they are drawn for each request.
    nothing: Any = None
    home = Evening(club, nothing, nothing)
    return Visits(World(home, home, device, browser, Client(raise_request_exception=False)), chance)
