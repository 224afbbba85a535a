"""How the site of these documents is built: `make docs`. Why so: docs/decisions/0042-documents-in-four-parts.md."""

from pygments.lexers.data import JsonLexer
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from rummy_site import __version__

project = "Rummy Evening"
author = "The maintainers of Rummy Evening"
project_copyright = author
version = release = __version__

extensions = ["myst_parser"]
exclude_patterns = ["pictures", "rules/golden"]
# A link to a page, a heading or a file that is not there is a warning, and `make docs` takes no warning.
nitpicky = True
myst_heading_anchors = 4
# Commands are shown as they are typed: `--check` stays two hyphens.
smartquotes = False
highlight_language = "text"

html_theme = "furo"
html_title = f"Rummy Evening {release}"
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False


def setup(app: Sphinx) -> None:
    """Kinds of examples that the highlighter does not know by these names."""
    app.add_lexer("jsonl", JsonLexer)
    app.add_lexer("beancount", TextLexer)
