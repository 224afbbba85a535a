"""What the pages of one tournament share: their head, the way to the others, and the line of evidence at the foot.

Rules: docs/how-to/publishing.md, "A tournament's pages". Knows nothing of what any one of them shows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments import log
from tournaments.boards.boards import Board
from tournaments.boards.winners import Evidence
from tournaments.models import Club, Tournament
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.web.public.base.answers import is_public, tournament_tag, unless_unchanged
from tournaments.web.public.base.words import game_title, moment

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
    request: HttpRequest, tournament: Tournament, make: Callable[[], Subpage], *more: object
) -> HttpResponse:
    """The page that `make` makes, unless the visitor has it. `more` is what it shows beside the board's facts."""
    tag = tournament_tag(tournament, request.path, *more)
    return unless_unchanged(
        request, tag, lambda: _rendered(request, tournament, make()), is_shared=is_public(tournament)
    )


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
        "game": game_title(tournament),
        "is_public": is_public(tournament),
        "title": f"{page.title} · {tournament.name}",
        "heading": page.title,
        "description": page.description,
    }
    return render(request, page.template, context | page.context)
