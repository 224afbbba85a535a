"""`rummy-evening example NAME`: files for other programs, with the paths of this installation and nothing to edit."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rummy_site import examples

SHIPPED = {
    path.name: path
    for folder in {of for of, _ in examples.EXAMPLES.values()}
    for path in Path("examples", folder).iterdir()
}


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "prefix", "/srv/venv")
    monkeypatch.setattr(Path, "owner", lambda path: "asha")
    for name, value in (
        ("VAR_DIR", str(tmp_path)),
        ("ALLOWED_HOSTS", "rummy.test,other.test"),
        ("PUBLISH_TO", "/srv/out"),
    ):
        monkeypatch.setenv(name, value)
    return tmp_path


def printed(capsys: Any, *words: str) -> str:
    examples.main(words)
    return str(capsys.readouterr().out)


def test_the_list_has_every_shipped_file(capsys: Any):
    assert [line.split()[0] for line in printed(capsys).splitlines()] == list(examples.EXAMPLES)
    assert {folder.name for folder in Path("examples").iterdir() if folder.is_dir()} == {
        # Score sheets; and containers, which are built from a checkout.
        *("western", "container"),
        *(folder for folder, _ in examples.EXAMPLES.values()),
    }
    assert set(examples.EXAMPLES) == set(SHIPPED)


@pytest.mark.parametrize("name", examples.EXAMPLES)
def test_nothing_of_another_installation_is_left(name: str, installation: Path, capsys: Any):
    """Planted faults: a path that is spelt another way in one file; a file that says "yours"."""
    text = printed(capsys, name, "--web", "10.0.0.9:8123")
    assert not re.search(
        r"opt/rummy|lib/rummy-evening|=rummy$|-u rummy|club\.example|127\.0\.0\.1:8000|8000$|\byours\b", text, re.M
    )
    original = SHIPPED[name].read_text()
    for ours, theirs in (
        ("/opt/rummy-evening/", "/srv/venv/"),
        ("/var/lib/rummy-evening", str(installation)),
        ("User=rummy", "User=asha"),
        ("server_name club.example", "server_name rummy.test"),
        ("server 127.0.0.1:8000", "server 10.0.0.9:8123"),
        ("--host 127.0.0.1 --port 8000", "--host 10.0.0.9 --port 8123"),
        ("ListenStream=127.0.0.1:8000", "ListenStream=10.0.0.9:8123"),
        ("root /srv/rummy-copies", "root /srv/out"),
    ):
        assert text.count(theirs) >= original.count(ours), theirs


def test_each_machine_of_several_is_asked_by_nginx(installation: Path, capsys: Any):
    text = printed(capsys, "rummy-evening.conf", "--web", "10.0.0.2:8000", "--web", "10.0.0.3:8000", "--host", "a.test")
    assert "    server 10.0.0.2:8000 max_fails=0;\n    server 10.0.0.3:8000 max_fails=0;\n}" in text
    assert text.count("a.test") == 4


def test_each_key_is_new_and_good_enough_for_production(installation: Path, capsys: Any):
    keys = [re.findall("^SECRET_KEY=(.+)$", printed(capsys, "rummy.env"), re.MULTILINE)[0] for _ in range(2)]
    assert keys[0] != keys[1]
    assert min(map(len, keys)) >= 50


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("rummy.servic", "invalid choice: 'rummy.servic'"),
        ("VAR_DIR= rummy.service", "VAR_DIR is '': name the folder of the data"),
        ("VAR_DIR=/no/such ALLOWED_HOSTS= rummy.env", "VAR_DIR is '/no/such'"),
        ("VAR_DIR=/no/such ALLOWED_HOSTS= rummy.env", "--host '' is not the name of a machine"),
        ("rummy-evening.conf --host a.b;", "--host 'a.b;' is not the name of a machine"),
        ("rummy-evening.conf --web 10.0.0.2", "--web '10.0.0.2': type an address and a port"),
        ("rummy-web.service --web a:1 --web b:2", "--web is given more than once"),
        ("PUBLISH_TO=s3://bucket published-copies.conf", "PUBLISH_TO is 's3://bucket': nginx serves a folder"),
    ],
)
def test_what_is_missing_is_named_at_once_and_nothing_is_printed(
    asked: str, message: str, installation: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
):
    words = asked.split()
    while "=" in words[0]:
        monkeypatch.setenv(*words.pop(0).split("="))
    with pytest.raises(SystemExit) as refused:
        examples.main(words)
    out, err = capsys.readouterr()
    assert (refused.value.code, out) == (2, "")
    assert message in err


def test_the_command_reads_the_settings_and_what_the_caller_sets_counts_more(installation: Path, capsys: Any):
    """Planted faults: a value with spaces or $ torn apart; VAR_DIR of the settings for a restore elsewhere."""
    folder = installation
    (folder / "rummy.env").write_text("VAR_DIR=/var/settings\nBACKUP_THEN='copy $it there'\n")
    text = printed(capsys, "rummy-evening.sh").replace("/etc/", f"{folder}/")
    (folder / "command").write_text(text.replace("exec runuser -u asha --", "exec env #"))
    command = [shutil.which("sh") or "sh", str(folder / "command")]
    run = subprocess.run(
        command, env={"PATH": "/usr/bin:/bin", "VAR_DIR": "/var/trial"}, capture_output=True, text=True, check=True
    )
    assert {"VAR_DIR=/var/trial", "BACKUP_THEN=copy $it there"} <= set(run.stdout.splitlines()), run.stderr
