"""What money was booked for, in words: the table or tournament that a cause of the books names.

A cause names its object by number; whatever the object is called now, the entry stays where it is. In the language of
whoever asks.
"""

from collections.abc import Collection, Iterator, Mapping
from uuid import UUID

from django.utils.translation import gettext

from tournaments.models import Table, Tournament
from tournaments.printing.words import round_said, table_said


def cause_names(causes: Collection[str]) -> Mapping[str, str]:
    """Each cause in words, in two queries; one that nobody knows stays as it is written."""
    found = {cause: _object(cause) for cause in causes}
    tables = {
        row.pk: ", ".join(_of_table(row))
        for row in Table.objects.filter(pk__in=_ids(found, "table")).select_related("tournament")
    }
    ids = _ids(found, "tournament") | _ids(found, "entry")
    names = {**tables, **dict(Tournament.objects.filter(pk__in=ids).values_list("pk", "name"))}
    return {cause: _named(cause, kind, names.get(pk) if pk else None) for cause, (kind, pk) in found.items()}


def _named(cause: str, kind: str, name: str | None) -> str:
    if kind == "cash":
        return gettext("Cash desk")
    if name is None:
        return cause
    return gettext("{tournament}, entry").format(tournament=name) if kind == "entry" else name


def _of_table(row: Table) -> Iterator[str]:
    yield row.tournament.name
    yield table_said(row.name, row.number)
    if row.round > 1:
        yield round_said(row.round)


def _object(cause: str) -> tuple[str, UUID | None]:
    kind, _, rest = cause.partition(":")
    try:
        return kind, UUID(rest.partition(":")[0])
    except ValueError:
        return kind, None


def _ids(found: Mapping[str, tuple[str, UUID | None]], wanted: str) -> set[UUID]:
    return {pk for kind, pk in found.values() if kind == wanted and pk is not None}
