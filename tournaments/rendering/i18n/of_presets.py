"""Where the presets come from, and what of them is unverified: their notes, each whole."""

from django.utils.translation import gettext_noop

INDIAN = (
    gettext_noop("As ClassicRummy prints it: whoever leaves after drawing pays a full count."),
    gettext_noop("As its page prints it. Sets are deducted like sequences: the page is silent on that."),
    gettext_noop("Its rule 7 read to the letter: cards in sets count against a loser, only sequences do not."),
    gettext_noop(
        "Published: aces are wild with a printed joker, and play goes on after a wrong show. Its prices of drops "
        "were not found: they are the usual ones."
    ),
    gettext_noop(
        "Published: aces are wild with a printed joker. Its prices of drops were not found: they are the usual ones."
    ),
    gettext_noop(
        "Published: sets are deducted, aces are low or high, and play goes on after a wrong show. Its prices of "
        "drops were not found: they are the usual ones."
    ),
    gettext_noop("Playship prints it for six seats: 240 chips each, by the number of deals and not of seats."),
    gettext_noop("As its page prints it: 160 chips, no drops, an extra deal for seats that are level."),
    gettext_noop("As its page prints it: 480 chips, no drops, an extra deal for seats that are level."),
    gettext_noop(
        "Published: wild aces, and play goes on after a wrong show. Not verified: the rest is the usual game."
    ),
    gettext_noop("Published: aces are wild with a printed joker. Not verified: the rest is the usual game."),
    gettext_noop(
        "Published: one pack for two seats, and an extra deal for seats that are level. Not verified: no drops, "
        "and one printed joker."
    ),
    gettext_noop("Only Playship prints a pool of 61: drops 15 and 30, a full count 60, rejoin up to 44."),
    gettext_noop("No published rule was found for 51: drops and counts follow the pattern of the other pools."),
    gettext_noop("What A23 calls an NR game."),
    gettext_noop(
        "As A23 plays tournaments: no splits, and half counts in a show before the first turn. Not verified: "
        "whether clubs halve counts too, and that nobody rejoins."
    ),
    gettext_noop("As its page prints it. Rejoining and splits are not on its page, so there are none."),
    gettext_noop(
        "Its page has drops of 20 and 40 in every pool; other rooms play 25 and 50 here. Rejoining and splits "
        "are not on its page, so there are none."
    ),
    gettext_noop(
        "Published: a split must leave one entry fee in the pot. Its prices of drops were not found: they are "
        "the usual ones."
    ),
    gettext_noop("Published: rejoin up to 79. Three seats split only within two drops of each other (ace2three)."),
    gettext_noop("Published: rejoin up to 174. Three seats split only within two drops of each other (ace2three)."),
    gettext_noop(
        "Published: the pot is split at 80 or higher, one point earlier than elsewhere. Not set here: it also "
        "lets three split who sat down as three."
    ),
    gettext_noop(
        "Published: the pot is split at 175 or higher, one point earlier than elsewhere. Not set here: it also "
        "lets three split who sat down as three."
    ),
    gettext_noop("Published: rejoin up to 79, but not where the entry is 2000 rupees or more."),
    gettext_noop("Published: rejoin up to 174, but not where the entry is 2000 rupees or more."),
    gettext_noop("Published: rejoin up to 44, but not where the entry is 2000 rupees or more."),
)
RUM = (
    gettext_noop(
        "As the page of basic rum prints it. Going rummy doubles, as many play. The page does not break ties."
    ),
    gettext_noop("The page prints the double count as what many give, not as the rule. All else as in basic rum."),
    gettext_noop(
        "A variation on the page of basic rum. The lowest total wins. Not verified: the number of deals; five here."
    ),
    gettext_noop("A variation on the page of basic rum. It changes the play and not the count."),
    gettext_noop("A variation on the page of basic rum. An ace then costs 15, and king, ace, two is no run."),
    gettext_noop("The page calls king, ace, two rare. Not verified: what such an ace costs; 15 here, as if high."),
    gettext_noop("One page of rules (g4a) counts an ace in hand as 11. All else as in basic rum."),
    gettext_noop("A variation on the page of basic rum. A joker costs 15. Not verified: how many jokers; two here."),
    gettext_noop(
        "The old rule; the page advises against it, Bicycle prints it. It changes the play and not the count."
    ),
    gettext_noop(
        "A variation on the page of basic rum. Not verified: how often, and what then follows; once here, and "
        "then the deal is blocked."
    ),
    gettext_noop("A variation on the page of basic rum. Dummies and Bicycle print it as the rule."),
    gettext_noop("Published: the page names 100 or 250 as the target, and so does Dummies."),
    gettext_noop(
        "A variation on the page of basic rum. Needs the value of a point. Not verified: the number of deals; "
        "five here."
    ),
    gettext_noop("As the page of basic rum prints it: the stock is gone, and all score what they hold."),
    gettext_noop(
        "Not verified for block rummy: taken over from knock rummy. The lowest hand gets rid of what others take."
    ),
    gettext_noop("Published by rrrummy.com for games that end early. The points of such a deal do not add up to 0."),
    gettext_noop("Not on a page as such: rum in which only winners score, and so a blocked deal needs one."),
    gettext_noop(
        "Needs the value of a point. Not on a page as such: rum for cash, a blocked deal paid by the differences."
    ),
)
RUMMY_500 = (
    gettext_noop("As the page of Rummy 500 prints it, without its optional rules. The page does not break ties."),
    gettext_noop("Optional rule 1 of the page: the game as it was played first."),
    gettext_noop("Optional rule 2: two to nine count 5, and so does an ace melded below the two."),
    gettext_noop("Optional rule 3: also where it is the only card taken. It changes the play and not the count."),
    gettext_noop(
        "Optional rule 4: the deepest card taken starts a meld and is not laid off. It changes the play and not "
        "the count."
    ),
    gettext_noop(
        "Optional rule 5: common, though most books do not count it to the game. It changes the play and not the count."
    ),
    gettext_noop("Optional rule 6: only the latest discard may be called. It changes the play and not the count."),
    gettext_noop("Optional rule 7: one card must be kept for it. It changes the play and not the count."),
    gettext_noop(
        "Optional rule 8: whoever melds all cards floats until a discard ends the deal. It changes the play and "
        "not the count."
    ),
    gettext_noop("Optional rule 9: otherwise whoever discards it floats. It changes the play and not the count."),
    gettext_noop(
        "Optional rule 10: with 500 reached only whoever went out can win, and not always has the most points."
    ),
    gettext_noop("Published by HowStuffWorks, with ten cards for two; Board Game Arena counts a low ace as 1 as well."),
    gettext_noop("Published by Bicycle: the winner collects the difference from each. Needs the value of a point."),
    gettext_noop("Not verified: one page of questions (osgamers) has it; all others deduct hands as usual."),
    gettext_noop("For tournaments: the highest score wins. Not on a page: five deals are our choice."),
)
ROMME = (
    gettext_noop(
        "As its page prints it, without special rules. Not verified: the number of rounds is only said to be "
        "chosen; five here."
    ),
    gettext_noop(
        "Its special rule: one pack with three jokers, ten cards for two seats and seven for more, no registration."
    ),
    gettext_noop(
        "Its special rule: the first meld of a round must be worth 40. rommee.de and others print it as the rule."
    ),
    gettext_noop("Its special rule: the first meld of a round may be worth anything."),
    gettext_noop("Its special rule: an ace may lie between king and two. It changes the play and not the count."),
    gettext_noop("Its special rule: 104 cards and no joker among them."),
    gettext_noop(
        "Its special rule: jokers are not discarded, nor laid side by side. It changes the play and not the count."
    ),
    gettext_noop("Its special rule: the suits of a set keep their order. It changes the play and not the count."),
    gettext_noop(
        "Its special rule: a discard may be claimed out of turn. Only worth it with three seats or more. It "
        "changes the play and not the count."
    ),
    gettext_noop("Its special rule: the last card may be laid down as well. It changes the play and not the count."),
    gettext_noop(
        "Its special rule: no points, chips or strength are kept. That site counts experience instead; this "
        "service does not."
    ),
    gettext_noop(
        "Unverified: the table that belongs to it is lost. Its footnotes say that the winner also gets the value "
        "of the cards laid, and that a hand romme doubles everything."
    ),
    gettext_noop(
        "Published: rummy-palace.com ends a table at -500; romme-palast.de says more than 500. Fifty rounds at most."
    ),
    gettext_noop(
        "As deaf sports clubs print it (Halle 2012, Weissenfels 2013): 5 for a win, 8 for a hand romme, 1 to 3 "
        "for losers with up to 30 left, twice 20 deals. Not verified: the edges of the bands, 10, 20 and 30."
    ),
    gettext_noop(
        "Published by rommee.de: a first meld of 40, jokers 25, and out with 101 bad points. Not verified: that "
        "these are played together."
    ),
    gettext_noop(
        "Published by casino-yes: four jokers of 50, and 100 for whoever has not melded. Not verified: the "
        "number of rounds is only said to be chosen; five here."
    ),
    gettext_noop(
        "Needs the value of a point. Not on a page: when the stock runs out nobody collects, and no money moves."
    ),
)
GIN = (
    gettext_noop("What most pages print; gin is worth 20 and an undercut 10 or 15 on others."),
    gettext_noop("Published by onlinegambling: gin 20, undercut 10. Not verified: the rest is the usual game."),
    gettext_noop(
        "Published by ginrummy.com: 6 on top of the gin bonus, so 31. Its shutout doubles the hand points; here "
        "the difference doubles, as on most pages."
    ),
    gettext_noop("Published by ginrummyblog: the game bonus is as much as the target."),
    gettext_noop("The target as rummyrulebook prints it, and gin alone under an ace as Bicycle does."),
    gettext_noop(
        "A spade turned up doubles points and bonuses. Whether boxes double as well, books differ "
        "(rummy-games.com): here they do not."
    ),
    gettext_noop("Target and boxes as pokerwiner prints them."),
    gettext_noop("Published by rummytalk: the last game counts double. Not verified: its boxes; 25 here."),
    gettext_noop(
        "For four or six seats. The target as Bicycle and rummy-games.com print it; a dead hand is ignored, as "
        "rummytalk says."
    ),
    gettext_noop("For four or six seats. The flat shutout stands on one page for partners."),
    gettext_noop(
        "Unverified: no rules of a gin tournament were found. Our choice: one game to 100 without a double "
        "shutout, so that one deal does not decide a round; when time is called the higher total wins without "
        "bonus."
    ),
)
ROYAL = (
    gettext_noop(
        "As its page prints it. The page is silent on who gets the price of the extra hand (here the dealer), on "
        "odd chips at the end, and on how many chips a seat starts with."
    ),
    gettext_noop(
        "The page of Rummy Royal lets any board be used. Poker and the four aces in the corners are not played."
    ),
    gettext_noop(
        "Published for Tripoley: all who hold the sequence share its box, odd chips stay. Not verified: all else "
        "as in Rummy Royal, without poker."
    ),
    gettext_noop(
        "Published by livestrongbay.blogspot.com: 7-8-9 of one suit, the dealer lays two chips a box and keeps "
        "the price of the extra hand. Not set here: its board pays other jacks and kings, ours hearts."
    ),
    gettext_noop("The ante as michigan-rummy-rules.com prints it. All else as in Rummy Royal."),
)
SAID: tuple[str, ...] = (*INDIAN, *RUM, *RUMMY_500, *ROMME, *GIN, *ROYAL)
