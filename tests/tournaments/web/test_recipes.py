"""The programs of docs/how-to/recipes.md do what the page says, in Python and in JavaScript.

Planted faults these catch: a position that is saved before its rows, a correction after the end that is not read, a
name that a spreadsheet calculates, practice in the season, a message that is taken though the chat did not take it, a
resent one that is written twice, a signature over another body.
"""

import csv
import io
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import patch

import pytest
from django.urls import reverse
from django.utils.timezone import now

from tests.builders.api_clients import Device
from tests.builders.patience import PATIENCE
from tests.builders.playing import context, new_club
from tests.builders.prize_evening import Evening
from tests.builders.receivers import SECRET, WebServer, new_receiver, release_all
from tests.builders.recipes import PAGE, command, run_recipe
from tests.builders.seasons import season
from tests.builders.serve import free_port
from tests.builders.there import there
from tournaments.models import Club, Player, Role
from tournaments.outbox import posting, sending
from tournaments.outbox.secrets import sealed
from tournaments.privacy import erase_player
from tournaments.running.commands.close import reopen_tournament

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
SEASON, CHAT = ["season.py", "season.mjs"], ["chat.py", "chat.mjs"]


class Follower:
    """Somebody's folder with a program that keeps the season."""

    def __init__(self, club: Club, folder: Path, site: str) -> None:
        self.folder = folder
        folder.mkdir()
        secret = there(Device(club, Role.AUDITOR).secret)
        self.variables = {"RUMMY_CLUB": str(club.pk), "RUMMY_TOKEN": secret, "RUMMY_SITE": site}

    def run(self, program: str, **variables: str) -> list[list[str]]:
        """Tournament, place, name and prize of each row, after the program has read on."""
        done = run_recipe(program, self.folder, **{**self.variables, **variables})
        assert done.returncode == 0, done.stderr
        rows = csv.DictReader(io.StringIO((self.folder / "season.csv").read_text("utf-8-sig")))
        return [[row["tournament"], row["place"], row["name"], row["prize_minor"]] for row in rows]


@pytest.fixture
def club() -> Club:
    return new_club(is_published=True)


@pytest.fixture
def follower(club: Club, live_server: Any, tmp_path: Path) -> Follower:
    return Follower(club, tmp_path / "folder", live_server.url)


def call(player: str, name: str) -> None:
    """Give one player a name that nobody expects."""
    row = Player.objects.get(pk=player)
    row.name = name
    row.save()


@pytest.mark.parametrize("program", SEASON)
def test_a_season_follows_what_is_closed_corrected_and_reopened(program: str, club: Club, follower: Follower):
    assert follower.run(program) == []
    evening = Evening(club).paid().closed()
    Evening(club, is_rehearsal=True).closed()
    name = evening.tournament.name
    asha, bo, cy = [[name, "1", "Asha", "18900"], [name, "2", "Bo", "8100"], [name, "3", "Cy", "0"]]
    assert follower.run(program) == [asha, bo, cy]
    assert follower.run(program) == [asha, bo, cy]
    evening.exchange()
    assert follower.run(program) == [asha, [name, "2", "Cy", "8100"], [name, "3", "Bo", "0"]]
    later = Evening(club).paid().closed()
    assert len(follower.run(program)) == 6
    reopen_tournament(later.tournament.pk, reason="a sheet was wrong", context=context())
    assert len(follower.run(program)) == 3


def test_both_programs_go_on_where_the_other_has_stopped_and_write_the_same(
    club: Club, live_server: Any, tmp_path: Path
):
    follower = Follower(club, tmp_path / "both", live_server.url)
    for program in [*SEASON, *SEASON]:
        evening = Evening(club).paid().closed()
        follower.run(program)
    call(evening.players[0], "=1+1")
    files = []
    for program in SEASON:
        anew = Follower(club, tmp_path / program, live_server.url)
        assert [row[2] for row in anew.run(program)] == ["Asha", "Bo", "Cy"] * 3 + ["'=1+1", "Bo", "Cy"]
        files.append((anew.folder / "season.csv").read_bytes())
    assert files[0] == files[1]
    assert len(follower.run(SEASON[0])) == 12
    erase_player(Player.objects.get(pk=evening.players[0]), now=now(), with_balance=True)
    (follower.folder / "season.json").unlink()
    assert "'=1+1" not in [row[2] for row in follower.run(SEASON[0])]


@pytest.mark.parametrize("program", SEASON)
def test_a_season_that_is_cut_off_at_each_request_has_every_row_once(program: str, club: Club, follower: Follower):
    for _ in range(2):
        Evening(club).paid().closed()
    whole = follower.run(program)
    (follower.folder / "season.json").unlink()
    (follower.folder / "season.csv").unlink()
    for answers in range(5):
        with breaking_after(answers, follower.variables["RUMMY_SITE"]) as site:
            done = run_recipe(program, follower.folder, **{**follower.variables, "RUMMY_SITE": site})
        assert done.returncode != 0
        assert not (follower.folder / "season.csv").exists()
    assert follower.run(program) == whole
    assert len(whole) == 6


@contextmanager
def breaking_after(answers: int, site: str) -> Iterator[str]:
    """The address of a site that answers so many requests, and is then unavailable."""
    left = iter(range(answers))

    class Between(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = 503, b"{}"
            if next(left, None) is not None:
                connection = HTTPConnection(site.removeprefix("http://"))
                connection.request("GET", self.path, headers={"Authorization": self.headers["Authorization"]})
                answer = connection.getresponse()
                status, body = answer.status, answer.read()
                connection.close()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Be silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Between) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("program", SEASON)
def test_a_log_that_is_shorter_than_before_is_not_followed(program: str, follower: Follower):
    (follower.folder / "season.json").write_text('{"position": 999, "tournaments": {}}')
    done = run_recipe(program, follower.folder, **follower.variables)
    assert done.returncode != 0
    assert "a backup was restored" in done.stderr


def test_a_spreadsheet_reads_the_season_by_its_link(club: Club, client: Any):
    link = "https://club.example/c/CLUB/seasons/SEASON/season.csv"
    assert f"    {link}\n" in PAGE
    published = season(club)
    address = reverse("files:season_csv", args=(club.slug, published.slug))
    assert address == f"/{link.split('/', 3)[3]}".replace("CLUB", club.slug).replace("SEASON", published.slug)
    assert client.get(address).headers["Content-Type"] == "text/csv; charset=utf-8"


def test_a_table_for_a_page_is_written_of_what_is_published(club: Club, live_server: Any, tmp_path: Path):
    evening = Evening(club).played()
    call(evening.players[0], "<b>Asha")
    address = reverse("files:board_json", args=(club.slug, evening.tournament.slug))
    variables = {"RUMMY_BOARD": f"{live_server.url}{address}"}
    assert run_recipe("leaderboard.py", tmp_path, **variables).stderr == ""
    table = (tmp_path / "leaderboard.html").read_text()
    assert table.count("<tr>") == 3
    assert "<td>1</td><td>&lt;b&gt;Asha</td>" in table
    failed = run_recipe("leaderboard.py", tmp_path, RUMMY_BOARD="http://127.0.0.1:1/board.json")
    assert (failed.returncode, (tmp_path / "leaderboard.html").read_text()) == (1, table)
    Club.objects.update(is_published=False)
    run_recipe("leaderboard.py", tmp_path, **variables)
    assert (tmp_path / "leaderboard.html").read_text() == "<p>This leaderboard is not published.</p>\n"


class Chat:
    """A chat's incoming webhook: the lines that it took, and whether it takes any now."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.is_up = True

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["Content-Length"]))
        if self.is_up:
            self.lines.append(body)
        request.send_response(200 if self.is_up else 503)
        request.send_header("Content-Length", "0")
        request.end_headers()


@contextmanager
def running(program: str, folder: Path, port: int, chat_url: str) -> Iterator[None]:
    """The receiver of the page, for as long as the block lasts."""
    environment = {"PATH": os.environ["PATH"], "RUMMY_SECRET": SECRET, "CHAT_URL": chat_url, "PORT": str(port)}
    with (folder / "errors.txt").open("a") as errors:
        process = subprocess.Popen(command(program, folder), cwd=folder, env=environment, stderr=errors)
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                assert process.poll() is None, (folder / "errors.txt").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.05)
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("program", CHAT)
def test_a_chat_hears_each_seating_once_whatever_is_down(program: str, club: Club, tmp_path: Path, settings: Any):
    settings.OUTBOX_ALLOWS_INNER = True
    chat, port, posted = Chat(), free_port(), []
    new_receiver(club, address=sealed(f"http://127.0.0.1:{port}/"))

    def post(url: str, body: bytes, headers: dict[str, str], **more: Any) -> Any:
        posted.append((url, body, headers))
        return posting.post(url, body, headers, **more)

    def sent_again(body: bytes, **changed: str) -> int:
        url, _, headers = posted[-1]
        return posting.post(url, body, {**headers, **changed}, allows_inner=True).status

    def tell() -> None:
        release_all()
        with patch.object(sending, "post", post):
            sending.tell_owed(sending.send_due)

    with WebServer(chat) as server:
        chat_url = f"http://127.0.0.1:{server.port}/"
        evening = Evening(club)
        call(evening.players[1], "<!channel>")
        # Nobody listens; then the chat is down; then both are up.
        tell()
        with running(program, tmp_path, port, chat_url):
            chat.is_up = False
            tell()
            assert chat.lines == []
            chat.is_up = True
            tell()
            [line] = chat.lines
            assert b"round 1, seats: table 1: Asha, &lt;!channel&gt;, Cy. https://club.example/" in line
            body = posted[-1][1]
            assert sent_again(body) == 204
            assert sent_again(body + b" ") == 401
            assert sent_again(body, **{"webhook-timestamp": str(int(time.time()) - 600)}) == 401
            assert sent_again(body, **{"webhook-signature": "v1,!"}) == 401
        with running(program, tmp_path, port, chat_url):
            assert sent_again(body) == 204
    assert chat.lines == [line]
    assert evening.tournament.name.encode() in line
