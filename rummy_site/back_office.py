"""The admin as this site runs it: its landing page and its menu are the club's, not a list of models."""

from django.contrib.admin.apps import AdminConfig


class BackOfficeConfig(AdminConfig):
    """Stands in INSTALLED_APPS where Django's own admin would stand."""

    default_site = "rummy_site.admin_site.BackOffice"
