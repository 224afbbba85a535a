"""The checks on a log: each check, its error message, and the final report.

The last part of the script that `tournaments.checker` joins.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from typing import Any

from scoring.events.hashes import event_hash, genesis, merkle_root, seal_hash, short_form, shown_digest
from tournaments.checker.reading import (
    BROKEN,
    LogFile,
    Unusable,
    fingerprint_of,
    is_id,
    parsed,
    print_line,
    read,
)

WHOLE, DIFFERENT, UNUSABLE = 0, 1, 2
MOST_SHOWN, FIRST_LEFT = 20, 1_000
ZERO = bytes(32)
WINS, DROPS = ("show", "last_standing"), ("first_drop", "middle_drop")
SHOWN = ("recipe", "club", "stream", "version", "kind", "schema", "who", "recorded_at", "occurred_at", "note_digest")


def main(words: list[str] | None = None) -> int:
    """Check the file that is named; ends with 0, 1 or 2."""
    parser = argparse.ArgumentParser(description="Checks the log of a rummy night.")
    parser.add_argument("file", help="the log that you downloaded, such as night.jsonl")
    parser.add_argument("noted", nargs="*", help="fingerprints from paper, such as 17-3F9A-11C0-77AB-02DE")
    arguments = parser.parse_args(words)
    try:
        noted = [fingerprint_of(text) for text in arguments.noted]
        log_file = read(arguments.file)
        faults = [*check(log_file), *(fault for fingerprint in noted for fault in check_noted(log_file, *fingerprint))]
        return _report(log_file, faults, [f"{number}-{short_form(prefix)}" for number, prefix in noted])
    except (Unusable, MemoryError, RecursionError) as error:
        print_line(
            f"NOTHING CHECKED: {error if isinstance(error, Unusable) else 'the file is too large for this computer'}"
        )
        return UNUSABLE


def check(log_file: LogFile) -> list[str]:
    """Everything that does not match, in plain text."""
    for number, line in log_file.of("table"):
        _name_table(log_file, number, line)
    _check_events(log_file)
    log_file.positions = sorted(log_file.hashes)
    for stream in log_file.places:
        _guarded(log_file, 0, {}, _check_place, stream)
    for number, line in log_file.of("seal"):
        _guarded(log_file, number, line, _check_seal)
    if log_file.head["line"] == "log":
        _check_head(log_file)
        for number, line in log_file.of("board"):
            _guarded(log_file, number, line, _check_board)
    _check_end(log_file)
    return log_file.faults


def _name_table(log_file: LogFile, number: int, line: dict[str, Any]) -> None:
    stream: Any = line.get("stream")
    place: Any = (line.get("round"), line.get("table"))
    name = f"table {place[1]} of round {place[0]}"
    if not is_id(stream) or stream in log_file.tables or any(type(part) is not int for part in place):
        log_file.faults.append(f"line {number}: {name} is named twice, or without a number of its own")
        return
    if place in log_file.taken:
        log_file.faults.append(f"line {number}: there are two tables that are {name}")
    log_file.taken.add(place)
    log_file.tables[stream], log_file.places[stream] = name, place


def _check_place(log_file: LogFile, number: int, line: dict[str, Any], stream: str) -> None:
    """A table has the number that it was opened with. A cancelled one has freed its number, and has a higher one."""
    events = log_file.events.get(stream, [])
    opened = parsed(events[0]["body"]) if events and events[0].get("kind") == "table_opened" else {}
    if "table" not in opened:
        log_file.unplaced += bool(events)
        return
    place, claimed = log_file.places[stream], (opened["round"], opened["table"])
    is_left = place[1] - claimed[1] >= FIRST_LEFT and any(event.get("kind") == "table_cancelled" for event in events)
    if place[0] != claimed[0] or (place[1] != claimed[1] and not is_left):
        where = f"position {events[0]['position']}: the file calls a table {log_file.tables[stream]}"
        log_file.faults.append(f"{where}, but it was opened as table {claimed[1]} of round {claimed[0]}")
    if opened["tournament"].replace("-", "") != log_file.head.get("tournament"):
        log_file.faults.append(
            f"position {events[0]['position']}: {log_file.tables[stream]} was opened in another tournament"
        )


def check_noted(log_file: LogFile, number: int, prefix: bytes) -> list[str]:
    """Messages about a fingerprint noted on paper: none if the log contains it."""
    if any(
        event["version"] == number and event["is"][:8] == prefix
        for events in log_file.events.values()
        for event in events
    ):
        return []
    if any(seal["to"] == number and seal["is"][:8] == prefix for seal in log_file.seals):
        return []
    board = board_at(log_file, number)
    if board[:8] == prefix:
        return []
    fault = f"nothing in this file has the fingerprint {number}-{short_form(prefix)} that you noted: "
    if number > log_file.last:
        return [
            f"{fault}the log ends at position {log_file.last}, before {number}; its end was cut off or history changed"
        ]
    instead = f" (the board at position {number} has {number}-{short_form(board)})" if board else ""
    return [f"{fault}history up to {number} was changed after you noted it, or it is of another night{instead}"]


def board_at(log_file: LogFile, position: int) -> bytes:
    """The digest of the board at a position: over the last event of each table up to there. Empty without one."""
    content = b""
    for stream in sorted(log_file.tables):
        lasts = [event["is"] for event in log_file.events.get(stream, []) if event["position"] <= position]
        content += bytes.fromhex(stream) + lasts[-1] if lasts else b""
    return hashlib.sha256(content).digest() if content else b""


def _check_events(log_file: LogFile) -> None:
    """Each stream has no gap, and each event has the hash that follows from it and from the one before."""
    before = 0
    for number, line in log_file.of("fact"):
        before = max(before, _guarded(log_file, number, line, _check_event, before) or 0)
    for stream, name in log_file.tables.items():
        if stream not in log_file.events:
            log_file.faults.append(f"{name} has no event: its lines are missing")


def _check_event(log_file: LogFile, number: int, line: dict[str, Any], before: int) -> int:
    """Accept one event, or report what is wrong with it; returns its position."""
    position: int = line["position"]
    stream, version = line["stream"], line["version"]
    where = f"position {position:d} (line {number}), version {version:d} of {log_file.name(stream)}"
    if stream not in log_file.tables and stream != log_file.head.get("tournament"):
        log_file.faults.append(f"{where}: the event belongs to a table that the file does not name")
        return position
    if position <= before:
        log_file.faults.append(f"{where}: it stands behind position {before}; lines were swapped or repeated")
    stream_events = log_file.events.setdefault(stream, [])
    follows = stream_events[-1]["version"] + 1 if stream_events else 1
    digest = bytes.fromhex(line["hash"])
    if version != follows:
        log_file.faults.append(f"{where}: version {follows} must stand here; a line is missing, or lines were swapped")
    else:
        kind = b"table" if stream in log_file.tables else b"tournament"
        club = log_file.head["club"].encode()
        previous = stream_events[-1]["is"] if stream_events else genesis(club, stream.encode(), kind)
        if event_hash(previous, position, _content(log_file, line)) != digest:
            log_file.faults.append(f"{where}: the hash does not fit; this event, or the one before it, was changed")
    if "content" in line:
        log_file.hidden[stream] += 1
    stream_events.append({**line, "is": digest})
    log_file.hashes[position] = digest
    return position


def _content(log_file: LogFile, line: dict[str, Any]) -> bytes:
    """The digest of an event's content: computed from it, or as given if the event is not shown."""
    if "content" in line:
        return bytes.fromhex(line["content"])
    values = {**line, "club": log_file.head["club"], "version": str(line["version"])}
    fields = [values[name].encode() for name in SHOWN]
    fields[6], fields[9] = bytes.fromhex(line["who"]), bytes.fromhex(line["note_digest"])
    fields.append(line["body"].encode())
    return shown_digest(fields)


def _check_seal(log_file: LogFile, number: int, line: dict[str, Any]) -> None:
    start, end, root = line["from"], line["to"], bytes.fromhex(line["root"])
    before: dict[str, Any] = log_file.seals[-1] if log_file.seals else {"to": 0, "is": ZERO}
    where = f"the seal over positions {start:d} to {end:d} (line {number})"
    previous, digest = bytes.fromhex(line["previous"]), bytes.fromhex(line["hash"])
    if start != before["to"] + 1 or previous != before["is"]:
        log_file.faults.append(f"{where} does not follow the seal before it: one is missing or was changed")
    club, sealed_at = log_file.head["club"].encode(), line["sealed_at"].encode()
    if seal_hash(club, (start, end), root, previous, sealed_at) != digest:
        log_file.faults.append(f"{where} was changed")
    log_file.seals.append({"to": end, "is": digest})
    leaves = [bytes.fromhex(leaf) for leaf in line.get("leaves", [])]
    first, after = bisect_left(log_file.positions, start), bisect_right(log_file.positions, end)
    if (first < after or leaves) and (len(leaves) != end - start + 1 or merkle_root(leaves) != root):
        log_file.faults.append(f"{where}: the hashes under it give another root")
        return
    # Checked only here: otherwise many seals without leaves could each claim to cover every event.
    own = log_file.positions[first:after]
    strange = [position for position in own if leaves[position - start] != log_file.hashes[position]]
    if strange:
        log_file.faults.append(f"{where}: at position {strange[0]} another event was sealed than the one in this file")


def _check_head(log_file: LogFile) -> None:
    """The head of the file names the last position of the log, and the fingerprint of the board there."""
    position = log_file.head.get("position")
    if position != log_file.last:
        fault = (
            f"the head says that the log ends at position {position}, but its last event is at position {log_file.last}"
        )
        log_file.faults.append(f"{fault}: lines are missing")
        return
    board = board_at(log_file, log_file.last)
    if log_file.head.get("fingerprint") != (f"{log_file.last}-{short_form(board)}" if board else ""):
        log_file.faults.append("the fingerprint in the head of the file is not that of its tables: a table is missing")


def _check_end(log_file: LogFile) -> None:
    """A whole file ends with a line that says how many events, seals and lines it has."""
    ends = log_file.of("end")
    if not ends or log_file.lines[-1] != ends[-1]:
        log_file.faults.append("the last line of the file is missing: its end was cut off")
        return
    there_are = {"facts": len(log_file.of("fact")), "seals": len(log_file.of("seal")), "lines": log_file.read}
    for kind, there in there_are.items():
        if ends[-1][1].get(kind) != there:
            log_file.faults.append(f"the file says that it has {ends[-1][1].get(kind)} {kind}, and it has {there}")


def _check_board(log_file: LogFile, number: int, line: dict[str, Any]) -> None:
    """What the club's board counts at a table matches its events."""
    stream = line["stream"]
    if stream in log_file.boards:
        raise ValueError("the board of this table stands in the file twice")
    log_file.boards.add(stream)
    if log_file.hidden[stream] or stream not in log_file.events:
        return
    counted = recount(log_file, stream, line["version"])
    name = f"{log_file.name(stream)}, board at version {line['version']:d}"
    if counted["deals"] != line["deals"]:
        log_file.faults.append(f"{name}: the board counts {line['deals']} deals, the events {counted['deals']}")
    for seat in line["seats"]:
        label = str(seat["seat"])
        if counted["players"].get(label) != seat["player"]:
            log_file.faults.append(f"{name}: at seat {label} the board has another player than the first event")
        for title, key in (("deals won", "deals_won"), ("wrong shows", "wrong_shows"), ("drops", "drops")):
            if counted["is_plain"] and counted[key][label] != seat[key]:
                difference = f"the board counts {seat[key]} {title}, the events {counted[key][label]}"
                log_file.faults.append(f"{name}, seat {label}: {difference}")


def recount(log_file: LogFile, stream: str, version: int) -> dict[str, Any]:
    """Count a table's events without knowing any rule: deals that count, who showed, counts, corrections.

    `is_plain` if every deal is one of Indian rummy that was played out: then a show is a deal won.
    """
    sheets: dict[int, dict[str, Any]] = {}
    tally: dict[str, Any] = {"players": {}, "corrected": set(), "voided": set()}
    for event in log_file.events[stream]:
        if event["version"] > version or "body" not in event:
            continue
        body = parsed(event["body"])
        if event["kind"] == "table_opened":
            tally["players"] = dict(body["seats"])
        elif event["kind"] in ("deal_recorded", "deal_corrected"):
            sheets[body["deal"]] = body["sheet"]
            tally["voided"].discard(body["deal"])
        elif event["kind"] == "deal_voided":
            sheets.pop(body["deal"], None)
            tally["voided"].add(body["deal"])
        if event["kind"] == "deal_corrected":
            tally["corrected"].add(body["deal"])
    return {**tally, "deals": len(sheets), **_counted(list(sheets.values()))}


def _counted(sheets: list[dict[str, Any]]) -> dict[str, Any]:
    """The counts of the sheets, seat by seat."""
    won: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    points: Counter[str] = Counter()
    for sheet in sheets:
        points.update(sheet.get("counts") or {})
        won.update([sheet["out"]] if sheet.get("out") else [])
        for seat, outcome in sheet.get("outcomes", {}).items():
            won[seat] += outcome["how"] in WINS
            wrong[seat] += outcome["how"] == "wrong_show"
            dropped[seat] += outcome["how"] in DROPS
            points[seat] += outcome.get("count") or 0
    is_plain = all("outcomes" in sheet and sheet.get("ended", "played_out") == "played_out" for sheet in sheets)
    return {"deals_won": won, "wrong_shows": wrong, "drops": dropped, "counts": points, "is_plain": is_plain}


def _guarded(log_file: LogFile, number: int, line: dict[str, Any], look: Any, *more: Any) -> Any:
    """Check a line; one without the expected fields or types is reported as a fault."""
    try:
        return look(log_file, number, line, *more)
    except BROKEN as error:
        at = f" at position {line['position']}" if "position" in line else ""
        where = f"line {number}{at}" if number else str(log_file.tables.get(more[0], "a table"))
        log_file.faults.append(f"{where} is not what such a line must be ({type(error).__name__}: {error})")
        return None


def _report(log_file: LogFile, faults: list[str], noted: list[str]) -> int:
    """Print the result; returns the exit code."""
    named, before = sorted(log_file.tables.items(), key=lambda item: item[1]), len(log_file.faults)
    summaries = [_guarded(log_file, 0, {}, _table_summary, *table) for table in named] if not faults else []
    faults = [*faults, *log_file.faults[before:]]
    for line in summaries:
        print_line(str(line or ""))
    events = sum(map(len, log_file.events.values()))
    print_line(f"{events} events of {len(log_file.tables)} tables, {len(log_file.seals)} seals.")
    if sum(log_file.hidden.values()):
        print_line(
            f"{sum(log_file.hidden.values())} events are shown by their digest alone: what they say was not checked."
        )
    if log_file.unplaced:
        print_line(f"{log_file.unplaced} tables are of an earlier release: no hash holds their number and round.")
    late = sum(position > log_file.seals[-1]["to"] for position in log_file.hashes) if log_file.seals else events
    if late:
        print_line(f"{late} events are not sealed yet: only a fingerprint that somebody noted holds them.")
    if faults:
        print_line(f"DOES NOT MATCH: {len(faults)} thing{'s' if len(faults) > 1 else ''}.")
        for fault in faults[:MOST_SHOWN]:
            print_line(f"- {fault}")
        return DIFFERENT
    print_line("WHOLE: every hash, every seal and every count that needs no rules is as it should be.")
    print_line(f"It has what you noted: {', '.join(noted)}." if noted else "You gave no fingerprint to compare with.")
    return WHOLE


def _table_summary(log_file: LogFile, number: int, line: dict[str, Any], stream: str, name: str) -> str:
    """One table's counts in a line."""
    if log_file.hidden[stream]:
        return f"{name}: not counted, because some of its events are not shown."
    counted = recount(log_file, stream, log_file.events[stream][-1]["version"])
    seats = [
        f"seat {seat} {counted['deals_won'][seat]} shown or out, {counted['counts'][seat]} counted"
        for seat in sorted(counted["players"])
    ]
    changes = f"{len(counted['corrected'])} corrected, {len(counted['voided'])} voided"
    return f"{name}: {counted['deals']} deals, {changes}; {'; '.join(seats)}."


if __name__ == "__main__":
    sys.exit(main())
