"""Every entry and every settled cause gets a digest over all of it.

What stood before is digested as it is found: from then on no byte of it changes unseen, and what was changed before
cannot be told any more (docs/decisions/0028-what-is-proven-how.md). The books' guards make way meanwhile; the end of
`migrate` puts them back. Going back drops the columns.
"""

from itertools import groupby

from django.db import migrations, models

from scoring.ledger import triggers
from scoring.storage.writes import cause_digest, entry_digest, entry_fields, moment_text, moved

BATCH = 500


def make_way(apps, schema_editor):
    triggers.make_way(schema_editor.connection)


def digest_everything(apps, schema_editor):
    entries, causes = apps.get_model("scoring", "JournalEntry"), apps.get_model("scoring", "SettledCause")
    _store(entries, _digested_entries(apps.get_model("scoring", "Posting")))
    _store(causes, ((row, cause_digest(row.club, row.cause, row.version, row.settled_at)) for row in _all(causes)))


def _digested_entries(postings):
    """In the order in which they were written; each entry stands on the one before it of the same settlement."""
    rows = postings.objects.select_related("entry", "account").order_by("entry__club", "entry__posted_at", "id")
    run, before = None, b""
    for _, group in groupby(rows.iterator(chunk_size=2_000), key=lambda row: row.entry_id):
        its = list(group)
        entry = its[0].entry
        settlement = (entry.club, entry.posted_at, entry.cause, entry.version)
        before = before if run == settlement else b""
        before, run = entry_digest(before, _fields(entry), _moved(its)), settlement
        yield entry, before


def _fields(entry):
    row = (
        *(entry.id, entry.reference, entry.cause, entry.slot, entry.version, entry.currency),
        *(entry.memo, entry.posting_count, entry.reverses_id),
    )
    return entry_fields(row, club=entry.club, posted=moment_text(entry.posted_at))


def _moved(postings):
    return [moved(each.account.kind, each.account.owner, each.amount_minor, each.purpose) for each in postings]


def _all(model):
    return model.objects.order_by("pk").iterator(chunk_size=2_000)


def _store(model, digested):
    batch = []
    for row, digest in digested:
        row.digest = digest
        batch.append(row)
        if len(batch) == BATCH:
            model.objects.bulk_update(batch, ["digest"])
            batch = []
    model.objects.bulk_update(batch, ["digest"])


class Migration(migrations.Migration):
    dependencies = [("scoring", "0003_words_of_lists_and_forms")]

    operations = [
        migrations.RunPython(make_way, make_way),
        migrations.AddField("journalentry", "digest", models.BinaryField(default=b"", max_length=32)),
        migrations.AddField("settledcause", "digest", models.BinaryField(default=b"", max_length=32)),
        migrations.RunPython(digest_everything, migrations.RunPython.noop),
    ]
