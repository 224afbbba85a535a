"""Money and games of a plan as typed: amounts in the club's currency, percentages, one item a line, presets.

Rules: docs/rules/tournaments.md, "Prizes" and "Fees". What cannot be read stays as it was typed, and is refused by the
plan. Knows nothing of forms or pages, nor of how a plan is stored.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_noop, override

from scoring.messages import Field, Message, say
from scoring.money.formatting import Notation, marks_of, typed_minor, typed_percent
from scoring.problems import Problem
from scoring.rules.table.formats import RawPlan
from scoring.rules.variants import PRESETS, VARIANTS
from tournaments.models.people import folded
from tournaments.rendering.i18n.translating import translate
from tournaments.rendering.i18n.typed_amounts import read_amount, read_percent

AMOUNTS = ("reentry_minor", "point_value_minor", "member_minor", "fee_floor_minor", "fee_cap_minor", "guaranteed_minor")
# Amounts where empty means the usual one, so that 0 is shown as 0.
SHOWS_ZERO = ("member_minor", "point_value_minor")
PERCENTS = ("paid_share_bp", "levy_bp")
AMOUNT_LISTS = ("fixed_minor",)
PERCENT_LISTS = ("prizes_bp",)
# One item a line; its parts are separated by semicolons.
LINES = ("things", "stage_prizes", "side_pots")
FIELDS = (*AMOUNTS, *PERCENTS, *AMOUNT_LISTS, *PERCENT_LISTS, *LINES)
BETWEEN = re.compile(r";|,\s+|\s+|,$")
NO_SUCH = "wrong_type"

TITLES = {
    "prizes_bp": gettext_noop("Shares by place"),
    "paid_share_bp": gettext_noop("Players paid, %"),
    "fixed_minor": gettext_noop("Fixed amounts by place"),
    "stage_prizes": gettext_noop("Prizes of stages and tables"),
    "guaranteed_minor": gettext_noop("Guaranteed prizes"),
    "short": gettext_noop("Fixed amounts above the pool"),
    "over": gettext_noop("What fixed amounts leave"),
    "leftover": gettext_noop("Rounding"),
    "things": gettext_noop("Prizes that are not money"),
    "side_pots": gettext_noop("Side pots"),
    "member_minor": gettext_noop("Member entry fee"),
    "fee_floor_minor": gettext_noop("Minimum house fee per entry"),
    "fee_cap_minor": gettext_noop("Maximum house fee per entry"),
    "levy_bp": gettext_noop("Levy on entry fees"),
    "levy_name": gettext_noop("Name of the levy"),
    "levy_on": gettext_noop("The levy is taken on"),
    "reentry_minor": gettext_noop("Re-entry fee"),
    "reentry_begins": gettext_noop("Re-entry starts with"),
    "reentry_chips": gettext_noop("Re-entry: points or chips"),
    "reentry_at_least": gettext_noop("Re-entry: score required"),
    "reentry_own_least": gettext_noop("Re-entry: least own score"),
    "wild_cards": gettext_noop("Extra qualifiers"),
    "options": gettext_noop("House rules"),
    "preset": gettext_noop("Game of this stage"),
    "point_value_minor": gettext_noop("Value of a point"),
}
HELP = {
    "prizes_bp": gettext_noop("In percent, the first place first, together 100: 50 30 20. Empty: the winner takes all"),
    "paid_share_bp": gettext_noop("In percent: 25 pays a quarter of the players. Empty: shares as above"),
    "fixed_minor": gettext_noop("Amounts, the first place first: 500; 300; 100. What is left goes by the shares"),
    "stage_prizes": gettext_noop(
        "One a line: the stage; each table, or whole stage; amounts by place. 1; each table; 50 25"
    ),
    "guaranteed_minor": gettext_noop("Minimum total prizes"),
    "things": gettext_noop("One a line, the first place first: a cup. Shown and printed, never in the books"),
    "side_pots": gettext_noop(
        "One a line: name; amount; everybody or optional; carried or prizes if not won. High hand; "
        "20; everybody; carried"
    ),
    "member_minor": gettext_noop("Empty: as everybody. Set who is a member on the player's page"),
    "fee_floor_minor": gettext_noop("Empty: no minimum"),
    "fee_cap_minor": gettext_noop("Empty: no maximum"),
    "levy_bp": gettext_noop("In percent, taken beside the house fee and passed on. Empty: none"),
    "preset": gettext_noop("A game of its own has its own house rules"),
    "point_value_minor": gettext_noop("In this stage. Empty: the tournament's, or 0 in another game"),
    "reentry_minor": gettext_noop("Fee for players who are out to re-enter. Empty: no re-entry"),
}
PRIZES_PRESETS = {
    "winner": (gettext_noop("Winner takes all"), {"prizes_bp": "100", "paid_share_bp": ""}),
    "top_three": (gettext_noop("Top 3: 50, 30, 20"), {"prizes_bp": "50, 30, 20", "paid_share_bp": ""}),
    "quarter": (gettext_noop("A quarter of the players"), {"prizes_bp": "100", "paid_share_bp": "25"}),
}
# Titles of a plan's choices.
WORDS = {
    "draw": gettext_noop("draw"),
    "standing": gettext_noop("by standings"),
    "snake": gettext_noop("snake"),
    "prepared": gettext_noop("prepared"),
    "game": gettext_noop("game"),
    "deals": gettext_noop("deals"),
    "deals_as_seats": gettext_noop("as many deals as seats"),
    "minutes": gettext_noop("minutes"),
    "finish": gettext_noop("finish the deal"),
    "one_more": gettext_noop("one more deal"),
    "nothing": gettext_noop("nothing"),
    "score": gettext_noop("score"),
    "average": gettext_noop("average"),
    "rank_points": gettext_noop("points for places"),
    "chips": gettext_noop("chips"),
    "score_and_chips": gettext_noop("score and chips"),
    "least_score": gettext_noop("score required"),
    "zero": gettext_noop("zero"),
    "highest_plus": gettext_noop("worst score plus points"),
    "forfeit": gettext_noop("forfeit"),
    "void": gettext_noop("cancelled"),
    "seat": gettext_noop("seat"),
    "person": gettext_noop("person"),
    "split": gettext_noop("split"),
    "at_once": gettext_noop("at once"),
    "second_seat": gettext_noop("second seat"),
    "second_official": gettext_noop("second official"),
    "two_seats": gettext_noop("two seats enter each deal"),
    "deals_won": gettext_noop("deals won"),
    "fewest_wrong_shows": gettext_noop("fewest wrong shows"),
    "fewest_drops": gettext_noop("fewest drops"),
    "head_to_head": gettext_noop("head to head"),
    "last_deal": gettext_noop("last deal"),
    "extra_deal": gettext_noop("extra deal"),
    "high_card": gettext_noop("high card"),
    "lots": gettext_noop("lots"),
    "scale": gettext_noop("scaled down"),
    "top_up": gettext_noop("the club adds the rest"),
    "shares": gettext_noop("goes by the shares"),
    "fund": gettext_noop("stays with the club"),
    "spread": gettext_noop("largest remainders, then seats"),
    "first_place": gettext_noop("to the first place"),
    "gross": gettext_noop("all entry fees"),
    "fee": gettext_noop("the house fee"),
}
# What is typed for a choice, in any language of the site. The first text for a choice is the one that is shown; the
# others are accepted because older plans used them.
OF = {gettext_noop("each table"): "each_table", gettext_noop("whole stage"): "stage"}
JOINS = {gettext_noop("everybody"): "everybody", gettext_noop("optional"): "opt_in", "by wish": "opt_in"}
UNWON = {gettext_noop("carried"): "carried", gettext_noop("prizes"): "prizes"}
CHOICES = {"of": OF, "joins": JOINS, "unwon": UNWON}


def value_text(name: str, value: Any, notation: Notation) -> str:
    """A value of the plan as its field shows it."""
    if name in AMOUNTS:
        return typed_minor(value, *notation) if value else ("0" if value == 0 and name in SHOWS_ZERO else "")
    if name in PERCENTS:
        return typed_percent(value, notation.locale) if value else ""
    if name in AMOUNT_LISTS:
        return _amounts_text(value, notation)
    if name in PERCENT_LISTS:
        return _spaced(typed_percent(share, notation.locale) for share in value)
    return "\n".join(_LINE_TEXTS[name](line_value, notation) for line_value in value)


def read(name: str, text: str, notation: Notation) -> Any:
    """The value of a field; the text itself where it cannot be read."""
    if name in AMOUNTS:
        return _amount(text, notation)
    if name in PERCENTS:
        return _percent(text, notation)
    if name in AMOUNT_LISTS:
        return _amounts(text, notation)
    if name in PERCENT_LISTS:
        return _percents(text, notation)
    return [_LINES_READ[name](line, notation) for line in text.splitlines() if line.strip()]


def mended(problem: Problem, notation: Notation) -> Problem:
    """A problem of the plan, worded for the form: amounts, percentages and choices as a user types them."""
    return replace(problem, detail=_mended(problem.message, notation, is_no_type=problem.code == NO_SUCH))


def _mended(message: Message, notation: Notation, *, is_no_type: bool) -> Message:
    why, option, rejected_value = (message.parts.get(name) for name in ("why", "option", "value"))
    if isinstance(why, Message):
        mended_why = _mended(why, notation, is_no_type=is_no_type)
        return msgspec.structs.replace(message, parts={**message.parts, "why": mended_why})
    what = _wanted(option.name, notation, is_no_type=is_no_type) if isinstance(option, Field) else None
    return (
        message
        if what is None or rejected_value is None
        else say("{typed} is not {what}", typed=rejected_value, what=what)
    )


def _wanted(option: str, notation: Notation, *, is_no_type: bool) -> Message | str | None:
    if option in CHOICES:
        first, second = (_choice_text(CHOICES[option], value) for value in dict.fromkeys(CHOICES[option].values()))
        return say("{first} or {second}", first=first, second=second)
    if is_no_type and option.endswith("_minor"):
        sample = typed_minor(12_50, *notation)
        return say("an amount of {currency}, such as {sample}", currency=notation.currency, sample=sample)
    if is_no_type and option.endswith("_bp"):
        return say("a percentage, such as {sample}", sample=typed_percent(12_50, notation.locale))
    return None


def _spaced(parts: Any) -> str:
    return "; ".join(parts)


def _amounts_text(amounts: Sequence[int], notation: Notation) -> str:
    return _spaced(typed_minor(amount, *notation) for amount in amounts)


def _amount(text: str, notation: Notation) -> int | str:
    try:
        return read_amount(text, notation)
    except ValidationError:
        return text


def _amounts(text: str, notation: Notation) -> list[int | str] | str:
    amounts = [_amount(part, notation) for part in BETWEEN.split(text) if part]
    return text if any(isinstance(amount, str) for amount in amounts) else amounts


def _percents(text: str, notation: Notation) -> list[int | str] | str:
    """A list of percentages. Where the decimal mark is a point, every comma separates two of them."""
    spaced = text.replace(",", " ") if marks_of(notation.locale).decimal == "." else text
    percents = [_percent(part, notation) for part in BETWEEN.split(spaced) if part]
    return text if any(isinstance(share, str) for share in percents) else percents


def _percent(text: str, notation: Notation) -> int | str:
    try:
        return read_percent(text, notation.locale)
    except ValidationError:
        return text


def _cells(line: str, many: int) -> list[str]:
    """The parts between semicolons; the last takes the rest, and missing ones are empty."""
    cells = [cell.strip() for cell in line.split(";", many - 1)]
    return cells + [""] * (many - len(cells))


def _choice(texts: Mapping[str, str], text: str) -> str:
    """The choice from its text in the form, in any language of the site; other text is returned as it is."""
    folded_text = folded(text)
    for language, _ in settings.LANGUAGES:
        with override(language):
            for title, choice in texts.items():
                if folded(gettext(title)) == folded_text:
                    return choice
    return text


def _choice_text(texts: Mapping[str, str], choice: str) -> str:
    """The text of a choice in the language of the page."""
    return next((gettext(text) for text, listed_choice in texts.items() if listed_choice == choice), choice)


def _stage_prizes_read(line: str, notation: Notation) -> dict[str, Any]:
    stage, of, amounts = _cells(line, 3)
    number = int(stage) if stage.isascii() and stage.isdecimal() and len(stage) < 4 else stage
    return {"stage": number, "of": _choice(OF, of), "amounts_minor": _amounts(amounts, notation)}


def _side_pot_read(line: str, notation: Notation) -> dict[str, Any]:
    name, contribution, joins, unwon = _cells(line, 4)
    amounts = {"contribution_minor": _amount(contribution, notation) if contribution else 0}
    choices = {"joins": _choice(JOINS, joins), "unwon": _choice(UNWON, unwon)}
    return {"name": name, **amounts, **{option: choice for option, choice in choices.items() if choice}}


_Read = Callable[[str, Notation], Any]
_Text = Callable[[Any, Notation], str]
_LINES_READ: dict[str, _Read] = {
    "things": lambda line, notation: line.strip(),
    "stage_prizes": _stage_prizes_read,
    "side_pots": _side_pot_read,
}
_LINE_TEXTS: dict[str, _Text] = {
    "things": lambda thing, notation: str(thing),
    "stage_prizes": lambda one, notation: "; ".join(
        (
            str(one["stage"]),
            _choice_text(OF, one["of"]),
            _amounts_text(one["amounts_minor"], notation).replace(";", ""),
        )
    ),
    "side_pots": lambda pot, notation: "; ".join(
        (
            pot["name"],
            typed_minor(pot["contribution_minor"], *notation),
            _choice_text(JOINS, pot["joins"]),
            _choice_text(UNWON, pot["unwon"]),
        )
    ),
}


# The game of a stage: the tournament's, a preset, or a variant without a preset.

# The game comes before its house rules; the variant follows from it.
GAME_FIELDS = ("preset", "point_value_minor", "options")
VARIANT = "variant"
# Prefix of a variant without a preset, as typed in the field: `=gin`.
BARE = "="


def first(fields: Sequence[RawPlan]) -> list[RawPlan]:
    """The fields of a stage that are typed, the game before the others."""
    typed_fields = [field for field in fields if field["name"] != VARIANT]
    order = {name: place for place, name in enumerate(GAME_FIELDS)}
    return sorted(typed_fields, key=lambda each: order.get(each["name"], len(order)))


def games(chosen: str) -> tuple[tuple[str, str], ...]:
    """The tournament's game, every preset, and the chosen game if it is no preset."""
    offered = {"": gettext("the tournament's game")}
    offered |= {name: translate(preset.title) for name, (_, preset) in PRESETS.items()}
    if chosen not in offered:
        variant = VARIANTS.get(chosen.removeprefix(BARE))
        offered[chosen] = translate(variant.title) if variant else chosen
    return tuple(offered.items())


def as_typed(stage: RawPlan) -> RawPlan:
    """A stored stage as the form shows it: options that differ from the preset's; a game without one by its name."""
    if name := stage.get("preset", ""):
        usual = PRESETS[name][1].options if name in PRESETS else {}
        own = {key: value for key, value in stage.get("options", {}).items() if (key, value) not in usual.items()}
        return {**stage, "options": own}
    return {**stage, "preset": f"{BARE}{stage[VARIANT]}"} if stage.get(VARIANT) else stage


def plan_words_of_stage(stage: RawPlan) -> RawPlan:
    """A typed stage as the plan stores it: a game without a preset becomes its variant."""
    name = stage.get("preset", "")
    if not name.startswith(BARE):
        return stage
    return {key: value for key, value in stage.items() if key != "preset"} | {VARIANT: name.removeprefix(BARE)}
