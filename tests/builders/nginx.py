"""A real nginx, configured by a shipped example."""

import http.client
import os
import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.builders.patience import PATIENCE
from tests.builders.serve import free_port
from tests.builders.served_site import ROOT

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin") or ""
AROUND = """
daemon off; {user} pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    include /etc/nginx/mime.types; default_type application/octet-stream;
    log_format asked '$request_uri $upstream_status $upstream_cache_status';
    access_log {folder}/asked.log asked; log_subrequest on;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/example.conf;
}}
"""


@dataclass
class Front:
    """The server, and the requests that it has sent to the site behind it."""

    port: int
    folder: Path

    def get(self, path: str, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with closing(connection):
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}

    def asked(self, path: str) -> Counter[str]:
        """The statuses with which the site has answered requests for a path."""
        lines = [line.split() for line in (self.folder / "asked.log").read_text().splitlines()]
        return Counter(status for at, status, _ in lines if at == path and status != "-")


@contextmanager
def in_front(example: str, folder: Path, ours: Mapping[str, str]) -> Iterator[Front]:
    """Serve with an example's configuration, with every value that a reader would adapt replaced."""
    if not NGINX:
        said = "nginx is not installed"
        pytest.fail(said) if os.environ.get("REQUIRE_SERVERS") else pytest.skip(said)
    port, text = free_port(), (ROOT / "examples" / "nginx" / example).read_text()
    # By plain HTTP: TLS, and what answers at port 80, are tried in tests/rummy_site/test_production_pages.py.
    text = re.sub(r"server \{\n    listen 80;[^}]*\}\n|\n    listen \[::\]:443 ssl;|\n    ssl_[^\n]*", "", text)
    for its, own in {"listen 443 ssl;": f"listen 127.0.0.1:{port};", **ours}.items():
        assert text.count(its) == 1
        text = text.replace(its, own)
    folder.mkdir()
    process = subprocess.Popen(write_configuration(folder, text))
    found = Front(port, folder)
    try:
        _until_it_answers(found)
        yield found
    finally:
        process.terminate()
        process.wait(PATIENCE)


def write_configuration(folder: Path, sites: str) -> list[str]:
    """Write what has to be around the servers of a configuration; the command that serves them."""
    (folder / "example.conf").write_text(sites)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, user=user))
    return [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]


def _until_it_answers(front: Front) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            front.get("/healthz")
        except OSError:
            assert time.monotonic() < end, (front.folder / "error.log").read_text()
            time.sleep(0.05)
        else:
            return
