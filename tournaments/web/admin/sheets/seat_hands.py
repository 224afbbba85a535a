"""Cards on the scorer's page, judged while they are typed: the kind of each group, and the hand's points.

Rules: docs/rules/indian.md, sections 3 and 4; docs/how-to/evening.md, "Scoring" and "Cards". For one seat, or for cards
that no seat has alone where the game's own judge rules on its fields. A better arrangement is offered, never applied.
Knows nothing of storing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext

from scoring.messages import Message, Words, say, say_many
from scoring.problems import Problem, RuleError, shown
from scoring.rules.arrangements import HAND_SIZE, HandOptions
from scoring.rules.cards import SPELLINGS, Card, cards_typed, parse_wild, write_cards
from scoring.rules.hands.judging import GroupRuled, HandRuling, ruled_loss, ruled_show
from scoring.rules.hands.words import RANK_KEYS, SUIT_KEYS, wild_message
from scoring.rules.table.entering import event_from, key_of
from scoring.rules.table.fields import Ending, SheetField
from scoring.rules.table.questions import CardRuling, Cards, group_message
from scoring.rules.table.table import Table
from tournaments.rendering.i18n.translating import sentence, translate
from tournaments.web.admin.sheets.sheet_entry import Fields, FieldsForm, OutcomesForm

# No valid arrangement of thirteen cards has more.
GROUP_FIELDS = 4
Note = tuple[str, str]
SILENT: Note = ("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """One field for cards: its label, what its cards are called, what is typed, and a note with its tone and text.

    `heading` is shown above it, `help` beside its label. A group is one of several under a `name`.
    """

    key: str
    name: str
    title: Message
    where: Message
    text: str
    is_group: bool = True
    heading: Message | None = None
    help: Words = ""
    note: Note = SILENT


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatHand:
    """Cards of the form that are judged together, and the ruling on them. `shown` are groups that were found."""

    key: str
    lines: tuple[CardLine, ...]
    held_message: Message
    waiting: Message
    wild: Note = SILENT
    ruling: HandRuling | CardRuling | None = None
    shown: Sequence[GroupRuled] = ()
    remark: str = ""
    problems: tuple[Problem, ...] = ()
    is_thirteen: bool = False

    # For the page's card picker.
    suits = SUIT_KEYS
    ranks = RANK_KEYS

    @property
    def is_open(self) -> bool:
        """Whether something is typed, or has a problem."""
        return bool(self.problems) or any(line.text for line in self.lines)

    @property
    def better_typed(self) -> str:
        """The better arrangement as the form sends it back: the seat, its groups, and the loose cards."""
        better = self.ruling.better if isinstance(self.ruling, HandRuling) else None
        return f"{self.key}:{'|'.join(better.typed_groups)}/{better.typed_loose}" if better else ""


@dataclass(slots=True)
class _Read:
    """The cards that could be read, and a note by field."""

    groups: list[tuple[int, tuple[Card, ...]]]
    loose: tuple[Card, ...]
    notes: dict[str, Note]

    @property
    def held(self) -> int:
        return sum(len(cards) for _, cards in self.groups) + len(self.loose)


@dataclass(frozen=True, slots=True)
class _Judged:
    """The cards that were read, and the ruling on them."""

    read: _Read
    ruling: HandRuling


def seat_hand(table: Table, options: HandOptions, typed: OutcomesForm, seat: str) -> SeatHand:
    """The cards of a seat, judged with the deal's wild joker."""
    ending = _ending(table, typed, seat)
    entered = typed.seat(seat)
    texts, loose = entered.groups, entered.loose
    fields = (*texts, *[""] * (GROUP_FIELDS - len(texts)))
    reading = _read(fields, loose)
    wild, wild_note = _wild(typed.read["wild"], options)
    ruling = None
    if (texts or loose) and not reading.notes and wild_note[0] != "bad":
        rule = ruled_show if ending.hand == "shown" else ruled_loss
        ruling = rule(reading.groups, reading.loose, wild=wild, options=options)
        for (number, _), group in zip(reading.groups, ruling.groups, strict=True):
            reading.notes[_key(number)] = _group_note(group)
    return SeatHand(
        key=seat,
        lines=_lines(seat, fields, loose, reading.notes),
        held_message=say("{number} of {of}", number=reading.held, of=HAND_SIZE),
        waiting=say("{number} of {of} cards", number=reading.held, of=HAND_SIZE),
        is_thirteen=True,
        wild=wild_note,
        ruling=ruling,
        remark=_remark(table, ending, typed, seat, _Judged(reading, ruling)) if ruling else "",
    )


def _group_note(group: GroupRuled) -> Note:
    """The kind of a group, or why it is not valid."""
    if group.why:
        return "bad", gettext("No group: {why}.").format(why=translate(group.why))
    return "good", f"{translate(group.kind)}."


def _key(number: int) -> str:
    return f"group-{number}"


def _read(fields: Sequence[str], loose: str) -> _Read:
    """Reads each field by itself, so that an error in one does not hide the others."""
    reading = _Read([], (), {})
    for number, text in enumerate(fields, start=1):
        cards = _cards_in(text, say("group {number}", number=number), _key(number), reading.notes)
        if cards:
            reading.groups.append((number, cards))
    reading.loose = _cards_in(loose, say("the loose cards"), "loose", reading.notes)
    return reading


def _cards_in(text: str, name: Message, key: str, notes: dict[str, Note]) -> tuple[Card, ...]:
    """The cards of a field; if it cannot be read, a note is added for it."""
    try:
        return cards_typed(text, name) if text else ()
    except RuleError as refused:
        notes[key] = ("bad", " ".join(sentence(problem.message) for problem in refused.problems))
        return ()


def _wild(text: str, options: HandOptions) -> tuple[int | None, Note]:
    """The wild rank of the deal, and a note that explains it."""
    if not text:
        return None, ("waiting", gettext("No wild joker is entered below: only printed jokers are jokers."))
    try:
        wild = parse_wild(text, printed_as_wild=options.printed_as_wild)
    except RuleError:
        return None, ("bad", gettext("The wild joker below, {text}, is not a card or a rank.").format(text=shown(text)))
    return wild, ("", translate(wild_message(wild, SPELLINGS.get(text.strip().upper()))))


def _lines(seat: str, fields: Sequence[str], loose: str, notes: dict[str, Note]) -> tuple[CardLine, ...]:
    groups = [
        CardLine(
            key=f"group-{seat}-{number}",
            name=f"group-{seat}",
            title=group_message(number),
            where=say("group {number}", number=number),
            text=text,
            note=notes.get(_key(number), SILENT),
        )
        for number, text in enumerate(fields, start=1)
    ]
    loose_line = CardLine(
        key=f"loose-{seat}",
        name=f"loose-{seat}",
        title=say("Loose"),
        where=say("the loose cards"),
        text=loose,
        is_group=False,
        note=notes.get("loose", SILENT),
    )
    return (*groups, loose_line)


def _ending(table: Table, typed: OutcomesForm, seat: str) -> Ending:
    """The seat's ending; an unknown word counts as a hand that is counted."""
    endings = table.rules.endings(table.setup)
    how = typed.seat(seat).ending(endings)
    counted = next(ending for ending in endings if ending.hand == "counted")
    return next((ending for ending in endings if ending.how == how), counted)


def _remark(table: Table, ending: Ending, typed: OutcomesForm, seat: str, hand: _Judged) -> str:
    """A remark where the sheet does not simply take the hand's count."""
    if ending.hand == "shown":
        return ""
    if ending.hand != "counted":
        return gettext("Only checked: with “{title}” the cards are not saved.").format(title=translate(ending.title))
    if count := typed.seat(seat).count:
        return gettext("The row also has {count}: enter the number or the cards, not both.").format(count=count)
    if hand.ruling.count is None:
        return ""
    scored = _scored(table, ending, typed, seat, hand.read)
    if scored == hand.ruling.count:
        return ""
    if ending.is_half:
        return gettext("Half of the hand counts here: {scored}.").format(scored=scored)
    return gettext("This house counts the best arrangement: {scored}.").format(scored=scored)


def _scored(table: Table, ending: Ending, typed: OutcomesForm, seat: str, read: _Read) -> int | None:
    """What the cards cost on the sheet."""
    groups = [write_cards(cards) for _, cards in read.groups]
    outcome = {"how": ending.how, "groups": groups, "loose": write_cards(read.loose)}
    sheet, _ = table.rules.read_sheet({"outcomes": {seat: outcome}, "wild": typed.read["wild"] or None}, [seat])
    return table.rules.hand_points(table.setup, sheet, seat)


DEAL = "deal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """The fields of one ruling; for one seat where every seat has them."""

    key: str
    fields: Fields
    seat: str | None


def slots_of(fields: Fields, seats: Sequence[str]) -> dict[str, Slot]:
    """All slots of a form whose cards can be judged, by key."""
    fields_by_key: dict[str, list[SheetField]] = {}
    of_seat = tuple(field for field in fields if field.judged_as and field.per_seat)
    for field in fields:
        if field.judged_as and not field.per_seat:
            fields_by_key.setdefault(slot_key(field), []).append(field)
    slots = {key: Slot(key=key, fields=tuple(slot_fields), seat=None) for key, slot_fields in fields_by_key.items()}
    return slots | {seat: Slot(key=seat, fields=of_seat, seat=seat) for seat in seats if of_seat}


def slot_key(field: SheetField) -> str:
    """The key of cards that do not belong to a single seat: `hands-0`, or the deal."""
    return "-".join(map(str, field.path[:-1])) or DEAL


def judged_cards(
    table: Table, fields: Fields, typed: FieldsForm, slot: Slot, at: Mapping[str, Sequence[Problem]]
) -> SeatHand:
    """The cards of a slot with the ruling on them. `at` has the problems of a refused save, by input."""
    notes: dict[str, Note] = {}
    lines = [(field, tuple(_field_lines(field, slot, typed))) for field in _in_order(table, slot)]
    cards_by_field = {field.judged_as: tuple(_cards(field_lines, notes)) for field, field_lines in lines}
    card_count = sum(len(cards) for card_groups in cards_by_field.values() for cards in card_groups)
    laid = [line.key for _, field_lines in lines for line in field_lines if line.is_group and line.text]
    ruling = None
    if not notes:
        event, _ = event_from(fields, typed.filled, table.setup.seats)
        ruling = table.rules.cards_ruled(table.setup, cards_by_field, event)
        ruled = zip(laid, ruling.groups, strict=False)
        notes = {key: _group_note(group) for key, group in ruled if group.why or group.kind}
    return SeatHand(
        key=slot.key,
        lines=tuple(
            replace(line, note=notes.get(line.key, SILENT)) for _, field_lines in lines for line in field_lines
        ),
        held_message=say_many("{count} card", "{count} cards", count=card_count),
        waiting=say("Fix this first"),
        ruling=ruling,
        shown=ruling.groups[len(laid) :] if ruling else (),
        problems=tuple(problem for field in slot.fields for problem in at.get(key_of(field, slot.seat), ())),
    )


def _in_order(table: Table, slot: Slot) -> list[SheetField]:
    """The fields in the judge's order, since on the page cards come after the number that they explain."""
    order = [field.name for field in table.rules.judge.fields] if table.rules.judge else []
    return sorted(slot.fields, key=lambda field: order.index(field.judged_as))


def _field_lines(field: SheetField, slot: Slot, typed: FieldsForm) -> Iterator[CardLine]:
    """The inputs of a field; for groups there is always an empty one."""
    name, is_group = key_of(field, slot.seat), field.kind == "groups"
    texts = list(typed.named(name))
    least = max(GROUP_FIELDS, len(texts) + 1) if is_group else 1
    address = "id-" + name.replace(".", "-")
    for number, text in enumerate([*texts, *[""] * (least - len(texts))], start=1):
        yield CardLine(
            key=f"{address}-{number}" if is_group else address,
            name=name,
            title=group_message(number) if is_group else Message(field.title),
            where=say("group {number}", number=number) if is_group else Message(field.title),
            text=text,
            is_group=is_group,
            heading=Message(field.title) if is_group and number == 1 else None,
            help=field.help if number == 1 else "",
        )


def _cards(lines: Sequence[CardLine], notes: dict[str, Note]) -> Iterator[Cards]:
    """The cards of each line that is not empty; if one cannot be read, a note is added for it."""
    for line in lines:
        if cards := _cards_in(line.text, line.where, line.key, notes):
            yield cards
