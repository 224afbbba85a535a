#!/usr/bin/env python3
"""Run a Django command for this service: `python manage.py serve`, `migrate`, `check`."""

import os
import sys


def main() -> None:
    """Hand the command line to Django. What it writes is its owner's."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 (settings are named first)
    from django.core.management import execute_from_command_line  # noqa: PLC0415 (settings are named first)

    from rummy_site.startup.private_files import keep_to_owner  # noqa: PLC0415 (as above)

    keep_to_owner()
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"not started: {error}")
    except UnicodeEncodeError:
        # Bytes that are no text may name a file, and nothing that a database holds.
        odd = [ascii(word) for word in sys.argv[1:] if not _is_text(word)]
        if not odd:
            raise
        sys.exit(f"not done: {', '.join(odd)} holds bytes that are no text in UTF-8")


def _is_text(word: str) -> bool:
    return word == word.encode(errors="replace").decode()


if __name__ == "__main__":
    main()
