"""One action for many tables or players: a page that lists what it will change and what it leaves out, and one button.

Rules: docs/how-to/evening.md, "Many at once". All actions share the page; their texts are defined here. Knows nothing
of what an action stores.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django_htmx.http import trigger_client_event

from scoring.messages import Message, decimals, say, say_many
from scoring.money.formatting import Notation, money
from scoring.problems import EventNotAllowed, Problem
from tournaments.cash.commands import till_of
from tournaments.entries.commands.bulk import BULK_ACTIONS, CHECK_IN, CHECK_IN_ALONE
from tournaments.entries.queries import cash_goes_to
from tournaments.models import Tournament
from tournaments.people.permissions import Permission, may
from tournaments.printing import notation_of
from tournaments.rendering.i18n.translating import sentence, spoken, translate
from tournaments.running.commands.bulk import (
    BulkAction,
    BulkResult,
    Candidate,
    looked_at,
    refunds_any,
    run_bulk,
    undo_bulk,
    undoing_of,
)
from tournaments.running.commands.record import tournament_state
from tournaments.web.admin.base.command_fields import KeyField, ReasonField, TicksField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, pressed
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import (
    WITHOUT_TILL,
    asks_for_part,
    command_context,
    is_without_till,
    page_url,
    tournament_page,
)
from tournaments.web.admin.base.scoping import actor_in, require

MOST_REASON = 200
UNANSWERED = say("choose whether the entry fees are taken now")
NOT_TICKED = say("tick at least one")
# A form may have some 2,000 fields: a longer list has no checkboxes, and the action applies to all of it.
MOST_TICKS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkTexts:
    """The texts of an action's page; `ticked` is the button where single rows can be left out."""

    title: str
    button: Callable[[int], Message]
    ticked: str
    done: Callable[[int], Message]
    nothing: str
    undone: Callable[[int], Message] | None = None
    undo: str = ""
    back: str = "night"


WORDS: Mapping[str, BulkTexts] = {
    "close_tables": BulkTexts(
        title=gettext_noop("Close all finished tables"),
        button=lambda count: say_many("Close {count} table", "Close {count} tables", count=count),
        ticked=gettext_noop("Close ticked tables"),
        done=lambda count: say_many("{count} table closed.", "{count} tables closed.", count=count),
        undone=lambda count: say_many("{count} table reopened.", "{count} tables reopened.", count=count),
        nothing=gettext_noop("No finished table to close."),
        undo=gettext_noop("Reopen these tables"),
    ),
    "confirm_deals": BulkTexts(
        title=gettext_noop("Confirm all deals"),
        button=lambda count: say_many("Confirm {count} deal", "Confirm {count} deals", count=count),
        ticked=gettext_noop("Confirm ticked deals"),
        done=lambda count: say_many("{count} deal confirmed.", "{count} deals confirmed.", count=count),
        nothing=gettext_noop("No deal you can confirm."),
    ),
    "check_in": BulkTexts(
        title=gettext_noop("Check in players"),
        button=lambda count: say_many("Check in {count} player", "Check in {count} players", count=count),
        ticked=gettext_noop("Check in ticked players"),
        done=lambda count: say_many("{count} player checked in.", "{count} players checked in.", count=count),
        undone=lambda count: say_many("{count} check-in undone.", "{count} check-ins undone.", count=count),
        nothing=gettext_noop("Everybody is checked in."),
        undo=gettext_noop("Undo these check-ins"),
        back="desk",
    ),
    "take_entries": BulkTexts(
        title=gettext_noop("Take all entry fees"),
        button=lambda count: say_many("Take {count} entry fee", "Take {count} entry fees", count=count),
        ticked=gettext_noop("Take ticked entry fees"),
        done=lambda count: say_many("{count} entry fee taken.", "{count} entry fees taken.", count=count),
        undone=lambda count: say_many("{count} entry fee refunded.", "{count} entry fees refunded.", count=count),
        nothing=gettext_noop("No entry fee to take."),
        undo=gettext_noop("Refund these entry fees"),
        back="desk",
    ),
    "mark_absent": BulkTexts(
        title=gettext_noop("Mark the rest as no-shows"),
        button=lambda count: say_many("Mark {count} no-show", "Mark {count} no-shows", count=count),
        ticked=gettext_noop("Mark ticked players as no-shows"),
        done=lambda count: say_many(
            "{count} player marked as a no-show.", "{count} players marked as no-shows.", count=count
        ),
        undone=lambda count: say_many("{count} player expected again.", "{count} players expected again.", count=count),
        nothing=gettext_noop("Nobody to mark."),
        undo=gettext_noop("Undo no-shows"),
        back="desk",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LastAction:
    """The result of the last action: the key for its undo, the message, and the rows that it left out."""

    key: str = ""
    message: str = ""
    left_out: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRow:
    """A table, deal or player as text: what is done, or why it is left out. A row with a question is not ticked."""

    key: str
    name: str
    does: str
    why: str
    asked: tuple[str, ...]
    amount_minor: int = 0
    is_ticked: bool = False


class BulkForm(CommandForm):
    """The ticked rows, or all where the list is too long for checkboxes; or the key of the action to undo.

    `till` chooses what happens to entry fees: `mine` opens the user's till, `none` takes them without a till, `now`
    takes them into the till that is open, `later` does not take them yet.
    """

    till = WordField()
    who = TicksField()
    whole = WordField()
    undo = KeyField()
    reason = ReasonField(label=gettext_lazy("Reason for refund"), max_length=MOST_REASON)


@purpose(gettext_noop("One action for many: preview it, then confirm it once."))
def bulk(request: HttpRequest, tournament: Tournament, what: str) -> HttpResponse:
    """The list with its button; after the action, its result with an undo."""
    action = BULK_ACTIONS.get(what)
    if action is None:
        raise Http404
    require(request, action.permission, tournament.club_id)
    if request.method != "POST":
        return _page(request, tournament, action, BulkForm(), LastAction(key=request.GET.get("done", "")))
    form = BulkForm(request.POST)
    undoes = pressed(request.POST) == "undo"
    done = form.attempt(lambda: _done(request, tournament, action, form, undoes=undoes))
    if done is None:
        return _page(request, tournament, action, form, LastAction(key=form.read["undo"] if undoes else ""))
    message = _done_text(action, done, undoes=undoes)
    key = str(form.read["undo" if undoes else "key"])
    if asks_for_part(request):
        last = LastAction(key=key, message=message, left_out=done.left_out)
        return trigger_client_event(_page(request, tournament, action, BulkForm(), last), "many")
    messages.add_message(request, messages.SUCCESS if done.done or done.is_replay else messages.WARNING, message)
    for row in _rows(done.left_out, notation_of(tournament)):
        messages.warning(request, ": ".join(text for text in (row.name, row.why) if text))
    url = page_url("many", tournament, what)
    return HttpResponseRedirect(f"{url}?{urlencode({'done': key})}" if key else url)


def _done(
    request: HttpRequest, tournament: Tournament, action: BulkAction, form: BulkForm, *, undoes: bool
) -> BulkResult:
    if undoes:
        command, reason = form.command_context(request), form.read["reason"]
        return undo_bulk(tournament.pk, action, form.read["undo"], context=command, reason=reason)
    only = None if form.read["whole"] else set(form.read["who"])
    if only is not None and not only:
        raise EventNotAllowed([Problem("missing_field", NOT_TICKED)])
    match form.read["till"]:
        case "mine":
            require(request, Permission.HANDLE_CASH, tournament.club_id)
            till_of(tournament.club_id, tournament.currency, context=command_context(request))
        case "none":
            request.session[WITHOUT_TILL] = True
        case "later" if action is CHECK_IN:
            action = CHECK_IN_ALONE
        case "" if action is CHECK_IN:
            # Money is taken by choice: the button says only that it checks in.
            ready = looked_at(tournament, action, context=command_context(request)).done
            if any(candidate.amount_minor for candidate in ready if only is None or candidate.key in only):
                raise EventNotAllowed([Problem("missing_field", UNANSWERED, field="till")])
    return run_bulk(tournament.pk, action, context=form.command_context(request), only=only)


def _done_text(action: BulkAction, done: BulkResult, *, undoes: bool) -> str:
    if done.is_replay:
        return gettext("Already done.")
    words = WORDS[action.name]
    say_it = words.undone if undoes and words.undone else words.done
    return translate(say_it(len(done.done)))


def _page(
    request: HttpRequest, tournament: Tournament, action: BulkAction, form: BulkForm, last: LastAction
) -> HttpResponse:
    words, notation = WORDS[action.name], notation_of(tournament)
    bulk_result = looked_at(tournament, action, context=command_context(request))
    state = tournament_state(tournament)
    # What was left unticked stays so after the action; and so do those who are not here when others are.
    is_begun = last.key or last.message or (action is CHECK_IN and state.checks_in)
    all_ticked = {candidate.key for candidate in bulk_result.done if not candidate.asked}
    ticked = form.read["who"] if form.errors else all_ticked if "tick" in request.GET or not is_begun else ()
    ready = _rows(bulk_result.done, notation, ticked)
    has_ticks = len(ready) <= MOST_TICKS
    back = undoing_of(tournament, action, last.key, context=command_context(request)) if last.key else ()
    undoing = {"undo": last.key} if back else {}
    context = {
        "form": form,
        "ready": ready,
        "others": _rows(bulk_result.left_out, notation),
        "has_ticks": has_ticks,
        "checks_in": action is CHECK_IN,
        "till": form.read["till"] if form.errors else "",
        "cash_goes_to": cash_goes_to(
            tournament, state, actor_in(request).name, is_without_till=is_without_till(request)
        )
        if any(candidate.amount_minor for candidate in bulk_result.done)
        else None,
        "currency": notation.currency,
        "locale": notation.locale.replace("_", "-"),
        "decimals": decimals(notation.currency),
        "may_tick_all": has_ticks and not all_ticked <= set(ticked),
        "total": money(total, *notation)
        if (total := sum(candidate.amount_minor for candidate in bulk_result.done))
        else "",
        # Without checkboxes nothing is done that is done only by choice.
        "button": gettext(words.ticked)
        if has_ticks
        else translate(words.button(sum(not candidate.by_choice for candidate in bulk_result.done))),
        "nothing": gettext(words.nothing),
        "url": page_url("many", tournament, action.name),
        "undo_form": form if undoing and form.errors else BulkForm(initial=undoing) if undoing else None,
        "undo_refunds": refunds_any(back),
        "undo_button": gettext(words.undo) if words.undo else "",
        "message": last.message,
        "not_done": _rows(last.left_out, notation),
        "under": words.back,
        "back_url": page_url(words.back, tournament),
        "is_at_desk": words.back == "desk",
        "night_url": page_url("night", tournament)
        if may(actor_in(request), Permission.DIRECT, tournament.club_id)
        else "",
        "title": gettext(words.title),
    }
    is_part = asks_for_part(request)
    # Its own page changes by parts too.
    context["is_in_dashboard"] = is_part and urlsplit(request.headers.get("HX-Current-URL", "")).path != request.path
    name = "bulk_part" if is_part else "bulk"
    return tournament_page(request, tournament, name, context)


def _rows(candidates: Iterable[Candidate], notation: Notation, ticked: Collection[str] = ()) -> list[ShownRow]:
    """Rows as text in the language of the page."""
    return [
        ShownRow(
            key=candidate.key,
            name=(name := spoken(candidate.called) if candidate.called else ""),
            does=money(candidate.amount_minor, *notation) if candidate.amount_minor else translate(candidate.does),
            why=sentence(candidate.why_not, {candidate.key: name}) if candidate.why_not else "",
            asked=tuple(sentence(problem.message, {candidate.key: name}) for problem in candidate.asked),
            amount_minor=candidate.amount_minor,
            is_ticked=candidate.key in ticked,
        )
        for candidate in candidates
    ]
