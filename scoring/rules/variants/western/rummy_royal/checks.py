"""Problems with a sheet of Rummy Royal, and with events between its deals.

Rules: docs/rules/rummy_royal.md, sections 1 (what is entered) and 3 (the order of a deal). Knows nothing of how chips
move.
"""

from collections.abc import Sequence

from scoring.events import wire
from scoring.messages import Seat, say, say_many
from scoring.problems import Problem
from scoring.rules.table.refusals import left_already, nothing_played, too_often
from scoring.rules.table.variant import Setup
from scoring.rules.variants.western.rummy_royal.game import Chips, RoyalGame, RoyalSheet, after_play, before_play
from scoring.rules.variants.western.rummy_royal.options import (
    KING_AND_QUEEN,
    KITTY,
    POT,
    SEQUENCES,
    RoyalOptions,
    box_title,
    cards_of,
    hand_sizes,
    is_card,
    unknown_box,
)

MOST_ANTE, FIVE = 10, 5


def royal_problems(options: RoyalOptions, playing: Sequence[str], sheet: RoyalSheet) -> list[Problem]:
    """All problems that the rules find with a sheet for the seats that play."""
    if sheet.is_last and options.divides_equally:
        detail = say("there is no last deal here: closing the table divides the chips left on the board")
        return [Problem("not_in_this_variant", detail, field="last_hearts")]
    if sheet.is_last:
        return _last_problems(options, playing, sheet)
    problems = _player_problems(playing, sheet)
    problems += _box_problems(options, playing, sheet)
    problems += _together_problems(options, sheet)
    problems += _poker_problems(options, sheet)
    problems += _cards_left_problems(options, playing, sheet)
    return problems + _auction_problems(sheet) + _ante_problems(sheet)


def _player_problems(playing: Sequence[str], sheet: RoyalSheet) -> list[Problem]:
    """A named seat must play; a deal needs a dealer and two seats."""
    problems: list[Problem] = []
    if sheet.dealer is None:
        problems.append(Problem("missing_field", say("who dealt is missing: the pot depends on it"), field="dealer"))
    named = {"dealer": sheet.dealer, "out": sheet.out, "buyer": sheet.buyer}
    listed = {"boxes": [seat for seats in sheet.boxes.values() for seat in seats], "cards_left": [*sheet.cards_left]}
    listed |= {"antes": [*sheet.antes], "bought": [*sheet.bought], "poker": [*sheet.poker], "bets": [*sheet.bets]}
    pairs = [(field, seat) for field, seat in named.items() if seat is not None]
    pairs += [(field, seat) for field, seats in listed.items() for seat in dict.fromkeys(seats)]
    problems += [
        Problem("seat_is_out", say("{seat} is out, or does not play this deal", seat=Seat(seat)), field=field)
        for field, seat in pairs
        if seat not in playing
    ]
    if len(playing) < 2:
        problems.append(Problem("too_few_seats", say("nobody is left to play with"), field="out"))
    return problems


def _box_problems(options: RoyalOptions, playing: Sequence[str], sheet: RoyalSheet) -> list[Problem]:
    """Boxes must be on the board and have one winner, unless a sequence is shared; K-Q belongs to who played both."""
    problems = [_not_on_board(options, box) for box in sheet.boxes if box not in options.boxes]
    shares = options.sequence if options.sequence_claim == "shared" else None
    for box, seats in sheet.boxes.items():
        if len(seats) > 1 and box != shares:
            detail = say("{seat}: {name} can only be won by one seat", seat=Seat(seats[1]), name=box)
            problems.append(Problem("two_winners", detail, field="boxes"))
    both = sheet.boxes.get(KING_AND_QUEEN)
    if (
        both is not None
        and {"QH", "KH"} <= {*options.on_board}
        and not both == sheet.boxes.get("QH") == sheet.boxes.get("KH")
    ):
        detail = say("{seat} has king and queen together, but not both of their boxes in this deal", seat=Seat(both[0]))
        problems.append(Problem("king_and_queen_apart", detail, field="boxes"))
    return problems


def _not_on_board(options: RoyalOptions, box: str) -> Problem:
    if box in SEQUENCES and options.sequence != "none":
        message = say("the sequence box of this table is {name}, not {value}", name=options.sequence, value=box)
        return Problem("unknown_box", message, field="boxes")
    return unknown_box(box, "boxes", [name for name in options.boxes if name not in (KITTY, POT)])


def _together_problems(options: RoyalOptions, sheet: RoyalSheet) -> list[Problem]:
    """Cards that have a box together are won with it by one seat, where they have boxes of their own."""
    problems = []
    for box in options.on_board:
        own = [card for card in cards_of(box) if card in options.boxes]
        winners = {sheet.boxes.get(card, ()) for card in own}
        if is_card(box) or (box == KING_AND_QUEEN and len(own) > 1) or not own:
            continue
        won, cards = sheet.boxes.get(box), tuple(box_title(card) for card in own)
        if won is not None and winners != {won}:
            message = say(
                "{seat} has {box}, but not {cards} in this deal", seat=Seat(won[0]), box=box_title(box), cards=cards
            )
            problems.append(Problem("king_and_queen_apart", message, field="boxes"))
        elif won is None and len(own) == len(cards_of(box)) and len(winners) == 1 and winners != {()}:
            seat = next(iter(winners))[0]
            message = say("{seat} has {cards}: enter {box} as well", seat=Seat(seat), cards=cards, box=box_title(box))
            problems.append(Problem("missing_field", message, field="boxes"))
    return problems


def _poker_problems(options: RoyalOptions, sheet: RoyalSheet) -> list[Problem]:
    """The best poker hand is only entered where it takes the pot, and chips that were bet have a winner."""
    if not options.plays_poker and (sheet.poker or sheet.bets):
        message = say("no poker is played at this table: leave it empty")
        return [Problem("count_not_expected", message, field="poker" if sheet.poker else "bets")]
    if any(sheet.bets.values()) and not sheet.poker:
        return [Problem("missing_field", say("chips were bet: enter who had the best poker hand"), field="poker")]
    return []


def payee_problems(options: RoyalOptions) -> list[Problem]:
    """The price of the extra hand goes into a box that is on the board."""
    if options.auction_payee == "dealer" or options.auction_payee in options.boxes:
        return []
    message = say("this board has no {box}: the price of the extra hand cannot go there", box=options.auction_payee)
    return [Problem("not_a_choice", message, field="auction_payee")]


def _cards_left_problems(options: RoyalOptions, playing: Sequence[str], sheet: RoyalSheet) -> list[Problem]:
    """The seat that went out holds nothing, all others hold at least one card, and no more than they were dealt."""
    problems: list[Problem] = []
    sizes = hand_sizes(max(2, len(playing)), options.pack_cards)
    most, dead = max(sizes), min(sizes)
    for seat in playing:
        card_count = sheet.cards_left.get(seat)
        if seat == sheet.out:
            if card_count:
                detail = say(
                    "{seat} went out, so no card is left; the sheet says {number}", seat=Seat(seat), number=card_count
                )
                problems.append(Problem("winner_has_points", detail, field="cards_left"))
        elif card_count is None:
            detail = say("{seat} did not go out, but the cards left are missing", seat=Seat(seat))
            problems.append(Problem("missing_count", detail, field="cards_left"))
        elif card_count == 0:
            detail = say("{seat} has no card left, but did not go out", seat=Seat(seat))
            problems.append(Problem("count_is_zero", detail, field="cards_left"))
        elif card_count > most:
            detail = say(
                "{seat} has {number} cards left; {most} were dealt at most",
                seat=Seat(seat),
                number=card_count,
                most=most,
            )
            problems.append(Problem("count_over_cap", detail, field="cards_left"))
    total = sum(sheet.cards_left.values())
    if not problems and total > options.pack_cards - dead:
        detail = say(
            "{number} cards are left; with a dead hand of {of} that is more than a pack", number=total, of=dead
        )
        problems.append(Problem("count_over_cap", detail, field="cards_left"))
    return problems


def _auction_problems(sheet: RoyalSheet) -> list[Problem]:
    """A sold hand has a buyer and a price; the dealer cannot be the buyer, for the hand was the dealer's to keep."""
    if sheet.extra_hand != "sold":
        if sheet.buyer is None and not sheet.price:
            return []
        detail = say("the extra hand was not sold, so it has no buyer and no price")
        return [Problem("count_not_expected", detail, seat=sheet.buyer, field="price")]
    problems: list[Problem] = []
    if sheet.buyer is None:
        problems.append(Problem("missing_field", say("the extra hand was sold: to whom?"), field="buyer"))
    elif sheet.buyer == sheet.dealer:
        detail = say("{seat} dealt, and would have taken the extra hand for nothing", seat=Seat(sheet.buyer))
        problems.append(Problem("not_a_choice", detail, field="buyer"))
    if not sheet.price:
        problems.append(Problem("missing_count", say("the extra hand was sold: for how many chips?"), field="price"))
    return problems


def _ante_problems(sheet: RoyalSheet) -> list[Problem]:
    problems: list[Problem] = []
    for seat, ante in sheet.antes.items():
        if ante > MOST_ANTE:
            detail = say("{seat}: {number} chips a box; {most} at most", seat=Seat(seat), number=ante, most=MOST_ANTE)
            problems.append(Problem("out_of_range", detail, field="antes"))
    return problems


def _last_problems(options: RoyalOptions, playing: Sequence[str], sheet: RoyalSheet) -> list[Problem]:
    """The last deal has only the cards of the board, five hearts, each with a seat that plays."""
    problems = [_not_dealt(options, card) for card in options.cards if card not in sheet.last_hearts]
    problems += [
        unknown_box(card, "last_hearts", options.cards) for card in sheet.last_hearts if card not in options.cards
    ]
    problems += [
        Problem("seat_is_out", say("{seat} is out, and is dealt no card", seat=Seat(seat)), field="last_hearts")
        for seat in dict.fromkeys(sheet.last_hearts.values())
        if seat not in playing
    ]
    plain = RoyalSheet(last_hearts=sheet.last_hearts, dealer=sheet.dealer)
    if sheet != plain:
        detail = say("the last deal only divides the board: nobody wins boxes, goes out or pays in it")
        problems.append(Problem("not_in_last_deal", detail, field="last_hearts"))
    return problems


def _not_dealt(options: RoyalOptions, card: str) -> Problem:
    detail = say("enter who was dealt {card}: the cards go round until all five are out", card=card)
    if len(options.cards) == FIVE:
        return Problem("missing_field", detail, field="last_hearts")
    message = say("enter who was dealt {card}: the cards go round until all of the board are out", card=card)
    return Problem("missing_field", message, field="last_hearts")


# Between the deals, and before the next one.


def short_problems(options: RoyalOptions, chips: Chips, sheet: RoyalSheet, playing: Sequence[str]) -> list[Problem]:
    """Seats that cannot pay the ante or the extra hand, or at the end the cards left, and how many chips they lack."""
    if options.cannot_pay == "owe":
        return []
    laid = before_play(options, chips, sheet, playing)
    chips_after = after_play(options, laid, sheet, playing)
    missing = {seat: -min(laid.stacks[seat], chips_after.stacks[seat]) for seat in playing}
    problems: list[Problem] = []
    for seat, lacking in missing.items():
        if lacking > 0:
            detail = say_many(
                "{seat} is {count} chip short: buy at least that many, and note them as bought",
                "{seat} is {count} chips short: buy at least that many, and note them as bought",
                count=lacking,
                seat=Seat(seat),
            )
            problems.append(Problem("short_stack", detail, field="bought"))
    return problems


def penalty_problems(options: RoyalOptions, chips: Chips, event: wire.PenaltyGiven) -> list[Problem]:
    """A penalty is paid in chips into the kitty, and so needs chips."""
    stack = chips.stacks[event.seat]
    if options.cannot_pay == "owe" or stack >= event.points:
        return []
    detail = say_many(
        "{seat} holds {count} chip, and the penalty is {points}",
        "{seat} holds {count} chips, and the penalty is {points}",
        count=stack,
        seat=Seat(event.seat),
        points=event.points,
    )
    return [Problem("short_stack", detail, field="points")]


def over_problems(game: RoyalGame) -> list[Problem]:
    detail = say("the board was dealt out in deal {deal}", deal=game.last_deal)
    return [Problem("table_finished", detail)] if game.is_dealt_out else []


def buying_problems(setup: Setup[RoyalOptions], game: RoyalGame, event: wire.BoughtIn) -> list[Problem]:
    """Chips are bought in whole ones, at the value that a chip has here."""
    value = setup.stakes.point_value_minor
    if not value:
        detail = say("chips have no value at this table: note them as bought on the sheet of a deal")
        return [Problem("not_in_this_variant", detail, field="kind")]
    problems = left_already(game.gone, event.seat) + too_often(
        setup.options.max_buy_ins, game.buy_ins, [event.seat], field="seat"
    )
    if event.amount_minor % value:
        enough = event.amount_minor // value
        detail = say(
            "the amount is not a whole number of chips: too much for {number}, too little for {most}",
            number=enough,
            most=enough + 1,
        )
        problems.append(Problem("out_of_range", detail, seat=event.seat, field="amount_minor"))
    return problems


def closing_problems(options: RoyalOptions, game: RoyalGame) -> list[Problem]:
    """No chips may be left on the board when a table closes, unless closing it divides them."""
    if game.is_dealt_out:
        return []
    if problems := nothing_played(game.deals):
        return problems
    lying = game.chips.on_board
    if not lying or options.divides_equally:
        return []
    detail = say_many(
        "{count} chip lies on the board: play the last deal to divide the board",
        "{count} chips lie on the board: play the last deal to divide the board",
        count=lying,
    )
    return [Problem("not_finished", detail)]
