"""The money settings of a plan: limits of the house fee, members' rates, prizes by place, guarantees and side pots.

Rules: docs/rules/tournaments.md, "Prizes" and "Fees". Knows nothing of who entered or what was played.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from scoring.messages import say
from scoring.money.payouts import FULL_BP, MOST_MINOR, MOST_SUM, FeeTerms, term_problems
from scoring.options import Options, about
from scoring.problems import Problem

Minor = Annotated[int, Meta(ge=0, le=MOST_MINOR)]
SOLE = (FULL_BP,)


class StagePrizes(Options, frozen=True, kw_only=True):
    """Amounts for the places of a stage, or of each table of it."""

    stage: Annotated[int, about("The stage", ge=1, le=12)] = 1
    of: Annotated[
        Literal["stage", "each_table"], about("By standing over the whole stage, or at each of its tables")
    ] = "each_table"
    amounts_minor: Annotated[tuple[Minor, ...], about("Amounts by place, the first place first", max_length=20)] = ()


class SidePot(Options, frozen=True, kw_only=True):
    """A pot beside the prizes, won by whoever the director names. `carried_minor` is left from earlier nights."""

    name: Annotated[str, about("What the pot is called", max_length=40)] = ""
    contribution_minor: Annotated[
        int, about("What each player pays into it, beside the entry", ge=0, le=MOST_MINOR)
    ] = 0
    joins: Annotated[
        Literal["everybody", "opt_in"], about("Everybody who enters plays for it, or whoever wishes to")
    ] = "everybody"
    unwon: Annotated[
        Literal["carried", "prizes"], about("Where nobody won it: carried to the next night, or added to the prizes")
    ] = "carried"
    carried_minor: Annotated[int, about("Left in it by earlier nights", ge=0, le=MOST_SUM)] = 0


class PlanFees(FeeTerms, frozen=True, kw_only=True):
    """What entries cost, and what the house takes of each."""

    member_minor: Annotated[
        Annotated[int, Meta(ge=0, le=MOST_MINOR)] | None,
        about("Entry fee of members; none: members pay what everybody pays"),
    ] = None
    # Unset in plans that were stored before there was a choice: what they settled must not change by a unit, and their
    # stored text stays as it is to the letter. Decision 0032.
    levy_rounding: Annotated[
        Literal["pot", "entry"] | UnsetType,
        about(
            "Where the house fee of an entry has bounds, the levy is rounded once for the whole pot, or entry by entry"
        ),
    ] = UNSET


class PlanPrizes(PlanFees, frozen=True, kw_only=True):
    """What is won, and by whom."""

    prizes_bp: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=10_000)], ...],
        about("Shares of the prize pool by place, in basis points; together 10000", max_length=50),
    ] = SOLE
    paid_share_bp: Annotated[
        int, about("This part of the field is paid, by the table of shares; 0: as above", ge=0, le=FULL_BP)
    ] = 0
    fixed_minor: Annotated[
        tuple[Minor, ...], about("Fixed amounts by place; what is left goes by the shares above", max_length=50)
    ] = ()
    stage_prizes: Annotated[
        tuple[StagePrizes, ...], about("Fixed amounts within a stage, or at each table of it", max_length=12)
    ] = ()
    guaranteed_minor: Annotated[
        int, about("The prizes are together at least this much: the club adds to them", ge=0, le=MOST_MINOR)
    ] = 0
    short: Annotated[
        Literal["scale", "top_up"], about("Fixed amounts over the prize pool: scaled down, or the club adds the rest")
    ] = "scale"
    over: Annotated[
        Literal["shares", "fund"], about("What fixed amounts leave: by shares, or to the club's guarantee fund")
    ] = "shares"
    leftover: Annotated[
        Literal["spread", "first_place"],
        about("Units left over by rounding: to the largest remainders, or all to first place"),
    ] = "spread"
    things: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=80)], ...],
        about("Prizes that are not money, by place: a cup, a ham", max_length=50),
    ] = ()
    side_pots: Annotated[tuple[SidePot, ...], about("Pots beside the prizes: high hand, jackpot", max_length=8)] = ()


def money_problems(plan: PlanPrizes, stages: int) -> list[Problem]:
    """Money settings that contradict each other, or name stages that do not exist."""
    problems = term_problems(plan)
    if sum(plan.prizes_bp) != FULL_BP:
        detail = say(
            "the shares of the prize pool add up to {rate}, not {whole}",
            rate=_percent(sum(plan.prizes_bp)),
            whole=_percent(FULL_BP),
        )
        problems.append(Problem("out_of_range", detail, field="prizes_bp"))
    if plan.paid_share_bp and plan.prizes_bp != SOLE:
        detail = say("use shares by place, or a percentage of the players: leave one of them empty")
        problems.append(Problem("not_a_choice", detail, field="paid_share_bp"))
    if plan.over == "fund" and not (plan.fixed_minor or plan.stage_prizes):
        detail = say("only what fixed amounts leave can stay with the club, and there are no fixed amounts")
        problems.append(Problem("not_a_choice", detail, field="over"))
    if plan.over == "fund" and plan.guaranteed_minor:
        detail = say("a guaranteed prize pool is paid out whole: nothing of it stays with the club")
        problems.append(Problem("not_a_choice", detail, field="over"))
    return [*problems, *_stage_problems(plan.stage_prizes, stages), *_pot_problems(plan.side_pots)]


def _percent(basis_points: int) -> str:
    whole, rest = divmod(basis_points, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".") + "%"


def _stage_problems(given: Sequence[StagePrizes], stages: int) -> list[Problem]:
    problems: list[Problem] = []
    for prizes in given:
        if prizes.stage > stages:
            detail = say("prizes of stage {number}: the plan has {most}", number=prizes.stage, most=stages)
            problems.append(Problem("out_of_range", detail, field="stage_prizes"))
    if not all(any(prizes.amounts_minor) for prizes in given):
        detail = say("each prize of a stage needs at least one amount")
        problems.append(Problem("missing_field", detail, field="stage_prizes"))
    for (stage, of), times in Counter((prizes.stage, prizes.of) for prizes in given).items():
        if times > 1:
            detail = say(
                "the prizes of stage {number} are given {total} times: enter them once, by place",
                number=stage,
                total=times,
            )
            if of == "each_table":
                detail = say(
                    "the prizes of each table of stage {number} are given {total} times: enter them once, by place",
                    number=stage,
                    total=times,
                )
            problems.append(Problem("not_a_choice", detail, field="stage_prizes"))
    return problems


def _pot_problems(pots: Sequence[SidePot]) -> list[Problem]:
    problems = []
    for name, times in Counter(pot.name.casefold() for pot in pots).items():
        if times > 1:
            detail = say("{number} side pots are called {pot}", number=times, pot=name)
            problems.append(Problem("not_a_choice", detail, field="side_pots"))
    for pot in pots:
        if pot.name != pot.name.strip() or not pot.name or not pot.name.isprintable():
            detail = say("side pot {pot}: write the name on one line, without blanks around it", pot=repr(pot.name))
            problems.append(Problem("wrong_type", detail, field="side_pots"))
        if pot.joins == "opt_in" and not pot.contribution_minor:
            detail = say("side pot {pot} costs nothing, so everybody plays for it", pot=pot.name)
            problems.append(Problem("not_a_choice", detail, field="side_pots"))
    return problems
