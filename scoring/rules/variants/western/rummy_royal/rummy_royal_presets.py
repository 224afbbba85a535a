"""Rummy Royal as people play it: on its own board, on boards of the Tripoley family, and with other antes.

Rules: docs/rules/rummy_royal.md, "Presets". A preset sets only what its page says; the note tells what the page leaves
open. Knows nothing of play.
"""

from scoring.rules.table.variant import Preset

RUMMY_ROYAL = (
    Preset(
        name="rummy_royal",
        title="Rummy Royal, board 6-7-8",
        options={"sequence": "678", "sequence_claim": "first_to_play"},
        note="As its page prints it. The page is silent on who gets the price of the extra hand (here the dealer), on "
        "odd chips at the end, and on how many chips a seat starts with.",
    ),
    Preset(
        name="rummy_royal_8910",
        title="Rummy Royal on a Tripoley board 8-9-10",
        options={"sequence": "8910", "sequence_claim": "first_to_play"},
        note="The page of Rummy Royal lets any board be used. Poker and the four aces in the corners are not played.",
    ),
    Preset(
        name="tripoley_8910",
        title="Tripoley family, 8-9-10 is shared",
        options={"sequence": "8910", "sequence_claim": "shared"},
        note="Published for Tripoley: all who hold the sequence share its box, odd chips stay. Not verified: all else "
        "as in Rummy Royal, without poker.",
    ),
    Preset(
        name="michigan_789",
        title="Michigan rummy board 7-8-9",
        options={"sequence": "789", "ante_each": 1, "ante_dealer": 2, "auction_payee": "dealer"},
        note="Published by livestrongbay.blogspot.com: 7-8-9 of one suit, the dealer lays two chips a box and keeps "
        "the price of the extra hand. Not set here: its board pays other jacks and kings, ours hearts.",
    ),
    Preset(
        name="rummy_royal_dealer_double",
        title="Rummy Royal, the dealer lays two chips a box",
        options={"sequence": "678", "ante_each": 1, "ante_dealer": 2},
        note="The ante as michigan-rummy-rules.com prints it. All else as in Rummy Royal.",
    ),
)
