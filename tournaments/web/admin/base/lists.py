"""Lists and change pages of the admin against what somebody typed into their address, or ticked: a refusal, no failure.

Django looks at a lookup, a field or the key of a ticked row only when the database is asked, and lets what is raised
there pass. Every registered admin derives from `CarefulAdmin`; a generated test finds the one that does not.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, ValidationError
from django.db import DataError
from django.db.models import Model
from django.http import HttpRequest

from tournaments.web.admin.base.command_fields import ReadForm, TicksField


class CarefulList(ChangeList):
    """A list that is asked for a year 0 or a text with NUL is asked for nothing that it has."""

    def get_results(self, request: HttpRequest) -> None:
        """Here the rows are counted. Raises IncorrectLookupParameters, as Django does for what it looks at itself."""
        try:
            super().get_results(request)
        except (TypeError, ValueError, OverflowError, DataError) as error:
            raise IncorrectLookupParameters(error) from error


class TickedForm(ReadForm):
    """The keys of the rows that were ticked, under the name that Django gives them."""

    _selected_action = TicksField()


class KnownRows(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Several rows; a key that no row can have is told as one that no row has. SQLite fails over a long number."""

    def clean(self, value: Any) -> Any:
        """The rows. Raises ValidationError for a key of none."""
        # What was not changed on an edit page comes as rows, as it is stored.
        keys = self.prepare_value(value)
        for key in keys if isinstance(keys, list | tuple) else ():
            if self.queryset is not None and not is_key(self.queryset.model, key):
                raise ValidationError(
                    self.error_messages["invalid_pk_value"], code="invalid_pk_value", params={"pk": str(key)[:60]}
                )
        return super().clean(value)


class CarefulAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """What every registered model's pages have in common."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """No pattern typed into an address: one that is none is a failure of the database, one that is long a wait."""
        return not lookup.endswith("regex") and super().lookup_allowed(lookup, value, request)

    def get_changelist(self, request: HttpRequest, **words: Any) -> type[ChangeList]:
        """The kind of list."""
        return CarefulList

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row of this key; an empty `_to_field` means the key, as none does."""
        return super().get_object(request, object_id, from_field or None)

    def response_action(self, request: HttpRequest, *args: Any, **words: Any) -> Any:
        """Do something with the ticked rows. Raises BadRequest for a tick that no list of ours has."""
        if not all(is_key(self.model, key) for key in TickedForm(request.POST).read[ACTION_CHECKBOX_NAME]):
            raise BadRequest("a row was ticked that cannot be")
        return super().response_action(request, *args, **words)

    def formfield_for_manytomany(self, db_field: Any, request: Any = None, **words: Any) -> Any:
        """The field for several rows of another table."""
        return super().formfield_for_manytomany(db_field, request, **{"form_class": KnownRows, **words})


def is_key(model: type[Model], text: object) -> bool:
    """Whether a row of this model could have this key."""
    try:
        model._meta.pk.clean(text, None)
    except (ValidationError, ValueError):
        return False
    return True
