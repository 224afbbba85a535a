"""Templates, styles and scripts: nothing unused, each colour defined once. `make lint` looks at their layout."""

import re
from collections import Counter
from pathlib import Path

import django
import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (ROOT / "templates", ROOT / "scoring" / "templates")
STATIC = ROOT / "tournaments" / "static" / "tournaments"
STYLES = sorted(STATIC.glob("*.css"))
# Django looks for these itself.
FOUND_BY_DJANGO = re.compile(
    r"\b(403|403_csrf|404|500|base_site|index|login|change_form|change_list|submit_line|includes/field(s|set)"
    r"|edit_inline/tabular|logged_out|password_change_(form|done))\.html$"
)
# Class names that are put together: the beginning, and what may follow it.
PUT_TOGETHER = re.compile(r"([\w-]+)\{\{")
IN_A_CLASS = re.compile(r'class="([^"]*)"')
# `is-` begins many a class that is written out; those put together are few. One is htmx's own.
AT_RUN_TIME = {"is-s", "is-l", "is-xl", "is-message", "htmx-request"}
# Pages that are named by a folder or by the beginning of a name, and the rest by a word in the code.
BEGINNING = re.compile(r'f"([\w/]+)\{\w[^}"]*\}(\.html)?"')
COMMENT = re.compile(r"/\*.*?\*/", re.S)
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b(?![^{}]*\{)|\b(?:rgb|hsl|oklch|oklab)a?\(")


def classes_of(style: str) -> set[str]:
    """Every class that a style sheet defines."""
    selectors = re.findall(r"([^{}]+)\{", COMMENT.sub("", style))
    return {name for selector in selectors for name in re.findall(r"\.([a-zA-Z][\w-]*)", selector)}


def is_put_together(name: str, beginnings: set[str]) -> bool:
    """Whether a template puts a variable into this class: a word behind a hyphen, a number behind a letter."""
    return name in AT_RUN_TIME or any(
        name.startswith(one) and (one.endswith("-") or name.removeprefix(one).isdigit()) for one in beginnings - {"is-"}
    )


def unused_classes(styles: dict[str, str], sources: list[str]) -> list[str]:
    """Classes that no page has, with their style sheet."""
    text = "\n".join(sources)
    words = set(re.findall(r"[\w-]+", text))
    beginnings = {one for attribute in IN_A_CLASS.findall(text) for one in PUT_TOGETHER.findall(attribute)}
    return [
        f"{sheet}: .{name}"
        for sheet, style in styles.items()
        for name in sorted(classes_of(style) - words)
        if not is_put_together(name, beginnings)
    ]


def unnamed_templates(paths: list[str], sources: list[str]) -> list[str]:
    """Templates that no page, view or other template names."""
    text = "\n".join(sources)
    beginnings = {one for one, _ in BEGINNING.findall(text)}
    quoted = set(re.findall(r"[\"']([\w./]+)[\"']", text))
    return [
        path
        for path in paths
        if path not in text
        and not FOUND_BY_DJANGO.search(path)
        and not any(
            path.startswith(one) and {path.removeprefix(one), path.removeprefix(one)[:-5]} & quoted
            for one in beginnings
        )
    ]


def product_sources() -> list[str]:
    """Sources that may use a class: our templates, code and scripts, and the pages of Django's admin."""
    ours = [
        path
        for package in ("templates", "scoring", "tournaments", "rummy_site")
        for path in (ROOT / package).rglob("*")
        if path.suffix in {".html", ".py", ".js"}
    ]
    theirs = Path(django.__file__).parent
    admin = theirs / "contrib" / "admin"
    read = [*ours, *admin.glob("templates/**/*.html"), *admin.glob("static/**/*.js"), theirs / "forms" / "widgets.py"]
    return [path.read_text() for path in read]


@pytest.mark.slow
def test_every_template_is_named_by_something():
    paths = [str(path.relative_to(folder)) for folder in FOLDERS for path in sorted(folder.rglob("*.html"))]
    assert unnamed_templates(["a/b_c.html", "a/b_d.html"], ['f"a/b_{x}.html"', '"c"']) == ["a/b_d.html"]
    assert unnamed_templates(paths, product_sources()) == []


def test_every_style_and_script_is_asked_for():
    text = "\n".join(product_sources())
    assert [path.name for path in (*STYLES, *STATIC.glob("*.js")) if path.name not in text] == []


@pytest.mark.slow
def test_every_class_of_a_style_sheet_is_borne_by_something():
    assert unused_classes({"a.css": ".b, .c-1 > .d, .se { }"}, ['class="d c-{{ one }} s{{ one }}"']) == [
        "a.css: .b",
        "a.css: .se",
    ]
    assert unused_classes({path.name: path.read_text() for path in STYLES}, product_sources()) == []


def test_every_colour_has_its_name_in_the_tokens():
    assert COLOUR.search("a { color: #fff; }")
    assert not COLOUR.search("#user-tools a { color: var(--ink); }")
    sheets = {path.name: COMMENT.sub("", path.read_text()) for path in STYLES if path.name != "tokens.css"}
    assert {name: found for name, text in sheets.items() if (found := [m[0] for m in COLOUR.finditer(text)])} == {}


def test_every_token_is_named_once_and_used():
    """The dark theme is written twice: for devices that ask for it, and for users who chose it."""
    tokens = COMMENT.sub("", (STATIC / "tokens.css").read_text())
    named = Counter(re.findall(r"(--[\w-]+):", tokens))
    used = set(re.findall(r"var\((--[\w-]+)", "\n".join(path.read_text() for path in STYLES)))
    assert {name for name, times in named.items() if times > 1} == {"--on-light", "--on-dark"}
    assert set(named) - used == set()
