"""What parts players with the same points of a season: each tie-break in words, and the line that says what decided.

Rules: docs/how-to/seasons.md, "Tie-breaks". Knows nothing of names and pages.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from django.utils.translation import gettext, gettext_noop, ngettext

from scoring.seasons import Decided
from tournaments.rendering.i18n.formatting import number_said

TIE_BREAKS = {
    "best_night": gettext_noop("more points in the best tournament"),
    "second_night": gettext_noop("more points in the second-best tournament"),
    "most_wins": gettext_noop("more first places"),
    "more_nights": gettext_noop("more tournaments"),
    "fewer_nights": gettext_noop("fewer tournaments"),
    "head_to_head": gettext_noop("head to head"),
}


def tie_breaks_said(breaks: Sequence[str]) -> str:
    """The chain in its order: the better best night, then fewer nights. Empty where there is none."""
    titles = [gettext(TIE_BREAKS[name]) for name in breaks]
    return reduce(lambda said, title: gettext("{said}, then {next}").format(said=said, next=title), titles or [""])


def decided_said(decided: Decided) -> str:
    """What put a player before or behind others with the same points: 2 first places against 1."""
    own, against = (number_said(number) if number else "" for number in (decided.own, decided.against))
    return _form(decided).format(own=own, against=against)


def _form(decided: Decided) -> str:
    number = abs(int(Fraction(decided.own or 0)))
    match decided.by:
        case "best_night":
            return gettext("{own} in the best tournament against {against}")
        case "second_night" if not decided.own:
            return gettext("no second tournament against {against}")
        case "second_night" if not decided.against:
            return gettext("{own} in the second-best tournament against none")
        case "second_night":
            return gettext("{own} in the second-best tournament against {against}")
        case "most_wins":
            return ngettext("{own} first place against {against}", "{own} first places against {against}", number)
        case "more_nights" | "fewer_nights":
            return ngettext("{own} tournament against {against}", "{own} tournaments against {against}", number)
    return gettext("{own} beaten head to head against {against}")
