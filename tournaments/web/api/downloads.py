"""Operations that answer a file: the kinds of files, and the views that send them.

Rules: docs/reference/api.md, "Files".
"""

from collections.abc import Callable
from typing import IO, Any

from django.http import FileResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from tournaments.models import Club
from tournaments.printing.files import CONTENT_TYPES, FileKind
from tournaments.rendering.i18n.translating import activate_locale
from tournaments.rendering.pdf import Document, PageSize, pdf_of
from tournaments.web.api.bodies import StructRenderer
from tournaments.web.api.doors import ApiView, one_of
from tournaments.web.downloads import file_answer

PAPERS = {"a4": PageSize.A4, "letter": PageSize.LETTER}
PAPER = OpenApiParameter(
    "paper", {"type": "string", "enum": [*PAPERS]}, description="Of a PDF: its size, `a4` by default"
)


class FileRenderer(StructRenderer):
    """Lets a client accept whatever it likes: a file has the type that was asked for by `kind`."""

    media_type = "*/*"


class FileView(ApiView):
    """A view whose answer is a file."""

    renderer_classes = [StructRenderer, FileRenderer]


def media_types(*kinds: FileKind) -> tuple[str, ...]:
    """The types of files of these kinds, for the description."""
    return tuple(CONTENT_TYPES[kind].partition(";")[0] for kind in kinds)


def kind_parameter(*kinds: FileKind) -> OpenApiParameter:
    """The query parameter `kind`; the first one is the default."""
    return OpenApiParameter(
        "kind", {"type": "string", "enum": [*map(str, kinds)]}, description=f"The kind of file, `{kinds[0]}` by default"
    )


def kind_asked(request: Request, *kinds: FileKind) -> FileKind:
    """The kind of file that is asked for. Raises BadParameter."""
    return FileKind(one_of(request, "kind", [*map(str, kinds)]))


def paper_asked(request: Request) -> PageSize:
    """The size of paper that is asked for. Raises BadParameter."""
    return PAPERS[one_of(request, "paper", [*PAPERS])]


def download(write: Callable[[IO[bytes]], Any], name: str, kind: FileKind) -> FileResponse:
    """A file that is written to the end before it is sent."""
    return file_answer(write, f"{name}.{kind}", CONTENT_TYPES[kind])


def paper(request: Request, make: Callable[[], Document], name: str, club: Club) -> FileResponse:
    """A PDF in the language that the client prefers, with amounts as the club writes them. Raises BadParameter."""
    size = paper_asked(request)
    activate_locale(club.locale)
    return download(lambda file: file.write(pdf_of(make(), size)), name, FileKind.PDF)
