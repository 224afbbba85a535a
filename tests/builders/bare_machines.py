"""Machines without anything, below a folder: what a page says for root is run here by anybody, and stays in the folder.

Paths and addresses of a page are moved. Real are the shell, the wheel, the service's processes with what their units
say, nginx, PostgreSQL, RabbitMQ, certificates and ports. Stand-ins take the place of systemd, packages, users, certbot
and ssh: they ask this process, which starts what has to go on running, and ends it with the test.
"""

import getpass
import http.client
import json
import os
import re
import secrets
import shlex
import shutil
import socket
import ssl
import string
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from rummy_site.operations.backup import DEBIAN_HOME
from tests.builders.certificates import write_certificate
from tests.builders.nginx import write_configuration
from tests.builders.patience import PATIENCE
from tests.plugins import postgres, rabbitmq
from tests.plugins.servers import Server, die_with_parent

HOST = "club.example"
HTTP, HTTPS = 8080, 8443
ASK = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect({address!r})
    line.sendall(json.dumps([{machine!r}, os.path.basename(sys.argv[0]), *sys.argv[1:]]).encode() + b"\\n")
    status, said = json.loads(line.makefile().read())
sys.stdout.write(said)
sys.exit(status)
"""
RUNUSER = """#!/bin/sh
user=$2; shift 3
[ "$user" != postgres ] || export PGHOST={sockets} PGUSER=postgres
exec "$@"
"""
# A virtualenv with the libraries that the tests run on: nothing is downloaded, and the wheel is really installed.
PYTHON3 = """#!/bin/sh
[ "$1 $2" = "-m venv" ] || exec {python} "$@"
{python} -m venv --without-pip "$3"
for place in "$3"/lib/python3.*/site-packages; do
    echo {libraries} > "$place/dependencies.pth"
    echo 'import club_name' > "$place/club_name.pth"
    cp {club_name} "$place/"
done
printf '#!/bin/sh\\nexec {python} -m pip --python %s/bin/python "$@"\\n' "$3" > "$3/bin/pip"
/bin/chmod +x "$3/bin/pip"
"""
# What the name service says of the club's name.
CLUB_NAME = """
import socket
asked = socket.getaddrinfo
def getaddrinfo(host, port, *words, **more):
    return asked(*(({front!r}, {https}) if (host, port) == ({name!r}, 443) else (host, port)), *words, **more)
socket.getaddrinfo = getaddrinfo
"""


class Machines:
    """Some machines in a network of their own, and what runs on them. `front` is where nginx will be."""

    def __init__(self, folder: Path, *, names: list[str], front: str, wheel: Path) -> None:
        self.folder, self.wheel = folder, wheel
        # A part of the loopback network: each machine has an address, and each of its services its usual port.
        self.network = f"127.{10 + secrets.randbelow(240)}.{secrets.randbelow(250)}"
        self.names, self.front = names, self._address(front)
        self.certificate = write_certificate(folder / "certificate", HOST)
        self.shells: dict[str, subprocess.Popen[str]] = {}
        self.services: dict[tuple[str, str], subprocess.Popen[bytes]] = {}
        self.servers: dict[str, Server] = {}
        self.sockets: dict[tuple[str, str], socket.socket] = {}
        self.broker_port = 0
        self._asked = socket.socket(socket.AF_UNIX)
        # The path of a socket must be short.
        self._asked_at = f"/tmp/bare-machines-{secrets.token_hex(8)}"  # noqa: S108
        self._asked.bind(self._asked_at)
        self._asked.listen()
        self._asked.settimeout(0.05)
        for name in names:
            for place in ("etc/systemd/system", "etc/nginx/conf.d", "opt", "root", "run", "usr/local/bin", "var/lib"):
                (self.root(name) / place).mkdir(parents=True)

    def root(self, machine: str) -> Path:
        # Not the address: that is moved.
        return self.folder / machine.replace(".", "-")

    def moved(self, text: str, machine: str) -> str:
        """A text with the paths and addresses of this run; a moved one stays as it is."""
        moved_already = re.escape(str(self.folder))
        paths = rf"(?<![\w./}}*-])(?!{moved_already})/(etc|opt|root|run|usr/local|var)/"
        text = re.sub(paths, lambda path: f"{self.root(machine)}{path.group()}", text)
        for its, own in (
            ("10.0.0.0/24", "127.0.0.0/8"),
            ("10.0.0.", f"{self.network}."),
            ("127.0.0.1:8000", f"{self.network}.1:8000"),
            ("--host 127.0.0.1", f"--host {self.network}.1"),
            ("PROXIES=127.0.0.1", f"PROXIES={self.network}.1"),
            ("listen_addresses = '*'", f"listen_addresses = '{self.network}.1'"),
        ):
            text = text.replace(its, own)
        return re.sub(rf"(amqp://[^@]+@){self.network}\.1/", rf"\g<1>127.0.0.1:{self.broker_port}/", text)

    def run(self, lines: str, machine: str) -> str:
        """Run lines in the machine's shell, as they were moved; what they print. Fails with the first that fails."""
        shell = self.shells.get(machine) or self._open_shell(machine)
        log = self.root(machine) / "lines.log"
        assert shell.stdin
        # As they are pasted: a program that reads what is typed gets the lines after it.
        shell.stdin.write(f"exec >{log} 2>&1\n{self.moved(lines, machine)}\necho done\n")
        shell.stdin.flush()
        deadline = time.monotonic() + PATIENCE
        while not (log.exists() and log.read_text().endswith("done\n")):
            assert shell.poll() is None, f"{lines}\n{log.read_text()}\n{self.logs()}"
            assert time.monotonic() < deadline, f"{log.read_text()}\n{self.logs()}"
            self._answer_one()
        printed = log.read_text()
        log.unlink()
        return printed.removesuffix("done\n")

    def until(self, is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < deadline, self.logs()
            time.sleep(0.1)

    def ask(self, path: str, *, method: str = "GET", body: Any = None, **headers: str) -> tuple[int, str]:
        """The answer at https://club.example, with its certificate checked."""
        trusted = ssl.create_default_context(cafile=str(self.certificate))
        line = trusted.wrap_socket(socket.create_connection((self.front, HTTPS), PATIENCE), server_hostname=HOST)
        connection = http.client.HTTPConnection(HOST, timeout=PATIENCE)
        connection.sock = line
        with closing(connection):
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def logs(self) -> str:
        return "\n".join(f"{path}\n{path.read_text()[-3000:]}" for path in self.folder.glob("*/*.log"))

    def end(self) -> None:
        for shell in self.shells.values():
            shell.kill()
            shell.wait()
        for process in self.services.values():
            process.terminate()
        for process in self.services.values():
            process.wait(PATIENCE)
        for server in self.servers.values():
            server.stop()
        for listener in (*self.sockets.values(), self._asked):
            listener.close()
        os.unlink(self._asked_at)

    # --- The programs that a page calls ---

    def _open_shell(self, machine: str) -> "subprocess.Popen[str]":
        root, programs = self.root(machine), self.root(machine) / "bin"
        programs.mkdir()
        shutil.copy(self.wheel, root)
        ask = ASK.format(python=sys.executable, address=self._asked_at, machine=machine)
        for name in ("apt-get", "certbot", "chmod", "nginx", "ssh", "systemctl", "useradd"):
            _write_program(programs / name, ask)
        (root / "club_name.py").write_text(CLUB_NAME.format(front=self.front, https=HTTPS, name=HOST))
        libraries, club_name = sysconfig.get_path("purelib"), root / "club_name.py"
        python3 = PYTHON3.format(python=sys.executable, libraries=libraries, club_name=club_name)
        _write_program(programs / "python3", python3)
        _write_program(programs / "runuser", RUNUSER.format(sockets=""))
        environment = {
            "PATH": f"{programs}:{root}/usr/local/bin:/usr/bin:/bin",
            "HOME": str(root / "root"),
            "SSL_CERT_FILE": str(self.certificate),
            **dict.fromkeys(("PIP_NO_DEPS", "PIP_NO_INDEX", "PIP_NO_COMPILE"), "1"),
            "PYTHONPYCACHEPREFIX": str(self.folder / "compiled"),
        }
        shell = subprocess.Popen(
            ["bash", "-e", "-o", "pipefail"],
            cwd=root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=die_with_parent,  # noqa: PLW1509 (no thread runs)
        )
        self.shells[machine] = shell
        return shell

    def _answer_one(self) -> None:
        """Answer one program that a shell has called, if one has."""
        try:
            line, _ = self._asked.accept()
        except TimeoutError:
            return
        with line:
            machine, program, *words = json.loads(line.makefile().readline())
            try:
                answer = 0, getattr(self, f"_{program.replace('-', '_')}")(machine, *words) or ""
            except Exception as error:  # noqa: BLE001 - the page's line fails, and the test with it
                answer = 1, f"{program}: {error!r}\n"
            line.sendall(json.dumps(answer).encode())

    def _apt_get(self, machine: str, *words: str) -> None:
        if words == ("update",):
            return
        assert words[:2] == ("install", "--yes"), words
        programs = self.root(machine) / "bin"
        for package in words[2:]:
            match package:
                case "nginx":
                    (self.root(machine) / "var/lib/nginx").mkdir()
                case "postgresql":
                    server = self._install_postgresql(machine)
                    runuser = RUNUSER.format(sockets=server.folder / "run")
                    _write_program(programs / "runuser", runuser)
                case "postgresql-client":
                    for name in ("pg_dump", "pg_restore"):
                        (programs / name).symlink_to(self._postgresql / name)
                case "rabbitmq-server":
                    _write_program(programs / "rabbitmqctl", self._install_rabbitmq())
                case "ca-certificates" | "python3-venv" | "certbot" | "python3-certbot-nginx":
                    pass
                case _:
                    raise AssertionError(f"nothing is known of the package {package}")

    def _install_postgresql(self, machine: str) -> Server:
        """As on a bare machine: for this machine alone, and without a language."""
        server = self.servers["postgresql"] = Server("postgres")
        # Debian's programs where there are any: a backup takes those first, and they must fit the server.
        debian = sorted(DEBIAN_HOME.glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
        self._postgresql = debian[-1].parent if debian else postgres.programs_of(server)
        data = server.own_folder("data")
        (self.root(machine) / "bin" / "psql").symlink_to(self._postgresql / "psql")
        server.own_folder("run").chmod(0o755)
        owner = ("--username", "postgres", "--auth", "trust")
        no_language = ("--locale", "C", "--encoding", "SQL_ASCII")
        server.run([self._postgresql / "initdb", "--pgdata", data, *owner, *no_language, "--no-sync"])
        (data / "pg_hba.conf").write_text("local all all trust\n")
        with (data / "postgresql.conf").open("a") as settings:
            settings.write("listen_addresses = ''\n")
        self._start_postgresql()
        return server

    def _start_postgresql(self) -> None:
        server = self.servers["postgresql"]
        sockets = server.folder / "run"
        quick = [word for setting in postgres.QUICK for word in ("-c", setting)]
        program, data = self._postgresql / "postgres", server.folder / "data"
        server.start([program, "-D", data, "-k", sockets, *quick], is_up=lambda: postgres._answers(sockets))

    def _install_rabbitmq(self) -> str:
        """Start the broker; the program that speaks to it."""
        server = self.servers["rabbitmq"] = Server("rabbitmq")
        address = rabbitmq.start(server)
        self.broker_port = int(address.rstrip("/").rpartition(":")[2])
        as_user = ["setpriv", f"--reuid={server.user}", "--regid=nogroup", "--clear-groups"] if server.user else []
        variables = [f"{name}={value}" for name, value in server.variables.items()]
        command = [*as_user, "env", *variables, str(rabbitmq.PROGRAM.with_name("rabbitmqctl"))]
        return f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n'

    def _useradd(self, machine: str, *words: str) -> None:
        options = ["--system", "--create-home", "--home-dir", "--key", "HOME_MODE=0700", "rummy"]
        assert [word for word in words if not word.startswith("/")] == options, words
        Path(words[words.index("--home-dir") + 1]).mkdir(mode=0o700)

    def _certbot(self, machine: str, *words: str) -> None:
        assert words[:3] == ("certonly", "--nginx", "--domain"), words
        assert words[4:] == ("--deploy-hook", "systemctl reload nginx"), words
        shutil.copytree(self.certificate.parent, self.root(machine) / "etc/letsencrypt/live" / words[3])

    def _chmod(self, machine: str, mode: str, name: str) -> None:
        """The command that was printed is read by the machine's shell: it must find its settings."""
        path = Path(name)
        path.write_text(self.moved(path.read_text(), machine))
        path.chmod(int(mode, 8))

    def _ssh(self, machine: str, *words: str) -> str:
        # Without -n it would read what is typed after it.
        (option, host, program, path) = words
        assert (option, program) == ("-n", "cat")
        there = self._machine_at(host)
        return (self.root(there) / Path(path).relative_to(self.root(machine))).read_text()

    def _systemctl(self, machine: str, verb: str, *words: str) -> None:
        match verb, words:
            case "restart", ("postgresql",):
                self.servers["postgresql"].end()
                self._start_postgresql()
            case "reload", ("nginx",):
                self._run_nginx(machine)
            case "daemon-reload", ():
                pass
            case "restart", (unit,):
                self.services[machine, unit].terminate()
                self.services[machine, unit].wait(PATIENCE)
                self._start(machine, unit)
            case "enable", ("--now", *units):
                for unit in units:
                    self._start(machine, unit)
            case _:
                raise AssertionError(f"systemctl {verb} {words}")

    def _nginx(self, machine: str, *words: str) -> None:
        assert words == ("-t",)
        subprocess.run([*self._nginx_command(machine), "-t"], check=True, capture_output=True)

    def _run_nginx(self, machine: str) -> None:
        """Debian's package has started it long ago; here it starts with its first site."""
        process = subprocess.Popen(self._nginx_command(machine), preexec_fn=die_with_parent)  # noqa: PLW1509
        self.services[machine, "nginx"] = process

    def _nginx_command(self, machine: str) -> list[str]:
        folder = self.root(machine) / "nginx"
        folder.mkdir(exist_ok=True)
        # Otherwise the site would be asked from another address than PROXIES names.
        sites = f"proxy_bind {self.front};\n"
        for path in (self.root(machine) / "etc/nginx/conf.d").iterdir():
            sites += self.moved(path.read_text(), machine)
        for its, own in (
            ("listen 80;", f"listen {self.front}:{HTTP};"),
            ("listen [::]:80;", ""),
            ("listen 443 ssl;", f"listen {self.front}:{HTTPS} ssl;"),
            ("listen [::]:443 ssl;", ""),
        ):
            assert sites.count(its) == 1
            sites = sites.replace(its, own)
        return write_configuration(folder, sites)

    def _start(self, machine: str, unit: str) -> None:
        """Start a unit's program as its file says, and wait until it is there if it tells."""
        root = self.root(machine)
        name, _, kind = unit.partition(".")
        text = self.moved((root / "etc/systemd/system" / f"{name}.{kind or 'service'}").read_text(), machine)
        if kind == "socket":
            host, port = re.findall(r"^ListenStream=(.+):(\d+)$", text, re.MULTILINE)[0]
            self.sockets[machine, name] = socket.create_server((host, int(port)))
            return
        rows = [line.partition("=")[::2] for line in text.splitlines() if "=" in line and not line.startswith("#")]
        service = dict(rows)
        environment = self._environment(rows, machine)
        assert service["User"] == getpass.getuser()
        if folder := service.get("RuntimeDirectory"):
            (root / "run" / folder).mkdir(mode=int(service["RuntimeDirectoryMode"], 8))
        words = [string.Template(word).substitute(environment) for word in shlex.split(service["ExecStart"])]
        held = self.sockets.get((machine, unit))
        if held:
            environment["LISTEN_FDS"] = "1"
            words = ["bash", "-c", 'exec 3<&"$0"; LISTEN_PID=$$ exec "$@"', str(held.fileno()), *words]
        told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        if service.get("Type") == "notify":
            name = f"bare-machines-{secrets.token_hex(8)}"
            told.bind(f"\0{name}")
            environment["NOTIFY_SOCKET"] = f"@{name}"
        with told, (root / f"{unit}.log").open("wb") as log:
            process = self.services[machine, unit] = subprocess.Popen(
                words,
                cwd=service["WorkingDirectory"],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                umask=int(service["UMask"], 8),
                pass_fds=[held.fileno()] if held else [],
                preexec_fn=die_with_parent,  # noqa: PLW1509 (no thread runs)
            )
            if "NOTIFY_SOCKET" in environment:
                told.settimeout(PATIENCE)
                while told.recv(1000) != b"READY=1":
                    assert process.poll() is None

    def _environment(self, rows: list[tuple[str, str]], machine: str) -> dict[str, str]:
        """What a unit sets: its own values, then those of its files."""
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPYCACHEPREFIX": str(self.folder / "compiled")}
        texts = [value.replace("%t", str(self.root(machine) / "run")) for name, value in rows if name == "Environment"]
        lines = [word for text in texts for word in shlex.split(text)]
        for path in [value for name, value in rows if name == "EnvironmentFile"]:
            if not path.startswith("-") or Path(path[1:]).exists():
                text = self.moved(Path(path.lstrip("-")).read_text(), machine)
                lines += shlex.split(text, comments=True)
        return {**environment, **dict(line.partition("=")[::2] for line in lines)}

    def _address(self, machine: str) -> str:
        return machine.replace("10.0.0.", f"{self.network}.") if machine.startswith("10.0.0.") else f"{self.network}.1"

    def _machine_at(self, address: str) -> str:
        return next(name for name in self.names if self._address(name) == address)


def _write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)
