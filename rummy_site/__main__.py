"""The command of an installed package: `rummy-evening serve`, `manage COMMAND` and `example NAME`.

`python -m rummy_site` is the same, and `manage.py` of a checkout runs Django's commands from here. Rules:
docs/decisions/0041-a-package.md.
"""

import gc
import os
import sys
from collections.abc import Sequence

from rummy_site import __version__

USAGE = """\
usage: rummy-evening serve [--host H] [--port N] [--hall]   the whole site, until Ctrl-C
       rummy-evening manage COMMAND [...]                   any command; `rummy-evening manage help` lists them
       rummy-evening example [NAME]                         a file for systemd, nginx and others; without NAME a list
       rummy-evening --version
"""


def main() -> None:
    """Run the command that the first argument names. Without a known one: print the usage, exit status 2."""
    match sys.argv[1:]:
        case ["serve", *_]:
            manage(["rummy-evening", *sys.argv[1:]])
        case ["manage", *words]:
            manage(["rummy-evening manage", *words])
        case ["example", *words]:
            from rummy_site import examples  # noqa: PLC0415 (it alone needs it)

            examples.main(words)
        case ["--version"]:
            sys.stdout.write(f"rummy-evening {__version__}\n")
        case ["--help" | "-h"]:
            sys.stdout.write(USAGE)
        case _:
            sys.stderr.write(USAGE)
            sys.exit(2)


def manage(words: Sequence[str]) -> None:
    """Run one of Django's commands or of ours. The files it writes are readable by their owner alone."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 (settings are named first)
    from django.core.management import execute_from_command_line  # noqa: PLC0415 (settings are named first)
    from django.db import DatabaseError, OperationalError  # noqa: PLC0415 (settings are named first)

    from rummy_site.environment import ENDS_WITH_PARENT  # noqa: PLC0415 (as above)
    from rummy_site.startup import keep_to_owner  # noqa: PLC0415 (as above)

    keep_to_owner()
    if os.environ.get(ENDS_WITH_PARENT):
        from rummy_site.operations.preloading import die_with_parent  # noqa: PLC0415 (few need it)

        die_with_parent()
    if "serve" in words[1:2]:
        # It loads, checks and is replaced: collections would only walk what stays.
        gc.disable()
    try:
        execute_from_command_line(list(words))
    except ImproperlyConfigured as error:
        sys.exit(f"not started: {error}")
    except DatabaseError as error:
        # Not there, no database, or without our tables. Its other errors are ours: they keep their traceback.
        if type(error) not in (DatabaseError, OperationalError) or "--traceback" in words:
            raise
        sys.exit(f"not done: the database cannot be used: {' '.join(str(error).split())}")
    except UnicodeEncodeError:
        # Bytes that are not valid text may be a file's name, but no database can store them.
        odd = [ascii(word) for word in words if word != word.encode(errors="replace").decode()]
        if not odd:
            raise
        sys.exit(f"not done: {', '.join(odd)} holds bytes that are no text in UTF-8")


if __name__ == "__main__":
    main()
