"""The parts of addresses that open something for whoever has them: links out of mails.

By the path and not by the view: a request is logged, too, that was redirected or refused before it came to one.
"""

import re

SECRET_PART = re.compile(r"(/messages/stop/|/forgotten/[^/]+/)[^/]+")


def without_secrets(path: str) -> str:
    """A path without what opens something."""
    return SECRET_PART.sub(r"\1...", path)
