"""A finished tournament becomes a folder of files: complete, without requests, reproducible, and self-contained."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from selectolax.lexbor import LexborHTMLParser

from tests.builders.public_tables import Seated, a_club, a_tournament, context, seat
from tests.builders.there import there
from tournaments.models import Tournament
from tournaments.rendering.left_out import lines_of
from tournaments.running.commands.close import close_tournament
from tournaments.web.rewriting import KEPT_SCRIPTS, File, Frame, UnsafeName, asset_file, safe, scope_of, still
from tournaments.web.static_site import ExportOptions, ExportRefused, FolderTaken, exported, keep_folder, keep_zip

pytestmark = pytest.mark.django_db

HOSTILE = "<img src=x onerror=alert(1)>\"'../../etc"
LINKS = {"a": "href", "link": "href", "script": "src", "img": "src", "image": "href", "use": "href", "iframe": "src"}
# Requests that a page makes by itself, and links that would need the site.
LIVE = "form, iframe, base, [hx-get], [hx-trigger], [data-live], meta[http-equiv=refresh], script:not([src])"


@pytest.fixture
def tournament() -> Tournament:
    return a_tournament(a_club(slug="circle"))


@pytest.fixture
def night(tournament: Tournament) -> Tournament:
    """Two tables; at one a deal was corrected. Closed."""
    table = seat(tournament).deal("show", 34, 12, "first_drop").correct(1, "show", 40, 12, "first_drop")
    table.deal("show", 80, 80, 80).deal("show", 80, 80)
    other = seat(tournament, "Eli", "Fay")
    other.deal("show", 80).deal("show", 80)
    return closed(tournament, table, other)


def closed(tournament: Tournament, *tables: Seated) -> Tournament:
    for table in tables:
        table.event(kind="table_closed")
    close_tournament(tournament.pk, context=context())
    return fresh(tournament)


def fresh(tournament: Tournament) -> Tournament:
    return Tournament.objects.select_related("club").get(pk=tournament.pk)


def files_of(tournament: Tournament, **wishes: Any) -> dict[str, bytes]:
    return {file.name: file.content for file in exported(fresh(tournament), ExportOptions(**wishes))}


def pages_of(files: dict[str, bytes]) -> Iterator[tuple[str, LexborHTMLParser]]:
    yield from ((name, LexborHTMLParser(body.decode())) for name, body in files.items() if name.endswith(".html"))


def links_of(page: LexborHTMLParser) -> list[str]:
    return [
        node.attributes[attribute] or ""
        for tag, attribute in LINKS.items()
        for node in page.css(f"{tag}[{attribute}]")
        if not (node.attributes[attribute] or "").startswith("#")
    ]


@pytest.mark.slow
def test_every_page_and_every_file_of_a_tournament_is_there(night: Tournament):
    names = set(files_of(night))
    players = {f"who/{player}/index.html" for player in night.tables.values_list("seats__player", flat=True)}
    files = {"board.json", "board.csv", "board.xlsx", "friday.jsonl", "verify.py", "proof/index.html"}
    sheets = {f"r1/table-{n}/{file}" for n in (1, 2) for file in ("index.html", "sheet.json", "sheet.csv")}
    assert {"index.html", *players, *files, *sheets} <= names
    assert "r1/table-1/index-at-2.html" in names, "the sheet as it was before the correction"
    assert not [name for name in names if name.startswith(("room", "share", "past", "embed", "board/", "screen"))]


@pytest.mark.slow
@pytest.mark.parametrize("site", ["", "https://rummy.example"])
def test_every_link_leads_to_a_file_beside_it_or_to_the_site(night: Tournament, site: str):
    """Planted fault: with links left as they were on the site every one of them is found here."""
    files = files_of(night, site=site)
    wrong = []
    for name, page in pages_of(files):
        for link in links_of(page):
            parts = urlsplit(link)
            target = normpath(join(dirname(name), parts.path))
            if (target not in files) if not parts.netloc else (not site or not link.startswith(f"{site}/")):
                wrong.append((name, link))
    assert wrong == []


@pytest.mark.slow
def test_links_to_what_stays_behind_lead_to_the_site_where_its_address_is_known(night: Tournament):
    [board] = [page for name, page in pages_of(files_of(night, site="https://rummy.example")) if name == "index.html"]
    club = "https://rummy.example/en-gb/c/circle/"
    assert {club, f"{club}t/friday/share/"} <= set(links_of(board))
    assert there(board.css_first("link[rel=canonical]")).attributes["href"] == f"{club}t/friday/"
    [without] = [page for name, page in pages_of(files_of(night, language="de")) if name == "index.html"]
    assert there(without.css_first("html")).attributes["lang"] == "de"
    assert "Rummy Circle" in without.text()
    assert "Teilen" not in without.text()


@pytest.mark.slow
def test_nothing_in_an_export_asks_for_anything_and_every_page_says_what_it_was_made_from(night: Tournament):
    """Planted fault: a page that keeps its polling calls a host that is not there, every second and a half."""
    files = files_of(night, site="https://rummy.example")
    found = {name: [node.html for node in page.css(LIVE)] for name, page in pages_of(files)}
    assert {name: nodes for name, nodes in found.items() if nodes} == {}
    assert {name.rpartition("/")[2] for name in files if name.endswith(".js")} <= KEPT_SCRIPTS
    told = json.loads(files["board.json"])
    mark = f"Exported at position {told['position']}, fingerprint {told['fingerprint']}."
    assert [name for name, page in pages_of(files) if there(page.css_first(".exported")).text() != mark] == []


def test_a_page_is_the_page_of_the_site(night: Tournament, client: Any):
    """The text of both is the same, word for word; drawings keep their shapes and the case of their names."""
    files = files_of(night, site="http://testserver")
    for path in ("r1/table-1/", "proof/"):
        live = LexborHTMLParser(client.get(f"/c/circle/t/friday/{path}").content.decode())
        still = LexborHTMLParser(files[f"{path}index.html"].decode())
        for gone in ("form", "script", "noscript", ".exported", "[data-live-lost]", "[data-live-summary]"):
            for page in (live, still):
                while (node := page.css_first(gone)) is not None:
                    node.decompose()
        assert there(still.body).text().split() == there(live.body).text().split()
        assert [svg.html for svg in still.css("svg")] == [svg.html for svg in live.css("svg")]


def test_a_row_that_another_page_left_out_is_missed_on_that_page_alone(night: Tournament):
    """Planted fault: an export, or the copies of a worker, told of the row on every page that was made after it."""
    lines_of([night], lambda row: int(row.name))
    assert b"cannot be shown here" not in files_of(night, site="http://testserver")["r1/table-1/index.html"]


@pytest.mark.slow
def test_the_script_that_comes_along_finds_the_log_in_order(night: Tournament, tmp_path: Path):
    keep_folder(exported(night, ExportOptions()), tmp_path / "site")
    told = json.loads((tmp_path / "site/board.json").read_bytes())
    command = [sys.executable, "verify.py", "friday.jsonl", told["fingerprint"]]
    done = subprocess.run(command, cwd=tmp_path / "site", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert " ".join(command[1:]) in " ".join((tmp_path / "site/proof/index.html").read_text().split())


@pytest.mark.slow
def test_the_same_position_gives_the_same_bytes(night: Tournament):
    """Planted fault: a workbook or a zip file with its time of writing is another one a second later."""
    first, second = (list(exported(fresh(night), ExportOptions())) for _ in range(2))
    assert [file.name for file in first] == [file.name for file in second]
    assert [one.name for one, other in zip(first, second, strict=True) if one != other] == []
    one, other = io.BytesIO(), io.BytesIO()
    for out in (one, other):
        keep_zip(first, out, folder="friday")
    assert one.getvalue() == other.getvalue()


@pytest.mark.slow
def test_names_stay_text_and_reach_no_path(tournament: Tournament, tmp_path: Path):
    tournament.club.name = tournament.name = HOSTILE
    tournament.club.save()
    tournament.save()
    table = seat(tournament, HOSTILE, "Bo", name=HOSTILE[:100]).deal("show", 80).deal("show", 80)
    closed(tournament, table)
    keep_folder(exported(fresh(tournament), ExportOptions()), tmp_path / "site")
    written = {path.relative_to(tmp_path / "site") for path in (tmp_path / "site").rglob("*") if path.is_file()}
    assert list(tmp_path.iterdir()) == [tmp_path / "site"]
    assert {safe(str(path)) for path in written} == set(map(str, written))
    for path in written:
        if path.suffix == ".html":
            page = LexborHTMLParser((tmp_path / "site" / path).read_text())
            assert page.css("img, [onerror]") == []
            assert HOSTILE in page.text()


def test_a_name_that_might_leave_the_folder_is_refused_and_an_address_outside_the_tournament_left_out(
    tournament: Tournament, tmp_path: Path
):
    for name in ("../x", "/x", "a/../b", "a//b", ".hidden", "a\\b", "c:x", "a\nb", "", "é", "a/", "x" * 101):
        with pytest.raises(UnsafeName):
            keep_folder([File(name=name, content=b"x")], tmp_path / "site")
        with pytest.raises(UnsafeName):
            keep_zip([File(name=name, content=b"x")], io.BytesIO(), folder="friday")
    assert list(tmp_path.iterdir()) == []
    scope = scope_of(fresh(tournament))
    for path in ("../../../admin/", "board/?at=1", "../other/", "r1/table-1/../../../"):
        assert scope.address_of(f"{scope.root}{path}") is None


@pytest.mark.slow
def test_only_what_is_published_and_over_is_exported(tournament: Tournament):
    seat(tournament).deal("show", 34, 12, "first_drop")
    with pytest.raises(ExportRefused, match="not finished"):
        files_of(tournament)
    assert "index.html" in files_of(tournament, is_unfinished_too=True)
    Tournament.objects.update(is_published=False)
    with pytest.raises(ExportRefused, match="published"):
        files_of(tournament, is_unfinished_too=True)


def test_pages_of_two_moments_are_never_exported_together(tournament: Tournament, tmp_path: Path):
    """A deal is stored when half of the pages are made: nothing is kept."""
    table = seat(tournament).deal("show", 34, 12, "first_drop")

    def meanwhile() -> Iterator[File]:
        for number, file in enumerate(exported(fresh(tournament), ExportOptions(is_unfinished_too=True))):
            if number == 3:
                table.deal(20, "show", 3, 4)
            yield file

    with pytest.raises(ExportRefused, match="The data changed: export it again"):
        keep_folder(meanwhile(), tmp_path / "site")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_there_whole_or_not_at_all_and_never_goes_over_another(tmp_path: Path):
    def broken() -> Iterator[File]:
        yield File(name="index.html", content=b"x")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        keep_folder(broken(), tmp_path / "site")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "site").mkdir()
    (tmp_path / "site/mine.txt").write_text("mine")
    with pytest.raises(FolderTaken):
        keep_folder([File(name="index.html", content=b"x")], tmp_path / "site")
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["mine.txt"]


def test_the_command_writes_a_folder_or_a_zip_file_and_says_what_is_wrong(night: Tournament, tmp_path: Path):
    out = io.StringIO()
    call_command("export_site", "circle/friday", tmp_path / "site", stdout=out)
    call_command("export_site", "circle/friday", tmp_path / "site.zip", "--zip", stdout=out)
    count = sum(path.is_file() for path in (tmp_path / "site").rglob("*"))
    assert out.getvalue().count(f"{count} files of Friday") == 2
    with ZipFile(tmp_path / "site.zip") as archive:
        archive.extractall(tmp_path)
    assert (tmp_path / "friday/index.html").read_bytes() == (tmp_path / "site/index.html").read_bytes()
    assert os.stat(tmp_path / "site").st_mode & 0o777 == 0o755
    wrong = (("circle/none", "no tournament"), ("circle/friday", "is there already"))
    for words, said in wrong:
        with pytest.raises(CommandError, match=said):
            call_command("export_site", words, tmp_path / "site")
    with pytest.raises(CommandError, match="no address"):
        call_command("export_site", "circle/friday", tmp_path / "other", "--address", "javascript:alert(1)")


def test_scripts_are_known_under_the_names_that_they_are_collected_under():
    names = ("tournaments/verify.py", "tournaments/verify.0a1b2c3d4e5f.py")
    assert {asset_file(name) for name in names} == {"verify.py"}
    frame = Frame(address="http://a/", origin="http://a", link=lambda full: full, has_site=True, mark="")
    page = b'<script src="/static/theme.0a1b2c3d4e5f.js"></script><script src="/static/live.0a1b2c3d4e5f.js"></script>'
    assert [script.attributes["src"] for script in LexborHTMLParser(still(page, frame).decode()).css("script")] == [
        "http://a/static/theme.0a1b2c3d4e5f.js"
    ]
