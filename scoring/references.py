"""References within a club: a join along a reference also compares the club of both rows.

Keys lead with the club on PostgreSQL (docs/decisions/0065-keys-lead-with-the-club.md), so a join by an id alone would
scan a whole table, and each partition of it. To migrations they are Django's own fields.
"""

from typing import Any

from django.db import models
from django.db.models.lookups import Exact


def club_field(model: Any) -> "models.Field[Any, Any]":
    """The field with a row's club: a reference, or an id where clubs are not known."""
    field: models.Field[Any, Any] = model._meta.get_field("club")
    return field


class _WithinClub:
    model: Any
    related_model: Any

    def deconstruct(self) -> Any:
        """Deconstruct as the field of Django that it is to the database."""
        name, _, args, kwargs = super().deconstruct()  # type: ignore[misc]
        return name, f"django.db.models.{type(self).__mro__[2].__name__}", args, kwargs

    def get_extra_restriction(self, alias: str | None, related_alias: str | None) -> Any:
        """The condition of a join besides the id; none where Django has trimmed one of the two tables."""
        if alias is None or related_alias is None:
            return None
        theirs, ours = club_field(self.related_model), club_field(self.model)
        return Exact(theirs.get_col(alias), ours.get_col(related_alias))

    def get_extra_descriptor_filter(self, instance: Any) -> dict[str, Any]:
        """The further condition besides the id when a related row is fetched."""
        return {"club": getattr(instance, club_field(self.model).attname)}


class ForeignKey(_WithinClub, models.ForeignKey):  # type: ignore[type-arg]
    """A reference to a row of the same club."""


class OneToOneField(_WithinClub, models.OneToOneField):  # type: ignore[type-arg]
    """The same where each row is referred to once at most."""
