"""Players: added one or many at a time with likely duplicates shown first, and erased when they ask for it.

Rules: docs/how-to/evening.md, "Before the tournament". Django's own record of admin changes is not kept for players: it
would hold their names after they were erased.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext

from scoring.messages import say
from scoring.money.formatting import money
from scoring.problems import OptionsRejected, Problem
from tournaments.cash.queries import player_money
from tournaments.changing import change_player, player_problems
from tournaments.entries.commands.lists import EntryList, EntryRow, read_pasted
from tournaments.models import Club, Player
from tournaments.models.people import names_with
from tournaments.models.public_names import Naming
from tournaments.people.known_names import known_names
from tournaments.people.pasting import LeftOut, SkipReason
from tournaments.people.permissions import Permission
from tournaments.people.players import (
    add_players,
    likely_duplicates,
    player_name_problems,
)
from tournaments.printing import not_printed
from tournaments.printing.books import statement_context
from tournaments.privacy import (
    balance_problems,
    erase_player,
    history_of,
    kept_until,
    mentions_of,
    name_kept_until,
    remove_player,
    what_is_known,
)
from tournaments.rendering.i18n.formatting import day
from tournaments.rendering.i18n.translating import problem_texts
from tournaments.web.admin import books
from tournaments.web.admin.base.command_fields import LinesField, TicksField
from tournaments.web.admin.base.command_forms import data_of
from tournaments.web.admin.base.edit_forms import ClubEditAdmin, EditForm
from tournaments.web.admin.base.pages import Page, purpose
from tournaments.web.admin.base.request import go_on
from tournaments.web.admin.base.scoping import OwnFilter, clubs_with
from tournaments.web.admin.entries.desk_forms import rate_titles
from tournaments.web.admin.register import link_pages, merge_pages

MOST_TEXT = 120_000
IMPORTING_CLUBS = 5


class NamesForm(forms.Form):
    """One name a line, as pasted from a list."""

    club = forms.ModelChoiceField(queryset=Club.objects.none(), empty_label=None, label=gettext_lazy("Club"))
    names = forms.CharField(
        label=gettext_lazy("Names, one a line"),
        max_length=MOST_TEXT,
        widget=forms.Textarea(attrs={"rows": 12, "dir": "auto", "autofocus": True, "spellcheck": "false"}),
    )

    duplicates = LinesField()

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["club"].queryset = clubs_with(request, Permission.DIRECT)  # type: ignore[attr-defined]

    def clean_names(self) -> EntryList:
        """The parsed lines. Raises ValidationError for problems, such as too many lines."""
        entry_list = read_pasted(str(self.cleaned_data["names"]))
        if entry_list.problems:
            raise forms.ValidationError(problem_texts(entry_list.problems))
        return entry_list


class SureForm(forms.Form):
    """The confirmation without which no player is erased or removed."""

    sure = forms.ChoiceField(choices=[("yes", "yes")])
    with_balance = forms.BooleanField(required=False)
    also = TicksField()


def _change_url(row: Model | None) -> str:
    """The page on which a row of the club is changed; empty for none."""
    return reverse(f"admin:tournaments_{row._meta.model_name}_change", args=[row.pk]) if row is not None else ""


def _name_field(**how: Any) -> forms.CharField:
    return forms.CharField(max_length=200, widget=forms.TextInput(attrs={"dir": "auto", "class": "vTextField"}), **how)


class PlayerForm(EditForm):
    """A player's name, how the public reads it, membership, and the club's notes."""

    name = _name_field(label=gettext_lazy("Name"))
    naming = forms.ChoiceField(
        label=gettext_lazy("Name on public pages"),
        required=False,
        choices=[("", gettext_lazy("the club's setting")), *Naming.choices],
        help_text=gettext_lazy("The player's choice. It applies to every public page, past tournaments included."),
    )
    pseudonym = _name_field(
        required=False,
        label=gettext_lazy("Chosen name"),
        help_text=gettext_lazy("Shown instead of the name, if chosen above."),
    )

    class Meta:
        model = Player
        fields = (
            "name",
            "member_number",
            "is_member",
            "is_suspended",
            "email",
            "wants_mail",
            "phone",
            "naming",
            "pseudonym",
            "has_page",
            "note",
        )

    def clean(self) -> dict[str, Any] | None:
        """Shows what the command would refuse."""
        cleaned = super().clean()
        self.refuse(player_problems(self.instance, self.changes()))
        return cleaned


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The result of checking a list of names."""

    problems: tuple[Problem, ...] = ()
    duplicates: tuple[str, ...] = ()
    lines: tuple[tuple[EntryRow, str], ...] = ()

    @property
    def listed(self) -> str:
        """What the page shows and sends back: a user can only confirm what they have seen.

        Empty for a single new name of which nothing is ignored.
        """
        left_out = (piece.text for row, _ in self.lines for piece in row.left_out)
        names = [row.name for row, _ in self.lines] if len(self.lines) > 1 else []
        return "\n".join(" ".join(text.split()) for text in (*self.duplicates, *names, *left_out))


@admin.register(Player)
class PlayerAdmin(ClubEditAdmin):
    """The players of the user's clubs."""

    add_permission = Permission.DIRECT
    change_permission = Permission.DIRECT
    grants = {
        "may_erase": Permission.MANAGE,
        "may_see_data": Permission.MANAGE,
        "may_remove": Permission.DIRECT,
        "may_merge": Permission.DIRECT,
        "may_link": Permission.CHECK_IN,
        "may_see_money": Permission.SEE_MONEY,
        "may_handle_cash": Permission.HANDLE_CASH,
    }
    form = PlayerForm
    add_text = gettext_lazy("Add players")
    list_display = ("name", "is_member", "club", "created_at")
    list_filter = (("club", OwnFilter), "is_member")
    list_select_related = ("club",)
    # The words are looked for in `get_search_results`.
    search_fields = ("search_key",)
    actions = None
    change_form_template = "admin/tournaments/player/change.html"

    @property
    def own_pages(self) -> Sequence[Page]:
        """Pages to erase, remove or merge a player, and the statement."""
        return (
            Page("erase/", "erase", self.erase, Permission.MANAGE),
            Page("remove/", "remove", self.remove, Permission.DIRECT),
            Page("data/", "data_file", self.data_file, Permission.MANAGE, is_read_only=True),
            Page("link/", "link", link_pages.player_link, Permission.CHECK_IN),
            Page("merge/", "merge", merge_pages.merge, Permission.DIRECT),
            Page("unmerge/", "unmerge", merge_pages.unmerge, Permission.DIRECT),
            Page("statement/", "statement", self.statement, Permission.SEE_MONEY, is_read_only=True),
            Page("statement/file/", "statement_file", books.statement, Permission.SEE_MONEY, is_read_only=True),
        )

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """With the clubs into which the user may import lists."""
        clubs = list(clubs_with(request, Permission.DIRECT)[:IMPORTING_CLUBS])
        return super().changelist_view(request, {"import_clubs": clubs, **(extra_context or {})})

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Not kept: it would outlive the name's erasure."""

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Not kept: it would outlive the name's erasure."""

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """By the command that programs call. The answer names the player as stored."""
        obj.name = change_player(obj.pk, form.changes()).name

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An erased player cannot be changed."""
        if obj is not None and obj.erased_at is not None:
            return False
        return super().has_change_permission(request, obj)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **words: Any) -> HttpResponse:
        """Redirects from a merged row to the one that stays."""
        row = self.get_object(request, object_id)
        if row is not None and row.merged_into_id is not None:
            return redirect("admin:tournaments_player_change", row.merged_into_id)
        return super().change_view(request, object_id, *args, **words)

    def add_view(self, request: HttpRequest, *args: Any, **words: Any) -> HttpResponse:
        """Add one player or a pasted list; likely duplicates are shown before anything is stored."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = NamesForm(data_of(request), request=request)
        if not form.is_valid():
            return self.answer(request, "player/add.html", {"form": form, "checked": Checked()})
        club, entry_list = form.cleaned_data["club"], form.cleaned_data["names"]
        checked = _checked(club, entry_list)
        if checked.problems or form.cleaned_data["duplicates"].splitlines() != checked.listed.splitlines():
            context = {"form": form, "checked": checked}
            return self.answer(request, "player/add.html", context, refused=checked.problems)
        try:
            added = add_players(club, [row.name for row in entry_list.rows])
        except OptionsRejected as refused:
            checked = Checked(problems=refused.problems)
            return self.answer(request, "player/add.html", {"form": form, "checked": checked}, refused=True)
        return go_on(request, "admin:tournaments_player_changelist", _added_text(len(added), club))

    @purpose(gettext_noop("Erase name and notes of a player; results and money stay."))
    def erase(self, request: HttpRequest, player: Player) -> HttpResponse:
        """Ask, then erase the player's identity. Only an owner may do it, and it cannot be undone."""
        if player.erased_at is not None:
            return redirect("admin:tournaments_player_change", player.pk)
        form, problems, until = SureForm(data_of(request)), [], name_kept_until(player, now=now())
        if form.is_valid():
            try:
                answers = form.cleaned_data
                erase_player(player, now=now(), with_balance=answers["with_balance"], also=answers["also"])
            except OptionsRejected as refused:
                problems = list(refused.problems)
        if problems or not form.is_valid():
            context = {
                "player": player,
                "until": day(until) if until else "",
                "must_confirm": form.is_bound and not form.is_valid(),
                "problems": problems or balance_problems(player),
                "mentions": [(mention, _change_url(mention.row)) for mention in mentions_of(player)],
                "also": form["also"].value() or () if form.is_bound else (),
            }
            return self.answer(request, "player/erase.html", context, refused=form.is_bound)
        text = gettext("Player erased. Scores and amounts are kept under a number.")
        if until:
            text = gettext("Player erased. The name stays in the books until {day}.").format(day=day(until))
        return go_on(request, "admin:tournaments_player_changelist", text)

    def data_file(self, request: HttpRequest, player: Player) -> HttpResponse:
        """Everything that is known here about the player, as one JSON file for the person who asks."""
        text = msgspec.json.format(msgspec.json.encode(what_is_known(player, now=now())), indent=2)
        name = f"player-{player.pk.hex[:8]}.json"
        headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(text, content_type="application/json", headers=headers)

    @purpose(gettext_noop("Remove a player who was added by mistake."))
    def remove(self, request: HttpRequest, player: Player) -> HttpResponse:
        """Ask, then remove a player who was added by mistake; refused with the reasons where there is a history."""
        problems = tuple(history_of(player))
        form = SureForm(data_of(request))
        if form.is_valid():
            try:
                remove_player(player)
            except OptionsRejected as refused:
                problems = tuple(refused.problems)
            else:
                text = gettext("{name} removed.").format(name=player.name)
                return go_on(request, "admin:tournaments_player_changelist", text)
        must_confirm = form.is_bound and not form.is_valid()
        context = {"player": player, "problems": problems, "must_confirm": must_confirm}
        return self.answer(request, "player/remove.html", context, refused=form.is_bound)

    @purpose(gettext_noop("Every amount of this player, and the balance after it."))
    def statement(self, request: HttpRequest, player: Player) -> HttpResponse:
        """What this player paid and got, with a running balance."""
        context = {"player": player, **statement_context(player)}
        names = (player.club.name, player.name_in_books, *(line["where"] for line in context["lines"]))
        context["not_printed"] = not_printed(names)
        return self.answer(request, "player/statement.html", context)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """By words of the name, as in all searches; an erased player is never found, a merged one under both names."""
        people = queryset.filter(merged_into__isnull=True)
        if not search_term:
            return people, False
        merged = Player.objects.filter(names_with(search_term), merged_into__isnull=False).values("merged_into")
        name_filter = names_with(search_term) | Q(id__in=merged)
        return people.filter(name_filter, erased_at__isnull=True), False

    def page_context(self, request: HttpRequest, row: Player) -> dict[str, Any]:
        """With the player's balance, for users who may see money."""
        context = super().page_context(request, row)
        context["may_erase"] = context["may_erase"] and row.erased_at is None
        context["may_merge"] = context["may_merge"] and row.erased_at is None
        context["may_link"] = context["may_link"] and row.erased_at is None and row.club.has_player_links
        context["merged_rows"] = row.merged_rows.order_by("merged_name", "id") if context["may_merge"] else ()
        if context["may_see_money"]:
            balance = player_money(row)
            context |= {"held": balance, "balance": _amount_text(row, balance.balance_minor)}
            if row.erased_at is not None and row.books_name:
                context["until"] = day(kept_until(row.club, row.erased_at))
            context["credit"] = _amount_text(row, balance.credit_minor) if balance.credit_minor else gettext("none")
        return context


def _checked(club: Club, found: EntryList) -> Checked:
    """Every line with a similar name in the club, and the names that exist already or occur twice.

    Without them where a name is refused.
    """
    problems = [
        problem
        for row in found.rows
        for problem in player_name_problems(row.name, f"line {row.number}", say("line {number}", number=row.number))
    ]
    if problems:
        return Checked(problems=tuple(problems))
    club_names = known_names(club)
    duplicates = likely_duplicates(club, [row.name for row in found.rows])
    lines = []
    for row in sorted((*found.rows, *found.nobody), key=lambda row: row.number):
        near = "" if club_names.found(row.name) else next((name for _, name in club_names.nearly(row.name)), "")
        duplicates += [row.name] if near and row.name not in duplicates else []
        lines.append((replace(row, left_out=(*row.left_out, *_of_entries(row))), near))
    return Checked(duplicates=tuple(duplicates), lines=tuple(lines))


def _of_entries(row: EntryRow) -> Iterator[LeftOut]:
    """What a line says about an entry: a list of players has no place for it."""
    remarks = [gettext("paid")] * row.is_paid + [gettext("standby")] * row.is_standby
    remarks += [rate_titles()[row.rate]] if row.rate else []
    yield from (LeftOut(text, SkipReason.ENTRY) for text in (*remarks, *row.pots))


def _amount_text(player: Player, amount_minor: int) -> str:
    return money(amount_minor, player.club.currency, player.club.locale)


def _added_text(count: int, club: Club) -> str:
    text = ngettext("{count} player added to {club}.", "{count} players added to {club}.", count)
    return text.format(count=count, club=club.name)
