"""The one way from a document to its file, for everybody who prints.

Letters, shapes and fonts take 25 MB that most processes never need, so they are fetched with the first print.
"""

from collections.abc import Sequence

from tournaments.rendering.pdf.documents import Document, PageSize, Printed


def pdf_of(document: Document, size: PageSize = PageSize.A4) -> bytes:
    """The whole file."""
    from tournaments.rendering.pdf import pdf  # noqa: PLC0415 (see above)

    return pdf.pdf_of(document, size)


def pdf_of_all(printed: Sequence[Printed], size: PageSize = PageSize.A4) -> bytes:
    """Several documents, cards and certificates in one file."""
    from tournaments.rendering.pdf import pdf  # noqa: PLC0415 (see above)

    return pdf.pdf_of_all(printed, size)
