"""The clubs that publish, each club's own page, its results as a feed, and its tournaments as a calendar.

Rules: docs/how-to/publishing.md, "Feeds". The page shows what runs now with live places, what comes next, and the last
results. Only published tournaments are included.
"""

import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.feedgenerator import Atom1Feed, rfc3339_date
from django.utils.html import escape
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop, ngettext, override
from django.views.decorators.http import conditional_page, require_safe

from tournaments.boards.clubs import (
    ClubCard,
    TournamentCard,
    calendar_of,
    club_page,
    last_words,
    published_clubs,
    running_cards,
    running_tournaments,
)
from tournaments.boards.winners import InFront
from tournaments.models import Club, Tournament
from tournaments.printing import game_text
from tournaments.projections.shown import version_shown
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.formatting import has_decimals, place_text, zone_of
from tournaments.rendering.left_out import lines_of, pairs_of
from tournaments.web.addresses import club_language
from tournaments.web.public.base.answers import (
    PRIVATE,
    SHARED,
    Context,
    is_public,
    packed,
    page_tag,
    sealed_context,
    seen_club,
    sees_hidden,
    unless_unchanged,
)
from tournaments.web.public.base.words import Moment, listed, moment, number_text
from tournaments.web.public.boards.boards import stakes_line
from tournaments.web.public.people.seasons import season_card

if TYPE_CHECKING:
    from icalendar import Event


# Polled more slowly than a board: this page is an overview, and loads many boards at once.
LIVE, RESTING = "every 4s", "every 30s"
ON_THE_PODIUM = 3
CALENDAR = "text/calendar; charset=utf-8"
# Characters that no XML file may contain, and no name needs.
NEVER_SHOWN = frozenset({"Cc", "Cs"})
NO_CHARACTERS = "\ufffe\uffff"
GIVEN_UP = gettext_noop("Abandoned: nobody wins, and nobody owes anything.")


class CardShown:
    """A tournament's card for the template."""

    def __init__(self, card: TournamentCard) -> None:
        self.card = card
        self.tournament = card.tournament
        self.game = game_text(card.tournament)
        self.stakes = stakes_line(card.tournament)
        self.is_public = is_public(card.tournament)
        decimals = has_decimals(leader.score for leader in card.front)
        self.front = [_place_shown(leader, decimals=decimals) for leader in card.front]
        self.podium = [
            place for place, leader in zip(self.front, card.front, strict=True) if leader.place <= ON_THE_PODIUM
        ]
        zone = zone_of(card.tournament.club.timezone)
        self.starts: Moment = moment(card.tournament.starts_at, zone)
        self.heard: Moment | None = moment(card.heard, zone) if card.heard is not None else None


class ClubShown:
    """A club in the list of clubs, with the start of its next tournament."""

    def __init__(self, card: ClubCard) -> None:
        self.card = card
        self.club = card.club
        self.following = card.following
        zone = zone_of(card.club.timezone)
        self.starts: Moment | None = moment(card.following.starts_at, zone) if card.following is not None else None


@require_safe
@packed
@conditional_page
def home(request: HttpRequest) -> HttpResponse:
    """List every club that publishes."""
    context = {
        "clubs": lines_of(published_clubs(now()), ClubShown),
        "title": gettext("Clubs"),
        "description": gettext("Rummy clubs with their leaderboards and score sheets, live from the tables."),
    }
    return _kept(render(request, "pages/home.html", context), is_shared=True)


@require_safe
@packed
@conditional_page
def club(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Show one club's tournaments. Users of the club see the unpublished ones too, marked as such."""
    shown_club = seen_club(request, club_slug)
    works_here = request.user.is_authenticated and sees_hidden(request, shown_club)
    page = club_page(shown_club, with_hidden=works_here)
    tag = _running_tag(shown_club, [card.tournament for card in page.running])
    context: Context = {
        "title": shown_club.name,
        **_running_context(shown_club, page.running, tag),
        "coming": lines_of(page.coming, CardShown),
        "results": lines_of(page.results, CardShown),
        "season_card": season_card(shown_club),
        **sealed_context(shown_club),
    }
    # The tournament whose podium is the club's preview picture: the running one, else the last result, else the next.
    cards = (*context["running"], *context["results"], *context["coming"])
    context["preview"] = next((card.tournament for card in cards if card.is_public), None)
    is_shared = shown_club.is_published and not works_here
    return _kept(render(request, "pages/club.html", context), is_shared=is_shared)


@require_safe
def running_part(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Return the part of a club's page that changes: what is being played now, with the places."""
    club = seen_club(request, club_slug)
    works_here = request.user.is_authenticated and sees_hidden(request, club)
    running = running_tournaments(club, with_hidden=works_here)
    tag = _running_tag(club, running)

    def make() -> HttpResponse:
        context = {**_running_context(club, running_cards(running), tag), "is_part": True}
        return render(request, "pages/club_running.html", context)

    return unless_unchanged(request, tag, make, is_shared=club.is_published and not works_here)


def _running_context(club: Club, cards: Sequence[TournamentCard], tag: str) -> Context:
    """Return the context of that part."""
    shown_cards = lines_of(cards, CardShown)
    heard = [
        (shown_card.card.heard, shown_card.heard)
        for shown_card in shown_cards
        if shown_card.card.heard and shown_card.heard
    ]
    return {
        "club": club,
        "running": shown_cards,
        "tag": tag,
        "poll": LIVE if cards else RESTING,
        "as_of": max(heard)[1] if heard else None,
        "summary": _summary([shown_card.card for shown_card in shown_cards]),
    }


def _running_tag(club: Club, running: Sequence[Tournament]) -> str:
    """Return a tag over everything in the part: each board's position, and the number of other changes."""
    marks = [(tournament.pk, tournament.board_position) for tournament in running]
    return page_tag("running", club.pk, version_shown(club), *marks)


def _summary(cards: Sequence[TournamentCard]) -> str:
    """Return the text for screen readers after a change: who leads where."""
    leads = [f"{card.tournament.name}: {listed(card.first)}" for card in cards if 0 < len(card.first) <= 2]
    return gettext("Current leaders: %(leads)s.") % {"leads": "; ".join(leads[:2])} if leads else ""


def _place_shown(each: InFront, *, decimals: bool) -> Context:
    """Return one of the first places for a card."""
    number = number_text(each.race, each.number)
    if each.score and (decimals or each.score != str(each.number)):
        number = formatting.number_text(each.score, decimals=decimals)
    return {
        "place": place_text(each.place, is_tied=each.is_tied),
        "player": each.player,
        "name": each.name,
        "is_first": each.place == 1,
        "number": number,
    }


@require_safe
@conditional_page
def results(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Return the last results as an Atom feed."""
    club = seen_club(request, club_slug)
    with override(club_language(club)):
        answer = ResultsFeed(club)(request)
    # A name may change without any event: only the tag shows whether a reader is up to date.
    answer.headers.pop("Last-Modified", None)
    return _kept(answer, is_shared=club.is_published)


@require_safe
@conditional_page
def calendar(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Return the club's tournaments as iCalendar."""
    # Most processes are never asked for a calendar, and need not load its 9 MB.
    import icalendar  # noqa: PLC0415

    club = seen_club(request, club_slug)
    ical_calendar = icalendar.Calendar()
    ical_calendar.add("prodid", "-//Rummy Evening//Tournaments//EN")
    ical_calendar.add("version", "2.0")
    ical_calendar.add("x-wr-calname", plain(club.name))
    tournaments = calendar_of(club)
    heard = last_words(tournaments)

    def entry_of(tournament: Tournament) -> "Event":
        entry = icalendar.Event()
        _fill(entry, tournament, request.build_absolute_uri(_address(tournament)), heard[tournament.id])
        entry.to_ical()
        return entry

    with override(club_language(club)):
        for _, entry in pairs_of(tournaments, entry_of):
            ical_calendar.add_component(entry)
    return _kept(HttpResponse(ical_calendar.to_ical(), content_type=CALENDAR), is_shared=club.is_published)


def plain(text: str) -> str:
    """Return the text on one line, without control characters."""
    letters = (letter for letter in " ".join(text.split()) if letter not in NO_CHARACTERS)
    return "".join(letter for letter in letters if unicodedata.category(letter) not in NEVER_SHOWN)


class ResultsFeed(Feed):  # type: ignore[type-arg]  # it takes none at run time
    """A club's last results, the newest first."""

    feed_type = Atom1Feed

    def __init__(self, club: Club) -> None:
        super().__init__()
        self.club = club
        cards = club_page(club, with_hidden=False).results
        self.heard: dict[UUID, datetime] = last_words([card.tournament for card in cards])
        self.cards = tuple(card for card, _ in pairs_of(cards, self._texts_of))

    def _texts_of(self, item: TournamentCard) -> tuple[str, ...]:
        """Build all texts of a result, to find out whether that fails."""
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
        """The winners in a sentence. Feed readers parse it as HTML, so names are escaped here."""
        if item.tournament.is_cancelled:
            return gettext(GIVEN_UP)
        players = ngettext("{number} player", "{number} players", item.players).format(number=item.players)
        tables = ngettext("{number} table", "{number} tables", item.tables).format(number=item.tables)
        text = gettext("First: {names}. {game}, {players} at {tables}.") if item.first else ""
        text = text or gettext("{game}, {players} at {tables}.")
        game = game_text(item.tournament)
        return escape(plain(text.format(names=listed(item.first), game=game, players=players, tables=tables)))

    def item_link(self, item: TournamentCard) -> str:
        return _address(item.tournament)

    def item_guid(self, item: TournamentCard) -> str:
        return f"urn:uuid:{item.tournament.id}"

    def item_pubdate(self, item: TournamentCard) -> datetime:
        return item.tournament.starts_at

    def item_updateddate(self, item: TournamentCard) -> datetime:
        return self.heard[item.tournament.id]


def _fill(entry: "Event", tournament: Tournament, address: str, heard: datetime) -> None:
    """Fill in one tournament of the calendar. Its length is unknown until it is closed."""
    entry.add("uid", f"{tournament.id}@rummy-evening")
    entry.add("dtstamp", heard)
    entry.add("dtstart", tournament.starts_at)
    if tournament.closed_at and tournament.closed_at > tournament.starts_at:
        entry.add("dtend", tournament.closed_at)
    entry.add("summary", plain(tournament.name))
    lines = [game_text(tournament), stakes_line(tournament), address]
    entry.add("description", "\n".join(plain(line) for line in lines if line))
    entry.add("url", address)
    if tournament.club.venue:
        entry.add("location", plain(tournament.club.venue))
    entry.add("status", "CANCELLED" if tournament.is_cancelled else "CONFIRMED")


def _address(tournament: Tournament) -> str:
    return f"/c/{tournament.club.slug}/t/{tournament.slug}/"


def _kept(answer: HttpResponse, *, is_shared: bool) -> HttpResponse:
    """Set caching: public responses may be stored, and are revalidated each time."""
    answer.headers["Cache-Control"] = SHARED if is_shared else PRIVATE
    return answer
