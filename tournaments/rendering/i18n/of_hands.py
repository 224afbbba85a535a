"""What stands on sheets with cards: groups of a hand."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form

HOUSE = (
    gettext_noop("Most points a losing hand can cost; not set: no maximum"),
    gettext_noop("Most copies of one card"),
)
SHORT = (gettext_noop("out"), gettext_noop("full"), gettext_noop("half"))
SAID: tuple[Form, ...] = (*HOUSE, *SHORT)
