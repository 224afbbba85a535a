"""Templates are laid out for whoever reads them: what a visitor is sent is not indented.

A line break and what follows it is one space to a browser, and the break that ends a file is part of no sentence that
the file is put into. Why here and not in every answer: docs/decisions/0039-templates-laid-out-by-a-tool.md.
"""

import re

from django.template import Origin
from django.template.loaders import filesystem

INDENTATION = re.compile(r"\n[ \t]+")


class Loader(filesystem.Loader):
    """Takes it away once, where a template is read, and leaves every line its number."""

    def get_contents(self, origin: Origin) -> str:
        return INDENTATION.sub("\n", super().get_contents(origin)).rstrip("\n")
