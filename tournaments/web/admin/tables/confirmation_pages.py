"""Deals that wait for a confirmation, and deals that are disputed.

Rules: docs/how-to/evening.md, "Confirmation" and "Two phones for each deal". Where two seats enter each deal, this part
of a page reloads itself.
"""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language, gettext, gettext_noop

from scoring.rules.table.timeline import DealCheck
from tournaments import log
from tournaments.people.players import actor_names
from tournaments.release import tag_digest
from tournaments.tables.commands.record import is_of_device, is_official, seat_of, wants_official
from tournaments.tables.queries.sheets import written_since
from tournaments.web.admin.base.request import TableVisit
from tournaments.web.admin.sheets.comparing import TwoEntries, differences
from tournaments.web.admin.sheets.deal_forms import correction_form
from tournaments.web.admin.tables import acts
from tournaments.web.admin.tables.acts import CONFIRM, CORRECT, DISPUTE, SETTLE_DISPUTE

WHO_CONFIRMS = {
    "at_once": "",
    "second_seat": gettext_noop("Another seat of the table, or an official, reads the deal and confirms it."),
    "second_official": gettext_noop("A second official signs in, reads the deal and confirms it."),
    "two_seats": gettext_noop("A second seat enters the deal on its own phone, or an official confirms it."),
}

BUTTONS = {
    "at_once": "",
    "second_seat": gettext_noop("Second seat: confirm deal {deal}"),
    "second_official": gettext_noop("Second official: confirm deal {deal}"),
    "two_seats": gettext_noop("Official: confirm deal {deal}"),
}


def confirmation_context(visit: TableVisit) -> dict[str, Any]:
    """Context for every deal that waits for a confirmation or for the director; no query where none does."""
    table = visit.seen.table
    return {
        "waiting": _waiting(visit),
        "disputes": _disputes(visit) if table.disputed else [],
        "who_confirms": gettext(who) if (who := WHO_CONFIRMS[table.setup.confirmation]) else "",
        "words_url": visit.url("words") if table.setup.two_seats_enter else "",
        "words_tag": _tag(visit),
    }


def confirmations(visit: TableVisit) -> HttpResponse:
    """The part of a table's page about confirmations and disputes; 304 where nothing has changed."""
    tag = _tag(visit)
    answer = get_conditional_response(visit.request, etag=tag)
    if answer is None:
        answer = visit.fragment("words.html", confirmation_context(visit))
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _tag(visit: TableVisit) -> str:
    return f'"{tag_digest(visit.seen.table.version, visit.seen.row.pk, visit.actor.name, get_language())}"'


def writers_of(visit: TableVisit, deals: tuple[int, ...]) -> dict[int, str]:
    """The actors who entered these deals or last corrected them, in one query."""
    entries = {deal: visit.seen.table.deal_entry(deal) for deal in deals}
    versions = {deal: entry.corrected_at or entry.version for deal, entry in entries.items() if entry is not None}
    actors = log.actors_of(visit.seen.club.pk, visit.seen.row.pk, list(versions.values()))
    return {deal: actors.get(version, "") for deal, version in versions.items()}


def _waiting(visit: TableVisit) -> list[dict[str, Any]]:
    """Deals that count but wait for a confirmation; `is_own` marks those the user entered and cannot confirm.

    A seat that is to enter a deal itself is not shown what another seat has entered.
    """
    table = visit.seen.table
    waiting = tuple(deal for deal in table.unconfirmed if deal not in table.disputed)
    writers, command = writers_of(visit, waiting), visit.command_context(visit.fresh_envelope())
    may_speak = visit.may_record(CONFIRM.kind)
    is_wanted = not wants_official(table) or is_official(visit.actor.name)
    is_entering = table.setup.two_seats_enter and bool(visit.actor.seats)
    return [
        {
            "deal": deal,
            "what": visit.seen.event_text(entry.event) if is_own or not is_entering else "",
            "is_own": is_own,
            "is_to_enter": is_entering and not is_own,
            "may_confirm": may_speak and is_wanted and not is_own,
            "button": gettext(BUTTONS[table.setup.confirmation]).format(deal=deal),
            "confirm_url": visit.url(CONFIRM.page, deal),
            "dispute_url": visit.url(DISPUTE.page, deal) if visit.may_record(DISPUTE.kind) and not is_entering else "",
            "envelope": visit.fresh_envelope(),
        }
        for deal, writer in writers.items()
        if (entry := table.deal_entry(deal)) is not None
        for is_own in [is_of_device(writer, command)]
    ]


def _disputes(visit: TableVisit) -> list[dict[str, Any]]:
    """Locked deals with who disputes them and why, or where two entries differ; and the user's actions."""
    table = visit.seen.table
    at = {deal: table.checks.get(str(deal), DealCheck()).disputed_at for deal in table.disputed}
    lines = {line.stored.version: line for line in written_since(visit.seen, min(at.values()) - 1)}
    writers = writers_of(visit, table.disputed)
    names = actor_names(set(writers.values()), visit.seen.club.pk)
    return [
        {
            "deal": deal,
            "line": lines.get(version),
            "what": _what(visit, deal),
            **_two_entries(visit, deal, writers[deal], names),
        }
        for deal, version in at.items()
    ]


def _two_entries(visit: TableVisit, deal: int, writer: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Where two entries of a deal differ, who entered which, and the user's actions."""
    second, links = visit.seen.table.second_entry(deal), []
    is_theirs = second is not None and bool({seat_of(writer), second[0]} & {*visit.actor.seats})
    if is_theirs:
        links = acts.allowed(visit, CORRECT, gettext("Correct my entry"), deal)
    elif second is None or not visit.actor.seats:
        accept = gettext("Accept deal")
        links = acts.correcting(visit, deal) + acts.allowed(visit, SETTLE_DISPUTE, accept, deal)
    if second is None:
        return {"links": links}
    seat, sheet = second
    seats, form = visit.seen.names, correction_form(visit.seen.table, deal)
    both = TwoEntries(table=visit.seen.table, deal=deal, form=form, first=form.before, second=sheet)
    return {
        "links": links,
        "differences": differences(both, seats),
        "first_by": seats.get(seat_of(writer)) or names.get(writer, writer),
        "second_by": seats.get(seat, seat),
    }


def _what(visit: TableVisit, deal: int) -> str:
    entry = visit.seen.table.deal_entry(deal)
    return visit.seen.event_text(entry.event) if entry is not None else ""
