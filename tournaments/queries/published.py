"""What the public pages show: clubs that publish, their tournaments, and the few columns that tell a page's version.

Nobody is asked for here: whether somebody may see what is not published is the door's question.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Count, Q

from scoring.evening import Evening, load_evening
from scoring.projections.leaderboard import SeatLine, leaderboard
from scoring.rules.variants import variant
from tournaments.evenings import NamedLine, lines_by_tournament, played_from
from tournaments.models import Club, EveningSheet, Scoresheet, Standing, Tournament
from tournaments.queries.stages import names_for, planned_rows

MOST_LOOKED_AT = 200
MOST_RUNNING = 20
MOST_COMING = 12
MOST_RESULTS = 12
MOST_FIRST = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentCard:
    """A tournament on its club's page: how far it is, and who leads or has won."""

    tournament: Tournament
    tables: int
    finished: int
    players: int
    has_plan: bool = False
    first: tuple[str, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Between the rounds of a plan no table plays, and yet it runs until it is closed."""
        if self.has_plan or self.tournament.closed_at is not None:
            return self.tournament.closed_at is not None
        return self.tables > 0 and self.finished == self.tables


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPage:
    """A club's tournaments: running now, next, and the last results."""

    club: Club
    running: tuple[TournamentCard, ...]
    coming: tuple[TournamentCard, ...]
    results: tuple[TournamentCard, ...]


def published_clubs() -> list[Club]:
    """Every club that publishes, by name, with the number of its running tournaments."""
    shown = Q(tournaments__is_published=True, tournaments__closed_at__isnull=True, tournaments__tables__isnull=False)
    return list(
        Club.objects.filter(is_published=True)
        .annotate(open_tournaments=Count("tournaments", filter=shown, distinct=True))
        .order_by("name", "id")
    )


def tournament_by_address(club_slug: str, slug: str) -> Tournament | None:
    """A tournament with its club by the words of its address, published or not."""
    return Tournament.objects.select_related("club").filter(club__slug=club_slug, slug=slug).first()


def sheet_by_address(club_slug: str, slug: str, table_round: int, number: int) -> Scoresheet | None:
    """A table's score sheet row, without its state, by the words of its address."""
    return (
        Scoresheet.objects.select_related("table__tournament__club")
        .defer("state")
        .filter(
            table__tournament__club__slug=club_slug,
            table__tournament__slug=slug,
            table__round=table_round,
            table__number=number,
        )
        .first()
    )


def board_names(tournament_id: UUID) -> list[str]:
    """The names on a board in a fixed order: a renamed or erased player changes the page, though no fact did."""
    names = Standing.objects.filter(tournament_id=tournament_id).order_by("table_id", "seat_number")
    return list(names.values_list("player__name", flat=True))


def club_page(club: Club, *, with_hidden: bool) -> ClubPage:
    """A club's page, in seven queries at most; hidden tournaments only for those who may see them."""
    chosen = club.tournaments.all()
    shown = chosen if with_hidden else chosen.filter(is_published=True).exclude(evening_sheet__is_rehearsal=True)
    newest = shown.order_by("-starts_at", "name")[:MOST_LOOKED_AT]
    cards = _cards(list(newest))
    running = [card for card in cards if card.tables and not card.is_finished][:MOST_RUNNING]
    coming = [card for card in cards if not card.tables and not card.is_finished]
    results = [card for card in cards if card.is_finished and card.tables][:MOST_RESULTS]
    first = _first_places([card.tournament for card in (*running, *results)])
    return ClubPage(
        club=club,
        running=tuple(replace(card, first=first.get(card.tournament.id, ())) for card in running),
        coming=tuple(sorted(coming, key=lambda card: card.tournament.starts_at)[:MOST_COMING]),
        results=tuple(replace(card, first=first.get(card.tournament.id, ())) for card in results),
    )


def _cards(tournaments: Sequence[Tournament]) -> list[TournamentCard]:
    """Each tournament with how many of its tables are over, and how many play."""
    ids = [tournament.id for tournament in tournaments]
    tables = (
        Scoresheet.objects.filter(table__tournament_id__in=ids)
        .values_list("table__tournament_id")
        .annotate(opened=Count("table_id"), over=Count("table_id", filter=Q(is_finished=True)))
    )
    counts = {tournament: (opened, over) for tournament, opened, over in tables}
    players = dict(
        Standing.objects.filter(tournament_id__in=ids)
        .values_list("tournament_id")
        .annotate(players=Count("player_id", distinct=True))
    )
    planned = set(
        EveningSheet.objects.filter(tournament__in=ids, has_plan=True).values_list("tournament_id", flat=True)
    )
    return [
        TournamentCard(
            tournament=tournament,
            tables=counts.get(tournament.id, (0, 0))[0],
            finished=counts.get(tournament.id, (0, 0))[1],
            players=players.get(tournament.id, 0),
            has_plan=tournament.id in planned,
        )
        for tournament in tournaments
    ]


def _first_places(tournaments: Sequence[Tournament]) -> dict[UUID, tuple[str, ...]]:
    """The names in the first place of each board, in two queries, three where an evening is planned."""
    evenings = EveningSheet.objects.filter(tournament__in=tournaments, has_plan=True)
    states = dict(evenings.values_list("tournament_id", "state"))
    planned = [tournament for tournament in tournaments if tournament.id in states]
    lines = lines_by_tournament(states) if states else {}
    first = _first_of_unplanned([tournament for tournament in tournaments if tournament.id not in states])
    for tournament in planned:
        first[tournament.id] = _first_of_planned(tournament, load_evening(states[tournament.id]), lines[tournament.id])
    return first


def _first_of_planned(tournament: Tournament, evening: Evening, lines: Sequence[NamedLine]) -> tuple[str, ...]:
    """Who stands first in the stage in force. Ties that only the last deal would break are left as they are."""
    if not any(named.line.deals_played for named in lines):
        return ()
    played = played_from(tournament, evening, [(named.line, named.place, named.is_cancelled) for named in lines], {})
    by_seat = {(named.line.round, named.line.table, named.line.player): named.line for named in lines}
    first = [row for row in planned_rows(tournament, evening, played, by_seat) if row.place == 1][:MOST_FIRST]
    names = names_for(first, {named.line.player: named.name for named in lines})
    return tuple(names[row.line.player] for row in first)


def _first_of_unplanned(tournaments: Sequence[Tournament]) -> dict[UUID, tuple[str, ...]]:
    """The names in the first place of each board without a plan, in one query; nobody before the first deal."""
    rows = (
        Standing.objects.filter(tournament__in=tournaments, deals_played__gt=0)
        .exclude(table__scoresheet__is_cancelled=True)
        .order_by("table_id", "seat_number")
        .values_list("tournament_id", "player_id", "player__name", "table__number", "round", "rank_key")
    )
    lines: dict[UUID, list[SeatLine]] = {}
    names: dict[str, str] = {}
    for tournament_id, player, name, number, table_round, key in rows:
        names[str(player)] = name
        line = SeatLine(player=str(player), table=number, round=table_round, rank_key=tuple(key))
        lines.setdefault(tournament_id, []).append(line)
    first = {}
    for tournament in tournaments:
        board = leaderboard(lines.get(tournament.id, ()), adds_up=variant(tournament.variant).adds_up)
        first[tournament.id] = tuple(names[row.line.player] for row in board if row.place == 1)[:MOST_FIRST]
    return first
