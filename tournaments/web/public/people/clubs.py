"""The list of clubs that publish, and each club's own page: running now with live places, next, the last results."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.utils.translation import gettext
from django.views.decorators.http import conditional_page, require_safe

from scoring.rules.variants import variant
from tournaments.boards.clubs import (
    ClubCard,
    TournamentCard,
    club_page,
    names_in_play,
    published_clubs,
    running_cards,
    running_tournaments,
)
from tournaments.boards.winners import InFront
from tournaments.models import Club, Tournament
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.rendering.left_out import lines_of
from tournaments.web.public.base.answers import (
    PRIVATE,
    SHARED,
    is_public,
    packed,
    page_tag,
    sealed_context,
    seen_club,
    sees_hidden,
    unless_unchanged,
)
from tournaments.web.public.base.words import MINUS, Moment, game_title, listed, moment, number_said, place_said
from tournaments.web.public.boards.boards import stakes_line
from tournaments.web.public.seasons.seasons import season_card

Context = dict[str, Any]
# Slower than a board: this page is for looking round, and asks for many boards at once.
LIVE, RESTING = "every 4s", "every 30s"
ON_THE_PODIUM = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceShown:
    """One of the first places: as a card has it."""

    place: str
    name: str
    number: str
    is_first: bool


class CardShown:
    """A tournament's card as the template reads it."""

    def __init__(self, card: TournamentCard) -> None:
        self.card = card
        self.tournament = card.tournament
        self.game = game_title(card.tournament)
        self.stakes = stakes_line(card.tournament)
        self.is_public = is_public(card.tournament)
        self.front = [_place_shown(card.tournament, each) for each in card.front]
        self.podium = [shown for shown, each in zip(self.front, card.front, strict=True) if each.place <= ON_THE_PODIUM]
        zone = zone_of(card.tournament.club.timezone)
        self.starts: Moment = moment(card.tournament.starts_at, zone)
        self.heard: Moment | None = moment(card.heard, zone) if card.heard is not None else None


class ClubShown:
    """A club in the list of clubs, with when its next tournament begins."""

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
    """Every club that publishes."""
    context = {
        "clubs": lines_of(published_clubs(now()), ClubShown),
        "title": gettext("Clubs"),
        "description": gettext("Rummy clubs with their leaderboards and score sheets, live from the tables."),
    }
    answer = render(request, "pages/home.html", context)
    answer.headers["Cache-Control"] = SHARED
    return answer


@require_safe
@packed
@conditional_page
def club(request: HttpRequest, club_slug: str) -> HttpResponse:
    """One club's tournaments. Those who work for it see the unpublished ones too, marked as such."""
    found = seen_club(request, club_slug)
    works_here = request.user.is_authenticated and sees_hidden(request, found)
    page = club_page(found, with_hidden=works_here)
    tag = _running_tag(found, [card.tournament for card in page.running])
    context: Context = {
        "title": found.name,
        **_running_context(found, page.running, tag),
        "coming": lines_of(page.coming, CardShown),
        "results": lines_of(page.results, CardShown),
        "season_card": season_card(found),
        **sealed_context(found),
    }
    context["preview"] = _pictured(context["running"], context["results"], context["coming"])
    answer = render(request, "pages/club.html", context)
    answer.headers["Cache-Control"] = PRIVATE if works_here or not found.is_published else SHARED
    return answer


@require_safe
def running_part(request: HttpRequest, club_slug: str) -> HttpResponse:
    """What is being played now, with the places: the part of a club's page that changes."""
    found = seen_club(request, club_slug)
    works_here = request.user.is_authenticated and sees_hidden(request, found)
    running = running_tournaments(found, with_hidden=works_here)
    tag = _running_tag(found, running)

    def make() -> HttpResponse:
        context = {**_running_context(found, running_cards(running), tag), "is_part": True}
        return render(request, "pages/club_running.html", context)

    return unless_unchanged(request, tag, make, is_shared=found.is_published and not works_here)


def _running_context(club: Club, cards: Sequence[TournamentCard], tag: str) -> Context:
    """What the part of the page reads that changes."""
    shown = lines_of(cards, CardShown)
    heard = [(each.card.heard, each.heard) for each in shown if each.card.heard and each.heard]
    return {
        "club": club,
        "running": shown,
        "tag": tag,
        "poll": LIVE if cards else RESTING,
        "as_of": max(heard)[1] if heard else None,
        "summary": _summary([each.card for each in shown]),
    }


def _running_tag(club: Club, running: Sequence[Tournament]) -> str:
    """A tag over all that the part shows: each board's position, what the club wrote, and the names at tables."""
    marks = [
        (each.id, each.board_position, each.name, each.slug, each.is_published, each.preset, stakes_line(each))
        for each in running
    ]
    return page_tag(
        "running", club.slug, club.timezone, club.locale, club.is_published, *marks, *names_in_play(running)
    )


def _summary(cards: Sequence[TournamentCard]) -> str:
    """What is read out when the places have changed: who leads where, in one breath."""
    leads = [f"{card.tournament.name}: {listed(card.first)}" for card in cards if 0 < len(card.first) <= 2]
    return gettext("Current leaders: %(leads)s.") % {"leads": "; ".join(leads[:2])} if leads else ""


def _place_shown(tournament: Tournament, each: InFront) -> PlaceShown:
    said = number_said(variant(tournament.variant).race, each.number)
    return PlaceShown(
        place=place_said(each.place, is_tied=each.is_tied),
        name=each.name,
        is_first=each.place == 1,
        number=each.score.replace("-", MINUS) if each.score not in ("", str(each.number)) else said,
    )


def _pictured(*lists: Sequence[CardShown]) -> Tournament | None:
    """The tournament whose podium stands for the club beside a link: what runs, else the last result, else the next."""
    return next((card.tournament for cards in lists for card in cards if card.is_public), None)
