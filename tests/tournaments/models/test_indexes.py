"""No index is the prefix of another one, which would serve its lookups.

Planted fault: a foreign key to a club, indexed by Django, in a row that is unique by club and slug.
"""

import pytest
from django.apps import apps
from django.db import connection

MODELS = [model for app in ("scoring", "tournaments") for model in apps.get_app_config(app).get_models()]
# A partial index covers some of the rows only.
PARTIAL = {
    each.name
    for model in MODELS
    for each in (*model._meta.indexes, *model._meta.constraints)
    if getattr(each, "fields", ()) and getattr(each, "condition", None)
}


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.django_db
def test_no_index_is_served_by_another():
    assert [name for model in MODELS for name in _served(model._meta.db_table)] == []


def _served(table: str) -> list[str]:
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, table)
    indexes = {
        name: tuple(each["columns"])
        for name, each in found.items()
        if (each["index"] or each["unique"] or each["primary_key"]) and name not in PARTIAL
    }
    return [
        name
        for name, columns in indexes.items()
        if not found[name]["unique"]
        and any(longer[: len(columns)] == columns and longer != columns for longer in indexes.values())
    ]
