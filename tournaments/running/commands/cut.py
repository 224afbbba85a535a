"""Cuts a stage: who qualifies follows from the results, is stored as one event, and can be undone.

Rules: docs/rules/tournaments.md, "Cuts". There is no cut while a table of the stage is open, has conflicting records or
an unconfirmed deal, or while a tie at the cut is not broken.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import msgspec

from scoring.events import wire
from scoring.messages import Message, Seat, say, say_many
from scoring.problems import EventNotAllowed, Problem, refuse_if, shown
from scoring.rules.cards import Card, CardsRejected, parse_cards
from scoring.tournament import TournamentState
from scoring.tournament.standings import CutProposal, TieTask, propose_cut
from scoring.tournament.standings.tiebreaks import by_high_card
from scoring.tournament.state import Cut
from scoring.tournament.state.refusals import of_player
from tournaments import log
from tournaments.draw.search import lots, seed_as_read
from tournaments.log.context import CommandContext, tournament_lock
from tournaments.models import Player, Scoresheet, Table, Tournament
from tournaments.people.players import named
from tournaments.projections.boards import seats_played
from tournaments.projections.terms import game_of
from tournaments.running.commands.record import (
    TournamentRecorded,
    admit,
    append_event,
    record_in_tournament,
    refuse_stale,
    tournament_state,
    was_stored,
)
from tournaments.running.ties import open_ties
from tournaments.tables.commands.table_tokens import late_sheet_problems, still_open, unready

# The tie-break methods, as error messages name them.
METHODS = {"extra_deal": say("extra deal"), "high_card": say("high card"), "lots": say("lots")}


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCut:
    """The result: the tournament after the cut, and whether it had been made before."""

    state: TournamentState
    is_replay: bool


def make_cut(
    tournament_id: UUID, *, context: CommandContext, expected: int | None = None, given: wire.CutMade | None = None
) -> StageCut:
    """Cut the current stage. With `given` only as that says: whoever sent it has seen the same results.

    Raises EventNotAllowed with every problem, StaleTable, KeyReused.
    """
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        if _was_answered(tournament, state, context):
            return StageCut(state=state, is_replay=True)
        refuse_stale(state, context.seen if expected is None else expected)
        proposal = propose_cut(state, seats_played(tournament, state), game_of(tournament, state, state.stage))
        refuse_if(cut_problems(tournament, state, proposal), EventNotAllowed)
        event = _event(proposal)
        refuse_if(_other_results(event, given), EventNotAllowed)
        admit(tournament, state, event)
        return StageCut(state=append_event(tournament, event, context, state=state).state, is_replay=False)


def cut_problems(tournament: Tournament, state: TournamentState, proposal: CutProposal) -> list[Problem]:
    """What stands before the cut of the current stage: rounds and tables, and once they are over, ties to break."""
    return list(_unfinished_problems(tournament, state)) or _tie_problems(tournament, proposal)


def withdraw_cut(tournament_id: UUID, stage: int, *, reason: str, context: CommandContext) -> TournamentState:
    """Undo a cut before the next stage is seated. Raises EventNotAllowed, KeyReused."""
    event = wire.CutWithdrawn(stage=stage, reason=reason.strip())
    return record_in_tournament(tournament_id, event, context=context).state


def _event(cut: CutProposal | Cut) -> wire.CutMade:
    return wire.CutMade(stage=cut.stage, advancing=cut.advancing, carried=dict(cut.carried), left=dict(cut.left))


def _other_results(event: wire.CutMade, given: wire.CutMade | None) -> list[Problem]:
    """Where a cut that was sent whole differs from the results; scores that it leaves out are those of the results."""
    if given is None:
        return []
    detail = say("the results give another cut: read it again")
    return [
        Problem("other_results", detail, field=name)
        for name in event.__struct_fields__
        if getattr(given, name) not in (getattr(event, name), {})
    ]


def _was_answered(tournament: Tournament, state: TournamentState, context: CommandContext) -> bool:
    """Whether the same request made the last cut. The results alone decide a cut, so it is compared with that one."""
    if context.asked:
        return log.first_answer(tournament.club_id, context.key, context.asked) is not None
    return bool(state.cuts) and was_stored(tournament, _event(state.cuts[-1]), context)


def _unfinished_problems(tournament: Tournament, state: TournamentState) -> Iterator[Problem]:
    """Rounds that are not seated; tables that are open, in conflict, unconfirmed or with late sheets."""
    rounds, stage = state.rounds_of(state.stage), state.current
    if stage is not None and len(rounds) < stage.rounds:
        detail = say_many(
            "{first} of {count} round of stage {of} are seated",
            "{first} of {count} rounds of stage {of} are seated",
            count=stage.rounds,
            first=len(rounds),
            of=state.stage,
        )
        yield Problem(code="rounds_left", field="round", detail=detail)
    running = {(seated.round, table.number) for seated in rounds for table in seated.running}
    sheets = Scoresheet.objects.filter(
        table__tournament_id=tournament.id, table__round__in={number for number, _ in running}
    )
    for sheet in sheets.select_related("table").defer("state").order_by("table__round", "table__number"):
        if (sheet.table.round, sheet.table.number) in running and not sheet.is_cancelled:
            yield from unready(sheet)
            if not sheet.is_closed:
                yield still_open(sheet)
    tables = Table.objects.filter(tournament_id=tournament.id, round__in=[seated.round for seated in rounds])
    yield from late_sheet_problems(tables)


def _tie_problems(tournament: Tournament, proposal: CutProposal) -> list[Problem]:
    """A problem for every tie that the cut would have to break, with the players' names, in one query."""
    level = [player for task in proposal.tasks for player in task.players]
    name_rows = Player.objects.filter(club_id=tournament.club_id, id__in=level).values_list("id", "name")
    names = {str(player): name for player, name in name_rows}
    return [
        Problem(
            code="tie_to_settle",
            field="advancing",
            detail=say_many(
                "{list} are tied at the cut ({where}), and {count} of them qualifies: break the tie by {what}",
                "{list} are tied at the cut ({where}), and {count} of them qualify: break the tie by {what}",
                count=task.places,
                list=tuple(names.get(player, player) for player in task.players),
                where=task.where,
                what=_either(task.methods),
            ),
        )
        for task in proposal.tasks
    ]


def _either(methods: Sequence[str]) -> Message:
    first, *others = methods
    if not others:
        return METHODS[first]
    return say("{word} or by {kind}", word=METHODS[first], kind=_either(others))


# Breaking ties: by an extra deal, by a high card, or by lots with a stored and published seed. Only a tie that is open
# can be broken, and only in a way that the plan allows; lots and cards give the order themselves.


def settle_by_extra_deal(tournament_id: UUID, players: Sequence[str], *, context: CommandContext) -> TournamentRecorded:
    """Break a tie by the order in which an extra deal left the players. Raises EventNotAllowed, KeyReused."""
    return settle_tie(
        tournament_id, wire.TieSettled(stage=1, order=tuple(players), method="extra_deal"), context=context
    )


def settle_by_high_card(
    tournament_id: UUID, cards: Mapping[str, str], *, context: CommandContext
) -> TournamentRecorded:
    """Break a tie by the card that each player drew from one pack. Raises EventNotAllowed with every invalid card."""
    drawn, problems = _read_cards(cards)
    club = Tournament.objects.values_list("club_id", flat=True).get(id=tournament_id)
    refuse_if(named(club, problems), EventNotAllowed)
    settled = wire.TieSettled(
        stage=1,
        order=by_high_card(drawn),
        method="high_card",
        cards={player: str(card) for player, card in drawn.items()},
    )
    return settle_tie(tournament_id, settled, context=context)


def settle_by_lots(
    tournament_id: UUID, players: Sequence[str], *, seed: str, context: CommandContext
) -> TournamentRecorded:
    """Break a tie by lots that anyone can repeat from the seed. Raises SeatingRejected, EventNotAllowed, KeyReused."""
    seed_text = seed_as_read(seed)
    settled = wire.TieSettled(stage=1, order=lots(seed_text, players), method="lots", seed=seed_text)
    return settle_tie(tournament_id, settled, context=context)


def settle_tie(tournament_id: UUID, event: wire.TieSettled, *, context: CommandContext) -> TournamentRecorded:
    """Store how a tie was broken, for the stage whose tie it is.

    Raises EventNotAllowed if these players have no open tie, if the plan breaks it otherwise, or if the lots or cards
    give another order; StaleTable, KeyReused.
    """
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        stage = _stored_stage(tournament, context)
        if stage is None:
            ties = (tie for tie in open_ties(tournament, state) if set(tie.players) == set(event.order))
            tie = next((tie for tie in ties if event.method in tie.methods), None)
            refuse_if(named(tournament.club_id, list(_tie_breaking_problems(event, tie))), EventNotAllowed)
            stage = tie.stage if tie is not None else state.stage
        return record_in_tournament(tournament_id, msgspec.structs.replace(event, stage=stage), context=context)


def _tie_breaking_problems(event: wire.TieSettled, tie: TieTask | None) -> Iterator[Problem]:
    if tie is None or len(tie.players) != len(event.order):
        yield Problem("not_a_choice", say("this tie is closed, or is broken in another way"), field="order")
    elif event.method == "lots" and event.order != lots(event.seed, event.order):
        yield Problem("not_a_choice", say("the lots give another order"), field="order")
    elif event.method == "high_card":
        drawn, problems = _read_cards(event.cards)
        yield from problems
        if not problems and event.order != by_high_card(drawn):
            yield Problem("not_a_choice", say("the cards give another order"), field="order")


def _stored_stage(tournament: Tournament, context: CommandContext) -> int | None:
    """The stage with which a resent request was stored; None for a new one. Its content is compared afterwards."""
    settled = log.read_kinds(tournament.club_id, [tournament.pk], [wire.TieSettled.kind])
    own_events = (event for event in settled if event.key == log.key_id(context.key))
    return next((int(msgspec.json.decode(event.body)["stage"]) for event in own_events), None)


def _read_cards(cards: Mapping[str, str]) -> tuple[dict[str, Card], list[Problem]]:
    """The cards as drawn; a problem for each that is no card, is a joker, or was drawn by another player before."""
    drawn: dict[str, Card] = {}
    problems: list[Problem] = []
    for player, text in cards.items():
        try:
            parsed_cards = parse_cards(text, "cards")
        except CardsRejected as refused:
            problems += [
                of_player(player, problem.code, say("{seat}: {why}", seat=Seat(player), why=problem.message))
                for problem in refused.problems
            ]
            continue
        if len(parsed_cards) != 1 or parsed_cards[0].is_printed_joker:
            card_text = shown(text)
            detail = say(
                "{seat} draws one card, and a joker has no height: {typed}", seat=Seat(player), typed=card_text
            )
            problems.append(of_player(player, "not_a_choice", detail, field="cards"))
        elif parsed_cards[0] in drawn.values():
            card = str(parsed_cards[0])
            detail = say("{seat}: {card} was drawn already, and there is one in the pack", seat=Seat(player), card=card)
            problems.append(of_player(player, "card_drawn_twice", detail, field="cards"))
        else:
            drawn[player] = parsed_cards[0]
    return drawn, problems
