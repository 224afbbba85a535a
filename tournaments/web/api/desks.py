"""Check-in and the cash desk for devices: who takes part in a tournament, and the open cash book.

Rules: docs/reference/api.md, "A running tournament" and "The cash desk". The same commands as the pages call, so that
both may be used at once.
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Protocol
from uuid import UUID

import msgspec
from django.http import Http404
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.events import reading, wire
from scoring.messages import Message, english
from scoring.problems import EventNotAllowed, Problem, refuse_if
from tournaments import log
from tournaments.cash.commands import Desk as CashDesk
from tournaments.cash.commands import write_at_desk
from tournaments.cash.queries import DeskTill, club_balances, currencies_of, open_desk
from tournaments.entries.commands.bulk import BULK_ACTIONS
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk, questions_at_desk
from tournaments.entries.commands.enter import enter_list, questions_of_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.commands.substitutes import StandIn, substitute, undo_substitution
from tournaments.entries.queries import EntryLine, entries
from tournaments.log.context import CommandContext
from tournaments.models import CashBook, Club, Tournament
from tournaments.models.bounds import MOST_COUNT
from tournaments.people.known_names import known_by_name, known_names
from tournaments.people.permissions import EVENT_PERMISSIONS, Permission, may
from tournaments.people.players import named, without_mark
from tournaments.running.commands.bulk import Candidate, run_bulk, undo_bulk
from tournaments.seating import questions_of_joining
from tournaments.web.api import tournament_shapes as shapes
from tournaments.web.api.answers import event_answer, shaped
from tournaments.web.api.bodies import BodyRejected, read_body
from tournaments.web.api.clubs import created, find_club, find_tournament
from tournaments.web.api.doors import ApiView, limit_of, tag_of, unless_known, whole_number
from tournaments.web.api.problems import BadParameter, parts_of
from tournaments.web.api.schema import AFTER, CURRENCY, EXAMPLE_IDS, EXAMPLE_PLAYERS, KEY, PAGING, describes


class Versioned(Protocol):
    """A body that may say which version its sender has seen."""

    @property
    def expected_version(self) -> int | None: ...


class DeskView(ApiView):
    """A view of the check-in desk, for everybody who works there."""

    what = "The tournament"

    def home(self, tournament_id: UUID) -> Tournament:
        """The tournament, if this request may do its deed there."""
        tournament = find_tournament(self, tournament_id)
        self.stream = tournament.club_id, tournament.pk
        return tournament

    def context_of(self, body: Versioned) -> CommandContext:
        """The context of a command that follows a version, unless the body leaves that out."""
        return replace(asked_as(self, self.request), seen=body.expected_version)


def asked_as(view: ApiView, request: Request) -> CommandContext:
    """The context of a command: a resend is recognized by the whole request."""
    whole = json.dumps([request.path, request.data], sort_keys=True)
    return replace(view.command_context(), asked=hashlib.sha256(whole.encode()).hexdigest())


class Entries(DeskView):
    """A tournament's entries, for those who work at the desk."""

    permissions = {"GET": Permission.TAKE_ENTRY, "POST": Permission.CHECK_IN}

    @describes("list_entries", shapes.EntriesAnswer, has_tag=True)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """All players who entered, A to Z, with what each has paid and still has to pay."""
        tournament = self.home(tournament_id)
        entry_list = entries(tournament)
        return unless_known(
            request,
            tag_of(entry_list.state.version, "entries", tournament_id, entry_list.tag()),
            lambda: shapes.EntriesAnswer(
                tournament=tournament.pk,
                version=entry_list.state.version,
                entry_minor=tournament.entry_minor,
                currency=tournament.currency,
                items=[_entry(line) for line in entry_list.lines],
            ),
            is_shared=False,
        )

    @describes(
        "enter_players",
        shapes.DeskAnswer,
        body=shapes.EntriesBody,
        parameters=[KEY],
        example={"entries": [{"name": "Asha", "is_paid": True}, {"name": "Gita"}], "adds_new": True},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Enters players by name, all or none. For those who have entered, only `rate`, `pots` and `is_paid` apply.

        A player on the standby list is moved into the tournament, unless the entry has `is_standby`.
        """
        tournament = self.home(tournament_id)
        body = read_body(shapes.EntriesBody, request.data)
        if any(entry.is_paid or entry.rate or entry.pots for entry in body.entries):
            self.need(tournament.club, permission=Permission.TAKE_ENTRY)
        reason = kept_reason(body.reason)
        rows = [
            EntryRow(number=number, reason=reason, **{**msgspec.structs.asdict(entry), "pots": tuple(entry.pots)})
            for number, entry in enumerate(body.entries, start=1)
        ]
        refuse_if(questions_of_list(tournament, rows) if body.ask_first else (), EventNotAllowed)
        recorded = enter_list(tournament.pk, rows, context=self.context_of(body), adds_new=body.adds_new)
        names = [without_mark(" ".join(row.name.split())) for row in rows]
        has_new = any(is_new for _, is_new in names)
        club = tournament.club
        club_names = known_names(club) if has_new else known_by_name(club, [name for name, _ in names])
        entered = [
            str(player)
            for name, is_new in names
            for player, _ in (club_names.bearers(name) if is_new else club_names.found(name)[:1])
        ]
        questions = named(tournament.club_id, questions_of_joining(tournament, recorded.state, *entered))
        return _done(tournament, entered, is_replay=recorded.is_replay, warnings=parts_of(questions))


class Desk(DeskView):
    """The deeds of the check-in desk."""

    permissions = {"POST": Permission.TAKE_ENTRY}

    @describes(
        "act_at_desk",
        shapes.DeskAnswer,
        body=shapes.DeskBody,
        parameters=[KEY],
        example={"player": EXAMPLE_PLAYERS[0], "act": "check_in"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """One action for one player. If it is done already, nothing is stored; `Idempotency-Replayed` is then set."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.DeskBody, request.data)
        if body.amount_minor and body.act != "give_back":
            # Else 500 would be asked for, and all that is due recorded as paid.
            detail = Message("amount_minor is for give_back alone: pay takes what is due")
            raise BodyRejected([Problem("out_of_range", detail, field="amount_minor")])
        act = replace(DESK_ACTS[body.act], reason=kept_reason(body.reason), amount_minor=body.amount_minor)
        self.need(tournament.club, permission=act.permission)
        player = str(body.player)
        done = act_at_desk(tournament.pk, act, player, context=self.context_of(body), asks=body.ask_first)
        questions = named(tournament.club_id, questions_at_desk(tournament, done.state, act, player))
        return _done(
            tournament,
            [player],
            is_replay=done.is_replay,
            undo=(done.undo, done.paid_minor),
            warnings=parts_of(questions),
        )


class Many(DeskView):
    """One action for many tables or players."""

    permissions = {"POST": Permission.SEE}

    @describes(
        "act_for_many",
        shapes.ManyAnswer,
        body=shapes.ManyBody,
        parameters=[KEY],
        example={"act": "check_in", "only": [EXAMPLE_PLAYERS[1]]},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """One action for many, in one transaction. Items for which it is refused are left out, each with the reason."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.ManyBody, request.data)
        action = BULK_ACTIONS[body.act]
        self.need(tournament.club, permission=action.permission)
        if body.undo:
            reason = kept_reason(body.reason)
            done = undo_bulk(tournament.pk, action, body.undo, context=self.command_context(), reason=reason)
        else:
            done = run_bulk(
                tournament.pk,
                action,
                context=self.command_context(),
                only=None if body.only is None else set(body.only),
            )
        questions = [problem for candidate in done.done for problem in candidate.asked]
        answer = shapes.ManyAnswer(
            tournament=tournament.pk,
            done=[_item(candidate) for candidate in done.done],
            left_out=[_item(candidate) for candidate in done.left_out],
            warnings=parts_of(named(tournament.club_id, questions)),
        )
        return created(answer, is_replay=done.is_replay)


def _item(one: Candidate) -> shapes.ManyItem:
    name = one.called if isinstance(one.called, str) else english(one.called)
    why = english(one.why_not, {one.key: name}) if one.why_not else ""
    return shapes.ManyItem(id=one.key, name=name, amount_minor=one.amount_minor, why_not=why)


class Substitute(DeskView):
    """Somebody who plays on in another's place."""

    permissions = {"POST": Permission.CHECK_IN}

    @describes(
        "substitute_player",
        shapes.DeskAnswer,
        body=shapes.SubstituteBody,
        parameters=[KEY],
        example={"player": EXAMPLE_PLAYERS[2], "by": "Hari", "reason": "went home", "adds_new": True},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """A substitute takes a player's place. The tournament's plan says who gets the points."""
        tournament = self.home(tournament_id)
        body = read_body(shapes.SubstituteBody, request.data)
        stand_in = StandIn(
            player=str(body.player),
            by=body.by,
            reason=kept_reason(body.reason),
            adds_new=body.adds_new,
            asks=body.ask_first,
        )
        recorded = substitute(tournament.pk, stand_in, context=self.context_of(body))
        by = recorded.state.entrants[str(body.player)].replaced_by or ""
        questions = named(tournament.club_id, questions_of_joining(tournament, recorded.state, by)) if by else []
        return _done(tournament, [str(body.player), by], is_replay=recorded.is_replay, warnings=parts_of(questions))


class UndoSubstitute(DeskView):
    """A substitution taken back."""

    permissions = {"POST": Permission.CHECK_IN}

    @describes(
        "undo_substitution",
        shapes.DeskAnswer,
        body=shapes.UndoSubstituteBody,
        parameters=[KEY],
        example={"player": EXAMPLE_PLAYERS[3], "reason": "came back"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Possible until a deal is recorded with the substitute.

        A table that was opened with them is opened again, with a new id.
        """
        tournament = self.home(tournament_id)
        body = read_body(shapes.UndoSubstituteBody, request.data)
        player = str(body.player)
        done = undo_substitution(tournament.pk, player, reason=kept_reason(body.reason), context=self.context_of(body))
        return _done(tournament, [player], is_replay=done.is_replay)


def kept_reason(reason: str) -> str:
    """A reason as the log keeps it: on one line, without characters that only machines use."""
    if not reason.strip():
        return ""
    raw = {"kind": wire.SubstitutionUndone.kind, "player": "-", "reason": reason}
    return str(getattr(reading.read_tournament_event(raw), "reason", ""))


def _done(
    tournament: Tournament,
    players: Collection[str],
    *,
    is_replay: bool,
    undo: tuple[str, int] = ("", 0),
    warnings: Sequence[shapes.ProblemPart] = (),
) -> Response:
    """The entries of some players as they stand now; `undo` is the act that undoes what was done, and its amount."""
    entry_list = entries(tournament)
    answer = shapes.DeskAnswer(
        tournament=tournament.pk,
        version=entry_list.state.version,
        items=[_entry(line) for line in entry_list.lines if line.player in players],
        undo=undo[0],
        undo_amount_minor=undo[1],
        warnings=list(warnings),
    )
    return created(answer, is_replay=is_replay)


def _entry(line: EntryLine) -> shapes.EntryAnswer:
    entrant = line.entrant
    return shaped(
        shapes.EntryAnswer,
        entrant,
        player=line.player,
        name=line.name,
        standing=entrant.standing.value,
        due_minor=line.due_minor,
        overpaid_minor=line.overpaid_minor,
        reentries=list(entrant.reentries),
        pots=list(entrant.pots),
    )


class Cash(ApiView):
    """The book that is open now, and lines written in it."""

    permissions = {"GET": Permission.SEE_MONEY, "POST": Permission.HANDLE_CASH}
    what = "The cash book"

    @describes("read_cash_book", shapes.CashAnswer, parameters=[CURRENCY, AFTER, PAGING[0]])
    def get(self, request: Request, club_id: UUID) -> Response:
        """The open cash book: its tills, and its entries after a version, in order."""
        club = find_club(self, club_id)
        after = whole_number(request, "after", default=0, most=MOST_COUNT)
        limit = limit_of(request)
        desk = open_desk(club, currency_asked(request, club))
        stored_events = log.read(club.pk, desk.row.pk, after) if desk.row else []
        answer = shapes.CashAnswer(
            club=club.pk,
            currency=desk.currency,
            book=desk.row.pk if desk.row else None,
            version=desk.book.version,
            tills=[self._till(club, till) for till in desk.tills],
            lines=[event_answer(event, is_member=True) for event in stored_events[:limit]],
            next_after=stored_events[limit - 1].version if len(stored_events) > limit else None,
        )
        return Response(answer)

    @describes(
        "write_cash_line",
        shapes.CashLineAnswer,
        body=shapes.CashLineBody,
        parameters=[CURRENCY, KEY],
        example={"event": {"kind": "till_opened", "till": f"token:{EXAMPLE_IDS['token_id']}", "float_minor": 100_000}},
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Stores an entry, or refuses it with every problem. If no book is open, the entry opens one."""
        club = find_club(self, club_id)
        context = self.command_context()
        body = read_body(shapes.CashLineBody, request.data)
        event = reading.read_cash_event(body.event)
        self.need(club, permission=EVENT_PERMISSIONS.get(event.kind, Permission.DIRECT))
        currency = currency_asked(request, club)
        self.stream = (club.pk, body.book) if body.book else None
        if body.book and not CashBook.objects.filter(pk=body.book, club=club, currency=currency).exists():
            raise Http404
        desk = CashDesk(club=club.pk, currency=currency, actor=self.actor, book=body.book, seen=body.expected_version)
        done = write_at_desk(desk, event, context=context)
        answer = shapes.CashLineAnswer(
            book=done.book_id, line=done.line, version=done.book.version, is_closed=done.book.is_closed
        )
        return created(answer, is_replay=done.is_replay)

    def _till(self, club: Club, till: DeskTill) -> shapes.TillAnswer:
        counted = till.till.counted_minor
        may_know = counted is not None or may(self.actor, Permission.DIRECT, club)
        held_minor = till.held_minor if may_know else None
        return shaped(shapes.TillAnswer, till.till, till=till.name, name=till.who, held_minor=held_minor)


class Balances(ApiView):
    """What players have in a club."""

    permissions = {"GET": Permission.SEE_MONEY}

    @describes("list_balances", shapes.BalancesAnswer, parameters=[CURRENCY])
    def get(self, request: Request, club_id: UUID) -> Response:
        """All players with a balance, a debt or a credit limit."""
        club = find_club(self, club_id)
        currency = currency_asked(request, club)
        items = [shaped(shapes.BalanceAnswer, balance) for balance in club_balances(club, currency)]
        return Response(shapes.BalancesAnswer(club=club.pk, currency=currency, items=items))


def currency_asked(request: Request, club: Club) -> str:
    """The club's own, unless another in which it has money is asked for. Raises BadParameter."""
    currency = request.query_params.get("currency", "") or club.currency
    currencies = currencies_of(club)
    if currency not in currencies:
        detail = f"currency must be one in which the club has money: {', '.join(currencies)}."
        raise BadParameter({"currency": detail})
    return currency
