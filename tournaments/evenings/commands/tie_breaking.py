"""Settling level players: by an extra deal, by a high card, or by lots with a seed that is stored and shown.

Rules: docs/rules/tournaments.md, "Ties". What came out is one fact; a later word on the same players replaces it.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec

from scoring.evening.standings.tiebreaks import by_high_card
from scoring.evening.state.refusals import of_player
from scoring.facts import wire
from scoring.problems import FactRejected, Problem, refuse_if, shown
from scoring.rules.cards import Card, CardsRejected, parse_cards
from tournaments.draw import lots, seed_as_read
from tournaments.evenings.commands.record import EveningRecorded, record_in_evening
from tournaments.evenings.commands.stream import evening_of
from tournaments.log.context import Order
from tournaments.models import Event, Tournament
from tournaments.people.naming import named


def settle_by_extra_deal(
    tournament_id: UUID, players: Sequence[str], *, order: Order, stage: int | None = None
) -> EveningRecorded:
    """Level players in the order in which an extra deal left them. Raises FactRejected, KeyReused."""
    settled = wire.TieSettled(stage=_stage(tournament_id, stage, order), order=tuple(players), method="extra_deal")
    return record_in_evening(tournament_id, settled, order=order)


def settle_by_high_card(
    tournament_id: UUID, cards: Mapping[str, str], *, order: Order, stage: int | None = None
) -> EveningRecorded:
    """Level players by the card that each drew of one pack. Raises FactRejected with every card that cannot be."""
    drawn, problems = _read_cards(cards)
    refuse_if(named(Tournament.objects.values_list("club_id", flat=True).get(id=tournament_id), problems), FactRejected)
    settled = wire.TieSettled(
        stage=_stage(tournament_id, stage, order),
        order=by_high_card(drawn),
        method="high_card",
        cards={player: str(card) for player, card in drawn.items()},
    )
    return record_in_evening(tournament_id, settled, order=order)


def settle_by_lots(
    tournament_id: UUID, players: Sequence[str], *, seed: str, order: Order, stage: int | None = None
) -> EveningRecorded:
    """Level players by lots: anybody can draw them again from the seed. Raises FactRejected, KeyReused."""
    read = seed_as_read(seed)
    settled = wire.TieSettled(
        stage=_stage(tournament_id, stage, order), order=lots(read, players), method="lots", seed=read
    )
    return record_in_evening(tournament_id, settled, order=order)


def was_settled(tournament_id: UUID, order: Order) -> bool:
    """Whether a tie was stored under this order's key. What it said is compared where it is sent again."""
    return _stored_stage(tournament_id, order) is not None


def _stage(tournament_id: UUID, stage: int | None, order: Order) -> int:
    """The stage that is being played, unless another one is meant; of a resend, the one that was played at first."""
    known = stage or _stored_stage(tournament_id, order)
    return known or evening_of(Tournament.objects.get(id=tournament_id)).stage


def _stored_stage(tournament_id: UUID, order: Order) -> int | None:
    stored = Event.objects.filter(stream_id=tournament_id, key=order.key, kind=wire.TieSettled.kind)
    body = stored.values_list("body", flat=True).first()
    return None if body is None else int(msgspec.json.decode(body)["stage"])


def _read_cards(cards: Mapping[str, str]) -> tuple[dict[str, Card], list[Problem]]:
    """The cards as drawn; a problem for each that is no card, is a joker, or was drawn by somebody before."""
    drawn: dict[str, Card] = {}
    problems: list[Problem] = []
    for player, text in cards.items():
        try:
            read = parse_cards(text, "cards")
        except CardsRejected as refused:
            problems += [of_player(player, found.code, f"{{seat}}: {found.detail}") for found in refused.problems]
            continue
        if len(read) != 1 or read[0].is_printed_joker:
            detail = f"{{seat}} draws one card, and a joker has no height: {shown(text)}"
            problems.append(of_player(player, "not_a_choice", detail, field="cards"))
        elif read[0] in drawn.values():
            detail = f"{{seat}}: {read[0]} was drawn already, and there is one in the pack"
            problems.append(of_player(player, "card_drawn_twice", detail, field="cards"))
        else:
            drawn[player] = read[0]
    return drawn, problems
