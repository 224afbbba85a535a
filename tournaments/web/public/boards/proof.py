"""The log of a tournament to take away, the seals of its club, and the page that says how anybody checks them.

Rules: docs/publishing.md, "The log to take away". Who may see a board may take its log. Knows nothing of hashes.
"""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tournaments.boards.rounds import evidence_of
from tournaments.log.evidence.open_log import club_seals, log_marks, seal_marks, tournament_log
from tournaments.web.public.base.answers import page_tag, unless_unchanged
from tournaments.web.public.base.doors import is_public, seen_club, seen_tournament, tournament_tag
from tournaments.web.public.base.exports import json_text
from tournaments.web.public.base.subpages import evidence_context

LINES = "application/jsonl"


@require_safe
def proof(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """What a fingerprint is, how to check one, what that proves and what it does not."""
    tournament = seen_tournament(request, club_slug, slug)

    def make() -> HttpResponse:
        evidence = evidence_of(tournament)
        context = {
            "title": gettext("Check it yourself: {name}").format(name=tournament.name),
            "tournament": tournament,
            "club": tournament.club,
            "fingerprint": evidence.fingerprint,
            "file": f"{tournament.slug}.jsonl",
            "is_proof": True,
            **evidence_context(tournament, evidence),
        }
        return render(request, "pages/proof.html", context)

    tag = tournament_tag(tournament, "proof")
    return unless_unchanged(request, tag, make, is_shared=is_public(tournament))


@require_safe
def log_as_lines(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The tournament's log, a fact a line."""
    tournament = seen_tournament(request, club_slug, slug)
    tag = page_tag("log", tournament.id, is_public(tournament), *log_marks(tournament))
    return unless_unchanged(
        request, tag, lambda: _file(tournament_log(tournament), tournament.slug), is_shared=is_public(tournament)
    )


@require_safe
def seals_as_lines(request: HttpRequest, club_slug: str) -> HttpResponse:
    """The club's seals, a seal a line."""
    club = seen_club(request, club_slug)
    tag = page_tag("seals", club.id, club.is_published, *seal_marks(club.id))
    return unless_unchanged(
        request, tag, lambda: _file(club_seals(club), f"{club.slug}-seals"), is_shared=club.is_published
    )


def _file(lines: Iterable[dict[str, Any]], name: str) -> HttpResponse:
    """A file that a browser saves under a speaking name."""
    text = b"".join(json_text(line) + b"\n" for line in lines)
    headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
    return HttpResponse(text, content_type=LINES, headers=headers)
