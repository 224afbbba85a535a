"""`Any` is used where JSON enters, at the register of games, and where a library says no more: in these modules alone.

Planted faults: `Any` in a module that is not listed; a module that no longer needs it and is still listed.
"""

import ast
from pathlib import Path
from typing import TypeGuard

ROOT = Path(__file__).resolve().parents[2]
# Why a module may use `Any`, and which modules; a name ends its path within the package above it.
MAY: dict[str, str] = {
    "Servers, Celery and Django pass it on without a type": """
        rummy_site: admin_site celery environment settings startup
        rummy_site/authentication: sign_in
        rummy_site/management/commands: backup migrate prove restore serve
        rummy_site/middleware: failures lock_waits
        rummy_site/operations: health logs
        rummy_site/server: reception requests
        rummy_site/worker: folder_transport periodic
    """,
    "Rows and connections as the drivers of databases hand them over": """
        rummy_site: database
        rummy_site/operations: backup restore
        rummy_site/sqlite: __init__ base
        scoring: references
        scoring/ledger: audit keys on_postgresql on_sqlite readings
        scoring/ledger/triggers: definitions
        tournaments/boards: seats
        tournaments/log: parts raw reading seals
        tournaments/models: log statements
    """,
    "JSON as it is sent, stored or written, before it is read": """
        scoring/cash: __init__ admission
        scoring/cli: __init__ replay
        scoring/evening/checks: __init__
        scoring/evening/plans: __init__
        scoring/evening/state: folding
        scoring/facts: evening reading table wire
        scoring/ledger: writes
        scoring: options
        scoring/rules/table: dealing entering formats
        scoring/sheets: scoresheet
    """,
    "A game has types of its own, which nobody beside it knows, and its sheets come as JSON": """
        scoring/rules/table: table timeline variant
        scoring/rules/variants: __init__
        scoring/rules/variants/indian: __init__ checks simulation
        scoring/rules/variants/indian/deals: __init__ options
        scoring/rules/variants/indian/points: __init__
        scoring/rules/variants/indian/pool: __init__ options
        scoring/rules/variants/western: __init__ rum_form
        scoring/rules/variants/western/gin: __init__
        scoring/rules/variants/western/romme: __init__
        scoring/rules/variants/western/rummy500: __init__
        scoring/rules/variants/western/rummy_royal: __init__
    """,
    "JSON of facts, plans, formulas and sheets, before it is read": """
        tournaments: client_addresses
        tournaments/evenings/commands: create record
        tournaments/integrity: rebuild rebuild_readings rebuild_rows rebuild_tables
        tournaments/log: following open_log
        tournaments/projections: boards terms
        tournaments/rehearsal: __init__ demo night rounds
        tournaments/seasons/commands: __init__
        tournaments/seasons: nights
        tournaments/sheet_import: columns forms heading run
        tournaments/checker: judging reading
        tournaments/tables/queries: table_tokens
    """,
    "Arguments of a command, as Django passes them on": """
        tournaments/management: runs
        tournaments/management/commands: check_ledger export_books export_site rebuild simulate_night verify_log
    """,
    "Values of libraries and of columns, as they come": """
        tournaments/models: people public_names
        tournaments/people: access players
        tournaments/rendering/i18n: filters translating
        tournaments/rendering/pdf: lettering
    """,
    "What a template or a form of Django is handed, of whatever type it is": """
        tournaments/web/admin: books
        tournaments/web/admin/base: carried_typing command_fields command_forms edit_forms fields
            request scoping
        tournaments/web/admin/cash: forms night request
        tournaments/web/admin/entries: desk_pages draft_forms draft_pages entry_pages move_pages
        tournaments/web/admin/evenings: clock_pages cut_pages night_pages paper_pages plan_form plan_pages plan_texts
            prize_pages screen_pages tournament_form
        tournaments/web/admin/register: clubs home journal log_admin logins players season_form seasons tournaments
        tournaments/web/admin/sheets: comparing deal_forms sheet_entry
        tournaments/web/admin/tables: act_pages acts deal_pages official_pages confirmation_pages
            table_pages
        tournaments/web/public/base: answers exports search_engines
        tournaments/web/public/boards: sharing
        tournaments/web/public/evenings: house_rules schedules screen_pages screens
        tournaments/web/public/judge: games question
        tournaments/web/public/people: players ratings seasons
        tournaments/web/public/tables: sheets
    """,
    "JSON of the API, and what REST framework passes on": """
        tournaments/web/api: answers bodies clubs doors evening_shapes problems schema table_shapes tables
    """,
}


def listed() -> set[str]:
    """The paths of the list: a folder, and the modules in it."""
    found, folder = set(), ""
    for word in " ".join(MAY.values()).split():
        if word.endswith(":"):
            folder = word.removesuffix(":")
        else:
            found.add(f"{folder}/{word}.py")
    return found


def imports_any(path: Path) -> bool:
    names = (name.name for node in ast.walk(ast.parse(path.read_text())) if _is_of_typing(node) for name in node.names)
    return "Any" in names


def _is_of_typing(node: ast.AST) -> TypeGuard[ast.ImportFrom]:
    return isinstance(node, ast.ImportFrom) and node.module == "typing"


def test_any_is_imported_in_these_modules_and_in_no_other():
    files = (path for room in ("rummy_site", "scoring", "tournaments") for path in (ROOT / room).rglob("*.py"))
    found = {str(path.relative_to(ROOT)) for path in files if "migrations" not in path.parts and imports_any(path)}
    assert found - listed() == set(), "an object that is looked at, or a type of its own, says more than Any"
    assert listed() - found == set(), "needed no more"
