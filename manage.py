#!/usr/bin/env python3
"""Run a Django command for this service: `python manage.py serve`, `migrate`, `check`."""

import os
import sys


def main() -> None:
    """Hand the command line to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 (settings are named first)

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
