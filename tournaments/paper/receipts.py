"""A receipt for money that changed hands at the desk: from whom, how much, what for, who took it.

Rules: docs/paper.md, "Receipts". Everything on it is said by whoever prints it; nothing is looked up.
"""

from dataclasses import dataclass
from datetime import datetime

from scoring.settlement.locales import DEFAULT_LOCALE
from scoring.settlement.printing import money
from tournaments.paper.documents import Document, Facts, Signatures, Words
from tournaments.paper.press import pdf_of
from tournaments.paper.sizes import PageSize


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Money taken from a player, or handed to one. `at` is on the club's clock; `number` is never used twice.

    `locale` is the club's: how amounts are written there.
    """

    number: str
    club: str
    player: str
    amount_minor: int
    currency: str
    what_for: tuple[str, ...]
    cashier: str
    at: datetime
    is_paid_out: bool = False
    fingerprint: str = ""
    locale: str = DEFAULT_LOCALE


def receipt_pdf(receipt: Receipt, size: PageSize = PageSize.A4) -> bytes:
    """The receipt as a file; printed again it is the same."""
    return pdf_of(receipt_document(receipt), size)


def receipt_document(receipt: Receipt) -> Document:
    """What a receipt says."""
    gives, takes = (receipt.cashier, receipt.player) if receipt.is_paid_out else (receipt.player, receipt.cashier)
    return Document(
        house=receipt.club,
        title=f"Receipt {receipt.number}",
        parts=(
            Words(text=money(receipt.amount_minor, receipt.currency, receipt.locale), is_large=True),
            Facts(
                pairs=(
                    ("Paid out to" if receipt.is_paid_out else "Received from", receipt.player),
                    *(("For" if at == 0 else "", what) for at, what in enumerate(receipt.what_for)),
                    ("When", f"{receipt.at:%Y-%m-%d %H:%M}"),
                    ("Cashier", receipt.cashier),
                )
            ),
            Signatures(who=(f"Given: {gives}", f"Received: {takes}")),
        ),
        foot=f"Fingerprint {receipt.fingerprint}" if receipt.fingerprint else "",
    )
