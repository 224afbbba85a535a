"""Scoring as a Django app: it holds the club's journal."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """The rules of the game, and what was paid by them."""

    name = "scoring"
    default_auto_field = "django.db.models.BigAutoField"
