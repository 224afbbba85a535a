"""Creates a whole tournament in one step: the tournament, its plan and its players; new, or as a copy of another.

Rules: docs/how-to/evening.md, "A new tournament". All or nothing; a repeated request returns what it made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from scoring.events import wire
from scoring.events.wire import Event
from scoring.rules.table.formats import RawPlan
from scoring.rules.variants import PRESETS
from scoring.tournament.state import Standing, TournamentState
from tournaments import log
from tournaments.entries.commands.enter import enter_list, terms_of_row
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.commands.self_entry import SelfEntrySettings, change_self_entry
from tournaments.log.context import CommandContext, club_lock, part
from tournaments.models import Club, Player, Tournament
from tournaments.people.players import merged_rows
from tournaments.projections.terms import stakes_of
from tournaments.running.commands.create import Expected, TournamentDraft, create_tournament, make_plan, whole_plan
from tournaments.running.commands.record import record_all_in_tournament, tournament_state

# The reason stored for a free or reduced fee in the list of a new tournament, which directors make.
WITH_TOURNAMENT = "entered with the tournament"
NOT_MEANT = (Standing.WITHDRAWN, Standing.STANDBY)


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeDraft:
    """A tournament with its plan, the players of the club who enter, and a pasted list of names.

    The plan is tried with as many players as `expected`; None: only its structure is checked.
    """

    tournament: TournamentDraft
    plan: RawPlan | None
    players: Sequence[UUID] = ()
    rows: Sequence[EntryRow] = ()
    expected: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp:
    """The tournament, how many entered, and how many of those chosen are no longer in the club."""

    tournament: Tournament
    entered: int
    gone: int = 0


def set_up(club: Club, draft: WholeDraft, *, context: CommandContext) -> SetUp:
    """Create a tournament, its plan and its entries. Raises OptionsRejected, EventNotAllowed with every problem.

    `context.asked` is the digest of everything that was sent: with anything changed it raises KeyReused.
    """
    here = Player.objects.present().filter(club=club, id__in=draft.players)
    members = dict(here.values_list("id", "is_member"))
    players = [player for player in dict.fromkeys(draft.players) if player in members]
    context = replace(context, asked=context.asked or wire.request_digest(str(club.pk), "set_up"))
    with club_lock(club.pk):
        tournament = _made(club, context)
        if tournament is None:
            tournament = create_tournament(club, draft.tournament, context=context)
            if draft.plan is not None:
                expected = Expected(players=draft.expected)
                make_plan(tournament.pk, draft.plan, context=part(context, "plan"), expected=expected)
            _enter(tournament, players, members, context)
            if draft.rows:
                rows = [replace(row, reason=row.reason or WITH_TOURNAMENT) for row in draft.rows]
                enter_list(tournament.pk, rows, context=part(context, "names"), adds_new=True)
        entered = len(tournament_state(tournament).field())
    return SetUp(tournament=tournament, entered=entered, gone=len(set(draft.players)) - len(players))


def repeat_tournament(source: Tournament, *, context: CommandContext, name: str = "") -> SetUp:
    """Create a copy of a tournament, starting now: its rules and stakes, its plan, and all who had entered.

    Without a `name` of its own it has the source's.

    The plan is not tried: some players may be gone, and the plan's page shows what that changes. Raises OptionsRejected
    if this service no longer knows its game.
    """
    plan = tournament_state(source).plan
    draft = TournamentDraft(
        name=name or source.name,
        preset=source.preset if source.preset in PRESETS else "",
        variant=source.variant,
        starts_at=context.now,
        is_published=source.is_published,
        options=dict(source.options),
        **stakes_of(source),
    )
    whole = WholeDraft(tournament=draft, plan=whole_plan(plan) if plan else None, players=people_of(source))
    with club_lock(source.club_id):
        done = set_up(source.club, whole, context=context)
        # Until its own start: the source's last moment is over.
        settings = SelfEntrySettings(
            takes_entries=source.takes_entries,
            places=source.places,
            shows=source.shows_entrants,
            asks_email=source.asks_email,
            asks_phone=source.asks_phone,
        )
        return replace(done, tournament=change_self_entry(done.tournament.pk, settings))


def people_of(tournament: Tournament) -> tuple[UUID, ...]:
    """The players of a copy: all who had entered, arrived or not, without substitutes; each person once."""
    merged = merged_rows(tournament.club_id)
    players = (UUID(merged.get(player, player)) for player in _people(tournament_state(tournament)))
    return tuple(dict.fromkeys(players))


def _people(state: TournamentState) -> Iterator[str]:
    for player, entrant in state.entrants.items():
        if entrant.standing not in NOT_MEANT and entrant.plays_for is None:
            yield player


def _made(club: Club, context: CommandContext) -> Tournament | None:
    """The tournament that the same request created before."""
    event = log.first_answer(club.pk, context.key, context.asked)
    return Tournament.objects.filter(club=club, id=event.stream_id).first() if event is not None else None


def _enter(
    tournament: Tournament, players: Sequence[UUID], members: Mapping[UUID, bool], context: CommandContext
) -> None:
    """Enter players of the club, each at their rate."""
    if not players:
        return
    events = [wire.PlayerEntered(player=str(player)) for player in players]
    state = record_all_in_tournament(tournament.pk, events, context=part(context, "players")).state
    plain = EntryRow(number=1, name="")
    all_terms = [
        terms_of_row(state, state.entrants[str(player)], plain, is_member=members[player]) for player in players
    ]
    terms: list[Event] = [event for event in all_terms if event is not None]
    if terms:
        record_all_in_tournament(tournament.pk, terms, context=part(context, "rates"))
