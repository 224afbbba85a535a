"""`python -m scoring`: see scoring.cli."""

import os
import sys

from scoring.cli import main

if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # The reader of our output has closed it. Python would report that once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
