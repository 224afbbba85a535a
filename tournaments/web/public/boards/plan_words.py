"""The plan of an evening as sentences that can be read out: stages, who goes on, policies, and what is won.

Rules: docs/rules/tournaments.md. Says what a plan holds and nothing that a director would have to look up. Knows
nothing of what was played.
"""

from collections.abc import Iterator

from django.utils.translation import gettext, gettext_noop, ngettext

from scoring.evening.plans.plan import Plan, Stage
from scoring.evening.plans.prizes import SOLE, SidePot, StagePrizes
from scoring.money.formatting import Notation, money, percent
from scoring.money.payouts import FULL_BP

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


def stage_title(plan: Plan | None, number: int) -> str:
    """What a stage is called; by its number where it has no name, nothing where there is only one."""
    if plan is None or number > len(plan.stages):
        return ""
    if name := plan.stages[number - 1].name:
        return name
    return gettext("Stage %(number)s") % {"number": number} if len(plan.stages) > 1 else ""


def stage_sentences(stage: Stage, notation: Notation) -> Iterator[str]:
    """How a stage is played, and who goes on from it."""
    yield _size_said(stage)
    yield gettext(SEATING[stage.seating])
    if stage.keeps_mates_apart:
        yield gettext("Players of one group sit apart where that is possible.")
    yield length_said(stage)
    if stage.length == "minutes":
        yield gettext(LAST_DEAL[stage.last_deal])
    yield _compared(stage)
    if stage.carries == "score":
        yield gettext("Scores carry over from the previous stage.")
    yield from _cut_sentences(stage)
    if stage.reentry_minor:
        said = gettext("Players who are out may re-enter for %(amount)s, up to round %(round)s.")
        yield said % {"amount": money(stage.reentry_minor, *notation), "round": stage.reentry_until_round}
        yield from _reentry_sentences(stage)


def _reentry_sentences(stage: Stage) -> Iterator[str]:
    """What a re-entry starts with, and the score that it has to reach."""
    begins, chips, least = stage.reentry
    if begins != "nothing":
        yield gettext(REENTRY[begins]) % {"points": chips}
    if least is not None:
        yield gettext("A re-entry needs %(score)s or better.") % {"score": least}
    if isinstance(stage.reentry_own_least, int):
        said = gettext("Only players who were cut with %(score)s or better may re-enter.")
        yield said % {"score": stage.reentry_own_least}


def length_said(stage: Stage) -> str:
    """How long a round of the stage is."""
    match stage.length:
        case "deals":
            said = ngettext("Each table plays %(number)s deal.", "Each table plays %(number)s deals.", stage.deals)
            return said % {"number": stage.deals}
        case "deals_as_seats":
            return gettext("Each table plays as many deals as it has seats.")
        case "minutes":
            said = ngettext("A round lasts %(number)s minute.", "A round lasts %(number)s minutes.", stage.minutes)
            return said % {"number": stage.minutes}
    return gettext("Each table plays its game to the end.")


def policy_sentences(plan: Plan) -> Iterator[str]:
    """What happens to players who come late, leave or are replaced, and when a deal counts."""
    if plan.late == "highest_plus":
        said = gettext("A late entry starts %(points)s behind the lowest score.")
        yield said % {"points": plan.late_plus}
    else:
        yield gettext(LATE[plan.late])
    yield gettext("Late entries are taken up to round %(round)s.") % {"round": plan.late_until_round}
    yield gettext(LEAVING[plan.leaving])
    yield gettext(SUBSTITUTE[plan.substitute])
    yield gettext(CONFIRMATION[plan.confirmation])


def prize_sentences(plan: Plan, notation: Notation) -> Iterator[str]:
    """What is won: shares, fixed amounts, guarantees, things, and pots beside the prizes."""
    if plan.guaranteed_minor:
        said = gettext("The prizes are together at least %(amount)s: the club adds what is missing.")
        yield said % {"amount": money(plan.guaranteed_minor, *notation)}
    if plan.fixed_minor:
        said = gettext("Fixed amounts, the first place first: %(amounts)s.")
        yield said % {"amounts": _amounts(plan.fixed_minor, notation)}
    yield from (_of_a_stage(plan, each, notation) for each in plan.stage_prizes)
    if plan.fixed_minor or plan.stage_prizes:
        yield gettext(SHORT[plan.short])
    yield _shares_said(plan, notation)
    if plan.things:
        yield gettext("Also, first place first: %(things)s.") % {"things": " · ".join(plan.things)}
    yield from (_pot_said(pot, notation) for pot in plan.side_pots)


def _size_said(stage: Stage) -> str:
    rounds = ngettext("%(number)s round", "%(number)s rounds", stage.rounds) % {"number": stage.rounds}
    least, most = stage.smallest_table, stage.largest_table
    if least == most:
        return gettext("%(rounds)s at tables of %(most)s.") % {"rounds": rounds, "most": most}
    said = gettext("%(rounds)s at tables of %(least)s to %(most)s, %(usual)s where it can be chosen.")
    return said % {"rounds": rounds, "least": least, "most": most, "usual": stage.preferred_table}


def _compared(stage: Stage) -> str:
    if stage.compares != "rank_points":
        return gettext(COMPARES[stage.compares])
    said = gettext("Players are compared by points for the place at each table, the winner’s first: %(points)s.")
    return said % {"points": " ".join(map(str, stage.rank_points))}


def _cut_sentences(stage: Stage) -> Iterator[str]:
    """Who goes on, and nothing after the last stage."""
    if number := stage.per_table:
        said = ngettext("The best of each table qualifies.", "The best %(number)s of each table qualify.", number)
        yield said % {"number": number}
    if number := stage.wild_cards:
        said = ngettext(
            "One more qualifies: the best of the others over all tables.",
            "%(number)s more qualify: the best of the others over all tables.",
            number,
        )
        yield said % {"number": number}
    if number := stage.advancing:
        said = ngettext(
            "The best one over all tables qualifies.", "The best %(number)s over all tables qualify.", number
        )
        yield said % {"number": number}
    if stage.at_least is not None:
        yield gettext("A player with %(score)s or better qualifies.") % {"score": stage.at_least}


def _shares_said(plan: Plan, notation: Notation) -> str:
    if plan.over == "fund":
        return gettext("What these amounts leave stays with the club, for guarantees.")
    if plan.paid_share_bp:
        said = gettext("%(share)s of the players are paid, by the usual table of shares.")
        return said % {"share": percent(plan.paid_share_bp, notation.locale)}
    if plan.prizes_bp in (SOLE, (FULL_BP,)):
        return gettext("The winner takes the whole prize pool.")
    said = gettext("The prize pool is shared by place: %(shares)s.")
    return said % {"shares": " · ".join(percent(share, notation.locale) for share in plan.prizes_bp)}


def _of_a_stage(plan: Plan, prizes: StagePrizes, notation: Notation) -> str:
    words = {
        "stage": stage_title(plan, prizes.stage) or gettext("Stage %(number)s") % {"number": prizes.stage},
        "amounts": _amounts(prizes.amounts_minor, notation),
    }
    if prizes.of == "each_table":
        return gettext("%(stage)s, at each table by place: %(amounts)s.") % words
    return gettext("%(stage)s, by place: %(amounts)s.") % words


def _pot_said(pot: SidePot, notation: Notation) -> str:
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
