"""Entering players before the tournament: by name, as a pasted list or as a file, previewed before it is stored.

Rules: docs/how-to/evening.md, "Entries and the desk". A refused form keeps what was typed. Knows nothing of the
check-in desk's ticks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from scoring.exports.spreadsheets import Money
from scoring.money.formatting import Notation, money
from scoring.problems import Problem
from tournaments.entries.commands.checked import Change, CheckedList, Question
from tournaments.entries.commands.enter import MEMBER, check_list, enter_list, questions_of_places
from tournaments.entries.commands.lists import EntryRow, read_csv, read_pasted
from tournaments.entries.queries import entries
from tournaments.entries.self_entry import places_of, state_of
from tournaments.models import Tournament
from tournaments.people.permissions import Permission, may
from tournaments.people.players import roster
from tournaments.printing import notation_of
from tournaments.rendering.i18n.translating import problem_texts, translate, without_row
from tournaments.spreadsheets import MOST_BYTES, SpreadsheetRejected, csv_text, decoded, read_spreadsheet
from tournaments.web.admin.base.command_fields import LinesField, NameField, ReasonField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, pressed
from tournaments.web.admin.base.list_files import ListFile, asked_file, list_file
from tournaments.web.admin.base.pages import Page, Tab, purpose
from tournaments.web.admin.base.request import PLAYERS_A_PAGE, page_of, page_url, tournament_page
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.entries import desk_pages
from tournaments.web.admin.entries.choices import WHO, choices_of, chosen_rows, digest_of, open_problems
from tournaments.web.admin.entries.desk_forms import MOST_REASON, rate_titles
from tournaments.web.admin.entries.desk_pages import desk_player, entry_row, policies

NEW_NAME = gettext_lazy("Add as a new player")
PAST_PLACES = gettext_lazy("Enter although all places are taken")


class OneForm(CommandForm):
    """One player by name."""

    called = {"till": "is_paid"}

    name = NameField(label=gettext_lazy("Name"), required=False, attrs={"list": "players", "spellcheck": "false"})
    is_paid = forms.BooleanField(label=gettext_lazy("Has paid"), required=False)
    is_standby = forms.BooleanField(label=gettext_lazy("Standby list"), required=False)
    adds_new = forms.BooleanField(label=NEW_NAME, required=False)
    past_places = forms.BooleanField(label=PAST_PLACES, required=False)
    back = WordField()

    def row(self) -> EntryRow:
        """The player as the only row of a list."""
        values = self.read
        return EntryRow(
            number=1, name=values.get("name", ""), is_paid=values["is_paid"], is_standby=values["is_standby"]
        )

    def refuse(self, problems: Iterable[Problem], names: Mapping[str, str] | None = None) -> None:
        """Problems without their row number, for there is only one row."""
        super().refuse([replace(problem, detail=without_row(problem.message)) for problem in problems], names)


class ListForm(CommandForm):
    """A list as typed or uploaded. A file takes precedence over the text box."""

    names = LinesField(
        label=gettext_lazy("One name a line"),
        strip=False,
        attrs={"spellcheck": "false", "aria-describedby": "names_help"},
    )
    file = forms.FileField(
        label=gettext_lazy("Or a spreadsheet"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.ods", "aria-describedby": "file_help"}),
    )
    is_csv = WordField()
    adds_new = forms.BooleanField(required=False)
    past_places = forms.BooleanField(label=PAST_PLACES, required=False)
    reason = ReasonField(label=gettext_lazy("Reason for lower fees"), max_length=MOST_REASON)
    shown = WordField()
    # Digest of the text to which the choices belong: in another one, row 3 is another player.
    chosen_in = WordField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.problems: list[Problem] = []
        self.nobody: tuple[EntryRow, ...] = ()
        self.choices: Mapping[str, str] = {}

    def clean(self) -> None:
        """Put an uploaded file's text into the text box."""
        upload = self.cleaned_data.get("file")
        if upload and upload.size:
            data, text = upload.read(MOST_BYTES + 1), ""
            try:
                text = csv_text(read_spreadsheet(data)) if data.startswith(b"PK") else decoded(data)[0]
            except SpreadsheetRejected as rejected:
                raise ValidationError(problem_texts(rejected.problems), code="not_a_list") from rejected
            finally:
                self.cleaned_data |= {"names": text, "is_csv": "yes"}
                self.put(names=text, is_csv="yes")

    def rows(self) -> tuple[EntryRow, ...]:
        """The rows of the list; problems with unreadable ones are in `errors`."""
        if not self.is_valid():
            return ()
        values = self.cleaned_data
        parsed_list = read_csv(values["names"]) if values["is_csv"] == "yes" else read_pasted(values["names"])
        self.refuse(parsed_list.problems)
        chosen = chosen_rows(parsed_list.rows, self.data, text=values["names"], chosen_in=values["chosen_in"])
        self.choices, self.nobody = chosen.choices, (*parsed_list.nobody, *chosen.skipped)
        return tuple(replace(row, reason=row.reason or values["reason"]) for row in chosen.rows)

    def ask(self, questions: Iterable[Question]) -> None:
        """Add a problem for each row whose question was not answered."""
        self.refuse(open_problems(questions))

    def refuse(self, problems: Iterable[Problem], names: Mapping[str, str] | None = None) -> None:
        """A problem that several rows share is listed once."""
        self.problems += problems
        for text in problem_texts(self.problems):
            self.add_error(None, text)


@purpose(gettext_noop("Enter players: pick them, or paste a list."))
def entry_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All entries, and the forms that add more; with `?file=csv` or `xlsx` the entries as a file."""
    if request.method != "POST" and (kind := asked_file(request)):
        return _entries_file(tournament, kind)
    if request.method != "POST":
        return _page(request, tournament)
    do = pressed(request.POST)
    if do == "one":
        return _enter_one(request, tournament)
    form = ListForm(request.POST, request.FILES)
    rows = form.rows()
    if form.errors:
        return _page(request, tournament, many=form)
    return _store(request, tournament, form, rows) if do == "store" else _look(request, tournament, form, rows)


@purpose(gettext_noop("The entries on paper, to tick by hand."))
def printed_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All entries from A to Z with boxes to tick, to print."""
    all_entries = entries(tournament)
    context = {
        "counts": all_entries.counts,
        "rows": [entry_row(all_entries, line) for line in all_entries.lines],
        "title": gettext("Entries: {name}").format(name=tournament.name),
    }
    return tournament_page(request, tournament, "entries_print", context)


def _entries_file(tournament: Tournament, kind: ListFile) -> HttpResponse:
    """All entries from A to Z, the standby list and who is gone among them."""
    currency = tournament.currency
    heading = (gettext("Name"), gettext("Status"), gettext("Checked in"), gettext("Paid"), gettext("Due"))
    rows = (
        (
            line.name,
            translate(line.entrant.standing.word),
            gettext("yes") if line.entrant.is_checked_in else gettext("no"),
            Money(line.entrant.paid_minor, currency),
            Money(line.due_minor, currency),
            currency,
        )
        for line in entries(tournament).lines
    )
    name = f"{tournament.slug}-entries"
    return list_file(kind, name, (*heading, gettext("Currency")), rows, locale=tournament.club.locale)


def _enter_one(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Enter one player by name; a name that no player has needs a confirmation."""
    form = OneForm(request.POST)
    row = form.row()
    adds_new, past_places = form.read["adds_new"], form.read["past_places"]
    command = form.whole_context(request)
    done = None
    if form.is_valid():
        done = form.attempt(
            lambda: enter_list(tournament.pk, [row], context=command, adds_new=adds_new, past_places=past_places)
        )
    if done is None:
        return _page(request, tournament, one=form, checked=check_list(tournament, [row]))
    text = " ".join(row.name.split())
    messages.success(
        request,
        gettext("{said} has entered already.").format(said=text)
        if done.is_replay
        else gettext("{said} is entered.").format(said=text),
    )
    page = "desk" if form.cleaned_data["back"] == "desk" else "entries"
    return HttpResponseRedirect(page_url(page, tournament))


def _store(request: HttpRequest, tournament: Tournament, form: ListForm, rows: Sequence[EntryRow]) -> HttpResponse:
    """Store a list that was previewed; where it would have another effect now, the preview is shown again."""
    values = form.cleaned_data
    checked = check_list(tournament, rows)
    form.ask(checked.questions)
    done = None
    if not form.errors:
        done = form.attempt(
            lambda: enter_list(
                tournament.pk,
                rows,
                context=form.whole_context(request),
                adds_new=values["adds_new"],
                shown=values["shown"],
                past_places=values["past_places"],
            )
        )
    if done is None:
        return _look(request, tournament, form, rows)
    text = gettext("No changes to save") if done.is_replay else gettext("List saved")
    messages.success(
        request,
        gettext("{said}; {entered} players have entered.").format(
            said=text, entered=entries(tournament).counts.entered
        ),
    )
    return HttpResponseRedirect(page_url("entries", tournament))


def _look(request: HttpRequest, tournament: Tournament, form: ListForm, rows: Sequence[EntryRow]) -> TemplateResponse:
    """Preview the changes row by row; nothing is stored."""
    notation = notation_of(tournament)
    checked = check_list(tournament, rows)
    is_refused = bool(form.errors)
    if not form.problems:
        form.refuse(checked.refusals)
    context = {
        "form": form,
        "checked": checked,
        "places_questions": questions_of_places(tournament, state_of(tournament), checked),
        "things": max(len(form.problems), len(form.all_errors())),
        "rows": list(_lines(form, rows, checked, notation)),
        "chosen_in": digest_of(form.cleaned_data["names"]),
        "lowers_fees": any(
            checked_row.terms is not None and checked_row.terms.reason not in ("", MEMBER)
            for checked_row in checked.rows
        ),
        "counts": {change.name.lower(): checked.count(change) for change in Change},
        "pays": money(sum(checked_row.pays_minor for checked_row in checked.rows), *notation),
        "title": gettext("Changes from the list"),
    }
    return tournament_page(request, tournament, "entries_check", context, refused=is_refused)


def _lines(
    form: ListForm, rows: Sequence[EntryRow], checked: CheckedList, notation: Notation
) -> Iterator[Mapping[str, Any]]:
    """Every pasted line as understood: the player, what was ignored, and the change."""
    by_row = {checked_row.row.number: checked_row for checked_row in checked.rows}
    question_by_row = {row_question.row.number: row_question for row_question in checked.questions}
    skipped = {row.number for row in form.nobody if row.name}
    rates = rate_titles()
    why = {problem.field: translate(without_row(problem.message)) for problem in checked.problems}
    for row in sorted((*rows, *form.nobody), key=lambda row: row.number):
        checked_row, question = by_row.get(row.number), question_by_row.get(row.number)
        yield {
            "row": row,
            "checked": None if question and question.is_open else checked_row,
            "rate": rates.get(checked_row.rate, checked_row.rate) if checked_row else "",
            "pays": money(checked_row.pays_minor, *notation) if checked_row and checked_row.pays_minor else "",
            "is_skipped": row.number in skipped,
            "why": why.get(f"row {row.number}", "") if question and question.is_open else "",
            "who": f"{WHO}{row.number}",
            "choices": choices_of(question) if question or row.number in skipped else (),
            "chosen": form.choices.get(f"{WHO}{row.number}", ""),
        }


def _page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    one: OneForm | None = None,
    checked: CheckedList | None = None,
    many: ListForm | None = None,
) -> TemplateResponse:
    """The forms as typed, and the list."""
    all_entries = entries(tournament)
    entered = {line.player for line in all_entries.lines if line.entrant.plays}
    labels = roster(tournament, 1).by_label
    one, many = one or OneForm(), many or ListForm()
    questions = checked.questions if checked else ()
    one.fields["name"].widget.attrs["autofocus"] = not many.is_bound
    context = {
        "shown": all_entries,
        "listed": page_of(request, "page", all_entries.lines, PLAYERS_A_PAGE),
        "counts": all_entries.counts,
        "free": [label for label, player in labels.items() if str(player) not in entered],
        "one": one,
        "many": many,
        "is_asked": bool(checked and checked.new_names),
        "places": places_of(tournament, all_entries.state),
        "looks_like": next((name for question in questions for _, name in question.players), ""),
        "late": policies(all_entries.state).get("late", "") if all_entries.state.is_started else "",
        "is_open": not all_entries.state.is_closed,
        "may_check_in": may(actor_in(request), Permission.CHECK_IN, tournament.club_id),
        "title": gettext("Entries: {name}").format(name=tournament.name),
    }
    return tournament_page(request, tournament, "entries", context, refused=one.errors or many.errors)


# Actions of the desk check a permission of their own as well.
PAGES = (
    Page("entries/", "entries", entry_list, Permission.CHECK_IN, Tab.PLAYERS, gettext_noop("Entries")),
    Page("entries/print/", "entries_print", printed_list, Permission.TAKE_ENTRY, is_read_only=True),
    Page("desk/", "desk", desk_pages.desk, Permission.TAKE_ENTRY, Tab.PLAYERS, gettext_noop("Check-in")),
    Page("desk/list/", "desk_list", desk_pages.desk_list, Permission.TAKE_ENTRY, is_read_only=True),
    Page("desk/<uuid:player_id>/", "desk_player", desk_player, Permission.TAKE_ENTRY),
)
