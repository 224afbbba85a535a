"""What pages and paper call the accounts of the books and the purposes of their amounts. The values are the log's."""

from django.utils.translation import gettext, gettext_noop, pgettext

from scoring.money import AccountKind

TITLES = {
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


def account_title(kind: str) -> str:
    """A kind of account, or a purpose, in the language of the page."""
    if kind == AccountKind.CASH:
        return pgettext("an account of the books", "Cash")
    return gettext(TITLES[kind])
