"""`manage.py rebuild [--check]`: rebuild the boards from the log alone, or check that they equal it."""

import gzip
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Q, QuerySet
from django.utils.translation import override

from tournaments.boards import board
from tournaments.integrity.ranges import Found
from tournaments.integrity.rebuild import Rebuilt, rebuild_all, rebuild_differences
from tournaments.log.auditing import are_faults
from tournaments.log.parts import Report
from tournaments.management.runs import Runs, add_run_arguments, run_of
from tournaments.management.terminal import failure
from tournaments.models import KeptAnswer
from tournaments.projections.shown import shown_of
from tournaments.web.public.base.answers import tournament_tag
from tournaments.web.public.base.exports import board_json, json_text
from tournaments.web.public.base.parts import made_text
from tournaments.web.public.boards.boards import board_as_part, board_context, kept_as


class Command(BaseCommand):
    """Rewrites every score sheet and standing; with --check it only compares."""

    stealth_options = ("run",)
    help = "Make the boards again from the log; with --check, compare them and fail where they differ."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options: write or compare, and how to run."""
        parser.add_argument("--check", action="store_true", help="change nothing; exit 1 on a difference")
        add_run_arguments(parser)

    def handle(self, *, check: bool, **options: Any) -> None:
        """Show progress on a terminal, and print one line at the end."""
        with run_of(f"rebuild {check}", **options) as run:
            if check:
                differences = [*rebuild_differences(run=run), *_stale_answers(run)]
            else:
                start = time.perf_counter()
                rebuilt = rebuild_all(run=run)
        if check:
            self._report_differences(differences)
        else:
            self._report_rebuilt(rebuilt, time.perf_counter() - start)

    def _report_rebuilt(self, rebuilt: Rebuilt, seconds: float) -> None:
        for problem in rebuilt.problems:
            self.stdout.write(problem)
        if rebuilt.problems:
            raise CommandError(
                f"{rebuilt.events} events read; {len(rebuilt.problems)} things cannot be read: manage.py leave_out"
            )
        self.stdout.write(f"{rebuilt.events} events read, every board written again in {seconds:.1f} s.")

    def _report_differences(self, differences: list[str]) -> None:
        for difference in differences:
            self.stdout.write(difference)
        if differences:
            called = "differences between boards and log" if are_faults(differences) else "events cannot be read"
            raise failure(f"{len(differences)} {called}", differences)
        self.stdout.write("The boards equal the log.")


def _stale_answers(run: Runs) -> list[str]:
    """List boards cached as bytes, as JSON or as part of a page, that differ from what would be generated now."""
    kept = KeptAnswer.objects.filter(MADE).order_by("tournament_id").values_list("tournament_id", flat=True).distinct()
    parts = [Answers(tournament=tournament) for tournament in kept]
    return [line for found in run("Answers", compare_answers, parts, Found) for line in found.typed_lines()]


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """The cached answers of one tournament, as one part of the work."""

    tournament: UUID
    size: int = 1


def compare_answers(part: Answers, report: Report) -> Found:
    """Report each cached answer that would be generated differently now."""
    return Found.of(_stale(KeptAnswer.objects.filter(MADE, tournament_id=part.tournament)))


def _stale(rows: "QuerySet[KeptAnswer]") -> Iterator[str]:
    for row in rows.select_related("tournament__club__shown_version").iterator(chunk_size=50):
        with override(row.view.partition(":")[2] or None):
            tag, made = _made_now(row)
            if row.tag == tag and gzip.decompress(row.packed) != made():
                yield f"the answer {row.view} of tournament {row.tournament_id} is not what would be made now"


def _made_now(row: KeptAnswer) -> tuple[str, Callable[[], bytes]]:
    """Return the tag that an answer would have now, and a function that generates it."""
    tournament = row.tournament
    if row.view == "json":
        return kept_as(shown_of(tournament)).tag, lambda: json_text(board_json(board(tournament)))
    tag = tournament_tag(tournament)
    part = board_as_part(tournament, tag, lambda: board_context(board(tournament), tag))
    return tag, lambda: made_text(part).encode()


MADE = Q(view="json") | Q(view__startswith="part:")
