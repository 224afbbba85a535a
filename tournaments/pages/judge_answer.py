"""The judge's answer as the page shows it: the ruling, the arrangement as card faces, the reasons, a better one.

Rules: docs/rules/indian.md, sections 3 and 4. Everything that is decided is decided by `scoring.rules.counting`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.projections.hand_words import Face, counted, faces, sentence, wild_said, with_signs
from scoring.projections.laid_hands import GroupShown, best_groups, group_shown, show_reasons
from scoring.rules.arrangements import HAND_SIZE, SEQUENCES, Arrangement
from scoring.rules.counting import HandCount, LaidDown, Ruling, count_hand, hand_problems, judge_show
from scoring.rules.problems import Problem
from tournaments.pages.judge_question import Ask, Question, address_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A better way to lay the same cards; never applied, only shown."""

    title: str
    groups: list[GroupShown]
    loose: list[Face]
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the judge says. `notes` stands at the fields: a sentence, and whether it is good or bad news."""

    tone: str
    title: str
    wild: str
    number: int | None = None
    reasons: list[str] = field(default_factory=list)
    groups: list[GroupShown] = field(default_factory=list)
    loose: list[Face] = field(default_factory=list)
    loose_points: int = 0
    hint: Hint | None = None
    show_address: str = ""
    notes: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """What is read out when the answer has changed."""
        return " ".join([sentence(self.title), *self.reasons[:2]])


def answered(question: Question) -> Answer:
    """The ruling, or what is still needed for one."""
    if question.problems:
        return _unread(question)
    if not question.cards:
        return Answer(tone="waiting", title="Waiting for cards", wild=_wild(question))
    return _counted(question) if question.ask is Ask.COUNT else _judged(question)


def _wild(question: Question) -> str:
    return "" if "wild" in question.problems else wild_said(question.wild, question.turned_up)


def _notes(question: Question) -> dict[str, tuple[str, str]]:
    return {slot: ("bad", sentence(said)) for slot, said in question.problems.items()}


def _unread(question: Question) -> Answer:
    """Something typed could not be understood: no ruling on a guess."""
    reasons = [sentence(said) for said in question.problems.values()]
    return Answer(
        tone="bad", title="Please mend this first", wild=_wild(question), reasons=reasons, notes=_notes(question)
    )


def _counted(question: Question) -> Answer:
    """What a losing hand counts at its best."""
    wild = question.wild
    problems = hand_problems(question.hand, question.options, field="cards")
    if problems:
        return _no_hand(question, problems, "cards")
    counted_hand = count_hand(question.hand, wild, question.options)
    best = counted_hand.arrangement
    return Answer(
        tone="good" if best.is_declarable else "count",
        title="This hand can be shown" if best.is_declarable else f"This hand counts {counted_hand.count}",
        number=counted_hand.count,
        wild=_wild(question),
        reasons=_count_reasons(question, counted_hand),
        groups=best_groups(best, wild),
        loose=faces(best.loose, wild),
        loose_points=best.points,
        show_address=_as_show(question, best) if best.is_declarable and not best.loose else "",
        notes={"cards": ("good", f"{HAND_SIZE} cards.")},
    )


def _no_hand(question: Question, problems: Sequence[Problem], slot: str) -> Answer:
    """Cards that are no hand: too few are awaited, anything else is wrong."""
    said = [sentence(with_signs(problem.detail)) for problem in problems]
    missing = HAND_SIZE - len(question.cards)
    only_short = missing > 0 and len(problems) == 1
    title = f"{len(question.cards)} of {HAND_SIZE} cards" if only_short else "This cannot be a hand"
    reasons = [f"{counted(missing, 'card')} more for a ruling."] if only_short else said
    return Answer(
        tone="waiting" if only_short else "bad",
        title=title,
        wild=_wild(question),
        reasons=reasons,
        loose=faces(question.cards, question.wild),
        notes={slot: ("waiting" if only_short else "bad", " ".join(said))},
    )


def _count_reasons(question: Question, hand: HandCount) -> list[str]:
    """Why the hand counts what it counts."""
    options, best = question.options, hand.arrangement
    sequences = [group for group in best.groups if group.kind in SEQUENCES]
    if best.is_declarable:
        reasons = ["All thirteen cards fit in groups, two of them sequences and one of these pure."]
        if best.loose:
            reasons.append("Held when somebody else shows, cards in sets count in this house: here they lie loose.")
    elif not sequences:
        reasons = ["No two sequences, one of them pure, can be made of it: every card counts."]
    elif len(sequences) == 1:
        reasons = ["There is no second sequence; in this house a pure one keeps its own cards from counting."]
    else:
        reasons = ["It has two sequences, one of them pure: only cards outside groups count."]
        if not options.deduct_sets:
            reasons = ["It has two sequences, one of them pure. In this house all other cards count, sets included."]
    if hand.count < best.points:
        reasons.append(f"The cards come to {best.points}; no hand costs more than {hand.count}.")
    return reasons


def _as_show(question: Question, best: Arrangement) -> str:
    groups = [group.cards for group in best.groups]
    return address_of(question, ask=Ask.SHOW, groups=groups, loose=best.loose)


def _judged(question: Question) -> Answer:
    """Whether what lies on the table is a valid show."""
    laid = LaidDown(groups=tuple(cards for _, cards in question.groups), loose=question.loose)
    ruling = judge_show(laid, wild=question.wild, options=question.options)
    shown = [group_shown(number, cards, question.wild, question.options) for number, cards in question.groups]
    missing = HAND_SIZE - len(laid.cards)
    title, tone = ("A valid show", "good") if ruling.valid_show else ("Not a valid show", "bad")
    reasons = show_reasons(ruling, shown, held=len(laid.cards))
    if missing > 0:
        title, tone = f"{len(laid.cards)} of {HAND_SIZE} cards", "waiting"
        reasons = [f"{counted(missing, 'card')} more for a ruling: a show lays down all {HAND_SIZE}.", *reasons]
    return Answer(
        tone=tone,
        title=title,
        wild=_wild(question),
        reasons=reasons,
        groups=shown,
        loose=faces(question.loose, question.wild),
        loose_points=sum(each.points for each in faces(question.loose, question.wild)),
        hint=_hint(question, laid, ruling),
        notes={
            f"group-{number}": ("bad", sentence(group.why)) if group.why else ("good", f"{group.kind}.")
            for (number, _), group in zip(question.groups, shown, strict=True)
        },
    )


def _hint(question: Question, laid: LaidDown, ruling: Ruling) -> Hint | None:
    """A better arrangement of the same cards, where there is one."""
    if ruling.valid_show or hand_problems(laid.cards, question.options, field="cards"):
        return None
    best = count_hand(laid.cards, question.wild, question.options)
    if not best.arrangement.is_declarable and best.count >= ruling.count_if_loser:
        return None
    title = (
        "The same cards would make a valid show"
        if best.arrangement.is_declarable
        else f"In a losing hand the same cards need count only {best.count}"
    )
    return Hint(
        title=title,
        groups=best_groups(best.arrangement, question.wild),
        loose=faces(best.arrangement.loose, question.wild),
        address=_as_show(question, best.arrangement),
    )


def noted(notes: Mapping[str, tuple[str, str]], slots: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The note of every field of the form, silent ones included, so that an old one is taken away."""
    return {slot: notes.get(slot, ("", "")) for slot in slots}
