"""Where the pages of a club's cash desk are, and what it takes to open each."""

from collections.abc import Callable

from django.http import HttpResponse

from tournaments.people.permissions import Deed
from tournaments.web.admin.cash.cash_receipts import cash_receipt
from tournaments.web.admin.cash.count import cash_count
from tournaments.web.admin.cash.desk import cash_desk, cash_line, cash_player
from tournaments.web.admin.cash.night import cash_balances, cash_night, cash_nights, cash_past
from tournaments.web.admin.cash.request import at_cash

# The address below the club's `cash/`, the view, and the end of the page's name.
CASH_PAGES: tuple[tuple[str, Callable[..., HttpResponse], str], ...] = (
    ("", at_cash(cash_desk, Deed.HANDLE_CASH), ""),
    ("player/<uuid:player_id>/", at_cash(cash_player, Deed.HANDLE_CASH), "_player"),
    ("lines/<int:line>/", at_cash(cash_line, Deed.HANDLE_CASH), "_line"),
    ("tills/<str:till>/", at_cash(cash_count, Deed.HANDLE_CASH), "_count"),
    ("receipts/<uuid:book_id>/<int:line>/", at_cash(cash_receipt, Deed.SEE_MONEY), "_receipt"),
    ("night/", at_cash(cash_night, Deed.SEE_MONEY), "_night"),
    ("nights/", at_cash(cash_nights, Deed.SEE_MONEY), "_nights"),
    ("nights/<uuid:book_id>/", at_cash(cash_past, Deed.SEE_MONEY), "_past"),
    ("balances/", at_cash(cash_balances, Deed.SEE_MONEY), "_balances"),
)
