"""Deeds that a client may send twice: the second time they find what the first time made."""

from scoring.problems import KeyReused
from scoring.rules.variants import PRESETS
from tournaments.books.stakes import STAKES
from tournaments.evenings.commands.create import TournamentDraft, create_tournament, in_currency_of
from tournaments.log.context import Order
from tournaments.models import Club, Event, Tournament

DRAWN = ("preset", *STAKES, "starts_at", "is_published")


def create_tournament_once(club: Club, draft: TournamentDraft, *, order: Order) -> tuple[Tournament, bool]:
    """A tournament, and whether this key had made it before. Raises OptionsRejected, or KeyReused."""
    draft = in_currency_of(club, draft)
    if not Event.objects.filter(club=club, key=order.key).exists():
        try:
            return create_tournament(club, draft, order=order), False
        except KeyReused:
            # Sent twice at once: the other one was stored between our two lines.
            pass
    event = Event.objects.filter(club=club, key=order.key).first()
    found = Tournament.objects.filter(id=event.stream_id).first() if event and event.version == 1 else None
    if found is None or not _is_of(draft, found):
        raise KeyReused(f"the idempotency key {order.key!r} was used for another request")
    return found, True


def _is_of(draft: TournamentDraft, row: Tournament) -> bool:
    """Whether a tournament is the one that a draft asks for."""
    is_alike = all(getattr(row, name) == getattr(draft, name) for name in DRAWN) and row.name == draft.name.strip()
    return is_alike and row.options == {**PRESETS[row.preset][1].options, **draft.options}
