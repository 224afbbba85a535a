"""Every address of the back office with a row that it can be asked for."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.contrib import admin
from django.urls import NoReverseMatch, URLPattern, URLResolver, reverse

from scoring.cash import load_book
from scoring.events.cash import MoneyReceived, TillCounted
from scoring.models import Account, JournalEntry
from tests.builders.admin_tables import NOW, Evening, club_called, evening_at, person
from tournaments.cash.commands import till_of, write_in_book
from tournaments.log.context import CommandContext
from tournaments.models import CashBook, Invitation, Role
from tournaments.models.log import Event
from tournaments.people.access import issue_token
from tournaments.people.invitations import invite
from tournaments.seasons.commands import SeasonDraft, create_season
from tournaments.tables.commands.table_tokens import issue_cards

PERSONAL = {"login", "logout", "password_change", "password_change_done", "jsi18n", "autocomplete"}
OF_A_DEAL = {"correct", "void", "confirm", "dispute", "settle_dispute"}


def admin_views() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The name and the view of every URL under /admin/."""

    def walk(patterns: list[URLPattern | URLResolver]) -> Iterator[tuple[str, Callable[..., Any]]]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns)
            elif pattern.name:
                yield pattern.name, pattern.callback

    return walk(admin.site.urls[0])


def admin_names() -> list[str]:
    """The names of all pages under /admin/."""
    return sorted({name for name, _ in admin_views()})


CLUB_PAGES = [name for name in admin_names() if name not in PERSONAL]


def address(name: str, evening: Evening) -> str | None:
    """The page's address for the objects of one club; None for redirects without an object."""
    model = name.split("_")[1] if "_" in name else ""
    number: list[Any] = [1] if name.removeprefix("tournaments_table_") in OF_A_DEAL else []
    number = [3] if name == "tournaments_table_withdraw" else number
    number = [_player(evening)] if name == "tournaments_tournament_desk_player" else number
    number = [evening.table.tokens.all()[0].pk] if name == "tournaments_table_card_revoke" else number
    number = _of_the_people(name, evening) or _in_the_cash_book(name, evening) or number
    for args in ([], [_object(model, evening), *number]):
        try:
            return reverse(f"admin:{name}", args=args)
        except NoReverseMatch:
            continue
    return None


def _player(evening: Evening) -> object:
    return evening.table.seats.all()[0].player_id


def _object(model: str, evening: Evening) -> object:
    """The owner of the page: looked up only where the page is about one."""
    objects: dict[str, Callable[[], object]] = {
        "club": lambda: evening.club.pk,
        "tournament": lambda: evening.tournament.pk,
        "table": lambda: evening.table.pk,
        "player": lambda: _player(evening),
        "event": lambda: Event.objects.filter(club=evening.club)[0].pk,
        "apitoken": lambda: evening.club.tokens.all()[0].pk,
        "season": lambda: evening.club.seasons.all()[0].pk,
        "journalentry": lambda: JournalEntry.objects.filter(club=evening.club.pk).order_by("reference")[0].pk,
        "account": lambda: Account.objects.filter(club=evening.club.pk).order_by("kind", "owner")[0].pk,
    }
    return objects[model]() if model in objects else uuid4()


def _of_the_people(name: str, evening: Evening) -> list[object]:
    """The person or link that the address of a page of the club's people names besides the club."""
    words: dict[str, Callable[[], list[object]]] = {
        "person": lambda: [evening.club.memberships.all()[0].user_id],
        "remove_person": lambda: [evening.club.memberships.all()[0].user_id],
        "revoke_link": lambda: [evening.club.invitations.all()[0].pk],
    }
    word = name.removeprefix("tournaments_club_")
    return words[word]() if word in words else []


def _in_the_cash_book(name: str, evening: Evening) -> list[object]:
    """Objects that the address of a page of the cash desk names besides the club."""
    words: dict[str, Callable[[], list[object]]] = {
        "player": lambda: [_player(evening)],
        "line": lambda: [3],
        "count": lambda: [next(iter(load_book(_book(evening).state).tills))],
        "receipt": lambda: [_book(evening).pk, 3],
        "past": lambda: [_book(evening).pk],
        "file": lambda: [_book(evening).pk],
    }
    word = name.removeprefix("tournaments_club_cash_")
    return words[word]() if word in words else []


def _book(evening: Evening) -> CashBook:
    return CashBook.objects.get(club=evening.club)


def stocked(name: str, *, now: datetime = NOW, **club: Any) -> Evening:
    """A club that has one of everything, all of one moment."""
    players = (f"{name} 1", f"{name} 2", f"{name} 3")
    evening = evening_at(club_called(name, name, **club), name=f"{name} night", names=players, now=now)
    evening.deal(1, show="1", s2=10, s3=20)
    evening.record({"kind": "seat_left", "seat": "3"})
    owner = person(f"{name}-owner", Role.OWNER, evening.club)
    issue_token(uuid4(), evening.club, user_id=owner.pk, role=Role.SCORER, name="t")
    invite(Invitation(id=uuid4(), club=evening.club, role=Role.SCORER, made_by=owner, name="Sam"), now=now)
    issue_cards([evening.table], key=uuid4(), user_id=owner.pk, now=now)
    context = CommandContext(actor=f"user:{owner.pk}", now=now)
    till = till_of(evening.club.pk, "INR", context=context)
    taken = MoneyReceived(player=str(evening.table.seats.all()[0].player.pk), amount_minor=500, place=till)
    book = CashBook.objects.get(club=evening.club).pk
    write_in_book(book, taken, context=replace(context, key="taken"))
    # Until then the books are closed to cashiers: test_blind_count.py.
    write_in_book(
        book, TillCounted(till=till.removeprefix("till:"), pieces={"500": 1}), context=replace(context, key="counted")
    )
    create_season(
        evening.club, SeasonDraft(name=f"{name} season", starts_on=now.date(), ends_on=now.date() + timedelta(days=90))
    )
    return evening
