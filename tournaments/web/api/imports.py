"""Lists that a program brings in: rows as JSON or a spreadsheet as the body, tried first or saved, and undone."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.messages import english
from tournaments.importing import ImportDraft, Preview
from tournaments.importing.run import (
    PERMISSIONS,
    permissions_of,
    preview_import,
    save_import,
    staying_of,
    undo_import,
)
from tournaments.models import Club, Import, ImportKind, Season, Tournament
from tournaments.people.permissions import Permission, may
from tournaments.spreadsheets import Row, Worksheet, read_spreadsheet
from tournaments.web.api import tournament_shapes as shapes
from tournaments.web.api.bodies import CsvParser, ListJSONParser, OdsParser, XlsxParser, read_body
from tournaments.web.api.clubs import created, find_club
from tournaments.web.api.doors import ApiView, page_of
from tournaments.web.api.problems import parts_of
from tournaments.web.api.schema import KEY, PAGING, describes

FILES = tuple(parser.media_type for parser in (CsvParser, XlsxParser, OdsParser))
# Of a file, what else the body would say.
OF_A_FILE = [
    OpenApiParameter("kind", {"type": "string", "enum": ImportKind.values}, description="Of a file: what is in it"),
    OpenApiParameter("tournament", OpenApiTypes.UUID, description="Of a file of entries"),
    OpenApiParameter("season", OpenApiTypes.UUID, description="Of a file of standings"),
    OpenApiParameter("worksheet", OpenApiTypes.STR, description="Of a file; the first one by default"),
    OpenApiParameter("similar", {"type": "string", "enum": ["new", "skip"]}, description="Of a file: similar names"),
    OpenApiParameter("dry_run", {"type": "string", "enum": ["true", "false"]}, description="Of a file: save nothing"),
    OpenApiParameter("shown", OpenApiTypes.STR, description="Of a file: the fingerprint of its dry run"),
]


class Imports(ApiView):
    """Lists that were imported, and a new one."""

    permissions = {"GET": Permission.CHECK_IN, "POST": Permission.CHECK_IN}
    parser_classes = [ListJSONParser, CsvParser, XlsxParser, OdsParser]

    @describes("list_imports", shapes.ImportPage, parameters=PAGING)
    def get(self, request: Request, club_id: UUID) -> Response:
        """The latest first, of the kinds that you may import."""
        club = find_club(self, club_id)
        kinds = [kind for kind in ImportKind if may(self.actor, PERMISSIONS[kind], club)]
        rows = Import.objects.filter(club=club, kind__in=kinds)
        return Response(page_of(request, rows, import_answer, order=("-made_at", "-id")))

    @describes(
        "import_list",
        shapes.ImportAnswer,
        body=shapes.ImportBody,
        parameters=[*OF_A_FILE, KEY],
        files=FILES,
        example={"kind": "players", "rows": [{"name": "Esha"}]},
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Saves the whole list or nothing of it. With `dry_run` says what each row would change, and saves nothing."""
        club = find_club(self, club_id)
        context = self.command_context()
        body, worksheet = _body(request)
        draft = _draft(club, body, worksheet)
        for permission in permissions_of(draft):
            self.need(club, permission=permission)
        if body.dry_run:
            _, preview = preview_import(draft)
            return created(preview_answer(draft, preview), is_replay=False)
        saved = save_import(draft, context=context, shown=body.shown)
        return created(import_answer(saved.made), is_replay=saved.is_replay)


class UndoImport(ApiView):
    """An import that is undone."""

    permissions = {"POST": Permission.CHECK_IN}

    @describes(
        "undo_import", shapes.UndoImportAnswer, body=shapes.UndoImportBody, parameters=[KEY], example={"dry_run": False}
    )
    def post(self, request: Request, club_id: UUID, import_id: UUID) -> Response:
        """Undoes it as one action. What something was built on since stays as it is, and is named."""
        club = find_club(self, club_id)
        made = get_object_or_404(Import, club=club, id=import_id)
        self.need(club, permission=PERMISSIONS[ImportKind(made.kind)])
        context = self.command_context()
        is_replay = made.undone_at is not None
        is_dry_run = read_body(shapes.UndoImportBody, request.data).dry_run
        staying = staying_of(made) if is_dry_run and not is_replay else []
        staying = staying if is_dry_run else undo_import(made, context=context)
        stays = [shapes.StayingAnswer(name=one.name, why=english(one.why)) for one in staying]
        answer = shapes.UndoImportAnswer(id=made.pk, undone_at=made.undone_at, stays=stays)
        return created(answer, is_replay=is_replay)


def import_answer(made: Import) -> shapes.ImportAnswer:
    """An import that was saved."""
    return shapes.ImportAnswer(
        id=made.pk,
        kind=made.kind,
        counts=made.counts,
        made_at=made.made_at,
        undone_at=made.undone_at,
        file_name=made.file_name,
    )


def preview_answer(draft: ImportDraft, preview: Preview) -> shapes.ImportAnswer:
    """What a list would change."""
    return shapes.ImportAnswer(
        id=None,
        kind=draft.kind,
        counts={outcome.name.lower(): number for outcome, number in preview.counts.items()},
        file_name=draft.file_name,
        fingerprint=preview.fingerprint,
        rows=[
            shapes.ImportRowAnswer(
                number=row.number,
                name=row.name,
                outcome=row.outcome.name.lower(),  # type: ignore[arg-type]
                player=UUID(row.player) if row.player else None,
                changes=[
                    shapes.ImportChange(field=change.name, before=change.before, after=change.after)
                    for change in row.changes
                ],
                candidates={str(player): name for player, name in row.candidates},
                effects=[english(effect) for effect in row.effects],
            )
            for row in preview.rows
        ],
        problems=parts_of(preview.refusals),
    )


def _body(request: Request) -> tuple[shapes.ImportBody, Worksheet]:
    """The body and its rows; a file has its other fields in the query."""
    if not isinstance(request.data, bytes):
        body = read_body(shapes.ImportBody, request.data)
        return body, _worksheet(body.rows)
    fields: dict[str, Any] = {
        name: request.query_params[name]
        for name in ("kind", "tournament", "season", "similar", "shown")
        if name in request.query_params
    }
    is_dry_run = request.query_params.get("dry_run", "false")
    fields["dry_run"] = {"true": True, "false": False}.get(is_dry_run, is_dry_run)
    worksheet = read_spreadsheet(request.data, name=request.query_params.get("worksheet", ""))
    return read_body(shapes.ImportBody, {**fields, "rows": [{}]}), worksheet


def _worksheet(rows: list[dict[str, str | int]]) -> Worksheet:
    """Rows of a body as those of a list: the first one is in row 1, the names of the fields are above it."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Worksheet(
        rows=(
            Row(0, tuple(names)),
            *(Row(number, tuple(row.get(name, "") for name in names)) for number, row in enumerate(rows, start=1)),
        )
    )


def _draft(club: Club, body: shapes.ImportBody, worksheet: Worksheet) -> ImportDraft:
    tournament = get_object_or_404(Tournament, id=body.tournament, club=club) if body.tournament else None
    season = get_object_or_404(Season, id=body.season, club=club) if body.season else None
    return ImportDraft(
        club=club,
        kind=ImportKind(body.kind),
        worksheet=worksheet,
        has_heading=True if worksheet.rows and worksheet.rows[0].number == 0 else None,
        choices={int(number): choice for number, choice in body.choices.items() if number.isdecimal()},
        others=body.similar,
        tournament=tournament,
        season=season,
        file_name=body.file_name,
    )
