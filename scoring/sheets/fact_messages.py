"""An event in words: for the message after saving, the history and the comparison of two sheets.

Rules: docs/events.md, "Kinds". Words only the event itself, not its effects.
"""

from collections.abc import Callable, Mapping

from scoring.facts import wire
from scoring.messages import Message, Seat, say

# First strong isolate and its end: a name in any script keeps the sentence around it in order.
ISOLATE, END_ISOLATE = "\u2068", "\u2069"

KIND_TITLES = {
    "table_opened": say("Table opened"),
    "deal_recorded": say("Deal recorded"),
    "deal_corrected": say("Deal corrected"),
    "tiebreak_recorded": say("Tie-break deal"),
    "deal_voided": say("Deal cancelled"),
    "rejoined": say("Rejoined"),
    "split_agreed": say("Split agreed"),
    "seat_left": say("Left the table"),
    "penalty_given": say("Penalty"),
    "bought_in": say("Buy-in"),
    "fact_withdrawn": say("Action undone"),
    "table_closed": say("Table closed"),
    "table_cancelled": say("Table cancelled"),
    "table_moved_on": say("Players moved to other tables"),
    "deal_confirmed": say("Deal confirmed"),
    "deal_disputed": say("Deal disputed"),
    "dispute_settled": say("Dispute resolved"),
    "unreadable": say("Unreadable record"),
    "fact_left_out": say("Table cancelled: a record cannot be read"),
}


def isolated(name: str) -> str:
    """A name that does not turn the text around it."""
    return f"{ISOLATE}{name}{END_ISOLATE}"


def isolated_names(names: Mapping[str, str]) -> dict[str, str]:
    """Names for the seats of a message that do not turn the text around them."""
    return {seat: isolated(name) for seat, name in names.items()}


def fact_title(fact: wire.Fact) -> Message:
    """The title of an event."""
    match fact:
        case wire.DealRecorded():
            return say("Deal {deal}", deal=fact.deal)
        case wire.DealCorrected():
            return say("Deal {deal} corrected", deal=fact.deal)
        case wire.DealVoided():
            return say("Deal {deal} cancelled", deal=fact.deal)
    return KIND_TITLES[fact.kind]


def fact_message(fact: wire.Fact, *, amount_text: Callable[[int], str] = str) -> Message:
    """One event as a sentence without its reason; for a deal its title, as a sheet is a list."""
    match fact:
        case wire.DealConfirmed() | wire.DealDisputed() | wire.DisputeSettled():
            return _check_message(fact)
        case wire.TableOpened():
            return say("Table opened with {number} seats", number=len(fact.seats))
        case wire.PenaltyGiven():
            return say("Penalty of {number} for {seat}", number=fact.points, seat=Seat(fact.seat))
        case wire.BoughtIn():
            return say("{seat} bought in for {amount}", seat=Seat(fact.seat), amount=amount_text(fact.amount_minor))
        case wire.Rejoined():
            return say("{seat} rejoined", seat=Seat(fact.seat))
        case wire.SeatLeft():
            return say("{seat} left the table", seat=Seat(fact.seat))
        case wire.TableClosed(time_called=True):
            return say("Table closed: time was called")
        case wire.FactWithdrawn():
            return say("The action at version {number} was undone", number=fact.version)
    return fact_title(fact)


def _check_message(fact: wire.DealConfirmed | wire.DealDisputed | wire.DisputeSettled) -> Message:
    match fact:
        case wire.DealConfirmed(seat=str() as seat):
            return say("Deal {deal} confirmed by {seat}", deal=fact.deal, seat=Seat(seat))
        case wire.DealConfirmed():
            return say("Deal {deal} confirmed", deal=fact.deal)
        case wire.DealDisputed(seat=str() as seat, sheet=dict()):
            return say("Deal {deal} entered differently by {seat}", deal=fact.deal, seat=Seat(seat))
        case wire.DealDisputed(seat=str() as seat):
            return say("Deal {deal} disputed by {seat}", deal=fact.deal, seat=Seat(seat))
        case wire.DealDisputed():
            return say("Deal {deal} disputed", deal=fact.deal)
    return say("Deal {deal}: dispute resolved", deal=fact.deal)
