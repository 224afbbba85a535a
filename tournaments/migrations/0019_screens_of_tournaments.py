import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0016_public_names'),
    ]

    operations = [
        migrations.CreateModel(
            name='ScreenProgramme',
            fields=[
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='screen_programme', serialize=False, to='tournaments.tournament')),
                ('is_automatic', models.BooleanField(default=True)),
                ('chosen', models.JSONField(blank=True, default=list, help_text='Names of screens, where they are chosen by hand')),
                ('seconds', models.JSONField(blank=True, default=dict, help_text='Seconds by the name of a screen')),
                ('pinned', models.CharField(blank=True, choices=[('seating', 'Seating'), ('standings', 'Standings'), ('tables', 'Tables'), ('clock', 'Clock'), ('winners', 'Winners'), ('address', 'Address'), ('message', 'Message')], default='', max_length=20)),
                ('message', models.CharField(blank=True, default='', max_length=160)),
                ('lines', models.PositiveSmallIntegerField(default=0)),
                ('skips', models.PositiveIntegerField(default=0)),
                ('actor', models.CharField(blank=True, default='', max_length=100)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.club')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('pinned__in', ['', 'seating', 'standings', 'tables', 'clock', 'winners', 'address', 'message'])), name='screenprogramme_pinned_is_known'),
                    models.CheckConstraint(condition=models.Q(('lines__lte', 40)), name='screenprogramme_lines_to_40'),
                ],
            },
        ),
    ]
