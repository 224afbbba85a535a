import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('club', models.UUIDField(editable=False)),
                ('kind', models.CharField(choices=[('player', 'player'), ('prize_pool', 'prize pool'), ('club_fee', 'club fee'), ('cash', 'cash'), ('write_off', 'write off')], max_length=16)),
                ('owner', models.CharField(blank=True, max_length=64)),
                ('currency', models.CharField(max_length=3)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'kind', 'owner', 'currency'), name='account_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['player', 'prize_pool', 'club_fee', 'cash', 'write_off'])), name='account_kind_known'), models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('currency'), 3), name='account_currency_code'), models.CheckConstraint(condition=models.Q(('kind', 'player'), ('owner', ''), _negated=True), name='account_player_has_owner')],
            },
        ),
        migrations.CreateModel(
            name='JournalEntry',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('club', models.UUIDField()),
                ('reference', models.CharField(max_length=200)),
                ('cause', models.CharField(max_length=80)),
                ('slot', models.CharField(max_length=40)),
                ('version', models.BigIntegerField()),
                ('currency', models.CharField(max_length=3)),
                ('memo', models.TextField(blank=True)),
                ('posting_count', models.PositiveIntegerField()),
                ('posted_at', models.DateTimeField()),
                ('reverses', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversal', to='scoring.journalentry')),
            ],
            options={
                'verbose_name_plural': 'journal entries',
            },
        ),
        migrations.CreateModel(
            name='Posting',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('amount_minor', models.BigIntegerField()),
                ('purpose', models.CharField(choices=[('charge', 'charge'), ('award', 'award'), ('fee', 'fee'), ('cash', 'cash')], max_length=16)),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='scoring.account')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='scoring.journalentry')),
            ],
        ),
        migrations.CreateModel(
            name='SettledCause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('club', models.UUIDField()),
                ('cause', models.CharField(max_length=80)),
                ('version', models.BigIntegerField()),
                ('settled_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'cause'), name='settled_cause_once'), models.CheckConstraint(condition=models.Q(('version__gte', 0)), name='settled_version_not_negative'), models.CheckConstraint(condition=models.Q(('cause', ''), _negated=True), name='settled_cause_named')],
            },
        ),
        migrations.AddIndex(
            model_name='journalentry',
            index=models.Index(fields=['club', 'cause'], name='entry_by_cause'),
        ),
        migrations.AddIndex(
            model_name='journalentry',
            index=models.Index(fields=['club', '-posted_at'], name='entry_by_day'),
        ),
        migrations.AddConstraint(
            model_name='journalentry',
            constraint=models.UniqueConstraint(fields=('club', 'reference'), name='entry_reference_once'),
        ),
        migrations.AddConstraint(
            model_name='journalentry',
            constraint=models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='entry_version_from_1'),
        ),
        migrations.AddConstraint(
            model_name='journalentry',
            constraint=models.CheckConstraint(condition=models.Q(('posting_count__gte', 2)), name='entry_two_postings_or_more'),
        ),
        migrations.AddConstraint(
            model_name='journalentry',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('currency'), 3), name='entry_currency_code'),
        ),
        migrations.AddConstraint(
            model_name='journalentry',
            constraint=models.CheckConstraint(condition=models.Q(('reverses', models.F('id')), _negated=True), name='entry_reverses_another'),
        ),
        migrations.AddConstraint(
            model_name='journalentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cause', ''), _negated=True), models.Q(('slot', ''), _negated=True), models.Q(('reference', ''), _negated=True)), name='entry_names_its_cause'),
        ),
        migrations.AddIndex(
            model_name='posting',
            index=models.Index(fields=['account', 'id'], name='posting_by_account'),
        ),
        migrations.AddConstraint(
            model_name='posting',
            constraint=models.CheckConstraint(condition=models.Q(('amount_minor', 0), _negated=True), name='posting_moves_money'),
        ),
        migrations.AddConstraint(
            model_name='posting',
            constraint=models.CheckConstraint(condition=models.Q(('amount_minor__range', (-1000000000000000, 1000000000000000))), name='posting_amount_in_range'),
        ),
        migrations.AddConstraint(
            model_name='posting',
            constraint=models.CheckConstraint(condition=models.Q(('purpose__in', ['charge', 'award', 'fee', 'cash'])), name='posting_purpose_known'),
        ),
    ]
