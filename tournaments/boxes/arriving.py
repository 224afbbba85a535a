"""Brings a club in from a box: everything in one transaction and proven in it, or nothing.

What is derived is written from the log, as `rebuild` does. Erasures that this installation knows are done again.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.contrib.auth import get_user_model
from django.db import DataError, IntegrityError, connection, transaction

from scoring import storage
from scoring.ledger.audit import entry_problems
from scoring.messages import say
from scoring.problems import Problem
from tournaments import log
from tournaments.boxes.checking import MOST_PROBLEMS, Box, BoxRefused, CheckedRows, Problems, Row, check, opened
from tournaments.boxes.contents import CARRIED, CLUB, ENTRY, PARTS, SETTLED, Kind
from tournaments.boxes.manifest import MANIFEST, Manifest
from tournaments.integrity.audit import compare_books
from tournaments.integrity.rebuild import rebuild_all, rebuild_differences
from tournaments.log.auditing import CannotBeRead
from tournaments.log.carrying import end_of, write_head
from tournaments.models import Club, ClubSlug, ErasedPlayer, FormerActor
from tournaments.privacy import erase_again
from tournaments.projections.shown import show_club_anew

BATCH, ENTRIES_AT_ONCE = 1_000, 200
MOST_SLUG = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """What came, or would come: the manifest and code of the box, the slug that the club has here, people of its log
    who have no login here, records that this version cannot read, and the players who were erased again.
    """

    manifest: Manifest
    code: str
    slug: str
    people: tuple[str, ...]
    unread: tuple[str, ...]
    erased_again: int

    @property
    def is_renamed(self) -> bool:
        """Whether another club here has the slug that the club had."""
        return self.slug != self.manifest.slug

    @property
    def counts(self) -> dict[str, int]:
        """How many rows of each kind are in the box."""
        return {kind.name: self.manifest.rows(kind.name) for kind in CARRIED}


def unbox(path: Path, *, now: datetime, code: str = "", is_trial: bool = False) -> Arrival:
    """Check a box and bring its club in; in a trial everything is done, proven and rolled back.

    Raises BoxRefused with every problem and its place, and then nothing was stored.
    """
    with opened(path, code=code) as box:
        try:
            with transaction.atomic():
                arrival = _bring_in(box, now)
                if is_trial:
                    transaction.set_rollback(True)
        except BoxRefused:
            # Rows are stored as they are read, up to the first that is refused. All problems of the box are named.
            check(box)
            raise
    return arrival


def _bring_in(box: Box, now: datetime) -> Arrival:
    _refuse_club_that_is_here(box.manifest)
    rows = CheckedRows(box, Problems(most=1))
    club = _store_club(rows)
    write_head(club.pk, box.manifest.position)
    for part in PARTS[1:]:
        if part == SETTLED:
            # Columns of rows that are not there yet: only checked here.
            deque(rows.of(part), maxlen=0)
        else:
            _store(rows.of(part), club)
    rows.finish()
    _skip_numbers_of_logins(club)
    lines = rebuild_all(club=club.pk).problems
    _store(box.rows(SETTLED, rows.problems), club)
    # Whom this installation has erased since the box was made.
    erased_again = erase_again(ErasedPlayer.objects.filter(club=club.pk))
    _prove(club, box.manifest, lines)
    show_club_anew(club.pk)
    people = FormerActor.objects.filter(club=club, actor__startswith="user:").order_by("name")
    return Arrival(
        manifest=box.manifest,
        code=box.code,
        slug=club.slug,
        people=tuple(people.values_list("name", flat=True)),
        unread=tuple(line for line in lines if isinstance(line, CannotBeRead)),
        erased_again=erased_again,
    )


def _refuse_club_that_is_here(manifest: Manifest) -> None:
    club = Club.objects.filter(pk=manifest.club).first()
    if club is not None:
        position, _ = end_of(club.pk)
        text = say(
            "{name} is here already, with its log up to position {number}: a box is never laid over a club",
            name=club.name,
            number=position,
        )
        raise BoxRefused([Problem("club_is_here", text, field=f"{MANIFEST}:club")])


def _store_club(rows: CheckedRows) -> Club:
    """Store the club and its slugs; those that another club has or had here stay with that one."""
    club: Club | None = None
    slugs: list[str] = []
    for row in rows.of(CLUB):
        if row.kind.name == "tournaments.club":
            club = Club(**row.values)
        else:
            slugs.append(row.values["slug"])
    assert club is not None  # noqa: S101 - `rows` has seen it
    club.slug = _free_slug(club.slug)
    columns = {field.attname: getattr(club, field.attname) for field in Club._meta.concrete_fields}
    _insert(next(kind for kind in CARRIED if kind.part == CLUB), club, [Row(1, CARRIED[0], columns)])
    for slug in dict.fromkeys((club.slug, *slugs)):
        if not ClubSlug.objects.filter(slug__iexact=slug).exists():
            ClubSlug.objects.create(slug=slug, club=club)
    return club


def _free_slug(slug: str) -> str:
    """The slug, or the first with a number behind it that no club here has or had."""
    free, number = slug, 1
    while ClubSlug.objects.filter(slug__iexact=free).exists() or Club.objects.filter(slug__iexact=free).exists():
        number += 1
        end = f"-{number}"
        free = slug[: MOST_SLUG - len(end)] + end
    return free


def _store(rows: Iterable[Row], club: Club) -> None:
    for kind, batch in _by_kind(rows):
        _insert(kind, club, batch)


def _by_kind(rows: Iterable[Row]) -> Iterator[tuple[Kind, list[Row]]]:
    """The rows in batches of one kind, in their order."""
    batch: list[Row] = []
    for row in rows:
        most = ENTRIES_AT_ONCE if row.kind.name == ENTRY else BATCH
        if batch and (batch[0].kind is not row.kind or len(batch) >= most):
            yield batch[0].kind, batch
            batch = []
        batch.append(row)
    if batch:
        yield batch[0].kind, batch


def _insert(kind: Kind, club: Club, rows: Sequence[Row]) -> None:
    """Store rows; if the database refuses them, find the first that it refuses. Raises BoxRefused."""
    try:
        with transaction.atomic():
            kind.write(club, [{**row.values} for row in rows])
    except (IntegrityError, DataError) as error:
        if len(rows) > 1:
            half = len(rows) // 2
            _insert(kind, club, rows[:half])
            _insert(kind, club, rows[half:])
        problems = Problems()
        why = say("the database refuses it: {why}", why=str(error).splitlines()[0][:200])
        problems.add(why, part=kind.part, line=rows[0].line, code="not_stored")
        raise BoxRefused(problems.found) from error


def _skip_numbers_of_logins(club: Club) -> None:
    """New logins here get no number of a login that the club's log names."""
    actors = FormerActor.objects.filter(club=club, actor__regex=r"^user:[0-9]{1,9}$").values_list("actor", flat=True)
    last = max((int(actor.partition(":")[2]) for actor in actors), default=0)
    if last:
        storage.of(connection).skip_numbers(get_user_model()._meta.db_table, last)


def _prove(club: Club, manifest: Manifest, rebuilt: Iterable[str]) -> None:
    """Verify log, boards and books of the club that came; `rebuilt` are the lines of its rebuild.

    Raises BoxRefused with what does not fit.
    """
    # Whether every event can be read, `rebuild_all` has said.
    verdict = log.verify_club(club.pk.hex, is_full=True, examine=lambda rows: None)
    read_models_and_books = (rebuilt, rebuild_differences(club=club.pk), compare_books(club.pk).faults)
    lines: list[str] = [
        *(f"position {fault.position}: {fault.said}" for fault in verdict.faults),
        *(line for faults in read_models_and_books for line in faults if not isinstance(line, CannotBeRead)),
        *entry_problems(club.pk),
    ]
    if end_of(club.pk) != (manifest.position, manifest.head):
        lines.append(f"{MANIFEST}, head: the log ends otherwise")
    if log.club_fingerprint(club.pk) != manifest.fingerprint:
        lines.append(f"{MANIFEST}, fingerprint: the last seal is another one")
    if lines:
        raise BoxRefused([Problem("not_proven", say("{why}", why=line)) for line in lines[:MOST_PROBLEMS]])
