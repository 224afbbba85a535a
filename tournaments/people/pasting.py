"""Parses lines of names pasted from chats, mails and spreadsheets, and reports what was ignored.

Rules: docs/how-to/evening.md, "Enter players". Numbers of a list, bullets, ticks, quotes, telephone numbers, addresses
and amounts are not part of a name; each is kept, so that a page can show what was ignored. Pure: knows nothing of who
is in the club, nor of what a word after a name means.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.messages import words
from tournaments.models.public_names import ADDRESS, PHONE


class SkipReason(StrEnum):
    """Why a piece of a line is not part of a name."""

    PLACE = words("number in the list")
    SIGN = words("sign")
    UNSEEN = words("invisible sign")
    ADDRESS = words("e-mail or other address")
    PHONE = words("phone number")
    AMOUNT = words("amount")
    LINK = words("link")
    COLUMN = words("other column")
    HEADING = words("heading")
    ENTRY = words("only for a tournament")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A piece of a line that was ignored, and why."""

    text: str
    why: SkipReason


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedLine:
    """One line under its visible line number. Without a name it holds no player.

    `marks` are the words after semicolons, and known words after a comma or in a column.
    """

    number: int
    name: str = ""
    marks: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


CURRENCY = r"(?:[$€£¥₹₨৳₦₽₺฿]|(?:Rs|INR|EUR|USD|GBP|CHF|PKR|LKR|NPR|BDT|AED|euros?|rupees|रु|रुपये)\b\.?)"
COUNT = r"\d[\d.,]*"
CALLED = r"\b(?:tel|phone|mobile|mob|handy|cell|ph)\b[.:\s]*"
PIECES = (
    (SkipReason.LINK, re.compile(r"(?:https?://|www\.|wa\.me/|tel:)\S+", re.IGNORECASE)),
    (SkipReason.ADDRESS, re.compile(rf"<?{ADDRESS.pattern}>?", re.IGNORECASE)),
    (
        SkipReason.AMOUNT,
        re.compile(
            rf"(?<!\w){CURRENCY}\s?{COUNT}(?:\s?/-)?|(?<![\w.,]){COUNT}\s?(?:/-|{CURRENCY})"
            r"|(?<![\w.,])\d[\d.]*,[-–—]+(?!\w)",
            re.IGNORECASE,
        ),
    ),
    (SkipReason.PHONE, re.compile(rf"(?:{CALLED})?{PHONE.pattern}|{CALLED}\d[\d\s-]{{2,}}", re.IGNORECASE)),
)
# A place in a list: `1.`, `2)`, `(3)`, `#4`, `5 -`, `No. 6:`, a boxed or circled number; never before another digit.
PLACE = re.compile(
    r"(?:\b(?:no|nr)\b\.?\s?\d{1,4}[.):]?|[*_~]{1,2}\d{1,4}[.):]?[*_~]{1,2}|#\s?\d{1,4}[.):]?|[(\[]\d{1,4}[)\]]|\d{1,4}\s*[.):\]]+|\d{1,4}\s?[-–—](?=\s)"
    "|\\d{1,3}\ufe0f?\u20e3|[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793])(?!\\s*\\d)",
    re.IGNORECASE,
)
# A number followed only by a blank is a list number only where the list counts up around it.
BARE_PLACE = re.compile(r"\s*(\d{1,4})\s+(?=[^\W\d])")
ANY_PLACE = re.compile(r"[\W_]{0,4}(\d{1,4})(?!\d)")
# A number after a name is an amount where other lines end in the same one, or next to a tick or a known word.
BARE_AMOUNT = re.compile(r"\d{2,6}")
TOTAL = re.compile(r"(?:total|sum|summe|gesamt|players|spieler|कुल)\W*\d+\W*", re.IGNORECASE)
# Words that are never a name, with any separator between them and the name.
CLEAR_MARKS = frozenset(["paid", "unpaid", "pd", "standby", "bezahlt", "unbezahlt", "warteliste"])
BULLET = re.compile(r"(?:[-–—*•◦‣·▪▫●○■□►▶➤➜→➔>~]|@(?=\w)|\+(?=\s))+|\[[ xX✓✔]?\]")
# Signs that people use to mark a name in a list, and their colours; other pictures may belong to a name.
TICKS = "✅✔☑✓☐☒❌❎✖✗✘❗❓➕🆗👍👎👌🙏🙋🙌💪🔴🟢🟡⭕💰💵💸📞📱📧✉"
COLOURS = "\ufe0f\ufe0e\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
TICK = re.compile(rf"[{TICKS}][{COLOURS}]*")
STARTS = ((SkipReason.SIGN, TICK), (SkipReason.PLACE, PLACE), (SkipReason.SIGN, BULLET))
MOST_STARTS = 6
# Words and numbers that are recognised after a name.
MOST_PARTS = 10
# Never a full stop, a bracket or an equals sign: `Asha R.` and `Asha (new)` are names.
ENDS = ",;:|/\\*_~!–—-\"“”„‟«»‹›‘’‚`´'"
EMPTY_BRACKETS = re.compile(r"\(\s*\)|\[\s*\]|<\s*>|\{\s*\}")
LAST_PART = re.compile(r"(.*)(?:,|\s[-–—:|=]\s)\s*([^,]*)")
IN_BRACKETS = re.compile(r"(.*\S)\s*[(\[]([^()\[\]]+)[)\]]")
AMOUNT_IN_BRACKETS = (3, 5, 6)
NUMBER_ALONE = re.compile(r"\d[\d\s.,/]*")
# Signs within a first or last name: `O'Brien`, `Ann-Marie`, `R.`, `de Souza`.
NAME_SIGNS = "'’‘ʼ`´.- "
# These join letters of their own scripts; between Latin letters they only make a look-alike of a name.
JOINERS = "\u200c\u200d"
HEADINGS = frozenset(
    [
        "name",
        "names",
        "player",
        "players",
        "spieler",
        "teilnehmer",
        "teilnehmende",
        "participants",
        "entries",
        "नाम",
        "खिलाड़ी",
    ]
)


def pasted_lines(text: str, marks: Collection[str] = ()) -> list[PastedLine]:
    """Every line that holds something, in order. `marks` are lower-case words that are never a name."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    places = {int(first[1]) for _, line in lines if (first := ANY_PLACE.match(line))}
    whole = _whole_names([line for _, line in lines if "\t" in line], marks)
    parsed_lines = [_line(number, line, marks, places, is_whole=whole) for number, line in lines]
    ends = Counter(_last_word(line.name)[1] for line in parsed_lines)
    without = [_without_amount(line, ends) for line in parsed_lines]
    # `Player 100; paid` and `Player 101; paid` are two players.
    is_distinct = len({line.name for line in without}) == len({line.name for line in parsed_lines})
    return without if is_distinct else parsed_lines


def cleaned_name(text: str) -> tuple[str, tuple[LeftOut, ...]]:
    """Return a name without what is not part of it, and what was removed."""
    left_out: list[LeftOut] = []
    rest = _without_starts(_without_unseen(text, left_out).strip(), left_out)
    before = len(left_out)
    rest = _without(TICK, SkipReason.SIGN, _without_pieces(rest, left_out), left_out)
    if len(left_out) > before:
        rest = EMPTY_BRACKETS.sub(" ", rest)
    return " ".join(_without_ends(rest).split()), tuple(left_out)


def _whole_names(lines: Sequence[str], marks: Collection[str]) -> bool:
    """Whether first and last names are in two columns: the first column alone repeats a name, both together do not."""
    cells = [[cell.strip() for cell in line.split("\t") if cell.strip(" \t0123456789.")] for line in lines]
    pairs = [(row[0], row[1]) for row in cells if len(row) > 1 and all(map(_is_half, row[:2]))]
    firsts = {first.casefold() for first, _ in pairs}
    is_other = any(" " in first or last.casefold() in marks for first, last in pairs)
    return not is_other and 1 < len(pairs) == len(lines) and len(firsts) < len(pairs) == len(set(pairs))


def _is_half(cell: str) -> bool:
    """Whether a cell can be a first or a last name: letters, their marks, and signs within names."""
    is_plain = all(sign in NAME_SIGNS or unicodedata.category(sign)[0] in "LM" for sign in cell)
    return is_plain and any(map(str.isalpha, cell))


def _without_amount(line: PastedLine, ends: Mapping[str, int]) -> PastedLine:
    """Remove an amount as in `Asha Rao 500`, where other lines end so too or this one has a tick or `paid`."""
    name, end = _last_word(line.name)
    is_ticked = bool(line.marks) or any(
        piece.why is SkipReason.SIGN and TICK.match(piece.text) for piece in line.left_out
    )
    if not name or not BARE_AMOUNT.fullmatch(end) or not (is_ticked or ends[end] > 1):
        return line
    return replace(line, name=_without_ends(name), left_out=(*line.left_out, LeftOut(end, SkipReason.AMOUNT)))


def _last_word(text: str) -> tuple[str, str]:
    """Split off the last word; a single word has nothing before it."""
    first, *rest = text.rsplit(None, 1)[:2] or [""]
    return (first, rest[0]) if rest else ("", text)


def _line(number: int, line: str, marks: Collection[str], places: Collection[int], *, is_whole: bool) -> PastedLine:
    if heading := _heading(line):
        return PastedLine(number=number, left_out=(LeftOut(heading, SkipReason.HEADING),))
    left_out: list[LeftOut] = []
    line = _without_bare_place(line, places, left_out)
    if "\t" in line:
        name, line_marks = _of_columns(_cells(line, is_whole=is_whole), marks, left_out)
    else:
        first, *cells = line.split(";")
        name, line_marks = _of_parts(_taken(cleaned_name(first), left_out), marks, left_out)
        line_marks += [_mark(cell, left_out) for cell in cells]
    return PastedLine(number=number, name=name, marks=tuple(line_marks), left_out=tuple(left_out))


def _heading(line: str) -> str:
    """Return the heading of a list or of its only column, as `Players:`, or its total; empty for any other line."""
    bare = _without_ends(line)
    if TOTAL.fullmatch(bare):
        return bare
    is_heading = line.rstrip(" \t*_~").endswith(":") or bare.casefold() in HEADINGS
    return bare if is_heading and ";" not in line else ""


def _without_bare_place(line: str, places: Collection[int], left: list[LeftOut]) -> str:
    match = BARE_PLACE.match(line)
    if match is None or not {int(match[1]) - 1, int(match[1]) + 1} & set(places):
        return line
    left.append(LeftOut(match[1], SkipReason.PLACE))
    return line[match.end() :]


def _cells(line: str, *, is_whole: bool) -> list[str]:
    """Split a line into cells, first and last name as one."""
    cells = line.split("\t")
    named = [place for place, cell in enumerate(cells) if _is_half(cell.strip())][:2] if is_whole else []
    if len(named) < 2:
        return cells
    first, last = named
    return [
        *cells[:first],
        f"{cells[first].strip()} {cells[last].strip()}",
        *cells[first + 1 : last],
        *cells[last + 1 :],
    ]


def _of_columns(cells: list[str], marks: Collection[str], left: list[LeftOut]) -> tuple[str, list[str]]:
    """Take the first cell that can be a name; known words in the others are marks, the rest is ignored."""
    name, line_marks = "", []
    for cell in cells:
        text = _taken(cleaned_name(cell), left)
        if text.casefold() in marks:
            line_marks.append(text)
        elif name or NUMBER_ALONE.fullmatch(text):
            left += [LeftOut(text, SkipReason.COLUMN)] if text else []
        else:
            name, more = _of_parts(text, marks, left)
            line_marks += more
    return name, line_marks


def _of_parts(text: str, marks: Collection[str], left: list[LeftOut]) -> tuple[str, list[str]]:
    """Split `Asha, paid` and `Asha - 500` into parts: known words and numbers at the end are not part of the name."""
    line_marks: list[str] = []
    for _ in range(MOST_PARTS):
        name, word = _last_word(text)
        part_match = IN_BRACKETS.fullmatch(text) or LAST_PART.fullmatch(text)
        if name and word.casefold() in CLEAR_MARKS & set(marks):
            line_marks.insert(0, word)
            text = _without_ends(name)
            continue
        if part_match is None:
            break
        tail = part_match[2].strip()
        mark_word, _, amount = tail.partition(" ")
        if tail.casefold() in marks:
            line_marks.insert(0, tail)
        elif mark_word.casefold() in marks and NUMBER_ALONE.fullmatch(amount):
            line_marks.insert(0, mark_word)
            left.append(LeftOut(amount, SkipReason.AMOUNT))
        elif NUMBER_ALONE.fullmatch(tail) and _is_amount(part_match, tail):
            left.append(LeftOut(tail, SkipReason.AMOUNT))
        else:
            break
        text = _without_ends(part_match[1])
    return text, line_marks


def _is_amount(found: re.Match[str], tail: str) -> bool:
    """Whether it is a number apart from the name; in brackets, a count, a year or digits of an id are not amounts."""
    return found.re is LAST_PART or len(tail) in AMOUNT_IN_BRACKETS


def _mark(cell: str, left: list[LeftOut]) -> str:
    """Return a word after a semicolon, without numbers and addresses. It is never a name."""
    text = _without_ends(_without_pieces(_without_unseen(cell, left), left)).strip()
    if len(text) > 1 and NUMBER_ALONE.fullmatch(text):
        left.append(LeftOut(text, SkipReason.AMOUNT))
        return ""
    return text


def _taken(found: tuple[str, tuple[LeftOut, ...]], left: list[LeftOut]) -> str:
    left += found[1]
    return found[0]


def _without_unseen(text: str, left: list[LeftOut]) -> str:
    """Remove direction marks and other zero-width characters, but keep the joiners of Indian scripts."""
    around = zip(" " + text, text, text[1:] + " ", strict=False)
    kept_signs = [sign for before, sign, after in around if _is_kept(before, sign, after)]
    if len(kept_signs) < len(text):
        names = {f"U+{ord(sign):04X}" for sign in set(text) - set(kept_signs)} or {"U+200D"}
        left.append(LeftOut(", ".join(sorted(names)), SkipReason.UNSEEN))
    return "".join(kept_signs)


def _is_kept(before: str, sign: str, after: str) -> bool:
    if sign in JOINERS:
        return not (before.isascii() or (after.isascii() and not after.isspace()))
    return unicodedata.category(sign) != "Cf"


def _without_starts(text: str, left: list[LeftOut]) -> str:
    """Remove list numbers, bullets and ticks before a name, in any order."""
    for _ in range(MOST_STARTS):
        start = next(((why, sign_match) for why, sign in STARTS if (sign_match := sign.match(text))), None)
        if start is None or PIECES[-1][1].match(text):
            break
        why, sign_match = start
        left.append(LeftOut(sign_match[0].strip(), why))
        text = text[sign_match.end() :].lstrip()
    return text


def _without_pieces(text: str, left: list[LeftOut]) -> str:
    for why, piece in PIECES:
        text = _without(piece, why, text, left)
    return text


def _without(sign: re.Pattern[str], why: SkipReason, text: str, left: list[LeftOut]) -> str:
    left += [LeftOut(match[0].strip(), why) for match in sign.finditer(text)]
    return sign.sub(" ", text)


def _without_ends(text: str) -> str:
    return text.strip().strip(ENDS + " \t\u00a0").rstrip("([{<" + ENDS + " \t\u00a0").strip()
