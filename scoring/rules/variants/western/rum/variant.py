"""Basic rum: whoever goes out first wins the deal, and the others pay for the cards they hold.

Rules: docs/rules/rum.md. Knows nothing of storage, accounts or the web.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from scoring.messages import Message
from scoring.options import PLAYS_ONLY, Wording
from scoring.rules.table.variant import Setup
from scoring.rules.variants.western.rum.presets import RUM
from scoring.rules.variants.western.rum_form import RumForm
from scoring.rules.variants.western.rum_options import RumFamilyOptions
from scoring.rules.variants.western.rum_words import WORDINGS
from scoring.rules.variants.western.words import stock_runs_out

OWN_WORDINGS: dict[str, Wording] = {
    "stock_exhausted": Wording(
        "When the stock runs out",
        choices={
            "reshuffle": "the discards are shuffled and play goes on",
            "block": "the deal is blocked",
        },
    ),
    "reshuffle": Wording(
        "The discard pile becomes the stock",
        choices={"shuffle": "shuffled", "turn_over": "only turned over"},
    ),
    "reshuffle_limit": Wording(unset="as often as needed"),
}


class RumOptions(RumFamilyOptions, frozen=True, kw_only=True):
    """House options of a rum table."""

    stock_exhausted: Annotated[
        Literal["reshuffle", "block"], Meta(description="When the stock runs out: reshuffle, or the deal is blocked")
    ] = "reshuffle"
    reshuffle: Annotated[
        Literal["shuffle", "turn_over"],
        Meta(description="The discard pile is shuffled, or only turned over", extra=PLAYS_ONLY),
    ] = "shuffle"
    reshuffle_limit: Annotated[
        Annotated[int, Meta(ge=1, le=20)] | None,
        Meta(description="How often the discard pile may become the stock in a deal", extra=PLAYS_ONLY),
    ] = None

    @property
    def blocks(self) -> bool:
        return self.stock_exhausted == "block"


class Rum(RumForm[RumOptions]):
    """Basic rum, in one of its three modes."""

    name = "rum"
    title = "Basic rum"
    summary = "Losers pay for the cards they hold: as penalties up to a target, as the winner's points, or in cash."
    presets = RUM
    example = {"out": "1", "counts": {"2": 20}, "hands": {"3": "KH QH 9S AD"}, "went_rummy": True, "dealer": "3"}
    wordings = WORDINGS | OWN_WORDINGS
    options_type = RumOptions

    def reminders(self, setup: Setup[RumOptions]) -> Iterator[Message]:
        yield from super().reminders(setup)
        yield stock_runs_out(OWN_WORDINGS["stock_exhausted"].said(setup.options.stock_exhausted))
