"""A page on one line, without insignificant white space: templates are laid out for those who read them."""

import re

BLOCKS = (
    "article|body|button|caption|col|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h1|h2|h3|h4|head|header|"
    "html|legend|li|link|main|meta|nav|ol|optgroup|option|p|script|section|select|summary|table|tbody|td|textarea|"
    "tfoot|th|thead|title|tr|ul"
)
NOT_SHOWN = re.compile(rf" ?(</?(?:{BLOCKS})\b[^>]*>) ?")


def flat(page: str) -> str:
    """The text with white space between two parts of a line reduced to one space."""
    return NOT_SHOWN.sub(r"\1", re.sub(r" (?=/?>)", "", " ".join(page.split())))
