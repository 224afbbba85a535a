"""Problems with a sheet, worded so that a scorer can fix them: which seat, which field, which number.

Rules: docs/events.md, "Refusals". Knows nothing of how a problem reaches a user: views translate it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import reduce

from scoring.messages import NOBODY, Message, Seat, english, say, with_names

MOST_SHOWN = 60
# The longest text of an exception that is stored: a column has this length.
MOST_WORDS = 500
Shown = str | Message


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem to fix. `detail` is its message; the seat that it names as `{seat}` is its seat, if none is given."""

    code: str
    detail: Message
    _: KW_ONLY
    seat: str | None = None
    field: str | None = None
    event: int | None = None

    def __post_init__(self) -> None:
        named = self.detail.parts.get("seat")
        if self.seat is None and isinstance(named, Seat):
            object.__setattr__(self, "seat", named.label)

    @property
    def message(self) -> Message:
        """The message, for translation and for messages that include it."""
        return self.detail

    def text(self, names: Mapping[str, str] = NOBODY) -> str:
        """The message in English, with the seat's name (or its label where no name is known)."""
        return english(self.message, names)

    def named(self, names: Mapping[str, str]) -> "Problem":
        """The same problem with names for seats in its message."""
        return replace(self, detail=with_names(self.message, names))

    def of_seat(self, seat: str, field: str) -> "Problem":
        """The same problem, at a seat."""
        return replace(self, seat=seat, field=field, detail=say("{seat}: {why}", seat=Seat(seat), why=self.message))

    def at_event(self, index: int) -> "Problem":
        """The same problem, with the index of its event in a list (from 0)."""
        return replace(self, event=index)

    def as_json(self, names: Mapping[str, str] = NOBODY) -> dict[str, str | int]:
        """The JSON form: absent parts are omitted."""
        parts: dict[str, str | int | None] = {
            "code": self.code,
            "seat": self.seat,
            "field": self.field,
            "event": self.event,
            "detail": self.text(names),
        }
        return {name: value for name, value in parts.items() if value is not None}


class RummyError(Exception):
    """Every refusal that we expect. `code` is stable: tools may rely on it."""

    code = "refused"

    @property
    def message(self) -> Message:
        """The reason, for translation."""
        return Message(str(self)[:MOST_WORDS])


class RuleError(RummyError):
    """The sheet must be corrected: contains every problem at once, never only the first."""

    code = "rule"

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("; ".join(problem.text() for problem in self.problems))

    @property
    def message(self) -> Message:
        """Every problem, one after the other."""
        first, *others = (problem.message for problem in self.problems)
        return reduce(lambda before, one: say("{what}; {why}", what=before, why=one), others, first)


class OptionsRejected(RuleError):
    """House options or stakes that no table can be opened with."""

    code = "options_rejected"


class EventRejected(RuleError):
    """An event that is not well formed: its kind, a field or a type is wrong.

    `readable` is the part that could be read, so that the rules can be checked on it too.
    """

    code = "event_rejected"

    def __init__(self, problems: Iterable[Problem], *, readable: object = None) -> None:
        self.readable = readable
        super().__init__(problems)


class EventNotAllowed(RuleError):
    """A well-formed event that the rules do not admit at this table now."""

    code = "fact_rejected"


class ClubMoved(EventNotAllowed):
    """The club is kept on another installation now: nothing of it is changed here."""

    code = "club_moved"

    def __init__(self, where: str) -> None:
        self.where = where
        super().__init__([Problem("club_moved", say("The club has moved to {where}: save it there", where=where))])


class StaleTable(RummyError):
    """Another user was faster: the table has changed since the writer last looked."""

    code = "stale_table"

    def __init__(self, *, expected: int, current: int) -> None:
        self.expected = expected
        self.current = current
        super().__init__(f"expected version {expected}, but the table stands at version {current}")


class KeyReused(RummyError):
    """An idempotency key came back with another request."""

    code = "key_reused"


class Defect(RummyError):
    """Our bug, not the scorer's: nothing was saved, and a developer must look."""

    code = "defect"


def shown(value: object) -> Shown:
    """A value from outside as a refusal may repeat it: shortened to a line, whatever was sent."""
    if isinstance(value, str | bytes):
        return _shortened(repr(value[:MOST_SHOWN]))
    if isinstance(value, int) and value.bit_length() > 4 * MOST_SHOWN:
        return say("a number with far too many digits")
    if isinstance(value, Mapping | list | tuple):
        return say("an object") if isinstance(value, Mapping) else say("a list")
    return _shortened(repr(value))


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"


def refuse_if(problems: Sequence[Problem], family: type[RuleError]) -> None:
    """Raise `family` with every problem, or return when there is none."""
    if problems:
        raise family(problems)
