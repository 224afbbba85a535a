"""`rummy-evening example NAME`: the files of other programs, with the paths of this installation.

They stand in `examples/`, as they are on a machine that was set up by docs/start/one-machine.md; what differs here is
replaced. Needs no settings that production would refuse: the settings are one of these files.
"""

import argparse
import os
import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from rummy_site.environment import KEY_BYTES, RESOURCES

# Where each belongs, and below `examples/` where it comes from.
EXAMPLES = {
    "rummy.env": ("settings", "/etc/rummy.env: the settings, with a new SECRET_KEY each time"),
    "rummy-evening.sh": ("settings", "/usr/local/bin/rummy-evening: runs commands with these settings"),
    "rummy.service": ("systemd", "/etc/systemd/system: one machine, web server and worker"),
    "rummy.socket": ("systemd", "/etc/systemd/system: its port, which stays open while the service restarts"),
    "rummy-web.service": ("systemd", "/etc/systemd/system: several machines, the web server of one"),
    "rummy-web.socket": ("systemd", "/etc/systemd/system: its port, which stays open while the service restarts"),
    "rummy-worker.service": ("systemd", "/etc/systemd/system: several machines, a worker"),
    "rummy-evening.conf": ("nginx", "/etc/nginx/conf.d: encryption, and a cache of what is public"),
    "published-copies.conf": ("nginx", "/etc/nginx/conf.d: serves the folder PUBLISH_TO"),
    "pgbouncer.ini": ("pgbouncer", "/etc/pgbouncer: between the processes and a PostgreSQL with a standby"),
    "rules.yml": ("prometheus", "alerts for Prometheus"),
    "dashboard.json": ("grafana", "a dashboard for Grafana"),
    "cors.json": ("s3", "which sites may read published copies in a bucket"),
}

# What stands in them for what differs.
DATA, COPIES, HOST = "/var/lib/rummy-evening", "/srv/rummy-copies", "club.example"
RUNS_AS, LISTENS, SOCKET = "-u rummy ", "--host 127.0.0.1 --port 8000", "ListenStream=127.0.0.1:8000"
NAME, ADDRESS = re.compile(r"[\w-]+(\.[\w-]+)+"), re.compile(r"[\w.-]+:\d+")


def main(words: Sequence[str]) -> None:
    """Print the named file, or the list of all. What is missing or wrong ends with status 2 and one line for it."""
    parser = argparse.ArgumentParser(prog="rummy-evening example")
    parser.add_argument("name", nargs="?", choices=EXAMPLES, metavar="NAME", help="which file; without it, the list")
    parser.add_argument("--host", help="the name that people type; by default the first of ALLOWED_HOSTS")
    web = "where the site listens, 127.0.0.1:8000 by default; for nginx once for each web machine"
    parser.add_argument("--web", action="append", metavar="ADDRESS:PORT", help=web)
    options = parser.parse_args(words)
    if options.name is None:
        sys.stdout.writelines(f"{name:<22} {purpose}\n" for name, (_, purpose) in EXAMPLES.items())
        return
    try:
        sys.stdout.write(filled(options.name, host=options.host, web=options.web or ["127.0.0.1:8000"]))
    except ValueError as error:
        parser.error(str(error))


def filled(name: str, *, host: str | None, web: Sequence[str]) -> str:
    """The text of an example for this installation. Raises ValueError with every value that it lacks."""
    text = (RESOURCES / "examples" / EXAMPLES[name][0] / name).read_text(encoding="utf-8")
    data, copies = os.environ.get("VAR_DIR", ""), os.environ.get("PUBLISH_TO", "")
    host = host or os.environ.get("ALLOWED_HOSTS", "").partition(",")[0].strip()
    problems = [f"--web {address!r}: type an address and a port" for address in web if not ADDRESS.fullmatch(address)]
    if len(web) > 1 and (LISTENS in text or SOCKET in text):
        problems.append("--web is given more than once: a service listens at one address")
    if (DATA in text or RUNS_AS in text) and not (data and Path(data).is_dir()):
        problems.append(f"VAR_DIR is {data!r}: name the folder of the data, which exists")
    if HOST in text and not NAME.fullmatch(host):
        problems.append(f"--host {host!r} is not the name of a machine: type one such as club.example")
    if COPIES in text and not copies.startswith("/"):
        problems.append(f"PUBLISH_TO is {copies!r}: nginx serves a folder")
    if problems:
        raise ValueError("; ".join(problems))
    user = Path(data).owner() if Path(data).is_dir() else ""
    values = {
        "/opt/rummy-evening": sys.prefix,
        DATA: str(Path(data).resolve()),
        "User=rummy\n": f"User={user}\n",
        RUNS_AS: f"-u {user} ",
        HOST: host,
        COPIES: copies,
        LISTENS: "--host {} --port {}".format(*web[0].split(":")),
        SOCKET: f"ListenStream={web[0]}",
        "server 127.0.0.1:8000 max_fails=0;": "\n    ".join(f"server {address} max_fails=0;" for address in web),
        "made-anew-each-time-that-this-file-is-printed": secrets.token_urlsafe(KEY_BYTES),
    }
    # In one pass: nothing is replaced in what was put in.
    return re.sub("|".join(map(re.escape, values)), lambda match: values[match.group()], text)
