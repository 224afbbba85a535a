"""Every row of the back office belongs to a club: its members see the row, everyone else gets a 404.

Rules: docs/reference/roles.md. Permissions are asked of `tournaments.people.permissions`; Django's own permission
tables are not used.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cache, wraps
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.filters import RelatedFieldListFilter
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.templatetags.admin_list import items_for_result
from django.contrib.admin.views.main import ALL_VAR, PAGE_VAR, ChangeList
from django.core.exceptions import BadRequest, FieldDoesNotExist, PermissionDenied, ValidationError
from django.db import DataError
from django.db.models import BooleanField, DateField, Field, Model, QuerySet
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern
from django.utils import timezone
from django.utils.text import capfirst, slugify
from django.utils.translation import gettext, gettext_lazy

from scoring.money.formatting import DEFAULT_LOCALE
from tournaments.models import Club
from tournaments.people.permissions import Actor, Permission, actor_of, clubs_of, counting_blind, may
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.filters import moment
from tournaments.rendering.i18n.formatting import day, zone_of
from tournaments.rendering.i18n.translating import activate_locale
from tournaments.rendering.left_out import pairs_of
from tournaments.web.admin.base.command_fields import TicksField, read_field
from tournaments.web.admin.base.list_files import (
    ASKED,
    MOST_ROWS,
    ListFile,
    asked_file,
    cells_of,
    headings_of,
    list_file,
)
from tournaments.web.admin.base.pages import Page, PageView

# Makes admin lists and change pages refuse bad values in addresses and ticked rows instead of failing.


class CarefulList(ChangeList):
    """A change list that refuses values the database cannot take, such as a year 0 or a text with NUL."""

    def get_results(self, request: HttpRequest) -> None:
        """Count and fetch the rows. Raises IncorrectLookupParameters, as Django does for what it validates itself."""
        try:
            super().get_results(request)
        except (TypeError, ValueError, OverflowError, DataError) as error:
            raise IncorrectLookupParameters(error) from error

    def get_filters(self, request: HttpRequest) -> Any:
        """The filters, with the titles of their columns."""
        filters, *others = super().get_filters(request)
        for spec in filters:
            spec.title = self.model_admin.headings.get(getattr(spec, "field_path", ""), spec.title)  # type: ignore[attr-defined]
        return filters, *others


class CarefulAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Base of all registered models' pages. A list is a page, or a file for a spreadsheet."""

    # Columns with amounts or numbers that are no numbers in the database.
    numbers: frozenset[str] = frozenset()
    # Columns of links, which say nothing in a file.
    left_out_of_files: frozenset[str] = frozenset()
    # Headings of columns of fields that the pages call otherwise than the database.
    headings: Mapping[str, Any] = {}
    # The button above the list.
    add_text: Any = gettext_lazy("Add")
    # The heading of the list; otherwise the model's plural name.
    list_title: Any = ""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list under its title; with `?file=csv` or `xlsx` all of its rows as a file."""
        if kind := asked_file(request):
            return self.file_of_list(request, kind)
        title = self.list_title or capfirst(str(self.opts.verbose_name_plural))
        return super().changelist_view(request, {"title": title, "add_text": self.add_text, **(extra_context or {})})

    def file_of_list(self, request: HttpRequest, kind: ListFile) -> HttpResponse:
        """The list as it is filtered and sorted, as a file; refused with a message where it is too long.

        It is read page by page, as its pages name what is in their rows in a few queries.
        """
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        asked = request.GET.copy()
        asked.pop(ASKED)
        asked.pop(PAGE_VAR, None)
        # With it each page would have all rows.
        asked.pop(ALL_VAR, None)
        request.GET = asked  # type: ignore[assignment]  # as Django types it: it is no longer changed
        try:
            first = self.get_changelist_instance(request)
            if first.result_count > MOST_ROWS:
                text = gettext("The list has more than {most} rows: filter it, then download.")
                messages.error(request, text.format(most=formatting.number(MOST_ROWS)))
                return HttpResponseRedirect(first.get_query_string())
            listed: set[Any] = set()
            rows = list(cells_of(first, self.left_out_of_files, listed))
            for page in range(2, first.paginator.num_pages + 1):
                asked[PAGE_VAR] = str(page)
                rows += cells_of(self.get_changelist_instance(request), self.left_out_of_files, listed)
        except IncorrectLookupParameters as error:
            raise Http404 from error
        club = clubs_with(request, Permission.SEE).order_by("name").first()
        return list_file(
            kind,
            slugify(str(self.opts.verbose_name_plural)) or "list",
            headings_of(first, self.left_out_of_files),
            iter(rows),
            locale=club.locale if club else DEFAULT_LOCALE,
        )

    def zone_name(self, row: Any) -> str:
        """The time zone in which this row's moments are shown: that of its club; of a row of none, the first club's."""
        return Club.objects.order_by("name").values_list("timezone", flat=True).first() or "UTC"

    def get_list_display(self, request: HttpRequest) -> Any:
        """The columns of the list."""
        return [shown_column(self, name) for name in super().get_list_display(request)]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The fields that a record page only shows."""
        return [shown_column(self, name) for name in super().get_readonly_fields(request, obj)]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """All fields of a record page; Django finds those that it only shows by comparing the two."""
        only_shown = super().get_readonly_fields(request, obj)
        names: Sequence[Any] = super().get_fields(request, obj)
        return [shown_column(self, name) if name in only_shown else name for name in names]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """No regex lookups from an address: an invalid one is a database error, a long one is slow."""
        return not lookup.endswith("regex") and super().lookup_allowed(lookup, value, request)

    def get_changelist(self, request: HttpRequest, **words: Any) -> type[ChangeList]:
        """The change list class."""
        return CarefulList

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row with this key. Its page, whichever it is, is then shown by the clock of the row's club."""
        row = self.find_object(request, object_id, from_field)
        if row is not None:
            timezone.activate(zone_of(self.zone_name(row)))
        return row

    def find_object(self, request: HttpRequest, object_id: str, from_field: str | None) -> Any:
        """The row with this key, None if there is none; an empty `_to_field` counts as none."""
        return super().get_object(request, object_id, from_field or None)

    def heading(self, row: Any) -> str:
        """The heading of a row's page."""
        return str(row)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **words: Any) -> HttpResponse:
        """The page of a row under its heading."""
        row = context.get("original")
        context["heading"] = context["title"] if row is None else self.heading(row)
        context["list_title"] = self.list_title
        answer: HttpResponse = super().render_change_form(request, context, *args, **words)
        return answer

    def response_action(self, request: HttpRequest, *args: Any, **words: Any) -> Any:
        """Run an action on the ticked rows. Raises BadRequest for an invalid key."""
        ticked = read_field(TicksField(), request.POST, ACTION_CHECKBOX_NAME)
        if not all(is_key(self.model, key) for key in ticked):
            raise BadRequest("a row was ticked that cannot be")
        return super().response_action(request, *args, **words)


@cache
def shown_column(model_admin: CarefulAdmin, name: Any) -> Any:
    """A column or field of a list or record page, in words: a day or a moment by the clock of the row's club, yes or
    no instead of a green or red picture."""
    try:
        field = model_admin.opts.get_field(name)
    except FieldDoesNotExist:
        return name
    heading = model_admin.headings.get(name)
    if not isinstance(field, Field) or not (heading or isinstance(field, DateField | BooleanField)):
        return name

    @admin.display(description=heading or field.verbose_name, ordering=name)
    def column(row: Any) -> str:
        value: date | datetime | bool | str | None = getattr(row, name)
        if isinstance(value, bool):
            return gettext("yes") if value else gettext("no")
        if value is None:
            return str(model_admin.get_empty_value_display())
        if isinstance(value, datetime):
            return moment(value.astimezone(zone_of(model_admin.zone_name(row))))
        return day(value) if isinstance(value, date) else value

    column.__name__ = name
    return column


def club_moment(when: datetime, club: Club) -> str:
    """A moment by a club's clock, as every page of the back office writes it."""
    return moment(when.astimezone(zone_of(club.timezone)))


def is_key(model: type[Model], text: object) -> bool:
    """Whether a row of this model could have this key."""
    try:
        model._meta.pk.clean(text, None)
    except (ValidationError, ValueError):
        return False
    return True


BLIND = gettext_lazy("Count every till first: the books show what it should hold.")
_ACTOR = "rummy_actor"
MOST_FILTERED = 50


def actor_in(request: HttpRequest) -> Actor:
    """The actor of this request, looked up once."""
    actor = getattr(request, _ACTOR, None)
    if not isinstance(actor, Actor):
        actor = actor_of(request.user)
        setattr(request, _ACTOR, actor)
    return actor


def page_status(context: Mapping[str, Any], *, refused: object = None, stale: object = None) -> int:
    """The status of a page: 409 where something is `stale`, 422 where something is `refused`, otherwise 200.

    A page that does not say what is refused refuses its `form` if that has errors.
    """
    form = context.get("form")
    errors = form.errors if isinstance(form, BaseForm) else None
    return 409 if stale else 422 if (errors if refused is None else refused) else 200


def admin_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, model: type[Model], **status: object
) -> TemplateResponse:
    """A page of the back office about a model, by its template, `refused` or `stale` as in `page_status`."""
    whole = {**admin.site.each_context(request), "opts": model._meta, **context}
    return TemplateResponse(request, template, whole, status=page_status(context, **status))


def require(request: HttpRequest, permission: Permission, club: Club | UUID) -> None:
    """Raises PermissionDenied unless the user has this permission in the club."""
    if not may(actor_in(request), permission, club):
        raise PermissionDenied


def require_books(request: HttpRequest, club: Club) -> None:
    """Raises PermissionDenied unless the user may see the club's books; a cashier counting blind reads why not."""
    actor = actor_in(request)
    if may(actor, Permission.SEE_BOOKS, club):
        return
    role = actor.roles.get(club.pk)
    is_blind = role is not None and bool(counting_blind({club.pk: role}))
    raise PermissionDenied(BLIND if is_blind else "")


def clubs_with(request: HttpRequest, permission: Permission) -> QuerySet[Club]:
    """The clubs in which the user has this permission."""
    ids = clubs_of(actor_in(request), permission)
    return Club.objects.all() if ids is None else Club.objects.filter(id__in=ids)


def sees_several_clubs(request: HttpRequest) -> bool:
    """Whether a list may hold rows of more than one club; looked up once a request."""
    if not hasattr(request, "sees_several_clubs"):
        several = clubs_with(request, Permission.SEE)[1:2].exists()
        request.sees_several_clubs = several  # type: ignore[attr-defined]
    return bool(request.sees_several_clubs)  # type: ignore[attr-defined]


def chosen_club(clubs: QuerySet[Club], wanted: str | None) -> Club | None:
    """The chosen club, or the only one there is, else None. Raises Http404 for another club."""
    club_by_key = {str(club.pk): club for club in clubs}
    if wanted and wanted not in club_by_key:
        raise Http404
    return club_by_key[wanted] if wanted else next(iter(club_by_key.values())) if len(club_by_key) == 1 else None


class OwnFilter(RelatedFieldListFilter):
    """A list filter that offers only the user's own clubs or tournaments."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """The user's rows only: Django would offer every row of the related table."""
        clubs = clubs_of(actor_in(request), Permission.SEE)
        path = "pk" if field.related_model is Club else "club"
        rows = field.related_model._default_manager.all()
        permitted_rows = rows if clubs is None else rows.filter(**{f"{path}__in": clubs})
        return [(str(row.pk), str(row)) for row in permitted_rows[:MOST_FILTERED]]


class ClubScoped(CarefulAdmin):
    """Limits rows to the user's clubs. A permission of None is never granted, whatever the role."""

    club_path = "club"
    view_permission: Permission = Permission.SEE
    add_permission: Permission | None = None
    change_permission: Permission | None = None
    delete_permission: Permission | None = None
    show_facets = admin.ShowFacets.NEVER

    @property
    def own_pages(self) -> Sequence[Page]:
        """Further pages of one row."""
        return ()

    def get_urls(self) -> list[URLPattern]:
        """Own pages come first: Django takes any word below the list for a key."""
        kind = str(self.opts.model_name)
        own = [
            page.url_pattern(kind, self.row_page(page.view, page.permission))
            for page in self.own_pages
            if page.view is not None
        ]
        return [*own, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Filters such as Today go by the clock of the first club."""
        if first := clubs_with(request, self.view_permission).order_by("name").first():
            timezone.activate(zone_of(first.timezone))
        return super().changelist_view(request, extra_context)

    def get_list_display(self, request: HttpRequest) -> Any:
        """The columns of the list; that of the club only for users who see several."""
        names = super().get_list_display(request)
        return names if sees_several_clubs(request) else [name for name in names if name != self.club_path]

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """A list without the rows that fail to render, so that one of them does not hide all others."""
        rows = super().get_changelist_instance(request)
        rendered_rows = pairs_of(rows.result_list, lambda row: [*items_for_result(rows, row, None)])
        rows.result_list = [row for row, _ in rendered_rows]
        return rows

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Rows of the clubs in which the user may see them, each with its club."""
        rows = super().get_queryset(request)
        rows = rows if self.model is Club else rows.select_related(self.club_path)
        clubs = clubs_of(actor_in(request), self.view_permission)
        return rows if clubs is None else rows.filter(**{f"{self.club_path}__in": clubs})

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row; 404 for an unknown one or another club's. Its page then writes amounts as the club does."""
        try:
            row = super().get_object(request, object_id, from_field)
        except (ValueError, ValidationError):
            row = None
        if row is None:
            raise Http404
        activate_locale(self.club_of(row).locale)
        return row

    def row_page(self, view: PageView, permission: Permission) -> PageView:
        """A page of one row, whose key is in the address: 404 outside the user's clubs, 403 beyond their role."""

        @wraps(view)
        def visited(request: HttpRequest, **words: Any) -> HttpResponseBase:
            row = self.get_object(request, str(words.pop(f"{self.opts.model_name}_id")))
            if not self.is_granted(request, permission, row):
                raise PermissionDenied
            return view(request, row, **words)

        return self.admin_site.admin_view(visited)

    def answer(
        self, request: HttpRequest, template: str, context: Mapping[str, Any], **status: object
    ) -> TemplateResponse:
        """A page of this model, by its template, `refused` or `stale` as in `page_status`."""
        return admin_page(request, f"admin/tournaments/{template}", context, model=self.model, **status)

    def club_of(self, row: Any) -> Club:
        """The club that a row belongs to."""
        club: Club = row if isinstance(row, Club) else row.club
        return club

    def zone_name(self, row: Any) -> str:
        """The name of the time zone of the row's club."""
        return str(self.club_of(row).timezone)

    def is_granted(self, request: HttpRequest, permission: Permission | None, row: Any = None) -> bool:
        """Whether the user has a permission for a row, or in some club where no row is given."""
        actor = actor_in(request)
        if permission is None:
            return False
        if row is None:
            clubs = clubs_of(actor, permission)
            return clubs is None or bool(clubs)
        return may(actor, permission, self.club_of(row))

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Shown in the menu to users who may see some row."""
        return self.is_granted(request, self.view_permission)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the user may see this row."""
        return self.is_granted(request, self.view_permission, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whether the user may add a row in some club."""
        return self.is_granted(request, self.add_permission)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the user may change this row."""
        return self.is_granted(request, self.change_permission, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the user may delete this row. Almost nothing here is ever deleted."""
        return self.is_granted(request, self.delete_permission, obj)
