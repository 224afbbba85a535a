"""The list of clubs that publish, and each club's own page: running now, next, and the last results."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import conditional_page, require_safe

from tournaments.pages.answers import PRIVATE, SHARED
from tournaments.pages.boards import game_title, stakes_line
from tournaments.pages.doors import is_public, seen_club, sees_hidden
from tournaments.pages.words import Moment, listed, moment, zone_of
from tournaments.queries import TournamentCard, club_page, published_clubs


class CardShown:
    """A tournament's card as the template reads it."""

    def __init__(self, card: TournamentCard) -> None:
        self.card = card
        self.tournament = card.tournament
        self.game = game_title(card.tournament)
        self.stakes = stakes_line(card.tournament)
        self.first = listed(card.first)
        self.is_public = is_public(card.tournament)

    @property
    def starts(self) -> Moment:
        return moment(self.tournament.starts_at, zone_of(self.tournament.club.timezone))


@require_safe
@conditional_page
def home(request: HttpRequest) -> HttpResponse:
    """Every club that publishes."""
    answer = render(request, "pages/home.html", {"clubs": published_clubs(), "title": "Clubs"})
    answer.headers["Cache-Control"] = SHARED
    return answer


@require_safe
@conditional_page
def club(request: HttpRequest, club_slug: str) -> HttpResponse:
    """One club's tournaments. Those who work for it see the unpublished ones too, marked as such."""
    found = seen_club(request, club_slug)
    works_here = request.user.is_authenticated and sees_hidden(request, found)
    page = club_page(found, with_hidden=works_here)
    context = {
        "club": found,
        "title": found.name,
        "running": [CardShown(card) for card in page.running],
        "coming": [CardShown(card) for card in page.coming],
        "results": [CardShown(card) for card in page.results],
    }
    answer = render(request, "pages/club.html", context)
    answer.headers["Cache-Control"] = PRIVATE if works_here or not found.is_published else SHARED
    return answer
