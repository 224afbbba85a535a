"""Paper: documents in plain words, and the PDF that is made of them. Rules: docs/paper.md."""

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
    Part,
    Printed,
    Row,
    Signatures,
    Table,
    Words,
)
from tournaments.rendering.pdf.press import pdf_of, pdf_of_all
from tournaments.rendering.pdf.sizes import PageSize

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
