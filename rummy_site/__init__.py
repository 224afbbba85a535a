"""The site: settings, addresses, the Celery app and the processes that serve a club's evening."""

from rummy_site.celery import app as celery_app

__all__ = ["celery_app"]
