"""Django's own change pages, compared under the lock of the row and answered with what was saved or what stands.

Rules: docs/decisions/0033. Every registered admin whose rows can be changed on such a page is an `EditAdmin`; a
generated test finds the one that is not.
"""

import json
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from tournaments.log.context import club_turn
from tournaments.web.admin.base.lists import CarefulAdmin
from tournaments.web.admin.base.scoping import ClubScoped
from tournaments.web.admin.editing.edit_forms import EditForm, EditRules, save_changed
from tournaments.web.admin.editing.held_fields import SEEN


class EditAdmin(CarefulAdmin):
    """A registered model whose rows are edited on Django's own page: compared under the row's lock, and answered so."""

    form: Any = EditForm

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The token stands in forms that change something, and nowhere else."""
        names = super().get_fields(request, obj)
        is_edit = obj is not None and self.has_change_permission(request, obj)
        return [name for name in names if name != SEEN or is_edit]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Two who save at once come one after the other; the second is compared with what the first has left."""
        if request.method != "POST" or object_id is None:
            return super().changeform_view(request, object_id, form_url, extra_context)
        with transaction.atomic():
            self.lock_row(self.get_object(request, object_id))
            return super().changeform_view(request, object_id, form_url, extra_context)

    def lock_row(self, row: Any) -> None:
        """Hold a row until it is stored; rows that point at it can be written. SQLite has one writer: this one."""
        if row is not None:
            type(row)._base_manager.select_for_update(no_key=True).filter(pk=row.pk).first()

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """409 where somebody else was faster, with what stands beside what was typed."""
        rows = [form for inline in context["inline_admin_formsets"] for form in inline.formset.forms]
        sent = [form for form in (context["adminform"].form, *rows) if isinstance(form, EditRules)]
        context["clashes"] = [clash for form in sent for clash in form.shown_clashes()]
        answer = super().render_change_form(request, context, *args, **kwargs)
        if context["clashes"]:
            answer.status_code = 409
        return answer

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Only what was changed."""
        if change:
            save_changed(obj, form.changed_data)
        else:
            super().save_model(request, obj, form, change)

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: Any = False) -> Any:  # noqa: FBT002 - Django's signature
        """What was written, kept for the answer: it says no more and no less than this."""
        made = super().construct_change_message(request, form, formsets, add)
        # The page that sets somebody's password comes by here with a form of its own, and has its own words.
        if not add and isinstance(form, EditRules):
            said_as = LogEntry(action_flag=CHANGE, change_message=json.dumps(made)).get_change_message()
            told = gettext("{name} saved. {changes}") if made else gettext("Nothing was changed.")
            request.saved = told.format(name=form.instance, changes=said_as)  # type: ignore[attr-defined]
        return made

    def message_user(self, request: HttpRequest, message: Any, *args: Any, **kwargs: Any) -> None:
        """Django says that the row was changed, whatever was written of it."""
        super().message_user(request, getattr(request, "saved", message), *args, **kwargs)


class ClubEditAdmin(EditAdmin, ClubScoped):
    """The same for a club's rows: the club's turn comes first, as in every command that writes them."""

    def lock_row(self, row: Any) -> None:
        """In the order in which commands lock, so that no two wait for each other."""
        with club_turn(self.club_of(row)):
            super().lock_row(row)
