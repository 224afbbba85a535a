"""Every slug that a club has taken, so that its old addresses lead on. Those before this release are not known any more.

Going back forgets them: the clubs keep the slugs that they have.
"""

import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
from django.db import migrations, models


def note_slugs(apps, schema_editor):
    alias = schema_editor.connection.alias
    clubs = apps.get_model("tournaments", "Club").objects.using(alias)
    slugs = apps.get_model("tournaments", "ClubSlug")
    rows = [slugs(slug=slug, club_id=club) for club, slug in clubs.values_list("pk", "slug")]
    slugs.objects.using(alias).bulk_create(rows, batch_size=500)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0031_bounds_of_workers_and_releases'),
    ]

    operations = [
        migrations.CreateModel(
            name='ClubSlug',
            fields=[
                ('slug', models.SlugField(max_length=60, primary_key=True, serialize=False)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='slugs', to='tournaments.club')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('slug'), 60)), name='clubslug_texts_fit')],
            },
        ),
        migrations.RunPython(note_slugs, migrations.RunPython.noop),
    ]
