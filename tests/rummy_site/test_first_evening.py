"""Every command of docs/start/first-evening.md that is not for a domain, a certificate or a restart, as it is written.

Blocks marked `sh` are run, one after the other, in an empty home. Planted faults: a setting that production
refuses; a folder with two names on the page; a step left out, such as collecting static files.
"""

import http.client
import os
import pty
import re
import signal
import sys
import sysconfig
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders.patience import PATIENCE
from tests.builders.serve import ROOT, free_port
from tests.builders.wheels import build_wheel

PAGE = (ROOT / "docs" / "start" / "first-evening.md").read_text()
BLOCKS = re.compile(r"^```(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Other blocks that the page may show: files of other programs, and what only systemd does.
NOT_RUN = {"text", "ini", "console"}
DONE = "every command was run"
STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)"')


def script(port: int) -> str:
    """The page's commands. The server, which runs until Ctrl-C, is left running, on a port of its own."""
    commands = "".join(text for kind, text in BLOCKS.findall(PAGE) if kind == "sh")
    in_background = (
        f"rummy-evening serve --port {port} > serve.log 2>&1 & served=$!\n"
        "until grep -q 'Public pages' serve.log; do kill -0 $served; sleep 0.2; done\n"
    )
    served = re.sub(r"^rummy-evening serve$\n", in_background, commands, flags=re.MULTILINE)
    assert served != commands
    return f"set -e\ntrap 'kill $served' EXIT\n{served}\necho '{DONE}'\nread -r _\n"


def shown_on(terminal: int, until: str) -> str:
    """The terminal's output."""
    shown = b""
    while until.encode() not in shown:
        try:
            shown += os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
    return shown.decode()


def asked(port: int, path: str) -> tuple[int, str]:
    """Request as the web server in front sends it."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers={"Host": "club.example", "X-Forwarded-Proto": "https"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_the_page_marks_what_is_run():
    kinds = [kind for kind, _ in BLOCKS.findall(PAGE)]
    assert set(kinds) == {"sh", *NOT_RUN}
    assert kinds.count("sh") >= 8
    assert PAGE.count("```") == 2 * len(kinds)


@pytest.mark.slow(long=True)
def test_its_commands_lead_from_nothing_to_a_site_with_a_backup(tmp_path: Path):
    build_wheel(tmp_path)
    port = free_port()
    home = {"HOME": str(tmp_path), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    # The packages that the wheel needs are those that the tests run on.
    offline = {
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_NO_COMPILE": "1",
    }
    number, terminal = pty.fork()
    if not number:
        os.chdir(tmp_path)
        kept = {name: os.environ[name] for name in ("PYTHONPYCACHEPREFIX", "LANG") if name in os.environ}
        os.execvpe("bash", ["bash", "-c", script(port)], {**kept, **home, **offline})  # noqa: S606 (it is the shell)
    try:
        shown = shown_on(terminal, DONE)
        assert DONE in shown, f"{shown}\n{(tmp_path / 'serve.log').read_text()}"
        assert "no issues" in shown
        assert "/setup/#" in (tmp_path / "serve.log").read_text()
        assert asked(port, "/setup/")[0] == 200
        status, page = asked(port, "/admin/login/")
        assert status == 200
        assert {asked(port, style)[0] for style in STYLE.findall(page)} == {200}
        assert len(list((tmp_path / "rummy-backups").glob("rummy-*"))) == 2
    finally:
        os.kill(number, signal.SIGTERM)
        os.close(terminal)
        os.waitpid(number, 0)
