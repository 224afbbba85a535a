"""Clubs with something on every page, played at fixed moments with ids that count up; and the address of each page."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse

from scoring.problems import OptionsRejected
from scoring.rules.chance import Chance
from scoring.rules.table.dealing import next_deal
from scoring.rules.variants import VARIANTS
from scoring.sheets.snapshots import load_table
from tests.builders import admin_addresses
from tests.builders.admin_tables import NOW, Evening, club_called, evening_at, person
from tests.builders.admin_tournaments import TIMED, a_night, at, start_clock
from tests.builders.fixed_chance import at_a_moment
from tests.builders.paper import a_printed_night
from tests.builders.public_languages import JUDGED
from tests.builders.routes import FILES, route, urlpatterns
from tests.builders.story import START, tell_of_two_clubs
from tests.builders.table_cards import card_for
from tests.builders.two_clubs import CAST, GAMES
from tournaments.models import Club, Membership, Player, Role, Scoresheet, Season, Table, Tournament, WorkerHeartbeat
from tournaments.running.commands.screens import steer
from tournaments.running.screens import Steering

VISITED = NOW + timedelta(minutes=35)
OWNER = "owner"
STAKES: tuple[dict[str, Any], ...] = ({"entry_minor": 10_000}, {"entry_minor": 0, "point_value_minor": 200})
# Tournaments whose pages differ, by the word that stands for them in the name of a picture.
TOURNAMENTS = {
    "": "Everything",
    "running": "Timed",
    "money": "Saturday",
    "stocked": "stocked night",
    "disputed": "Two words",
    **{preset: f"{preset} night" for preset in GAMES.values()},
}
BY_NAME = {str(pattern.name): pattern for pattern in urlpatterns}
# Files, and answers to what is posted.
NO_PAGES = (
    # Its address is a signed token, which only a mail has.
    "stop_messages",
    *("podium", "_picture", "screen_code", "past", "app_list", "_balances", "_journal", "_receipt", "_file"),
    *(
        "_payouts",
        "_summary",
        "_certificates",
        "_sheets",
        "paper_seating",
        "_standings",
        "_winners",
        "_site",
        "_settle",
    ),
    *("_settle_all", "_till", "_repeat", "_restore", "_again", "_unmerge", "_revoke", "_device", "_words"),
    *("_preview", "_hand"),
)
PUBLIC = [name for name in BY_NAME if (name not in FILES or name.startswith("embed")) and not name.endswith(NO_PAGES)]
STAFF = [name for name in admin_addresses.CLUB_PAGES if not name.endswith(NO_PAGES)]
OTHERS = {
    "login": "/admin/login/",
    "card": "/table/",
    "password": "/admin/password_change/",
    "nowhere": "/c/nobody/",
    "judge.count": JUDGED[1],
    "judge.show": JUDGED[2],
    "judge.typed_wrong": JUDGED[3],
}


@dataclass(frozen=True)
class Pictured:
    """What ids name, and the secret of a table's card."""

    names: dict[str, str]
    card: str


def pictured_club() -> Pictured:
    """Play everything."""
    with at_a_moment(START):
        tell_of_two_clubs()
        Club.objects.update(is_published=True)
    with at_a_moment(NOW):
        WorkerHeartbeat.objects.update(beat_at=VISITED)
        home = admin_addresses.stocked("stocked")
        _running(home.club)
        for minutes, preset in enumerate(GAMES.values(), 1):
            _game(home.club, preset, NOW - timedelta(minutes=minutes))
        a_printed_night(club_called("Asha's club", "asha"))
        owner = person(OWNER, first_name="Olga")
        for club in Club.objects.order_by("name"):
            Membership.objects.create(user=owner, club=club, role=Role.OWNER)
        card = card_for(home, seat=1)
    return Pictured(dict(_named()), str(card.secret))


def _running(club: Club) -> None:
    """A tournament by the clock, of which a round is being played and a projector shows a message."""
    starts_at = NOW + timedelta(seconds=1)
    night = a_night(club, TIMED, is_published=True, name="Timed", entry_minor=10_000, starts_at=starts_at)
    night.enter("Kim", "Lou", "Mo", "Nia")
    night.enter("Ola", "Pia", is_here=False)
    night.seat()
    start_clock(night, at_second=int(NOW.timestamp()))
    steer(night.tournament, Steering(message="Tea is served"), context=at())


def _game(club: Club, preset: str, starts_at: datetime) -> None:
    """A table of three, or of two, with two random deals, at the first stakes that the game allows."""
    seats = CAST[:2] if preset == GAMES["gin"] else CAST[:3]
    for stakes in STAKES:
        with suppress(OptionsRejected):
            draft = {"name": f"{preset} night", "starts_at": starts_at, "fee_bp": 1_000, **stakes}
            evening = evening_at(club, preset=preset, names=seats, **draft)
            break
    for deal in ("first", "second"):
        table = load_table(Scoresheet.objects.get(table=evening.table).state)
        evening.record({"kind": "deal_recorded", **next_deal(table, Chance(deal))})


def _named() -> Iterator[tuple[str, str]]:
    """Every id, without dashes, and the row that it names; namesakes by their number."""
    uses: dict[str, int] = {}
    for model in (Club, Tournament, Table, Player, Season):
        for row in model._default_manager.order_by("pk"):
            called = f"{row.tournament.name} {row.round}.{row.number}" if isinstance(row, Table) else row.name
            name = f"{model._meta.model_name} {called}"
            uses[name] = uses.get(name, 0) + 1
            yield row.pk.hex, name if uses[name] == 1 else f"{name} {uses[name]}"


def pages() -> dict[str, tuple[str, str]]:
    """The name and the tournament of every page, by the name of its picture."""
    named = {
        f"{name.removeprefix('tournaments_')}{word and '.'}{word}": (name, word)
        for name in (*PUBLIC, *STAFF)
        for word in _words(name)
    }
    return named | {name: (name, "") for name in OTHERS} | {"table_score.card": ("tournaments_table_score", "stocked")}


def _words(name: str) -> tuple[str, ...]:
    """The tournaments about which a page is asked for: in German and Hindi the first of them."""
    if name.startswith("judge_game"):
        return tuple(variant for variant, rules in VARIANTS.items() if rules.judge)
    if name.startswith("tournaments_table_"):
        return ("stocked", *(GAMES.values() if name.endswith("_score") else ("disputed",) if "disput" in name else ()))
    if name.startswith("tournaments_tournament_") and not name.endswith(("_add", "_changelist", "_delete")):
        return ("running", "", "money") if "money" in name else ("running", "")
    if name == "tournaments_tournament_add":
        # Before a game is chosen, it lists players who played as often in no certain order.
        return (GAMES["pool"],)
    if name.startswith("tournaments_club_"):
        return ("", "stocked")
    if name in STAFF:
        return ("stocked",)
    if name == "table":
        return ("", *GAMES.values())
    is_of_tournament = "<slug:slug>" in str(BY_NAME[name].pattern) and "seasons/" not in str(BY_NAME[name].pattern)
    return ("", "running") if is_of_tournament and not name.endswith(("round", "_part")) else ("",)


def address_of(name: str, word: str) -> str:
    """The page's address for this tournament, in the language that is active."""
    if name in OTHERS:
        return OTHERS[name]
    if name.startswith("judge_game"):
        return reverse(route(name), args=[word])
    tournament = Tournament.objects.select_related("club").get(name=TOURNAMENTS[word])
    table = tournament.tables.all()[0]
    if name in STAFF:
        return _of_staff(name, Evening(club=tournament.club, tournament=tournament, table=table))
    converters, path = BY_NAME[name].pattern.converters, str(BY_NAME[name].pattern)
    known = {
        "club_slug": tournament.club.slug,
        "slug": tournament.club.seasons.all()[0].slug if "seasons/" in path else tournament.slug,
        "player": table.seats.all()[0].player_id,
        "round": table.round,
        "number": table.number if "table-" in path else 1,
    }
    return reverse(route(name), kwargs={word: known[word] for word in converters})


def _of_staff(name: str, evening: Evening) -> str:
    if name == "tournaments_tournament_many":
        return reverse(f"admin:{name}", args=[evening.tournament.pk, "check_in"])
    address = admin_addresses.address(name, evening)
    assert address is not None, name
    if name == "scoring_account_changelist":
        # Accounts of other kinds are equals in several clubs, and the list has no order between those.
        return f"{address}?kind__exact=player"
    if name == "tournaments_tournament_add":
        game = evening.tournament.preset
        return f"{address}?club={evening.club.pk}{'&preset=' + game if game in evening.tournament.name else ''}"
    return address
