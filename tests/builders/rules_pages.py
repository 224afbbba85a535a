"""Generated tables in docs/rules: forms, options and presets from the code, examples from CSV files.

python -m tests.builders.rules_pages      writes them again
"""

import csv
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scoring.money.payouts import Stakes
from scoring.options import Options, describe_options, read_options
from scoring.rules.table.fields import SheetField
from scoring.rules.table.variant import Setup
from scoring.rules.variants import VARIANTS
from scoring.rules.variants.indian.outcomes import DealOptions

PAGES = Path(__file__).parents[2] / "docs" / "rules"
GOLDEN = PAGES / "golden"
BLOCK = re.compile(
    r"<!-- (?P<what>(?:form|options|presets):\w+|golden/\w+\.csv) -->\n(?P<table>.*?)<!-- end -->", re.DOTALL
)
# Options, or a number of seats, with which a form has more or fewer fields than at a usual table.
OTHER_HOUSES: dict[str, tuple[dict[str, Any], ...]] = {
    "rum": ({"rummy_multiplier": 1},),
    "block": ({"rummy_multiplier": 1},),
    "romme": ({"no_meld_flat": 100}, {"scoring": "casino"}),
    "gin": ({"oklahoma": True}, {"partnership": True}),
    "rummy_royal": ({"pot_goes_to": "poker"},),
}
KIND_WORDS = {
    "seat": "a seat",
    "seats": "seats",
    "flag": "yes or no",
    "number": "a number",
    "choice": "a choice",
    "card": "a card",
    "cards": "cards",
    "groups": "groups of cards",
}
STAKES = Stakes(point_value_minor=100)


def golden(name: str) -> list[dict[str, str]]:
    """The rows of a file of worked examples."""
    with (GOLDEN / f"{name}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    return rows


def page_files() -> list[Path]:
    return sorted(path for path in PAGES.glob("*.md") if BLOCK.search(path.read_text()))


def with_tables(text: str) -> str:
    """A page with every generated table as it should be now."""
    return BLOCK.sub(lambda block: f"<!-- {block['what']} -->\n{_table(block['what'])}<!-- end -->", text)


def _table(what: str) -> str:
    kind, _, name = what.partition(":")
    if kind == "options":
        return _options_table(name)
    if kind == "presets":
        return _presets_table(name)
    if kind == "form":
        return _form_table(name)
    rows = golden(Path(what).stem)
    return _markdown([row.replace("_", " ") for row in rows[0]], (row.values() for row in rows))


def form_fields(name: str, house: dict[str, Any]) -> dict[str, SheetField]:
    """The fields of a scorer's form at a table with these options, by their path in the event."""
    rules, seats = VARIANTS[name], ("A", "B", "C", "D") if house.get("partnership") else ("A", "B")
    options = read_options(rules.options_type, house, rules.defaults(house, len(seats)))
    setup = Setup(options=options, stakes=STAKES, seats=seats)
    fields = rules.entry_form(setup, rules.start(setup), is_extra=False)
    return {re.sub(r"\.\d+\.", "[].", field.name): field for field in fields}


def _form_table(name: str) -> str:
    """What a scorer fills in for a deal: always, or only at some houses."""
    usual, houses = form_fields(name, {}), OTHER_HOUSES.get(name, ())
    others = [(house, form_fields(name, house)) for house in houses]
    rows = [
        _form_row(at, field, "; ".join(f"not with {_house(house)}" for house, asked in others if at not in asked))
        for at, field in usual.items()
    ]
    rows += [
        _form_row(at, field, f"with {_house(house)}")
        for house, asked in others
        for at, field in asked.items()
        if at not in usual
    ]
    return _markdown(["field", "title", "what is entered", "asked", "meaning"], rows)


def _form_row(at: str, field: SheetField, asked: str) -> list[str]:
    entered = KIND_WORDS[field.kind] + (" for each seat" if field.per_seat else "")
    if field.choices:
        entered = ", ".join(f"`{choice.value}`" for choice in field.choices)
    nobody = f", or nobody: {field.nobody.partition(': ')[2]}" if field.nobody else ""
    return [f"`{at}`", field.title, entered + nobody, asked or "always", str(field.help)]


def _house(house: dict[str, Any]) -> str:
    return ", ".join(f"`{option}` {_word(value)}" for option, value in house.items())


def _options_table(name: str) -> str:
    """A form's own options; those of the deal are on the page of the deal."""
    of_the_deal = set(DealOptions.__struct_fields__)
    if name == "deal":
        return _option_rows(DealOptions, {"wrong_show": "cap"}, of_the_deal)
    kind = VARIANTS[name].options_type
    shared = of_the_deal if issubclass(kind, DealOptions) else set()
    return _option_rows(kind, {}, set(kind.__struct_fields__) - shared)


def _presets_table(name: str) -> str:
    """A form's presets: their names, what they set, and their sources."""
    return _markdown(
        ["preset", "title", "sets", "note"],
        (
            [
                f"`{preset.name}`",
                preset.title,
                ", ".join(f"`{option}` {_word(value)}" for option, value in preset.options.items()),
                preset.note,
            ]
            for preset in VARIANTS[name].presets
        ),
    )


def _option_rows(kind: type[Options], derived: dict[str, str], names: set[str]) -> str:
    return _markdown(
        ["option", "default", "may be", "meaning"],
        (
            [
                f"`{option['name']}`",
                f"`{derived.get(option['name'], _word(option['default']))}`",
                _range(option),
                option["help"] + (" (*play*)" if option.get("plays_only") else ""),
            ]
            for option in describe_options(kind)
            if option["name"] in names
        ),
    )


def _range(option: dict[str, object]) -> str:
    none = ", or none" if option.get("nullable") else ""
    if option["type"] == "boolean":
        return "`true`, `false`"
    if "choices" in option:
        return ", ".join(f"`{choice}`" for choice in option["choices"])  # type: ignore[attr-defined]
    return "text" if option["type"] == "text" else f"{option['min']} to {option['max']}{none}"


def _word(value: object) -> str:
    return "none" if value is None else str(value).lower()


def _markdown(names: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(names)
    lines = [names, ["---"] * len(names), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


if __name__ == "__main__":
    for path in page_files():
        path.write_text(with_tables(path.read_text()))
