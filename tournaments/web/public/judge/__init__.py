"""The public judge: turn up the wild card, lay down a hand, read the ruling and the reason.

The whole question is in the address, so that a ruling can be sent as a link. Rules: docs/how-to/judge.md. Stores
nothing and reads no database.
"""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from scoring.rules.arrangements import HAND_SIZE, HandOptions
from scoring.rules.cards import MOST_TEXT, RANKS
from scoring.rules.hands.words import RANK_KEYS, RANK_NAMES, SUIT_KEYS
from tournaments.rendering.i18n.formatting import number
from tournaments.rendering.i18n.translating import sentence, translate
from tournaments.web.public.base.answers import Context
from tournaments.web.public.judge.answer import answered, noted
from tournaments.web.public.judge.games import answer_ruling, games_judged
from tournaments.web.public.judge.question import (
    OPTIONS,
    Ask,
    Question,
    Typed,
    other_address,
    own_address,
    typed,
    understood,
    written,
)

LABELS = {
    "ace": gettext_noop("Ace in sequences"),
    "joker_rule": gettext_noop("Jokers in one group"),
    "deduct_sets": gettext_noop("Sets are free in a losing hand that has its sequences"),
    "pure_alone_protects": gettext_noop("A pure sequence is free even without a second one"),
    "full_without_sequences": gettext_noop("A hand without two sequences, one pure, costs the full count"),
    "long_sequence": gettext_noop("A show needs a sequence of four cards"),
    "identical_cards": gettext_noop("Three identical cards are a pure sequence"),
    "max_set_size": gettext_noop("Most cards in a set, jokers included"),
    "cap": gettext_noop("Most a losing hand costs (empty: no limit)"),
    "printed_as_wild": gettext_noop("A printed joker turned up makes wild"),
    "packs": gettext_noop("Packs of cards"),
    "printed_jokers": gettext_noop("Printed jokers in each pack"),
}
CHOICES = {
    "both": gettext_noop("before the 2 or after the king"),
    "low": gettext_noop("before the 2 only"),
    "one_natural": gettext_noop("any number beside one other card"),
    "two_natural": gettext_noop("any number beside two other cards"),
    "half": gettext_noop("no more than other cards"),
    "one_in_sequence": gettext_noop("one in a sequence, any number in a set"),
    "any": gettext_noop("any number, even alone"),
    "aces": gettext_noop("aces"),
    "printed_only": gettext_noop("nothing else"),
    "true": gettext_noop("yes"),
    "false": gettext_noop("no"),
}
EXAMPLES = (
    (gettext_noop("A losing hand"), "wild=5&cards=AH+2H+3H+4S+5D+6S+9C+9D+9S+KH+QD+2C+7C"),
    (
        gettext_noop("Four groups that are a show"),
        "ask=show&wild=9&group=AD+2D+3D+4D&group=6S+7S+9H&group=KC+KD+KH&group=JC+QC+PJ",
    ),
    (
        gettext_noop("A show with a mistake"),
        "ask=show&wild=4&group=QH+KH+AH&group=5C+6C+4S&group=8D+8D+8S&group=2S+3S+JD+TD",
    ),
)
Notes = dict[str, tuple[str, str]]


@require_safe
def judge(request: HttpRequest) -> HttpResponse:
    """Show the page: the question as a form, and the ruling."""
    return _answer(request, "pages/judge.html")


@require_safe
def judge_ruling(request: HttpRequest) -> HttpResponse:
    """Return the ruling alone, with the notes at the fields."""
    return _answer(request, "pages/judge_part.html")


def _answer(request: HttpRequest, template: str) -> HttpResponse:
    return answer_ruling(request, template, lambda: _context(typed(request.GET)))


def _context(asked: Typed) -> Context:
    question = understood(asked)
    answer = answered(question)
    other = Ask.SHOW if question.ask is Ask.COUNT else Ask.COUNT
    notes, name = noted(answer.notes, _slots(asked)), gettext("The judge")
    return {
        "asked": asked,
        "is_show": asked.ask is Ask.SHOW,
        "answer": answer,
        "notes": notes,
        "title": f"{answer.title} · {name}" if question.cards or question.problems else name,
        "has_query": bool(question.cards or question.problems),
        "own": "" if question.problems else _link(own_address(question)),
        "links": {question.ask.value: _link(own_address(question)), other.value: _link(other_address(question))},
        "hint_link": _link(answer.hint.address) if answer.hint else "",
        "show_link": _link(answer.show_address) if answer.show_address else "",
        "games": games_judged(),
        "examples": [(gettext(title), _link(query)) for title, query in EXAMPLES],
        "held": gettext("{number} of {of}").format(number=number(len(question.cards)), of=number(HAND_SIZE)),
        "has_cards": bool(question.cards),
        **_form(asked, question, notes),
    }


def _form(asked: Typed, question: Question, notes: Notes) -> Context:
    """Return the contents of the form's fields."""
    fields = list(_house_fields(asked, question))
    return {
        "wild_keys": _wild_keys(asked, question),
        "group_fields": [(f"group-{n}", n, text, notes.get(f"group-{n}")) for n, text in enumerate(asked.groups, 1)],
        "house": fields,
        "house_is_open": any(field["name"] in question.problems for field in fields),
        "house_changed": sum(field["is_changed"] for field in fields),
        "most_text": MOST_TEXT,
        "suits": SUIT_KEYS,
        "ranks": RANK_KEYS,
    }


def _slots(asked: Typed) -> list[str]:
    """List every field that can have a note."""
    cards = ["cards"] if asked.ask is Ask.COUNT else [*(f"group-{n}" for n in range(1, len(asked.groups) + 1)), "loose"]
    return ["wild", *cards, *(option["name"] for option in OPTIONS)]


def _link(query: str) -> str:
    page = reverse("pages:judge")
    return f"{page}?{query}" if query else page


def _wild_keys(asked: Typed, question: Question) -> list[Context]:
    """Return one key for no wild card, one for each rank, one for a printed joker; the card turned up keeps its key."""
    turned = question.turned_up
    chosen = "" if not asked.wild else "PJ" if turned is not None and turned.is_printed_joker else None
    if question.wild is not None and chosen is None:
        chosen = RANKS[question.wild]
    keys = [("", gettext("none"), gettext("no wild joker"))]
    keys += [(rank, "10" if rank == "T" else rank, translate(RANK_NAMES.get(rank, rank))) for rank in RANKS]
    keys.append(("PJ", "★", gettext("a printed joker")))
    return [
        {
            "value": turned.text if turned is not None and value == chosen else value,
            "text": text,
            "name": name,
            "is_word": not value,
            "is_chosen": value == chosen,
        }
        for value, text, name in keys
    ]


def _house_fields(asked: Typed, question: Question) -> Iterator[Context]:
    """Return the house rules as fields, made from the options themselves."""
    for option in OPTIONS:
        name = option["name"]
        value = written(question.options.holding(name))
        choices = ["true", "false"] if option["type"] == "boolean" else option.get("choices", [])
        yield {
            "name": name,
            "label": gettext(LABELS[name]) if name in LABELS else translate(option["help"]),
            "choices": [(choice, gettext(CHOICES[choice]), choice == value) for choice in choices],
            # An invalid number stays as typed, beside what is wrong with it.
            "value": asked.options[name] if name in question.problems else value,
            "note": ("bad", sentence(question.problems[name])) if name in question.problems else ("", ""),
            "is_changed": getattr(question.options, name) != getattr(HandOptions(), name),
        }
