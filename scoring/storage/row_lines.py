"""Rows as JSON objects, one a line: how every column of a model is written for another database, and read back.

Ids and bytes are hex digits, moments are RFC 3339 in UTC with microseconds, days ISO 8601; numbers, texts and JSON stay
as they are. Reading trusts nothing: a value of another type is a problem that names its column.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import models

from scoring.json_text import holds_no_text
from scoring.messages import Message, say
from scoring.problems import shown

Record = dict[str, Any]
# A column's name, and what is wrong with its value.
Misfit = tuple[str, Message]


class RowFormat:
    """The columns of a model that a line holds: all but those that are left out, by their names in the database.

    A column with a default may be missing: the line was written before the column was added.
    """

    def __init__(self, model: type[models.Model], *, without: Collection[str] = ()) -> None:
        self.fields = {field.attname: field for field in model._meta.concrete_fields if field.attname not in without}
        self.names = tuple(self.fields)
        self._readers = {name: _reader(field) for name, field in self.fields.items()}
        # A key has a default for a new row; a line without it is of no row.
        self._optional = {
            name for name, field in self.fields.items() if (field.has_default() or field.null) and not field.primary_key
        }

    def record(self, values: Sequence[Any]) -> Record:
        """The object of a row, from its values in the order of `names`."""
        return dict(zip(self.names, map(written, values), strict=True))

    def values(self, record: Mapping[str, Any], misfits: list[Misfit]) -> dict[str, Any]:
        """The values of a row by column; what cannot be read is added to `misfits` and left out."""
        values: dict[str, Any] = {}
        for name in record.keys() - self._readers.keys():
            misfits.append((name, say("this version does not know the field")))
        for name, read in self._readers.items():
            if name not in record:
                if name not in self._optional:
                    misfits.append((name, say("missing")))
                continue
            try:
                values[name] = read(record[name])
            except (ValueError, TypeError, OverflowError):
                misfits.append((name, say("{typed} cannot be read", typed=shown(record[name]))))
        return values

    def in_order(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The values of a row in the order of `names`; one that is missing is the column's default."""
        return tuple(values[name] if name in values else self.fields[name].get_default() for name in self.names)


def written(value: Any) -> Any:
    """A value as a line holds it."""
    match value:
        case UUID():
            return value.hex
        case bytes() | memoryview():
            return bytes(value).hex()
        case datetime():
            return value.astimezone(UTC).isoformat(timespec="microseconds")
        case date():
            return value.isoformat()
    return value


def batches(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """The rows in lists of at most this length."""
    batch: list[Any] = []
    for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _reader(field: "models.Field[Any, Any]") -> Callable[[Any], Any]:
    """A function that reads a value of this column; it raises ValueError or TypeError."""
    target: Any = getattr(field, "target_field", field)
    read = next(reader for kind, reader in _READERS if isinstance(target, kind))
    return (lambda value: None if value is None else read(value)) if field.null else read


# Most lines name an account, a stream or a table that one shortly before has named.
@lru_cache(maxsize=4_096)
def _id(value: Any) -> UUID:
    if len(_text(value)) != 32:
        raise ValueError
    return UUID(hex=value)


def _bytes(value: Any) -> bytes:
    return bytes.fromhex(_text(value))


def _moment(value: Any) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    if moment.tzinfo is None:
        raise ValueError
    return moment.astimezone(UTC)


def _day(value: Any) -> date:
    return date.fromisoformat(_text(value))


def _text(value: Any) -> str:
    if not isinstance(value, str) or holds_no_text(value):
        raise TypeError
    return value


def _number(value: Any) -> int:
    if type(value) is not int or value.bit_length() > 63:
        raise TypeError
    return value


def _truth(value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError
    return value


def _json(value: Any) -> Any:
    if holds_no_text(value):
        raise TypeError
    return value


_READERS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (models.UUIDField, _id),
    (models.BinaryField, _bytes),
    (models.DateTimeField, _moment),
    (models.DateField, _day),
    (models.BooleanField, _truth),
    (models.IntegerField, _number),
    (models.JSONField, _json),
    (models.CharField, _text),
    (models.TextField, _text),
)
