"""What is printed here: on which paper, and as which file.

Rules: docs/how-to/paper.md. An address that names its paper is printed on that; the page that offers what there is
remembers which paper was chosen, for as long as one is signed in.
"""

from collections.abc import Sequence
from io import BytesIO

from django import forms
from django.http import FileResponse, HttpRequest

from tournaments.rendering.pdf import PageSize, Printed, pdf_of_all

PDF = "application/pdf"
SIZES = {"a4": PageSize.A4, "letter": PageSize.LETTER}
REMEMBERED = "paper"


class PaperForm(forms.Form):
    """On which paper."""

    paper = forms.ChoiceField(choices=[(name, name) for name in SIZES])


def size_of(request: HttpRequest) -> PageSize:
    """The paper that was asked for; A4 is what most of the world has."""
    asked = PaperForm({**request.GET.dict(), **request.POST.dict()})
    return SIZES[asked.cleaned_data["paper"]] if asked.is_valid() else PageSize.A4


def chosen_paper(request: HttpRequest) -> str:
    """The paper that was chosen on this page, now or before; a choice is kept."""
    wanted = request.GET.get("paper", "")
    if wanted in SIZES:
        request.session[REMEMBERED] = wanted
    kept = request.session.get(REMEMBERED, "")
    return kept if kept in SIZES else "a4"


def pdf_answer(printed: Sequence[Printed], size: PageSize, name: str) -> FileResponse:
    """The file, made whole before it is sent."""
    file = BytesIO(pdf_of_all(printed, size))
    return FileResponse(file, as_attachment=True, filename=f"{name}.pdf", content_type=PDF)
