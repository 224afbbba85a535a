"""The Django app for tournaments: clubs, their tournaments, and the log of each table."""

from django.apps import AppConfig
from django.core.signals import request_started
from django.utils.translation import gettext_lazy

from tournaments.rendering.left_out import count_anew


class TournamentsConfig(AppConfig):
    """App config. Maintains the log's database guards: restored after each migration, checked at start-up."""

    name = "tournaments"
    verbose_name = gettext_lazy("Tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tournaments.log import triggers  # noqa: PLC0415 - needs loaded models
        from tournaments.projections.shown import SHOWN  # noqa: PLC0415

        triggers.connect(self)
        SHOWN.stand_through_migrations(self)
        request_started.connect(count_anew, dispatch_uid="rows left out")
