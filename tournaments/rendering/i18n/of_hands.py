"""What stands on sheets with cards: groups of a hand."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form

HOUSE = (
    gettext_noop("Most points a losing hand can cost; none: no maximum"),
    gettext_noop("Most copies of one card"),
)
SAID: tuple[Form, ...] = (*HOUSE,)
