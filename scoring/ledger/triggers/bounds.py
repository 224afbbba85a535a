"""Bounds of what is inserted into tables that are never edited: a guard's condition, as each database writes it.

Rules: docs/decisions/0027-every-bound-twice.md. A check over all rows would stop an upgrade at a row that older code
stored and that nobody may edit, so these look at new rows alone. They stand in the trigger's own condition: a row
within them calls nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

# Wide enough for any club, and narrow enough that no time zone, no season and no timetable of a night leaves the
# calendar of any program that reads our pages, feeds and files.
FIRST_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
LAST_MOMENT = datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)
_END = LAST_MOMENT + timedelta(seconds=1)
FIRST_YEAR, END_YEAR = FIRST_MOMENT.year, _END.year

# What PostgreSQL's integer columns hold, and SQLite's do not keep to.
MOST_COUNT = 2_147_483_647
MOST_SMALL = 32_767
# Positions in a club's log, which are counted one by one.
MOST_POSITION = 10**15


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
            yield f"new.{each} < to_timestamp({FIRST_MOMENT.timestamp():.0f}::double precision)"
            yield f"new.{each} >= to_timestamp('{_END.timestamp():.0f}'::bigint::double precision)"
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
