"""Imports the modules that register the back office's admin classes, where Django looks for them."""

import django.contrib.auth.admin  # noqa: F401 - registers Django's pages of logins
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group

from tournaments.web.admin.register import clubs, journal, log_admin, players, seasons, tournaments  # noqa: F401

# Raw logins, groups and permissions mean nothing here: roles decide, and people let themselves in.
admin.site.unregister((get_user_model(), Group))
