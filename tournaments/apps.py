"""Tournaments as a Django app: clubs, their evenings, and the log of what happened at each table."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """What a club runs."""

    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"
