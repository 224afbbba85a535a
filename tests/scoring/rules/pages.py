"""Tables in docs/rules that are made, not written: options and presets from the code, worked examples from CSV files.

python -m tests.scoring.rules.pages      writes them anew
"""

import csv
import re
from collections.abc import Iterable
from pathlib import Path

from scoring.rules.options import Options, describe_options
from scoring.rules.outcomes import DealOptions
from scoring.rules.variants import VARIANTS

PAGES = Path(__file__).parents[3] / "docs" / "rules"
GOLDEN = PAGES / "golden"
BLOCK = re.compile(r"<!-- (?P<what>options:\w+|presets:\w+|golden/\w+\.csv) -->\n(?P<table>.*?)<!-- end -->", re.DOTALL)


def golden(name: str) -> list[dict[str, str]]:
    """The rows of a file of worked examples."""
    with (GOLDEN / f"{name}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    return rows


def page_files() -> list[Path]:
    return sorted(path for path in PAGES.glob("*.md") if BLOCK.search(path.read_text()))


def with_tables(text: str) -> str:
    """A page with every made table as it should be now."""
    return BLOCK.sub(lambda block: f"<!-- {block['what']} -->\n{_table(block['what'])}<!-- end -->", text)


def _table(what: str) -> str:
    kind, _, name = what.partition(":")
    if kind == "options":
        return _options_table(name)
    if kind == "presets":
        return _presets_table(name)
    rows = golden(Path(what).stem)
    return _markdown([row.replace("_", " ") for row in rows[0]], (row.values() for row in rows))


def _options_table(name: str) -> str:
    """A form's own options; those of the deal stand on the page of the deal."""
    of_the_deal = set(DealOptions.__struct_fields__)
    if name == "deal":
        return _option_rows(DealOptions, {"wrong_show": "cap"}, of_the_deal)
    kind = VARIANTS[name].options_type
    shared = of_the_deal if issubclass(kind, DealOptions) else set()
    return _option_rows(kind, {}, set(kind.__struct_fields__) - shared)


def _presets_table(name: str) -> str:
    """A form's presets: their names, what they set, and what is known of each."""
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
    return f"{option['min']} to {option['max']}{none}"


def _word(value: object) -> str:
    return "none" if value is None else str(value).lower()


def _markdown(names: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(names)
    lines = [names, ["---"] * len(names), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


if __name__ == "__main__":
    for path in page_files():
        path.write_text(with_tables(path.read_text()))
