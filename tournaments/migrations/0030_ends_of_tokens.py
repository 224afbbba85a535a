"""Device tokens may end by themselves and with a password, as the club says. Those that are there keep no end."""

import datetime
import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0029_failed_attempts")]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="expires_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="ends"),
        ),
        migrations.AddField(
            model_name="club",
            name="token_days",
            field=models.PositiveSmallIntegerField(
                blank=True,
                default=180,
                help_text="Counted from the day a token is issued. Empty: tokens never end",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(3650),
                ],
                verbose_name="device tokens end after, days",
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="tokens_end_with_password",
            field=models.BooleanField(
                default=True,
                help_text="Revokes a person's device tokens when their password is changed",
                verbose_name="new password ends device tokens",
            ),
        ),
        migrations.AddConstraint(
            model_name="apitoken",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "expires_at__range",
                        (
                            datetime.datetime(2000, 1, 1, 0, 0, tzinfo=datetime.timezone.utc),
                            datetime.datetime(2199, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc),
                        ),
                    )
                ),
                name="apitoken_end_within_the_calendar",
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("token_days__range", (1, 3650))), name="club_token_numbers_fit"
            ),
        ),
    ]
