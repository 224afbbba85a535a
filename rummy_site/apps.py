"""The site as a Django app, so that it can hold the `serve` command and the start-up checks."""

from django.apps import AppConfig, apps


class RummySiteConfig(AppConfig):
    """Registers the start-up checks."""

    name = "rummy_site"
    verbose_name = "Site"

    def ready(self) -> None:
        """Register the checks that `manage.py check` and `migrate` run before anything is served."""
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415 (apps must be loaded first)
        from django.db.models.signals import pre_migrate  # noqa: PLC0415 (as above)

        from rummy_site import database  # noqa: F401, PLC0415 (importing registers; as above)
        from rummy_site.authentication import sessions  # noqa: PLC0415 (importing registers; as above)
        from rummy_site.sqlite import keep_ids_as_bytes  # noqa: PLC0415 (as above)

        user_logged_in.connect(sessions.note_sign_in, dispatch_uid="session-renewal")
        pre_migrate.connect(keep_ids_as_bytes, sender=apps.get_app_config("tournaments"), dispatch_uid="ids-as-bytes")
