"""The check-in desk: find a player by a few letters, tick that they are here and have paid; and one player's page.

Rules: docs/how-to/evening.md, "Entries and the desk". Two desks may work at once: a form names an action, and does not
require the latest version. Knows nothing of what an action stores.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_noop

from scoring.messages import Message
from scoring.money.formatting import Notation, money, typed_minor
from scoring.tournament import TournamentState
from scoring.tournament.state.fees import is_booked, refund_parts
from tournaments.cash.queries import money_of
from tournaments.entries.commands.check_in import DESK_ACTS, DeskAct, act_at_desk, offered
from tournaments.entries.commands.notices import dismiss_notice
from tournaments.entries.commands.substitutes import may_be_substituted, substitution_stands
from tournaments.entries.notices import Kind, WaitingNotice, said_notices, waiting_in
from tournaments.entries.queries import Entries, EntryLine, cash_goes_to, entries, entries_tag, matching
from tournaments.entries.self_entry import places_of
from tournaments.log.context import CommandContext
from tournaments.models import Club, PlayerNotice, Tournament
from tournaments.models.bounds import moment_problems
from tournaments.people.permissions import Permission, may
from tournaments.people.players import roster
from tournaments.printing import notation_of
from tournaments.rendering.i18n.formatting import clock, zone_of
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.command_fields import IDENTITY, CarriedNumber, ReasonField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, clean, pressed
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import (
    PLAYERS_A_PAGE,
    asks_for_part,
    cash_url,
    changing_part,
    command_context,
    go_on,
    is_without_till,
    page_url,
    tournament_page,
    way_back,
)
from tournaments.web.admin.base.scoping import actor_in, require
from tournaments.web.admin.entries.choices import looks_like
from tournaments.web.admin.entries.desk_forms import (
    FORMS,
    MOST_REASON,
    ActForm,
    FromBalanceForm,
    GiveForm,
    HideForm,
    SubstituteForm,
    TakeForm,
    TermsForm,
    UnsubstituteForm,
    is_question,
    refund_text,
    refunded_text,
    saved_terms,
    terms_form,
)

LATE = {
    "zero": gettext_noop("starts with 0 for the rounds before"),
    "average": gettext_noop("starts with the average score"),
    "highest_plus": gettext_noop("starts behind the worst score"),
}
LEAVING = {
    "forfeit": gettext_noop("points kept, rest forfeited"),
    "average": gettext_noop("points kept, rest averaged"),
    "void": gettext_noop("everything played is cancelled"),
}
SUBSTITUTE = {
    "seat": gettext_noop("the substitute continues the score of the seat"),
    "person": gettext_noop("the substitute starts a new score"),
    "split": gettext_noop("the score is split at the change"),
}
# What the button's value of a notice that is dismissed begins with.
DISMISS = "dismiss."
# Namespace of this desk's idempotency keys: the same action on the same list, from any desk, is the same request.
DESK_KEYS = UUID("6d1f3c52-2f0a-4a53-9d3c-6f1f7a0b2c11")
MOST_WANTED = 60
# Of so many the page has all, so that letters find them without asking the server; of more it has a page.
MOST_AT_ONCE = 500
MOST_PAGE = 6
MOST_AMOUNT = 18


class TickForm(CommandForm):
    """One tick of the list: the button's value names the action and the player; `version` is that of the list shown."""

    sent_before = gettext_noop("list out of date: check and try again")

    do = WordField()
    version = CarriedNumber(missing=None)
    q = WordField(max_length=MOST_WANTED)
    page = WordField(max_length=MOST_PAGE)
    reason = ReasonField(max_length=MOST_REASON)
    anyway = forms.BooleanField(required=False)

    def command_context_at(self, request: HttpRequest, tournament: Tournament) -> CommandContext:
        """A command context whose key is the same for the same tick on the same list, from any desk, however often."""
        do, version = self.cleaned_data["do"], self.cleaned_data["version"]
        key = None if version is None else str(uuid5(DESK_KEYS, f"{tournament.pk}:{version}:{do}"))
        return command_context(request, key)


@purpose(gettext_noop("Check players in and take their entry fees."))
def desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The list with its ticks; they are posted to this address."""
    if request.method == "POST":
        return _act(request, tournament)
    context = _list_context(request, entries(tournament), _asked_in(request))
    bar = _bar(context["shown"], _ticked_in(request.GET.get("last", "")))
    asked = _ticked_in(request.GET.get("ask", ""))
    if asked.act in DESK_ACTS and context["shown"].line_of(asked.player):
        # Its question is among the messages of this page.
        bar["asked_for"] = str(asked)
    return tournament_page(
        request,
        tournament,
        "desk",
        {
            **context,
            **bar,
            "cash_goes_to": _cash_goes_to(request, context["shown"]),
            "cash_url": _cash_url(request, tournament),
            "title": gettext("Check-in: {name}").format(name=tournament.name),
        },
    )


def desk_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The part that changes; 304 where nothing has."""
    list_query, marks = _asked_in(request), _marks(said_notices([tournament.pk]).select_related(None))
    tag = entries_tag(tournament, may(actor_in(request), Permission.CHECK_IN, tournament.club_id), list_query, marks)
    return changing_part(
        request,
        "desk_list",
        tag,
        lambda: {"tournament": tournament, **_list_context(request, entries(tournament), list_query)},
    )


class Asked(NamedTuple):
    """What of the list is asked for: names with some text, and the page of them."""

    wanted: str = ""
    page: str = ""


@dataclass(frozen=True, slots=True)
class Ticked:
    """An action for a player, as buttons and addresses name it; of a payment with its amount in minor units."""

    act: str
    player: str
    amount_minor: int = 0

    def __str__(self) -> str:
        return f"{self.act}.{self.player}" + (f".{self.amount_minor}" if self.amount_minor else "")


def _ticked_in(text: str) -> Ticked:
    act, player, amount, *_ = [*text.split("."), "", ""]
    return Ticked(act, player, int(amount) if amount.isdecimal() and len(amount) <= MOST_AMOUNT else 0)


def _asked_in(request: HttpRequest) -> Asked:
    return Asked(clean(request.GET.get("q", ""), MOST_WANTED), clean(request.GET.get("page", ""), MOST_PAGE))


def _act(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Run the ticked action, and show the updated list."""
    form = TickForm(request.POST)
    if form.read["do"].startswith(DISMISS):
        return _dismiss(request, tournament, form)
    ticked = _ticked_in(form.read["do"])
    act = act_called(request, tournament, ticked.act)
    command = form.command_context_at(request, tournament)
    act = replace(act, reason=form.read["reason"], amount_minor=ticked.amount_minor)
    asks = not form.read["anyway"]
    done = form.attempt(lambda: act_at_desk(tournament.pk, act, ticked.player, context=command, asks=asks))
    asked = str(ticked) if is_question(form, "places_taken") else ""
    did = replace(ticked, amount_minor=done.paid_minor if done else 0)
    refunded = refunded_text(done.events, notation_of(tournament)) if done else ""
    if not asks_for_part(request) and not refunded:
        return _back_to_desk(request, tournament, str(did), form, asked=asked)
    all_entries = entries(tournament)
    line = all_entries.line_of(ticked.player)
    if not asks_for_part(request) and line is not None:
        messages.success(request, gettext("{name} {what}.").format(name=line.name, what=refunded))
        return _back_to_desk(request, tournament, "", form)
    context = _list_context(request, all_entries, Asked(form.read["q"], form.read["page"]))
    bar: dict[str, Any] = {"form": form, "asked_for": asked}
    if done is not None:
        bar = _bar(all_entries, did, undo=done.undo, said=refunded)
    return tournament_page(request, tournament, "desk_answer", {**context, **bar}, refused=form.errors)


def _dismiss(request: HttpRequest, tournament: Tournament, form: TickForm) -> HttpResponse:
    """Take a notice off the list, as the button named it: `dismiss.PLAYER.MOMENT`."""
    require(request, Permission.CHECK_IN, tournament.club_id)
    player, _, said_at = form.read["do"].removeprefix(DISMISS).partition(".")
    try:
        moment = datetime.fromisoformat(said_at)
    except ValueError:
        raise Http404 from None
    if not IDENTITY.fullmatch(player) or moment.tzinfo is None or any(moment_problems(moment, "said_at")):
        raise Http404
    dismiss_notice(tournament.pk, UUID(player), said_at=moment, context=command_context(request))
    if not asks_for_part(request):
        return _back_to_desk(request, tournament, "", form)
    context = _list_context(request, entries(tournament), Asked(form.read["q"], form.read["page"]))
    return tournament_page(request, tournament, "desk_answer", {**context, "form": form})


def _back_to_desk(
    request: HttpRequest, tournament: Tournament, last: str, form: TickForm, *, asked: str = ""
) -> HttpResponseRedirect:
    for message in form.all_errors():
        messages.error(request, gettext("Not saved: {detail}").format(detail=message))
    words = {name: form.cleaned_data[name] for name in ("q", "page")}
    words |= {"last": "" if form.errors else last, "ask": asked}
    query = urlencode({name: value for name, value in words.items() if value})
    return HttpResponseRedirect(page_url("desk", tournament) + (f"?{query}" if query else ""))


def _list_context(request: HttpRequest, shown: Entries, asked: Asked) -> dict[str, Any]:
    """Context for the list: its rows, the search results, and what the user may do."""
    may_check_in = may(actor_in(request), Permission.CHECK_IN, shown.tournament.club_id)
    matching_players, is_long = matching(shown.lines, asked.wanted), len(shown.lines) > MOST_AT_ONCE
    lines = [line for line in shown.lines if line.player in matching_players] if is_long else shown.lines
    listed = Paginator(lines, PLAYERS_A_PAGE if is_long else MOST_AT_ONCE).get_page(asked.page)
    counts = shown.counts
    said = list(said_notices([shown.tournament.pk]))
    notices = [notice_shown(waiting, shown.tournament.club) for waiting in waiting_in(shown.state, said)]
    said_by_player = {str(notice["player"].pk): notice["text"] for notice in notices}
    return {
        "shown": shown,
        "counts": counts,
        "places": places_of(shown.tournament, shown.state),
        "taken": money(counts.taken_minor, *notation_of(shown.tournament)),
        "rows": [{**entry_row(shown, line), "says": said_by_player.get(line.player, "")} for line in listed],
        "notices": notices,
        "found": matching_players,
        "wanted": asked.wanted,
        "is_long": is_long,
        "listed": listed,
        "asked": urlencode({"q": asked.wanted, "page": f"{listed.number}"}) if is_long else "",
        "more": f"&{urlencode({'q': asked.wanted})}" if asked.wanted else "",
        "may_check_in": may_check_in,
        "is_open": not shown.state.is_closed,
        "tag": shown.tag(may_check_in, asked, _marks(said)),
    }


def _marks(notices: Iterable[PlayerNotice]) -> tuple[object, ...]:
    """What of the notices the list shows, for its tag."""
    return tuple((notice.pk, notice.kind, notice.said_at, notice.comes_at) for notice in notices)


def notice_shown(waiting: WaitingNotice, club: Club) -> dict[str, Any]:
    """A notice with its sentence, the button that confirms it and the one that dismisses it."""
    notice = waiting.notice
    texts = {
        Kind.HERE: gettext("says: I am here ({time})"),
        Kind.LATE: gettext("says: I am late, I come at about {time}"),
        Kind.CANNOT_COME: gettext("says: I cannot come ({time})"),
    }
    time = clock((notice.comes_at or notice.said_at).astimezone(zone_of(club.timezone)))
    return {
        "pk": notice.pk,
        "player": notice.player,
        "text": texts[Kind(notice.kind)].format(time=time),
        "act": waiting.act,
        "button": translate(DESK_ACTS[waiting.act].button) if waiting.act else "",
        "is_entered": waiting.is_entered,
        "dismissal": f"{DISMISS}{notice.player_id}.{notice.said_at.isoformat()}",
    }


def _bar(shown: Entries, did: Ticked, *, undo: str | None = None, said: str = "") -> dict[str, Any]:
    """The last action, `said` or by its own words, and the action that undoes it: of a payment, that amount alone.

    A button that moves money says how much.
    """
    act, line = DESK_ACTS.get(did.act), shown.line_of(did.player)
    if act is None or line is None:
        return {}
    last: dict[str, Any] = {"line": line, "message": said or act.confirmation}
    back = DESK_ACTS.get(act.undo if undo is None else undo)
    if back is None or back not in offered(shown.tournament, shown.state, did.player):
        return {"last": last}
    notation, button, amount_minor = notation_of(shown.tournament), gettext("Undo"), 0
    if back.name == "pay":
        button = translate(back.button).format(amount=money(line.due_minor, *notation))
    if back.name == "give_back":
        amount_minor = did.amount_minor
        if not 0 < amount_minor <= line.entrant.paid_minor:
            return {"last": last}
        button = gettext("Refund {how}").format(how=refund_text(*refund_parts(line.entrant, amount_minor), notation))
    undoing = Ticked(back.name, did.player, amount_minor)
    return {"last": last | {"undo": undoing, "button": button, "is_refund": bool(amount_minor)}}


# A player at the desk: all actions for them, their entry terms, payments and substitutes.


@purpose(gettext_noop("Everything about the entry of one player."))
def desk_player(request: HttpRequest, tournament: Tournament, player_id: UUID) -> HttpResponse:
    """A player's page, with all actions of the desk for them."""
    all_entries = entries(tournament)
    line = all_entries.line_of(str(player_id))
    if line is None:
        raise Http404
    if request.method != "POST":
        return _player_page(request, all_entries, line)
    form, message = _answered(request, tournament, line)
    if form.errors:
        return _player_page(request, all_entries, line, form)
    # The cash desk sends its payments of entry fees here, and goes on with the next player.
    return go_on(request, way_back(request.POST) or page_url("desk_player", tournament, player_id), message)


def _answered(request: HttpRequest, tournament: Tournament, line: EntryLine) -> tuple[CommandForm, str]:
    """The submitted form, and a message about what it stored."""
    word = pressed(request.POST)
    if word == "terms":
        require(request, Permission.TAKE_ENTRY, tournament.club_id)
        return saved_terms(request, tournament, line)
    form = FORMS.get(word, ActForm)(request.POST, notation=notation_of(tournament))
    if isinstance(form, ActForm):
        form.act = act_called(request, tournament, word)
    else:
        require(request, form.permission, tournament.club_id)
    message = form.attempt(lambda: form.do(tournament, line, form.whole_context(request))) if form.is_valid() else ""
    return form, message or ""


def entry_row(shown: Entries, line: EntryLine) -> dict[str, Any]:
    """An entry with formatted amounts, and the name of its substitute or of the player it substitutes for."""
    notation = notation_of(shown.tournament)
    due = line.unpaid_minor if line.is_gone else line.due_minor
    return {
        "line": line,
        "take": translate(DESK_ACTS["pay"].button).format(amount=money(due, *notation)) if due else "",
        "paid": money(line.entrant.paid_minor, *notation) if line.entrant.paid_minor else "",
        "due": money(line.due_minor, *notation) if line.due_minor else "",
        "unpaid": money(line.unpaid_minor, *notation) if line.unpaid_minor else "",
        "place_unpaid": money(others, *notation) if (others := line.place_unpaid_minor - line.unpaid_minor) > 0 else "",
        "overpaid": money(line.overpaid_minor, *notation) if line.overpaid_minor else "",
        "by": shown.name_of(line.entrant.replaced_by),
        "plays_for": shown.name_of(line.entrant.plays_for),
    }


def _player_page(
    request: HttpRequest, shown: Entries, line: EntryLine, sent: CommandForm | None = None
) -> TemplateResponse:
    tournament, notation = shown.tournament, notation_of(shown.tournament)
    state = shown.state
    actor = actor_in(request)
    acts = offered(tournament, state, line.player)
    buttons = [_button(act, line, notation) for act in acts if may(actor, act.permission, tournament.club_id)]
    can_be_replaced = not may_be_substituted(state, line.player)
    may_check_in = may(actor, Permission.CHECK_IN, tournament.club_id)
    may_take_entry = may(actor, Permission.TAKE_ENTRY, tournament.club_id)
    clashes = sent.shown_clashes() if isinstance(sent, TermsForm) else []
    covers = _covers(tournament, line, notation) if is_booked(state) else ""
    context = {
        "row": entry_row(shown, line),
        "line": line,
        "acts": [button for button in buttons if button["name"] not in ("give_back", "hide", "undo_promotion")],
        "hide": next((button for button in buttons if button["name"] == "hide"), None),
        "refund_all": next((button for button in buttons if button["name"] == "give_back"), None),
        "may_substitute": can_be_replaced and may_check_in,
        # This player has a substitute who has not played a deal yet, as far as the tournament's state shows.
        "may_take_back": may_check_in and not substitution_stands(tournament, state, line.player),
        "standby": [other.name for other in shown.lines if other.is_waiting],
        "players": roster(tournament, 1).by_label if can_be_replaced else {},
        "policies": policies(state),
        "form": sent,
        "forms": _forms(shown, line, sent),
        "terms": terms_form(tournament, state, line.player, sent) if may_take_entry else None,
        "clashes": clashes,
        "looks_like": looks_like(tournament.club, sent.data.get("by", "")) if isinstance(sent, SubstituteForm) else "",
        "is_open": not state.is_closed,
        "may_give": not state.is_closed and line.entrant.paid_minor > 0,
        "covers": covers,
        "from_balance": gettext("Take {amount} from balance").format(amount=money(line.due_minor, *notation))
        if covers
        else "",
        "due": typed_minor(line.due_minor, *notation),
        "cash_goes_to": _cash_goes_to(request, shown),
        "cash_url": _cash_url(request, tournament, line.player),
        "has_link_page": may_check_in and tournament.club.has_player_links,
        "title": line.name,
    }
    return tournament_page(request, tournament, "desk_player", context, stale=clashes)


def _forms(shown: Entries, line: EntryLine, sent: CommandForm | None) -> dict[str, CommandForm]:
    """The forms of the page, the sent one as submitted. The form of an amount to take has two buttons."""
    notation = notation_of(shown.tournament)
    due = typed_minor(line.due_minor, *notation) if line.due_minor else ""
    paid_minor = line.entrant.paid_minor
    reason = sent.data.get("reason", "") if isinstance(sent, ActForm) else ""
    fresh: dict[str, CommandForm] = {
        "act": ActForm(),
        "hide": HideForm(),
        "substitute": SubstituteForm(initial={"reason": "cannot go on"}),
        "unsubstitute": UnsubstituteForm(initial={"reason": "came back in time"}),
        "take": TakeForm(notation=notation, initial={"amount": due, "seen": paid_minor}),
        "give": GiveForm(notation=notation, initial={"reason": reason, "seen": paid_minor}),
    }
    if sent:
        fresh |= {word: sent for word, form in fresh.items() if type(sent) is type(form)}
    if isinstance(sent, FromBalanceForm):
        fresh["take"] = sent
    for word in ("take", "give"):
        fresh[word].fields["amount"].label = gettext("Amount, %(currency)s") % {"currency": notation.currency}
    return fresh


def _cash_goes_to(request: HttpRequest, shown: Entries) -> Message | None:
    actor, is_without = actor_in(request).name, is_without_till(request)
    return cash_goes_to(shown.tournament, shown.state, actor, is_without_till=is_without)


def _cash_url(request: HttpRequest, tournament: Tournament, *player: str) -> str:
    """The cash desk, or a player's page there, for those who may handle cash; else empty."""
    if not may(actor_in(request), Permission.HANDLE_CASH, tournament.club_id):
        return ""
    return cash_url("cash_player" if player else "cash", tournament, *player)


def _covers(tournament: Tournament, line: EntryLine, notation: Notation) -> str:
    """A player's balance, where it and their credit cover what they have to pay; else empty."""
    player_money = money_of(tournament.club, tournament.currency, {line.player: line.name})[0]
    return money(player_money.balance_minor, *notation) if 0 < line.due_minor <= player_money.room_minor else ""


def _button(act: DeskAct, line: EntryLine, notation: Notation) -> dict[str, Any]:
    """An action as a button; one that moves money shows the amount."""
    text = translate(act.button).format(amount=money(line.due_minor, *notation))
    if act.name == "give_back":
        text = f"{text} {refund_text(*refund_parts(line.entrant, line.entrant.paid_minor), notation)}"
    is_main = act.name in ("check_in", "pay", "promote", "arrived", "returned")
    return {"name": act.name, "text": text, "is_main": is_main}


def policies(state: TournamentState) -> dict[str, str]:
    """The plan's rules for late entries, leaving players and substitutes, as text."""
    plan = state.plan
    if plan is None:
        return {}
    late = gettext("taken up to round {late_until_round}; a late player {starts}").format(
        late_until_round=plan.late_until_round, starts=gettext(LATE[plan.late])
    )
    return {"late": late, "leaving": gettext(LEAVING[plan.leaving]), "substitute": gettext(SUBSTITUTE[plan.substitute])}


def act_called(request: HttpRequest, tournament: Tournament, name: str) -> DeskAct:
    """The action of this name. Raises PermissionDenied if there is none or the user may not do it."""
    act = DESK_ACTS.get(name)
    if act is None:
        raise PermissionDenied
    require(request, act.permission, tournament.club_id)
    return act
