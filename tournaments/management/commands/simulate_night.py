"""`manage.py simulate_night --players 48 --preset pool_101 --seed 1`: simulate a whole tournament."""

import time
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import IntegrityError
from django.utils.timezone import now

from scoring.problems import RuleError
from tournaments.models import Club
from tournaments.rehearsal import rehearsal_club
from tournaments.rehearsal.simulation import SimulatedTournament, SimulationDraft, simulate_tournament


class Command(BaseCommand):
    """Plays a practice tournament in the club of that name; with --real one that counts, in a club without staff."""

    help = "Play a whole plausible night from a seed, through the commands of a scorer and a director."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options: how many players, which game, and which club."""
        parser.add_argument("--players", type=int, required=True, help="how many enter")
        parser.add_argument("--preset", required=True, help="what is played, for example pool_101")
        parser.add_argument("--seed", required=True, help="any text; the same seed gives the same night")
        parser.add_argument("--format", default="", help="an evening by its name, for example two_go_on")
        parser.add_argument("--club", default="", metavar="SLUG", help="in this club; made where there is none")
        parser.add_argument("--real", action="store_true", help="a night that counts, published and settled")

    def handle(self, *, players: int, preset: str, seed: str, real: bool, **options: Any) -> None:
        """Simulate the tournament and print a summary."""
        draft = SimulationDraft(players=players, preset=preset, seed=seed, format=options["format"], is_real=real)
        start = time.perf_counter()
        try:
            simulated = simulate_tournament(_club(options["club"], is_real=real), draft, now=now())
        except RuleError as refused:
            raise CommandError("\n".join(problem.text() for problem in refused.problems)) from refused
        self.stdout.write(_summary(simulated))
        self.stdout.write(f"Played in {time.perf_counter() - start:.1f} s.")


def _club(slug: str, *, is_real: bool) -> Club:
    """Find or create the club. A tournament that counts needs a club of its own."""
    if is_real and not slug:
        raise CommandError("say in which club a night that counts is played: --club SLUG")
    if not slug:
        return rehearsal_club()
    club = Club.objects.filter(slug=slug).first() or _new_club(slug, is_real=is_real)
    if is_real and club.memberships.exists():
        raise CommandError(f"people work at {club.name}: a made-up night that counts is for a club made for it")
    return club


def _new_club(slug: str, *, is_real: bool) -> Club:
    """Create a club, validated as its form would: a slug with odd characters would match no address."""
    club = Club(slug=slug, name=slug.title(), is_published=is_real)
    try:
        club.full_clean()
    except ValidationError as refused:
        raise CommandError(f"there can be no club {slug!r}: {' '.join(refused.messages)}") from refused
    try:
        club.save()
    except IntegrityError as refused:
        raise CommandError(f"there can be no club {slug!r}: {refused}") from refused
    return club


def _summary(simulated: SimulatedTournament) -> str:
    """Summarise what a director would want to know, in a few lines."""
    recorded, tournament = simulated.recorded, simulated.tournament
    corrected, moved = recorded["deal_corrected"], recorded["players_moved"]
    verb = "share the first place" if len(simulated.winners) > 1 else "won"
    played = f"{len(simulated.state.rounds)} rounds, {simulated.tables} tables, {recorded['deal_recorded']} deals"
    went = f"{recorded['player_left']} went home, {moved} moves, {corrected} deals corrected"
    more = f"{recorded['rejoined']} rejoined, {recorded['tie_settled']} ties settled"
    return "\n".join(
        [
            f"{tournament.name}: {len(simulated.state.entrants)} players, {played}.",
            f"{went}, {more}.",
            f"{' and '.join(simulated.winners)} {verb}.",
        ]
    )
