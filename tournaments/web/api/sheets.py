"""Score sheets and the cash desk, for what is more than one event: late sheets, corrections, table cards, payouts.

Rules: docs/reference/api.md, "A tournament from plan to prizes". The same commands as the pages call.
"""

from collections.abc import Mapping
from uuid import NAMESPACE_OID, UUID, uuid5

from django.http import Http404
from django.urls import reverse
from django.utils.timezone import now
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.messages import Message
from scoring.problems import Problem, refuse_if
from tournaments import log
from tournaments.cash.commands import Desk as CashDesk
from tournaments.cash.commands import let_owe, pay_out
from tournaments.cash.queries import open_desk
from tournaments.log.context import CommandContext, part
from tournaments.models import CashBook, Club, LateSheet, Scoresheet, Table, TableToken
from tournaments.people.permissions import CARD, Permission
from tournaments.people.players import uuid_of
from tournaments.seating.commands.seat import record_and_redraw
from tournaments.tables.commands.exchange import Exchange, exchange_seats
from tournaments.tables.commands.record import RecordedEvent, record_all
from tournaments.tables.commands.table_tokens import issue_cards, revoke_card, revoke_cards
from tournaments.tables.commands.without_network import (
    accept_late_sheets,
    keep_late_sheet,
    refuse_late_sheets,
    revoke_cards_of_senders,
)
from tournaments.tables.queries.table_tokens import live_cards, may_issue_cards, open_tables, seats_of_cards
from tournaments.web.api import running_shapes as shapes
from tournaments.web.api.answers import event_answer, example_deals, shaped
from tournaments.web.api.bodies import BodyRejected, read_body
from tournaments.web.api.clubs import created, find_club
from tournaments.web.api.desks import DeskView, currency_asked, kept_reason
from tournaments.web.api.doors import ApiView
from tournaments.web.api.problems import parts_of
from tournaments.web.api.schema import CURRENCY, EXAMPLE_IDS, EXAMPLE_PLAYERS, KEY, describes
from tournaments.web.api.tables import find_sheet, permission_at

ACCEPTED = "late sheet accepted"
NO_MAKER = "A card stands for a director, and whoever made this device link no longer is one here: use another link."


class LateSheets(DeskView):
    """Deals that came after their table was closed."""

    permissions = {"GET": Permission.DIRECT}

    @describes("list_late_sheets", shapes.LateSheetsAnswer)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """The late sheets that wait for a director, by table."""
        tournament = self.home(tournament_id)
        waiting = LateSheet.objects.filter(table__tournament=tournament, answer=LateSheet.Answer.WAITING)
        items = [
            shaped(
                shapes.LateSheetAnswer,
                late,
                id=late.pk,
                table=late.table_id,
                round=late.table.round,
                number=late.table.number,
                by_card=late.actor.startswith(CARD),
            )
            for late in waiting.select_related("table").order_by("table__round", "table__number", "sent_at")
        ]
        return Response(shapes.LateSheetsAnswer(tournament=tournament.pk, items=items))


class KeepLateSheet(ApiView):
    """A deal that came too late. The card of a seat ends with its table, and is let in all the same."""

    permissions = {"POST": Permission.RECORD}
    takes_late = True

    @describes(
        "keep_late_sheet",
        shapes.LateSheetKept,
        body=shapes.LateSheetBody,
        parameters=[KEY],
        example={"expected_version": 1, "event": example_deals()["pool"]},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        """Keeps a deal of a table that was closed or cancelled meanwhile, for a director to accept or refuse.

        Send it with the key and the version with which the table refused it: a deal that the table had stored before is
        then recognized. The same deal waits once; a refused one does not wait again.
        """
        sheet = find_sheet(self, table_id)
        context = self.command_context()
        body = read_body(shapes.LateSheetBody, request.data)
        kept = keep_late_sheet(table_id, body.event, expected=body.expected_version, context=context)
        if isinstance(kept, RecordedEvent):
            stored = shapes.LateSheetKept(table=sheet.pk, state="stored", version=kept.stored.version)
            return created(stored, is_replay=True)
        answer = shapes.LateSheetKept(table=sheet.pk, state=kept.answer, sheet=kept.pk)  # type: ignore[arg-type]
        return created(answer, is_replay=kept.sent_at != context.now)


class LateSheetsOfTable(ApiView):
    """The answer to late sheets."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "answer_late_sheets",
        shapes.LateSheetsDone,
        body=shapes.LateSheetsBody,
        parameters=[KEY],
        example={"sheets": [EXAMPLE_PLAYERS[0]], "answer": "accept"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        """Accepts or refuses late sheets of a table, or ends the cards that sent them. All or none."""
        sheet = find_sheet(self, table_id)
        context = self.command_context()
        body = read_body(shapes.LateSheetsBody, request.data)
        revoked, answers = 0, {"accept": LateSheet.Answer.ACCEPTED, "refuse": LateSheet.Answer.REFUSED}
        given = LateSheet.objects.filter(table=sheet.table_id, pk__in=body.sheets, answered_by=context.actor)
        is_replay = given.filter(answer=answers.get(body.answer, "")).count() == len(set(body.sheets))
        if is_replay:
            pass
        elif body.answer == "accept":
            reason = kept_reason(body.reason) or ACCEPTED
            accept_late_sheets(sheet.table_id, body.sheets, reason=reason, context=context)
        elif body.answer == "refuse":
            refuse_late_sheets(sheet.table_id, body.sheets, reason=kept_reason(body.reason), context=context)
        else:
            revoked = revoke_cards_of_senders(sheet.table_id, body.sheets, context=context)
        after = Scoresheet.objects.get(table_id=table_id)
        answer = shaped(shapes.LateSheetsDone, after, table=table_id, revoked=revoked)
        return created(answer, is_replay=is_replay)


class EventsOfTable(ApiView):
    """Several events of one table."""

    permissions = {"POST": Permission.RECORD}

    @describes(
        "record_events",
        shapes.EventsRecorded,
        body=shapes.EventsBody,
        parameters=[KEY],
        example={"expected_version": 1, "events": [{"kind": "table_closed"}]},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        """Stores events of one table in order, all or none; with `redraws` for directors, as a correction does."""
        sheet = find_sheet(self, table_id, with_state=True)
        self.stream = sheet.club_id, sheet.pk
        context = self.command_context()
        body = read_body(shapes.EventsBody, request.data)
        for raw in body.events:
            self.need(sheet.club_id, permission=permission_at(self.actor, raw.get("kind"), sheet), table=table_id)
        expected = body.expected_version
        if not body.redraws:
            recorded = record_all(table_id, body.events, expected=expected, context=context)
            answer = shapes.EventsRecorded(table=table_id, version=recorded[-1].stored.version, events=[])
        else:
            self.need(sheet.club_id, permission=Permission.DIRECT)
            redrawn = record_and_redraw(table_id, body.events, expected=expected, context=context)
            recorded = redrawn.recorded
            answer = shapes.EventsRecorded(
                table=table_id,
                version=recorded[-1].stored.version,
                events=[],
                unseated_round=redrawn.round,
                recut_stage=redrawn.cut,
                problems=parts_of(redrawn.open_problems),
            )
        answer.events.extend(event_answer(one.stored, is_member=True) for one in recorded)
        return created(answer, is_replay=any(one.is_replay for one in recorded))


class ExchangeOf(ApiView):
    """Two seats that were confused."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "exchange_seats",
        shapes.TableVersion,
        body=shapes.ExchangeBody,
        parameters=[KEY],
        example={"expected_version": 1, "seats": ["1", "2"], "deals": [1], "reason": "mixed up"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        """Corrects every one of these deals by swapping the two seats in it, all or none."""
        sheet = find_sheet(self, table_id)
        self.stream = sheet.club_id, sheet.pk
        context = self.command_context()
        body = read_body(shapes.ExchangeBody, request.data)
        exchange = Exchange(
            seats=(body.seats[0], body.seats[1]), deals=tuple(body.deals), reason=kept_reason(body.reason)
        )
        keys = [part(context, deal).key for deal in body.deals]
        is_replay = log.find(club=sheet.club_id, keys=keys).exists()
        table = exchange_seats(table_id, exchange, context=context, expected=body.expected_version)
        return created(shapes.TableVersion(table=table_id, version=table.version), is_replay=is_replay)


# Table cards: the secret is in the answer once, and stored as a digest.


class Cards(DeskView):
    """The cards with which phones enter deals."""

    permissions = {"GET": Permission.DIRECT, "POST": Permission.DIRECT}

    @describes("list_cards", shapes.CardsAnswer)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """The valid cards of all tables, without their secrets."""
        tournament = self.home(tournament_id)
        tables = list(Table.objects.filter(tournament=tournament).values_list("pk", flat=True))
        items = [shaped(shapes.CardAnswer, card, table=card.table_id) for card in live_cards(tables, now=now())]
        return Response(shapes.CardsAnswer(tournament=tournament.pk, items=items))

    @describes(
        "make_cards",
        shapes.NewCardsAnswer,
        body=shapes.CardsBody,
        parameters=[KEY],
        example={"tables": [EXAMPLE_IDS["table_id"]]},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Makes cards for open tables, beside earlier ones. Their secrets are in this answer alone."""
        tournament = self.home(tournament_id)
        context = self.command_context()
        body = read_body(shapes.CardsBody, request.data)
        if not may_issue_cards(request.user, tournament.club_id):
            raise PermissionDenied(NO_MAKER)
        tables = list(open_tables(tournament.pk))
        if body.tables is not None:
            tables = [table for table in tables if table.pk in body.tables]
            chosen = {table.pk for table in tables}
            problems = [
                Problem("table_over", Message("this is no open table of the tournament"), field=f"tables[{at}]")
                for at, table in enumerate(body.tables)
                if table not in chosen
            ]
            refuse_if(problems, BodyRejected)
        cards = issue_cards(
            tables,
            key=uuid5(NAMESPACE_OID, f"{tournament.pk}:{context.key}"),
            user_id=int(str(request.user.pk)),
            now=context.now,
            seats={table.pk: seats_of_cards(table) for table in tables},
        )
        door = request.build_absolute_uri(reverse("cards:exchange"))
        items = [
            shaped(
                shapes.NewCard,
                card.token,
                table=card.token.table_id,
                secret=card.secret,
                address=f"{door}#{card.secret}" if card.secret else None,
                code=card.code,
            )
            for card in cards
        ]
        answer = shapes.NewCardsAnswer(tournament=tournament.pk, items=items)
        response = created(answer, is_replay=bool(items) and all(card.secret is None for card in cards))
        response["Cache-Control"] = "no-store"
        return response


class CardsRevoke(DeskView):
    """Cards that end."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "revoke_cards",
        shapes.CardsAnswer,
        body=shapes.RevokeCardsBody,
        parameters=[KEY],
        example={"cards": [EXAMPLE_PLAYERS[0]]},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Ends cards: their phones save no more. The answer has those that are still valid."""
        tournament = self.home(tournament_id)
        context = self.command_context()
        body = read_body(shapes.RevokeCardsBody, request.data)
        tables = list(Table.objects.filter(tournament=tournament).values_list("pk", flat=True))
        cards = set(TableToken.objects.filter(table__in=tables, pk__in=body.cards).values_list("pk", flat=True))
        unknown = {
            **{f"tables[{at}]": table for at, table in enumerate(body.tables) if table not in set(tables)},
            **{f"cards[{at}]": card for at, card in enumerate(body.cards) if card not in cards},
        }
        detail = Message("there is no such table or card in the tournament")
        refuse_if([Problem("not_a_choice", detail, field=field) for field in unknown], BodyRejected)
        if body.tables:
            revoke_cards(body.tables, now=context.now)
        for card in body.cards:
            revoke_card(card, now=context.now)
        items = [shaped(shapes.CardAnswer, card, table=card.table_id) for card in live_cards(tables, now=context.now)]
        return created(shapes.CardsAnswer(tournament=tournament.pk, items=items), is_replay=False)


# The cash desk, for many players at once.


class Payouts(ApiView):
    """Players who are paid out of one place."""

    permissions = {"POST": Permission.HANDLE_CASH}
    what = "The cash book"

    @describes(
        "pay_players",
        shapes.CashLinesAnswer,
        body=shapes.PayoutsBody,
        parameters=[CURRENCY, KEY],
        example={"amounts": {EXAMPLE_PLAYERS[0]: 100}},
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Pays players from their balances, such as prizes: a line for each, all or none."""
        club = find_club(self, club_id)
        context = self.command_context()
        body = read_body(shapes.PayoutsBody, request.data)
        desk = _desk(self, club, body)
        place = body.place or f"till:{self.actor.name}"
        _refuse_strangers(club, body.amounts, "amounts")
        is_replay = _was_written(club, body.amounts, context)
        pay_out(desk, body.amounts, place, context=context)
        return created(_book(club, desk), is_replay=is_replay)


class Credit(ApiView):
    """Players who may owe."""

    permissions = {"POST": Permission.DIRECT}
    what = "The cash book"

    @describes(
        "allow_credit",
        shapes.CashLinesAnswer,
        body=shapes.CreditBody,
        parameters=[CURRENCY, KEY],
        example={"limits": {EXAMPLE_PLAYERS[0]: 100}, "reason": "will bring it"},
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Sets how much players may owe: a line for each, all or none."""
        club = find_club(self, club_id)
        context = self.command_context()
        body = read_body(shapes.CreditBody, request.data)
        desk = _desk(self, club, body)
        _refuse_strangers(club, body.limits, "limits")
        is_replay = _was_written(club, body.limits, context)
        let_owe(desk, body.limits, kept_reason(body.reason), context=context)
        return created(_book(club, desk), is_replay=is_replay)


def _desk(view: ApiView, club: Club, body: shapes.PayoutsBody | shapes.CreditBody) -> CashDesk:
    """The user at the cash desk. Raises Http404 for a book of another club or currency."""
    currency = currency_asked(view.request, club)
    if body.book and not CashBook.objects.filter(pk=body.book, club=club, currency=currency).exists():
        raise Http404
    view.stream = (club.pk, body.book) if body.book else None
    return CashDesk(club=club.pk, currency=currency, actor=view.actor, book=body.book, seen=body.expected_version)


def _refuse_strangers(club: Club, amounts: Mapping[str, int], field: str) -> None:
    """Raise BodyRejected naming every key that is no id."""
    detail = Message("this is no player's id")
    problems = [
        Problem("unknown_player", detail, field=f"{field}.{player}"[:100])
        for player in amounts
        if str(uuid_of(player)) != player
    ]
    refuse_if(problems, BodyRejected)


def _was_written(club: Club, amounts: Mapping[str, int], context: CommandContext) -> bool:
    return log.find(club=club.pk, keys=[part(context, player).key for player in amounts]).exists()


def _book(club: Club, desk: CashDesk) -> shapes.CashLinesAnswer:
    opened = open_desk(club, desk.currency)
    if opened.row is None:
        raise Http404
    return shapes.CashLinesAnswer(book=opened.row.pk, version=opened.book.version)
