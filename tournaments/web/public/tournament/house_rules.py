"""The rules in force at a tournament as a text to read and to print, and the page of its prizes.

Rules: docs/how-to/publishing.md, "A tournament's pages"; docs/rules/tournaments.md, "Prizes". The text gives the rules
with which tables are opened; an open table keeps its own copy, which its sheet shows. The prizes are those of the
board; nothing is computed again here.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from scoring.money.formatting import Notation, money
from scoring.options import Options, describe_options, read_options
from scoring.rules.table.table import AnyVariant
from scoring.rules.variants import PRESETS, variant
from scoring.tournament.plans import Plan, Stage
from scoring.tournament.state.terms import Terms
from tournaments.boards import Board, board
from tournaments.boards.winners import evidence_of, sitting_out
from tournaments.models import Tournament
from tournaments.printing import game_text, notation_of
from tournaments.projections.terms import terms_of as played_terms
from tournaments.rendering.i18n.translating import by_seats_text, option_text, option_title, translate
from tournaments.running.queries.stages import tournament_state
from tournaments.web.public.base.answers import Context, Subpage, answer_subpage, evidence_context, seen_tournament
from tournaments.web.public.boards.boards import stakes_line
from tournaments.web.public.boards.plan_words import (
    cost_lines,
    policy_sentences,
    prize_sentences,
    shown_prizes,
    stage_sentences,
    stage_title,
    terms_of,
    tie_breaks_text,
)
from tournaments.web.public.tournament.rounds import seated_tournament, whole_rounds

THE_GAME = gettext_noop("The game")
AT_THE_TABLE = gettext_noop("How it is played at the table")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One option in force. `usual` is the game's default; empty where that is the same."""

    text: str
    value: str
    usual: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of the text: sentences, and options with their values."""

    title: str
    sentences: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()


@require_safe
def house_rules(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Show the rules in force."""
    tournament = seen_tournament(request, club_slug, slug)
    return answer_subpage(request, tournament, lambda: _page(tournament))


def _page(tournament: Tournament) -> Subpage:
    state = tournament_state(tournament.id)
    plan = state.plan if state is not None else None
    rules, preset = _first_terms(tournament, plan).rules, _preset_of(tournament, plan)
    words = {"name": tournament.name, "game": game_text(tournament, plan)}
    return Subpage(
        template="pages/house_rules.html",
        title=gettext("Rules in force"),
        description=gettext("The rules of %(name)s: %(game)s, with all house rules.") % words,
        context={
            "summary": translate(rules.summary),
            "game": game_text(tournament, plan, 1),
            "in_short": [translate(message) for message in rules.in_short(_first_terms(tournament, plan).setup)],
            "note": PRESETS[preset][1].note if preset in PRESETS else "",
            "sources": _sources(tournament, plan),
            "sections": [*_game(tournament, plan), *_state(tournament, plan), *_money(tournament, plan)],
            **evidence_context(tournament, evidence_of(tournament)),
        },
    )


def _has_first_game(plan: Plan | None) -> bool:
    """Whether the first stage plays a game of its own, and not the tournament's."""
    return plan is not None and plan.stages[0].has_own_game


def _first_terms(tournament: Tournament, plan: Plan | None) -> Terms:
    """Return the game at the top of the page; the house rules of the first stage belong to it."""
    terms = played_terms(tournament)
    return terms.in_plan(plan, 1) if _has_first_game(plan) else terms


def _preset_of(tournament: Tournament, plan: Plan | None) -> str:
    return plan.stages[0].holding("preset") if plan is not None and _has_first_game(plan) else tournament.preset


def _sources(tournament: Tournament, plan: Plan | None) -> list[str]:
    """List our documents that explain every option, with the sources that they are based on."""
    terms = played_terms(tournament)
    games = dict.fromkeys([_first_terms(tournament, plan).variant])
    games |= dict.fromkeys(terms.of(stage).variant for stage in (plan.stages if plan is not None else ()))
    pages = list(dict.fromkeys(f"docs/rules/{page}.md" for name in games for page in (name, *variant(name).rule_pages)))
    return [*pages, "docs/rules/tournaments.md"] if plan is not None else pages


class _House(NamedTuple):
    """A game with the given options, completed by defaults, and with the options of its preset."""

    given: Mapping[str, Any]
    rules: AnyVariant
    options: Options
    usual: Options
    notation: Notation


def _game(tournament: Tournament, plan: Plan | None) -> Iterator[Section]:
    """List every option of the game in groups; options that change no number come last."""
    terms, preset = _first_terms(tournament, plan), _preset_of(tournament, plan)
    rules, base = terms.rules, PRESETS[preset][1].options if preset in PRESETS else {}
    usual = read_options(rules.options_type, base, rules.defaults(base, rules.seats_allowed[0]))
    house = _House(terms.options, rules, terms.setup.options, usual, notation_of(tournament))
    groups: dict[str, list[Rule]] = {THE_GAME: []}
    for described in describe_options(rules.options_type):
        group = AT_THE_TABLE if described.get("plays_only") else _group_of(rules, described["name"])
        groups.setdefault(group, []).append(_rule(house, described))
    played = groups.pop(AT_THE_TABLE, [])
    for title, section_rules in [*groups.items(), (AT_THE_TABLE, played)]:
        if section_rules:
            yield Section(title=gettext(title), rules=tuple(section_rules))


def _group_of(rules: AnyVariant, name: str) -> str:
    """Return the group of an option: the nearest of its game's sets of options that declares it."""
    owner = next(base for base in rules.options_type.__mro__ if name in vars(base).get("__annotations__", ()))
    return rules.option_groups.get(owner, THE_GAME)


def _rule(house: _House, described: dict[str, Any]) -> Rule:
    """Describe an option in force. The default may depend on how many sit at a table."""
    name, given_options = described["name"], house.given
    value, usual = (option_text(house.rules, name, options, house.notation) for options in (house.options, house.usual))
    by_seats = [
        (seats, house.rules.defaults(given_options, seats).get(name, described["default"]))
        for seats in house.rules.seats_allowed
    ]
    if name not in given_options and len({default for _, default in by_seats}) > 1:
        return Rule(text=option_title(house.rules, described), value=by_seats_text(by_seats))
    return Rule(text=option_title(house.rules, described), value=value, usual="" if usual == value else usual)


def _state(tournament: Tournament, plan: Plan | None) -> Iterator[Section]:
    """Describe stage by stage, then what holds for all of them."""
    if plan is None:
        return
    for number, stage in enumerate(plan.stages, 1):
        yield Section(
            title=stage_title(plan, number) or gettext("Tournament"),
            sentences=tuple(stage_sentences(stage, notation_of(tournament))),
            rules=tuple(_rules_of_stage(tournament, stage)),
        )
    policies = list(policy_sentences(plan))
    if plan.is_rehearsal:
        policies.insert(0, gettext("Practice: nothing is paid."))
    yield Section(title=gettext("Late, leaving, substitutes"), sentences=tuple(policies))
    yield Section(title=gettext("Tied players"), sentences=_ties(plan))


def _rules_of_stage(tournament: Tournament, stage: Stage) -> Iterator[Rule]:
    """Describe the rules of this stage that differ from the others."""
    if isinstance(stage.point_value_minor, int):
        yield Rule(text=gettext("Value of a point"), value=money(stage.point_value_minor, *notation_of(tournament)))
    if not stage.options:
        return
    terms = played_terms(tournament).of(stage)
    rules, options = terms.rules, terms.setup.options
    for described in describe_options(rules.options_type):
        if described["name"] in stage.options:
            value = option_text(rules, described["name"], options, notation_of(tournament))
            yield Rule(text=option_title(rules, described), value=value)


def _ties(plan: Plan) -> tuple[str, ...]:
    decided = tie_breaks_text(plan)
    text = gettext("Ties are broken by, in this order: %(chain)s. Players still tied share the place.")
    return (text % {"chain": " · ".join(map(str, decided))},)


def _money(tournament: Tournament, plan: Plan | None) -> Iterator[Section]:
    """Describe the costs, the house fee, and the prizes."""
    notation = notation_of(tournament)
    race = variant(tournament.variant).race
    costs = [Rule(text=text, value=value) for text, value in cost_lines(tournament, race, plan or tournament, notation)]
    if costs:
        yield Section(title=gettext("Costs"), rules=tuple(costs))
    if plan is not None and not plan.is_rehearsal and (tournament.entry_minor or plan.things or plan.side_pots):
        yield Section(title=gettext("Prizes"), sentences=tuple(prize_sentences(plan, notation)))


# The prize winners, the calculation, and what tables paid by themselves.


@require_safe
def prizes(request: HttpRequest, club_slug: str, slug: str, number: int | None = None) -> HttpResponse:
    """Show the prizes, and what tables paid: of many tables those of the latest round, or of the one with this number.

    Where tables pay by themselves, there is a line for each payout: 1,333 for 200 players over seven rounds.
    """
    tournament = seated_tournament(request, club_slug, slug, number)
    more = sitting_out(tournament.id).values()
    return answer_subpage(request, tournament, lambda: _prizes_page(tournament, number), *more)


def _prizes_page(tournament: Tournament, number: int | None) -> Subpage:
    public_board = board(tournament)
    prize_table = shown_prizes(public_board)
    return Subpage(
        template="pages/prizes.html",
        title=gettext("Prizes"),
        description=gettext("Prizes at %(name)s, and how they are calculated.") % {"name": tournament.name},
        context={
            "board": public_board,
            "stakes": stakes_line(tournament, terms_of(public_board)),
            "prizes": prize_table,
            "planned": list(_planned(tournament)) if prize_table is None else [],
            **_paid(public_board, number),
            **evidence_context(tournament, public_board),
        },
    )


def _planned(tournament: Tournament) -> Iterator[str]:
    """Describe the plan's prizes while no player has entered."""
    state = tournament_state(tournament.id)
    plan = state.plan if state is not None else None
    if state is None or plan is None or plan.is_rehearsal or state.is_cancelled:
        return
    if tournament.entry_minor or plan.things or plan.side_pots or plan.guaranteed_minor:
        yield from prize_sentences(plan, notation_of(tournament))


def _paid(shown: Board, number: int | None) -> Context:
    """Return the tables with money of their own that have paid, in order; each player with a payout, the most first.

    `other_rounds` are those that have paid and are not listed.
    """
    notation = notation_of(shown.tournament)
    won: dict[UUID, list[tuple[int, str]]] = {}
    for seat in shown.seats:
        if seat.line.payout_minor:
            won.setdefault(seat.table.id, []).append((seat.line.payout_minor, shown.names[seat.line.player]))
    tables = [table for table in shown.tables if table.id in won]
    paying = Counter(table.round for table in tables)
    whole = whole_rounds(paying, number)
    paid = [
        {"table": table, "payouts": [(name, money(amount, *notation)) for amount, name in _most_first(won[table.id])]}
        for table in tables
        if table.round in whole
    ]
    return {"paid": paid, "other_rounds": sorted(paying.keys() - whole)}


def _most_first(payouts: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return sorted(payouts, key=lambda each: -each[0])
