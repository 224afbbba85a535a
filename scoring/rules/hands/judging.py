"""Rulings on a hand of 13-card rummy as it is on the table, in words: each group, the count, and a better arrangement.

Rules: docs/rules/indian.md, sections 3 (a valid show) and 4 (counting a loser). A better arrangement is a hint and
never changes the ruling. Knows nothing of forms or pages.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.messages import Message, say, say_many
from scoring.problems import Problem
from scoring.rules.arrangements import HAND_SIZE, SEQUENCES, Arrangement, GroupKind, HandOptions, fault_of, kind_of
from scoring.rules.cards import Card, write_cards
from scoring.rules.hands import LaidDown, Ruling, count_hand, hand_problems, judge_show
from scoring.rules.hands.words import KINDS, Face, faces, why_no_group, with_signs

GROUP_CODES_FIELD = "groups["
COUNT_AWAITED = frozenset({"not_13_cards", "loose_cards", "no_pure_sequence", "only_one_sequence", "no_long_sequence"})
Numbered = Sequence[tuple[int, Sequence[Card]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRuled:
    """Some of the cards: where they are, their kind, or why they are no group."""

    title: Message
    kind: Message | str
    faces: Sequence[Face]
    why: Message | str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Better:
    """Another way to lay the same cards: in words, as cards, and as one would type it."""

    title: Message
    groups: list[GroupRuled]
    loose: list[Face]
    typed_groups: tuple[str, ...]
    typed_loose: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRuling:
    """The ruling on a hand. `count` is what the arrangement claims; None where it is no hand or was shown."""

    tone: str
    title: Message
    reasons: list[Message]
    groups: list[GroupRuled]
    count: int | None = None
    better: Better | None = None


def group_shown(number: int, cards: Sequence[Card], wild: int | None, options: HandOptions) -> GroupRuled:
    """One group as it was laid down."""
    kind: GroupKind | None = kind_of(cards, wild, options)
    code = fault_of(cards, wild, options)
    return GroupRuled(
        title=say("Group {number}", number=number),
        kind=KINDS[kind] if kind is not None else say("No group"),
        faces=faces(cards, wild),
        why=why_no_group(code, cards, wild, options) if code is not None else "",
    )


def best_groups(best: Arrangement, wild: int | None) -> list[GroupRuled]:
    """The groups of the best arrangement."""
    return [
        GroupRuled(title=say("Group {number}", number=number), kind=KINDS[group.kind], faces=faces(group.cards, wild))
        for number, group in enumerate(best.groups, 1)
    ]


def show_reasons(ruling: Ruling, groups: Iterable[GroupRuled], *, held: int) -> list[Message]:
    """Every reason why it is no valid show, groups first; or why it is one."""
    if ruling.valid_show:
        return [say("Every card lies in a group, two groups are sequences, and one of these is pure.")]
    reasons = [say("{where}: {why}", where=group.title, why=group.why) for group in groups if group.why]
    awaited = held < HAND_SIZE
    left_out = COUNT_AWAITED if awaited else frozenset()
    reasons += [
        with_signs(problem.message)
        for problem in ruling.problems
        if not (problem.field or "").startswith(GROUP_CODES_FIELD) and problem.code not in left_out
    ]
    if not awaited:
        reasons.append(
            say("Laid down like this in a losing hand, it would count {number}.", number=ruling.count_if_loser)
        )
    return reasons


def ruled_loss(groups: Numbered, loose: Sequence[Card], *, wild: int | None, options: HandOptions) -> HandRuling:
    """The count of a losing hand as it was laid down, and its lowest possible count."""
    laid, group_rulings = _laid(groups, loose), [group_shown(number, cards, wild, options) for number, cards in groups]
    if problems := hand_problems(laid.cards, options, field="groups"):
        return _no_hand(group_rulings, problems, held=len(laid.cards))
    ruling = judge_show(laid, wild=wild, options=options)
    count = ruling.count_if_loser
    best = count_hand(laid.cards, wild, options)
    return HandRuling(
        tone="count",
        title=say_many("Laid down like this: {count} point", "Laid down like this: {count} points", count=count),
        reasons=[_why_so_many(ruling.kinds, options)],
        groups=group_rulings,
        count=count,
        better=_better(say("{number} is possible", number=best.count), best.arrangement, wild)
        if best.count < count
        else None,
    )


def ruled_show(groups: Numbered, loose: Sequence[Card], *, wild: int | None, options: HandOptions) -> HandRuling:
    """Whether a show is valid as it was laid down, and whether the same cards could be one."""
    laid, group_rulings = _laid(groups, loose), [group_shown(number, cards, wild, options) for number, cards in groups]
    if problems := hand_problems(laid.cards, options, field="groups"):
        return _no_hand(group_rulings, problems, held=len(laid.cards))
    ruling = judge_show(laid, wild=wild, options=options)
    reasons = show_reasons(ruling, group_rulings, held=len(laid.cards))
    if ruling.valid_show:
        return HandRuling(tone="good", title=say("A valid show"), reasons=reasons, groups=group_rulings)
    best = count_hand(laid.cards, wild, options).arrangement
    can_show = best.is_declarable and not best.loose
    title = say("The same cards would make a valid show")
    better = _better(title, best, wild) if can_show else None
    return HandRuling(tone="bad", title=say("Not a valid show"), reasons=reasons, groups=group_rulings, better=better)


def _laid(groups: Numbered, loose: Sequence[Card]) -> LaidDown:
    return LaidDown(groups=tuple(tuple(cards) for _, cards in groups), loose=tuple(loose))


def _no_hand(shown: list[GroupRuled], problems: Sequence[Problem], *, held: int) -> HandRuling:
    """Cards that are no hand: too few is not an error yet, anything else is."""
    missing = HAND_SIZE - held
    if missing > 0 and len(problems) == 1:
        more = say_many(
            "{count} card more, then the hand is judged.", "{count} cards more, then the hand is judged.", count=missing
        )
        title = say("{number} of {of} cards", number=held, of=HAND_SIZE)
        return HandRuling(tone="waiting", title=title, reasons=[more], groups=shown)
    reasons = [with_signs(problem.message) for problem in problems]
    return HandRuling(tone="bad", title=say("This cannot be a hand"), reasons=reasons, groups=shown)


def _why_so_many(kinds: Iterable[GroupKind | None], options: HandOptions) -> Message:
    """Which groups protect their cards, and what more groups would need in order to do so."""
    sequences = [kind for kind in kinds if kind in SEQUENCES]
    if GroupKind.PURE_SEQUENCE in sequences and len(sequences) > 1:
        if options.deduct_sets:
            return say("Two sequences, one of them pure: only cards outside groups count.")
        return say("Two sequences, one of them pure: only cards outside sequences count.")
    if sequences == [GroupKind.PURE_SEQUENCE] and options.pure_alone_protects:
        return say("One pure sequence and no second one: by these rules its cards do not count.")
    is_flat = options.full_without_sequences is True and options.cap is not None
    if GroupKind.PURE_SEQUENCE not in sequences:
        return say("No pure sequence: the full count.") if is_flat else say("No pure sequence: every card counts.")
    return say("Only one sequence: the full count.") if is_flat else say("Only one sequence: every card counts.")


def _better(title: Message, best: Arrangement, wild: int | None) -> Better:
    return Better(
        title=title,
        groups=best_groups(best, wild),
        loose=faces(best.loose, wild),
        typed_groups=tuple(write_cards(group.cards) for group in best.groups),
        typed_loose=write_cards(best.loose),
    )
