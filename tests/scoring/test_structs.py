"""Fields of a struct from untrusted values: what can be read is read, and all else is told at once."""

from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta

from scoring.structs import MOST_UNKNOWN, fields_of, read_fields, unknown_names


class Penalty(msgspec.Struct, frozen=True, kw_only=True):
    """What a scorer enters."""

    seat: str
    points: Annotated[int, Meta(ge=1, le=100)]
    names: dict[str, str] = {}
    reason: str = ""


FIELDS = fields_of(Penalty)


def test_all_that_is_missing_or_wrong_is_told_in_the_order_of_the_fields_and_the_rest_is_read():
    values, unread = read_fields(FIELDS.values(), {"reason": 3, "points": 500, "names": {"1": "Asha"}})
    assert values == {"names": {"1": "Asha"}}
    assert [(field.name, field.value) for field in unread] == [("seat", None), ("points", 500), ("reason", 3)]
    assert unread[0].error is None
    assert str(unread[1].error) == "Expected `int` <= 100"


def test_a_field_with_a_default_may_be_needed():
    _, unread = read_fields(FIELDS.values(), {"seat": "1", "points": 20}, needed={"reason"})
    assert [field.name for field in unread] == ["reason"]


@pytest.mark.parametrize("value", ["\ud800", {"1": "\ud800"}, {"\ud800": "Asha"}, 2**70, 10**400, float("nan"), b"1"])
def test_no_value_is_more_than_a_field_that_cannot_be_read(value: Any):
    given = dict.fromkeys(FIELDS, value)
    values, unread = read_fields(FIELDS.values(), given)
    assert values.keys().isdisjoint(field.name for field in unread)
    assert values.keys() | {field.name for field in unread} == FIELDS.keys()
    assert "points" in {field.name for field in unread}


def test_names_that_no_field_has_are_told_up_to_a_limit():
    given = {"seat": "1", **{f"field {number}": number for number in range(MOST_UNKNOWN + 5)}}
    assert unknown_names(given, FIELDS) == [f"field {number}" for number in range(MOST_UNKNOWN)]
