"""The lists of the back office: Django's rows, each cell with the heading that a phone shows beside it.

Templates: `{% load lists %}`.
"""

from collections.abc import Iterator
from typing import Any

from django import template
from django.contrib.admin.templatetags.admin_list import result_headers, results
from django.contrib.admin.views.main import PAGE_VAR
from django.core.exceptions import FieldDoesNotExist
from django.db.models import IntegerField
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

from tournaments.web.admin.base.list_files import ASKED
from tournaments.web.admin.base.scoping import CarefulList

register = template.Library()


@register.inclusion_tag("admin/list_rows.html")
def list_rows(rows: CarefulList) -> dict[str, Any]:
    """The rows of a list as a table, which is a card for each row on a narrow screen."""
    headings = [
        {**heading, "is_number": _is_number(rows, name)}
        for name, heading in zip(rows.list_display, result_headers(rows), strict=True)
    ]
    return {"headings": headings, "rows": [list(_cells(headings, cells)) for cells in results(rows)]}


def _is_number(rows: CarefulList, name: Any) -> bool:
    """Whether a column holds numbers or amounts, which are compared by their last digits."""
    if name in getattr(rows.model_admin, "numbers", ()):
        return True
    try:
        return isinstance(rows.lookup_opts.get_field(name), IntegerField)
    except FieldDoesNotExist:
        return False


def _cells(headings: list[dict[str, Any]], cells: Any) -> Iterator[SafeString]:
    """Each cell as Django wrote it, `<td class=…>` or `<th class=…>`, with its heading."""
    for heading, cell in zip(headings, cells, strict=True):
        tag, rest = str(cell)[:3], str(cell)[3:]
        number = mark_safe(" data-number") if heading["is_number"] else ""
        tag_start = format_html('{} data-heading="{}"{}', mark_safe(tag), capfirst(heading["text"]), number)  # noqa: S308 - as above
        yield mark_safe(f"{tag_start}{rest}")  # noqa: S308 - Django has escaped the cell


@register.filter
def choices_of(one: Any, rows: CarefulList) -> list[Any]:
    """The choices of a filter of a list."""
    return list(one.choices(rows))


@register.filter
def page_numbers(rows: CarefulList) -> list[Any]:
    """The numbers of the pages to go to; an ellipsis stands for those between."""
    return list(rows.paginator.get_elided_page_range(rows.page_num))


@register.filter
def page_address(rows: CarefulList, number: int) -> str:
    """The address of a page of a list as it is searched, filtered and sorted."""
    return str(rows.get_query_string({PAGE_VAR: number}))


@register.filter
def file_address(rows: CarefulList, kind: str) -> str:
    """The address of a list as a file for a spreadsheet, as it is searched, filtered and sorted."""
    return str(rows.get_query_string({ASKED: kind}, remove=[PAGE_VAR]))
