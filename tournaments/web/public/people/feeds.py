"""A club's results as a feed, and its tournaments as a calendar that phones subscribe to.

Rules: docs/how-to/publishing.md, "Feeds". Both hold what is published and nothing else. Knows nothing of points.
"""

import unicodedata
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed, rfc3339_date
from django.utils.html import escape
from django.utils.translation import gettext, gettext_noop, ngettext
from django.views.decorators.http import conditional_page, require_safe

from tournaments.boards.clubs import TournamentCard, calendar_of, club_page, last_words
from tournaments.models import Club, Tournament
from tournaments.rendering.left_out import pairs_of
from tournaments.web.public.base.answers import PRIVATE, SHARED, seen_club
from tournaments.web.public.base.words import game_title, listed
from tournaments.web.public.boards.boards import stakes_line

if TYPE_CHECKING:
    from icalendar import Event

CALENDAR = "text/calendar; charset=utf-8"
# No file of XML may hold them, and no name needs them.
NEVER_TOLD = frozenset({"Cc", "Cs"})
NO_CHARACTERS = "\ufffe\uffff"
GIVEN_UP = gettext_noop("Abandoned: nobody wins, and nobody owes anything.")


@require_safe
@conditional_page
def results(request: HttpRequest, club_slug: str) -> HttpResponse:
    """The last results as an Atom feed."""
    club = seen_club(request, club_slug)
    answer = ResultsFeed(club)(request)
    # A name may change without any fact: only the tag knows whether this is what a reader has.
    answer.headers.pop("Last-Modified", None)
    return _kept(answer, club)


@require_safe
@conditional_page
def calendar(request: HttpRequest, club_slug: str) -> HttpResponse:
    """The club's tournaments as iCalendar."""
    # Most processes are never asked for a calendar, and need not hold the 9 MB that make one.
    import icalendar  # noqa: PLC0415

    club = seen_club(request, club_slug)
    made = icalendar.Calendar()
    made.add("prodid", "-//Rummy Evening//Tournaments//EN")
    made.add("version", "2.0")
    made.add("x-wr-calname", plain(club.name))
    tournaments = calendar_of(club)
    heard = last_words(tournaments)

    def entry_of(tournament: Tournament) -> "Event":
        entry = icalendar.Event()
        _fill(entry, tournament, request.build_absolute_uri(_address(tournament)), heard[tournament.id])
        entry.to_ical()
        return entry

    for _, entry in pairs_of(tournaments, entry_of):
        made.add_component(entry)
    return _kept(HttpResponse(made.to_ical(), content_type=CALENDAR), club)


def plain(text: str) -> str:
    """The text on one line, without characters that only machines use."""
    kept = (letter for letter in " ".join(text.split()) if letter not in NO_CHARACTERS)
    return "".join(letter for letter in kept if unicodedata.category(letter) not in NEVER_TOLD)


class ResultsFeed(Feed):  # type: ignore[type-arg]  # it takes none at run time
    """A club's last results, the newest first."""

    feed_type = Atom1Feed

    def __init__(self, club: Club) -> None:
        super().__init__()
        self.club = club
        cards = club_page(club, with_hidden=False).results
        self.heard: dict[UUID, datetime] = last_words([card.tournament for card in cards])
        self.cards = tuple(card for card, _ in pairs_of(cards, self._told))

    def _told(self, item: TournamentCard) -> tuple[str, ...]:
        """All that is told of a result, to see whether it can be."""
        moments = (self.item_pubdate(item), self.item_updateddate(item))
        return (self.item_title(item), self.item_description(item), *map(rfc3339_date, moments))

    def title(self) -> str:
        return gettext("{club}: results").format(club=plain(self.club.name))

    def link(self) -> str:
        return f"/c/{self.club.slug}/"

    def feed_guid(self) -> str:
        return f"urn:uuid:{self.club.id}"

    def items(self) -> tuple[TournamentCard, ...]:
        return self.cards

    def item_title(self, item: TournamentCard) -> str:
        return plain(item.tournament.name)

    def item_description(self, item: TournamentCard) -> str:
        """The winners in a sentence. Readers take it for HTML, so names are escaped here."""
        if item.tournament.is_cancelled:
            return gettext(GIVEN_UP)
        players = ngettext("{number} player", "{number} players", item.players).format(number=item.players)
        tables = ngettext("{number} table", "{number} tables", item.tables).format(number=item.tables)
        said = gettext("First: {names}. {game}, {players} at {tables}.") if item.first else ""
        said = said or gettext("{game}, {players} at {tables}.")
        game = game_title(item.tournament)
        return escape(plain(said.format(names=listed(item.first), game=game, players=players, tables=tables)))

    def item_link(self, item: TournamentCard) -> str:
        return _address(item.tournament)

    def item_guid(self, item: TournamentCard) -> str:
        return f"urn:uuid:{item.tournament.id}"

    def item_pubdate(self, item: TournamentCard) -> datetime:
        return item.tournament.starts_at

    def item_updateddate(self, item: TournamentCard) -> datetime:
        return self.heard[item.tournament.id]


def _fill(entry: "Event", tournament: Tournament, address: str, heard: datetime) -> None:
    """One tournament of the calendar. How long it will take nobody knows before it is closed."""
    entry.add("uid", f"{tournament.id}@rummy-evening")
    entry.add("dtstamp", heard)
    entry.add("dtstart", tournament.starts_at)
    if tournament.closed_at and tournament.closed_at > tournament.starts_at:
        entry.add("dtend", tournament.closed_at)
    entry.add("summary", plain(tournament.name))
    said = [game_title(tournament), stakes_line(tournament), address]
    entry.add("description", "\n".join(plain(line) for line in said if line))
    entry.add("url", address)
    entry.add("status", "CANCELLED" if tournament.is_cancelled else "CONFIRMED")


def _address(tournament: Tournament) -> str:
    return f"/c/{tournament.club.slug}/t/{tournament.slug}/"


def _kept(answer: HttpResponse, club: Club) -> HttpResponse:
    """What a club publishes may be kept, and is asked about each time."""
    answer.headers["Cache-Control"] = SHARED if club.is_published else PRIVATE
    return answer
