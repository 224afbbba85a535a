"""One request to the cash desk: the user, the currency, the cash book, and its entries as text.

Rules: docs/how-to/books.md, "The cash desk". What was typed is never lost: a refusal shows the page again with every
problem. Names are kept apart from the sentences, so that a page can set each in its own direction.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from itertools import groupby
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop

from scoring.cash import Till, rounding_of
from scoring.events import cash as events
from scoring.events.reading import Unreadable
from scoring.events.table import Event, EventLeftOut
from scoring.messages import words
from scoring.money import TILL
from scoring.money.formatting import Notation, grouped_minor, money, typed_minor
from tournaments.cash.payouts import tournaments_to_pay_out
from tournaments.cash.queries import CashDesk, CashLine, DeskTill, PlayerMoney, currencies_of, open_desk
from tournaments.cash.till_lines import BookLines, FeeLine, Flow, FlowSum, TillLine, TillSheet, book_lines
from tournaments.models import Club, Tournament
from tournaments.people.permissions import Actor, Permission, may
from tournaments.rendering.i18n.translating import translate
from tournaments.running.queries.today import due_tournaments
from tournaments.web.admin.base.command_forms import pressed
from tournaments.web.admin.base.request import asks_for_part, cash_url, chosen_paper, page_url, tournament_from
from tournaments.web.admin.base.scoping import actor_in, admin_page, require

PAGES = (
    ("", gettext_noop("Cash desk"), Permission.HANDLE_CASH),
    ("night", gettext_noop("Cash book"), Permission.SEE_MONEY),
    ("balances", gettext_noop("Balances"), Permission.SEE_MONEY),
    ("nights", gettext_noop("Past cash books"), Permission.SEE_MONEY),
)


@dataclass(frozen=True, kw_only=True)
class CashVisit:
    """A user at a club's cash desk."""

    request: HttpRequest
    actor: Actor
    club: Club
    currency: str
    currencies: tuple[str, ...]

    @cached_property
    def desk(self) -> CashDesk:
        """The open cash book."""
        return open_desk(self.club, self.currency)

    @cached_property
    def lines(self) -> BookLines:
        """The lines of its tills, and the entry fees of its time."""
        return book_lines(self.desk)

    @cached_property
    def sees_books(self) -> bool:
        """Whether the user may know what every till should hold: not before the count, if they count blind."""
        return self.may(Permission.SEE_BOOKS)

    @cached_property
    def tournament(self) -> Tournament | None:
        """The club's tournament from whose pages the user came."""
        return tournament_from(self.request, self.club)

    @property
    def notation(self) -> Notation:
        """The currency and locale for amounts."""
        return Notation(self.currency, self.club.locale)

    @property
    def directs(self) -> bool:
        """Whether the user is a director, who works with any till and sees its contents."""
        return self.may(Permission.DIRECT)

    @property
    def is_asking(self) -> bool:
        """Whether this is not a POST request."""
        return self.request.method != "POST"

    def may(self, permission: Permission) -> bool:
        """Whether the user may do this here."""
        return may(self.actor, permission, self.club)

    def require(self, permission: Permission) -> None:
        """Raises PermissionDenied for what is beyond the user's role."""
        require(self.request, permission, self.club)

    def url(self, page: str = "", *words: object, **asked: object) -> str:
        """The address of another page of this desk, in the same currency and with the same way back."""
        name = "admin:tournaments_club_cash" + (f"_{page}" if page else "")
        if self.currency != self.club.currency:
            asked = {"currency": self.currency, **asked}
        if self.tournament:
            asked = {"tournament": self.tournament.pk, **asked}
        return reverse(name, args=[self.club.pk, *words]) + (f"?{urlencode(asked)}" if asked else "")

    @property
    def asked(self) -> str:
        """The query string for links within this desk: the currency, where the club has several; and the way back."""
        query = {"currency": self.currency} if len(self.currencies) > 1 else {}
        if self.tournament:
            query["tournament"] = str(self.tournament.pk)
        return f"?{urlencode(query)}" if query else ""

    def kept(self, *names: str) -> str:
        """What the address asks under these names, for the links from one page of a list to the next."""
        query = {name: self.request.GET[name] for name in names if name in self.request.GET}
        return f"&{urlencode(query)}" if query else ""

    @property
    def asked_on_paper(self) -> str:
        """The same for a receipt, with the paper size."""
        return f"?{urlencode({'paper': chosen_paper(self.request)})}" + self.asked.replace("?", "&")

    def go(self, page: str = "", *words: object, **asked: object) -> HttpResponseRedirect:
        """Redirect to another page of this desk."""
        return HttpResponseRedirect(self.url(page, *words, **asked))

    def money(self, amount_minor: int) -> str:
        """An amount with its currency."""
        return money(amount_minor, *self.notation)

    def figure(self, amount_minor: int) -> str:
        """An amount without its currency, for a column."""
        return grouped_minor(amount_minor, *self.notation)

    def field(self, amount_minor: int) -> str:
        """An amount as the value of an input; empty unless it is above 0."""
        return typed_minor(amount_minor, *self.notation) if amount_minor > 0 else ""

    def page(self, template: str, context: Mapping[str, Any]) -> TemplateResponse:
        """A page of the desk with the context that all of them share."""
        base = {
            "club": self.club,
            "visit": self,
            "desk": self.desk,
            "key": uuid4(),
            "back": self.url(),
            "tabs": self._tabs(),
            "monies": self._monies(),
            "ways_back": [] if asks_for_part(self.request) else self._ways_back(),
            "typed": self.request.POST,
            "did": pressed(self.request.POST),
        }
        name = f"admin/tournaments/cash/{template}"
        return admin_page(self.request, name, {**base, **context}, model=Club)

    def _tabs(self) -> list[dict[str, Any]]:
        tabs = [(gettext(title), self.url(page)) for page, title, permission in PAGES if self.may(permission)]
        path = self.request.path
        return [{"title": title, "url": url, "is_current": path == url.partition("?")[0]} for title, url in tabs]

    def _ways_back(self) -> list[dict[str, str]]:
        """Links to the tournament that the user came from, or to those that are due: the page of it for their role.

        To closed tournaments with money to collect while it waits: the list of who is to be paid.
        """
        titles = {
            "night": gettext("Dashboard: {name}"),
            "desk": gettext("Check-in: {name}"),
            "money": gettext("Balances: {name}"),
        }
        page = "night" if self.directs else "desk" if self.may(Permission.TAKE_ENTRY) else "money"
        tournaments = [self.tournament] if self.tournament else due_tournaments(self.club, self.currency, now=now())
        return [
            *(
                {"title": titles[page].format(name=tournament.name), "url": page_url(page, tournament)}
                for tournament in tournaments
            ),
            *(
                {
                    "title": gettext("To pay out: {name}").format(name=tournament.name),
                    "url": cash_url("cash_balances", tournament),
                }
                for tournament in tournaments_to_pay_out(self.club, self.currency)
                if tournament != self.tournament
            ),
        ]

    def _monies(self) -> list[dict[str, Any]]:
        """Links to the cash desk in each currency, where the club has more than one."""
        if len(self.currencies) < 2:
            return []
        home = reverse("admin:tournaments_club_cash", args=[self.club.pk])
        return [
            {
                "title": currency,
                "url": f"{home}?{urlencode({'currency': currency})}",
                "is_current": currency == self.currency,
            }
            for currency in self.currencies
        ]


CashView = Callable[..., HttpResponseBase]


def at_cash(view: CashView, permission: Permission) -> CashView:
    """A view of a club's cash desk: it gets a visit instead of the request and the club."""

    @wraps(view)
    def visited(request: HttpRequest, club: Club, **words: object) -> HttpResponseBase:
        require(request, permission, club)
        currencies = currencies_of(club)
        currency = request.GET.get("currency", club.currency)
        if currency not in currencies:
            raise Http404
        visit = CashVisit(
            request=request, actor=actor_in(request), club=club, currency=currency, currencies=tuple(currencies)
        )
        return view(visit, **words)

    return visited


# Entries, tills and balances of a cash book as text.

ACTION_TEXTS = {
    "cash_book_opened": gettext_noop("Cash book opened"),
    "money_received": gettext_noop("Taken from"),
    "money_paid_out": gettext_noop("Paid out to"),
    "money_transferred": gettext_noop("Paid by"),
    "debt_written_off": gettext_noop("Written off for"),
    "credit_granted": gettext_noop("Credit for"),
    "cash_book_closed": gettext_noop("Cash book closed"),
}
RECEIPTS = (events.MoneyReceived, events.MoneyPaidOut)


def entry_rows(visit: CashVisit, desk: CashDesk, entries: Iterable[CashLine | FeeLine]) -> list[dict[str, object]]:
    """Entries of a book for a page, oldest first; entry fees in a row that one place took or refunded are folded."""
    known_places = {TILL + till.name for till in desk.tills if may_know(visit, till)}
    rows: list[dict[str, object]] = []
    for what, group in groupby(sorted(entries, key=lambda each: each.position), key=_kind_of_fee):
        if what is None:
            rows += [line_row(visit, desk, line) for line in group if isinstance(line, CashLine)]
            continue
        fees = [fee for fee in group if isinstance(fee, FeeLine)]
        # A sum of what a till took would tell a cashier who counts blind what it holds.
        is_summed = not fees[0].place.startswith(TILL) or fees[0].place in known_places
        rows.append(_folded(visit, [fee_row(visit, desk, fee) for fee in fees], fees, is_summed=is_summed))
    return rows


def till_line_rows(visit: CashVisit, desk: CashDesk, sheet: TillSheet) -> list[dict[str, object]]:
    """The lines of a till for a page, oldest first, with what it held after each; entry fees in a row are folded."""
    rows: list[dict[str, object]] = []
    for what, group in groupby(sheet.lines, key=lambda line: _kind_of_fee(line.source)):
        lines = list(group)
        listed = [_till_line_row(visit, desk, line) for line in lines]
        if what is None:
            rows += listed
            continue
        fees = [line.source for line in lines if isinstance(line.source, FeeLine)]
        folded = _folded(visit, listed, fees, is_summed=True)
        rows.append({**folded, "balance": visit.figure(lines[-1].balance_minor)})
    return rows


def _till_line_row(visit: CashVisit, desk: CashDesk, line: TillLine) -> dict[str, object]:
    """One line of a till; an entry that was undone later is shown as it was, for the till held it until then."""
    moved = {"amount": visit.figure(line.amount_minor), "balance": visit.figure(line.balance_minor)}
    match line.source:
        case CashLine() as source:
            return {**line_row(visit, desk, source), **moved, "is_undone": False, "where": ""}
        case FeeLine() as fee:
            return {**fee_row(visit, desk, fee), **moved, "where": ""}
        case None:
            return {"text": gettext("In the till before"), **moved}


def _kind_of_fee(source: CashLine | FeeLine | None) -> tuple[str, bool] | None:
    """What lines in a row have in common that are folded: the place, and whether it took the money."""
    return (source.place, source.amount_minor > 0) if isinstance(source, FeeLine) else None


def _folded(
    visit: CashVisit, rows: list[dict[str, object]], fees: Sequence[FeeLine], *, is_summed: bool
) -> dict[str, object]:
    if len(rows) == 1:
        return rows[0]
    total = FlowSum(Flow.ENTRY_FEE, len(fees), sum(fee.amount_minor for fee in fees))
    amount = visit.figure(total.amount_minor) if is_summed else ""
    return {"text": translate(total.title), "amount": amount, "where": rows[0]["where"], "folded": rows}


def fee_row(visit: CashVisit, desk: CashDesk, fee: FeeLine) -> dict[str, object]:
    """One entry fee that was taken or refunded."""
    place = _place(desk, fee.place)
    where = gettext("into {place}") if fee.amount_minor > 0 else gettext("out of {place}")
    return {
        "text": gettext("Entry fee of") if fee.amount_minor > 0 else gettext("Entry fee refunded to"),
        "player": fee.player,
        "name": fee.name,
        "at": fee.at,
        "note": fee.tournament,
        "where": where.format(place=place),
        "amount": visit.figure(fee.amount_minor),
    }


def line_row(visit: CashVisit, desk: CashDesk, line: CashLine) -> dict[str, object]:
    """One entry: the action, the players, the amount, the place."""
    player, other = getattr(line.event, "player", ""), _other(line.event)
    joined = gettext("for") if isinstance(line.event, events.MoneyTransferred) else gettext("paid by")
    return {
        "line": line,
        "at": line.at,
        "who": line.who,
        "note": line.reason,
        "is_undone": line.is_undone,
        # The text before a player's name, or a sentence about tills and entries.
        "text": gettext(ACTION_TEXTS[line.event.kind])
        if line.event.kind in ACTION_TEXTS
        else _event_text(desk, line.event),
        "player": player,
        "name": desk.players.get(player, ""),
        "joined": joined if other else "",
        "other": desk.players.get(other, ""),
        "where": ", ".join(text for text in (_where(desk, line.event), rounding_text(visit, line.event)) if text),
        "amount": "" if line.amount_minor is None else visit.figure(line.amount_minor),
        "money": "" if line.amount_minor is None else visit.money(abs(line.amount_minor)),
        "has_receipt": isinstance(line.event, RECEIPTS) and not line.is_undone,
        "may_undo": line.may_be_undone and _may_undo(visit, line.event),
    }


def names_on_receipts(rows: Iterable[Mapping[str, object]]) -> list[str]:
    """The names on the receipts of these rows: whose balance it is, who paid for them, and the cashier."""
    return [str(row[key]) for row in rows if row.get("has_receipt") for key in ("name", "other", "who")]


def may_know(visit: CashVisit, till: DeskTill) -> bool:
    """Whether the user may see what a till should hold: who counts it sees it once it was counted."""
    return visit.sees_books or till.till.counted_minor is not None


def till_row(visit: CashVisit, till: DeskTill, sheet: TillSheet | None = None) -> dict[str, object]:
    """One till. What it should hold, and with its sheet how that came about, only for those who may know it."""
    counted, difference = till.till.counted_minor, till.difference_minor
    shows = may_know(visit, till)
    sums = sheet.sums if sheet is not None and shows else ()
    return {
        "till": till,
        "state": till_state(till.till),
        "is_mine": till.name == visit.actor.name,
        "float": visit.figure(till.till.float_minor),
        "sums": [
            {"title": translate(flow_sum.title), "amount": visit.figure(flow_sum.amount_minor)} for flow_sum in sums
        ],
        "counted": "" if counted is None else visit.figure(counted),
        "should": visit.figure(till.expected_minor) if shows else "",
        "should_money": visit.money(till.expected_minor) if shows else "",
        "difference": visit.figure(difference) if difference else "",
        "booked": visit.figure(till.till.difference_minor) if till.till.difference_minor else "",
    }


def till_state(till: Till) -> str:
    """The state of a till as a word to translate."""
    if not till.is_open:
        return words("closed")
    return words("open") if till.counted_minor is None else words("counted")


def player_row(visit: CashVisit, held: PlayerMoney) -> dict[str, object]:
    """A player's balance, debt, credit and stakes as formatted amounts."""
    return {
        "held": held,
        "balance": visit.money(held.balance_minor),
        "owes": visit.money(-held.balance_minor) if held.balance_minor < 0 else "",
        "credit": visit.money(held.credit_minor) if held.credit_minor else "",
        "staked": visit.money(held.staked_minor) if held.staked_minor else "",
        "room": visit.money(held.room_minor),
    }


def _may_undo(visit: CashVisit, event: Event) -> bool:
    """Whether to offer the undo; the command decides."""
    places = {getattr(event, name, "") for name in ("place", "source", "target")} - {""}
    is_own = not places or f"till:{visit.actor.name}" in places
    return visit.directs or (is_own and not isinstance(event, events.DebtWrittenOff))


def _other(event: Event) -> str:
    match event:
        case events.MoneyReceived():
            return event.payer or ""
        case events.MoneyTransferred():
            return event.to
        case _:
            return ""


def _event_text(desk: CashDesk, event: Event) -> str:
    """A sentence about a till or an entry, which names no player."""
    match event:
        case events.TillOpened():
            with_change = gettext("{till} was opened, change from {source}")
            text = with_change if event.float_minor else gettext("{till} was opened")
            return text.format(till=_till(desk, event.till), source=_place(desk, event.source))
        case events.TillCounted():
            return gettext("{till} was counted").format(till=_till(desk, event.till))
        case events.TillDifferenceBooked():
            return gettext("{till}: difference").format(till=_till(desk, event.till))
        case events.TillClosed():
            return gettext("{till} was closed, the money went to {target}").format(
                till=_till(desk, event.till), target=_place(desk, event.target)
            )
        case events.MoneyMoved():
            return gettext("Moved from {source} to {target}").format(
                source=_place(desk, event.source), target=_place(desk, event.target)
            )
        case events.CashEntryUndone():
            return gettext("Entry {version} undone").format(version=event.version)
        case Unreadable():
            return gettext("A line that cannot be read")
        case EventLeftOut():
            return gettext("Entry {version} was left out").format(version=event.version)
        case _:
            return event.kind.replace("_", " ")


def rounding_text(visit: CashVisit, event: Event) -> str:
    """What of an amount was cash, and what rounding; empty where it was exact."""
    match event:
        case events.MoneyReceived() | events.MoneyPaidOut() if event.rounding_minor:
            return gettext("{cash} in cash, {rounding} rounding").format(
                cash=visit.money(event.amount_minor + event.rounding_minor),
                rounding=visit.money(abs(event.rounding_minor)),
            )
    return ""


def rounding_hint(visit: CashVisit, amount_minor: int, *, is_paid_out: bool) -> str:
    """What the amount offered in a form will be in cash; empty where the club pays exactly."""
    piece = visit.club.smallest_cash.get(visit.currency, 0)
    if not piece:
        return ""
    rounding = rounding_of(amount_minor, piece, visit.club.cash_rounding, is_paid_out=is_paid_out)
    if amount_minor <= 0 or not rounding:
        return gettext("Cash is rounded to {piece}.").format(piece=visit.money(piece))
    return gettext("{amount}: {cash} in cash, {rounding} rounding").format(
        amount=visit.money(amount_minor),
        cash=visit.money(amount_minor + rounding),
        rounding=visit.money(abs(rounding)),
    )


def _till(desk: CashDesk, name: str) -> str:
    text = _place(desk, f"till:{name}")
    return text if text.startswith(desk.people.get(name, name)) else text[0].upper() + text[1:]


def _where(desk: CashDesk, event: Event) -> str:
    match event:
        case events.MoneyReceived():
            return gettext("into {place}").format(place=_place(desk, event.place))
        case events.MoneyPaidOut():
            return gettext("out of {place}").format(place=_place(desk, event.place))
        case _:
            return ""


def _place(desk: CashDesk, place: str) -> str:
    return translate(desk.place(place))
