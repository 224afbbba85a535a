"""The books as a Django application; the rules beside them need no Django."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class ScoringConfig(AppConfig):
    """Keeps the database's triggers in place: put back after each migration, checked at start-up."""

    name = "scoring"
    verbose_name = gettext_lazy("Books")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from scoring.ledger import triggers  # noqa: PLC0415 - needs loaded applications

        triggers.connect(self)
