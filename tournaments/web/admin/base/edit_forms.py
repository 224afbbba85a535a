"""Django forms that edit a row: they write what was changed on their page, and report what others changed meanwhile.

Rules: docs/decisions/0033. Django's change pages hold the row's lock here; other pages hold it themselves.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy

from scoring.problems import Problem
from tournaments.changing import save_changed
from tournaments.log.context import club_lock
from tournaments.people.permissions import Permission
from tournaments.rendering.i18n.formatting import listed
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.carried_typing import SEEN, Clash, Merge, PageDigests, held_by, token_of
from tournaments.web.admin.base.command_fields import KeyField
from tournaments.web.admin.base.scoping import CarefulAdmin, ClubScoped

if TYPE_CHECKING:
    Form = forms.BaseForm
else:
    Form = object

STALE = gettext_lazy("Not saved: someone else changed this field. Compare, then save.")
FROZEN = gettext_lazy("Not saved: this can no longer be changed. Reload the page.")
BETWEEN = "\x1f"


def token_field() -> forms.CharField:
    """The hidden field with the digests of the values that the page was opened with."""
    return forms.CharField(required=False, widget=forms.HiddenInput, label="")


class EditRules(Form):
    """Mixin for a Django form that edits a row. It comes before the form's own base class."""

    instance: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A callable, evaluated when the page is rendered: a form may fill its fields after this.
        self.fields[SEEN].initial = self._token

    @property
    def subject(self) -> str:
        """Identifies the edited row; empty where a new one is added."""
        row = self.instance
        return "" if row._state.adding else f"{row._meta.label_lower}:{row.pk}"

    @property
    def changed_data(self) -> list[str]:
        """The fields changed on the page that differ from the stored row. For a new row: every one filled in."""
        if not self.subject or not self.is_bound:
            return [name for name in super().changed_data if name != SEEN]
        return list(self.merge.changed)

    @cached_property
    def held(self) -> PageDigests:
        """The state of the page from which this form was sent."""
        return held_by(self.data, self.subject, prefix=self.add_prefix(""))

    @cached_property
    def merge(self) -> Merge:
        """The sent form merged with the stored values. The row must be locked, and read while holding the lock."""
        stands = self._stands()
        typed_texts = {name: self._value_text(name, self[name].data) for name in stands if not self._is_omitted(name)}
        return self.held.merge(stands, typed_texts)

    @property
    def clashes(self) -> Sequence[Clash]:
        """The fields that another user has changed as well."""
        return self.merge.clashes if self.subject and self.is_bound else ()

    def shown_clashes(self) -> list[dict[str, str]]:
        """The same, with labels and values as the form shows them."""
        return [self._shown(clash) for clash in self.clashes]

    def saved_text(self, name: str) -> str:
        """A message that names exactly the fields that were saved."""
        if not self.changed_data:
            return gettext("Nothing was changed.")
        titles = [str(self.fields[changed].label) for changed in self.changed_data]
        return gettext("{name} saved. Changed: {fields}.").format(name=name, fields=listed(titles))

    def full_clean(self) -> None:
        """Validates the merged row: unchanged fields are read from the stored row, not from a possibly old page."""
        if not (self.subject and self.is_bound):
            super().full_clean()
            return
        with self._untouched_as_they_stand():
            super().full_clean()
        if not hasattr(self, "cleaned_data"):
            return
        if self.clashes:
            self.add_error(None, ValidationError(STALE, code="stale"))
        for name in self._typed_where_frozen():
            self.add_error(name, ValidationError(FROZEN, code="frozen"))

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        """Writes the columns that were changed, and those derived from them."""
        if not (commit and self.subject):
            return super().save(commit)  # type: ignore[misc]
        row = super().save(commit=False)  # type: ignore[misc]
        save_changed(row, self.changed_data)
        self._save_m2m()  # type: ignore[attr-defined]
        return row

    def _value_text(self, name: str, value: Any) -> str:
        return canonical_text(self.fields[name], value)

    def _token(self) -> str:
        return token_of(self._stands(), self.subject) if self.subject else ""

    def _stands(self) -> dict[str, str]:
        return {
            name: self._value_text(name, self[name].initial) for name in self._names() if not self.fields[name].disabled
        }

    def _names(self) -> list[str]:
        """All fields that a user can fill in."""
        relation_fields = (forms.models.InlineForeignKeyField, forms.models.ModelChoiceField)
        return [
            name
            for name, field in self.fields.items()
            if name != SEEN
            and not isinstance(field, KeyField)
            and not (field.widget.is_hidden and isinstance(field, relation_fields))
        ]

    def _is_omitted(self, name: str) -> bool:
        """Not on the page: the field was added later, or another form asks for it."""
        return bool(self.fields[name].widget.value_omitted_from_data(self.data, {}, self.add_prefix(name)))

    def _typed_where_frozen(self) -> Iterator[str]:
        """Fields that the page offered, that were changed there, and that cannot be changed any more."""
        for name in self._names():
            if self.fields[name].disabled and name in self.held.digests:
                typed_text = self._value_text(name, self[name].data)
                if self.held.is_changed(name, typed_text) and typed_text != self._value_text(name, self[name].initial):
                    yield name

    @contextmanager
    def _untouched_as_they_stand(self) -> Iterator[None]:
        """Disable unchanged fields for a while: Django reads them from the row, and the page shows them as usual."""
        unchanged_fields = [self.fields[name] for name in self._names() if name not in self.merge.changed]
        switched = [field for field in unchanged_fields if not field.disabled]
        for field in switched:
            field.disabled = True
        try:
            yield
        finally:
            for field in switched:
                field.disabled = False

    def _shown(self, clash: Clash) -> dict[str, str]:
        where = {"choice_name": self.add_prefix(clash.choice_name), "choice": clash.digest}
        bound = self[clash.name]
        texts = {"stands": shown(bound, bound.initial), "typed": shown(bound, bound.data)}
        return {**where, **texts, "title": str(bound.label)}


class EditForm(EditRules, forms.ModelForm):  # type: ignore[type-arg]
    """A ModelForm that edits a row."""

    seen = token_field()

    def changes(self) -> dict[str, Any]:
        """The values that were changed on the page, by column, as far as they can be read."""
        return {name: self.cleaned_data[name] for name in self.changed_data if name in self.cleaned_data}

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Add what a command would refuse, each problem to its field."""
        for problem in problems:
            name = problem.field if problem.field in self.fields else None
            self.add_error(name, ValidationError(translate(problem.message), code=problem.code))


def canonical_text(field: forms.Field, value: Any) -> str:
    """A field's value as a canonical text, equal for equal values from the row and from a browser."""
    if isinstance(field, forms.MultiValueField):
        parts = value if isinstance(value, list | tuple) else field.widget.decompress(value)
        return BETWEEN.join(
            canonical_text(part_field, part) for part_field, part in zip(field.fields, parts, strict=False)
        )
    value = field.prepare_value(value)
    if value in (None, ""):
        return ""
    if isinstance(value, list | tuple | set):
        return BETWEEN.join(sorted(str(field.prepare_value(single_value)) for single_value in value))
    if not isinstance(field, forms.ModelChoiceField):
        with suppress(ValidationError):
            value = field.to_python(value)
    return "" if value is None else str(value).replace("\r\n", "\n")


def shown(bound: forms.BoundField, value: Any) -> str:
    """A field's value for display: a choice by its title, a checkbox as yes or no."""
    field = bound.field
    if isinstance(field, forms.BooleanField):
        return gettext("yes") if field.to_python(value) else gettext("no")
    values = value if isinstance(value, list | tuple) else [field.prepare_value(value)]
    titles = {str(key): str(title) for key, title in _flat(getattr(field, "choices", ()))}
    return ", ".join(
        titles.get(str(single_value), str(single_value)) for single_value in values if single_value not in (None, "")
    ) or gettext("nothing")


def _flat(choices: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    for key, title in choices:
        if isinstance(title, list | tuple):
            yield from _flat(title)
        else:
            yield key, title


# Django's own change pages, compared under the row's lock and answered with what was saved or with the clashes.


class EditAdmin(CarefulAdmin):
    """A registered model whose rows are edited on Django's own page and merged while holding the row's lock."""

    form: Any = EditForm

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Only forms that change a row have the token field."""
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
        """Serialize concurrent saves by the row's lock: the second is compared with the result of the first."""
        if request.method != "POST" or object_id is None:
            return super().changeform_view(request, object_id, form_url, extra_context)
        with transaction.atomic():
            self.lock_row(self.get_object(request, object_id))
            return super().changeform_view(request, object_id, form_url, extra_context)

    def lock_row(self, row: Any) -> None:
        """Lock a row until it is stored; rows that point at it can be written. SQLite allows only one writer anyway."""
        if row is not None:
            type(row)._base_manager.select_for_update(no_key=True).filter(pk=row.pk).first()

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """409 where another user changed the same fields, with the stored values beside the typed ones."""
        form = context["adminform"].form
        context["clashes"] = form.shown_clashes() if isinstance(form, EditRules) else []
        answer = super().render_change_form(request, context, *args, **kwargs)
        if context["clashes"]:
            answer.status_code = 409
        return answer

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Write only what was changed."""
        if change:
            save_changed(obj, form.changed_data)
        else:
            super().save_model(request, obj, form, change)

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: Any = False) -> Any:  # noqa: FBT002 - Django's signature
        """The change message, kept for the answer: the user is shown exactly what was written."""
        change_message = super().construct_change_message(request, form, formsets, add)
        # The page that sets a user's password comes by here with a form of its own, and has its own message.
        if not add and isinstance(form, EditRules):
            changes = LogEntry(action_flag=CHANGE, change_message=json.dumps(change_message)).get_change_message()
            text = gettext("{name} saved. {changes}") if change_message else gettext("Nothing was changed.")
            request.saved = text.format(name=form.instance, changes=changes)  # type: ignore[attr-defined]
        return change_message

    def message_user(self, request: HttpRequest, message: Any, *args: Any, **kwargs: Any) -> None:
        """Replace Django's general message by the one that names what was written."""
        super().message_user(request, getattr(request, "saved", message), *args, **kwargs)


class ClubEditAdmin(EditAdmin, ClubScoped):
    """The same for a club's rows: the club's lock is taken first, as in every command that writes them."""

    # Further permissions that the page asks for, by the name in its context.
    grants: Mapping[str, Permission] = {}

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **words: Any) -> HttpResponse:
        """With the other actions that the user may take on this row."""
        row = self.get_object(request, object_id)
        return super().change_view(request, object_id, extra_context=self.page_context(request, row))

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Context for a row's page beside its form."""
        return {name: self.is_granted(request, permission, row) for name, permission in self.grants.items()}

    def lock_row(self, row: Any) -> None:
        """Lock in the same order as commands do, so that no two wait for each other."""
        with club_lock(self.club_of(row).pk):
            super().lock_row(row)
