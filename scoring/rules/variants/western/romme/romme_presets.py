"""Romme as people play it: the tables of the Rummy Palace with each special rule, club nights and other houses.

Rules: docs/rules/romme.md, "Presets". A preset sets only what its page says; the note tells what the page leaves open.
Knows nothing of play.
"""

from typing import Any

from scoring.rules.table.variant import Preset

STANDARD = {
    "scoring": "winner_collects",
    "first_meld_min": 30,
    "joker_hand": 20,
    "ace_hand": 11,
    "stock_out": "all_lose",
}
TABLE_RULE = "It changes the play and not the count."
FIVE_ROUNDS = "Not verified: the number of rounds is only said to be chosen; five here."


def _special(name: str, title: str, note: str, **rules: Any) -> Preset:
    """A table of the Rummy Palace with one of its special rules."""
    options = {**STANDARD, **rules}
    return Preset(name=f"palace_{name}", title=f"Romme, Rummy Palace: {title}", options=options, note=note)


PALACE = (
    Preset(
        name="palace",
        title="Romme, Rummy Palace",
        options={**STANDARD, "jokers": 6, "hand_multiplier": 2},
        note=f"As its page prints it, without special rules. {FIVE_ROUNDS}",
    ),
    _special(
        "short_hand",
        "short hand",
        "Its special rule: one pack with three jokers, ten cards for two seats and seven for more, no registration.",
        short_hand=True,
        jokers=3,
        first_meld_min=0,
    ),
    _special(
        "registration_40",
        "registration with 40",
        "Its special rule: the first meld of a round must be worth 40. rommee.de and others print it as the rule.",
        first_meld_min=40,
    ),
    _special(
        "no_registration",
        "without registration",
        "Its special rule: the first meld of a round may be worth anything.",
        first_meld_min=0,
    ),
    _special(
        "cyclic",
        "cyclic laying",
        f"Its special rule: an ace may lie between king and two. {TABLE_RULE}",
        cyclic_runs=True,
    ),
    _special("no_jokers", "without jokers", "Its special rule: 104 cards and no joker among them.", jokers=0),
    _special(
        "strict_joker",
        "strict jokers",
        f"Its special rule: jokers are not discarded, nor laid side by side. {TABLE_RULE}",
        strict_joker=True,
    ),
    _special(
        "strict_groups",
        "strict groups",
        f"Its special rule: the suits of a set keep their order. {TABLE_RULE}",
        strict_groups=True,
    ),
    _special(
        "knock",
        "knocking",
        f"Its special rule: a discard may be claimed out of turn. Only worth it with three seats or more. {TABLE_RULE}",
        knock=True,
    ),
    _special(
        "no_discard",
        "winning without a discard",
        f"Its special rule: the last card may be laid down as well. {TABLE_RULE}",
        win_without_discard=True,
    ),
    _special(
        "training",
        "training, unrated",
        "Its special rule: no points, chips or strength are kept. "
        "That site counts experience instead; this service does not.",
        training=True,
    ),
    _special(
        "casino",
        "casino ranking (unverified)",
        "Unverified: the table that belongs to it is lost. Its footnotes say that the winner also gets the value of "
        "the cards laid, and that a hand romme doubles everything.",
        scoring="casino",
    ),
    _special(
        "minus_500",
        "the table ends at 500 lost",
        "Published: rummy-palace.com ends a table at -500; romme-palast.de says more than 500. Fifty rounds at most.",
        end_minus=500,
        rounds=50,
    ),
)

HOUSES = (
    Preset(
        name="romme_match_points",
        title="Romme, match points of club nights",
        options={"scoring": "match_points", "match_win": 5, "match_hand_win": 8, "rounds": 20},
        note="As deaf sports clubs print it (Halle 2012, Weissenfels 2013): 5 for a win, 8 for a hand romme, 1 to 3 "
        "for losers with up to 30 left, twice 20 deals. Not verified: the edges of the bands, 10, 20 and 30.",
    ),
    Preset(
        name="romme_out_at_101",
        title="Romme, out with 101 bad points",
        options={
            "scoring": "penalty_only",
            "eliminate_minus": 101,
            "first_meld_min": 40,
            "joker_hand": 25,
            "rounds": 50,
        },
        note="Published by rommee.de: a first meld of 40, jokers 25, and out with 101 bad points. "
        "Not verified: that these are played together.",
    ),
    Preset(
        name="romme_51",
        title="Romme, first meld of 51",
        options={"first_meld_min": 51, "jokers": 4, "joker_hand": 50, "no_meld_flat": 100},
        note=f"Published by casino-yes: four jokers of 50, and 100 for whoever has not melded. {FIVE_ROUNDS}",
    ),
    Preset(
        name="romme_money",
        title="Romme, points paid in money",
        options={"settlement": "pay_points"},
        note="Needs the value of a point. Not on a page: when the stock runs out nobody collects, and no money moves.",
    ),
)

ROMME = (*PALACE, *HOUSES)
