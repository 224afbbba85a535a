"""An event in words: for the message after saving, the history and the comparison of two sheets.

Rules: docs/events.md, "Kinds". Words only the event itself, not its effects.
"""

from collections.abc import Callable, Mapping

from scoring.events import wire
from scoring.messages import Message, Seat, say

# First strong isolate and its end: a name in any script keeps the sentence around it in order.
ISOLATE, END_ISOLATE = "\u2068", "\u2069"

# Every kind of event in words: pages of the log and score sheets show no name of the wire.
KIND_TITLES = {
    # Of a table.
    "table_opened": say("Table opened"),
    "deal_recorded": say("Deal recorded"),
    "deal_corrected": say("Deal corrected"),
    "tiebreak_recorded": say("Tie-break deal"),
    "deal_voided": say("Deal cancelled"),
    "totals_recorded": say("Totals recorded"),
    "totals_corrected": say("Totals corrected"),
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
    # Of a tournament.
    "tournament_opened": say("Tournament set up"),
    "tournament_changed": say("Tournament changed"),
    "tournament_closed": say("Tournament closed"),
    "tournament_cancelled": say("Tournament abandoned"),
    "tournament_reopened": say("Tournament reopened"),
    "plan_made": say("Plan saved"),
    "player_entered": say("Player entered"),
    "entry_withdrawn": say("Entry withdrawn"),
    "entry_terms_set": say("Entry fee changed"),
    "entry_paid": say("Entry fee paid"),
    "entry_refunded": say("Entry fee refunded"),
    "checked_in": say("Player checked in"),
    "check_in_undone": say("Check-in undone"),
    "marked_absent": say("Marked as no-show"),
    "player_left": say("A player left"),
    "player_returned": say("A player returned"),
    "player_hidden": say("A player hidden from the public"),
    "player_shown": say("A player shown to the public again"),
    "player_reentered": say("A player re-entered"),
    "reentry_undone": say("Re-entry undone"),
    "player_substituted": say("Substitute added"),
    "substitution_undone": say("Substitution undone"),
    "round_seated": say("Round seated"),
    "seating_withdrawn": say("Seating undone"),
    "seats_changed": say("Seats changed before the first deal"),
    "players_moved": say("Players moved to other tables"),
    "move_undone": say("Move undone"),
    "clock_started": say("Clock started"),
    "clock_paused": say("Clock paused"),
    "time_added": say("Time added"),
    "last_deal_called": say("Last deal called"),
    "last_call_undone": say("Last-deal call undone"),
    "cut_made": say("Cut made"),
    "cut_withdrawn": say("Cut undone"),
    "tie_settled": say("Tie resolved"),
    "side_pot_won": say("Side pot won"),
    "side_pot_win_undone": say("Side pot winner removed"),
    # Of a cash book.
    "cash_book_opened": say("Cash book opened"),
    "cash_book_closed": say("Cash book closed"),
    "till_opened": say("Till opened"),
    "till_counted": say("Till counted"),
    "till_difference_booked": say("Till difference saved"),
    "till_closed": say("Till closed"),
    "money_received": say("Payment taken"),
    "money_paid_out": say("Paid out"),
    "money_moved": say("Money moved"),
    "money_transferred": say("Money transferred"),
    "credit_granted": say("Credit allowed"),
    "debt_written_off": say("Debt written off"),
    "cash_deed_undone": say("Cash book entry undone"),
    # Of a club.
    "players_merged": say("Players merged"),
    "merge_undone": say("Merge undone"),
    "opening_balances_imported": say("Opening balances imported"),
    "opening_balances_taken_back": say("Opening balances undone"),
    "past_tournament_imported": say("Past tournament imported"),
    "past_tournament_taken_back": say("Past tournament undone"),
}


def isolated(name: str) -> str:
    """A name that does not turn the text around it."""
    return f"{ISOLATE}{name}{END_ISOLATE}"


def isolated_names(names: Mapping[str, str]) -> dict[str, str]:
    """Names for the seats of a message that do not turn the text around them."""
    return {seat: isolated(name) for seat, name in names.items()}


def event_title(event: wire.Event) -> Message:
    """The title of an event."""
    match event:
        case wire.DealRecorded():
            return say("Deal {deal}", deal=event.deal)
        case wire.DealCorrected():
            return say("Deal {deal} corrected", deal=event.deal)
        case wire.DealVoided():
            return say("Deal {deal} cancelled", deal=event.deal)
    return KIND_TITLES[event.kind]


def event_message(event: wire.Event, *, amount_text: Callable[[int], str] = str) -> Message:
    """One event as a sentence without its reason; for a deal its title, as a sheet is a list."""
    match event:
        case wire.DealConfirmed() | wire.DealDisputed() | wire.DisputeSettled():
            return _check_message(event)
        case wire.TableOpened():
            return say("Table opened with {number} seats", number=len(event.seats))
        case wire.PenaltyGiven():
            return say("Penalty of {number} for {seat}", number=event.points, seat=Seat(event.seat))
        case wire.BoughtIn():
            return say("{seat} bought in for {amount}", seat=Seat(event.seat), amount=amount_text(event.amount_minor))
        case wire.Rejoined():
            return say("{seat} rejoined", seat=Seat(event.seat))
        case wire.SeatLeft():
            return say("{seat} left the table", seat=Seat(event.seat))
        case wire.TableClosed(time_called=True):
            return say("Table closed: time was called")
        case wire.EventWithdrawn():
            return say("The action at version {number} was undone", number=event.version)
    return event_title(event)


def _check_message(event: wire.DealConfirmed | wire.DealDisputed | wire.DisputeSettled) -> Message:
    match event:
        case wire.DealConfirmed(seat=str() as seat):
            return say("Deal {deal} confirmed by {seat}", deal=event.deal, seat=Seat(seat))
        case wire.DealConfirmed():
            return say("Deal {deal} confirmed", deal=event.deal)
        case wire.DealDisputed(seat=str() as seat, sheet=dict()):
            return say("Deal {deal} entered differently by {seat}", deal=event.deal, seat=Seat(seat))
        case wire.DealDisputed(seat=str() as seat):
            return say("Deal {deal} disputed by {seat}", deal=event.deal, seat=Seat(seat))
        case wire.DealDisputed():
            return say("Deal {deal} disputed", deal=event.deal)
    return say("Deal {deal}: dispute resolved", deal=event.deal)
