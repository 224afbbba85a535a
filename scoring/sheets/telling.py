"""A fact in words, as it is read out: for the message after saving, the history and the comparison of two sheets.

Rules: docs/events.md, "Kinds". Says what stands in the fact and nothing that follows from it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from scoring.facts import wire
from scoring.rules.table.fields import WrittenSheet

# First strong isolate and its end: a name in any script keeps the sentence around it in order.
ISOLATE, END_ISOLATE = "\u2068", "\u2069"

KIND_TITLES = {
    "table_opened": "Table opened",
    "deal_recorded": "Deal recorded",
    "deal_corrected": "Deal corrected",
    "tiebreak_recorded": "Tie-break deal",
    "deal_voided": "Deal cancelled",
    "rejoined": "Rejoined",
    "split_agreed": "Split agreed",
    "seat_left": "Left the table",
    "penalty_given": "Penalty",
    "bought_in": "Buy-in",
    "fact_withdrawn": "Action undone",
    "table_closed": "Table closed",
    "table_cancelled": "Table cancelled",
    "table_moved_on": "Players moved to other tables",
    "deal_confirmed": "Deal confirmed",
    "deal_disputed": "Deal disputed",
    "dispute_settled": "Dispute resolved",
    "unreadable": "Unreadable record",
    "fact_left_out": "Table cancelled: a record cannot be read",
}


def isolated(name: str) -> str:
    """A name that does not turn the text around it."""
    return f"{ISOLATE}{name}{END_ISOLATE}"


def isolated_names(names: Mapping[str, str]) -> dict[str, str]:
    """Names for the seats of a message that do not turn the text around them."""
    return {seat: isolated(name) for seat, name in names.items()}


def named(text: str, names: Mapping[str, str], seat: str | None = None) -> str:
    """A text with `{seat}` and `{1}`, `{2}`, ... as names, in one pass: a name is never read as a placeholder."""
    parts = text.split("{")
    said = [parts[0]]
    for part in parts[1:]:
        label, closed, rest = part.partition("}")
        key = (seat or label) if label == "seat" else label
        said.append(f"{isolated(names[key])}{rest}" if closed and key in names else "{" + part)
    return "".join(said)


def sheet_said(sheet: WrittenSheet, names: Mapping[str, str]) -> str:
    """A deal sheet as one line."""
    said = [f"{isolated(names.get(seat, seat))} {_small(mark.said)}" for seat, mark in sheet.marks().items()]
    return ", ".join([*said, *(named(remark, names) for remark in sheet.remarks())])


def fact_title(fact: wire.Fact) -> str:
    """A fact in a few words."""
    if isinstance(fact, wire.DealRecorded | wire.DealCorrected | wire.DealVoided):
        done = {"deal_recorded": "", "deal_corrected": " corrected", "deal_voided": " cancelled"}[fact.kind]
        return f"Deal {fact.deal}{done}"
    return KIND_TITLES.get(fact.kind, fact.kind)


def fact_said(fact: wire.Fact, names: Mapping[str, str], *, amount_said: Callable[[int], str] = str) -> str:
    """One fact as a sentence without its reason."""
    match fact:
        case wire.DealRecorded() | wire.DealCorrected() | wire.TiebreakRecorded():
            return f"{fact_title(fact)}: {sheet_said(fact.sheet, names)}"
        case wire.DealVoided():
            return fact_title(fact)
        case wire.DealConfirmed() | wire.DealDisputed() | wire.DisputeSettled():
            said = (
                KIND_TITLES[fact.kind]
                .replace("Deal", f"Deal {fact.deal}")
                .replace("Dispute", f"Deal {fact.deal}: dispute")
            )
            seat = getattr(fact, "seat", None)
            return f"{said} by {isolated(names.get(seat, seat))}" if seat else said
        case wire.TableOpened():
            return f"Table opened with {len(fact.seats)} seats"
        case wire.PenaltyGiven():
            return f"Penalty of {fact.points} for {_name(fact, names)}"
        case wire.BoughtIn():
            return f"{_name(fact, names)} bought in for {amount_said(fact.amount_minor)}"
        case wire.Rejoined() | wire.SeatLeft():
            return f"{_name(fact, names)} {'rejoined' if isinstance(fact, wire.Rejoined) else 'left the table'}"
        case wire.TableClosed(time_called=True):
            return "Table closed: time was called"
        case wire.FactWithdrawn():
            return f"The action at version {fact.version} was undone"
    return KIND_TITLES.get(fact.kind, fact.kind)


def _name(fact: Any, names: Mapping[str, str]) -> str:
    return isolated(names.get(fact.seat, fact.seat))


def _small(said: str) -> str:
    """Words in the middle of a sentence; cards keep their letters."""
    return said[:1].lower() + said[1:]
