"""Every table of the books, as the migrations up to 0006 leave them.

An empty database begins here. One that has some of those migrations goes on with them, and one that has them all
counts this one as applied. Steps that move rows are left out: there are none yet. On PostgreSQL keys lead with the
club; triggers are put up at the end of every `migrate`. docs/decisions/0065-keys-lead-with-the-club.md
"""

import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
import uuid
from django.db import migrations, models

from scoring.storage.postgresql import give_keys

DEFERRED = "DEFERRABLE INITIALLY DEFERRED"
KEYS = {
    "scoring_account": {
        "scoring_account_pkey": "PRIMARY KEY (club, id)",
        "account_once": "UNIQUE (club, kind, owner, currency)",
    },
    "scoring_journalentry": {
        "scoring_journalentry_pkey": "PRIMARY KEY (club, id)",
        "entry_reference_once": "UNIQUE (club, reference)",
        "scoring_journalentry_reverses_id_key": "UNIQUE (club, reverses_id)",
        "entry_reverses_fk": f"FOREIGN KEY (club, reverses_id) REFERENCES scoring_journalentry(club, id) {DEFERRED}",
        "entry_by_cause": "btree (club, cause)",
        "entry_by_day": "btree (club, posted_at DESC)",
    },
    "scoring_posting": {
        "scoring_posting_pkey": "PRIMARY KEY (club, entry_id, id)",
        "posting_by_account": "btree (club, account_id, id)",
        "posting_entry_fk": f"FOREIGN KEY (club, entry_id) REFERENCES scoring_journalentry(club, id) {DEFERRED}",
        "posting_account_fk": f"FOREIGN KEY (club, account_id) REFERENCES scoring_account(club, id) {DEFERRED}",
    },
    "scoring_settledcause": {"settled_cause_once": "PRIMARY KEY (club, cause)"},
}


def lead_with_the_club(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        # Django keeps references and indexes back until a migration ends: those that are exchanged must be there now.
        while schema_editor.deferred_sql:
            schema_editor.execute(schema_editor.deferred_sql.pop(0), None)
        with schema_editor.connection.cursor() as cursor:
            give_keys(cursor, KEYS)


class Migration(migrations.Migration):

    replaces = [
        ('scoring', '0001_accounts_entries_postings'),
        ('scoring', '0002_kinds_of_money'),
        ('scoring', '0003_words_of_lists_and_forms'),
        ('scoring', '0004_entries_under_a_digest'),
        ('scoring', '0005_keys_lead_with_the_club'),
        ('scoring', '0006_accounts_of_cash_rounding'),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('club', models.UUIDField(editable=False, verbose_name='club')),
                ('kind', models.CharField(choices=[('player', 'player'), ('prize_pool', 'prize pool'), ('side_pot', 'side pot'), ('club_fee', 'club fee'), ('levy', 'levy'), ('guarantee', 'guarantee'), ('cash', 'cash'), ('bank', 'bank'), ('owner', 'owner'), ('cash_difference', 'cash difference'), ('rounding', 'rounding'), ('write_off', 'write off')], max_length=16, verbose_name='kind')),
                ('owner', models.CharField(blank=True, max_length=64)),
                ('currency', models.CharField(max_length=3, verbose_name='currency')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('club', 'kind', 'owner', 'currency'), name='account_once'),
                    models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('currency'), 3), name='account_currency_code'),
                    models.CheckConstraint(condition=models.Q(('kind', 'player'), ('owner', ''), _negated=True), name='account_player_has_owner'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['player', 'prize_pool', 'side_pot', 'club_fee', 'levy', 'guarantee', 'cash', 'bank', 'owner', 'cash_difference', 'rounding', 'write_off'])), name='account_kind_known'),
                ],
                'verbose_name': 'account',
                'verbose_name_plural': 'accounts',
            },
        ),
        migrations.CreateModel(
            name='JournalEntry',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('club', models.UUIDField(verbose_name='club')),
                ('reference', models.CharField(max_length=200, verbose_name='reference')),
                ('cause', models.CharField(max_length=80)),
                ('slot', models.CharField(max_length=40)),
                ('version', models.BigIntegerField()),
                ('currency', models.CharField(max_length=3, verbose_name='currency')),
                ('memo', models.TextField(blank=True)),
                ('posting_count', models.PositiveIntegerField()),
                ('posted_at', models.DateTimeField(verbose_name='posted at')),
                ('reverses', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversal', to='scoring.journalentry')),
                ('digest', models.BinaryField(default=b'', max_length=32)),
            ],
            options={
                'verbose_name_plural': 'journal entries',
                'indexes': [
                    models.Index(fields=['club', 'cause'], name='entry_by_cause'),
                    models.Index(fields=['club', '-posted_at'], name='entry_by_day'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('club', 'reference'), name='entry_reference_once'),
                    models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='entry_version_from_1'),
                    models.CheckConstraint(condition=models.Q(('posting_count__gte', 2)), name='entry_two_postings_or_more'),
                    models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('currency'), 3), name='entry_currency_code'),
                    models.CheckConstraint(condition=models.Q(('reverses', models.F('id')), _negated=True), name='entry_reverses_another'),
                    models.CheckConstraint(condition=models.Q(models.Q(('cause', ''), _negated=True), models.Q(('slot', ''), _negated=True), models.Q(('reference', ''), _negated=True)), name='entry_names_its_cause'),
                ],
                'verbose_name': 'journal entry',
            },
        ),
        migrations.CreateModel(
            name='Posting',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('amount_minor', models.BigIntegerField()),
                ('purpose', models.CharField(choices=[('charge', 'charge'), ('award', 'award'), ('fee', 'fee'), ('levy', 'levy'), ('top_up', 'top up'), ('side_pot', 'side pot'), ('cash', 'cash'), ('transfer', 'transfer'), ('difference', 'difference'), ('rounding', 'rounding'), ('write_off', 'write off')], max_length=16)),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='scoring.account')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='scoring.journalentry')),
                ('club', models.UUIDField(editable=False)),
            ],
            options={
                'indexes': [
                    models.Index(fields=['account', 'id'], name='posting_by_account'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('amount_minor', 0), _negated=True), name='posting_moves_money'),
                    models.CheckConstraint(condition=models.Q(('amount_minor__range', (-1000000000000000, 1000000000000000))), name='posting_amount_in_range'),
                    models.CheckConstraint(condition=models.Q(('purpose__in', ['charge', 'award', 'fee', 'levy', 'top_up', 'side_pot', 'cash', 'transfer', 'difference', 'rounding', 'write_off'])), name='posting_purpose_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SettledCause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('club', models.UUIDField()),
                ('cause', models.CharField(max_length=80)),
                ('version', models.BigIntegerField()),
                ('settled_at', models.DateTimeField()),
                ('digest', models.BinaryField(default=b'', max_length=32)),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('club', 'cause'), name='settled_cause_once'),
                    models.CheckConstraint(condition=models.Q(('version__gte', 0)), name='settled_version_not_negative'),
                    models.CheckConstraint(condition=models.Q(('cause', ''), _negated=True), name='settled_cause_named'),
                ],
            },
        ),
        migrations.RunPython(lead_with_the_club),
    ]
