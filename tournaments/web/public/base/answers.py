"""Responses with an ETag: an unchanged page is answered with 304 before anything is computed or rendered.

A tag covers everything a page is made of: the version of its events, the names on it (a player may be renamed or erased
without any event), what the club wrote about it, the language, and this release.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from tournaments import log
from tournaments.boards import Board
from tournaments.boards.clubs import sheet_by_address, tournament_by_address
from tournaments.boards.winners import Evidence
from tournaments.models import Club, Scoresheet, Season, Tournament
from tournaments.people.permissions import NOBODY, Actor, Permission, actor_of, may
from tournaments.people.second_factor import owes_second_factor
from tournaments.printing import game_text
from tournaments.projections.cached import cached, cached_already
from tournaments.projections.shown import Shown, shown_by_address, shown_of
from tournaments.release import tag_digest
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.seasons.queries import season_by_address
from tournaments.web.packed import HTML, is_known, pack, pack_answer, tag_sent, takes_packed, unpacked
from tournaments.web.public.base.words import moment

# Stored by browsers and proxies, but revalidated each time: a tag costs a fraction of a page.
SHARED = "public, no-cache"
PRIVATE = "private, no-store"
View = Callable[..., HttpResponse]
Published = TypeVar("Published", Tournament, Season)


def page_tag(*parts: object) -> str:
    """Return a strong tag over everything given, and this release."""
    return f'"{tag_digest(get_language(), *parts)}"'


def unless_unchanged(
    request: HttpRequest, tag: str, make: Callable[[], HttpResponse], *, is_shared: bool
) -> HttpResponse:
    """Return 304 where the visitor has this page already; otherwise the page, with its tag."""
    answer = HttpResponseNotModified() if is_known(request, tag) else make()
    answer.headers["ETag"] = tag_sent(request, tag) if is_shared else tag
    answer.headers["Cache-Control"] = SHARED if is_shared else PRIVATE
    if is_shared:
        pack_answer(request, answer)
    return _packed(request, answer)


def cached_answer(
    request: HttpRequest, tag: str, make: Callable[[], HttpResponse], *, club: Club, kind: str = HTML
) -> HttpResponse:
    """Return a public response of a content type, made once for each tag; with a query string it is always made.

    The tag must cover everything that is shown, with the host where there are whole addresses: `address_tag`.
    """
    if request.GET:
        return make()
    return unpacked(request, cached(tag, lambda: pack(make().content), club=club), kind)


def packed(view: View) -> View:
    """Compress a view's public responses. Must wrap what computes a tag from the text: that tag becomes weak."""

    @wraps(view)
    def answered(request: HttpRequest, *words: object, **named: object) -> HttpResponse:
        return _packed(request, view(request, *words, **named))

    return answered


def _packed(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Compress the response if accepted: a public page has no secret that its length could reveal."""
    if answer.headers.get("Cache-Control") == SHARED:
        if takes_packed(request):
            GZipMiddleware(lambda _: answer).process_response(request, answer)
        # Also without a body: a cache applies the headers of a 304 to its stored page.
        patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


# Access: what a club publishes is public, the rest is for the club's users.


def seen_club(request: HttpRequest, club_slug: str) -> Club:
    """Return the club, if it publishes or the visitor may see it. Raises Http404."""
    club = Club.objects.select_related("shown_version").filter(slug=club_slug).first()
    if club is None or not (club.is_published or sees_hidden(request, club)):
        raise Http404
    return club


def seen_tournament(request: HttpRequest, club_slug: str, slug: str) -> Tournament:
    """Return the tournament with its club, if the visitor may see it. Raises Http404."""
    return _if_seen(request, tournament_by_address(club_slug, slug))


def seen_sheet(request: HttpRequest, club_slug: str, slug: str, round: int, number: int) -> Scoresheet:  # noqa: A002
    """Return the table's score sheet row, if the visitor may see it. Raises Http404."""
    sheet = sheet_by_address(club_slug, slug, round, number)
    if sheet is None:
        raise Http404
    _if_seen(request, sheet.table.tournament)
    return sheet


def seen_season(request: HttpRequest, club_slug: str, slug: str) -> Season:
    """Return the season with its club, if the visitor may see it. Raises Http404."""
    return _if_seen(request, season_by_address(club_slug, slug))


def _if_seen(request: HttpRequest, row: Published | None) -> Published:
    if row is None or not (is_public(row) or sees_hidden(request, row.club)):
        raise Http404
    return row


def is_public(row: Tournament | Season) -> bool:
    """Whether it is public. `row` must carry its club."""
    return row.is_published and row.club.is_published


def sees_hidden(request: HttpRequest, club: Club) -> bool:
    """Whether the visitor may see what the club has not published."""
    return may(_actor_in(request), Permission.WATCH, club)


def sees_reasons(request: HttpRequest, club: Club) -> bool:
    """Whether the visitor works for the club, and so may read the reasons of corrections."""
    return may(_actor_in(request), Permission.SEE, club)


def _actor_in(request: HttpRequest) -> Actor:
    """Who looks at a public page. A password alone shows no more than to a visitor where a second factor is owed."""
    actor = actor_of(request.user)
    user_id = request.user.pk
    return NOBODY if user_id is not None and owes_second_factor(actor, user_id) else actor


def tournament_tag(tournament: Tournament, *more: object, position: int | None = None) -> str:
    """Return a tag over everything that a tournament's pages show: its events, its names and the club's texts.

    `position` replaces the current position where a page shows only the events up to there; `more` is what else was
    asked.
    """
    return shown_tag(shown_of(tournament), *more, position=position)


def shown_tag(shown: Shown, *more: object, position: int | None = None) -> str:
    """Return the tag for what a tournament shows."""
    takes_entries = ("entries",) if shown.takes_entries else ()
    shown_at = shown.position if position is None else position
    return page_tag(shown.tournament, shown_at, shown.version, *takes_entries, *more)


def address_tag(request: HttpRequest, *parts: object) -> str:
    """Return the tag of a page at its own address: whole addresses on it begin with the scheme and the host."""
    return page_tag(request.scheme, request.get_host(), request.path, *parts)


def quick_answer(request: HttpRequest, shown: Shown, tag: str, kind: str) -> HttpResponse | None:
    """Return 304 or the cached response before the tournament is loaded; None if it has to be made, or is not public.

    The tag covers what a tournament shows, so that it was computed from `shown`.
    """
    if not shown.is_public:
        return None
    text = b"" if is_known(request, tag) else cached_already(tag)
    if text is None:
        return None
    return unless_unchanged(request, tag, lambda: unpacked(request, text, kind), is_shared=True)


# The line at the foot of a club's own pages: up to where its log is sealed, for pages that show no single board.


def sealed_context(club: Club) -> dict[str, Any]:
    """Return the context of `pages/sealed.html`, in one query; no seal before the first one."""
    seal = log.last_seal(club.id)
    if seal is None:
        return {"seal": None}
    return {
        "seal": seal,
        "seal_fingerprint": log.seal_fingerprint(seal),
        "sealed": moment(seal.sealed_at, zone_of(club.timezone)),
    }


Context = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subpage:
    """One page of a tournament: its template, its title, and its description in a sentence."""

    template: str
    title: str
    description: str
    context: Context


def answer_subpage(
    request: HttpRequest, tournament: Tournament, make: Callable[[], Subpage], *more: object
) -> HttpResponse:
    """The page that `make` builds, unless the visitor has it. `more` is what it shows besides the board's events.

    A public page is made once for each tag.
    """
    tag = _subpage_tag(request, shown_of(tournament), *more)

    def made() -> HttpResponse:
        return _rendered(request, tournament, make())

    is_shared = is_public(tournament)
    answer = partial(cached_answer, request, tag, made, club=tournament.club) if is_shared else made
    return unless_unchanged(request, tag, answer, is_shared=is_shared)


def quick_subpage(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse | None:
    """Return the cached page for the slugs of its address; None where it is not cached."""
    shown = None if request.GET else shown_by_address(club_slug, slug)
    return None if shown is None else quick_answer(request, shown, _subpage_tag(request, shown), HTML)


def _subpage_tag(request: HttpRequest, shown: Shown, *more: object) -> str:
    return address_tag(request, shown_tag(shown), *more)


def evidence_context(tournament: Tournament, evidence: Board | Evidence) -> Context:
    """Return the context for the line of evidence."""
    when = evidence.recorded_at
    return {
        "evidence": evidence,
        "as_of": moment(when, zone_of(tournament.club.timezone)) if when is not None else None,
    }


def _rendered(request: HttpRequest, tournament: Tournament, page: Subpage) -> HttpResponse:
    context = {
        "tournament": tournament,
        "club": tournament.club,
        "game": game_text(tournament),
        "is_public": is_public(tournament),
        "title": f"{page.title} · {tournament.name}",
        "heading": page.title,
        "description": page.description,
    }
    return render(request, page.template, context | page.context)
