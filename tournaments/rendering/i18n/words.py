"""What pages and paper call accounts, purposes of amounts, and what parts players with the same points of a season.

Rules: docs/how-to/books.md; docs/how-to/seasons.md, "Tie-breaks". The values are the log's. Knows nothing of names and
pages.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from scoring.money import AccountKind
from scoring.seasons import Decided
from tournaments.rendering.i18n.formatting import number_said

ACCOUNTS = {
    "player": gettext_noop("player"),
    "prize_pool": gettext_noop("prize pool"),
    "side_pot": gettext_noop("side pot"),
    "club_fee": gettext_noop("house fee"),
    "levy": gettext_noop("levy"),
    "guarantee": gettext_noop("guarantee"),
    "bank": gettext_noop("bank"),
    "owner": gettext_noop("owner"),
    "cash_difference": gettext_noop("cash difference"),
    "write_off": gettext_noop("write off"),
    "charge": gettext_noop("charge"),
    "award": gettext_noop("award"),
    "fee": gettext_noop("fee"),
    "top_up": gettext_noop("top up"),
    "transfer": gettext_noop("transfer"),
    "difference": gettext_noop("difference"),
}
TIE_BREAKS = {
    "best_night": gettext_noop("more points in the best tournament"),
    "second_night": gettext_noop("more points in the second-best tournament"),
    "most_wins": gettext_noop("more first places"),
    "more_nights": gettext_noop("more tournaments"),
    "fewer_nights": gettext_noop("fewer tournaments"),
    "head_to_head": gettext_noop("head to head"),
}


def account_title(kind: str) -> str:
    """A kind of account, or a purpose, in the language of the page."""
    if kind == AccountKind.CASH:
        return pgettext("an account of the books", "Cash")
    return gettext(ACCOUNTS[kind])


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
