"""A board inside somebody else's page, and the page on which a club finds the lines to paste there.

Rules: docs/publishing.md, "On your own site". What stands in a foreign frame is what everybody may see: an unpublished
board is not there, whoever looks. Only these pages may be framed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urljoin

from csp.constants import SELF
from csp.decorators import csp_replace, csp_update
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from tournaments.models import Tournament
from tournaments.pages.answers import page_tag, unless_unchanged
from tournaments.pages.boards import board_context, tournament_tag
from tournaments.pages.doors import is_public, seen_tournament
from tournaments.queries import board

View = Callable[..., HttpResponseBase]
THEMES = {"auto": "As the visitor's device", "light": "Light", "dark": "Dark"}
ACCENTS = {"felt": "Green", "red": "Red", "blue": "Blue", "gold": "Gold"}
FIRST_HEIGHT = 480
FRAME_SCRIPT = "tournaments/board_frame.js"

framed_by_anybody: Callable[[View], View] = csp_replace({"frame-ancestors": ["*"]})
frames_our_own: Callable[[View], View] = csp_update({"frame-src": [SELF]})


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a board in a frame looks: one of our themes, one of our colours."""

    theme: str
    accent: str

    @property
    def query(self) -> str:
        """What is asked for, beside the address; nothing where it goes without saying."""
        chosen = {"theme": self.theme} if self.theme != "auto" else {}
        if self.accent != "felt":
            chosen["accent"] = self.accent
        return f"?{urlencode(chosen)}" if chosen else ""


@require_safe
@xframe_options_exempt
@framed_by_anybody
def embed(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The board for a frame."""
    return _answer(request, club_slug, slug, "pages/embed.html")


@require_safe
@xframe_options_exempt
@framed_by_anybody
def embed_part(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The part of it that changes."""
    return _answer(request, club_slug, slug, "pages/embed_board.html")


@require_safe
@frames_our_own
def share(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The lines to paste, how they will look, and the other forms in which a board can be had."""
    tournament = seen_tournament(request, club_slug, slug)
    look = _look(request)
    tag = page_tag("share", tournament.name, tournament.club.name, is_public(tournament), request.get_host(), look)
    return unless_unchanged(
        request,
        tag,
        lambda: render(request, "pages/share.html", _share_context(request, tournament, look)),
        is_shared=is_public(tournament),
    )


def _answer(request: HttpRequest, club_slug: str, slug: str, template: str) -> HttpResponse:
    tournament = seen_tournament(request, club_slug, slug)
    if not is_public(tournament):
        raise Http404
    look = _look(request)
    tag = tournament_tag(tournament, "embed", look)

    def make() -> HttpResponse:
        context = board_context(board(tournament), tag) | {"title": tournament.name, "look": look}
        return render(request, template, context)

    return unless_unchanged(request, tag, make, is_shared=True)


def _look(request: HttpRequest) -> Look:
    return Look(theme=_chosen(request, "theme", THEMES), accent=_chosen(request, "accent", ACCENTS))


def _chosen(request: HttpRequest, name: str, known: Mapping[str, str]) -> str:
    """What was asked for, or the first one where that is none of ours."""
    wanted = request.GET.get(name, "")
    return wanted if wanted in known else next(iter(known))


def _share_context(request: HttpRequest, tournament: Tournament, look: Look) -> dict[str, Any]:
    address = reverse("pages:embed", args=[tournament.club.slug, tournament.slug]) + look.query
    frame = format_html(
        '<iframe src="{}" title="{}" width="100%" height="{}" frameborder="0" data-rummy-board></iframe>',
        *(request.build_absolute_uri(address), f"{tournament.name}: leaderboard", FIRST_HEIGHT),
    )
    # Without the digest of this release: what was pasted once has to be there after the next one.
    script = format_html(
        '<script src="{}" async></script>', request.build_absolute_uri(urljoin(settings.STATIC_URL, FRAME_SCRIPT))
    )
    return {
        "title": f"Share: {tournament.name}",
        "tournament": tournament,
        "club": tournament.club,
        "is_public": is_public(tournament),
        "look": look,
        "themes": THEMES,
        "accents": ACCENTS,
        "address": address,
        "snippet": f"{frame}\n{script}",
    }
