"""Every row within its bounds: what older code let in is brought to the nearest bound, then the database keeps it there.

The rule for rows that lie outside: a moment, a day or a number becomes the first or the last that is allowed, a text
keeps its beginning. Facts of the log and of the books are not touched. Going back takes the bounds away and leaves
the rows as they are.
"""

import django.db.models.functions.comparison
import django.db.models.functions.text
import django.db.models.lookups
import tournaments.models.public_names
from datetime import UTC, date, datetime
from django.db import migrations, models
from django.db.models.functions import Left


def bring_within(apps, schema_editor):
    for operation in BOUNDS:
        model = apps.get_model("tournaments", operation.model_name)
        rows = model.objects.using(schema_editor.connection.alias)
        for bound in leaves(operation.constraint.condition):
            bring(rows, bound)


def leaves(condition):
    for part in getattr(condition, "children", ()):
        yield from leaves(part) if isinstance(part, models.Q) else (part,)


def bring(rows, bound):
    if isinstance(bound, tuple):
        name, (first, last) = bound[0].removesuffix("__range"), bound[1]
        rows.filter(**{f"{name}__lt": first}).update(**{name: first})
        rows.filter(**{f"{name}__gt": last}).update(**{name: last})
        return
    length = bound.lhs
    if isinstance(bound, django.db.models.lookups.LessThanOrEqual) and isinstance(length.source_expressions[0], models.F):
        name = length.source_expressions[0].name
        rows.filter(~models.Q(bound)).update(**{name: Left(name, bound.rhs)})


BOUNDS = [
    migrations.AddConstraint(
        model_name='apitoken',
        constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 100), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('prefix'), 12)), name='apitoken_texts_fit'),
    ),
    migrations.AddConstraint(
        model_name='apitoken',
        constraint=models.CheckConstraint(condition=models.Q(('created_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('last_used_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('revoked_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='apitoken_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='cashbook',
        constraint=models.CheckConstraint(condition=models.Q(('number__range', (1, 2147483647)), ('version__range', (0, 2147483647))), name='cashbook_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='cashbook',
        constraint=models.CheckConstraint(condition=models.Q(('opened_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('closed_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='cashbook_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='club',
        constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('slug'), 60), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('timezone'), 60), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('locale'), 20), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('about'), 2000), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('venue'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('website'), 200)), name='club_texts_fit'),
    ),
    migrations.AddConstraint(
        model_name='club',
        constraint=models.CheckConstraint(condition=models.Q(('created_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='club_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='clubhead',
        constraint=models.CheckConstraint(condition=models.Q(('position__range', (0, 1000000000000000))), name='clubhead_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='clubreadings',
        constraint=models.CheckConstraint(condition=models.Q(('due__range', (0, 2147483647)), ('done__range', (0, 2147483647)), ('progress_done__range', (0, 2147483647)), ('progress_total__range', (0, 2147483647))), name='clubreadings_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='clubreadings',
        constraint=models.CheckConstraint(condition=models.Q(('begun_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('beat_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('computed_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='clubreadings_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='eveningsheet',
        constraint=models.CheckConstraint(condition=models.Q(('version__range', (1, 2147483647)), ('last_position__range', (1, 1000000000000000)), ('due_position__range', (0, 1000000000000000)), ('settled_position__range', (0, 1000000000000000))), name='evening_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='eveningsheet',
        constraint=models.CheckConstraint(condition=models.Q(('settled_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='evening_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='nightresult',
        constraint=models.CheckConstraint(condition=models.Q(('position__range', (1, 1000000000000000)), ('closed_position__range', (1, 1000000000000000))), name='nightresult_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='nightresult',
        constraint=models.CheckConstraint(condition=models.Q(('corrected_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='nightresult_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='player',
        constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name_key'), 800), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('pseudonym'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('public_name'), 240), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('public_key'), 900), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('note'), 10000)), name='player_texts_fit'),
    ),
    migrations.AddConstraint(
        model_name='player',
        constraint=models.CheckConstraint(condition=models.Q(('created_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('erased_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='player_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='playercredit',
        constraint=models.CheckConstraint(condition=django.db.models.lookups.Exact(django.db.models.functions.text.Length('currency'), 3), name='playercredit_currency_code'),
    ),
    migrations.AddConstraint(
        model_name='playercredit',
        constraint=models.CheckConstraint(condition=models.Q(('limit_minor__range', (1, 1000000000000000))), name='playercredit_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='playerrating',
        constraint=models.CheckConstraint(condition=models.Q(('mu__range', (-2147483647, 2147483647)), ('sigma__range', (1, 2147483647)), ('nights__range', (0, 2147483647)), ('tables__range', (0, 2147483647))), name='playerrating_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='scoresheet',
        constraint=models.CheckConstraint(condition=models.Q(('version__range', (1, 2147483647)), ('unconfirmed__range', (0, 2147483647)), ('deals__range', (0, 2147483647)), ('last_position__range', (1, 1000000000000000)), ('due_version__range', (0, 2147483647)), ('settled_version__range', (0, 2147483647)), ('settle_attempts__range', (0, 2147483647))), name='scoresheet_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='scoresheet',
        constraint=models.CheckConstraint(condition=models.Q(('last_recorded_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('settled_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='scoresheet_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='screenprogramme',
        constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('message'), 160), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('actor'), 100)), name='screenprogramme_texts_fit'),
    ),
    migrations.AddConstraint(
        model_name='screenprogramme',
        constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length(django.db.models.functions.comparison.Cast(models.F('chosen'), models.TextField())), 1000), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length(django.db.models.functions.comparison.Cast(models.F('seconds'), models.TextField())), 1000)), name='screenprogramme_json_fits'),
    ),
    migrations.AddConstraint(
        model_name='screenprogramme',
        constraint=models.CheckConstraint(condition=models.Q(('lines__range', (0, 40)), ('skips__range', (0, 2147483647))), name='screenprogramme_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='screenprogramme',
        constraint=models.CheckConstraint(condition=models.Q(('changed_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='screenprogramme_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='season',
        constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('slug'), 80), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('formula'), 20000)), name='season_texts_fit'),
    ),
    migrations.AddConstraint(
        model_name='season',
        constraint=models.CheckConstraint(condition=models.Q(('final_position__range', (0, 1000000000000000))), name='season_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='season',
        constraint=models.CheckConstraint(condition=models.Q(('starts_on__range', (date(2000, 1, 1), date(2199, 12, 31))), ('ends_on__range', (date(2000, 1, 1), date(2199, 12, 31)))), name='season_days_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='season',
        constraint=models.CheckConstraint(condition=models.Q(('closed_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('created_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='season_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='seasontable',
        constraint=models.CheckConstraint(condition=models.Q(('position__range', (0, 1000000000000000))), name='seasontable_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='seasontable',
        constraint=models.CheckConstraint(condition=models.Q(('computed_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='seasontable_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='seatingdraft',
        constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('plan'), 4000000), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('actor'), 100)), name='seatingdraft_texts_fit'),
    ),
    migrations.AddConstraint(
        model_name='seatingdraft',
        constraint=models.CheckConstraint(condition=models.Q(('round__range', (1, 9999)), ('version__range', (1, 2147483647))), name='seatingdraft_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='seatingdraft',
        constraint=models.CheckConstraint(condition=models.Q(('changed_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='seatingdraft_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='standing',
        constraint=models.CheckConstraint(condition=models.Q(('round__range', (0, 32767)), ('place__range', (0, 32767)), ('total__range', (-2147483647, 2147483647)), ('chips__range', (-2147483647, 2147483647)), ('net_points__range', (-2147483647, 2147483647)), ('drops_left__range', (-2147483647, 2147483647)), ('out_in_deal__range', (0, 2147483647)), ('deals_played__range', (0, 2147483647)), ('deals_won__range', (0, 2147483647)), ('wrong_shows__range', (0, 2147483647)), ('drops__range', (0, 2147483647)), ('position__range', (0, 1000000000000000))), name='standing_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='stream',
        constraint=models.CheckConstraint(condition=models.Q(('version__range', (0, 2147483647))), name='stream_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='table',
        constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 100)), name='table_texts_fit'),
    ),
    migrations.AddConstraint(
        model_name='table',
        constraint=models.CheckConstraint(condition=models.Q(('round__range', (1, 9999)), ('number__range', (1, 9999))), name='table_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='table',
        constraint=models.CheckConstraint(condition=models.Q(('created_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='table_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='tabletoken',
        constraint=models.CheckConstraint(condition=models.Q(('table_version__range', (0, 2147483647))), name='tabletoken_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='tabletoken',
        constraint=models.CheckConstraint(condition=models.Q(('created_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('expires_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('last_used_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('revoked_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='tabletoken_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='tournament',
        constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('slug'), 80), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 200), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('preset'), 40), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('variant'), 40), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('levy_name'), 40)), name='tournament_texts_fit'),
    ),
    migrations.AddConstraint(
        model_name='tournament',
        constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length(django.db.models.functions.comparison.Cast(models.F('options'), models.TextField())), 20000)), name='tournament_json_fits'),
    ),
    migrations.AddConstraint(
        model_name='tournament',
        constraint=models.CheckConstraint(condition=models.Q(('entry_minor__range', (0, 1000000000000)), ('fee_floor_minor__range', (0, 1000000000000)), ('fee_cap_minor__range', (0, 1000000000000)), ('point_value_minor__range', (0, 1000000)), ('board_position__range', (0, 1000000000000000))), name='tournament_numbers_fit'),
    ),
    migrations.AddConstraint(
        model_name='tournament',
        constraint=models.CheckConstraint(condition=models.Q(('starts_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('unpublished_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('closed_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC))), ('created_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='tournament_within_the_calendar'),
    ),
    migrations.AddConstraint(
        model_name='workerheartbeat',
        constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('name'), 100)), name='workerheartbeat_texts_fit'),
    ),
    migrations.AddConstraint(
        model_name='workerheartbeat',
        constraint=models.CheckConstraint(condition=models.Q(('beat_at__range', (datetime(2000, 1, 1, 0, 0, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)))), name='workerheartbeat_within_the_calendar'),
    ),
]


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0025_evenings_that_wait_for_money'),
    ]

    operations = [
        migrations.AlterField(
            model_name='player',
            name='note',
            field=models.TextField(blank=True, default='', max_length=10000, verbose_name='note'),
        ),
        migrations.AlterField(
            model_name='player',
            name='public_name',
            field=tournaments.models.public_names.PublicNameField(default='', editable=False, max_length=240),
        ),
        migrations.RunPython(bring_within, migrations.RunPython.noop),
        *BOUNDS,
    ]
