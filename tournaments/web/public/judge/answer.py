"""The judge's answer for the page: the ruling, the arrangement as card faces, the reasons, a better one.

Rules: docs/rules/indian.md, sections 3 and 4. All rulings are made by `scoring.rules.hands`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext, ngettext

from scoring.problems import Problem
from scoring.rules.arrangements import HAND_SIZE, SEQUENCES, Arrangement
from scoring.rules.hands import HandCount, LaidDown, Ruling, count_hand, hand_problems, judge_show
from scoring.rules.hands.judging import GroupRuled, best_groups, group_shown, show_reasons
from scoring.rules.hands.words import Face, faces, wild_message, with_signs
from tournaments.rendering.i18n.formatting import number
from tournaments.rendering.i18n.translating import sentence, translate
from tournaments.web.public.judge.question import Ask, Question, address_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A better way to lay the same cards; never applied, only shown."""

    title: str
    groups: list[GroupRuled]
    loose: list[Face]
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The judge's answer. `notes` are for the fields: a sentence, and whether it is good or bad news."""

    tone: str
    title: str
    wild: str
    number: int | None = None
    reasons: list[str] = field(default_factory=list)
    groups: list[GroupRuled] = field(default_factory=list)
    loose: list[Face] = field(default_factory=list)
    loose_points: int = 0
    hint: Hint | None = None
    show_address: str = ""
    notes: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The text for screen readers after the answer has changed."""
        return " ".join([sentence(self.title), *self.reasons[:2]])


def answered(question: Question) -> Answer:
    """Return the ruling, or what is still needed for one."""
    if question.problems:
        return _unread(question)
    if not question.cards:
        return Answer(tone="waiting", title=gettext("Waiting for cards"), wild=_wild(question))
    return _counted(question) if question.ask is Ask.COUNT else _judged(question)


def _wild(question: Question) -> str:
    return "" if "wild" in question.problems else translate(wild_message(question.wild, question.turned_up))


def _unread(question: Question) -> Answer:
    """The answer where input is invalid: no ruling on a guess."""
    reasons = [sentence(reason) for reason in question.problems.values()]
    notes = {slot: ("bad", reason) for slot, reason in zip(question.problems, reasons, strict=True)}
    title = gettext("Fix this first")
    return Answer(tone="bad", title=title, wild=_wild(question), reasons=reasons, notes=notes)


def _counted(question: Question) -> Answer:
    """Return the lowest count of a losing hand."""
    wild = question.wild
    problems = hand_problems(question.hand, question.options, field="cards")
    if problems:
        return _no_hand(question, problems, "cards")
    counted_hand = count_hand(question.hand, wild, question.options)
    best = counted_hand.arrangement
    counts = gettext("This hand counts {number}").format(number=number(counted_hand.count))
    return Answer(
        tone="good" if best.is_declarable else "count",
        title=gettext("This hand can be shown") if best.is_declarable else counts,
        number=counted_hand.count,
        wild=_wild(question),
        reasons=_count_reasons(question, counted_hand),
        groups=best_groups(best, wild),
        loose=faces(best.loose, wild),
        loose_points=best.points,
        show_address=_as_show(question, best) if best.is_declarable and not best.loose else "",
        notes={"cards": ("good", gettext("{number} cards.").format(number=number(HAND_SIZE)))},
    )


def _no_hand(question: Question, problems: Sequence[Problem], slot: str) -> Answer:
    """The answer for cards that are no hand: more are expected if there are too few, anything else is wrong."""
    texts = [sentence(with_signs(problem.message)) for problem in problems]
    missing = HAND_SIZE - len(question.cards)
    only_short = missing > 0 and len(problems) == 1
    title = _so_many(len(question.cards)) if only_short else gettext("This cannot be a hand")
    more = ngettext("{number} card more for a ruling.", "{number} cards more for a ruling.", missing)
    reasons = [more.format(number=number(missing))] if only_short else texts
    return Answer(
        tone="waiting" if only_short else "bad",
        title=title,
        wild=_wild(question),
        reasons=reasons,
        loose=faces(question.cards, question.wild),
        notes={slot: ("waiting" if only_short else "bad", " ".join(texts))},
    )


def _count_reasons(question: Question, hand: HandCount) -> list[str]:
    """Explain why the hand counts what it counts."""
    options, best = question.options, hand.arrangement
    sequences = [group for group in best.groups if group.kind in SEQUENCES]
    if best.is_declarable:
        reasons = [gettext("All thirteen cards fit in groups, two of them sequences and one of these pure.")]
        if best.loose:
            reasons.append(gettext("By these rules, cards in sets count in a losing hand: here they are loose."))
    elif not sequences:
        reasons = [gettext("No two sequences, one of them pure, can be made of it: every card counts.")]
    elif len(sequences) == 1:
        reasons = [gettext("There is no second sequence; by these rules the cards of a pure one still do not count.")]
    else:
        reasons = [gettext("It has two sequences, one of them pure: only cards outside groups count.")]
        if not options.deduct_sets:
            reasons = [
                gettext("It has two sequences, one of them pure. By these rules all other cards count, sets included.")
            ]
    if hand.count > best.points:
        text = gettext("By these rules a hand without two sequences, one of them pure, costs the full count.")
        reasons.append(text)
    if hand.count < best.points:
        text = gettext("The cards come to {points}; no hand costs more than {most}.")
        reasons.append(text.format(points=number(best.points), most=number(hand.count)))
    return reasons


def _as_show(question: Question, best: Arrangement) -> str:
    groups = [group.cards for group in best.groups]
    return address_of(question, ask=Ask.SHOW, groups=groups, loose=best.loose)


def _judged(question: Question) -> Answer:
    """Judge whether the cards on the table are a valid show."""
    laid = LaidDown(groups=tuple(cards for _, cards in question.groups), loose=question.loose)
    ruling = judge_show(laid, wild=question.wild, options=question.options)
    groups = [group_shown(number, cards, question.wild, question.options) for number, cards in question.groups]
    missing = HAND_SIZE - len(laid.cards)
    title, tone = (gettext("A valid show"), "good") if ruling.valid_show else (gettext("Not a valid show"), "bad")
    reasons = [sentence(text) for text in show_reasons(ruling, groups, held=len(laid.cards))]
    if missing > 0:
        title, tone = _so_many(len(laid.cards)), "waiting"
        text = ngettext(
            "{number} card more for a ruling: a show lays down all {of}.",
            "{number} cards more for a ruling: a show lays down all {of}.",
            missing,
        )
        reasons = [text.format(number=number(missing), of=number(HAND_SIZE)), *reasons]
    return Answer(
        tone=tone,
        title=title,
        wild=_wild(question),
        reasons=reasons,
        groups=groups,
        loose=faces(question.loose, question.wild),
        loose_points=sum(face.points for face in faces(question.loose, question.wild)),
        hint=_hint(question, laid, ruling),
        notes={
            f"group-{number}": ("bad", sentence(group.why)) if group.why else ("good", sentence(group.kind))
            for (number, _), group in zip(question.groups, groups, strict=True)
        },
    )


def _hint(question: Question, laid: LaidDown, ruling: Ruling) -> Hint | None:
    """Return a better arrangement of the same cards, if there is one."""
    if ruling.valid_show or hand_problems(laid.cards, question.options, field="cards"):
        return None
    best = count_hand(laid.cards, question.wild, question.options)
    if not best.arrangement.is_declarable and best.count >= ruling.count_if_loser:
        return None
    title = (
        gettext("The same cards would make a valid show")
        if best.arrangement.is_declarable
        else gettext("In a losing hand the same cards need count only {number}").format(number=number(best.count))
    )
    return Hint(
        title=title,
        groups=best_groups(best.arrangement, question.wild),
        loose=faces(best.arrangement.loose, question.wild),
        address=_as_show(question, best.arrangement),
    )


def _so_many(held: int) -> str:
    return gettext("{number} of {of} cards").format(number=number(held), of=number(HAND_SIZE))


def noted(notes: Mapping[str, tuple[str, str]], slots: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the note of every field of the form, empty ones included, so that an old one is removed."""
    return {slot: notes.get(slot, ("", "")) for slot in slots}
