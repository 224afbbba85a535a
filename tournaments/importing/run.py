"""Previews, saves and undoes an imported list: all of it or nothing, as it was shown, once for each idempotency key.

Rules: docs/how-to/importing.md.
"""

import json
from dataclasses import dataclass
from hashlib import sha256
from types import ModuleType

from scoring.messages import say
from scoring.problems import KeyReused, Problem, refuse_if
from tournaments.importing import ImportDraft, ImportRejected, Preview, Staying, balances, entries, players, standings
from tournaments.importing.columns import FIELDS, Columns, columns_of
from tournaments.log.context import CommandContext, club_lock
from tournaments.models import Import, ImportColumns, ImportKind
from tournaments.models.imports import MOST_FILE_NAME, MOST_HEADINGS
from tournaments.people.permissions import Permission

MOST_REMEMBERED = 60


# What the module of each kind of list does: `check`, `store`, `undo` and `staying_of`.
KINDS: dict[ImportKind, ModuleType] = {
    ImportKind.PLAYERS: players,
    ImportKind.ENTRIES: entries,
    ImportKind.BALANCES: balances,
    ImportKind.STANDINGS: standings,
}
# Who may import and undo a list of a kind.
PERMISSIONS = {
    ImportKind.PLAYERS: Permission.DIRECT,
    ImportKind.ENTRIES: Permission.CHECK_IN,
    ImportKind.BALANCES: Permission.DIRECT,
    ImportKind.STANDINGS: Permission.DIRECT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A saved import; `is_replay` if the same request saved it before."""

    made: Import
    is_replay: bool = False


def preview_import(draft: ImportDraft) -> tuple[Columns, Preview]:
    """The columns as they were understood, and what each row would change. Saves nothing."""
    columns = columns_of(draft)
    if any(problem.code in ("column_twice", "missing_column") for problem in columns.problems):
        return columns, Preview(problems=columns.problems)
    preview: Preview = KINDS[draft.kind].check(draft, columns)
    return columns, preview


def save_import(draft: ImportDraft, *, context: CommandContext, shown: str | None = None) -> Saved:
    """Save a list, all or nothing. `shown` is the fingerprint of the preview.

    Raises ImportRejected with every problem, or where the preview would be another one by now; KeyReused.
    """
    digest = digest_of(draft)
    with club_lock(draft.club.id):
        before = Import.objects.filter(club=draft.club, key=context.key).first()
        if before is not None and before.digest != digest:
            raise KeyReused(f"the idempotency key {context.key!r} was used for another list")
        if before is not None:
            return Saved(made=before, is_replay=True)
        columns, preview = preview_import(draft)
        problems = preview.refusals
        if not problems and shown not in (None, preview.fingerprint):
            problems = [Problem("list_moved", say("data changed: check, save again"), field="file")]
        refuse_if(problems, ImportRejected)
        made = Import.objects.create(
            club=draft.club,
            kind=draft.kind,
            tournament=draft.tournament,
            season=draft.season,
            file_name=draft.file_name[:MOST_FILE_NAME],
            actor=context.actor,
            key=context.key,
            digest=digest,
            counts={outcome.name.lower(): number for outcome, number in preview.counts.items()},
            made_at=context.now,
        )
        KINDS[draft.kind].store(draft, columns, preview, made, context=context)
        _remember(draft, columns)
        return Saved(made=made)


def undo_import(made: Import, *, context: CommandContext) -> list[Staying]:
    """Undo an import as one action; what something was built on stays, and is returned. A second time changes nothing.

    Raises ImportRejected where nothing of it can be undone.
    """
    with club_lock(made.club_id):
        made.refresh_from_db()
        if made.undone_at is not None:
            return []
        staying: list[Staying] = KINDS[ImportKind(made.kind)].undo(made, context=context)
        made.undone_at, made.undone_by = context.now, context.actor
        made.save(update_fields=["undone_at", "undone_by", "first_position", "last_position"])
        return staying


def permissions_of(draft: ImportDraft) -> list[Permission]:
    """What somebody must be allowed to do to save this list."""
    is_paid = draft.kind == ImportKind.ENTRIES and entries.takes_money(draft, columns_of(draft))
    return [PERMISSIONS[draft.kind], *([Permission.TAKE_ENTRY] if is_paid else [])]


def staying_of(made: Import) -> list[Staying]:
    """What would stay if an import were undone now."""
    return [stays for _, stays in KINDS[ImportKind(made.kind)].staying_of(made)]


def digest_of(draft: ImportDraft) -> str:
    """Identifies a request to save a list: the same key with another one is refused."""
    parts = (
        *(draft.kind, draft.worksheet.rows, draft.columns, draft.has_heading),
        *(sorted(draft.choices.items()), draft.others, draft.tournament and draft.tournament.pk),
        # A list without a season keeps the digest under which it was saved before there were any.
        *([draft.season.pk] if draft.season else []),
    )
    return sha256(repr(parts).encode(errors="replace")).hexdigest()


def _remember(draft: ImportDraft, columns: Columns) -> None:
    """Keep what the headings mean, beside those of other files; a heading of this file means what it means here."""
    if not columns.has_heading:
        return
    row, _ = ImportColumns.objects.get_or_create(club=draft.club, kind=draft.kind)
    headings = {**row.headings, **columns.by_heading}
    fields = ("", *FIELDS[draft.kind])
    remembered = [(name, field) for name, field in headings.items() if field in fields][-MOST_REMEMBERED:]
    while len(json.dumps(dict(remembered))) > MOST_HEADINGS:
        remembered.pop(0)
    row.headings = dict(remembered)
    row.save()
