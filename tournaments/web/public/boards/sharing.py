"""Embedding a board, its link preview, downloads of a tournament's log and its club's seals, and how to check them.

Rules: docs/how-to/publishing.md, "Download the log". Visitors who may see a board may download its log. Knows nothing
of hashes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urljoin

from csp.constants import SELF
from csp.decorators import csp_replace, csp_update
from django.conf import settings
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import get_language_bidi, gettext, gettext_noop, ngettext, override
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from tournaments.boards import Board, board
from tournaments.boards.winners import evidence_of
from tournaments.log.open_log import club_seals, log_marks, seal_marks, tournament_log
from tournaments.models import Tournament
from tournaments.printing import game_text
from tournaments.projections.cached import cached
from tournaments.rendering import social_cards
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.social_cards import Podium, Step, Tone
from tournaments.web.addresses import club_language, without_language
from tournaments.web.public.base.answers import (
    evidence_context,
    is_public,
    page_tag,
    seen_club,
    seen_tournament,
    tournament_tag,
    unless_unchanged,
)
from tournaments.web.public.base.exports import file_answer, json_text
from tournaments.web.public.base.parts import Part, answer_part, part_text
from tournaments.web.public.base.words import Moment, moment
from tournaments.web.public.boards.boards import board_context
from tournaments.web.public.boards.standings import board_columns, board_rows

# A board inside another website, and the page with the lines to paste there.

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
    """The look of a framed board: one of our themes, one of our colours."""

    theme: str
    accent: str

    @property
    def query(self) -> str:
        """The query string; empty for the defaults."""
        chosen = {"theme": self.theme} if self.theme != "auto" else {}
        if self.accent != "felt":
            chosen["accent"] = self.accent
        return f"?{urlencode(chosen)}" if chosen else ""


@require_safe
@xframe_options_exempt
@framed_by_anybody
def embed(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Show the board for a frame."""
    tournament, look = _framed(request, club_slug, slug)

    def make() -> HttpResponse:
        context = {"title": tournament.name, "club": tournament.club, "look": look, "part": part_text(part)}
        return render(request, "pages/embed.html", context)

    with override(club_language(tournament.club)):
        part = _part(tournament, look)
        return unless_unchanged(request, part.tag, make, is_shared=True)


@require_safe
@xframe_options_exempt
@framed_by_anybody
def embed_part(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Return the part of it that changes; with `?since=` the difference."""
    tournament, look = _framed(request, club_slug, slug)
    with override(club_language(tournament.club)):
        return answer_part(request, _part(tournament, look), is_shared=True)


@require_safe
@frames_our_own
def share(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Show the link and its QR code, the lines to paste, a preview, and the other formats of a board."""
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
    """Return the public tournament, and the look. Raises Http404."""
    tournament = seen_tournament(request, club_slug, slug)
    if not is_public(tournament):
        raise Http404
    return tournament, _look(request)


def _part(tournament: Tournament, look: Look) -> Part:
    tag = tournament_tag(tournament, "embed", look)

    def make() -> str:
        return render_to_string("pages/embed_board.html", board_context(board(tournament), tag) | {"look": look})

    return Part(owner=f"embed:{tournament.id}", tag=tag, make=make, club=tournament.club)


def _look(request: HttpRequest) -> Look:
    return Look(theme=_chosen(request, "theme", THEMES), accent=_chosen(request, "accent", ACCENTS))


def _chosen(request: HttpRequest, name: str, known: Mapping[str, str]) -> str:
    """Return the requested choice, or the first one where it is unknown."""
    choice = request.GET.get(name, "")
    return choice if choice in known else next(iter(known))


def _share_context(request: HttpRequest, tournament: Tournament, look: Look) -> dict[str, Any]:
    board_page = reverse("pages:tournament", args=[tournament.club.slug, tournament.slug])
    address = reverse("files:embed", args=[tournament.club.slug, tournament.slug]) + look.query
    frame = format_html(
        '<iframe src="{}" title="{}" width="100%" height="{}" frameborder="0" data-rummy-board></iframe>',
        *(
            request.build_absolute_uri(address),
            gettext("{name}: leaderboard").format(name=tournament.name),
            FIRST_HEIGHT,
        ),
    )
    # Without the digest of this release: a pasted address has to work after the next one.
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
        "link": request.build_absolute_uri(without_language(board_page)),
        "snippet": f"{frame}\n{script}",
        **evidence_context(tournament, evidence_of(tournament)),
    }


# The preview picture of a link to a tournament: its podium, its leaders, or when and where it begins.

PNG = "image/png"
STEPS = 3


@require_safe
def podium(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Return the podium as PNG."""
    tournament = seen_tournament(request, club_slug, slug)
    tag = tournament_tag(tournament, "podium", tournament.is_cancelled, tournament.preset, tournament.club.venue)

    def make() -> HttpResponse:
        # Drawing takes 50 ms, and whoever shares a link makes many ask at once.
        png = cached(tag, lambda: social_cards.podium_picture(podium_of(board(tournament))), club=tournament.club)
        return HttpResponse(png, content_type=PNG)

    return unless_unchanged(request, tag, make, is_shared=is_public(tournament))


def picture_answer(shown: Podium) -> HttpResponse:
    """Return the picture of a season or a player as PNG, drawn once for each content."""
    key = page_tag("picture", shown)
    return HttpResponse(caches["answers"].get_or_set(key, lambda: social_cards.podium_picture(shown)), content_type=PNG)


def podium_of(shown: Board) -> Podium:
    """Build the picture of a board: the first three, or why there are none."""
    tournament, columns = shown.tournament, board_columns(shown, shown.stages[0] if shown.stages else shown.stage)
    starts = moment(tournament.starts_at, zone_of(tournament.club.timezone))
    state, tone = _state(shown)
    steps = () if tournament.is_cancelled else _steps(shown, columns.direction)
    return Podium(
        club=tournament.club.name,
        title=tournament.name,
        about=f"{game_text(tournament, shown.plan)} · {_minute(starts)}",
        state=state,
        tone=tone,
        steps=steps,
        heading=columns.direction if steps else "",
        more=_more(shown, steps),
        notice=("", "") if steps else _notice(tournament, starts, has_tables=bool(shown.tables)),
        is_mirrored=get_language_bidi(),
    )


def _state(shown: Board) -> tuple[str, Tone]:
    """Describe the state in a few words."""
    if shown.tournament.is_cancelled:
        return gettext("Abandoned"), Tone.WARN
    if shown.is_finished or shown.tournament.closed_at:
        return gettext("Final result"), Tone.DONE
    if not shown.tables:
        return gettext("Not started"), Tone.PLAIN
    over = sum(table.is_finished for table in shown.listed)
    return gettext("%(over)s of %(tables)s tables finished") % {"over": over, "tables": len(shown.listed)}, Tone.LIVE


def _steps(shown: Board, heading: str) -> tuple[Step, ...]:
    """Return the first three of the board; none before the first deal."""
    if not any(table.has_begun for table in shown.tables):
        return ()
    steps = []
    for row in shown.rows[:STEPS]:
        columns = board_columns(shown, row.stage)
        (printed,) = board_rows(shown, columns, [row])
        # The heading is that of the latest stage: numbers in other units are left out.
        is_same = columns.direction == heading and shown.terms_of(row.stage).unit == shown.terms.unit
        number = printed.main if is_same else ""
        steps.append(Step(rank=row.place, place=printed.place, name=printed.name, number=number))
    return tuple(steps)


def _more(shown: Board, steps: Sequence[Step]) -> str:
    """Describe how many more share the last place of the podium without a step on it."""
    more = sum(row.place == steps[-1].rank for row in shown.rows[STEPS:]) if steps else 0
    if not more:
        return ""
    return ngettext("and %(count)s more on the same place", "and %(count)s more on the same place", more) % {
        "count": more
    }


def _notice(tournament: Tournament, starts: Moment, *, has_tables: bool) -> tuple[str, str]:
    """Return the text without a podium: abandoned, seated and waiting, or when and where it begins."""
    if tournament.is_cancelled:
        return gettext("This tournament was abandoned"), gettext("Nobody wins, and nobody owes anything.")
    if has_tables:
        return gettext("No deal has been played yet"), gettext("The players are seated.")
    where = " ".join(tournament.club.venue.split()) or tournament.club.name
    if tournament.closed_at is not None:
        return gettext("Nobody played"), where
    return gettext("Begins %(when)s") % {"when": _minute(starts)}, where


def _minute(when: Moment) -> str:
    """Format a day and a time without its seconds."""
    return f"{when.day}, {when.short}"


# Downloads of a tournament's log and its club's seals, and the page that says how to check them.

LINES = "application/jsonl"


@require_safe
def proof(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Explain fingerprints: what they are, how to check one, what that proves and what it does not."""
    tournament = seen_tournament(request, club_slug, slug)

    def make() -> HttpResponse:
        evidence = evidence_of(tournament)
        context = {
            "title": gettext("Verify: {name}").format(name=tournament.name),
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
    """Return the tournament's log, one event per line."""
    tournament = seen_tournament(request, club_slug, slug)
    tag = page_tag("log", tournament.id, is_public(tournament), *log_marks(tournament))
    return unless_unchanged(
        request, tag, lambda: _file(tournament_log(tournament), tournament.slug), is_shared=is_public(tournament)
    )


@require_safe
def seals_as_lines(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Return the club's seals, one per line."""
    club = seen_club(request, club_slug)
    tag = page_tag("seals", club.id, club.is_published, *seal_marks(club.id))
    return unless_unchanged(
        request, tag, lambda: _file(club_seals(club), f"{club.slug}-seals"), is_shared=club.is_published
    )


def _file(lines: Iterable[dict[str, Any]], name: str) -> HttpResponse:
    return file_answer(b"".join(json_text(line) + b"\n" for line in lines), f"{name}.jsonl", LINES)
