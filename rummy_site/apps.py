"""The site as a Django app, so that it can hold the `serve` command and the start-up checks."""

from django.apps import AppConfig


class RummySiteConfig(AppConfig):
    """Registers the start-up checks."""

    name = "rummy_site"
    verbose_name = "Site"

    def ready(self) -> None:
        """Register what `manage.py check` and `migrate` look at before anything is served."""
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415 (apps must be loaded first)

        from rummy_site import database  # noqa: F401, PLC0415 (importing registers; as above)
        from rummy_site.authentication import sessions  # noqa: PLC0415 (importing registers; as above)

        user_logged_in.connect(sessions.note_sign_in, dispatch_uid="session-renewal")
