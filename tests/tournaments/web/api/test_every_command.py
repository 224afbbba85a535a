"""Every command that a page calls is an operation of the API too, or a line here says why not.

Both sides are read from the source: what the modules of the pages import from modules that write, and what the methods
of the API's views reach through functions of `tournaments.web.api`. An import that no operation uses does not count.

Planted faults these catch: a page with a command that no program can reach, an operation without its command, a reason
for a command that is gone or that has an operation by now.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.builders.api_operations import OPERATIONS

# Each event by its kind to its command: a part of the operation that records an event.
DISPATCH = Path("tournaments/entries/commands/given_events.py")
API, PAGES = Path("tournaments/web/api"), (Path("tournaments/web/admin"), Path("tournaments/web/public"))
# Modules that write, besides the packages named `commands`.
WRITING = {
    "tournaments.changing",
    "tournaments.integrity.leaving_out",
    "tournaments.boxes.arriving",
    "tournaments.boxes.keeping",
    "tournaments.merging",
    "tournaments.outbox.receivers",
    "tournaments.people.access",
    "tournaments.people.invitations",
    "tournaments.people.player_links",
    "tournaments.people.players",
    "tournaments.privacy",
}
# Functions of those modules that store nothing: what a page shows or asks before it calls a command.
READS = {
    "tournaments.changing": ("club_problems", "player_problems", "save_changed", "time_zones"),
    "tournaments.entries.commands.check_in": ("offered", "questions_at_desk"),
    "tournaments.entries.commands.enter": ("check_list", "check_names", "questions_of_list", "questions_of_places"),
    "tournaments.entries.commands.self_entry": ("may_send", "wish_problems"),
    "tournaments.entries.commands.lists": ("read_csv", "read_pasted"),
    "tournaments.entries.commands.seats": ("last_change", "may_undo_seats"),
    "tournaments.entries.commands.set_up": ("people_of",),
    "tournaments.entries.commands.substitutes": ("may_be_substituted", "substitution_stands"),
    "tournaments.boxes.keeping": ("boxes_of", "days_kept"),
    "tournaments.merging": ("merge_problems", "moving", "undo_problems"),
    "tournaments.outbox.receivers": (
        *("readable_address", "readable_secrets", "receiver_of", "receivers_of", "receivers_switched_off"),
    ),
    "tournaments.people.invitations": (
        *("invitation_by_code", "last_seen", "manages", "open_links", "owner_problems", "password_problems"),
        *("problems_of", "role_problems"),
    ),
    "tournaments.people.access": ("code_digest", "token_digest", "tokens_of_password", "working_tokens"),
    "tournaments.people.player_links": ("link_by_code", "may_be_mailed", "open_link", "working_link", "works"),
    "tournaments.people.players": (
        *("actor_names", "as_in_books", "likely_duplicates", "name_problems", "named", "next_table"),
        *("player_name_problems", "roster", "rows_of", "uuid_of", "without_mark"),
    ),
    "tournaments.privacy": (
        *("balance_problems", "history_of", "kept_until", "mentions_of", "name_kept_until", "what_is_known"),
    ),
    "tournaments.running.commands.bulk": ("looked_at", "refunds_any", "undoing_of"),
    "tournaments.running.commands.close": ("deleting_problems",),
    "tournaments.running.commands.create": (
        *("draft_problems", "fee_terms_of", "house_options", "in_currency_of", "plan_of_format", "whole_plan"),
    ),
    "tournaments.running.commands.record": ("tournament_state",),
    "tournaments.running.commands.settle": ("refunds",),
    "tournaments.seasons.commands": ("closing_problems", "games_no_longer_offered", "has_begun", "read_draft"),
    "tournaments.tables.commands.exchange": ("exchange_events", "exchange_problems"),
    "tournaments.tables.commands.record": (
        *("averaged_problems", "is_of_device", "is_official", "seat_of", "wants_official"),
    ),
}

# Commands without an operation of their own, each with the reason.
REASONS = {
    "create_tournament": "create_tournament_once, which is safe to send twice, is the operation",
    "note_card_use": "the API notes the use of a card's secret when it signs in with it",
    "note_device": "what a phone's own page reports about the deals that wait on that phone",
    "open_card": "a browser's own session at a table; a program sends the secret itself",
    "record_from_page": "record_at_table, which takes what a page sends and what a device sends, is the operation",
    "till_of": "write_cash_line opens a till",
    "take_or_give": "record_tournament_event records a payment at the version that was seen",
    "unbox": "a site administrator brings a club in by hand, with the code that its maker reads out",
    "leave_out": "an act of the installation, by hand and rare: a record that no version can read",
    **dict.fromkeys(
        ("take_role", "make_login", "choose_password"), "what the person does who was given a link, with its code"
    ),
    "set_up": "the first login of an installation, before anybody has a token",
    **dict.fromkeys(
        ("confirm_request", "withdraw_request"), "what the person does who entered, with the secret of the own page"
    ),
    **dict.fromkeys(
        ("say_notice", "cannot_come", "change_contact", "confirm_address"), "what a player does with the own link"
    ),
    **dict.fromkeys(("code_to_mail", "may_do_often", "note_use", "use_code"), "a player's own browser"),
    **dict.fromkeys(
        ("give_links", "end_link", "end_links", "give_code"), "shown once, to a player who stands at the desk"
    ),
    "dismiss_notice": "what a player said is on the check-in page alone; checking them in, an operation, answers it",
}


def names_used(node: ast.AST) -> set[str]:
    """The names of a definition, and the methods that it calls on itself; the words of its texts do not count."""
    names = set()
    for found in ast.walk(node):
        match found:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name):
                names.add(name)
    return names


def is_written_by(module: str) -> bool:
    return module in WRITING or "commands" in module.split(".")


def imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each function that a module imports from one that writes: under which name, and as `module.name`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and is_written_by(node.module):
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def trees(*folders: Path) -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text()) for folder in folders for path in sorted(folder.rglob("*.py"))}


def called_by_pages() -> set[str]:
    """The commands that the modules of the pages import and use."""
    found = set()
    for tree in trees(*PAGES).values():
        used = names_used(tree)
        found |= {command for name, command in imported(tree) if name in used and is_command(command)}
    return found


def is_command(name: str) -> bool:
    """Whether it is a function, in small letters, and stores something."""
    module, _, function = name.rpartition(".")
    return function == function.lower() and function not in READS.get(module, ())


def operations_of(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The methods that `describes` names as operations."""
    for node in (found for found in ast.walk(tree) if isinstance(found, ast.FunctionDef)):
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "describes":
                operation = decorator.args[0]
                assert isinstance(operation, ast.Constant), operation
                yield str(operation.value), node


def reached(start: ast.AST, defined: Mapping[str, ast.AST], bound: Mapping[str, str]) -> set[str]:
    """The commands that a method reaches: by its own names, and by those of the API's functions that it names."""
    commands, seen, todo = set(), set(), names_used(start)
    while todo:
        name = todo.pop()
        seen.add(name)
        if name in bound:
            commands.add(bound[name])
        if name in defined:
            todo |= names_used(defined[name]) - seen
    return commands


def called_by_operations() -> dict[str, set[str]]:
    """The commands of each operation."""
    modules = trees(API) | {DISPATCH: ast.parse(DISPATCH.read_text())}
    bound = {name: command for tree in modules.values() for name, command in imported(tree)}
    defined: dict[str, ast.AST] = {}
    for tree in modules.values():
        for node in tree.body:
            match node:
                case ast.FunctionDef() | ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(target=ast.Name()):
                    defined[name_of(node)] = node
                case ast.ClassDef():
                    # A method that is an operation is reached by its address alone.
                    own = [method for method in node.body if isinstance(method, ast.FunctionDef)]
                    defined |= {method.name: method for method in own if method.name not in ("get", "post")}
    return {name: reached(method, defined, bound) for tree in modules.values() for name, method in operations_of(tree)}


def name_of(node: ast.FunctionDef | ast.Assign | ast.AnnAssign) -> str:
    if isinstance(node, ast.FunctionDef):
        return node.name
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    assert isinstance(target, ast.Name)
    return target.id


def test_each_command_of_a_page_has_an_operation_or_a_reason():
    reachable = set().union(*called_by_operations().values())
    without = {name.rpartition(".")[2] for name in called_by_pages() - reachable}
    assert without == set(REASONS), {"no operation": without - set(REASONS), "idle reason": set(REASONS) - without}


def test_the_operations_are_those_of_the_description():
    assert set(called_by_operations()) == set(OPERATIONS)


def test_what_is_listed_as_reading_is_there():
    """A name here that is gone would hide a command of that name later."""
    for module, names in READS.items():
        path = Path(module.replace(".", "/"))
        tree = ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text())
        assert set(names) <= {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, module
