"""A visitor downloads a night's log and verifies it with its script: an intact log passes, and tampering is named.

Planted faults these catch: a column left out of what the script hashes, a seal or a tail that it does not check.
"""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.conf import settings
from django.db.models import F
from django.test import Client

from scoring.events import hashes
from scoring.events.wire import EntryPaid, PlayerEntered
from tests.builders.patience import PATIENCE
from tests.builders.public_tables import Seated, a_club, a_tournament, address, context, english, seat
from tournaments import log
from tournaments.boards import board
from tournaments.checker import ADDRESS
from tournaments.log import appending
from tournaments.log.seals import board_fingerprint_at
from tournaments.models import Player, Table, Tournament
from tournaments.running.commands.record import record_in_tournament
from tournaments.tables.commands import open_tables

pytestmark = pytest.mark.django_db

SCRIPT = Path(settings.STATICFILES_DIRS[0]) / ADDRESS
NOW = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
REASON = "Bo's cards were counted by Cy"
Lines = list[dict[str, Any]]
# Two on an idle machine; what goes through everything again for each line takes a minute and more.
PROCESSOR_SECONDS = 20


@pytest.fixture
def tournament() -> Tournament:
    """A night of two tables with a correction, half of it sealed, in a club where others play as well."""
    club = a_club()
    other = seat(a_tournament(club, name="Thursday"), "Eve", "Fay")
    tournament = a_tournament(club)
    first = seat(tournament).deal("show", 34, 12, "first_drop").deal(2, "show", "wrong_show", 20)
    other.deal("show", 40)
    log.seal_club(club.id, NOW)
    first.event(kind="deal_voided", deal=2, reason=REASON)
    second = seat(tournament, "Gita", "Hari").deal("show", 50)
    second.correct(1, "show", 60)
    log.seal_club(club.id, NOW)
    first.deal("show", 3, 4, 5)
    return tournament


def taken(client: Client, tournament: Tournament) -> str:
    return client.get(address(tournament, "log.jsonl")).content.decode()


@pytest.fixture
def verify(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Run the script on a text as a visitor does; its exit code and its output."""

    def run(text: str, *noted: str) -> tuple[int, str]:
        file = tmp_path / "night.jsonl"
        file.write_text(text, encoding="utf-8", newline="\n")
        command = [sys.executable, "-I", str(SCRIPT), str(file), *noted]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.stderr == ""
        return done.returncode, done.stdout

    return run


def lines_of(text: str) -> Lines:
    return [json.loads(line) for line in text.splitlines()]


def text_of(lines: Lines) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def forge(lines: Lines, said: str, instead: str) -> None:
    """Change the content of an event, and compute every hash of its table again."""
    streams = {line["stream"] for line in lines if said in line.get("body", "")}
    head = b""
    for line in lines:
        if line["line"] != "fact" or line["stream"] not in streams:
            continue
        line["body"] = line["body"].replace(said, instead)
        club, stream = lines[0]["club"].encode(), line["stream"].encode()
        fields = [
            *(line["recipe"].encode(), club, stream, str(line["version"]).encode(), line["kind"].encode()),
            *(line["schema"].encode(), bytes.fromhex(line["who"]), line["recorded_at"].encode()),
            *(line["occurred_at"].encode(), bytes.fromhex(line["note_digest"]), line["body"].encode()),
        ]
        previous = head or hashes.genesis(club, stream, b"table")
        head = hashes.event_hash(previous, line["position"], hashes.shown_digest(fields))
        line["hash"] = head.hex()


def place(lines: Lines, kind: str, which: int = 0) -> int:
    """The index of the line that is the `which` of its kind."""
    return [at for at, line in enumerate(lines) if line["line"] == kind][which]


def test_a_whole_night_is_whole_and_has_the_printed_fingerprints(client, tournament, verify):
    sheet = client.get(address(tournament, "r1/table-1/sheet.json")).json()["fingerprint"]
    earlier = board(tournament).fingerprint
    code, said = verify(taken(client, tournament), earlier, sheet, sheet.lower().replace("-", " - "))
    assert (code, "WHOLE" in said) == (0, True), said
    assert "table 1 of round 1: 2 deals, 0 corrected, 1 voided; seat 1 2 shown or out, 0 counted" in said
    assert "table 2 of round 1: 1 deals, 1 corrected, 0 voided" in said
    assert "1 events are not sealed yet" in said


@pytest.mark.slow
def test_the_fingerprint_of_an_earlier_board_still_holds_after_the_night_went_on(client, tournament, verify):
    noted = board(tournament).fingerprint
    seat(tournament, "Ina", "Jo").deal("show", 10)
    assert verify(taken(client, tournament), noted)[0] == 0


@pytest.mark.slow
def test_a_clubs_seals_are_checked_by_the_same_script(client, tournament, verify):
    text = client.get(f"/c/{tournament.club.slug}/seals.jsonl").content.decode()
    noted = log.club_fingerprint(tournament.club_id)
    assert verify(text, noted)[0] == 0
    lines = lines_of(text)
    lines[place(lines, "seal", 1)]["leaves"][0] = "00" * 32
    code, said = verify(text_of(lines), noted)
    assert (code, "give another root" in said) == (1, True), said


def test_nobody_is_named_in_what_is_taken_away(client, tournament):
    text = taken(client, tournament) + client.get(f"/c/{tournament.club.slug}/seals.jsonl").content.decode()
    names = list(Player.objects.values_list("name", flat=True))
    assert len(names) == 8
    assert [name for name in (*names, REASON, "user:1") if name in text] == []


def change(kind: str, which: int = 0, /, **fields: Any) -> Callable[[Lines], None]:
    return lambda lines: lines[place(lines, kind, which)].update(fields)


def swap(kind: str, first: int, second: int, field: str = "") -> Callable[[Lines], None]:
    """Two lines change places, or two fields of them."""

    def swapped(lines: Lines) -> None:
        one, two = place(lines, kind, first), place(lines, kind, second)
        if field:
            lines[one][field], lines[two][field] = lines[two][field], lines[one][field]
        else:
            lines[one], lines[two] = lines[two], lines[one]

    return swapped


def miscount(lines: Lines) -> None:
    shown = lines[place(lines, "board")]
    shown["seats"][0]["deals_won"] += 1
    shown["deals"] += 1


NO_FIT = ["position 5 ", "the hash does not fit"]
COLUMNS = ("kind", "schema", "recipe", "recorded_at", "occurred_at", "body")
OPENED = "but it was opened as table 1 of round 1"
TAMPERED: dict[str, tuple[Callable[[Lines], None], list[str]]] = {
    **{f"a changed {column}": (change("fact", 2, **{column: "changed"}), NO_FIT) for column in COLUMNS},
    "a changed who": (change("fact", 2, who="00" * 32), NO_FIT),
    "a changed hash": (change("fact", 2, hash="00" * 32), NO_FIT),
    "hashes made again": (
        lambda lines: forge(lines, '"count":34', '"count":43'),
        ["another event was sealed than the one in this file"],
    ),
    "swapped facts": (swap("fact", 2, 3), ["position 5 (line 9)", "lines were swapped"]),
    "a board that counts otherwise": (
        miscount,
        ["the board counts 3 deals, the events 2", "seat 1: the board counts 3 deals won, the events 2"],
    ),
    "swapped tables": (swap("table", 0, 1, "table"), [f"the file calls a table table 2 of round 1, {OPENED}"]),
    "another round": (change("table", round=2), [OPENED]),
    "another number": (change("table", table=7), [OPENED]),
    "the number of a table given up": (change("table", table=1001), [OPENED]),
    "another tournament": (change("log", tournament="ab" * 16), ["was opened in another tournament"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TAMPERED)
def test_whatever_was_changed_is_named(client, tournament, verify, name):
    """Planted fault: with the lines of tables trusted, swapped ones were reported as intact."""
    lines, (tamper, told) = lines_of(taken(client, tournament)), TAMPERED[name]
    tamper(lines)
    code, said = verify(text_of(lines))
    assert (code, [words for words in told if words not in said]) == (1, []), said
    assert name != "hashes made again" or "does not fit" not in said


@pytest.mark.slow
def test_who_forges_hashes_and_seals_is_found_by_a_noted_fingerprint_alone(client, tournament, verify):
    """The page says so: what was never noted, the owner of the log can rewrite."""
    noted = board(tournament).fingerprint
    lines = [line for line in lines_of(taken(client, tournament)) if line["line"] != "seal"]
    forge(lines, '"count":34', '"count":43')
    lines[-1] |= {"seals": 0, "lines": len(lines)}
    lines[0]["fingerprint"] = re.findall(r"the board at position \d+ has (\S+)\)", verify(text_of(lines), noted)[1])[0]
    assert verify(text_of(lines))[0] == 0
    code, said = verify(text_of(lines), noted)
    assert (code, f"nothing in this file has the fingerprint {noted}" in said) == (1, True), said


@pytest.mark.slow
def test_a_deleted_line_of_any_kind_is_named(client, tournament, verify):
    whole = lines_of(taken(client, tournament))
    for at, line in enumerate(whole):
        code, said = verify(text_of([*whole[:at], *whole[at + 1 :]]))
        assert code == (2 if line["line"] == "log" else 1), (line, said)
        if line["line"] == "fact" and line["version"] == 2:
            assert "version 2 must stand here; a line is missing" in said


@pytest.mark.slow
def test_a_cut_file_is_named_as_cut(client, tournament, verify):
    text = taken(client, tournament)
    code, said = verify("".join(text.splitlines(keepends=True)[:-3]))
    assert (code, "the last line of the file is missing: its end was cut off" in said) == (1, True), said
    code, said = verify(text[:-10])
    assert (code, "cannot be read: it was changed or cut" in said) == (1, True), said


@pytest.mark.slow
def test_a_night_that_was_cut_with_care_is_found_by_a_noted_fingerprint_alone(client, tournament, verify):
    """The owner of the log gives out another one: shorter, and consistent in itself."""
    text, noted = taken(client, tournament), board(tournament).fingerprint
    lines = lines_of(text)
    event = lines.pop(place(lines, "fact", -1))
    first = next(line for line in lines if line["line"] == "board" and line["stream"] == event["stream"])
    lines.remove(first)
    last = lines[place(lines, "fact", -1)]["position"]
    end = lines[-1]
    end["facts"], end["lines"] = end["facts"] - 1, end["lines"] - 2
    lines[0] |= {"position": last, "fingerprint": fingerprint_at(tournament, last)}
    assert verify(text_of(lines))[0] == 0
    code, said = verify(text_of(lines), noted)
    assert code == 1
    assert f"fingerprint {noted} that you noted: the log ends at position {last}, before {event['position']}" in said


@pytest.mark.slow
def test_another_history_is_found_by_a_noted_fingerprint(client, tournament, verify):
    code, said = verify(taken(client, tournament), "9-0000-0000-0000-0000")
    assert code == 1
    assert f"the board at position 9 has {fingerprint_at(tournament, 9)}" in said


def test_what_a_player_paid_is_shown_by_its_digest_alone(client, verify):
    tournament = a_tournament(a_club())
    player = Player.objects.create(club=tournament.club, name="Asha")
    for event in (PlayerEntered(player=str(player.id)), EntryPaid(player=str(player.id), amount_minor=12_345)):
        record_in_tournament(tournament.id, event, context=context())
    text = taken(client, tournament)
    assert "12345" not in text
    code, said = verify(text)
    assert (code, "1 events are shown by their digest alone" in said) == (0, True), said


@pytest.mark.slow
def test_a_night_from_before_this_recipe_is_checked_by_its_digests(client, verify, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr(appending, "RECIPE", 1)
        tournament = a_tournament(a_club())
        table: Seated = seat(tournament).deal("show", 34, 12, 5)
    table.deal("show", 1, 2, 3)
    code, said = verify(taken(client, tournament), board(tournament).fingerprint)
    assert (code, "not counted, because some of its events are not shown" in said) == (0, True), said


@pytest.mark.slow
def test_a_table_that_was_given_up_has_left_its_number(client, tournament, verify):
    gone = seat(tournament, "Ina", "Jo")
    gone.event(kind="table_cancelled", reason="nobody came")
    Table.objects.filter(id=gone.row.id).update(number=F("number") + 1000)
    code, said = verify(taken(client, tournament))
    assert (code, "table 1003 of round 1" in said) == (0, True), said


def test_a_night_of_the_release_before_is_whole_and_says_what_no_hash_holds(client, verify, monkeypatch):
    opening_of = open_tables._opening_of
    with monkeypatch.context() as earlier:
        plain = {"tournament": "", "round": 0, "table": 0}
        earlier.setattr(open_tables, "_opening_of", lambda *asked: msgspec.structs.replace(opening_of(*asked), **plain))
        tournament = a_tournament(a_club())
        seat(tournament).deal("show", 34, 12, 5)
    code, said = verify(taken(client, tournament))
    assert code == 0
    assert "1 tables are of an earlier release: no hash holds their number and round." in said


HEAD = '{"line": "log", "format": 1, "club": "' + "ab" * 16 + '", "tournament": "' + "cd" * 16 + '", "position": 0}\n'
HOSTILE = {
    "deep": "[" * 1_000_000,
    "deep in the head": HEAD.replace("0}", "[" * 100_000 + "0" + "]" * 100_000 + "}"),
    "a huge number": HEAD + '{"line": "fact", "position": ' + "9" * 1_000_000 + "}",
    "a huge position": HEAD + '{"line": "fact", "position": 9223372036854775808, "stream": "x", "version": 1}',
    "a fraction": HEAD + '{"line": "fact", "position": 1e400}',
    "no number": HEAD + '{"line": "fact", "position": NaN}',
    "a name twice": HEAD + '{"line": "end", "lines": 2, "lines": 3, "facts": 0, "seals": 0}',
    "half a character": HEAD + '{"line": "fact", "position": 1, "stream": "\\ud800", "version": 1, "hash": "00"}',
    "the wrong types": HEAD + '{"line": "fact", "position": [], "stream": {}, "version": null, "hash": 5}',
    "a list as a line": HEAD + "[]\n" * 50,
    "a table of nothing": HEAD + '{"line": "table", "stream": ["x"], "round": {}, "table": "\\u001b[2J"}',
    "a strange club": HEAD.replace("ab", "\\u202e"),
    "seals of nothing": '{"line": "seals", "format": 1, "club": "' + "ab" * 16 + '"}\n{"line": "seal", "leaves": 7}',
    "a seal that never ends": HEAD
    + '{"line": "seal", "from": 1, "to": 999999999999, "root": "", "previous": "", "hash": ""}',
    "empty lines": "\n" * 1_100_000,
    "rubbish": "x\n" * 5_000,
    "bytes that are no text": "\udcff\udcfe" * 1_000,
    "escapes": HEAD + '{"line": "\\u001b]0;owned\\u0007"}',
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_with_a_clear_line(tmp_path, name):
    """Planted faults: each of several ended in a traceback, or wrote its escapes to the terminal."""
    file = tmp_path / "night.jsonl"
    file.write_bytes(HOSTILE[name].encode(errors="surrogateescape"))
    done = run_script(file)
    assert done.returncode in (1, 2)
    assert done.stderr == b""
    *_, last = said = done.stdout.decode("ascii").splitlines()
    assert said[0].startswith("NOTHING CHECKED: ") if done.returncode == 2 else "DOES NOT MATCH" in done.stdout.decode()
    assert len(said) <= 25
    assert max(map(len, said)) <= 310
    assert all(sign.isprintable() for line in said for sign in line), last


@pytest.mark.slow
def test_a_file_without_an_end_is_left_after_its_bound():
    done = run_script(Path("/dev/zero"))
    assert (done.returncode, done.stderr) == (2, b"")
    assert b"longer than that of any night" in done.stdout


def test_a_file_that_is_none_is_said_to_be_none(tmp_path):
    """Planted fault: a pipe into which nobody writes was opened like any file, and waited for without an end."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "not there", tmp_path / "pipe"):
        done = run_script(path)
        assert (done.returncode, done.stdout.startswith(b"NOTHING CHECKED: "), done.stderr) == (2, True, b"")


def many_tables() -> str:
    """Each of them once, so that all are compared with all."""
    lines = ({"line": "table", "stream": f"{n:032x}", "round": 1, "table": n} for n in range(30_000))
    return HEAD + text_of(list(lines))


def many_boards() -> str:
    """All of one table, which has many events."""
    night = lines_of(long_night(events=10_000, seals=1))
    board = {"line": "board", "stream": night[1]["stream"], "version": 2_000, "deals": 0, "seats": []}
    return text_of([*night[:-1], *[board] * 2_500, night[-1]])


def many_seals() -> str:
    """Each of them claims to cover all that there is, and gives no leaf."""
    night = lines_of(long_night(events=50_000, seals=1))
    seal = night[-2] | {"leaves": []}
    return text_of([*night[:-2], *[seal] * 20_000, night[-1]])


@pytest.mark.slow
@pytest.mark.parametrize("make", [many_tables, many_boards, many_seals])
def test_a_file_that_repeats_itself_is_checked_in_the_time_of_its_size(tmp_path, make):
    """Planted faults: places of tables searched in a list; a table counted again for each board; the events under a
    seal gathered before its leaves are checked. Each took minutes, and hours with as many lines as are read."""
    file = tmp_path / "night.jsonl"
    file.write_text(make())
    done = run_script(file)
    assert (done.returncode, b"DOES NOT MATCH" in done.stdout, done.stderr) == (1, True, b"")


@pytest.mark.slow
def test_counts_that_cannot_be_made_are_a_fault_and_not_whole(client, tournament, verify):
    """The owner who gives the file out can compute every hash again."""
    lines = lines_of(taken(client, tournament))
    lines = [line for line in lines if line["line"] not in ("seal", "board")]
    forge(lines, '"count":34', '"count":"x"')
    lines[-1] |= {"seals": 0, "lines": len(lines)}
    noted = board(tournament).fingerprint
    lines[0]["fingerprint"] = re.findall(r"the board at position \d+ has (\S+)\)", verify(text_of(lines), noted)[1])[0]
    code, said = verify(text_of(lines))
    assert code == 1
    assert "is not what such a line must be" in said


@pytest.mark.slow
def test_twenty_thousand_events_under_three_thousand_seals_are_each_checked_once(tmp_path):
    """Planted fault: with every event checked for every seal it took a minute."""
    file = tmp_path / "night.jsonl"
    file.write_text(long_night(events=20_000, seals=3_000))
    done = run_script(file)
    assert (done.returncode, b"WHOLE" in done.stdout) == (0, True), done.stdout[-2000:]


def long_night(*, events: int, seals: int) -> str:
    """A night as a club would give it out: ten tables, each of them with its share of the events."""
    club, tournament = uuid4().hex, uuid4().hex
    streams = [uuid4().hex for _ in range(10)]
    heads = {stream: hashes.genesis(club.encode(), stream.encode(), b"table") for stream in streams}
    lines: Lines = [
        {"line": "table", "stream": stream, "round": 1, "table": number} for number, stream in enumerate(streams, 1)
    ]
    leaves = []
    for position in range(1, events + 1):
        stream = streams[position % 10]
        version = (position - 1) // 10 + 1
        opened = {"seats": [["1", "a"], ["2", "b"]], "tournament": tournament, "round": 1}
        body = {"deal": version, "sheet": {"outcomes": {"1": {"how": "show"}, "2": {"how": "loss", "count": 9}}}}
        kind = "deal_recorded" if version > 1 else "table_opened"
        said = json.dumps(body if version > 1 else {**opened, "table": streams.index(stream) + 1})
        fields: list[Any] = ["2", club, stream, str(version), kind, "1", b"\0" * 32, "now", "now", b"", said]
        content = hashes.shown_digest([one if isinstance(one, bytes) else one.encode() for one in fields])
        heads[stream] = hashes.event_hash(heads[stream], position, content)
        leaves.append(heads[stream])
        lines.append(
            {
                "line": "fact",
                "position": position,
                "stream": stream,
                "version": version,
                "recipe": "2",
                "kind": kind,
                "schema": "1",
                "who": "00" * 32,
                "recorded_at": "now",
                "occurred_at": "now",
                "note_digest": "",
                "body": said,
                "hash": heads[stream].hex(),
            }
        )
    lines += sealed(club, leaves, seals)
    board_hash = sha256(b"".join(bytes.fromhex(stream) + heads[stream] for stream in sorted(streams))).digest()
    head = {"line": "log", "format": 1, "club": club, "tournament": tournament, "position": events}
    head["fingerprint"] = f"{events}-{hashes.short_form(board_hash)}"
    end = {"line": "end", "lines": len(lines) + 2, "facts": events, "seals": seals}
    return text_of([head, *lines, end])


def sealed(club: str, leaves: list[bytes], count: int) -> Lines:
    """Seals over all of these, as even as possible."""
    bounds = [number * len(leaves) // count for number in range(count + 1)]
    previous, lines = bytes(32), []
    for start, end in pairwise(bounds):
        root = hashes.merkle_root(leaves[start:end])
        digest = hashes.seal_hash(club.encode(), (start + 1, end), root, previous, b"now")
        lines.append(
            {
                "line": "seal",
                "from": start + 1,
                "to": end,
                "root": root.hex(),
                "previous": previous.hex(),
                "sealed_at": "now",
                "hash": digest.hex(),
                "leaves": [leaf.hex() for leaf in leaves[start:end]],
            }
        )
        previous = digest
    return lines


def run_script(path: Path) -> subprocess.CompletedProcess[bytes]:
    """Run the script on an ASCII terminal; it is killed when it has used the processor for too long."""
    limited = f'ulimit -t {PROCESSOR_SECONDS} && exec "$@"'
    command = ["/bin/sh", "-c", limited, "sh", sys.executable, "-I", str(SCRIPT), str(path)]
    environment = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    return subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE, env=environment)


def test_what_is_no_log_and_no_fingerprint_is_said_to_be_none(verify):
    for text, *noted in (("",), ("no log\n",), ('{"line": "end"}\n',), ("{}\n",), ("[1]\n", "17-3F9A")):
        code, said = verify(text, *noted)
        assert (code, said.startswith("NOTHING CHECKED")) == (2, True), text


def test_the_script_runs_on_python_3_9_with_its_standard_library_alone():
    tree = ast.parse(SCRIPT.read_text(), feature_version=(3, 9))
    taken_in = {
        str(name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    plain = {"__future__", "argparse", "bisect", "collections", "hashlib", "json", "os", "struct", "sys", "typing"}
    assert taken_in <= plain


def test_board_and_sheet_lead_to_the_page_that_explains(client, tournament):
    link = f'href="{english(address(tournament, "proof/"))}"'
    for part in ("", "r1/table-1/"):
        assert link in client.get(address(tournament, part)).content.decode()
    text = client.get(address(tournament, "proof/")).content.decode()
    assert board(tournament).fingerprint in text
    assert address(tournament, "log.jsonl") in text
    assert "tournaments/verify.py" in text


def fingerprint_at(tournament: Tournament, position: int) -> str:
    return board_fingerprint_at(tournament.id, position)
