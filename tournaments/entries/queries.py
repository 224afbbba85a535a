"""The entries of a tournament, A to Z: the list of the check-in desk, its counters, and its ETag.

Rules: docs/how-to/evening.md, "Entries and the desk". Two queries whatever the number of players.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Subquery

from scoring.cash import load_book
from scoring.messages import Message, say
from scoring.tournament import Entrant, TournamentState, load_tournament_state
from scoring.tournament.state import Standing
from scoring.tournament.state.fees import (
    counted_entries,
    due_minor,
    is_booked,
    overpaid_minor,
    place_unpaid_minor,
    unpaid_by_player,
    unpaid_minor,
)
from tournaments import log
from tournaments.log.reading import tournament_state_from
from tournaments.models import CashBook, EveningSheet, Player, Tournament
from tournaments.models.people import is_named, search_key, searched_words
from tournaments.models.public_names import Names, telling_name
from tournaments.people.players import actor_names
from tournaments.projections.shown import version_shown
from tournaments.release import tag_digest
from tournaments.rendering.left_out import pairs_of
from tournaments.running.remembered_names import RememberedName, names_of_players

GONE = (Standing.WITHDRAWN, Standing.SUBSTITUTED, Standing.LEFT, Standing.ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """One entrant with a unique label and the amount still to pay.

    `unpaid_minor` is what would be owed at the end, also if the player has left or was replaced; `place_unpaid_minor`
    is what is unpaid of the place that they play on; `overpaid_minor` is what they have paid too much. `standby_place`
    counts from 1 in the order in which free places become theirs; it is 0 for who is not on the standby list.
    """

    player: str
    name: str
    # The search key of the name.
    key: str
    entrant: Entrant
    due_minor: int
    unpaid_minor: int = 0
    place_unpaid_minor: int = 0
    overpaid_minor: int = 0
    standby_place: int = 0

    @property
    def is_gone(self) -> bool:
        return self.entrant.standing in GONE

    @property
    def is_waiting(self) -> bool:
        return self.standby_place > 0

    @property
    def is_paid(self) -> bool:
        """Whether something was paid, and nothing is due."""
        return self.entrant.paid_minor > 0 and not self.due_minor


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCounts:
    """The counters of the list. `unpaid` of `entries` are not paid: players who left or were replaced count."""

    entered: int
    checked_in: int
    entries: int
    unpaid: int
    standby: int
    absent: int
    gone: int
    taken_minor: int

    @property
    def paid(self) -> int:
        return self.entries - self.unpaid


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """All entrants of a tournament, A to Z."""

    tournament: Tournament
    state: TournamentState
    lines: tuple[EntryLine, ...]

    @property
    def counts(self) -> EntryCounts:
        standings = Counter(line.entrant.standing for line in self.lines)
        playing = [line for line in self.lines if line.entrant.plays]
        return EntryCounts(
            entered=len(playing),
            checked_in=sum(line.entrant.is_checked_in for line in playing),
            entries=counted_entries(self.state, self.tournament.entry_minor),
            unpaid=sum(line.unpaid_minor > 0 for line in self.lines),
            standby=standings[Standing.STANDBY],
            absent=standings[Standing.ABSENT],
            gone=standings[Standing.WITHDRAWN] + standings[Standing.LEFT] + standings[Standing.SUBSTITUTED],
            taken_minor=sum(line.entrant.paid_minor for line in self.lines),
        )

    def line_of(self, player: str) -> EntryLine | None:
        return next((line for line in self.lines if line.player == player), None)

    def name_of(self, player: str | None) -> str:
        line = self.line_of(player) if player else None
        return line.name if line else ""

    def tag(self, *asked: object) -> str:
        """An ETag of what the list shows: its version, and what the user may do and asked for."""
        return _tag(self.tournament, self.state.version, asked)


def entries(tournament: Tournament) -> Entries:
    """Every entrant, whatever their status."""
    state = _state(tournament)
    remembered_names = names_of_players(tournament.club, state.entrants)
    times = Counter(remembered_name.name for remembered_name in remembered_names.values())
    fee = tournament.entry_minor
    standby = [player for player, entrant in state.entrants.items() if entrant.standing is Standing.STANDBY]
    standby_places = {player: place for place, player in enumerate(standby, start=1)}
    lines = tuple(
        EntryLine(
            player=player,
            name=(
                name := telling_name(remembered_name.name, UUID(player))
                if times[remembered_name.name] > 1
                else remembered_name.name
            ),
            key=remembered_name.key if name == remembered_name.name else search_key(name),
            entrant=state.entrants[player],
            due_minor=due_minor(state, state.entrants[player], fee),
            unpaid_minor=unpaid_minor(state, state.entrants[player], fee),
            place_unpaid_minor=place_unpaid_minor(state, player, fee),
            overpaid_minor=overpaid_minor(state, state.entrants[player], fee),
            standby_place=standby_places.get(player, 0),
        )
        for player, remembered_name in sorted(remembered_names.items(), key=lambda each: (each[1].key, each[0]))
    )
    return Entries(tournament=tournament, state=state, lines=lines)


def entries_tag(tournament: Tournament, *asked: object) -> str:
    """The same as the tag of `entries`, without reading them: in one query."""
    versions = EveningSheet.objects.filter(tournament=tournament).values_list("version", flat=True)
    return _tag(tournament, versions.first() or 0, asked)


def _tag(tournament: Tournament, version: int, asked: tuple[object, ...]) -> str:
    """An ETag over the version, the names of the club, fee and places, and what was asked for."""
    row = (tournament.entry_minor, tournament.currency, tournament.places, tournament.club.locale)
    return f'"{tag_digest(tournament.pk, version, row, asked, version_shown(tournament.club, Names.REAL))}"'


def lacks_till(tournament: Tournament, actor: str) -> bool:
    """Whether entry fees are booked here and this person has no open till for them. In one query."""
    if not tournament.entry_minor or tournament.closed_at is not None:
        return False
    books = CashBook.objects.filter(club=tournament.club_id, currency=tournament.currency, is_closed=False)
    booked = EveningSheet.objects.filter(tournament=tournament, has_plan=True, is_rehearsal=False)
    for state in booked.values_list(Subquery(books.values("state")[:1]), flat=True):
        return state is None or load_book(state).open_till(actor) is None
    return False


def cash_goes_to(
    tournament: Tournament, state: TournamentState, actor: str, *, is_without_till: bool
) -> Message | None:
    """Where the cash goes that this person takes at the desk, as a sentence; None where none is posted.

    `is_without_till`: they chose to take it without a till. One query, two with a till of theirs.
    """
    if state.is_closed or not is_booked(state):
        return None
    books = CashBook.objects.filter(club=tournament.club_id, currency=tournament.currency, is_closed=False)
    book_state = books.values_list("state", flat=True).first()
    till = load_book(book_state).tills.get(actor) if book_state is not None else None
    if till is not None and till.is_open:
        return say("Cash goes to the till of {name}.", name=actor_names({actor}, tournament.club_id).get(actor, actor))
    if is_without_till:
        return say("Cash goes to the check-in desk, without a till.")
    if till is not None:
        return say(
            "The till of {name} is closed: it takes no cash.",
            name=actor_names({actor}, tournament.club_id).get(actor, actor),
        )
    return say("The first payment asks where cash goes.")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpaidEntry:
    """The unpaid amount of an entry on which a player plays or played: their own, or that of a player they replaced.

    `holder` has to pay it, and has paid `paid_minor` so far; `playing` has the place now. `is_booked`: payments are
    posted to the books.
    """

    tournament: Tournament
    holder: str
    playing: str
    unpaid_minor: int
    paid_minor: int
    is_booked: bool


def unpaid_entries(player: Player, currency: str) -> list[UnpaidEntry]:
    """The unpaid entries of a player in tournaments that are not closed, the latest first, in one query.

    Once a tournament is closed, an unpaid entry is a debt on the holder's balance.
    """
    sheets = EveningSheet.objects.filter(
        club_id=player.club_id,
        is_rehearsal=False,
        tournament__currency=currency,
        tournament__closed_at__isnull=True,
        tournament__is_cancelled=False,
    )
    latest = sheets.select_related("tournament").order_by("-tournament__starts_at", "-pk")
    sheets_with_states = pairs_of(latest, lambda sheet: load_tournament_state(sheet.state))
    return [
        entry for sheet, state in sheets_with_states for entry in _unpaid_in(sheet.tournament, state, str(player.pk))
    ]


def _unpaid_in(tournament: Tournament, state: TournamentState, player: str) -> Iterator[UnpaidEntry]:
    for holder in state.before(player):
        entrant = state.entrants.get(holder)
        missing = unpaid_minor(state, entrant, tournament.entry_minor) if entrant else 0
        if entrant and missing:
            yield UnpaidEntry(
                tournament=tournament,
                holder=holder,
                playing=state.playing_for(holder),
                unpaid_minor=missing,
                paid_minor=entrant.paid_minor,
                is_booked=is_booked(state),
            )


def matching(lines: Iterable[EntryLine], wanted: str) -> set[str]:
    """The players whose name contains all words of a text."""
    words = searched_words(wanted)
    return {line.player for line in lines if is_named(line.key, words)}


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskToday:
    """What check-in has still to do: how many play and are checked in.

    And who has not paid, who has paid too much and who is a no-show, each as player and name, A to Z.
    """

    entered: int
    checked_in: int
    unpaid: tuple[tuple[str, str], ...]
    overpaid: tuple[tuple[str, str], ...]
    absent: tuple[tuple[str, str], ...]


def desks_today(tournaments: Iterable[Tournament]) -> dict[UUID, DeskToday]:
    """The check-in of those tournaments that are open, in one query and one a club for names not remembered."""
    rows = {row.pk: row for row in tournaments if row.closed_at is None}
    sheets = EveningSheet.objects.filter(tournament__in=rows)
    states = {
        sheet.tournament_id: state
        for sheet, state in pairs_of(sheets, lambda sheet: load_tournament_state(sheet.state))
    }
    sought = {pk: _sought(rows[pk], state) for pk, state in states.items()}
    names: dict[str, RememberedName] = {}
    for club in {rows[pk].club for pk in sought}:
        of_club = [players for pk in sought if rows[pk].club == club for players in sought[pk]]
        names |= names_of_players(club, set().union(*of_club))
    return {pk: _desk_today(state, sought[pk], names) for pk, state in states.items()}


def _sought(tournament: Tournament, state: TournamentState) -> tuple[list[str], list[str], list[str]]:
    """Who has not paid, who has paid too much, and who is a no-show."""
    fee, entrants = tournament.entry_minor, state.entrants.items()
    return (
        list(unpaid_by_player(state, fee)),
        [player for player, entrant in entrants if overpaid_minor(state, entrant, fee)],
        [player for player, entrant in entrants if entrant.standing is Standing.ABSENT],
    )


def _desk_today(
    state: TournamentState, sought: tuple[list[str], list[str], list[str]], names: Mapping[str, RememberedName]
) -> DeskToday:
    playing = [entrant for entrant in state.entrants.values() if entrant.plays]
    listed = [sorted((names[player].key, player) for player in players if player in names) for players in sought]
    unpaid, overpaid, absent = (tuple((player, names[player].name) for _, player in line) for line in listed)
    return DeskToday(
        entered=len(playing),
        checked_in=sum(entrant.is_checked_in for entrant in playing),
        unpaid=unpaid,
        overpaid=overpaid,
        absent=absent,
    )


def _state(tournament: Tournament) -> TournamentState:
    """The tournament as stored in its row; from the log if there is no row yet."""
    state = EveningSheet.objects.filter(tournament=tournament).values_list("state", flat=True).first()
    if state is not None:
        return load_tournament_state(state)
    stored_events = log.read(tournament.club_id, tournament.pk)
    return tournament_state_from(stored_events)
