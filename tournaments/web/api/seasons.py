"""A club's seasons and ratings: made, changed and closed, their standings and files.

Rules: docs/reference/api.md, "Seasons and ratings"; docs/how-to/seasons.md. The same commands as the pages call. Names
are the public ones, as on the pages.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils.timezone import now
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.seasons import CategoryTable, SeasonRow
from scoring.seasons.formula import load_formula
from tournaments.log.context import club_lock
from tournaments.models import Season
from tournaments.people.permissions import Permission
from tournaments.people.players import uuid_of
from tournaments.printing.files import FileKind
from tournaments.printing.season_files import ratings_csv, ratings_workbook, season_csv, season_workbook
from tournaments.projections.shown import version_shown
from tournaments.projections.stale import mark_stale
from tournaments.seasons.commands import (
    SeasonDraft,
    change_season,
    close_season,
    closing_problems,
    create_season,
    has_begun,
    read_draft,
)
from tournaments.seasons.queries import (
    LONG,
    RatingView,
    SeasonView,
    preview,
    ratings_of_club,
    readings_of,
    season_by_id,
    season_view,
)
from tournaments.web.api import season_shapes as shapes
from tournaments.web.api.answers import shaped
from tournaments.web.api.bodies import read_body
from tournaments.web.api.clubs import created, find_club
from tournaments.web.api.doors import ApiView, filtered, page_of, page_of_list, tag_of, unless_known
from tournaments.web.api.downloads import FileView, download, kind_asked, kind_parameter, media_types
from tournaments.web.api.filters import SeasonFilter
from tournaments.web.api.problems import BadParameter, parts_of
from tournaments.web.api.schema import KEY, PAGING, describes

TABLE = OpenApiParameter(
    "table",
    {"type": "string", "minLength": 1, "maxLength": 60},
    description="Name of a separate table of the season; that of all its tournaments by default",
)
PLAYER = OpenApiParameter("player", OpenApiTypes.UUID, description="Only this player")
SEASON_FILES = (FileKind.CSV, FileKind.XLSX)


class Seasons(ApiView):
    """A club's seasons."""

    permissions = {"GET": Permission.WATCH, "POST": Permission.DIRECT}
    is_public = True

    @describes("list_seasons", shapes.SeasonPage, parameters=PAGING, filters=SeasonFilter)
    def get(self, request: Request, club_id: UUID) -> Response:
        """The latest first, then by name; unpublished ones only for people with a role in the club."""
        club = find_club(self, club_id)
        rows = Season.objects.filter(club=club).defer(*LONG)
        if not self.may_watch(club):
            rows = rows.filter(is_published=True)
        rows = filtered(request, SeasonFilter, rows)
        return Response(page_of(request, rows, season_answer, order=("-starts_on", "name", "id")))

    @describes(
        "create_season",
        shapes.SeasonDetails,
        body=shapes.SeasonBody,
        parameters=[KEY],
        example={
            "name": "Spring",
            "starts_on": "2026-01-01",
            "ends_on": "2026-06-30",
            "formula": {"best": 10, "tie_breaks": ["most_wins"]},
        },
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Makes a season. A worker counts its standings next."""
        club = find_club(self, club_id)
        key = self.command_context().key
        draft = _draft(read_body(shapes.SeasonBody, request.data))
        before = now()
        season = create_season(club, draft, key=key)
        return created(_details(find_season(self, season.pk)), is_replay=season.created_at < before)


class SeasonPreviewOf(ApiView):
    """What a formula would make of a club's tournaments."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "preview_season",
        shapes.SeasonPreview,
        body=shapes.SeasonBody,
        example={"name": "Spring", "starts_on": "2026-01-01", "ends_on": "2026-06-30"},
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """The standings that a season would have now. Nothing is saved."""
        club = find_club(self, club_id)
        draft = _draft(read_body(shapes.SeasonBody, request.data))
        standings, names = preview(club, read_draft(draft), draft.starts_on, draft.ends_on)
        tables = [
            shapes.PreviewedTable(
                table=table.category,
                tournaments=len(table.nights),
                lines=[_line(table, names, None, row) for row in table.rows],
            )
            for table in standings.tables
        ]
        return Response(shapes.SeasonPreview(tables=tables))


class SeasonById(ApiView):
    """One season."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("read_season", shapes.SeasonDetails, has_tag=True)
    def get(self, request: Request, season_id: UUID) -> HttpResponseBase:
        """Its days, its formula, and whether its standings are counted."""
        season = find_season(self, season_id)
        answer = _details(season)
        tag = tag_of(0, answer)
        return unless_known(request, tag, lambda: answer, is_shared=_is_public(season))


class ChangeSeason(ApiView):
    """Changes of a season."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "change_season",
        shapes.SeasonDetails,
        body=shapes.SeasonChange,
        parameters=[KEY],
        example={"is_published": True},
    )
    def post(self, request: Request, season_id: UUID) -> Response:
        """Changes what is given: also publishes a season, or unpublishes it.

        The formula and the first day are fixed once a tournament was played, the last day and the name once it is
        closed.
        """
        season = find_season(self, season_id)
        self.command_context()
        body = read_body(shapes.SeasonChange, request.data)
        given = {name: value for name, value in msgspec.structs.asdict(body).items() if value is not None}
        if body.formula is not None:
            given["formula"] = msgspec.to_builtins(body.formula)
        # Two programs that change different fields at once lose neither.
        with club_lock(season.club_id):
            row = Season.objects.select_related("club").get(pk=season.pk)
            kept = {name: getattr(row, name) for name in ("name", "starts_on", "ends_on", "is_published")}
            kept["formula"] = msgspec.to_builtins(load_formula(row.formula))
            change_season(row, SeasonDraft(**{**kept, **given}))
        return created(_details(find_season(self, season_id)), is_replay=False)


class CloseSeason(ApiView):
    """The end of a season."""

    permissions = {"GET": Permission.DIRECT, "POST": Permission.DIRECT}

    @describes("read_season_closing", shapes.SeasonClosing)
    def get(self, request: Request, season_id: UUID) -> Response:
        """Everything that prevents a season from being closed now."""
        season = find_season(self, season_id)
        is_closed = season.closed_at is not None
        problems = [] if is_closed else closing_problems(season, now=now())
        return Response(
            shapes.SeasonClosing(
                season=season.pk,
                is_closed=is_closed,
                ready=not (is_closed or problems),
                problems=parts_of(problems),
            )
        )

    @describes("close_season", shapes.SeasonDetails, body=shapes.SeasonAct, parameters=[KEY], example={})
    def post(self, request: Request, season_id: UUID) -> Response:
        """Closes a season: its standings become final. A season that is closed already stays as it is."""
        season = find_season(self, season_id)
        context = self.command_context()
        read_body(shapes.SeasonAct, request.data)
        is_replay = season.closed_at is not None
        if not is_replay:
            close_season(season, now=context.now)
        return created(_details(find_season(self, season_id)), is_replay=is_replay)


class RecalculateSeason(ApiView):
    """The standings of a club's seasons, counted again."""

    permissions = {"POST": Permission.DIRECT}

    @describes("recalculate_season", shapes.SeasonDetails, body=shapes.SeasonAct, example={})
    def post(self, request: Request, season_id: UUID) -> Response:
        """Has a worker read all tournaments of the club again: `is_behind` until that is done."""
        season = find_season(self, season_id)
        read_body(shapes.SeasonAct, request.data)
        with club_lock(season.club_id):
            mark_stale(season.club_id)
        return Response(_details(find_season(self, season_id)))


class SeasonStandingsOf(ApiView):
    """A season's standings."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("list_season_standings", shapes.StandingsPage, parameters=[TABLE, PLAYER, *PAGING], has_tag=True)
    def get(self, request: Request, season_id: UUID) -> HttpResponseBase:
        """Every player with each tournament and its points, best first. In a closed season as they were published."""
        season = find_season(self, season_id)
        asked = sorted(request.query_params.items())
        tag = tag_of(0, *_version(season), version_shown(season.club), request.get_host(), asked)
        return unless_known(request, tag, lambda: self._page(request, season), is_shared=_is_public(season))

    def _page(self, request: Request, season: Season) -> Mapping[str, Any]:
        view = season_view(season)
        tables = {table.category: table for table in view.standings.tables}
        name = request.query_params.get("table", "")
        if name not in tables or ("table" in request.query_params and not name):
            names = ", ".join(filter(None, tables)) or "none"
            raise BadParameter({"table": f"table must be one of the separate tables of this season: {names}."})
        player = _player_asked(request)
        rows = [row for row in tables[name].rows if player in (None, row.player)]
        show = partial(_line, tables[name], view.names, view)
        return page_of_list(request, rows, show, key=lambda row: row.player)


class SeasonFileOf(FileView):
    """A season as a file."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("download_season", media_types(*SEASON_FILES), parameters=[kind_parameter(*SEASON_FILES)])
    def get(self, request: Request, season_id: UUID) -> HttpResponseBase:
        """All standings for a spreadsheet, as on the season's page."""
        season = find_season(self, season_id)
        kind = kind_asked(request, *SEASON_FILES)
        view = season_view(season)
        content = season_workbook(view) if kind is FileKind.XLSX else season_csv(view).encode()
        return download(lambda file: file.write(content), f"{season.club.slug}-{season.slug}", kind)


class Ratings(ApiView):
    """A club's ratings."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("list_ratings", shapes.RatingPage, parameters=[PLAYER, *PAGING])
    def get(self, request: Request, club_id: UUID) -> Response:
        """Every player who sat at a table that counted, the strongest first."""
        club = find_club(self, club_id)
        player = _player_asked(request)
        ratings = [rating for rating in ratings_of_club(club) if player in (None, rating.player)]
        return Response(page_of_list(request, ratings, _rating, key=lambda rating: rating.player))


class RatingsFile(FileView):
    """A club's ratings as a file."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("download_ratings", media_types(*SEASON_FILES), parameters=[kind_parameter(*SEASON_FILES)])
    def get(self, request: Request, club_id: UUID) -> HttpResponseBase:
        """All ratings for a spreadsheet, as on their page."""
        club = find_club(self, club_id)
        kind, ratings = kind_asked(request, *SEASON_FILES), ratings_of_club(club)
        content = ratings_workbook(club, ratings) if kind is FileKind.XLSX else ratings_csv(ratings).encode()
        return download(lambda file: file.write(content), f"{club.slug}-ratings", kind)


def find_season(view: ApiView, season_id: UUID) -> Season:
    """The season with its club, if this request may do its deed there."""
    season = season_by_id(season_id)
    if season is None:
        raise Http404
    view.need(season.club, is_published=view.is_public and _is_public(season))
    return season


def _player_asked(request: Request) -> str | None:
    """The player that is asked for alone. Raises BadParameter."""
    text = request.query_params.get("player")
    if text is None:
        return None
    player = uuid_of(text)
    if player is None:
        raise BadParameter({"player": "player must be an id (a UUID)."})
    return str(player)


def _is_public(season: Season) -> bool:
    return season.is_published and season.club.is_published


def _version(season: Any) -> tuple[object, ...]:
    """What changes whenever its standings do: they are as last calculated, or as they were when it was closed."""
    own = (season.pk, season.club.timezone, season.starts_on, season.ends_on, season.closed_at, season.formula)
    return (*own, season.table_computed_at, season.due != season.done)


def _draft(body: shapes.SeasonBody) -> SeasonDraft:
    fields = {name: getattr(body, name) for name in body.__struct_fields__}
    return SeasonDraft(**{**fields, "formula": msgspec.to_builtins(body.formula)})


def season_answer(season: Season) -> shapes.SeasonAnswer:
    """A season."""
    return shaped(shapes.SeasonAnswer, season, club=season.club_id)


def _details(season: Any) -> shapes.SeasonDetails:
    formula, readings = load_formula(season.formula), readings_of(season.club_id)
    return shaped(
        shapes.SeasonDetails,
        season,
        club=season.club_id,
        formula=formula,
        has_begun=season.closed_at is not None or has_begun(season),
        tables=["", *(category.name for category in formula.categories)],
        computed_at=season.closed_at or season.table_computed_at,
        is_behind=readings is not None and readings.is_behind,
    )


def _line(table: CategoryTable, names: Mapping[str, str], view: SeasonView | None, row: SeasonRow) -> shapes.SeasonLine:
    """A player's line; with a `view` each tournament has its name and day."""
    tournaments = []
    for counted in row.nights:
        key = table.nights[counted.number]
        result = view.results.get(key) if view is not None else None
        tournaments.append(
            shaped(
                shapes.SeasonNight,
                counted,
                tournament=UUID(key) if view is None or result is not None else None,
                name=result.name if result is not None else None,
                day=view.day_of(key) if view is not None else None,
            )
        )
    decided_by = row.decided.by if row.decided is not None else ""
    return shaped(shapes.SeasonLine, row, name=names.get(row.player, ""), nights=tournaments, decided_by=decided_by)


def _rating(rating: RatingView) -> shapes.RatingAnswer:
    return shaped(
        shapes.RatingAnswer,
        rating,
        rating=rating.shown,
        estimate=rating.mu,
        deviation=rating.sigma,
        trail=list(rating.trail),
    )
