"""Bounds of what is inserted into tables that are never edited: a guard's condition, as each database writes it.

Rules: docs/decisions/0027-every-bound-twice.md. A check over all rows would stop an upgrade at a row that older code
stored and that nobody may edit, so these look at new rows alone. They stand in the trigger's own condition: a row
within them calls nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

# The calendar of tournaments/models/bounds.py, the end of which is the last second of 2199.
FIRST_YEAR, END_YEAR = 2000, 2200
_FIRST_SECOND, _END_SECOND = 946_684_800, 7_258_118_400
MOST_COUNT, MOST_SMALL, MOST_POSITION = 2_147_483_647, 32_767, 10**15


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What the columns of one table take: numbers from 0, texts and bytes up to a length, moments in the calendar.

    `wide` numbers and `long` texts are those whose type says no limit on PostgreSQL either.
    """

    moments: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    wide: Mapping[str, int] = field(default_factory=dict)
    short: Mapping[str, int] = field(default_factory=dict)
    long: Mapping[str, int] = field(default_factory=dict)

    def on_sqlite(self) -> str:
        """Where a new row is beyond one of them. Whatever is no text is no moment."""
        moments = (f"NEW.{each} NOT BETWEEN '{FIRST_YEAR}' AND '{END_YEAR}'" for each in self.moments)
        numbers = (f"NEW.{name} NOT BETWEEN 0 AND {most}" for name, most in {**self.counts, **self.wide}.items())
        texts = (f"length(NEW.{name}) > {most}" for name, most in {**self.short, **self.long}.items())
        return " OR ".join((*moments, *numbers, *texts))

    def on_postgresql(self) -> str:
        """The same, as PostgreSQL prints it; the width of its types needs no guard.

        Seconds instead of a date: a date is printed as the session writes dates.
        """
        return " OR ".join(self._on_postgresql())

    def _on_postgresql(self) -> Iterator[str]:
        for each in self.moments:
            yield f"new.{each} < to_timestamp({_FIRST_SECOND}::double precision)"
            yield f"new.{each} >= to_timestamp('{_END_SECOND}'::bigint::double precision)"
        for name, most in self.wide.items():
            yield f"""new.{f'"{name}"' if name == "position" else name} > '{most}'::bigint"""
        for name, most in self.long.items():
            yield f"length(new.{name}) > {most}"


# The books. Amounts have a check of their own; a memo is worked out, a line for each reason.
OF_BOOKS = {
    "scoring_account": Bounds(short={"kind": 16, "owner": 64, "currency": 3}),
    "scoring_journalentry": Bounds(
        moments=("posted_at",),
        counts={"posting_count": MOST_COUNT},
        wide={"version": MOST_POSITION},
        short={"reference": 200, "cause": 80, "slot": 40, "currency": 3},
        long={"digest": 32},
    ),
    "scoring_settledcause": Bounds(
        moments=("settled_at",), wide={"version": MOST_POSITION}, short={"cause": 80}, long={"digest": 32}
    ),
}
