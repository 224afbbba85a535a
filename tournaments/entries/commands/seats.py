"""Somebody who comes late and gets a seat, or gets up and goes home; and what takes either back, or a substitution.

Rules: docs/how-to/evening.md, "Late, missing and swapped players". Entry, money and seat are one deed under one key,
and undone together: its facts are found again by that key. A substitution is not taken back once a deal was recorded
with the substitute; a table that was opened with them is given up and opened again, under its number, for the player.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from uuid import UUID

from django.db.models import Q

from scoring.evening import Evening, fold_evening
from scoring.evening.state import Standing, TableSeating
from scoring.evening.state.refusals import of_player, unknown
from scoring.facts import wire
from scoring.facts.reading import read_stored
from scoring.facts.wire import Fact
from scoring.messages import Seat, say, say_many
from scoring.problems import FactRejected, Problem, refuse_if
from scoring.rules.table.dealing import may_record
from scoring.sheets.snapshots import load_table
from tournaments import log
from tournaments.entries.commands.checked import CheckedRow
from tournaments.entries.commands.enter import check_list, enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.evenings.commands.many import key_of_undoing, stored_under
from tournaments.evenings.commands.record import (
    EveningRecorded,
    append_fact,
    evening_of,
    evening_turn,
    record_all_in_evening,
)
from tournaments.evenings.commands.settle import placed, problems_of_taking_again
from tournaments.log.context import Order, part, tournament_turn
from tournaments.log.reading import evening_from
from tournaments.models import Scoresheet, Tournament
from tournaments.people.players import named
from tournaments.seating.commands.seat import brought_into, table_draft
from tournaments.seating.commands.seats import change_seats
from tournaments.seating.seats import SeatedAt, round_now, seats_now, table_of, tables_now, without_player
from tournaments.tables.commands.open_tables import open_tables
from tournaments.tables.commands.record import record_wire_event
from tournaments.tables.commands.table_tokens import give_up, make_room, sheets_of_round

Why = Literal["absent", "left", "sits_out"]
UNDONE = "undone with the seat"
SEATS = "seats"


@dataclass(frozen=True, slots=True, kw_only=True)
class LateSeat:
    """Somebody of this name is to sit at a table of the round; without one they wait for the next round.

    `adds_new` where nobody may bear the name yet.
    """

    name: str
    table: int | None = None
    is_paid: bool = False
    adds_new: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatDone:
    """Who it was about and where they play now, if anywhere. `at_table` says that the table was told of it too."""

    player: str = ""
    table: int | None = None
    at_table: bool = False
    is_replay: bool = False


def seat_late(tournament_id: UUID, wanted: LateSeat, *, order: Order) -> SeatDone:
    """Enter somebody, take what they pay, and give them the seat behind the others of the table.

    Raises FactRejected, OptionsRejected, KeyReused.
    """
    asked = wire.request_digest(str(tournament_id), "late", order.key, repr(wanted))
    order = replace(order, asked=asked)
    with tournament_turn(tournament_id) as tournament:
        if log.first_answer(tournament.club_id, order.key, asked) is not None:
            return SeatDone(is_replay=True)
        begun = evening_of(tournament)
        number = round_now(begun) if wanted.table is not None else None
        row = EntryRow(number=1, name=wanted.name, is_paid=wanted.is_paid, round=number)
        back = _returns(tournament, begun, row)
        evening = record_all_in_evening(tournament_id, back, order=order).evening if back else begun
        enters = _next(order, begun, evening, "enters")
        evening = enter_list(tournament_id, [row], order=enters, adds_new=wanted.adds_new).evening
        player = _player(tournament, row, begun, evening)
        if wanted.table is not None:
            _sit_down(tournament, evening, player, wanted.table, order=_next(order, begun, evening, SEATS))
    return SeatDone(player=player, table=wanted.table)


def get_up(tournament_id: UUID, player: str, why: Why, *, order: Order) -> SeatDone:
    """Take a player from the table: a no-show, somebody who goes home, or who sits out.

    Before a deal was played the table goes on without them; after one the table notes that they left, where its rules
    let them. Raises FactRejected, OptionsRejected, EventRejected, KeyReused.
    """
    asked = wire.request_digest(str(tournament_id), "up", order.key, player, why)
    order = replace(order, asked=asked)
    with tournament_turn(tournament_id) as tournament:
        if log.first_answer(tournament.club_id, order.key, asked) is not None:
            return SeatDone(player=player, is_replay=True)
        begun = evening_of(tournament)
        tables = tables_now(tournament, begun)
        number = table_of(begun, player)
        there = next((table for table in tables if table.number == number), None)
        refuse_if(named(tournament.club_id, list(_problems_of_going(begun, player, why, there))), FactRejected)
        seats = without_player(begun, player, tables) if there is not None and there.may_change else ()
        gone = _gone(player, why, is_seated=there is not None and not there.may_change)
        evening = record_all_in_evening(tournament_id, gone, order=order).evening if gone else begun
        if seats:
            fact = wire.SeatsChanged(round=round_now(begun), tables=seats)
            change_seats(tournament_id, fact, order=_next(order, begun, evening, SEATS))
        noted = there is not None and not there.may_change and _left_table(there.sheet, begun, player, order)
    return SeatDone(player=player, table=number, at_table=bool(seats) or noted)


def undo_seats(tournament_id: UUID, key: str, *, order: Order) -> SeatDone:
    """Take back what was done under this key: seats first, then money and entries. Twice is once.

    Raises FactRejected, EventRejected, KeyReused.
    """
    with tournament_turn(tournament_id) as tournament:
        order = replace(order, key=key_of_undoing(key), asked=wire.request_digest(str(tournament_id), "undo", key))
        if log.first_answer(tournament.club_id, order.key, order.asked) is not None:
            return SeatDone(is_replay=True)
        events = stored_under(tournament.club_id, key)
        own = [event for event in events if event.stream_id == tournament.id]
        facts = [read_stored(event.kind, event.schema, event.body) for event in own]
        if not facts:
            raise FactRejected([Problem("nothing_to_undo", say("nothing to undo"))])
        now = evening_of(tournament)
        before = evening_from(log.read(tournament.id)[: own[0].version - 1])
        refuse_if(list(_changed_since(now, facts)), FactRejected)
        _undo_at_tables(events, order)
        _undo_in_evening(tournament, before, now, facts, order)
    return SeatDone()


def may_undo_seats(tournament: Tournament, key: str) -> bool:
    """Whether something was stored under this key, and its undoing was not."""
    return len(list(log.find(club=tournament.club_id, keys=[key, key_of_undoing(key)]))) == 1


def last_change(tournament: Tournament) -> str:
    """The key of the deed that changed seats last; empty where none did, or where that was an undoing."""
    last = log.find(streams=[tournament.pk], kinds=[wire.SeatsChanged.kind]).last()
    stored = log.read_club(tournament.club_id, last.position - 1, 1) if last is not None else []
    return stored[0].key.removesuffix(f":{SEATS}") if stored and stored[0].note != UNDONE else ""


def _next(order: Order, begun: Evening, evening: Evening, name: str) -> Order:
    """The first facts of a deed have its own key, so that the deed is found by it; later ones a key of their part."""
    return order if evening.version == begun.version else part(order, name)


def _returns(tournament: Tournament, evening: Evening, row: EntryRow) -> list[Fact]:
    """Somebody who was marked a no-show, or had left, is back."""
    player = _known(tournament, row)
    known = evening.entrants.get(player)
    is_away = known is not None and known.standing in (Standing.ABSENT, Standing.LEFT)
    return [wire.PlayerReturned(player=player)] if is_away else []


def _known(tournament: Tournament, row: EntryRow) -> str:
    """Whom a name means, whatever speaks against entering them; empty where that is nobody, or not clear."""
    found: Sequence[CheckedRow] = check_list(tournament, [replace(row, round=None, is_standby=True)]).rows
    return next((one.player for one in found if not one.is_new), "")


def _player(tournament: Tournament, row: EntryRow, begun: Evening, evening: Evening) -> str:
    """Who it was: whoever is there since, or was before."""
    new = [player for player in evening.entrants if player not in begun.entrants]
    return new[0] if new else _known(tournament, row)


def _sit_down(tournament: Tournament, evening: Evening, player: str, number: int, *, order: Order) -> None:
    seats = seats_now(evening)
    if number not in seats:
        detail = say("table {table} is not in play", table=number)
        raise FactRejected([Problem(code="no_such_table", field="table", detail=detail)])
    fact = wire.SeatsChanged(round=round_now(evening), tables=((number, (*seats[number], player)),))
    change_seats(tournament.pk, fact, order=order)


def _problems_of_going(evening: Evening, player: str, why: Why, there: SeatedAt | None) -> Iterator[Problem]:
    if player not in evening.entrants:
        yield unknown(player)
    elif there is None and why == "sits_out":
        yield of_player(player, "not_seated", say("{seat} has no seat in this round", seat=Seat(player)))
    elif there is not None and not there.may_change and why == "sits_out":
        detail = say_many(
            "table {table} has {count} deal: {seat} can go home, but not sit out",
            "table {table} has {count} deals: {seat} can go home, but not sit out",
            count=there.sheet.deals,
            table=there.number,
            seat=Seat(player),
        )
        yield of_player(player, "already_played", detail)


def _gone(player: str, why: Why, *, is_seated: bool) -> list[Fact]:
    """Whoever has played a deal has come, and leaves."""
    if why == "sits_out":
        return []
    return [wire.MarkedAbsent(player=player) if why == "absent" and not is_seated else wire.PlayerLeft(player=player)]


def _left_table(sheet: Scoresheet, evening: Evening, player: str, order: Order) -> bool:
    """Note at the table that a player left, if its rules let anybody leave now."""
    table = load_table(Scoresheet.objects.get(pk=sheet.pk).state)
    people = set(evening.before(player))
    seat = next((seat for seat, one in table.players.items() if one in people), None)
    left: dict[str, object] = {"kind": wire.SeatLeft.kind, "seat": seat}
    if seat is None or not may_record(table, left):
        return False
    record_wire_event(sheet.table_id, left, expected=sheet.version, order=part(order, sheet.table_id))
    return True


def _changed_since(now: Evening, facts: Sequence[Fact]) -> Iterator[Problem]:
    """Seats that were changed again are not as the deed left them."""
    seats = seats_now(now)
    for fact in facts:
        if isinstance(fact, wire.SeatsChanged):
            is_same = fact.round == round_now(now)
            is_same = is_same and all(seats.get(number, ()) == players for number, players in fact.tables)
            if not is_same:
                yield Problem("nothing_to_undo", say("seats changed again since: change them by hand"))


def _undo_at_tables(events: Sequence[log.StoredEvent], order: Order) -> None:
    for event in events:
        if event.kind == wire.SeatLeft.kind:
            version = Scoresheet.objects.get(table_id=event.stream_id).version
            withdrawn = {"kind": wire.FactWithdrawn.kind, "version": event.version, "reason": UNDONE}
            record_wire_event(event.stream_id, withdrawn, expected=version, order=part(order, event.stream_id))


def _undo_in_evening(
    tournament: Tournament, before: Evening, now: Evening, facts: Sequence[Fact], order: Order
) -> None:
    """Whoever went is back before they have their seat again; whoever came gives it up before they go."""
    back = [undoing for fact in facts for undoing in _is_back(before, fact)]
    evening = record_all_in_evening(tournament.id, back, order=order).evening if back else now
    for fact in facts:
        if isinstance(fact, wire.SeatsChanged):
            seats = seats_now(before)
            tables = tuple((number, seats.get(number, ())) for number, _ in fact.tables)
            restored = wire.SeatsChanged(round=fact.round, tables=tables, reason=UNDONE)
            evening = change_seats(tournament.id, restored, order=_next(order, now, evening, SEATS))
    gone = [undoing for fact in reversed(facts) for undoing in _is_gone(before, fact)]
    if gone:
        gone = placed(tournament, evening, gone, order=order)
        record_all_in_evening(tournament.id, gone, order=_next(order, now, evening, "entry"))


def _is_back(before: Evening, fact: Fact) -> Iterator[Fact]:
    if isinstance(fact, wire.MarkedAbsent | wire.PlayerLeft):
        yield wire.PlayerReturned(player=fact.player)
        if not before.entrants[fact.player].is_checked_in:
            yield wire.CheckInUndone(player=fact.player)


def _is_gone(before: Evening, fact: Fact) -> Iterator[Fact]:
    known = before.entrants.get(getattr(fact, "player", ""))
    match fact:
        case wire.EntryPaid():
            yield wire.EntryRefunded(player=fact.player, amount_minor=fact.amount_minor, reason=UNDONE)
        case wire.PlayerEntered():
            yield wire.EntryWithdrawn(player=fact.player, reason=UNDONE)
            if known is not None and known.standing is Standing.STANDBY:
                yield wire.PlayerEntered(player=fact.player, is_standby=True)
        case wire.PlayerReturned() if known is not None:
            is_absent = known.standing is Standing.ABSENT
            yield wire.MarkedAbsent(player=fact.player) if is_absent else wire.PlayerLeft(player=fact.player)


# Taking a substitution back.


def undo_substitution(tournament_id: UUID, player: str, *, reason: str, order: Order) -> EveningRecorded:
    """Give a player the place back. A substitute from the standby list pays as before, if the money is still there.

    Raises FactRejected, StaleTable, KeyReused.
    """
    fact = wire.SubstitutionUndone(player=player, reason=reason.strip())
    with evening_turn(tournament_id, fact, order=order, expected=order.seen) as turn:
        if turn.is_replay:
            return EveningRecorded(evening=turn.evening, is_replay=True)
        undone = fold_evening(turn.evening, [(turn.evening.version + 1, fact)])
        refuse_if(named(turn.tournament.club_id, problems_of_taking_again(turn.tournament, undone)), FactRejected)
        taken = _table_of(turn.evening, turn.evening.entrants[player].replaced_by)
        if taken is not None:
            _give_up(turn.tournament, turn.evening, taken, order, fact.reason)
        after = append_fact(turn.tournament, fact, order, evening=turn.evening).evening
        if taken is not None:
            _open_again(turn.tournament, after, taken.number, order)
        return EveningRecorded(evening=after, is_replay=False)


def _table_of(evening: Evening, player: str | None) -> TableSeating | None:
    """Where somebody sits in the round being played."""
    tables = evening.last_round.running if evening.last_round is not None else ()
    return next((table for table in tables if player in table.players), None)


def _give_up(tournament: Tournament, evening: Evening, taken: TableSeating, order: Order, reason: str) -> None:
    number = evening.rounds[-1].round
    give_up(sheets_of_round(tournament, number, [taken.number]), reason, field="player", order=order)
    make_room(tournament, number, Q(number=taken.number))


def _open_again(tournament: Tournament, evening: Evening, number: int, order: Order) -> None:
    """The same table with the same players, but one."""
    last = evening.rounds[-1]
    table = next(table for table in last.running if table.number == number)
    brought = brought_into(tournament, evening)
    open_tables(tournament, [table_draft(evening, last.round, (number, table.players), brought=brought)], order)
