"""A club's players: the list of those with a page, and each one's results, form, opponents, charts, and JSON.

Rules: docs/how-to/publishing.md, "Players". A player has a page if the club publishes, the player has played in a
published tournament, and wants one; otherwise it is a 404.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language_bidi, gettext, ngettext
from django.views.decorators.http import require_safe

from tournaments.boards.players import (
    ImportedResult,
    ListedPlayer,
    PlayerPage,
    PlayerResult,
    listed_players,
    lists_players,
    page_marks,
    page_player,
    player_page,
)
from tournaments.models import Club, Player
from tournaments.models.people import is_named, search_key, searched_words
from tournaments.outbox.subscriptions import key_for
from tournaments.printing import game_text
from tournaments.printing.files import Exact
from tournaments.printing.season_files import PLAYERS, players_csv, players_workbook
from tournaments.rendering.i18n.formatting import day, number_text, place_text, zone_of
from tournaments.rendering.left_out import lines_of, pairs_of
from tournaments.rendering.social_cards import Podium, Step, Tone
from tournaments.web.public.base.answers import (
    Context,
    address_tag,
    cached_answer,
    page_tag,
    sealed_context,
    seen_club,
    unless_unchanged,
)
from tournaments.web.public.base.exports import export_answer, json_answer, left_out_count
from tournaments.web.public.base.words import moment, plain
from tournaments.web.public.boards.sharing import STEPS, picture_answer
from tournaments.web.public.people.ratings import rating_of_player
from tournaments.web.public.tables.charts import results_charts

MOST_FORM = 10
MOST_OPPONENTS = 20
MOST_FIND = 60


@require_safe
def players(request: HttpRequest, club_slug: str) -> HttpResponse:
    """List all players with a page, from A to Z; with `?find=` those whose names contain it."""
    club, find = seen_club(request, club_slug), _wanted(request)
    shown_players, more = listed_players(club, find)
    tag = address_tag(request, "players", *_club_marks(club), find, more, shown_players)

    def make() -> HttpResponse:
        return _list_page(request, club, shown_players, more)

    answer = partial(cached_answer, request, tag, make, club=club) if club.is_published else make
    return unless_unchanged(request, tag, answer, is_shared=club.is_published)


@require_safe
def players_file(request: HttpRequest, club_slug: str, kind: str) -> HttpResponse:
    """All players of the list as data, or for a spreadsheet; days are those of the club."""
    club = seen_club(request, club_slug)
    listed, _ = listed_players(club, is_whole=True)
    tag = page_tag("players", kind, *_club_marks(club), listed)

    def make() -> HttpResponse:
        zone = zone_of(club.timezone)
        rows: list[list[Exact]] = lines_of(
            listed,
            lambda line: [line.name, str(line.id), line.tournaments, line.last.astimezone(zone).date().isoformat()],
        )
        as_kind: dict[str, Callable[[list[list[Exact]]], Any]] = {
            "json": partial(players_json, club),
            "csv": players_csv,
            "xlsx": partial(players_workbook, club),
        }
        return export_answer(as_kind[kind](rows), f"{club_slug}-players", kind)

    return unless_unchanged(request, tag, make, is_shared=club.is_published)


def players_json(club: Club, rows: list[list[Exact]]) -> dict[str, Any]:
    """Return a club's list of players as data."""
    players = [dict(zip(PLAYERS, row, strict=True)) for row in rows]
    return {"club": club.slug, "players": players} | left_out_count()


@require_safe
def one_player(request: HttpRequest, club_slug: str, player: UUID) -> HttpResponse:
    """Show one player's page; with `?find=` the opponents whose names contain it."""
    club, find = seen_club(request, club_slug), _wanted(request)
    player_row = _found(club, player)
    tag = address_tag(request, "player", *_club_marks(club), find, *page_marks(player_row), *_readings(player_row))

    def make() -> HttpResponse:
        return _page(request, player_row, find)

    answer = partial(cached_answer, request, tag, make, club=club) if club.is_published else make
    return unless_unchanged(request, tag, answer, is_shared=club.is_published)


@require_safe
def player_picture(request: HttpRequest, club_slug: str, player: UUID) -> HttpResponse:
    """Return a player's latest results as PNG."""
    club = seen_club(request, club_slug)
    player_row = _found(club, player)
    tag = page_tag("player.png", *_club_marks(club), *page_marks(player_row))
    return unless_unchanged(
        request, tag, lambda: picture_answer(player_podium(_read(player_row))), is_shared=club.is_published
    )


def player_podium(page: PlayerPage) -> Podium:
    """Build the picture of a player: the latest three results with places and scores, or that there is none yet."""
    readable = [result for result, _ in pairs_of(page.results, lambda result: plain(result.score))]
    latest = [result for result in readable if result.is_over and result.place][:STEPS]
    steps = tuple(
        Step(
            rank=result.place or 0,
            place=place_text(result.place or 0, is_tied=result.is_tied),
            name=result.tournament.name,
            number=plain(result.score),
        )
        for result in latest
    )
    number, wins = len(readable), sum(result.place == 1 and result.is_over for result in readable)
    about = ngettext("{number} tournament", "{number} tournaments", number).format(number=plain(number))
    return Podium(
        club=page.player.club.name,
        title=page.player.public_name,
        about=f"{about} · {gettext('Tournaments won')}: {plain(wins)}",
        state=gettext("Player"),
        tone=Tone.PLAIN,
        steps=steps,
        heading=gettext("Score") if steps else "",
        notice=("", "") if steps else (gettext("No tournament has finished yet."), page.player.club.name),
        is_mirrored=get_language_bidi(),
    )


@require_safe
def player_as_json(request: HttpRequest, club_slug: str, player: UUID) -> HttpResponse:
    """Return the same numbers as JSON, with every opponent."""
    club = seen_club(request, club_slug)
    player_row = _found(club, player)
    tag = page_tag("player.json", *_club_marks(club), *page_marks(player_row), *_readings(player_row))
    return unless_unchanged(
        request, tag, lambda: json_answer(player_json(_read(player_row))), is_shared=club.is_published
    )


def player_json(page: PlayerPage) -> dict[str, Any]:
    """Return a player's page as data; docs/how-to/publishing.md lists the fields."""
    days = [result.tournament.starts_at for result in page.results]
    return {
        "club": page.player.club.slug,
        "player": str(page.player.id),
        "name": page.player.public_name,
        "nights": len(page.results),
        "tables": page.tables,
        "first_seen": min(days, default=None),
        "last_seen": max(days, default=None),
        "results": [_result(result) for result in page.results],
        **({"imported": [_imported(result) for result in page.imported]} if page.imported else {}),
        "opponents": [
            {name: getattr(opponent, name) for name in ("player", "name", "tables", "ahead", "behind")}
            | {"deals_won": opponent.won, "deals_won_by_them": opponent.lost}
            for opponent in page.opponents
        ],
        **left_out_count(),
    }


def _result(result: PlayerResult) -> dict[str, Any]:
    return {
        "tournament": result.tournament.slug,
        "name": result.tournament.name,
        "variant": result.tournament.variant,
        "starts_at": result.tournament.starts_at,
        "is_closed": result.is_over,
        "place": result.place,
        **({"is_tied": True} if result.is_tied else {}),
        "of": result.of,
        "score": result.score,
        **asdict(result.counts),
    }


def _imported(result: ImportedResult) -> dict[str, Any]:
    return {
        "name": result.name,
        "day": result.day,
        "season": result.season.slug,
        "place": result.place,
        **({"is_tied": True} if result.is_tied else {}),
        "of": result.of,
        "points": None if result.points is None else str(result.points),
    }


def _found(club: Club, player_id: UUID) -> Player:
    player = page_player(club, player_id)
    if player is None:
        raise Http404
    player.club = club
    return player


def _read(found: Player) -> PlayerPage:
    page = player_page(found)
    if page is None:
        raise Http404
    return page


def _club_marks(club: Club) -> tuple[object, ...]:
    return club.id, club.name, club.slug, club.timezone, club.locale, club.is_published


def _readings(player: Any) -> tuple[object, ...]:
    """How far ratings are, and how often seasons changed: an unpublished one leaves the page before a worker runs."""
    return player.rated_at, player.readings_due


def _wanted(request: HttpRequest) -> str:
    """Return the words to find in names."""
    return " ".join(searched_words(request.GET.get("find", "")[:MOST_FIND]))


def _list_page(request: HttpRequest, club: Club, shown: Sequence[ListedPlayer], more: int) -> HttpResponse:
    zone = zone_of(club.timezone)
    context = {
        "club": club,
        **sealed_context(club),
        "title": gettext("Players of {club}").format(club=club.name),
        "description": gettext("Everybody who has played at {club}, with results.").format(club=club.name),
        "players": lines_of(shown, lambda each: {"player": each, "last": moment(each.last, zone)}),
        "all": bool(shown) or lists_players(club),
        "more": more,
        "find": request.GET.get("find", "")[:MOST_FIND],
    }
    return render(request, "pages/players.html", context)


def _page(request: HttpRequest, found: Player, find: str) -> HttpResponse:
    page, club = _read(found), found.club
    zone = zone_of(club.timezone)
    readable = list(pairs_of(page.results, lambda result: _shown(result, club)))
    results = [shown_result for _, shown_result in readable]
    name = {"player": found.public_name, "club": club.name}
    context = {
        "club": club,
        "player": found,
        "page": page,
        "picture": reverse("pages:player_picture", args=[club.slug, found.id]),
        "drawn": max((result.tournament.board_position for result in page.results), default=0),
        "title": gettext("{player} at {club}").format(**name),
        "description": gettext("Results, form and opponents of {player} at {club}.").format(**name),
        "results": results,
        "imported": [
            {
                "result": result,
                "day": day(result.day),
                "place": place_text(result.place, is_tied=result.is_tied),
                "of": plain(result.of),
                "points": "" if result.points is None else number_text(str(result.points)),
            }
            for result in page.imported
        ],
        **rating_of_player(found.id),
        **sealed_context(club),
        "first": results[-1]["day"] if results else None,
        "last": results[0]["day"] if results else None,
        "wins": sum(result.place == 1 and result.is_over for result, _ in readable),
        "form": [result for result in results if result["result"].is_over and result["place"]][:MOST_FORM][::-1],
        # The most frequent opponents; where many match a search, only these too.
        "opponents": [opponent for opponent in page.opponents if is_named(search_key(opponent.name), find.split())][
            :MOST_OPPONENTS
        ],
        "met": len(page.opponents),
        "find": request.GET.get("find", "")[:MOST_FIND],
        "charts": results_charts([result for result, _ in readable], zone),
        "tell_key": key_for(found),
    }
    return render(request, "pages/player.html", context)


def _shown(result: PlayerResult, club: Club) -> Context:
    """Format one tournament of a player; `tone` says how good its place was."""
    return {
        "result": result,
        "day": moment(result.tournament.starts_at, zone_of(club.timezone)),
        "game": game_text(result.tournament),
        "place": place_text(result.place, is_tied=result.is_tied) if result.place else "",
        "of": plain(result.of),
        "score": plain(result.score) if result.place else "",
        "tone": _tone(result),
    }


def _tone(result: PlayerResult) -> str:
    """Return the tone: the winner, the first half, or the others."""
    if result.place is None or not result.is_over:
        return "open"
    if result.place == 1:
        return "first"
    return "front" if result.place * 2 <= result.of else "back"
