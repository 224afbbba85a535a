"""Describes the plan of a tournament in sentences: stages, who qualifies, policies, and prizes.

Rules: docs/rules/tournaments.md. Describes what is in the plan and nothing else. Prizes are those of the entered field
as long as no player has a seat; afterwards those that follow from the seats of the board, so that prizes and places are
of one moment.
"""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext, gettext_noop, ngettext

from scoring.money.formatting import Notation, money, percent
from scoring.money.payouts import FULL_BP, FeeTerms, Stakes
from scoring.tournament.plans import Plan, Stage
from scoring.tournament.plans.prizes import SOLE, SidePot, StagePrizes
from scoring.tournament.prizes import expected_sheet
from tournaments.boards import Board
from tournaments.models import Tournament
from tournaments.printing import names_in_prizes, notation_of, stage_game_text
from tournaments.rendering.i18n.translating import spoken
from tournaments.running.prize_money import prizes_so_far
from tournaments.running.queries.prizes import PrizeTable, in_language_of_page, prize_table
from tournaments.running.queries.stages import tournament_state
from tournaments.web.public.base.words import started

SEATING = {
    "draw": gettext_noop("Seats are drawn."),
    "standing": gettext_noop("Seats go by standings: the best players sit together."),
    "snake": gettext_noop("Snake seeding by standings, so that tables are equally strong."),
    "prepared": gettext_noop("Seats are prepared by the director."),
}
LAST_DEAL = {
    "finish": gettext_noop("When time is up the deal in play is finished."),
    "one_more": gettext_noop("When time is up the deal in play is finished, and one more is played."),
}
COMPARES = {
    "score": gettext_noop("Players are compared by their score."),
    "average": gettext_noop("Players are compared by their average per deal."),
}
LATE = {
    "zero": gettext_noop("A late entry starts with 0, and never better than the average."),
    "average": gettext_noop("A late entry starts with the average of those who played the rounds missed."),
}
LEAVING = {
    "forfeit": gettext_noop(
        "A player who leaves keeps the points; each round missed counts as the worst of the round."
    ),
    "average": gettext_noop("A player who leaves for good gets their own average for rounds missed."),
    "void": gettext_noop("A player who leaves forfeits the points of this stage too."),
}
SUBSTITUTE = {
    "seat": gettext_noop("A substitute continues the seat’s score."),
    "person": gettext_noop("A substitute starts a new score, as a late entry."),
    "split": gettext_noop("With a substitute the score is split at the change; each has the rounds they played."),
}
CONFIRMATION = {
    "at_once": gettext_noop("A deal counts as soon as it is saved."),
    "second_seat": gettext_noop("A deal is confirmed by another seat of the table."),
    "second_official": gettext_noop("A deal is confirmed by a second official."),
    "two_seats": gettext_noop("Two seats enter each deal on their own phones; equal entries confirm it."),
}
SHORT = {
    "scale": gettext_noop("Where fixed amounts are more than there is, they are scaled down."),
    "top_up": gettext_noop("Where fixed amounts are more than there is, the club adds the rest."),
}
REENTRY = {
    "chips": gettext_noop("A re-entry starts with %(points)s."),
    "score_and_chips": gettext_noop("A re-entry starts with its own score and %(points)s more."),
    "least_score": gettext_noop("A re-entry starts with the score that the previous stage requires."),
}
UNWON = {
    "carried": gettext_noop("if nobody wins it, it is carried to the next tournament"),
    "prizes": gettext_noop("if nobody wins it, it is added to the prizes"),
}
FIRST_COMPARED = gettext_noop("the score of the stage")
TIE_BREAKS = {
    "deals_won": gettext_noop("more deals won"),
    "fewest_wrong_shows": gettext_noop("fewer wrong shows"),
    "fewest_drops": gettext_noop("fewer drops"),
    "head_to_head": gettext_noop("better places at shared tables"),
    "last_deal": gettext_noop("the better last deal"),
    "extra_deal": gettext_noop("an extra deal"),
    "high_card": gettext_noop("the higher card drawn"),
    "lots": gettext_noop("lots, with the draw code shown"),
}
# The house fee as pages print it: between its bounds, with a levy beside it.

Terms = FeeTerms | Tournament
LEVIED_ON = {"gross": gettext_noop("{rate} of all that is paid in"), "fee": gettext_noop("{rate} of the house fee")}


def stage_title(plan: Plan | None, number: int) -> str:
    """Return the title of a stage; its number where it has no name, nothing where there is only one.

    A game of its own is added.
    """
    if plan is None or number > len(plan.stages):
        return ""
    stage = plan.stages[number - 1]
    numbered = gettext("Stage %(number)s") % {"number": number} if len(plan.stages) > 1 else ""
    return " · ".join(filter(None, (spoken(stage.called) or numbered, stage_game_text(stage))))


def stage_sentences(stage: Stage, notation: Notation) -> Iterator[str]:
    """Describe how a stage is played, and who qualifies from it."""
    yield _size_text(stage)
    yield gettext(SEATING[stage.seating])
    if stage.keeps_mates_apart:
        yield gettext("Players of one group sit apart where that is possible.")
    yield length_text(stage)
    if stage.length == "minutes":
        yield gettext(LAST_DEAL[stage.last_deal])
    yield _compared(stage)
    if stage.carries == "score":
        yield gettext("Scores carry over from the previous stage.")
    yield from _cut_sentences(stage)
    if stage.reentry_minor:
        text = gettext("Players who are out may re-enter for %(amount)s, up to round %(round)s.")
        yield text % {"amount": money(stage.reentry_minor, *notation), "round": stage.reentry_until_round}
        yield from _reentry_sentences(stage)


def _reentry_sentences(stage: Stage) -> Iterator[str]:
    """Describe the score with which a re-entry starts, and the score needed for it."""
    begins, chips, least = stage.reentry
    if begins != "nothing":
        yield gettext(REENTRY[begins]) % {"points": chips}
    if least is not None:
        yield gettext("A re-entry needs %(score)s or better.") % {"score": least}
    if isinstance(stage.reentry_own_least, int):
        text = gettext("Only players who were cut with %(score)s or better may re-enter.")
        yield text % {"score": stage.reentry_own_least}


def length_text(stage: Stage) -> str:
    """Describe the length of a round of the stage."""
    match stage.length:
        case "deals":
            text = ngettext("Each table plays %(number)s deal.", "Each table plays %(number)s deals.", stage.deals)
            return text % {"number": stage.deals}
        case "deals_as_seats":
            return gettext("Each table plays as many deals as it has seats.")
        case "minutes":
            text = ngettext("A round lasts %(number)s minute.", "A round lasts %(number)s minutes.", stage.minutes)
            return text % {"number": stage.minutes}
    return gettext("Each table plays its game to the end.")


def policy_sentences(plan: Plan) -> Iterator[str]:
    """Describe what happens to players who come late, leave or are replaced, and when a deal counts."""
    if plan.late == "highest_plus":
        text = gettext("A late entry starts %(points)s behind the lowest score.")
        yield text % {"points": plan.late_plus}
    else:
        yield gettext(LATE[plan.late])
    yield gettext("Late entries are taken up to round %(round)s.") % {"round": plan.late_until_round}
    yield gettext(LEAVING[plan.leaving])
    yield gettext(SUBSTITUTE[plan.substitute])
    yield gettext(CONFIRMATION[plan.confirmation])


def prize_sentences(plan: Plan, notation: Notation) -> Iterator[str]:
    """Describe the prizes: shares, fixed amounts, guarantees, things, and side pots."""
    if plan.guaranteed_minor:
        text = gettext("The prizes are together at least %(amount)s: the club adds what is missing.")
        yield text % {"amount": money(plan.guaranteed_minor, *notation)}
    if plan.fixed_minor:
        text = gettext("Fixed amounts, the first place first: %(amounts)s.")
        yield text % {"amounts": _amounts(plan.fixed_minor, notation)}
    yield from (_of_a_stage(plan, prizes, notation) for prizes in plan.stage_prizes)
    if plan.fixed_minor or plan.stage_prizes:
        yield gettext(SHORT[plan.short])
    yield _shares_text(plan, notation)
    if plan.things:
        yield gettext("Also, first place first: %(things)s.") % {"things": " · ".join(plan.things)}
    yield from (_pot_text(pot, notation) for pot in plan.side_pots)


def _size_text(stage: Stage) -> str:
    rounds = ngettext("%(number)s round", "%(number)s rounds", stage.rounds) % {"number": stage.rounds}
    least, most = stage.smallest_table, stage.largest_table
    if least == most:
        return gettext("%(rounds)s at tables of %(most)s.") % {"rounds": rounds, "most": most}
    text = gettext("%(rounds)s at tables of %(least)s to %(most)s, %(usual)s where it can be chosen.")
    return text % {"rounds": rounds, "least": least, "most": most, "usual": stage.preferred_table}


def _compared(stage: Stage) -> str:
    if stage.compares != "rank_points":
        return gettext(COMPARES[stage.compares])
    text = gettext("Players are compared by points for the place at each table, the winner’s first: %(points)s.")
    return text % {"points": " ".join(map(str, stage.rank_points))}


def _cut_sentences(stage: Stage) -> Iterator[str]:
    """Describe who qualifies; nothing after the last stage."""
    if number := stage.per_table:
        text = ngettext("The best of each table qualifies.", "The best %(number)s of each table qualify.", number)
        yield text % {"number": number}
    if number := stage.wild_cards:
        text = ngettext(
            "One more qualifies: the best of the others over all tables.",
            "%(number)s more qualify: the best of the others over all tables.",
            number,
        )
        yield text % {"number": number}
    if number := stage.advancing:
        text = ngettext(
            "The best one over all tables qualifies.", "The best %(number)s over all tables qualify.", number
        )
        yield text % {"number": number}
    if stage.at_least is not None:
        yield gettext("A player with %(score)s or better qualifies.") % {"score": stage.at_least}


def _shares_text(plan: Plan, notation: Notation) -> str:
    if plan.over == "fund":
        return gettext("What these amounts leave stays with the club, for guarantees.")
    if plan.paid_share_bp:
        text = gettext("%(share)s of the players are paid, by the usual table of shares.")
        return text % {"share": percent(plan.paid_share_bp, notation.locale)}
    if plan.prizes_bp in (SOLE, (FULL_BP,)):
        return gettext("The winner takes the whole prize pool.")
    text = gettext("The prize pool is shared by place: %(shares)s.")
    return text % {"shares": " · ".join(percent(share, notation.locale) for share in plan.prizes_bp)}


def _of_a_stage(plan: Plan, prizes: StagePrizes, notation: Notation) -> str:
    words = {
        "stage": stage_title(plan, prizes.stage) or gettext("Stage %(number)s") % {"number": prizes.stage},
        "amounts": _amounts(prizes.amounts_minor, notation),
    }
    if prizes.of == "each_table":
        return gettext("%(stage)s, at each table by place: %(amounts)s.") % words
    return gettext("%(stage)s, by place: %(amounts)s.") % words


def _pot_text(pot: SidePot, notation: Notation) -> str:
    words = {
        "name": pot.name,
        "amount": money(pot.contribution_minor, *notation),
        "carried": money(pot.carried_minor, *notation),
        "unwon": gettext(UNWON[pot.unwon]),
    }
    if not pot.contribution_minor:
        return gettext("Side pot %(name)s, with %(carried)s in it; %(unwon)s.") % words
    if pot.joins == "opt_in":
        return gettext("Side pot %(name)s: %(amount)s, optional; %(unwon)s.") % words
    return gettext("Side pot %(name)s: %(amount)s from everybody; %(unwon)s.") % words


def _amounts(amounts: tuple[int, ...], notation: Notation) -> str:
    return " · ".join(money(amount, *notation) for amount in amounts)


def terms_of(shown: Board) -> Terms:
    """Return the bounds of the house fee: those of the plan where entries are paid to the tournament."""
    state = shown.state if shown.tables else tournament_state(shown.tournament.id)
    return (state.plan if state is not None else None) or shown.tournament


def fee_text(fee_bp: int, terms: Terms, notation: Notation) -> str:
    """10%, at least ₹4.00, at most ₹25.00; empty where the house takes nothing."""
    if not (fee_bp or terms.fee_floor_minor):
        return ""
    parts = [percent(fee_bp, notation.locale)] if fee_bp else []
    if terms.fee_floor_minor:
        parts.append(gettext("at least {amount}").format(amount=money(terms.fee_floor_minor, *notation)))
    if terms.fee_cap_minor is not None:
        parts.append(gettext("at most {amount}").format(amount=money(terms.fee_cap_minor, *notation)))
    return ", ".join(parts)


def levy_text(terms: Terms, notation: Notation) -> str:
    """18% of the house fee; empty where there is no levy."""
    rate = percent(terms.levy_bp, notation.locale)
    return gettext(LEVIED_ON[terms.levy_on]).format(rate=rate) if terms.levy_bp else ""


def cost_lines(stakes: Stakes | Tournament, race: str, terms: Terms, notation: Notation) -> Iterator[tuple[str, str]]:
    """What is paid, line by line: entry, what a point is worth, what the house takes."""
    if stakes.entry_minor:
        yield gettext("Entry fee"), money(stakes.entry_minor, *notation)
    if isinstance(terms, Plan) and terms.member_minor is not None:
        yield gettext("Member entry fee"), money(terms.member_minor, *notation)
    if stakes.point_value_minor:
        counter = gettext("One chip") if race == "chips" else gettext("One point")
        yield counter, money(stakes.point_value_minor, *notation)
    if fee := fee_text(stakes.fee_bp, terms, notation):
        yield gettext("House fee"), fee
    if levy := levy_text(terms, notation):
        yield started(terms.levy_name), levy


def shown_prizes(shown: Board) -> PrizeTable | None:
    """Return the prizes of a planned tournament; None where none are paid.

    Without names where the club does not publish amounts of players.
    """
    tournament = shown.tournament
    state = shown.state if shown.tables else tournament_state(tournament.id)
    plan = state.plan if state is not None else None
    if state is None or plan is None or plan.is_rehearsal or state.is_cancelled:
        return None
    notation = notation_of(tournament)
    if state.rounds:
        sheet = prizes_so_far(tournament, state, shown.played, placed=shown.placed)
        names = names_in_prizes(shown) if tournament.club.shows_money else None
        if sheet is None:
            return None
        return _unless_empty(prize_table(plan, sheet, notation, names, is_closed=state.is_closed))
    players = len(state.field())
    if not players:
        return None
    sheet = expected_sheet(plan, players=players, entry_minor=tournament.entry_minor, fee_bp=tournament.fee_bp)
    return _unless_empty(prize_table(plan, sheet, notation))


def _unless_empty(prizes: PrizeTable) -> PrizeTable | None:
    return None if prizes.is_empty else in_language_of_page(prizes)


def tie_breaks_text(plan: Plan | None) -> Sequence[str]:
    """Describe the tie-breaks in order; empty without a plan, where tied players share the place."""
    return (
        ()
        if plan is None
        else [gettext(text) for text in (FIRST_COMPARED, *(TIE_BREAKS[name] for name in plan.tie_breaks))]
    )
