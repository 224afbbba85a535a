"""The cash desk: open a till, find a player, take money, pay out, transfer between players, undo an entry.

Rules: docs/how-to/books.md, "The cash desk". Works with the keyboard alone and without JavaScript. Knows nothing of
what may be written: the commands do.
"""

from collections.abc import Mapping
from itertools import islice
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext, gettext_noop

from scoring.events.table import Event
from scoring.messages import say
from scoring.money import TILL
from tournaments.cash.queries import MOST_FOUND, CashLine, PlayerMoney, found_at_desk, labels_of, money_of
from tournaments.entries.commands.check_in import DESK_ACTS
from tournaments.entries.queries import UnpaidEntry, unpaid_entries
from tournaments.models import Player
from tournaments.people.permissions import Permission
from tournaments.printing import not_printed
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.command_forms import clean, sent_form
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import asks_for_part
from tournaments.web.admin.cash.forms import OF_PLAYER, CashForm, OpenTillForm, UndoForm
from tournaments.web.admin.cash.request import (
    CashVisit,
    entry_rows,
    line_row,
    names_on_receipts,
    player_row,
    rounding_hint,
    till_row,
)

LINES_SHOWN = 60
MOST_WANTED = 60


@purpose(gettext_noop("Take and pay out money at the cash desk."))
def cash_desk(visit: CashVisit) -> HttpResponse:
    """The desk of the open book: the user's till, the search, and the latest entries."""
    if not visit.is_asking:
        return _open_till(visit, OpenTillForm(visit.request.POST, visit=visit))
    query = clean(visit.request.GET.get("q", ""), MOST_WANTED)
    found = found_at_desk(visit.club, query)
    if len(found) == 1 and not asks_for_part(visit.request):
        return visit.go("player", next(iter(found)))
    return _desk_page(visit, wanted=query, found=found)


@purpose(gettext_noop("Take money from one player, pay out, or allow credit."))
def cash_player(visit: CashVisit, player_id: UUID) -> HttpResponse:
    """A player's money, and every action of the desk for them."""
    row = get_object_or_404(Player.objects.select_related("merged_into"), club=visit.club, pk=player_id)
    player = row.merged_into or row
    form = sent_form(visit.request, OF_PLAYER, visit=visit)
    recorded = form.write(player=str(player.pk)) if form else None
    # Back to the desk, ready for the next player; the new entry is shown above the search.
    return visit.go(last=recorded.line) if recorded else _player_page(visit, player, form)


@purpose(gettext_noop("One entry of the cash book, and how to undo it."))
def cash_line(visit: CashVisit, line: int) -> HttpResponse:
    """One entry of the open cash book, and the form that undoes it."""
    entry = visit.desk.line(line)
    if entry is None:
        raise Http404
    if visit.is_asking:
        return _line_page(visit, entry)

    form = UndoForm(visit.request.POST, visit=visit)
    if form.write(version=line) is None:
        return _line_page(visit, entry, form)
    messages.success(visit.request, gettext("Cash book entry {line} undone.").format(line=line))
    return visit.go()


def _open_till(visit: CashVisit, form: OpenTillForm) -> HttpResponse:
    if form.write(till=visit.actor.name) is None:
        return _desk_page(visit, form)
    float_minor = form.cleaned_data["float"] or 0
    messages.success(
        visit.request, gettext("Your till is open with {amount} in it.").format(amount=visit.money(float_minor))
    )
    return visit.go()


def _places(visit: CashVisit) -> list[tuple[str, str]]:
    """Where the user may put money and pay it from: their own till; for a director also all others and the bank."""
    mine = visit.desk.book.open_till(visit.actor.name)
    own = [(TILL + visit.actor.name, gettext("my till"))] if mine else []
    if not visit.directs:
        return own
    others = [
        (TILL + name, translate(visit.desk.place(TILL + name)))
        for name, till in visit.desk.book.tills.items()
        if till.is_open and name != visit.actor.name
    ]
    return [*own, *others, ("bank", gettext("the bank account"))]


def _desk_page(
    visit: CashVisit,
    form: CashForm | None = None,
    *,
    wanted: str = "",
    found: Mapping[str, str] | None = None,
) -> TemplateResponse:
    desk, found = visit.desk, found or {}
    mine = desk.till(visit.actor.name)
    last = visit.request.GET.get("last", "")
    last_line = desk.line(int(last)) if last.isdecimal() and len(last) < 10 else None
    is_part, few = asks_for_part(visit.request), dict(islice(found.items(), MOST_FOUND))
    lines = [] if is_part else entry_rows(visit, desk, [*desk.lines, *visit.lines.fees])[::-1]
    last_row = _last(visit, last_line) if last_line else None
    context = {
        "title": gettext("Cash desk"),
        "form": form,
        "mine": till_row(visit, mine) if mine else None,
        "lines": lines[:LINES_SHOWN],
        "more": max(0, len(lines) - LINES_SHOWN),
        "last": last_row,
        "not_printed": not_printed(names_on_receipts([last_row] if last_row else [])),
        "wanted": wanted,
        "many": len(found) if len(found) > MOST_FOUND else 0,
        "found": [player_row(visit, balance) for balance in money_of(visit.club, visit.currency, few)],
    }
    return visit.page("desk_found.html" if is_part else "desk.html", context)


def _last(visit: CashVisit, line: CashLine) -> dict[str, object]:
    """The entry just written, and the player's balance after it."""
    row = line_row(visit, visit.desk, line)
    player = str(row["player"])
    balances = money_of(visit.club, visit.currency, {player: str(row["name"])}) if player else []
    return {**row, "held": player_row(visit, balances[0]) if balances else None}


def _player_page(visit: CashVisit, player: Player, form: CashForm | None = None) -> TemplateResponse:
    unpaid, labels = unpaid_entries(player, visit.currency), labels_of(visit.club)
    payers = {str(player.pk): player.name_in_books, **{entry.holder: entry.holder for entry in unpaid}}
    money = {payer_balance.player: payer_balance for payer_balance in money_of(visit.club, visit.currency, payers)}
    player_balance = money[str(player.pk)]
    about = [line for line in visit.desk.lines if str(player.pk) in _players(line.event)]
    fees = [fee for fee in visit.lines.fees if fee.player == str(player.pk)]
    balance = player_balance.balance_minor
    mine = visit.desk.book.open_till(visit.actor.name)
    context = {
        "title": player.name_in_books,
        "player": player,
        "row": player_row(visit, player_balance),
        "form": form,
        "places": _places(visit),
        "names": [name for pk, name in labels.items() if pk != str(player.pk)],
        "my_till": say("Cash goes to the till of {name}.", name=visit.desk.people[visit.actor.name]) if mine else "",
        "unpaid": [_unpaid(visit, entry, labels, money[entry.holder]) for entry in unpaid],
        "owes": visit.field(-balance),
        "has": visit.field(balance),
        "take_hint": rounding_hint(visit, -balance, is_paid_out=False),
        "pay_hint": rounding_hint(visit, balance, is_paid_out=True),
        "limit": visit.field(player_balance.credit_minor),
        "lines": entry_rows(visit, visit.desk, [*about, *fees])[::-1][:LINES_SHOWN],
        "may_see_money": visit.may(Permission.SEE_MONEY),
    }
    return visit.page("player.html", context)


def _unpaid(visit: CashVisit, entry: UnpaidEntry, labels: Mapping[str, str], held: PlayerMoney) -> dict[str, object]:
    """The unpaid part of an entry fee, whose entry it is, and the substitute who plays on it, if any.

    It is taken by the actions of check-in; from the balance of the player whose entry it is, where that covers it.
    """
    amount = visit.money(entry.unpaid_minor)
    is_covered = entry.is_booked and entry.unpaid_minor <= held.room_minor
    return {
        "entry": entry,
        "tournament": entry.tournament,
        "amount": amount,
        "typed": visit.field(entry.unpaid_minor),
        "in_cash": translate(DESK_ACTS["pay"].button).format(amount=amount),
        "from_balance": gettext("Take {amount} from balance").format(amount=amount) if is_covered else "",
        "holder": _called(entry.holder, labels),
        "playing": _called(entry.playing, labels) if entry.playing != entry.holder else "",
    }


def _called(player: str, labels: Mapping[str, str]) -> str:
    """A player's label; for an erased player, the name left in the books, which may not be unique."""
    return labels.get(player) or Player.objects.get(pk=player).name_in_books


def _players(event: Event) -> set[str]:
    return {getattr(event, name, None) or "" for name in ("player", "to", "payer")}


def _line_page(visit: CashVisit, line: CashLine, form: CashForm | None = None) -> TemplateResponse:
    row = line_row(visit, visit.desk, line)
    context = {
        "title": gettext("Cash book entry {version}").format(version=line.version),
        "row": row,
        "rows": [row],
        "form": form,
    }
    return visit.page("line.html", context)
