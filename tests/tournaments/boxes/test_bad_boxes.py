"""A box that is changed, cut, too new or another's is refused with the place, and nothing of it is stored.

Planted faults that these catch: a part whose digest is not compared; a name that climbs; a duplicate id that the
database stores over the first; a manifest signed by another installation that comes in unasked.
"""

import hashlib
import json
import random
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.builders.boxes import another_installation, code_in, packed
from tests.builders.playing import NOW, finished_pool, new_club
from tests.builders.tampering import undone
from tournaments.books.commands import settle_table
from tournaments.boxes.arriving import unbox
from tournaments.boxes.checking import MOST_MANIFEST, BoxRefused
from tournaments.boxes.contents import PARTS
from tournaments.boxes.manifest import DIGEST_SIGNS, END, MANIFEST, SIGNATURE, finish, signature_of
from tournaments.models import Club, ErasedPlayer, Player
from tournaments.models.log import Event
from tournaments.people.players import add_players

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
LATER = NOW + timedelta(days=1)
Lines = dict[str, list[dict[str, Any]]]


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A small box, whose club is not here any more."""
    table = finished_pool()
    table.close()
    settle_table(table.row.id, now=NOW)
    path = tmp_path / "club.rummybox"
    packed(table.row.tournament.club, path, now=LATER)
    another_installation()
    return path


def refused(path: Path, **how: Any) -> list[tuple[str, str]]:
    """The codes and texts with which a box is refused; nothing was stored."""
    with pytest.raises(BoxRefused) as refusal:
        unbox(path, now=LATER, **how)
    assert not Club.objects.filter(name="Asha's club").exists()
    assert not Event.objects.exists()
    return [(problem.code, problem.text()) for problem in refusal.value.problems]


def rewritten(
    path: Path,
    change: Callable[[Lines], object] = lambda lines: None,
    *,
    of_manifest: Callable[[dict[str, Any]], object] = lambda manifest: None,
    is_signed: bool = True,
    entries: Callable[[zipfile.ZipFile], object] = lambda archive: None,
    is_counted: bool = True,
) -> Path:
    """The box with other content, by somebody who can sign: digests and counts are right again."""
    with zipfile.ZipFile(path) as archive:
        lines: Lines = {name: [json.loads(line) for line in archive.read(name).splitlines()] for name in PARTS}
        manifest = json.loads(archive.read(MANIFEST))
    change(lines)
    with path.open("w+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in PARTS:
                text = b"".join(json.dumps(line).encode() + b"\n" for line in lines[name])
                if is_counted:
                    stated = {"lines": len(lines[name]), "bytes": len(text)}
                    manifest["parts"][name] |= {**stated, "sha256": hashlib.sha256(text).hexdigest()}
                archive.writestr(name, text)
            of_manifest(manifest)
            text = json.dumps(manifest).encode()
            archive.writestr(MANIFEST, text)
            archive.writestr(SIGNATURE, signature_of(text, "" if is_signed else "k" * 50))
            entries(archive)
            archive.comment = END + b"0" * DIGEST_SIGNS
        finish(file)
    return path


def one(lines: Lines, part: str, row: str) -> dict[str, Any]:
    return next(line for line in lines[part] if line["row"] == row)


def test_the_same_box_comes_in_here_and_a_trial_of_it_stores_nothing(box: Path):
    tried = unbox(box, now=LATER, is_trial=True)
    assert not Club.objects.exists()
    arrival = unbox(rewritten(box), now=LATER)
    assert (arrival.manifest.position, arrival.counts) == (tried.manifest.position, tried.counts)
    assert Club.objects.get().name == "Asha's club"


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (
            lambda lines: one(lines, "log.jsonl", "tournaments.event").update(position=7),
            "inconsistent",
            "log.jsonl, line 3, position: position 1 must follow",
        ),
        (lambda lines: lines["log.jsonl"].pop(), "inconsistent", "manifest.json: the log ends at "),
        (
            lambda lines: one(lines, "log.jsonl", "tournaments.event").update(body='{"x":1}'),
            "not_proven",
            "position 1: the hash does not fit",
        ),
        (
            lambda lines: lines["names.jsonl"].append(lines["names.jsonl"][0]),
            "inconsistent",
            "names.jsonl, line 5, id: ",
        ),
        (
            lambda lines: one(lines, "settings.jsonl", "tournaments.seat").update(player_id="0" * 32),
            "inconsistent",
            "settings.jsonl, line 3, player_id: '00000000000000000000000000000000' is not in the box",
        ),
        (
            lambda lines: one(lines, "names.jsonl", "tournaments.player").update(created_at="yesterday"),
            "damaged",
            "names.jsonl, line 1, created_at: 'yesterday' cannot be read",
        ),
        (
            lambda lines: one(lines, "names.jsonl", "tournaments.player").update(name="a\x00b"),
            "damaged",
            "names.jsonl, line 1, name: ",
        ),
        (
            lambda lines: one(lines, "names.jsonl", "tournaments.player").update(name="a" * 201),
            "damaged",
            "names.jsonl, line 1, name: ",
        ),
        (
            lambda lines: one(lines, "club.jsonl", "tournaments.club").update(currency="QQQ"),
            "damaged",
            "club.jsonl, line 1, currency: 'QQQ' is not an ISO 4217 currency",
        ),
        (
            lambda lines: one(lines, "names.jsonl", "tournaments.player").update(shoe_size=42),
            "damaged",
            "names.jsonl, line 1, shoe_size: this version does not know the field",
        ),
        (
            lambda lines: one(lines, "names.jsonl", "tournaments.player").pop("name"),
            "damaged",
            "names.jsonl, line 1, name: missing",
        ),
        (
            lambda lines: one(lines, "names.jsonl", "tournaments.player").pop("id"),
            "damaged",
            "names.jsonl, line 1, id: missing",
        ),
        (
            lambda lines: lines["seals.jsonl"].append({"row": "tournaments.player"}),
            "damaged",
            "seals.jsonl, line 2: this row is not at its place",
        ),
        (
            lambda lines: lines["books.jsonl"].append({"row": "auth.user"}),
            "damaged",
            "books.jsonl, line 8: cannot be read",
        ),
        (
            lambda lines: one(lines, "books.jsonl", "scoring.journalentry")["postings"].pop(),
            "not_stored",
            "books.jsonl, line ",
        ),
        (
            lambda lines: one(lines, "books.jsonl", "scoring.journalentry").update(memo="a gift"),
            "not_proven",
            "is not what was booked",
        ),
        (
            lambda lines: one(lines, "seals.jsonl", "tournaments.seal").update(root="00" * 32),
            "not_proven",
            "position 1: the seal over 1 to ",
        ),
        (
            lambda lines: one(lines, "settings.jsonl", "tournaments.seat").update(number=9),
            "not_proven",
            " of table ",
        ),
    ],
)
def test_changed_content_is_refused_with_its_place_even_where_it_is_signed(
    box: Path, change: Any, code: str, said: str
):
    problems = refused(rewritten(box, change))
    assert problems[0][0] == code
    assert said in problems[0][1]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../../etc/passwd", "leads out of the box"),
        ("/etc/passwd", "is an absolute name"),
        ("C:\\box", "is an absolute name"),
        ("logo.svg", "belongs to no box"),
    ],
)
def test_names_that_climb_are_absolute_or_unknown_are_refused(box: Path, name: str, said: str):
    problems = refused(rewritten(box, entries=lambda archive: archive.writestr(name, "x")))
    assert [code for code, _ in problems] == ["unsafe_name"]
    assert said in problems[0][1]


def test_a_link_and_a_part_that_is_there_twice_are_refused(box: Path):
    link = zipfile.ZipInfo("log.jsonl")
    link.external_attr = 0o120777 << 16
    with pytest.warns(UserWarning, match="Duplicate name"):
        problems = refused(rewritten(box, entries=lambda archive: archive.writestr(link, "/etc/passwd")))
    assert [text for _, text in problems] == [
        "box: 'log.jsonl' is a link or no file",
        "log.jsonl: is in the box twice",
    ]


def test_a_box_of_a_newer_version_or_format_is_refused(box: Path):
    newer = {"scoring": "9999_from_tomorrow"}
    said = "manifest.json: made by a newer version, which has 'scoring 9999_from_tomorrow': update first"
    problems = refused(rewritten(box, of_manifest=lambda manifest: manifest["schema"].update(newer)))
    assert problems == [("too_new", said)]
    said = "manifest.json: format 2; this version reads up to 1: update first"
    assert refused(rewritten(box, of_manifest=lambda manifest: manifest.update(format=2))) == [("too_new", said)]


def test_another_installations_box_comes_in_by_its_code_alone(box: Path):
    theirs = rewritten(box, of_manifest=lambda manifest: manifest.update(made_by="hall-2"), is_signed=False)
    said = "manifest.json: not signed here, but by 'hall-2': enter the code that was shown with the box"
    assert refused(theirs) == [("code", said)]
    assert [code for code, _ in refused(theirs, code="3F9A-11C0-77AB-02DE")] == ["code"]
    assert unbox(theirs, now=LATER, code=f" {code_in(theirs).lower()} ").manifest.made_by == "hall-2"


def test_a_bomb_is_refused_before_it_is_unpacked(box: Path):
    """Planted fault: a part that says 3 MB of blanks, and one that is longer than it says."""
    blanks = {"bytes": 3_000_000, "lines": 1, "sha256": "0" * 64}

    def bomb(archive: zipfile.ZipFile) -> None:
        archive.filelist[:] = [entry for entry in archive.filelist if entry.filename != "log.jsonl"]
        del archive.NameToInfo["log.jsonl"]
        archive.writestr("log.jsonl", b" " * 3_000_000)

    of_manifest = lambda manifest: manifest["parts"]["log.jsonl"].update(blanks)  # noqa: E731
    assert refused(rewritten(box, of_manifest=of_manifest, entries=bomb)) == [
        ("too_large", "log.jsonl: far larger than it is packed")
    ]


def test_a_manifest_of_any_length_is_not_read(box: Path):
    problems = refused(rewritten(box, of_manifest=lambda manifest: manifest.update(name="n" * MOST_MANIFEST)))
    assert problems == [("too_large", f"manifest.json: longer than {MOST_MANIFEST} bytes")]


def test_what_is_no_box_is_refused(box: Path, tmp_path: Path):
    for text in (b"", b"PK\x05\x06", b"a" * 4_000, box.read_bytes() + b"\n"):
        path = tmp_path / "other"
        path.write_bytes(text)
        assert refused(path) == [("damaged", "box: this is not a box, or its end was cut off")]
    assert refused(tmp_path / "nothing")[0][0] == "no_file"


def test_a_club_that_is_here_stays_as_it_is(box: Path):
    unbox(box, now=LATER)
    with pytest.raises(BoxRefused, match="is here already, with its log up to position"):
        unbox(box, now=LATER)


def test_a_slug_that_another_club_has_had_stays_with_that_club(box: Path):
    slug = unbox(box, now=LATER, is_trial=True).slug
    mine = new_club()
    mine.slug = slug.upper()
    mine.save()
    arrival = unbox(box, now=LATER)
    assert (arrival.slug, arrival.is_renamed) == (f"{slug}-2", True)
    assert Club.objects.get(pk=arrival.manifest.club).slugs.get().slug == f"{slug}-2"


def test_an_erasure_of_a_player_of_another_club_is_refused_by_line(box: Path):
    (other,) = add_players(new_club(), ["Somebody"])
    erasure = {"row": "tournaments.erasedplayer", "player": other.pk.hex, "erased_at": LATER.isoformat(), "texts": []}
    path = rewritten(box, lambda lines: lines["erasures.jsonl"].append(erasure))
    with pytest.raises(BoxRefused, match="a player of another club") as refusal:
        unbox(path, now=LATER)
    assert [(problem.code, problem.field) for problem in refusal.value.problems] == [("not_stored", "erasures.jsonl:1")]
    assert not ErasedPlayer.objects.exists()


def test_ids_that_another_club_has_here_are_refused_by_line(box: Path):
    mine = new_club()
    with zipfile.ZipFile(box) as archive:
        third = json.loads(archive.read("names.jsonl").splitlines()[2])
    Player.objects.create(id=third["id"], club=mine, name="Somebody")
    with pytest.raises(BoxRefused) as refusal:
        unbox(box, now=LATER)
    (problem,) = refusal.value.problems
    assert (problem.code, problem.field) == ("not_stored", "names.jsonl:3")


def test_a_flipped_byte_in_a_part_is_refused_by_its_name(box: Path, tmp_path: Path):
    """Planted fault: a part that is not read to its end."""
    whole, path = box.read_bytes(), tmp_path / "flipped"
    with zipfile.ZipFile(box) as archive:
        places = {
            entry.filename: entry.header_offset + 30 + len(entry.filename) + entry.compress_size // 2
            for entry in archive.infolist()
            if entry.file_size
        }
    assert {MANIFEST, SIGNATURE, *PARTS} - places.keys() == {"erasures.jsonl"}, "the only part without a row"
    for name, at in places.items():
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert name in {text.partition(":")[0].partition(",")[0] for _, text in refused(path)}


@pytest.mark.slow
def test_every_flipped_byte_is_refused_with_a_place(box: Path, tmp_path: Path):
    """A sample, and all bytes of the frame at both ends."""
    whole, path = box.read_bytes(), tmp_path / "flipped"
    chance = random.Random(1)
    for at in [*range(60), *chance.sample(range(len(whole)), 400), *range(len(whole) - 180, len(whole))]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << chance.randrange(8))]) + whole[at + 1 :])
        assert all(text.partition(":")[0] for _, text in refused(path)), at


@pytest.mark.slow
def test_a_box_that_was_cut_anywhere_is_refused(box: Path, tmp_path: Path):
    whole, path = box.read_bytes(), tmp_path / "cut"
    with zipfile.ZipFile(box) as archive:
        starts = [entry.header_offset for entry in archive.infolist()]
    for end in (*starts, *(start + 40 for start in starts), len(whole) - 1):
        path.write_bytes(whole[:end])
        assert refused(path) == [("damaged", "box: this is not a box, or its end was cut off")]


def test_two_problems_are_both_named(box: Path):
    def change(lines: Lines) -> None:
        one(lines, "names.jsonl", "tournaments.player").update(created_at=None, is_member="no")

    with undone():
        assert [text.partition(":")[0] for _, text in refused(rewritten(box, change))] == [
            "names.jsonl, line 1, is_member",
            "names.jsonl, line 1, created_at",
        ]
