"""Data of the public pages: clubs that publish, their tournaments, and the columns a page's version depends on.

Checks no permission: whether the user may see what is not published is the caller's question.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery

from scoring.tournament import TournamentState
from tournaments.boards.winners import InFront, in_front, known_in_front, planned_states
from tournaments.models import Club, EveningSheet, Scoresheet, Standing, Table, Tournament
from tournaments.tables.queries.sheets import SUBSTITUTED

# The feeds of a club: its published tournaments, and when each last changed.

MOST_IN_CALENDAR = 200


def calendar_of(club: Club) -> list[Tournament]:
    """The club's latest published tournaments, the last to start first."""
    tournaments = club.tournaments.filter(is_published=True).exclude(evening_sheet__is_rehearsal=True)
    return list(tournaments.select_related("club").order_by("-starts_at", "name", "id")[:MOST_IN_CALENDAR])


def last_words(tournaments: Sequence[Tournament]) -> dict[UUID, datetime]:
    """When the latest event at a table was recorded or the tournament was closed, else when it was created."""
    ids = [tournament.id for tournament in tournaments]
    sheets = Scoresheet.objects.filter(table__tournament_id__in=ids).values_list("table__tournament_id")
    heard = dict(sheets.annotate(last=Max("last_recorded_at")))
    return {
        tournament.id: max(
            moment
            for moment in (tournament.created_at, tournament.closed_at, heard.get(tournament.id))
            if moment is not None
        )
        for tournament in tournaments
    }


# Data of the public pages: clubs that publish, their tournaments, and the columns a page's version depends on.

MOST_LOOKED_AT = 200
MOST_RUNNING = 20
MOST_COMING = 12
MOST_RESULTS = 12
MOST_FIRST = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentCard:
    """A tournament on its club's page: its progress, its leaders or winners, and the number of entries.

    `heard` is when the last event at one of its tables was recorded. `entries` are set for a planned tournament before
    it begins.
    """

    tournament: Tournament
    tables: int
    finished: int
    players: int
    has_plan: bool = False
    front: tuple[InFront, ...] = ()
    entries: int | None = None
    heard: datetime | None = None

    @property
    def first(self) -> tuple[str, ...]:
        """The names of the players in first place, at most `MOST_FIRST`."""
        return tuple(leader.name for leader in self.front if leader.place == 1)[:MOST_FIRST]

    @property
    def is_finished(self) -> bool:
        """Whether it is over: with a plan only once it is closed, as no table plays between the rounds."""
        if self.has_plan or self.tournament.closed_at is not None:
            return self.tournament.closed_at is not None
        return self.tables > 0 and self.finished == self.tables


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubCard:
    """A club in the list of clubs: how many of its tournaments are running, and which begins next."""

    club: Club
    running: int
    following: Tournament | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPage:
    """A club's tournaments: running now, next, and the last results."""

    club: Club
    running: tuple[TournamentCard, ...]
    coming: tuple[TournamentCard, ...]
    results: tuple[TournamentCard, ...]


def published_clubs(now: datetime) -> list[ClubCard]:
    """Every club that publishes, by name, in three queries however many there are."""
    public = published_tournaments().filter(closed_at=None)
    running = Counter(public.filter(_is_running()).values_list("club_id", flat=True))
    coming = public.filter(club=OuterRef("pk"), starts_at__gte=now).exclude(Exists(_sheets()))
    clubs = Club.objects.filter(is_published=True).order_by("name", "id")
    listed_clubs = list(clubs.annotate(next=Subquery(coming.order_by("starts_at", "name").values("id")[:1])))
    following = Tournament.objects.in_bulk([club.next for club in listed_clubs if club.next])
    return [ClubCard(club=club, running=running[club.id], following=following.get(club.next)) for club in listed_clubs]


def tournament_by_address(club_slug: str, slug: str) -> Tournament | None:
    """A tournament with its club by the slugs of its URL, published or not."""
    return Tournament.objects.select_related("club__shown_version").filter(club__slug=club_slug, slug=slug).first()


def sheet_by_address(club_slug: str, slug: str, table_round: int, number: int) -> Scoresheet | None:
    """A table's score sheet row, without its state, by the parts of its URL.

    Annotated with the numbers of the neighbouring tables of its round (`number_before`, `number_after`), None at the
    ends.
    """
    round_mates = Table.objects.filter(tournament=OuterRef("table__tournament"), round=OuterRef("table__round"))
    round_mates = round_mates.exclude(scoresheet__is_cancelled=True, scoresheet__deals=0, scoresheet__has_totals=False)
    before = round_mates.filter(number__lt=OuterRef("table__number")).order_by("-number").values("number")[:1]
    after = round_mates.filter(number__gt=OuterRef("table__number")).order_by("number").values("number")[:1]
    return (
        Scoresheet.objects.select_related("table__tournament__club__shown_version")
        .defer("state")
        .annotate(number_before=Subquery(before), number_after=Subquery(after), substituted=SUBSTITUTED)
        .filter(
            table__tournament__club__slug=club_slug,
            table__tournament__slug=slug,
            table__round=table_round,
            table__number=number,
        )
        .first()
    )


def club_page(club: Club, *, with_hidden: bool) -> ClubPage:
    """A club's page, in seven queries at most; hidden tournaments only for those who may see them."""
    newest = _of_club(club, with_hidden=with_hidden).order_by("-starts_at", "name")[:MOST_LOOKED_AT]
    cards = _cards(list(newest))
    running = [card for card in cards if card.tables and not card.is_finished][:MOST_RUNNING]
    coming = [card for card in cards if not card.tables and not card.is_finished]
    coming = sorted(coming, key=lambda card: card.tournament.starts_at)[:MOST_COMING]
    results = [card for card in cards if card.is_finished and card.tables][:MOST_RESULTS]
    begun = [card.tournament for card in (*running, *results)]
    known = known_in_front(begun)
    missing = [each for each in begun if each.id not in known]
    states = planned_states([*missing, *(card.tournament for card in coming)])
    front = known | in_front(missing, states)
    return ClubPage(
        club=club,
        running=tuple(_with_front(card, front) for card in running),
        coming=tuple(_with_entries(card, states.get(card.tournament.id)) for card in coming),
        results=tuple(_with_front(card, front) for card in results),
    )


def running_tournaments(club: Club, *, with_hidden: bool) -> list[Tournament]:
    """The running tournaments of a club, the latest first, in one query: the list "Running now" of its page."""
    tournaments = _of_club(club, with_hidden=with_hidden).filter(_is_running(), closed_at=None)
    return list(tournaments.select_related("club__shown_version").order_by("-starts_at", "name")[:MOST_RUNNING])


def running_cards(tournaments: Sequence[Tournament]) -> list[TournamentCard]:
    """The cards of some tournaments with their leaders, in five queries at most."""
    known = known_in_front(tournaments)
    missing = [each for each in tournaments if each.id not in known]
    front = known | in_front(missing, planned_states(missing))
    return [_with_front(card, front) for card in _cards(tournaments)]


def published_tournaments() -> QuerySet[Tournament]:
    """Every tournament that is public, with its club; practice tournaments are excluded."""
    tournaments = Tournament.objects.filter(is_published=True, club__is_published=True)
    return tournaments.exclude(evening_sheet__is_rehearsal=True).select_related("club")


def _of_club(club: Club, *, with_hidden: bool) -> QuerySet[Tournament]:
    chosen = club.tournaments.all()
    return chosen if with_hidden else chosen.filter(is_published=True).exclude(evening_sheet__is_rehearsal=True)


def _sheets() -> QuerySet[Scoresheet]:
    return Scoresheet.objects.filter(table__tournament=OuterRef("pk"))


def _is_running() -> Q:
    """Tournaments with a table in play; a planned one runs from its first table until it is closed."""
    return Q(Exists(_sheets().filter(is_finished=False))) | Q(Exists(_sheets()), evening_sheet__has_plan=True)


def _with_front(card: TournamentCard, front: Mapping[UUID, tuple[InFront, ...]]) -> TournamentCard:
    """The card with the first places, and the number of players as on the board once it has any."""
    first = front.get(card.tournament.id, ())
    return replace(card, front=first, players=first[0].players if first else card.players)


def _with_entries(card: TournamentCard, state: TournamentState | None) -> TournamentCard:
    """The card with the number of entries so far; unchanged without a plan, as no player enters before seating then."""
    return replace(card, entries=len(state.field())) if state is not None else card


def _cards(tournaments: Sequence[Tournament]) -> list[TournamentCard]:
    """The card of each tournament, with how many of its tables were opened and how many are finished."""
    ids = [tournament.id for tournament in tournaments]
    tables = (
        Scoresheet.objects.filter(table__tournament_id__in=ids)
        .exclude(is_cancelled=True, deals=0, has_totals=False)
        .values_list("table__tournament_id")
        .annotate(
            opened=Count("table_id"),
            over=Count("table_id", filter=Q(is_finished=True)),
            heard=Max("last_recorded_at"),
        )
    )
    counts = {tournament: figures for tournament, *figures in tables}
    players = dict(
        Standing.objects.filter(tournament_id__in=ids)
        .values_list("tournament_id")
        .annotate(players=Count("player_id", distinct=True))
    )
    planned = set(
        EveningSheet.objects.filter(tournament__in=ids, has_plan=True).values_list("tournament_id", flat=True)
    )
    cards = []
    for tournament in tournaments:
        opened, over, heard = counts.get(tournament.id, (0, 0, None))
        cards.append(
            TournamentCard(
                tournament=tournament,
                tables=opened,
                finished=over,
                players=players.get(tournament.id, 0),
                has_plan=tournament.id in planned,
                heard=heard,
            )
        )
    return cards
