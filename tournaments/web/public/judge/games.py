"""The judge of other games: the question and its ruling, from the address alone.

Rules: docs/how-to/judge.md, "Other games". The game defines its question and its ruling; no game is named here. Stores
nothing and reads no database.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.messages import Message, say
from scoring.options import Options, describe_options, read_options
from scoring.problems import RuleError
from scoring.rules.cards import MOST_TEXT, cards_typed, tidy, write_cards
from scoring.rules.hands.words import RANK_KEYS, SUIT_KEYS, with_signs
from scoring.rules.table.questions import CardField, CardJudge, CardRuling, Cards
from scoring.rules.table.variant import AnyVariant
from scoring.rules.variants import VARIANTS
from tournaments.rendering.i18n.formatting import number
from tournaments.rendering.i18n.translating import option_title, sentence, translate
from tournaments.web.public.base.answers import Context, page_tag, unless_unchanged
from tournaments.web.public.judge.answer import noted
from tournaments.web.public.judge.question import option_value

MOST_QUERY = 6_000
# How many groups the form shows at first, and how many are read.
GROUP_FIELDS, MOST_GROUPS = 4, 13
Problems = dict[str, str]
Notes = dict[str, tuple[str, str]]
SILENT = ("", "")


@require_safe
def judge_game(request: HttpRequest, game: str) -> HttpResponse:
    """Show the question of one game as a form, and the ruling."""
    return _answer(request, game, "pages/judge_game.html")


@require_safe
def judge_game_ruling(request: HttpRequest, game: str) -> HttpResponse:
    """Return the ruling alone, with the notes at the fields."""
    return _answer(request, game, "pages/judge_game_part.html")


def _answer(request: HttpRequest, game: str, template: str) -> HttpResponse:
    rules = VARIANTS.get(game)
    if rules is None or rules.judge is None:
        raise Http404
    return answer_ruling(request, template, partial(_context, rules, rules.judge, request.GET))


def answer_ruling(request: HttpRequest, template: str, context: Callable[[], Context]) -> HttpResponse:
    """Respond with caching: the same address has the same answer until a release changes the rules or the pages."""
    query = request.META.get("QUERY_STRING", "")
    if len(query) > MOST_QUERY:
        return render(request, "pages/judge_too_long.html", {"title": gettext("Too long an address")}, status=400)
    tag = page_tag("judge", request.path, query)
    return unless_unchanged(request, tag, lambda: render(request, template, context()), is_shared=True)


def games_judged() -> list[tuple[str, str]]:
    """List every game with a question of its own: its title and its address."""
    return [
        (translate(rules.title), reverse("pages:judge_game", args=[rules.name]))
        for rules in VARIANTS.values()
        if rules.judge
    ]


def _context(rules: AnyVariant, judge: CardJudge[Any], query: QueryDict) -> Context:
    problems: Problems = {}
    options = _options(rules, judge, query, problems)
    cards_by_field = {field.name: tuple(_read(field, query, problems)) for field in judge.fields}
    ruling = (
        judge.rule(options, cards_by_field) if not problems else CardRuling(tone="bad", title=say("Fix this first"))
    )
    text = translate(with_signs(ruling.title))
    reasons = [*(sentence(with_signs(reason)) for reason in ruling.reasons), *map(sentence, problems.values())]
    cards = [(name, write_cards(group)) for name, groups in cards_by_field.items() for group in groups]
    is_asked = bool(cards or problems)
    page, own = reverse("pages:judge_game", args=[rules.name]), [*cards, *_changed(rules, judge, options)]
    notes = {slot: ("bad", sentence(why)) for slot, why in problems.items()}
    house = list(_house(rules, judge, options, query, notes))
    fields = [_shown(field, query, notes) for field in judge.fields]
    slots = [*(slot for field in fields for slot, *_ in field["inputs"]), *(field["name"] for field in house)]
    return {
        "game": rules.name,
        "name": translate(rules.title),
        "lead": translate(judge.lead),
        "fields": fields,
        "house": house,
        "house_is_open": any(name in problems for name in judge.options),
        "notes": noted(notes, slots),
        "ruling": ruling,
        "verdict": text,
        "reasons": reasons,
        "summary": " ".join([sentence(text), *reasons[:2]]),
        "loose_points": sum(face.points for face in ruling.loose),
        "held": number(sum(len(group) for groups in cards_by_field.values() for group in groups)),
        "has_cards": bool(cards),
        "has_query": is_asked,
        # The shortest address of the same question.
        "own": "" if problems else f"{page}?{urlencode(own)}" if own else page,
        "example": urlencode(judge.example, doseq=True),
        "title": f"{text} · {translate(rules.title)}" if is_asked else translate(rules.title),
        "most_text": MOST_TEXT,
        "suits": SUIT_KEYS,
        "ranks": RANK_KEYS,
    }


def _changed(rules: AnyVariant, judge: CardJudge[Any], options: Options) -> Iterator[tuple[str, str]]:
    """Return the house rules that differ from the defaults, as in an address."""
    usual = _usual(rules)
    for name in judge.options:
        if options.holding(name) != usual.holding(name):
            yield name, str(options.holding(name)).lower()


def _usual(rules: AnyVariant) -> Options:
    options: Options = read_options(rules.options_type, {}, rules.defaults({}, rules.seats_allowed[0]))
    return options


def _texts(field: CardField, query: QueryDict) -> list[str]:
    """Return the input for a field; empty groups keep their place."""
    texts = [tidy(text) for text in query.getlist(field.name)][: MOST_GROUPS if field.is_many else 1]
    return [*texts, *[""] * ((GROUP_FIELDS if field.is_many else 1) - len(texts))]


def _slots(field: CardField, query: QueryDict) -> Iterator[tuple[str, Message, str]]:
    """Return every input of a field: its name, the name of its cards, and the typed text."""
    for place, text in enumerate(_texts(field, query), 1):
        where = say("group {number}", number=place) if field.is_many else Message(field.title)
        yield (f"{field.name}-{place}" if field.is_many else field.name), where, text


def _read(field: CardField, query: QueryDict, problems: Problems) -> Iterator[Cards]:
    for slot, where, text in _slots(field, query):
        try:
            cards = cards_typed(text, where)
        except RuleError as refused:
            problems[slot] = "; ".join(translate(problem.message) for problem in refused.problems[:3])
        else:
            if cards:
                yield cards


def _shown(field: CardField, query: QueryDict, notes: Notes) -> Context:
    return {
        "name": field.name,
        "title": translate(field.title),
        "help": translate(field.help),
        "is_many": field.is_many,
        "inputs": [
            (slot, translate(where), text, notes.get(slot, SILENT)) for slot, where, text in _slots(field, query)
        ],
    }


def _described(rules: AnyVariant, judge: CardJudge[Any]) -> list[dict[str, Any]]:
    return [option for option in describe_options(rules.options_type) if option["name"] in judge.options]


def _options(rules: AnyVariant, judge: CardJudge[Any], query: QueryDict, problems: Problems) -> Options:
    """Return the options of the house; an invalid one is reported, and replaced by the default."""
    options = _usual(rules)
    values_by_option: dict[str, Any] = {}
    for option in _described(rules, judge):
        text = tidy(query.get(option["name"], ""))
        if not text:
            continue
        tried = {**values_by_option, option["name"]: option_value(option, text)}
        try:
            options, values_by_option = (
                read_options(rules.options_type, tried, rules.defaults(tried, rules.seats_allowed[0])),
                tried,
            )
        except RuleError as refused:
            problems[option["name"]] = "; ".join(translate(problem.message) for problem in refused.problems[:3])
    return options


def _house(
    rules: AnyVariant, judge: CardJudge[Any], options: Options, query: QueryDict, notes: Notes
) -> Iterator[Context]:
    """Return the house rules that matter, as fields."""
    for option in _described(rules, judge):
        name = option["name"]
        value = str(options.holding(name)).lower()
        choices = ["true", "false"] if option["type"] == "boolean" else option.get("choices", [])
        wording = rules.wordings.get(name)
        words = {"true": gettext("yes"), "false": gettext("no")}
        yield {
            "name": name,
            "label": option_title(rules, option),
            "choices": [
                (
                    choice,
                    words.get(choice) or translate(wording.message(choice) if wording else choice),
                    choice == value,
                )
                for choice in choices
            ],
            "value": tidy(query.get(name, "")) if name in notes else value,
            "note": notes.get(name, SILENT),
        }
