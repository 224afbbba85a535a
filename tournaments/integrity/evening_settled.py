"""What should stand in the books of an evening while a worker is waited for: what the log said when it was settled.

Rules: docs/decisions/0017-entries-in-the-books.md. Each cause is noted with the position up to which it was settled, so
each is folded up to there, under the terms of then.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

import msgspec

from scoring.facts import wire
from scoring.facts.stored import read_stored
from scoring.ledger.audit import Cause, Sums, planned_sums
from scoring.money.payouts import read_stakes
from tournaments import log
from tournaments.books import entry_causes, prize_cause
from tournaments.evenings.prize_money import EveningMoney
from tournaments.log.folding import evening_from
from tournaments.models import EveningSheet, Scoresheet, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One cause: what should stand for it, and what does."""

    name: str
    wanted: Sums
    stands: Sums


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledMoney:
    """The money of one evening as it was at each position up to which one of its causes was settled."""

    sheet: EveningSheet
    stored: Sequence[log.StoredEvent]
    noted: Mapping[Cause, int]
    # By position; None where nobody can say it any more.
    known: dict[int, dict[str, Sums] | None] = field(default_factory=dict)

    def compared(self, causes: Iterable[object]) -> Iterator[Compared]:
        """Each cause again, held against the moment of its settlement. What cannot be said is passed over."""
        for cause in () if self._is_of_an_earlier_release() else causes:
            if isinstance(cause, Compared):
                wanted = self._at(self.noted.get(Cause(self.sheet.club_id, cause.name), 0))
                if wanted is not None:
                    yield Compared(name=cause.name, wanted=wanted.get(cause.name, {}), stands=cause.stands)

    def _is_of_an_earlier_release(self) -> bool:
        """Prizes and entries were one cause once; an upgrade leaves such an evening to be booked anew."""
        club, prefix = self.sheet.club_id, entry_causes(self.sheet.tournament_id)
        has_prizes = Cause(club, prize_cause(self.sheet.tournament_id)) in self.noted
        return has_prizes and not any(cause.club == club and cause.name.startswith(prefix) for cause in self.noted)

    def _at(self, position: int) -> dict[str, Sums] | None:
        if position not in self.known:
            before = [event for event in self.stored if event.position <= position]
            self.known[position] = self._folded(before, position) if before else {}
        return self.known[position]

    def _folded(self, before: Sequence[log.StoredEvent], position: int) -> dict[str, Sums] | None:
        """Every cause as it was. Where a fact of then is unreadable, an earlier version could read it.

        What an evening that has ended pays follows from its tables: from those of today, unless one has gone on since.
        """
        evening = evening_from(before)
        if evening.unreadable or (evening.is_closed and self._has_gone_on(position)):
            return None
        money = EveningMoney(tournament=_under_its_terms(self.sheet.tournament, before), evening=evening)
        causes = {prize_cause(self.sheet.tournament_id): money.prizes(), **money.entries()}
        return {name: planned_sums(entries) for name, entries in causes.items()}

    def _has_gone_on(self, position: int) -> bool:
        tables = Scoresheet.objects.filter(table__tournament_id=self.sheet.tournament_id)
        return tables.filter(last_position__gt=position).exists()


def _under_its_terms(tournament: Tournament, before: Iterable[log.StoredEvent]) -> Tournament:
    """The tournament with the options and stakes that were told last."""
    as_it_was = copy(tournament)
    for event in before:
        if event.kind in (wire.TournamentOpened.kind, wire.TournamentChanged.kind):
            fact = read_stored(event.kind, event.schema, event.body)
            if isinstance(fact, wire.TournamentOpened | wire.TournamentChanged):
                as_it_was.options = fact.options
                for name, value in msgspec.to_builtins(read_stakes(fact.stakes)).items():
                    setattr(as_it_was, name, value)
    return as_it_was
