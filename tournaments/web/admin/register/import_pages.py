"""The page on which lists come in: choose a file, see what each row would change, save it, undo it later.

Rules: docs/how-to/importing.md. The preview carries the rows; nothing is kept on the server before they are saved.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext

from tournaments.importing import AS_NEW, LEAVE_OUT, ImportDraft, Outcome, PreviewRow, Staying
from tournaments.importing.columns import FIELDS, TITLES, Columns
from tournaments.importing.run import PERMISSIONS, permissions_of, preview_import, save_import, staying_of, undo_import
from tournaments.models import Club, Import, ImportKind, Season, Tournament
from tournaments.models.public_names import telling_name
from tournaments.people.permissions import may
from tournaments.people.players import actor_names
from tournaments.rendering.i18n.translating import problem_texts, translate
from tournaments.spreadsheets import (
    MOST_BYTES,
    SpreadsheetRejected,
    Worksheet,
    column_letter,
    dumped,
    loaded,
    read_pasted_cells,
    read_spreadsheet,
    text_of,
)
from tournaments.web.admin.base.command_fields import IDENTITY, LinesField, TextField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, pressed, words_in
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import go_on
from tournaments.web.admin.base.scoping import actor_in, admin_page, club_moment

MOST_CARRIED = 2_500_000
# Rows of each outcome that the page shows; those to choose or to correct come first.
MOST_SHOWN, MOST_LISTED = 300, 30
SAMPLE_ROWS = 3
CHOICE, COLUMN = "who-", "column-"
ORDER = (Outcome.REFUSED, Outcome.SIMILAR, Outcome.CHANGED, Outcome.NEW, Outcome.SAME, Outcome.LEFT_OUT)


class ImportForm(CommandForm):
    """A list to import: a file, pasted cells, or the rows that the preview carries."""

    kind = forms.ChoiceField(label=gettext_lazy("What is in it"), choices=ImportKind.choices)
    tournament = forms.ModelChoiceField(
        label=gettext_lazy("Tournament"),
        queryset=Tournament.objects.none(),
        required=False,
        empty_label=gettext_lazy("choose"),
        help_text=gettext_lazy("For entries"),
    )
    season = forms.ModelChoiceField(
        label=gettext_lazy("Season"),
        queryset=Season.objects.none(),
        required=False,
        empty_label=gettext_lazy("choose"),
        help_text=gettext_lazy("For past standings"),
    )
    file = forms.FileField(
        label=gettext_lazy("Spreadsheet"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.ods"}),
        help_text=gettext_lazy("XLSX, ODS or CSV"),
    )
    cells = LinesField(label=gettext_lazy("Or paste the cells"), strip=False, attrs={"spellcheck": "false"})
    worksheet = TextField(
        label=gettext_lazy("Worksheet"), required=False, help_text=gettext_lazy("Its name. Empty: the first one")
    )
    rows = WordField(max_length=MOST_CARRIED)
    file_name = WordField(max_length=200)
    has_heading = forms.NullBooleanField(required=False)
    others = forms.ChoiceField(
        label=gettext_lazy("All other similar rows"),
        required=False,
        choices=[
            ("", gettext_lazy("Choose")),
            (AS_NEW, gettext_lazy("new player")),
            (LEAVE_OUT, gettext_lazy("leave out")),
        ],
    )
    shown = WordField()

    def __init__(self, *args: Any, club: Club, kinds: Sequence[ImportKind], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.offer("kind", [(kind.value, kind.label) for kind in kinds])
        tournaments, seasons = self.fields["tournament"], self.fields["season"]
        tournaments.queryset = Tournament.objects.filter(club=club, closed_at=None)  # type: ignore[attr-defined]
        seasons.queryset = Season.objects.filter(club=club, closed_at=None)  # type: ignore[attr-defined]
        self.source: Worksheet | None = None

    def clean(self) -> None:
        """Read what was handed in. A file takes precedence over pasted cells, and both over what was previewed."""
        values, upload = self.cleaned_data, self.cleaned_data.get("file")
        try:
            if upload and upload.size:
                self.source = read_spreadsheet(upload.read(MOST_BYTES + 1), name=values["worksheet"])
                values["file_name"] = upload.name
            elif values["cells"].strip():
                self.source = read_pasted_cells(values["cells"])
            elif values["rows"]:
                self.source = loaded(values["rows"])
            else:
                self.add_error("file", gettext("Choose a file, or paste the cells."))
        except SpreadsheetRejected as rejected:
            self.refuse(rejected.problems)
        if values.get("kind") == ImportKind.ENTRIES and not values.get("tournament"):
            self.add_error("tournament", gettext("Choose the tournament."))
        if values.get("kind") == ImportKind.STANDINGS and not values.get("season"):
            self.add_error("season", gettext("Choose the season."))

    def draft(self, data: Mapping[str, Any]) -> ImportDraft | None:
        """The list with its columns and choices; None where the form has errors."""
        if not self.is_valid() or self.source is None:
            return None
        values, width = self.cleaned_data, self.source.width
        columns = words_in(data, *(f"{COLUMN}{column}" for column in range(width)))
        is_set = any(name in data for name in columns)
        rows = words_in(data, *(f"{CHOICE}{row.number}" for row in self.source.rows if f"{CHOICE}{row.number}" in data))
        return ImportDraft(
            club=self.club,
            kind=ImportKind(values["kind"]),
            worksheet=self.source,
            columns={int(name.removeprefix(COLUMN)): field for name, field in columns.items()} if is_set else None,
            has_heading=values["has_heading"],
            choices={int(name.removeprefix(CHOICE)): choice for name, choice in rows.items() if choice},
            others=values["others"],
            tournament=values["tournament"] if values["kind"] == ImportKind.ENTRIES else None,
            season=values["season"] if values["kind"] == ImportKind.STANDINGS else None,
            file_name=values["file_name"],
        )


@purpose(gettext_noop("Bring in a list from a spreadsheet, and undo it again."))
def imports(request: HttpRequest, club: Club) -> HttpResponse:
    """Choose a list and preview it; save it; undo an earlier one. Nothing is saved before *Save*."""
    kinds = [kind for kind in ImportKind if may(actor_in(request), PERMISSIONS[kind], club)]
    if not kinds:
        raise PermissionDenied
    if request.method != "POST":
        initial = {name: request.GET[name] for name in ("kind", "tournament", "season") if name in request.GET}
        initial = {name: value for name, value in initial.items() if name == "kind" or IDENTITY.fullmatch(value)}
        return _page(request, club, ImportForm(club=club, kinds=kinds, initial=initial), kinds)
    do = pressed(request.POST)
    if do == "undo":
        return _undo(request, club, kinds)
    form = ImportForm(request.POST, request.FILES, club=club, kinds=kinds)
    draft = form.draft(request.POST)
    if draft is None:
        return _page(request, club, form, kinds)
    if any(not may(actor_in(request), permission, club) for permission in permissions_of(draft)):
        raise PermissionDenied
    if do == "store":
        saved = form.attempt(
            lambda: save_import(
                draft, context=form.command_context(request), shown=form.cleaned_data["shown"] or "nothing"
            )
        )
        if saved is not None:
            text = gettext("List imported: {counts}.").format(counts=counts_text(saved.made.counts))
            return go_on(request, _url(club), text)
    return _preview_page(request, club, form, draft)


def counts_text(counts: Mapping[str, int]) -> str:
    """The counts of an import in words: `12 new, 3 changed`."""
    return ", ".join(f"{counts[name]} {gettext(Outcome[name.upper()].value)}" for name in counts)


def _url(club: Club) -> str:
    return reverse("admin:tournaments_club_imports", args=[club.pk])


def _undo(request: HttpRequest, club: Club, kinds: Sequence[ImportKind]) -> HttpResponse:
    """Undo an import; what stays was named on the page, and is named again."""
    asked = words_in(request.POST, "import")["import"]
    made = Import.objects.filter(club=club, kind__in=kinds, pk=asked).first() if IDENTITY.fullmatch(asked) else None
    if made is None:
        raise Http404
    form = CommandForm(request.POST)
    context = replace(form.command_context(request), now=now())
    staying = form.attempt(lambda: undo_import(made, context=context))
    if staying is None:
        return _page(request, club, ImportForm(club=club, kinds=kinds), kinds, refused=form)
    text = gettext("Import undone.")
    if staying:
        text = gettext("Import undone. Stays as it is: {list}.").format(list=_staying_text(staying))
    return go_on(request, _url(club), text)


def _staying_text(staying: Sequence[Staying]) -> str:
    texts = [translate(stays.text) for stays in staying[:MOST_LISTED]]
    more = len(staying) - len(texts)
    if more:
        texts.append(ngettext("and {count} more", "and {count} more", more).format(count=more))
    return "; ".join(texts)


def _page(
    request: HttpRequest,
    club: Club,
    form: ImportForm,
    kinds: Sequence[ImportKind],
    *,
    refused: CommandForm | None = None,
) -> HttpResponse:
    """The form for a new list, and the lists that came in."""
    imported = Import.objects.filter(club=club, kind__in=kinds).select_related("tournament", "season")
    earlier = list(imported[:MOST_LISTED])
    names = actor_names({actor for made in earlier for actor in (made.actor, made.undone_by) if actor}, club.pk)
    asked = words_in(request.GET, "undo")["undo"]
    context = {
        "title": gettext("Import: {name}").format(name=club.name),
        "club": club,
        "form": form,
        "refused": refused,
        "earlier": [
            {
                "made": made,
                "kind": made.get_kind_display(),
                "at": club_moment(made.made_at, club),
                "by": names.get(made.actor, ""),
                "counts": counts_text(made.counts),
                "undone": club_moment(made.undone_at, club) if made.undone_at else "",
                "is_asked": str(made.pk) == asked and made.undone_at is None,
                "staying": _staying_text(staying_of(made)) if str(made.pk) == asked and not made.undone_at else "",
            }
            for made in earlier
        ],
    }
    return admin_page(
        request, "admin/tournaments/club/imports.html", context, model=Club, refused=form.errors or refused
    )


def _preview_page(request: HttpRequest, club: Club, form: ImportForm, draft: ImportDraft) -> HttpResponse:
    """What each row would change, with the columns and the choices to set."""
    columns, preview = preview_import(draft)
    form.put(rows=dumped(draft.worksheet), file_name=draft.file_name, cells="", shown=preview.fingerprint)
    problems = [*preview.problems, *(problem for row in preview.rows for problem in row.problems)]
    shown_rows = sorted(preview.rows, key=lambda row: (ORDER.index(row.outcome), row.number))[:MOST_SHOWN]
    # A row of the file may be several here, one for each tournament: who it is, is asked once.
    asked_rows = {row.number: row for row in reversed(shown_rows)}
    context = {
        "title": gettext("Import: {name}").format(name=club.name),
        "club": club,
        "form": form,
        "columns": list(_column_rows(draft, columns)),
        "choices_of_columns": [
            ("", gettext("leave out")),
            *((name, gettext(TITLES[name])) for name in FIELDS[draft.kind]),
        ],
        "has_heading": columns.has_heading,
        "counts": [(gettext(outcome.value), number) for outcome, number in preview.counts.items()],
        "problems": problem_texts(problems[:MOST_SHOWN]),
        "number": len(problems),
        "rows": [_row(row, draft, is_asked=asked_rows[row.number] is row) for row in shown_rows],
        "more": len(preview.rows) - len(shown_rows),
        "has_choices": any(row.outcome is Outcome.SIMILAR for row in preview.rows),
        "can_save": not problems and bool(preview.rows),
        "worksheets": draft.worksheet.names if len(draft.worksheet.names) > 1 else (),
        "worksheet": draft.worksheet.name,
        "encoding": draft.worksheet.encoding,
        "preview": preview,
    }
    return admin_page(
        request,
        "admin/tournaments/club/import_preview.html",
        context,
        model=Club,
        refused=form.errors or preview.problems,
    )


def _column_rows(draft: ImportDraft, columns: Columns) -> Iterator[dict[str, Any]]:
    samples = [row for row in draft.worksheet.rows if columns.rows and row.number >= columns.rows[0].number]
    for column in range(draft.worksheet.width):
        yield {
            "letter": column_letter(column),
            "field": f"{COLUMN}{column}",
            "heading": columns.headings[column],
            "chosen": columns.fields.get(column, ""),
            "samples": [text for row in samples[:SAMPLE_ROWS] if (text := text_of(row.cell(column)))],
        }


def _row(row: PreviewRow, draft: ImportDraft, *, is_asked: bool) -> dict[str, Any]:
    choice = draft.choices.get(row.number, "")
    options = []
    if is_asked and (row.candidates or choice):
        options = [
            ("", gettext("Choose")),
            *((str(player), telling_name(name, player)) for player, name in row.candidates),
            *([(choice, row.name)] if choice not in ("", AS_NEW, LEAVE_OUT) else []),
            (AS_NEW, gettext("new player")),
            (LEAVE_OUT, gettext("leave out")),
        ]
    return {
        "row": row,
        "outcome": gettext(row.outcome.value),
        "changes": [(gettext(TITLES[change.name]), change.before, change.after) for change in row.changes],
        "effects": [translate(effect) for effect in row.effects],
        "problems": problem_texts(row.problems),
        "field": f"{CHOICE}{row.number}",
        "options": options,
        "chosen": choice,
    }
