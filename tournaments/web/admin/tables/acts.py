"""Actions at a table between two deals, as buttons; only those that the rules allow now are offered.

Rules: docs/how-to/evening.md, "Between deals". Knows nothing of how an action is stored.
"""

from dataclasses import dataclass
from typing import Any, Literal

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from scoring.events.reading import Unreadable
from scoring.events.table import EventLeftOut, TotalsCorrected, TotalsRecorded
from scoring.messages import with_names
from scoring.money.payouts import MOST_MINOR
from scoring.rules.table.dealing import acts as acts_of
from scoring.rules.table.dealing import may_record, seats_that_may
from scoring.rules.table.previews import preview
from scoring.rules.table.table import Entry, Status, Table, places
from scoring.rules.table.totals import why_not_now
from scoring.sheets.event_messages import isolated_names
from tournaments.tables.queries.sheets import LoadedTable, result_text
from tournaments.web.admin.base.request import TableVisit
from tournaments.web.admin.sheets.deal_forms import payout_texts, race_number

ANY_REASON = "…"
LARGE_AMOUNT = MOST_MINOR


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One kind of action: its page, its button, and its fields.

    `about` is what its page is opened for: the number of a deal, or the version of an event.
    """

    kind: str
    page: str
    # The sentence below the heading of its page.
    purpose: str = ""
    title: str
    button: str
    help: str
    fields: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    about: Literal["", "deal", "version"] = ""
    is_grave: bool = False

    @property
    def fixed_fields(self) -> dict[str, object]:
        """The event's fixed fields, whatever is filled in."""
        return {"kind": self.kind, **dict.fromkeys(self.claims, True)}

    def sample(self, table: Table) -> dict[str, object]:
        """The event with sample values: if the rules refuse it, they refuse the action itself."""
        whole = LARGE_AMOUNT - LARGE_AMOUNT % max(1, table.setup.stakes.point_value_minor)
        values = {"points": 1, "amount_minor": whole, "reason": ANY_REASON}
        return {**self.fixed_fields, **{name: values[name] for name in self.fields if name in values}}


ACTS: tuple[Act, ...] = (
    Act(
        kind="rejoined",
        page="rejoin",
        purpose=gettext_noop("Bring an eliminated player back in at this table."),
        title=gettext_noop("Rejoin"),
        button=gettext_noop("Record rejoin"),
        help=gettext_noop("A player who went out in the last deal pays another entry fee and rejoins."),
        fields=("seat",),
    ),
    Act(
        kind="split_agreed",
        page="split",
        purpose=gettext_noop("End the game: those still in share the pot."),
        title=gettext_noop("Split pot"),
        button=gettext_noop("Split pot"),
        help=gettext_noop("All players still in have agreed to stop and split the pot."),
    ),
    Act(
        kind="bought_in",
        page="buy_in",
        purpose=gettext_noop("Record the chips that a player buys."),
        title="Buy-in",
        button=gettext_noop("Record buy-in"),
        help=gettext_noop("A player puts money on the table to play with."),
        fields=("seat", "amount_minor"),
    ),
    Act(
        kind="seat_left",
        page="leave",
        purpose=gettext_noop("Record that a player goes home and plays no more deals."),
        title=gettext_noop("A player leaves"),
        button=gettext_noop("Record leaving"),
        help=gettext_noop("Between two deals. If a player leaves during a deal, enter it on its sheet."),
        fields=("seat",),
        is_grave=True,
    ),
    Act(
        kind="penalty_given",
        page="penalty",
        purpose=gettext_noop("Give a player penalty points."),
        title=gettext_noop("Penalty"),
        button=gettext_noop("Give penalty"),
        help=gettext_noop("The director gives a player a penalty, with a reason."),
        fields=("seat", "points", "reason"),
    ),
    Act(
        kind="table_closed",
        page="close",
        purpose=gettext_noop("Close the table: its result counts and is settled."),
        title=gettext_noop("Close the table"),
        button=gettext_noop("Close the table"),
        help=gettext_noop("The result is settled; corrections stay possible, and the books follow them"),
    ),
    Act(
        kind="table_closed",
        page="time",
        purpose=gettext_noop("Call time: the table ends with the deal that is played."),
        title=gettext_noop("Call time"),
        button=gettext_noop("Close table now"),
        help=gettext_noop("Time is up: the player ahead now wins. Corrections remain possible."),
        claims=("time_called",),
    ),
    Act(
        kind="table_cancelled",
        page="cancel",
        purpose=gettext_noop("Cancel the table: nothing that was played here counts."),
        title=gettext_noop("Cancel table"),
        button=gettext_noop("Cancel table"),
        help=gettext_noop("The table is cancelled: nobody wins and no money moves."),
        fields=("reason",),
        is_grave=True,
    ),
)
VOID = Act(
    kind="deal_voided",
    page="void",
    purpose=gettext_noop("Cancel a deal that must not count."),
    title=gettext_noop("Cancel a deal"),
    button=gettext_noop("Cancel deal"),
    help=gettext_noop("A misdeal or a wrong pack: the deal does not count and may be played again."),
    fields=("reason",),
    about="deal",
    is_grave=True,
)
WITHDRAW = Act(
    kind="fact_withdrawn",
    page="withdraw",
    purpose=gettext_noop("Undo an action that was recorded by mistake."),
    title=gettext_noop("Undo action"),
    button=gettext_noop("Undo"),
    help=gettext_noop("Recorded by mistake. It stays in the history, struck out, and does not count."),
    fields=("reason",),
    about="version",
    is_grave=True,
)
CORRECT = Act(
    kind="deal_corrected",
    page="correct",
    title=gettext_noop("Correct a deal"),
    button=gettext_noop("Save correction"),
    help=gettext_noop("The new sheet replaces the deal; the old one stays in the history."),
    fields=("reason",),
)
CONFIRM = Act(
    kind="deal_confirmed",
    page="confirm",
    purpose=gettext_noop("Confirm a deal that somebody else entered."),
    title=gettext_noop("Confirm a deal"),
    button=gettext_noop("Confirm deal"),
    help=gettext_noop("A second person has read the deal and agrees."),
    fields=("said_by",),
    about="deal",
)
DISPUTE = Act(
    kind="deal_disputed",
    page="dispute",
    purpose=gettext_noop("Dispute a deal, so that a director looks at it."),
    title=gettext_noop("Dispute a deal"),
    button=gettext_noop("Call the director"),
    help=gettext_noop("Someone says the deal is wrong. It is locked until the director resolves it."),
    fields=("said_by", "reason"),
    about="deal",
)
SETTLE_DISPUTE = Act(
    kind="dispute_settled",
    page="settle_dispute",
    purpose=gettext_noop("Resolve a dispute: keep the deal, correct it or cancel it."),
    title=gettext_noop("Resolve a dispute"),
    button=gettext_noop("Accept deal"),
    help=gettext_noop("If the deal is wrong, correct it first. Accepting makes it count as saved."),
    fields=("reason",),
    about="deal",
)
WORDS = (CONFIRM, DISPUTE, SETTLE_DISPUTE)
BY_PAGE: dict[str, Act] = {act.page: act for act in (*ACTS, VOID, WITHDRAW, *WORDS)}


def seats_for(table: Table, act: Act) -> tuple[str, ...]:
    """The seats for which an action is possible now."""
    return seats_that_may(table, act.sample(table)) if "seat" in act.fields else ()


def is_possible(table: Table, act: Act) -> bool:
    """Whether an action could be recorded at all."""
    return bool(seats_for(table, act)) if "seat" in act.fields else may_record(table, act.sample(table))


def context(visit: TableVisit) -> dict[str, Any]:
    """Context of every page of a table around its form: buttons, rejoins, conflicts, the result."""
    loaded_table, table = visit.seen, visit.seen.table
    possible = {act.page: act for act in ACTS if visit.may_record(act.kind) and is_possible(table, act)}
    # Time is called only where the table could not be closed without it.
    elsewhere = {"rejoin", "close", *({"time"} if "close" in possible else ())}
    return {
        "acts": [{"act": act, "url": visit.url(page)} for page, act in possible.items() if page not in elsewhere],
        "rejoins": rejoins(visit) if "rejoin" in possible else [],
        "close_url": visit.url("close") if "close" in possible else "",
        "totals_link": totals_link(visit),
        "correctable": correctable(visit),
        "disputable": disputable(visit),
        "conflicts": conflicts(visit),
        "standing": (rows := standing(loaded_table)),
        "has_payouts": any(row["payout"] for row in rows),
        "result": result_text(table, loaded_table.names),
    }


def rejoins(visit: TableVisit) -> list[dict[str, Any]]:
    """Players who may rejoin now, with their score after it and the fee."""
    loaded_table, table = visit.seen, visit.seen.table
    rejoin = BY_PAGE["rejoin"]
    offers = []
    for seat in seats_for(table, rejoin):
        after = preview(table, {"kind": rejoin.kind, "seat": seat}).after
        offers.append(
            {
                "seat": seat,
                "name": loaded_table.names.get(seat, seat),
                "number": after.seats()[seat].total if after else None,
                "fee": loaded_table.amount_text(table.setup.stakes.entry_minor)
                if table.setup.stakes.entry_minor
                else "",
                "envelope": visit.fresh_envelope(),
                "url": visit.url(rejoin.page),
            }
        )
    return offers


def conflicts(visit: TableVisit) -> list[dict[str, Any]]:
    """Contradictory events, each with the actions that may resolve it."""
    loaded_table = visit.seen
    entries = {entry.version: entry for entry in loaded_table.table.timeline}
    withdrawable = {entry.version for entry in acts_of(loaded_table.table)}
    conflict_rows = []
    for conflict in loaded_table.table.conflicts:
        entry = entries[conflict.version]
        links = _resolving(visit, entry, is_act=conflict.version in withdrawable)
        conflict_rows.append(
            {
                "detail": with_names(conflict.message, isolated_names(loaded_table.names)),
                "what": loaded_table.event_text(entry.event),
                "version": conflict.version,
                "links": links,
            }
        )
    return conflict_rows


def _resolving(visit: TableVisit, entry: Entry, *, is_act: bool) -> list[dict[str, str]]:
    """Actions that may resolve a conflict; an unreadable event is excluded on a page of the club."""
    if isinstance(entry.event, Unreadable):
        url = reverse("admin:tournaments_club_unreadable", args=[visit.seen.club.pk])
        return [{"title": gettext("Leave out"), "url": url}] if visit.may_record(EventLeftOut.kind) else []
    if is_act:
        return allowed(visit, WITHDRAW, gettext("Undo"), entry.version)
    return correcting(visit, entry.event.deal)


def correcting(visit: TableVisit, deal: int) -> list[dict[str, str]]:
    """Links to correct or cancel a recorded deal."""
    return [
        *allowed(visit, CORRECT, gettext("Correct deal {deal}").format(deal=deal), deal),
        *allowed(visit, VOID, gettext("Cancel deal {deal}").format(deal=deal), deal),
    ]


def correctable(visit: TableVisit) -> list[dict[str, Any]]:
    """Every deal that counts, with its correction page; none while there is an unreadable event."""
    table = visit.seen.table
    if table.unreadable or not visit.may_record(CORRECT.kind):
        return []
    return [{"deal": deal, "url": visit.url(CORRECT.page, deal)} for deal in table.live_deals]


def totals_link(visit: TableVisit) -> dict[str, str] | None:
    """The page of the totals, where they may be recorded or corrected now."""
    table = visit.seen.table
    if table.unreadable:
        return None
    if table.has_totals:
        is_possible, kind, title = True, TotalsCorrected.kind, gettext("Correct totals")
    else:
        is_possible, kind, title = not why_not_now(table), TotalsRecorded.kind, gettext("Enter totals")
        is_possible = is_possible and table.status is Status.OPEN
    return {"title": title, "url": visit.url("totals")} if is_possible and visit.may_record(kind) else None


def disputable(visit: TableVisit) -> list[dict[str, Any]]:
    """Every deal that may be disputed now, with the page that calls the director."""
    table = visit.seen.table
    if table.unreadable or table.status is not Status.OPEN or not visit.may_record(DISPUTE.kind):
        return []
    deals = (deal for deal in table.live_deals if deal not in table.disputed)
    return [{"deal": deal, "url": visit.url(DISPUTE.page, deal)} for deal in deals]


def standing(seen: LoadedTable) -> list[dict[str, Any]]:
    """The current standing of every seat, best first, in table order where seats are tied or nothing is played."""
    table, views = seen.table, seen.table.seats()
    place_of = places(views) if table.has_begun else {}
    winners, paid = table.winners(), payout_texts(seen, table) if table.is_finished else {}
    return [
        {
            "seat": seat,
            "place": place_of.get(seat),
            "name": seen.names.get(seat, seat),
            "view": views[seat],
            "number": race_number(table, views[seat]),
            "is_winner": seat in winners,
            "payout": paid.get(seat, ""),
        }
        for seat in sorted(views, key=lambda seat: place_of.get(seat, 0))
    ]


def allowed(visit: TableVisit, act: Act, title: str, number: int) -> list[dict[str, str]]:
    """A link to an action, if the user may record it."""
    return [{"title": title, "url": visit.url(act.page, number)}] if visit.may_record(act.kind) else []
