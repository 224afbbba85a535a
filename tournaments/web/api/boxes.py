"""The boxes of a club, for owners: listed, made and fetched.

Rules: docs/reference/api.md, "Boxes"; docs/how-to/moving.md. A box comes in by hand: a site administrator enters
the code that its maker reads out. Ending changes here goes with that.
"""

from datetime import UTC
from uuid import UUID

from django.http import FileResponse, Http404
from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.boxes.keeping import KeptBox, boxes_of, make_box
from tournaments.people.permissions import Permission
from tournaments.web.api import receiver_shapes as shapes
from tournaments.web.api.bodies import read_body
from tournaments.web.api.clubs import find_club
from tournaments.web.api.doors import ApiView, page_of_list
from tournaments.web.api.downloads import FileView
from tournaments.web.api.schema import PAGING, describes

BOX = "application/octet-stream"


class Boxes(ApiView):
    """The boxes of a club that are here."""

    permissions = {"GET": Permission.MANAGE, "POST": Permission.MANAGE}

    @describes("list_boxes", shapes.BoxPage, parameters=PAGING)
    def get(self, request: Request, club_id: UUID) -> Response:
        """The newest first."""
        boxes = boxes_of(find_club(self, club_id).pk)
        return _with_code(page_of_list(request, boxes, box_answer, key=lambda box: box.path.name))

    @describes("make_box", shapes.BoxAnswer, body=shapes.BoxBody, example={})
    def post(self, request: Request, club_id: UUID) -> Response:
        """Makes a box of the club as it is now. Each request makes one: they end after the days that the club set."""
        club = find_club(self, club_id)
        read_body(shapes.BoxBody, request.data)
        path = make_box(club, now=now())
        return _with_code(next(box_answer(box) for box in boxes_of(club.pk) if box.path == path))


class BoxFile(FileView):
    """One box."""

    permissions = {"GET": Permission.MANAGE}

    @describes("fetch_box", (BOX,))
    def get(self, request: Request, club_id: UUID, box_name: str) -> FileResponse:
        """The file of a box."""
        club = find_club(self, club_id)
        for box in boxes_of(club.pk):
            if box.path.name == box_name:
                answer = FileResponse(box.path.open("rb"), as_attachment=True, filename=box_name, content_type=BOX)
                answer["Cache-Control"] = "no-store"
                return answer
        raise Http404


def _with_code(answer: object) -> Response:
    """An answer with the code that brings a box in elsewhere; no cache keeps it."""
    return Response(answer, headers={"Cache-Control": "no-store"})


def box_answer(box: KeptBox) -> shapes.BoxAnswer:
    """A box."""
    made_at = box.made_at.astimezone(UTC)
    return shapes.BoxAnswer(name=box.path.name, made_at=made_at, bytes=box.path.stat().st_size, code=box.code)
