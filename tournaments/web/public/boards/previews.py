"""The picture that stands beside a link to a tournament: its podium, its leaders, or when and where it begins.

Rules: docs/publishing.md, "Link previews". Whoever may see a board may see its picture. Knows nothing of drawing.
"""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language_bidi, gettext, ngettext
from django.views.decorators.http import require_safe

from tournaments.boards.boards import Board, board
from tournaments.models import Tournament
from tournaments.rendering import social_cards
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.rendering.social_cards import Podium, Step, Tone
from tournaments.web.public.base.answers import unless_unchanged
from tournaments.web.public.base.doors import is_public, seen_tournament, tournament_tag
from tournaments.web.public.base.words import Moment, game_title, moment
from tournaments.web.public.boards.standings import board_columns, board_rows

PNG = "image/png"
STEPS = 3


@require_safe
def podium(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The podium as PNG."""
    found = seen_tournament(request, club_slug, slug)
    tag = tournament_tag(found, "podium", found.is_cancelled, found.preset, found.club.venue)

    def make() -> HttpResponse:
        return HttpResponse(social_cards.podium_picture(podium_of(board(found))), content_type=PNG)

    return unless_unchanged(request, tag, make, is_shared=is_public(found))


def podium_of(shown: Board) -> Podium:
    """What the picture of a board says: the first three, or why there are none."""
    tournament, columns = shown.tournament, board_columns(shown)
    starts = moment(tournament.starts_at, zone_of(tournament.club.timezone))
    state, tone = _state(shown)
    steps = () if tournament.is_cancelled else _steps(shown)
    return Podium(
        club=tournament.club.name,
        title=tournament.name,
        about=f"{game_title(tournament)} · {_minute(starts)}",
        state=state,
        tone=tone,
        steps=steps,
        heading=columns.direction if steps else "",
        more=_more(shown, steps),
        notice=("", "") if steps else _notice(tournament, starts, has_tables=bool(shown.tables)),
        is_mirrored=get_language_bidi(),
    )


def _state(shown: Board) -> tuple[str, Tone]:
    """How far it is, in a few words."""
    if shown.tournament.is_cancelled:
        return gettext("Given up"), Tone.WARN
    if shown.is_finished or shown.tournament.closed_at:
        return gettext("Final result"), Tone.DONE
    if not shown.tables:
        return gettext("Not started"), Tone.PLAIN
    over = sum(table.is_finished for table in shown.tables)
    return gettext("%(over)s of %(tables)s tables finished") % {"over": over, "tables": len(shown.tables)}, Tone.LIVE


def _steps(shown: Board) -> tuple[Step, ...]:
    """The first three, as the board has them; nobody before the first deal."""
    if not any(table.deals for table in shown.tables):
        return ()
    rows = board_rows(shown, board_columns(shown))[:STEPS]
    return tuple(
        Step(rank=row.place, place=said.place, name=said.name, number=said.main)
        for row, said in zip(shown.rows, rows, strict=False)
    )


def _more(shown: Board, steps: Sequence[Step]) -> str:
    """How many share the last place of the podium without standing on it."""
    more = sum(row.place == steps[-1].rank for row in shown.rows[STEPS:]) if steps else 0
    if not more:
        return ""
    return ngettext("and %(count)s more on the same place", "and %(count)s more on the same place", more) % {
        "count": more
    }


def _notice(tournament: Tournament, starts: Moment, *, has_tables: bool) -> tuple[str, str]:
    """What is said where there is no podium: given up, seated and waiting, or when and where it begins."""
    if tournament.is_cancelled:
        return gettext("This tournament was given up"), gettext("Nobody wins, and nobody owes anything.")
    if has_tables:
        return gettext("No deal has been played yet"), gettext("The players are seated.")
    where = " ".join(tournament.club.venue.split()) or tournament.club.name
    if tournament.closed_at is not None:
        return gettext("Nobody played"), where
    return gettext("Begins %(when)s") % {"when": _minute(starts)}, where


def _minute(when: Moment) -> str:
    """A day and a time without its seconds."""
    return f"{when.day}, {when.clock[:5]}"
