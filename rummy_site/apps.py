"""The site as a Django app, so that it can hold the `serve` command and the start-up checks."""

from django.apps import AppConfig


class RummySiteConfig(AppConfig):
    """Registers the start-up checks."""

    name = "rummy_site"
    verbose_name = "Site"

    def ready(self) -> None:
        """Register what `manage.py check` and `migrate` look at before anything is served."""
        from rummy_site import checks  # noqa: F401, PLC0415 (importing registers; apps must be loaded first)
