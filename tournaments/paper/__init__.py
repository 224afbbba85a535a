"""Paper: documents in plain words, and the PDF that is made of them. Rules: docs/paper.md."""

from tournaments.paper.documents import Column, Document, Facts, Kind, Part, Row, Signatures, Table, Words
from tournaments.paper.press import pdf_of
from tournaments.paper.receipts import Receipt, receipt_pdf
from tournaments.paper.sizes import PageSize

__all__ = [
    "Column",
    "Document",
    "Facts",
    "Kind",
    "PageSize",
    "Part",
    "Receipt",
    "Row",
    "Signatures",
    "Table",
    "Words",
    "pdf_of",
    "receipt_pdf",
]
