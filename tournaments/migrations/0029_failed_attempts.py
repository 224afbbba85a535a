"""Failed attempts to sign in are counted in a table of ours; the tables of django-axes, which did so before, go.

They held what was typed into the log-in form, appended without end. Nothing else reads them.
"""

import datetime
import django.db.models.functions.text
import django.db.models.lookups
from django.db import migrations, models

AXES = ("accessattemptexpiration", "accessattempt", "accessfailurelog", "accesslog")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0028_workers_that_miss_their_broker")]

    operations = [
        migrations.CreateModel(
            name="FailedAttempts",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=10)),
                ("subject", models.CharField(blank=True, max_length=64)),
                ("place", models.CharField(max_length=80)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("free_at", models.DateTimeField()),
                ("lapses_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.AddConstraint(
            model_name="failedattempts",
            constraint=models.UniqueConstraint(fields=("kind", "place", "subject"), name="failedattempts_one_row_each"),
        ),
        migrations.AddConstraint(
            model_name="failedattempts",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length("kind"), 10),
                    django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length("subject"), 64),
                    django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length("place"), 80),
                ),
                name="failedattempts_texts_fit",
            ),
        ),
        migrations.AddConstraint(
            model_name="failedattempts",
            constraint=models.CheckConstraint(
                condition=models.Q(("failures__range", (0, 2147483647))), name="failedattempts_numbers_fit"
            ),
        ),
        migrations.AddConstraint(
            model_name="failedattempts",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "free_at__range",
                        (
                            datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc),
                            datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc),
                        ),
                    ),
                    (
                        "lapses_at__range",
                        (
                            datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc),
                            datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc),
                        ),
                    ),
                ),
                name="failedattempts_within_the_calendar",
            ),
        ),
        # Going back there is nothing to bring back: attempts of a quarter of an hour, and django-axes makes its own.
        migrations.RunSQL([f"DROP TABLE IF EXISTS axes_{name}" for name in AXES], reverse_sql=migrations.RunSQL.noop),
        migrations.RunSQL("DELETE FROM django_migrations WHERE app = 'axes'", reverse_sql=migrations.RunSQL.noop),
    ]
