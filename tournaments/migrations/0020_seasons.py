"""Seasons, ratings, and what workers read for them. Every club that has closed a night owes its readings once."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from django.db import migrations, models


def owe_readings(apps, editor):
    """The nights that were closed before there were seasons are read by the next sweep."""
    closed = apps.get_model("tournaments", "Tournament").objects.filter(closed_at__isnull=False)
    readings = apps.get_model("tournaments", "ClubReadings")
    readings.objects.bulk_create(
        readings(club_id=club, due=1) for club in closed.values_list("club_id", flat=True).order_by("club_id").distinct()
    )


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0019_screens_of_tournaments'),
    ]

    operations = [
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('slug', models.SlugField(max_length=80)),
                ('name', models.CharField(max_length=200)),
                ('starts_on', models.DateField()),
                ('ends_on', models.DateField()),
                ('formula', models.TextField(help_text='How nights are counted, as canonical JSON')),
                ('is_published', models.BooleanField(default=False)),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('final', models.TextField(blank=True, default='', editable=False)),
                ('final_position', models.BigIntegerField(default=0, editable=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seasons', to='tournaments.club')),
            ],
            options={
                'ordering': ['-starts_on', 'name'],
            },
        ),
        migrations.CreateModel(
            name='ClubReadings',
            fields=[
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='readings', serialize=False, to='tournaments.club')),
                ('due', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('begun_at', models.DateTimeField(blank=True, null=True)),
                ('progress_done', models.PositiveIntegerField(default=0)),
                ('progress_total', models.PositiveIntegerField(default=0)),
                ('computed_at', models.DateTimeField(blank=True, null=True)),
                ('problem', models.TextField(blank=True, default='')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('done__lte', models.F('due'))), name='clubreadings_done_not_above_due')],
            },
        ),
        migrations.CreateModel(
            name='NightResult',
            fields=[
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='night_result', serialize=False, to='tournaments.tournament')),
                ('position', models.BigIntegerField()),
                ('closed_position', models.BigIntegerField()),
                ('corrected_at', models.DateTimeField(blank=True, null=True)),
                ('state', models.TextField()),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('closed_position__gte', 1), ('position__gte', models.F('closed_position'))), name='nightresult_as_of_its_closing')],
            },
        ),
        migrations.CreateModel(
            name='PlayerRating',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='rating', serialize=False, to='tournaments.player')),
                ('mu', models.IntegerField(help_text='The estimate')),
                ('sigma', models.PositiveIntegerField(help_text='Its deviation')),
                ('nights', models.PositiveIntegerField()),
                ('tables', models.PositiveIntegerField()),
                ('history', models.TextField(help_text='After each night: the tournament, mu and sigma, as JSON')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='tournaments.club')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('sigma__gte', 1)), name='playerrating_is_never_certain')],
            },
        ),
        migrations.CreateModel(
            name='SeasonTable',
            fields=[
                ('season', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='table', serialize=False, to='tournaments.season')),
                ('state', models.TextField()),
                ('position', models.BigIntegerField(help_text='Club position of the latest fact in it; 0 before the first night')),
                ('computed_at', models.DateTimeField()),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.club')),
            ],
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.UniqueConstraint(fields=('club', 'slug'), name='season_slug_once_per_club'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('ends_on__gte', models.F('starts_on'))), name='season_ends_after_it_starts'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('final', '')), models.Q(('closed_at__isnull', False), models.Q(('final', ''), _negated=True)), _connector='OR'), name='season_closed_with_its_standings'),
        ),
        migrations.RunPython(owe_readings, migrations.RunPython.noop),
    ]
