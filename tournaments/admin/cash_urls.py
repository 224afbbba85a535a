"""Where the pages of a club's cash desk are, and what it takes to open each."""

from collections.abc import Callable

from django.http import HttpResponse

from tournaments.access import Deed
from tournaments.admin.cash_count_pages import cash_count
from tournaments.admin.cash_desk_pages import cash_desk, cash_line, cash_player
from tournaments.admin.cash_night_pages import cash_balances, cash_night, cash_nights, cash_past
from tournaments.admin.cash_receipts import cash_receipt
from tournaments.admin.cash_visits import at_cash

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
