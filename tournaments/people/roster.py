"""Who can still be seated: the players of a club under names that tell any two of them apart."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Max

from tournaments.models import Player, Seat, Table, Tournament
from tournaments.models.public_names import telling_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Players by the name they are picked by. Where two share a name, some letters of the id follow it."""

    by_label: Mapping[str, UUID]
    seated: frozenset[UUID]

    @property
    def free_labels(self) -> list[str]:
        """Names of players who sit at no table of the round, given up ones apart."""
        return [label for label, player in self.by_label.items() if player not in self.seated]


def roster(tournament: Tournament, round_number: int) -> Roster:
    """Everybody who has not been erased, in two queries."""
    rows = Player.objects.filter(club_id=tournament.club_id, erased_at__isnull=True)
    players = list(rows.values_list("id", "name"))
    times = Counter(name for _, name in players)
    labels = {telling_name(name, player) if times[name] > 1 else name: player for player, name in players}
    seated = Seat.objects.filter(table__tournament=tournament, table__round=round_number).exclude(
        table__scoresheet__is_cancelled=True
    )
    return Roster(by_label=labels, seated=frozenset(seated.values_list("player_id", flat=True)))


def next_table(tournament: Tournament) -> tuple[int, int]:
    """The round that is being seated and the first number free in it."""
    last = Table.objects.filter(tournament=tournament).order_by("-round").values_list("round", flat=True).first() or 1
    highest = Table.objects.filter(tournament=tournament, round=last).aggregate(highest=Max("number"))["highest"]
    return last, (highest or 0) + 1
