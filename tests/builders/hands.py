"""Hands for tests and benchmarks: dealt at random, built from groups and spoilt, or made to be hard."""

RANKS = "A23456789TJQK"
LADDER = RANKS + "A"
SUITS = "SHDC"
SIZES = [(4, 3, 3, 3), (5, 4, 4), (3, 3, 3, 4), (5, 5, 3), (6, 4, 3)]
JOKER = "PJ"
SORTS = (
    "random",
    "built-0",
    "built-1",
    "built-2",
    "built-3",
    "built-4",
    "few-suits",
    "few-ranks",
    "duplicates",
    "many-jokers",
    "one-run-and-jokers",
    "window",
)


def deal(chance, sort):
    """A hand of 13 cards and the card turned up: a rank, PJ or None. `chance` is a random.Random."""
    packs = chance.choice((2, 2, 3))
    deck = [rank + suit for rank in RANKS for suit in SUITS] * packs + [JOKER] * (packs * chance.choice((1, 2)))
    chance.shuffle(deck)
    wild = chance.choice([*RANKS, *RANKS, None, JOKER])
    if sort.startswith("built"):
        return built(chance, deck, wild, spoilt=int(sort[-1])), wild
    makers = {"random": _random, "few-suits": _few_suits, "few-ranks": _few_ranks, "duplicates": _duplicates}
    makers |= {"many-jokers": _many_jokers, "one-run-and-jokers": _run_and_jokers, "window": _window}
    return makers[sort](chance, deck, wild), wild


def wild_rank(wild):
    """The rank that is wild: aces when a printed joker was turned up."""
    return "A" if wild == JOKER else wild


def built(chance, deck, wild, *, spoilt):
    """Four groups or so, with a joker here and there, and then some cards changed for others."""
    while True:
        left, hand = list(deck), []
        for place, size in enumerate(chance.choice(SIZES)):
            group = _group(chance, size, is_sequence=place < 2)
            if place and chance.random() < 0.35:
                jokers = [JOKER] + ([wild_rank(wild) + suit for suit in SUITS] if wild else [])
                group[chance.randrange(size)] = chance.choice(jokers)
            for card in group:
                if card in left:
                    left.remove(card)
                    hand.append(card)
        if len(hand) == 13:
            break
    for place in chance.sample(range(13), spoilt):
        other = chance.randrange(len(left))
        hand[place], left[other] = left[other], hand[place]
    return hand


def _group(chance, size, *, is_sequence):
    if is_sequence or size > 4 or chance.random() < 0.4:
        start = chance.randrange(len(LADDER) - size + 1)
        suit = chance.choice(SUITS)
        return [rank + suit for rank in LADDER[start : start + size]]
    rank = chance.choice(RANKS)
    return [rank + suit for suit in chance.sample(SUITS, size)]


def _random(chance, deck, wild):
    return deck[:13]


def _few_suits(chance, deck, wild):
    suits = chance.sample(SUITS, chance.choice((1, 2, 2, 3)))
    return _with_jokers(chance, deck, [card for card in deck if card != JOKER and card[1] in suits])


def _few_ranks(chance, deck, wild):
    start = chance.randrange(9)
    ranks = LADDER[start : start + 5] if chance.random() < 0.5 else chance.sample(RANKS, 5)
    return _with_jokers(chance, deck, [card for card in deck if card[0] in ranks])


def _window(chance, deck, wild):
    start = chance.randrange(9)
    ranks, suits = LADDER[start : start + 6], chance.sample(SUITS, chance.choice((3, 4)))
    return _with_jokers(chance, deck, [card for card in deck if card[0] in ranks and card[1] in suits])


def _duplicates(chance, deck, wild):
    names = chance.sample(sorted(set(deck)), 7)
    twins = [card for card in deck if card in names]
    return (twins + [card for card in deck if card not in names])[:13]


def _many_jokers(chance, deck, wild):
    jokers = [card for card in deck if card == JOKER or card[0] == wild_rank(wild)]
    jokers = jokers[: chance.randrange(5, 10)]
    return (jokers + [card for card in deck if card != JOKER and card[0] != wild_rank(wild)])[:13]


def _run_and_jokers(chance, deck, wild):
    run = _group(chance, chance.choice((3, 3, 4, 5)), is_sequence=True)
    left = list(deck)
    for card in run:
        left.remove(card)
    jokers = [card for card in left if card == JOKER or card[0] == wild_rank(wild)][: chance.randrange(3, 9)]
    return (run + jokers + [card for card in left if card != JOKER and card[0] != wild_rank(wild)])[:13]


def _with_jokers(chance, deck, cards):
    jokers = [card for card in deck if card == JOKER][: chance.choice((0, 0, 1, 2, 3, 4))]
    return (jokers + cards + deck)[:13] if len(cards) + len(jokers) >= 13 else deck[:13]
