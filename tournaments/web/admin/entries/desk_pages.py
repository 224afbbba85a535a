"""The check-in desk: find a player by some letters, tick that they are here and have paid, and see the counters.

Rules: docs/evening.md, "Entries and the desk". Two desks may work at once: what is sent names a deed, not a
version that must be the latest. Knows nothing of what a deed stores.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_noop
from django_htmx.middleware import HtmxDetails

from scoring.evening import Evening
from scoring.evening.prizes.entry_plan import ACCOUNT
from scoring.evening.state.fees import is_booked
from scoring.facts import wire
from scoring.money.formatting import Notation, money, typed_minor
from scoring.problems import KeyReused, Problem, RuleError
from tournaments.cash.queries import money_of
from tournaments.entries.commands.check_in import (
    DESK_ACTS,
    DeskAct,
    StandIn,
    act_at_desk,
    may_be_substituted,
    offered,
    substitute,
    substitution_stands,
    take_or_give,
)
from tournaments.entries.commands.substitute import undo_substitution
from tournaments.entries.queries import Entries, EntryLine, entries, matching
from tournaments.models import Tournament
from tournaments.people.permissions import Actor, Deed, may
from tournaments.people.players import roster
from tournaments.rendering.i18n.translating import told
from tournaments.web.admin.base.fields import read_amount
from tournaments.web.admin.base.request import KEY, evening_page, order_of
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.base.typed_events import clean
from tournaments.web.admin.editing.clashes import Clashing, ClashShown
from tournaments.web.admin.entries.desk_terms import set_terms, terms, terms_seen

# Keys of this desk's deeds: the same deed on the same list, from any desk, is the same request.
DESK_KEYS = UUID("6d1f3c52-2f0a-4a53-9d3c-6f1f7a0b2c11")
MOST_WANTED = 60
TAKEN = {
    "take": gettext_noop("{amount} taken from {name}."),
    "give": gettext_noop("{amount} given back to {name}."),
    "from_balance": gettext_noop("{amount} paid from the balance of {name}."),
}
LATE = {
    "zero": gettext_noop("starts with nothing for the rounds before"),
    "average": gettext_noop("starts with the average score"),
    "highest_plus": gettext_noop("starts behind the worst score"),
}
LEAVING = {
    "forfeit": gettext_noop("what was played counts, the rest is forfeited"),
    "average": gettext_noop("what was played counts, the rest counts as the own average"),
    "void": gettext_noop("everything played is void"),
}
SUBSTITUTE = {
    "seat": gettext_noop("the substitute plays on with the score of the seat"),
    "person": gettext_noop("the substitute starts a score of their own"),
    "split": gettext_noop("the score is split at the change"),
}


def desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The list with its ticks; what is ticked comes back here."""
    if request.method == "POST":
        return _act(request, tournament)
    last = request.GET.get("last", "").partition(".")
    context = _list_context(request, entries(tournament), wanted=_wanted(request.GET.get("q", "")))
    bar = _bar(context["shown"], last[0], last[2])
    return evening_page(
        request,
        tournament,
        "desk",
        {**context, **bar, "title": gettext("Check-in: {name}").format(name=tournament.name)},
    )


def desk_list(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The part that changes; 304 where nothing has."""
    context = _list_context(request, entries(tournament))
    if request.headers.get("If-None-Match") == context["tag"]:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = evening_page(request, tournament, "desk_list", context)
    answer["ETag"] = context["tag"]
    answer["Cache-Control"] = "private, no-store"
    return answer


def desk_player(request: HttpRequest, tournament: Tournament, player_id: UUID) -> HttpResponse:
    """Everything that the desk may do for one player."""
    shown = entries(tournament)
    line = shown.line_of(str(player_id))
    if line is None:
        raise Http404
    if request.method != "POST":
        return _player_page(request, shown, line)
    try:
        _do_for_player(request, tournament, line)
    except RuleError as refused:
        return _player_page(request, shown, line, refused.problems)
    except Clashing as faster:
        return _player_page(request, shown, line, clashes=faster.clashes)
    except KeyReused:
        detail = gettext("this form was sent before with something else; look, then send it again")
        return _player_page(request, shown, line, [Problem(code="key_reused", detail=detail)])
    return HttpResponseRedirect(_url("desk_player", tournament, player_id))


def _act(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Do what was ticked, and show the list as it stands."""
    name, _, player = request.POST.get("do", "").partition(".")
    act = _act_called(request, tournament, name)
    problems: Sequence[Problem] = ()
    undo = ""
    try:
        undo = act_at_desk(tournament.pk, act, player, order=order_of(request, _desk_key(request, tournament))).undo
    except RuleError as refused:
        problems = refused.problems
    except KeyReused:
        problems = [Problem(code="key_reused", detail=gettext("the list was an old one; look again"))]
    if not _htmx(request):
        return _back_to_desk(request, tournament, f"{name}.{player}", problems)
    context = _list_context(request, entries(tournament))
    bar = {"problems": problems} if problems else _bar(context["shown"], name, player, undo=undo)
    return evening_page(request, tournament, "desk_answer", {**context, **bar}, status=422 if problems else 200)


def _back_to_desk(
    request: HttpRequest, tournament: Tournament, last: str, problems: Sequence[Problem]
) -> HttpResponseRedirect:
    for problem in problems:
        messages.error(request, gettext("Not stored: {detail}").format(detail=told(problem.detail)))
    words = {"q": _wanted(request.POST.get("q", "")), "last": "" if problems else last}
    asked = urlencode({name: value for name, value in words.items() if value})
    return HttpResponseRedirect(_url("desk", tournament) + (f"?{asked}" if asked else ""))


def _do_for_player(request: HttpRequest, tournament: Tournament, line: EntryLine) -> None:
    """One of the forms of a player's page."""
    wanted = request.POST.get("do", "")
    key = request.POST.get("key", "")
    order = order_of(request, key if KEY.fullmatch(key) else None)
    if wanted == "substitute":
        _require(request, tournament, Deed.CHECK_IN)
        by, reason = _typed(request, "by"), _typed(request, "reason")
        adds_new = request.POST.get("adds_new") == "on"
        wish = StandIn(player=line.player, by=by, reason=reason, adds_new=adds_new)
        substitute(tournament.pk, wish, order=order)
        messages.success(request, gettext("{by} plays for {name}.").format(by=by, name=line.name))
    elif wanted == "unsubstitute":
        _require(request, tournament, Deed.CHECK_IN)
        undo_substitution(tournament.pk, line.player, reason=_typed(request, "reason"), order=order)
        messages.success(request, gettext("{name} plays for themselves again.").format(name=line.name))
    elif wanted == "terms":
        _require(request, tournament, Deed.TAKE_ENTRY)
        messages.success(request, set_terms(request, tournament, line, order))
    elif wanted in ("take", "give", "from_balance"):
        _require(request, tournament, Deed.TAKE_ENTRY)
        fact = _amount_fact(request, tournament, line, wanted)
        seen = request.POST.get("seen", "")
        take_or_give(tournament.pk, fact, seen_minor=int(seen) if seen.isdecimal() else -1, order=order)
        said = money(fact.amount_minor, *_notation(tournament))
        messages.success(request, gettext(TAKEN[wanted]).format(amount=said, name=line.name))
    else:
        act = _act_called(request, tournament, wanted)
        done = act_at_desk(tournament.pk, act, line.player, order=order)
        messages.success(request, f"{line.name} {act.said}{' already' if done.is_replay else ''}.")


def _amount_fact(
    request: HttpRequest, tournament: Tournament, line: EntryLine, wanted: str
) -> wire.EntryPaid | wire.EntryRefunded:
    """An amount as typed. Raises a refusal where it is none."""
    problems: list[Problem] = []
    amount = read_amount(_typed(request, "amount"), _notation(tournament), "amount", problems)
    if not problems and not amount:
        problems.append(
            Problem(code="not_an_amount", field="amount", detail=gettext("the amount is more than nothing"))
        )
    if problems:
        raise RuleError(problems)
    if wanted != "give":
        place = ACCOUNT if wanted == "from_balance" else ""
        return wire.EntryPaid(player=line.player, amount_minor=amount, place=place)
    return wire.EntryRefunded(player=line.player, amount_minor=amount, reason=_typed(request, "reason"))


def _list_context(request: HttpRequest, shown: Entries, *, wanted: str = "") -> dict[str, Any]:
    """The list, who of it is searched for, and what whoever looks may do."""
    may_check_in = may(actor_in(request), Deed.CHECK_IN, shown.tournament.club_id)
    return {
        "shown": shown,
        "counts": shown.counts,
        "taken": money(shown.counts.taken_minor, *_notation(shown.tournament)),
        "rows": [entry_row(shown, line) for line in shown.lines],
        "found": matching(shown.lines, wanted),
        "wanted": wanted,
        "may_check_in": may_check_in,
        "is_open": not shown.evening.is_closed,
        "tag": shown.tag(may_check_in),
    }


def entry_row(shown: Entries, line: EntryLine) -> dict[str, Any]:
    """A line with its amounts as the club writes them, and whom it is about besides."""
    notation = _notation(shown.tournament)
    return {
        "line": line,
        "paid": money(line.entrant.paid_minor, *notation) if line.entrant.paid_minor else "",
        "due": money(line.due_minor, *notation) if line.due_minor else "",
        "unpaid": money(line.unpaid_minor, *notation) if line.unpaid_minor else "",
        "place_unpaid": money(others, *notation) if (others := line.place_unpaid_minor - line.unpaid_minor) > 0 else "",
        "by": shown.name_of(line.entrant.replaced_by),
        "plays_for": shown.name_of(line.entrant.plays_for),
    }


def _bar(shown: Entries, name: str, player: str, *, undo: str | None = None) -> dict[str, Any]:
    """What was done last, and what takes it back."""
    act, line = DESK_ACTS.get(name), shown.line_of(player)
    if act is None or line is None:
        return {}
    back = DESK_ACTS.get(act.undo if undo is None else undo)
    may_undo = back is not None and back in offered(shown.tournament, shown.evening, player)
    return {"last": {"line": line, "said": act.said, "undo": back.name if back and may_undo else ""}}


def _player_page(
    request: HttpRequest,
    shown: Entries,
    line: EntryLine,
    problems: Sequence[Problem] = (),
    *,
    clashes: Sequence[ClashShown] = (),
) -> TemplateResponse:
    tournament, notation = shown.tournament, _notation(shown.tournament)
    evening = shown.evening
    actor = actor_in(request)
    acts = offered(tournament, evening, line.player)
    can_be_replaced = not may_be_substituted(evening, line.player)
    context = {
        "row": entry_row(shown, line),
        "line": line,
        "acts": [_button(act, line, notation) for act in acts if may(actor, act.deed, tournament.club_id)],
        "may_substitute": can_be_replaced and may(actor, Deed.CHECK_IN, tournament.club_id),
        "may_take_back": _may_take_back(actor, shown, line),
        "standby": [other.name for other in shown.lines if other.is_waiting],
        "players": roster(tournament, 1).by_label if can_be_replaced else {},
        "policies": policies(evening),
        "terms": terms(evening, line.entrant, tournament.entry_minor, notation)
        if may(actor, Deed.TAKE_ENTRY, tournament.club_id)
        else {},
        "problems": problems,
        "clashes": clashes,
        "terms_seen": request.POST["seen"] if clashes else terms_seen(evening, line.player),
        "typed": request.POST,
        "typed_pots": request.POST.getlist("pot"),
        "key": uuid4(),
        "is_open": not evening.is_closed,
        "due": typed_minor(line.due_minor, *notation) if line.due_minor else "",
        "covers": _covers(tournament, line, notation) if is_booked(evening) else "",
        "title": line.name,
    }
    status = 409 if clashes else 422 if problems else 200
    return evening_page(request, tournament, "desk_player", context, status=status)


def _may_take_back(actor: Actor, shown: Entries, line: EntryLine) -> bool:
    """Somebody plays for this player who has not had a deal yet, as far as the evening knows."""
    may_check_in = may(actor, Deed.CHECK_IN, shown.tournament.club_id)
    return may_check_in and not substitution_stands(shown.evening, line.player)


def _covers(tournament: Tournament, line: EntryLine, notation: Notation) -> str:
    """What a player has in the club, where that and their credit cover what they have to pay."""
    held = money_of(tournament.club, tournament.currency, {line.player: line.name})[0]
    return money(held.balance_minor, *notation) if 0 < line.due_minor <= held.room_minor else ""


def _button(act: DeskAct, line: EntryLine, notation: Notation) -> dict[str, Any]:
    """A deed as a button; money says how much."""
    amounts = {"pay": line.due_minor, "give_back": line.entrant.paid_minor}
    amount = f" {money(amounts[act.name], *notation)}" if act.name in amounts else ""
    is_main = act.name in ("check_in", "pay", "promote", "arrived", "returned")
    return {"name": act.name, "text": f"{told(act.button)}{amount}", "is_main": is_main}


def _notation(tournament: Tournament) -> Notation:
    return Notation(tournament.currency, tournament.club.locale)


def policies(evening: Evening) -> dict[str, str]:
    """What the plan says of late, leaving and substituted players, in words."""
    plan = evening.plan
    if plan is None:
        return {}
    late = gettext("taken up to round {late_until_round}; a late player {starts}").format(
        late_until_round=plan.late_until_round, starts=gettext(LATE[plan.late])
    )
    return {"late": late, "leaving": gettext(LEAVING[plan.leaving]), "substitute": gettext(SUBSTITUTE[plan.substitute])}


def _act_called(request: HttpRequest, tournament: Tournament, name: str) -> DeskAct:
    """A deed by its word, if it is one and whoever asks may do it."""
    act = DESK_ACTS.get(name)
    if act is None:
        raise PermissionDenied
    _require(request, tournament, act.deed)
    return act


def _require(request: HttpRequest, tournament: Tournament, deed: Deed) -> None:
    if not may(actor_in(request), deed, tournament.club_id):
        raise PermissionDenied


def _desk_key(request: HttpRequest, tournament: Tournament) -> str | None:
    """The same tick on the same list is the same request, whichever desk it comes from, and however often."""
    version = request.POST.get("version", "")
    if not version.isdecimal() or len(version) > 9:
        return None
    return str(uuid5(DESK_KEYS, f"{tournament.pk}:{version}:{request.POST.get('do', '')}"))


def _wanted(text: str) -> str:
    return clean(text, MOST_WANTED)


def _typed(request: HttpRequest, name: str) -> str:
    return " ".join(request.POST.get(name, "").replace("\x00", "").split())[:200]


def _htmx(request: HttpRequest) -> bool:
    asked = getattr(request, "htmx", None)
    return isinstance(asked, HtmxDetails) and bool(asked)


def _url(page: str, tournament: Tournament, *words: object) -> str:
    return reverse(f"admin:tournaments_tournament_{page}", args=[tournament.pk, *words])
