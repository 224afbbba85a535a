"""Answers with a tag: a page that has not changed is 304 before anything is counted or drawn.

A tag stands for everything a page is made of: the version of its facts, the names on it (a player may be renamed or
erased without any fact), what the club wrote about it, the language, and this release.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from tournaments import log
from tournaments.boards import Board
from tournaments.boards.clubs import sheet_by_address, tournament_by_address
from tournaments.boards.kept import Wanted, kept_already, kept_answer, pack
from tournaments.boards.winners import Evidence
from tournaments.models import Club, Scoresheet, Season, Tournament
from tournaments.people.permissions import Permission, actor_of, may
from tournaments.printing import game_text
from tournaments.projections.shown import Shown, shown_by_address, shown_of
from tournaments.release import tag_digest
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.left_out import left_out
from tournaments.seasons.queries import season_by_address
from tournaments.web.packed import HTML, is_known, pack_answer, tag_sent, takes_packed, unpacked
from tournaments.web.public.base.words import moment

# Kept by browsers and proxies, but asked about each time: a tag costs a fraction of a page.
SHARED = "public, no-cache"
PRIVATE = "private, no-store"
View = Callable[..., HttpResponse]
Published = TypeVar("Published", Tournament, Season)


def page_tag(*parts: object) -> str:
    """A strong tag over everything given, and this release."""
    return f'"{tag_digest(get_language(), *parts)}"'


def unless_unchanged(
    request: HttpRequest, tag: str, make: Callable[[], HttpResponse], *, is_shared: bool
) -> HttpResponse:
    """304 where the visitor has this very page already; otherwise the page, with its tag."""
    answer = HttpResponseNotModified() if is_known(request, tag) else make()
    answer.headers["ETag"] = tag_sent(request, tag) if is_shared else tag
    answer.headers["Cache-Control"] = SHARED if is_shared else PRIVATE
    if is_shared:
        pack_answer(request, answer)
    return _packed(request, answer)


def remembered(request: HttpRequest, tag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """A page that everybody may see, made once for each tag in each process; one that was asked something, each time.

    Names of somebody erased stand under a tag that nobody asks for any more, and for ten minutes.
    """
    if request.GET:
        return make()
    key = page_tag(tag, request.scheme, request.get_host(), request.path)
    text: bytes | None = caches["parts"].get(key)
    if text is None:
        text = pack(make().content)
        # What could not be shown now may be shown to the next one.
        if not left_out():
            caches["parts"].set(key, text)
    return unpacked(request, text, HTML)


def packed(view: View) -> View:
    """The view, compressed where its answer is everybody's. Stands outside what makes a tag of the text: a weak one."""

    @wraps(view)
    def answered(request: HttpRequest, *words: object, **named: object) -> HttpResponse:
        return _packed(request, view(request, *words, **named))

    return answered


def _packed(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Compressed where the visitor takes that: what is public holds no secret that its length could tell."""
    if answer.headers.get("Cache-Control") == SHARED:
        if takes_packed(request):
            GZipMiddleware(lambda _: answer).process_response(request, answer)
        # Also without a text: a cache takes the headers of a 304 for those of the page that it keeps.
        patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


# Who may look: what a club publishes is for everybody, the rest is for those who work for the club.


def seen_club(request: HttpRequest, club_slug: str) -> Club:
    """The club, if it publishes or the visitor may see it. Raises Http404."""
    club = Club.objects.select_related("shown_version").filter(slug=club_slug).first()
    if club is None or not (club.is_published or sees_hidden(request, club)):
        raise Http404
    return club


def seen_tournament(request: HttpRequest, club_slug: str, slug: str) -> Tournament:
    """The tournament with its club, if the visitor may see it. Raises Http404."""
    return _if_seen(request, tournament_by_address(club_slug, slug))


def seen_sheet(request: HttpRequest, club_slug: str, slug: str, round: int, number: int) -> Scoresheet:  # noqa: A002
    """The table's score sheet row, if the visitor may see it. Raises Http404."""
    sheet = sheet_by_address(club_slug, slug, round, number)
    if sheet is None:
        raise Http404
    _if_seen(request, sheet.table.tournament)
    return sheet


def seen_season(request: HttpRequest, club_slug: str, slug: str) -> Season:
    """The season with its club, if the visitor may see it. Raises Http404."""
    return _if_seen(request, season_by_address(club_slug, slug))


def _if_seen(request: HttpRequest, row: Published | None) -> Published:
    if row is None or not (is_public(row) or sees_hidden(request, row.club)):
        raise Http404
    return row


def is_public(row: Tournament | Season) -> bool:
    """Whether everybody may see it. `row` must carry its club."""
    return row.is_published and row.club.is_published


def sees_hidden(request: HttpRequest, club: Club) -> bool:
    """Whether the visitor may look at what the club has not published."""
    return may(actor_of(request.user), Permission.WATCH, club)


def sees_reasons(request: HttpRequest, club: Club) -> bool:
    """Whether the visitor works for the club, and so reads why something was corrected."""
    return may(actor_of(request.user), Permission.SEE, club)


def tournament_tag(tournament: Tournament, *more: object, position: int | None = None) -> str:
    """A tag over all that a tournament's pages show: its facts, its names and what the club wrote.

    `position` stands for the facts where a page shows only those up to there; `more` for what else was asked.
    """
    return shown_tag(shown_of(tournament), *more, position=position)


def shown_tag(shown: Shown, *more: object, position: int | None = None) -> str:
    """The same of what a tournament shows."""
    return page_tag(shown.tournament, shown.position if position is None else position, shown.version, *more)


def quick_answer(request: HttpRequest, shown: Shown, kept: Wanted, kind: str, *more: object) -> HttpResponse | None:
    """304, or what is kept, before the tournament itself is read; None where it has to be made, or is for few.

    `more` is what stands in the tag beside what a tournament shows.
    """
    tag = shown_tag(shown, *more)
    if not shown.is_public:
        return None
    text = b"" if is_known(request, tag) else kept_already(kept)
    if text is None:
        return None
    return unless_unchanged(request, tag, lambda: unpacked(request, text, kind), is_shared=True)


# The line at the foot of a club's own pages: up to where its log is sealed, for pages that no one board covers.


def sealed_context(club: Club) -> dict[str, Any]:
    """What `pages/sealed.html` reads, in one query; nothing to show before the first seal."""
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
    """One page of a tournament: its template, what it is called, and what it tells in a sentence."""

    template: str
    title: str
    description: str
    context: Context


def answer_subpage(
    request: HttpRequest, tournament: Tournament, make: Callable[[], Subpage], *more: object, view: str = ""
) -> HttpResponse:
    """The page that `make` makes, unless the visitor has it. `more` is what it shows beside the board's facts.

    One that shows nothing else, and that many ask for, is kept as a view where everybody may see it.
    """
    tag = tournament_tag(tournament, request.path, *more)

    def made() -> HttpResponse:
        return _rendered(request, tournament, make())

    def kept() -> HttpResponse:
        packed = kept_answer(page_kept_as(request, shown_of(tournament), view), lambda: made().content)
        return unpacked(request, packed, HTML)

    is_kept = view and is_public(tournament) and not request.GET
    return unless_unchanged(request, tag, kept if is_kept else made, is_shared=is_public(tournament))


def quick_subpage(request: HttpRequest, words: tuple[str, str], view: str) -> HttpResponse | None:
    """The same page of a club and a tournament by the words of its address, from what is kept; None where it is not."""
    shown = None if request.GET else shown_by_address(*words)
    if shown is None:
        return None
    return quick_answer(request, shown, page_kept_as(request, shown, view), HTML, request.path)


def page_kept_as(request: HttpRequest, shown: Shown, view: str) -> Wanted:
    """What a page is kept as: it says its own address, and speaks a language."""
    tag = page_tag(shown_tag(shown), request.scheme, request.get_host())
    return Wanted(shown=shown, view=f"{view}:{get_language()}", tag=tag)


def evidence_context(tournament: Tournament, evidence: Board | Evidence) -> Context:
    """What the line of evidence reads."""
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
