"""Rummy 500 as people play it: plain, with each of its optional rules, and as other pages print it.

Rules: docs/rules/rummy500.md, "Presets". A preset sets only what its page says; the note tells what the page leaves
open. Knows nothing of play.
"""

from scoring.rules.table.variant import Preset

TABLE_RULE = "It changes the play and not the count."

RUMMY500 = (
    Preset(
        name="rummy500",
        title="Rummy 500",
        options={"target": 500, "jokers_per_pack": 2, "joker_value": 15, "values": "face"},
        note="As the page of Rummy 500 prints it, without its optional rules. The page does not break ties.",
    ),
    Preset(
        name="rummy500_no_jokers",
        title="Rummy 500 without jokers",
        options={"jokers_per_pack": 0},
        note="Optional rule 1 of the page: the game as it was played first.",
    ),
    Preset(
        name="rummy500_5_10_15",
        title="Rummy 500, cards count 5, 10 or 15",
        options={"values": "5/10/15", "ace_low": 5},
        note="Optional rule 2: two to nine count 5, and so does an ace melded below the two.",
    ),
    Preset(
        name="rummy500_play_the_card",
        title="Rummy 500, a card from the pile must be played",
        options={"single_card_must_play": True},
        note=f"Optional rule 3: also where it is the only card taken. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_new_meld",
        title="Rummy 500, a new meld for the pile",
        options={"new_meld_for_pile": True},
        note=f"Optional rule 4: the deepest card taken starts a meld and is not laid off. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_calling_rummy",
        title="Rummy 500, calling rummy in the pile",
        options={"rummy_in_pile": "any"},
        note=f"Optional rule 5: common, though most books do not count it to the game. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_calling_rummy_top",
        title="Rummy 500, calling rummy for the top card",
        options={"rummy_in_pile": "top_only"},
        note=f"Optional rule 6: only the latest discard may be called. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_discard_last",
        title="Rummy 500, going out needs a discard",
        options={"discard_to_go_out": True},
        note=f"Optional rule 7: one card must be kept for it. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_floating",
        title="Rummy 500, floating",
        options={"floating": True},
        note=f"Optional rule 8: whoever melds all cards floats until a discard ends the deal. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_unplayable_discard",
        title="Rummy 500, the last discard fits nowhere",
        options={"unplayable_discard": True, "floating": True},
        note=f"Optional rule 9: otherwise whoever discards it floats. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_must_go_out",
        title="Rummy 500, going out to win",
        options={"must_go_out_to_win": True},
        note="Optional rule 10: with 500 reached only whoever went out can win, and not always has the most points.",
    ),
    Preset(
        name="rummy500_low_ace_1",
        title="Rummy 500, a low ace counts 1",
        options={"ace_low": 1, "cards_for_two": 10},
        note="Published by HowStuffWorks, with ten cards for two; Board Game Arena counts a low ace as 1 as well.",
    ),
    Preset(
        name="rummy500_bicycle",
        title="Rummy 500, the differences are paid",
        options={"settlement": "pay_difference"},
        note="Published by Bicycle: the winner collects the difference from each. Needs the value of a point.",
    ),
    Preset(
        name="rummy500_stock_out",
        title="Rummy 500, no deduction when the stock runs out",
        options={"stock_exhausted": "no_hand_deduction"},
        note="Not verified: one page of questions (osgamers) has it; all others deduct hands as usual.",
    ),
    Preset(
        name="rummy500_deals",
        title="Rummy 500, a fixed number of deals",
        options={"end": "rounds"},
        note="For tournaments: the highest score wins. Not on a page: five deals are our choice.",
    ),
)
