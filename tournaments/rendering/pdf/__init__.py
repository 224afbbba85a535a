"""Paper: documents in plain words, and the PDF that is made of them. Rules: docs/how-to/paper.md."""

from collections.abc import Sequence

from tournaments.rendering.pdf.documents import (
    Announcement,
    Box,
    BoxGroup,
    Card,
    Certificate,
    Coded,
    Column,
    Document,
    Facts,
    Grid,
    Kind,
    NextPage,
    PageSize,
    Part,
    Printed,
    Row,
    Signatures,
    Table,
    Words,
)

# The one way from a document to its file, for everybody who prints.


def pdf_of(document: Document, size: PageSize = PageSize.A4) -> bytes:
    """The whole file."""
    from tournaments.rendering.pdf import pdf  # noqa: PLC0415 (see above)

    return pdf.pdf_of(document, size)


def pdf_of_all(printed: Sequence[Printed], size: PageSize = PageSize.A4) -> bytes:
    """Several documents, cards and certificates in one file."""
    from tournaments.rendering.pdf import pdf  # noqa: PLC0415 (see above)

    return pdf.pdf_of_all(printed, size)


__all__ = [
    "Announcement",
    "Box",
    "BoxGroup",
    "Card",
    "Certificate",
    "Coded",
    "Column",
    "Document",
    "Facts",
    "Grid",
    "Kind",
    "NextPage",
    "PageSize",
    "Part",
    "Printed",
    "Row",
    "Signatures",
    "Table",
    "Words",
    "pdf_of",
    "pdf_of_all",
]
