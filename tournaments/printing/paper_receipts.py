"""A receipt for money that changed hands at the desk: from whom, how much, what for, who took it.

Rules: docs/paper.md, "Receipts". In the language of whoever prints; nothing is looked up.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, pgettext

from scoring.money.formatting import money
from scoring.money.locales import DEFAULT_LOCALE
from tournaments.printing.words import counts, fingerprint_said, local_moment
from tournaments.rendering.pdf import Document, Facts, PageSize, Signatures, Words, pdf_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Money taken from a player, or handed to one. `at` is on the club's clock; `number` is never used twice.

    `place` is where the money went, or came from; `payer` who brought it for the player. `locale` is the club's: how
    amounts are written there.
    """

    number: str
    club: str
    player: str
    amount_minor: int
    currency: str
    what_for: tuple[str, ...]
    cashier: str
    at: datetime
    place: str = ""
    payer: str = ""
    is_paid_out: bool = False
    fingerprint: str = ""
    locale: str = DEFAULT_LOCALE


def receipt_pdf(receipt: Receipt, size: PageSize = PageSize.A4) -> bytes:
    """The receipt as a file; printed again in the same language it is the same."""
    return pdf_of(receipt_document(receipt), size)


def receipt_document(receipt: Receipt) -> Document:
    """What a receipt says."""
    gives, takes = (receipt.cashier, receipt.player) if receipt.is_paid_out else (receipt.player, receipt.cashier)
    signed = gettext("Given: {name}").format(name=gives), gettext("Received: {name}").format(name=takes)
    return Document(
        house=receipt.club,
        title=gettext("Receipt {number}").format(number=receipt.number),
        parts=(
            Words(text=money(receipt.amount_minor, receipt.currency, receipt.locale), is_large=True),
            Facts(pairs=tuple(_facts(receipt))),
            Signatures(who=signed),
        ),
        foot=fingerprint_said(receipt.fingerprint),
        counts=counts(),
    )


def _facts(receipt: Receipt) -> Iterator[tuple[str, str]]:
    """Whose money, what for, from where or whereto, when and by whom."""
    yield _whose(receipt), receipt.player
    if receipt.payer:
        yield pgettext("on a receipt", "Paid by"), receipt.payer
    for at, what in enumerate(receipt.what_for):
        yield "" if at else pgettext("what a receipt is for", "For"), what
    if receipt.place:
        yield _which_way(receipt), receipt.place
    yield gettext("When"), local_moment(receipt.at)
    yield gettext("Cashier"), receipt.cashier


def _whose(receipt: Receipt) -> str:
    return pgettext("on a receipt", "Paid out to") if receipt.is_paid_out else gettext("Received from")


def _which_way(receipt: Receipt) -> str:
    if receipt.is_paid_out:
        return pgettext("a till that money came from", "Out of")
    return pgettext("a till that money went to", "Into")
