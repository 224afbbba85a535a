"""A stand-in for Docker: the steps of a Containerfile and the services of a compose file, run as processes here.

No container and no network: each stage of the file has a folder for its root, and names of hosts become ports of this
machine. What is not known here fails, so that no line is left out.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import redis
import yaml

from rummy_site.operations.preloading import die_with_parent
from tests.builders.nginx import AROUND, NGINX
from tests.builders.patience import PATIENCE
from tests.builders.serve import ROOT, free_port

EXAMPLES = ROOT / "examples" / "container"
# Folders of an image; what else a command names is this machine's.
IN_IMAGE = re.compile(r"(?<![\w./$-])/(?:opt|src|data|backups|etc/nginx/conf.d|var/lib/apt|tmp)\b")
INSTRUCTION = re.compile(r"^([A-Z]+) (.*)$", re.DOTALL)
# Programs of root and of the network, which have nothing to do here.
STAND_INS = {
    "apt-get": "exit 0",
    "useradd": "exit 0",
    "install": 'for word; do case $word in --owner=*|--group=*) ;; *) set -- "$@" "$word" ;; esac; shift; done\n'
    'exec /usr/bin/install "$@"',
    "python3": f'exec {sys.executable} "$@"',
}
DOCKER = f"""#!{sys.executable}
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect(os.environ["STAND_IN"])
    line.sendall(json.dumps(sys.argv[1:]).encode() + b"\\n")
    answer = json.loads(line.makefile().readline())
if answer["command"]:
    os.execvpe(answer["command"][0], answer["command"], answer["environment"])
sys.exit(answer["problem"])
"""


@dataclass
class Stage:
    """One stage of a Containerfile, and the image that it becomes."""

    root: Path
    folder: str = "/"
    environment: dict[str, str] = field(default_factory=dict)
    stop_signal: str = ""
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    volumes: list[str] = field(default_factory=list)


def instructions(file: Path) -> Iterator[tuple[str, str]]:
    """Each instruction and its words."""
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    for text in re.split(r"\n(?=\S)", "\n".join(lines).replace("\\\n", " ").strip()):
        matched = INSTRUCTION.match(text.strip())
        assert matched, text
        yield matched[1], matched[2].strip()


def build(file: Path, folder: Path) -> dict[str, Stage]:
    """Run every step of the file. Nothing is fetched: what the locks name is what the tests run on."""
    programs = folder / "programs"
    programs.mkdir()
    for name, text in STAND_INS.items():
        (programs / name).write_text(f"#!/bin/bash\n{text}\n")
        (programs / name).chmod(0o755)
    stages: dict[str, Stage] = {}
    stage = Stage(folder)
    for kind, words in instructions(file):
        match kind, words.split():
            case "FROM", [_, "AS", name]:
                stage = stages[name] = Stage(folder / name)
                for path in ("tmp", "opt", "var/lib/apt/lists"):
                    (stage.root / path).mkdir(parents=True)
            case "RUN", _:
                _run(stage, words, programs)
            case "COPY", [option, path, to] if option.startswith("--from="):
                shutil.copytree(there(stages[option.removeprefix("--from=")], path), there(stage, to), symlinks=True)
            case "COPY", [*paths, to]:
                for path in paths:
                    _copy(ROOT / path, there(stage, to), into=to.endswith("/"))
            case _:
                _say(stage, kind, words)
    return stages


def _say(stage: Stage, kind: str, words: str) -> None:
    """An instruction that only says something of the image."""
    match kind:
        case "WORKDIR":
            stage.folder = words
            there(stage, ".").mkdir(parents=True)
        case "ENV":
            stage.environment |= dict(word.split("=", 1) for word in shlex.split(words))
        case "VOLUME":
            stage.volumes = words.split()
        case "USER" | "EXPOSE":
            pass
        case "STOPSIGNAL":
            stage.stop_signal = words
        case "HEALTHCHECK":
            stage.health = ["CMD", *json.loads(words.partition("CMD ")[2])]
        case "CMD":
            stage.command = json.loads(words)
        case _:
            raise AssertionError(f"{kind} {words} is not known here")


def there(stage: Stage, path: str) -> Path:
    """Where a path of the image is on this machine."""
    return Path(f"{stage.root}{Path(stage.folder, path)}")


def _copy(source: Path, to: Path, *, into: bool) -> None:
    if source.is_dir():
        shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__"))
        return
    target = to / source.name if into else to
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _run(stage: Stage, step: str, programs: Path) -> None:
    environment = {
        "PATH": f"{programs}:/usr/bin:/bin",
        "PYTHONPATH": sysconfig.get_path("purelib"),
        **dict.fromkeys(("PIP_NO_INDEX", "PIP_NO_COMPILE", "PIP_DISABLE_PIP_VERSION_CHECK"), "1"),
    }
    done = subprocess.run(
        ["bash", "-e", "-c", IN_IMAGE.sub(rf"{stage.root}\g<0>", step)],
        cwd=there(stage, "."),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, f"{step}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


class Compose:
    """The services of a compose file in a folder. PostgreSQL is one of the tests'; `valkey` is a program."""

    def __init__(self, home: Path, folder: Path, database: Any, valkey: Path) -> None:
        self.home, self.folder = home, folder
        self.database, self.valkey = database, valkey
        self.images: dict[str, Stage] = {}
        self.processes: dict[str, tuple[subprocess.Popen[bytes], Stage | None]] = {}
        # Services that run once, by the image that they did it with.
        self.finished: dict[str, Stage | None] = {}
        # Servers of the tests', which run before and after.
        self.others: set[str] = set()
        # Each service as often as it was started.
        self.started: list[str] = []
        self.ports = {name: free_port() for name in ("web-a", "web-b", "valkey", "http", "https")}

    # What the files say.

    @property
    def env_file(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in (self.home / ".env").read_text().splitlines())

    @property
    def services(self) -> dict[str, Any]:
        """As read, with the values of `.env`; one that is missing is an error, as `?` says."""
        values = self.env_file
        text = re.sub(r"\$\{(\w+)(?::\?[^}]*)?\}", lambda name: values[name[1]], self.text)
        services: dict[str, Any] = yaml.safe_load(text)["services"]
        return services

    @property
    def text(self) -> str:
        return (self.home / "compose.yaml").read_text()

    def image(self, service: Mapping[str, Any]) -> Stage | None:
        """The stage that a service is made of; None for an image of others."""
        return self.images[service["build"]["target"]] if "build" in service else None

    def environment(self, name: str) -> dict[str, str]:
        """As the container sees it, with what is elsewhere here."""
        service = self.services[name]
        image = self.image(service)
        said = {**(image.environment if image else {}), **(self.env_file if "env_file" in service else {})}
        said |= {key: str(value) for key, value in (service.get("environment") or {}).items()}
        ours = {"PYTHONPATH": sysconfig.get_path("purelib"), "LANG": "C.UTF-8"} if image else {}
        return {"PATH": os.environ["PATH"], **{key: self.here(value, name) for key, value in said.items()}, **ours}

    def here(self, word: str, name: str) -> str:
        """A word of the container's, with the folders and ports of this machine."""
        image = self.image(self.services[name])
        mounted = {target: str(self.mount(name, target)) for target in self.mounts(name)}
        if image:
            word = IN_IMAGE.sub(lambda path: mounted.get(path[0], f"{image.root}{path[0]}"), word)
        for of_container, of_here in (
            ("@postgres/", "@/"),
            ("redis://valkey/", f"redis://127.0.0.1:{self.ports['valkey']}/"),
            *((f"{web}:8000", f"127.0.0.1:{self.ports[web]}") for web in ("web-a", "web-b")),
            ("127.0.0.1:8000", f"127.0.0.1:{self.ports.get(name, 0)}"),
            ("https://127.0.0.1/", f"https://127.0.0.1:{self.ports['https']}/"),
        ):
            word = word.replace(of_container, of_here)
        return f"{word}?host={self.database.folder / 'run'}" if word.startswith("postgres://") else word

    def mounts(self, name: str) -> list[str]:
        service = self.services[name]
        image = self.image(service)
        volumes = [word.split(":")[1] for word in service.get("volumes", ())]
        return [*(word.split(":")[0] for word in service.get("tmpfs", ())), *volumes, *(image.volumes if image else ())]

    def mount(self, name: str, target: str) -> Path:
        """The folder behind a mount: of a volume by its name, of a file beside the compose file, or one of its own."""
        volumes = {word.split(":")[1]: str(word).split(":")[0] for word in self.services[name].get("volumes", ())}
        source = volumes.get(target, "")
        if source.startswith("./"):
            return self.home / source
        folder = self.folder / "volumes" / source if source else self.folder / "mounts" / name / target.strip("/")
        if not folder.exists():
            folder.mkdir(parents=True, mode=0o700)
        return folder

    # What Docker does.

    def serve(self, program: Path, **environment: str) -> None:
        """Run a program for which `docker` is this stand-in. The services are processes of ours, and end with us."""
        programs = self.folder / "docker"
        programs.mkdir()
        (programs / "docker").write_text(DOCKER)
        (programs / "docker").chmod(0o755)
        address = str(self.folder / "stand-in")
        paths = {"PATH": f"{programs}:{os.environ['PATH']}", "STAND_IN": address}
        with socket.socket(socket.AF_UNIX) as door, (self.folder / "program.log").open("w") as log:
            door.bind(address)
            door.listen()
            door.settimeout(0.1)
            process = subprocess.Popen(
                [program],
                env={**os.environ, **paths, **environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                while process.poll() is None:
                    self._answer(door)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        assert process.returncode == 0, self.logs()

    def _answer(self, door: socket.socket) -> None:
        try:
            line, _ = door.accept()
        except TimeoutError:
            return
        with line:
            answer: dict[str, Any] = {"problem": 0, "command": [], "environment": {}}
            try:
                name, command = self.do(json.loads(line.makefile().readline()))
                if command:
                    answer |= {"command": command, "environment": self.environment(name)}
            except (AssertionError, KeyError, subprocess.TimeoutExpired) as error:
                answer["problem"] = f"{type(error).__name__}: {error}"
            line.sendall(json.dumps(answer).encode() + b"\n")

    def do(self, words: Sequence[str]) -> tuple[str, list[str]]:
        """What `docker` is asked; a service, and a command of it that is to be run now."""
        match words:
            case ["compose", "run", "--rm", "--no-deps", name, *command]:
                return name, self.command(name, command)
            case ["compose", "run", "--rm", name, *command]:
                self.up_others(name)
                return name, self.command(name, command)
            case ["compose", "exec", "-T", name, *command] | ["compose", "exec", name, *command]:
                assert self.is_up(name), f"{name} does not run"
                return name, self.command(name, command)
            case ["compose", "up", "--detach", "--wait", "--no-deps", name]:
                self.up(name, with_others=False)
            case ["compose", *command]:
                self._do_all(command)
            case _:
                raise AssertionError(f"docker {shlex.join(words)} is not known here")
        return "", []

    def _do_all(self, words: Sequence[str]) -> None:
        match words:
            case ["build", "--pull"]:
                self.build()
            case ["up", "--detach", *options]:
                assert set(options) <= {"--build", "--wait"}
                if "--build" in options:
                    self.build()
                for name in self.services:
                    self.up(name)
            case ["stop", *names]:
                for name in names:
                    self.stop(name)
            case ["down"]:
                for name in reversed(self.services):
                    self.stop(name)
            case _:
                raise AssertionError(f"docker compose {shlex.join(words)} is not known here")

    def build(self) -> None:
        """New images. Containers of the old ones keep theirs until they are replaced."""
        if self.images:
            # Of what nginx is made, nothing has changed: Docker takes it from its cache.
            self.images["site"] = replace(self.images["site"])
            return
        [(context, file)] = {
            (service["build"]["context"], service["build"]["dockerfile"])
            for service in self.services.values()
            if "build" in service
        }
        assert (EXAMPLES / context).resolve() == ROOT
        folder = self.folder / "images"
        folder.mkdir()
        self.images = build(ROOT / file, folder)

    def command(self, name: str, words: Sequence[str]) -> list[str]:
        """A command of a service as it is run here."""
        service = self.services[name]
        image = self.image(service)
        chosen = list(words) or service.get("command") or (image.command if image else [])
        command = [self.here(str(word), name) for word in chosen]
        postgres = {program: str(self.database.programs / program) for program in ("psql", "pg_dump", "pg_restore")}
        match command:
            case ["rummy-evening", *_]:
                assert image
                command[0] = str(image.root / "opt/rummy/bin/rummy-evening")
                # The machine's PostgreSQL may be older than that of the tests.
                if "backup" in command:
                    command += ["--pg-dump", postgres["pg_dump"]]
                if "restore" in command:
                    command += ["--pg-restore", postgres["pg_restore"]]
                if "serve" in command and name != "worker":
                    command += ["--port", str(self.ports[name])]
            case ["psql", *_]:
                command = [postgres["psql"], "--host", str(self.database.folder / "run"), *command[1:]]
                command = [word for word in command if word != "--host=127.0.0.1"]
            case ["valkey-server", *_]:
                place = ["--port", str(self.ports["valkey"]), "--bind", "127.0.0.1", "--dir", str(self.folder)]
                command = [str(self.valkey), *command[1:], *place]
            case ["nginx", *_]:
                command = [*self.nginx(), *command[1:]]
            case ["python3", *_]:
                assert image
                command[0] = str(image.root / "opt/rummy/bin/python3")
            case ["tar" | "ls", *_]:
                pass
            case _:
                raise AssertionError(f"{name} has no {shlex.join(command)}")
        return command

    def nginx(self) -> list[str]:
        """Its command, with the configuration of the image."""
        folder = self.folder / "nginx"
        if not folder.exists():
            folder.mkdir()
            text = there(self.images["nginx"], "/etc/nginx/conf.d/default.conf").read_text()
            for of_container, of_here in (
                ("listen 443 ssl;", f"listen 127.0.0.1:{self.ports['https']} ssl;"),
                ("listen 80;", f"listen 127.0.0.1:{self.ports['http']};"),
                ("/etc/nginx/tls/", f"{self.mount('nginx', '/etc/nginx/tls')}/"),
                ("/var/cache/nginx/", f"{self.mount('nginx', '/var/cache/nginx')}/"),
                *((f"server {web}:8000 ", f"server 127.0.0.1:{self.ports[web]} ") for web in ("web-a", "web-b")),
            ):
                assert of_container in text, of_container
                text = text.replace(of_container, of_here)
            (folder / "example.conf").write_text(text)
            user = "user root;" if os.geteuid() == 0 else ""
            (folder / "nginx.conf").write_text(AROUND.format(folder=folder, user=user))
        return [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]

    def up_others(self, name: str) -> None:
        """Start what a service depends on, as far as it says."""
        for other, state in self.services[name].get("depends_on", {}).items():
            self.up(other)
            match state["condition"]:
                case "service_completed_successfully":
                    assert other in self.finished
                case "service_healthy":
                    assert self.is_healthy(other)
                case _:
                    raise AssertionError(state)

    def up(self, name: str, *, with_others: bool = True) -> None:
        """Start a service, or put a container of the new image in the place of an old one; wait until it is well."""
        service = self.services[name]
        image = self.image(service)
        if self.finished.get(name, self) is image:
            return
        if self.is_up(name) and (name in self.others or self.processes[name][1] is image):
            return
        if with_others:
            self.up_others(name)
        self.stop(name)
        if service.get("restart") == "no":
            done = subprocess.run(
                self.command(name, []), env=self.environment(name), capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr
            self.finished[name] = image
            return
        if name == "postgres":
            self.prepare_database()
        else:
            with (self.folder / f"{name}.log").open("a") as log:
                process = subprocess.Popen(
                    self.command(name, ["nginx"] if name == "nginx" else []),
                    env=self.environment(name),
                    cwd="/",
                    stdout=log,
                    stderr=log,
                    preexec_fn=die_with_parent,  # noqa: PLW1509 (no thread runs)
                )
            self.processes[name] = process, image
        self.started.append(name)
        deadline = time.monotonic() + PATIENCE
        while not self.is_healthy(name):
            assert self.is_up(name), f"{name} ended: {self.logs()}"
            assert time.monotonic() < deadline, f"{name} does not get well: {self.logs()}"
            # A check is a process, which takes from what the service needs to start.
            time.sleep(0.5)

    def prepare_database(self) -> None:
        """What PostgreSQL's image does with an empty volume: it runs the files that are mounted for that."""
        for volume in self.services["postgres"]["volumes"]:
            source, at, *_ = volume.split(":")
            if at.startswith("/docker-entrypoint-initdb.d/"):
                run = ["psql", "--set=ON_ERROR_STOP=1", "--no-psqlrc", "--username=postgres"]
                command = self.command("postgres", [*run, f"--file={self.home / source}"])
                done = subprocess.run(
                    command, env=self.environment("postgres"), capture_output=True, text=True, check=False
                )
                assert done.returncode == 0, done.stderr
        self.others.add("postgres")

    def is_up(self, name: str) -> bool:
        return name in self.others or (name in self.processes and self.processes[name][0].poll() is None)

    def is_healthy(self, name: str) -> bool:
        """What its health check says, once."""
        service = self.services[name]
        image = self.image(service)
        kind, *command = service.get("healthcheck", {}).get("test") or (image.health if image else ["CMD"])
        assert kind == "CMD"
        match command:
            case []:
                return True
            case ["curl", "--fail", "--silent", "--insecure", address]:
                return self._answers(self.here(address, name))
            case ["valkey-cli", "ping"]:
                return self._pings()
        checked = subprocess.run(
            self.command(name, command), env=self.environment(name), capture_output=True, timeout=PATIENCE, check=False
        )
        return checked.returncode == 0

    def _answers(self, address: str) -> bool:
        trusted = ssl.create_default_context(cafile=str(self.home / "tls" / "fullchain.pem"))
        trusted.check_hostname = False
        try:
            with urlopen(address, timeout=5, context=trusted) as answer:  # noqa: S310 (the address is ours)
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False

    def _pings(self) -> bool:
        try:
            return bool(redis.Redis(port=self.ports["valkey"], socket_timeout=2).ping())
        except redis.RedisError:
            return False

    def stop(self, name: str) -> None:
        """By the signal of the image, and by force after the time that the service gives it."""
        if name not in self.processes:
            return
        process, _ = self.processes.pop(name)
        service = self.services[name]
        image = self.image(service)
        process.send_signal(signal.Signals[image.stop_signal] if image and image.stop_signal else signal.SIGTERM)
        assert process.wait(PATIENCE) == 0

    def logs(self) -> str:
        return "".join(f"{path.name}: {path.read_text()[-1500:]}\n" for path in self.folder.glob("*.log"))
