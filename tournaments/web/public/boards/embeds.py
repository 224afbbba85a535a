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
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from tournaments.boards.boards import board
from tournaments.boards.rounds import evidence_of
from tournaments.models import Tournament
from tournaments.web.public.base.answers import unless_unchanged
from tournaments.web.public.base.doors import is_public, seen_tournament, tournament_tag
from tournaments.web.public.base.parts import Part, answer_part, part_text
from tournaments.web.public.base.subpages import evidence_context
from tournaments.web.public.boards.boards import board_context

View = Callable[..., HttpResponseBase]
THEMES = {"auto": gettext_noop("As the visitor's device"), "light": gettext_noop("Light"), "dark": gettext_noop("Dark")}
ACCENTS = {
    "felt": gettext_noop("Green"),
    "red": gettext_noop("Red"),
    "blue": gettext_noop("Blue"),
    "gold": gettext_noop("Gold"),
}
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
    tournament, look = _framed(request, club_slug, slug)
    part = _part(tournament, look)

    def make() -> HttpResponse:
        context = {"title": tournament.name, "club": tournament.club, "look": look, "part": part_text(part)}
        return render(request, "pages/embed.html", context)

    return unless_unchanged(request, part.tag, make, is_shared=True)


@require_safe
@xframe_options_exempt
@framed_by_anybody
def embed_part(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The part of it that changes; with `?since=` what changed of it."""
    return answer_part(request, _part(*_framed(request, club_slug, slug)), is_shared=True)


@require_safe
@frames_our_own
def share(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The lines to paste, how they will look, and the other forms in which a board can be had."""
    tournament = seen_tournament(request, club_slug, slug)
    look = _look(request)
    tag = tournament_tag(tournament, "share", request.get_host(), look)
    return unless_unchanged(
        request,
        tag,
        lambda: render(request, "pages/share.html", _share_context(request, tournament, look)),
        is_shared=is_public(tournament),
    )


def _framed(request: HttpRequest, club_slug: str, slug: str) -> tuple[Tournament, Look]:
    """What everybody may see, and how it is to look. Raises Http404."""
    tournament = seen_tournament(request, club_slug, slug)
    if not is_public(tournament):
        raise Http404
    return tournament, _look(request)


def _part(tournament: Tournament, look: Look) -> Part:
    tag = tournament_tag(tournament, "embed", look)

    def make() -> str:
        return render_to_string("pages/embed_board.html", board_context(board(tournament), tag) | {"look": look})

    return Part(owner=f"embed:{tournament.id}", tag=tag, make=make)


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
        *(
            request.build_absolute_uri(address),
            gettext("{name}: leaderboard").format(name=tournament.name),
            FIRST_HEIGHT,
        ),
    )
    # Without the digest of this release: what was pasted once has to be there after the next one.
    script = format_html(
        '<script src="{}" async></script>', request.build_absolute_uri(urljoin(settings.STATIC_URL, FRAME_SCRIPT))
    )
    return {
        "title": gettext("Share: {name}").format(name=tournament.name),
        "tournament": tournament,
        "club": tournament.club,
        "is_public": is_public(tournament),
        "look": look,
        "themes": {word: gettext(title) for word, title in THEMES.items()},
        "accents": {word: gettext(title) for word, title in ACCENTS.items()},
        "address": address,
        "snippet": f"{frame}\n{script}",
        **evidence_context(tournament, evidence_of(tournament)),
    }
