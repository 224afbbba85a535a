"""The supervising process: what `manage.py serve` becomes once it has made sure that the site can be served.

It replaces the command's process and keeps its process id, but loads none of its modules: a site runs for weeks, and
the command would take ten times the memory. Knows nothing of Django.
"""

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import NoReturn

from rummy_site.operations.announcing import Announcement
from rummy_site.operations.preloading import Waiting
from rummy_site.operations.supervisor import Program, Supervisor

# How the process is called; the number of a pipe with the plan follows.
KEEPER = (sys.executable, "-m", "rummy_site.operations.serving")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to keep running, its addresses, and what ends it."""

    programs: Sequence[Program]
    host: str
    port: int
    # The hosts a hall's site answers to besides its own addresses; None where it is no hall's.
    hall_hosts: Sequence[str] | None = None
    # With which the first login is made, empty where there is one.
    setup_code: str = ""
    # The parent process: the site stops when it is gone.
    parent: int | None = None


def become_keeper(plan: Plan) -> NoReturn:
    """Become the supervising process. The plan goes through a pipe: a command's arguments can be read by every user."""
    plan_end, our_end = os.pipe()
    # A plan is smaller than a pipe's buffer, so nothing waits.
    os.write(our_end, json.dumps(asdict(plan)).encode())
    os.close(our_end)
    os.set_inheritable(plan_end, True)  # noqa: FBT003 (its own signature)
    os.execv(KEEPER[0], [*KEEPER, str(plan_end)])  # noqa: S606 (ourselves, without a shell)


def keep(plan: Plan) -> None:
    """Keep the programs running and print the site's address, until asked to stop or our parent process is gone."""
    announce = _announcement(plan)
    # Of several machines one may have a worker alone, which nobody visits.
    web = plan.programs[0]
    web.environment.update(announce.web_settings())
    supervisor = Supervisor(plan.programs, say=_say)

    def each_tick() -> None:
        if web.name == "web":
            announce.when_open()
        if announce.is_made:
            supervisor.start_followers()
        if announce.has_moved():
            supervisor.renew(web.name, announce.web_settings())
        if plan.parent is not None and os.getppid() != plan.parent:
            supervisor.stop()

    supervisor.run(each_tick=each_tick)


def _announcement(plan: Plan) -> Announcement:
    if plan.hall_hosts is None:
        return Announcement(host=plan.host, port=plan.port, say=_say, setup_code=plan.setup_code)
    from rummy_site.operations.hall import HallAnnouncement  # noqa: PLC0415 (a hall alone needs it)

    return HallAnnouncement(
        host=plan.host, port=plan.port, allowed=plan.hall_hosts, say=_say, setup_code=plan.setup_code
    )


def _say(line: str) -> None:
    """Print a line now. A closed terminal is no reason to stop serving."""
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def main() -> None:
    """Read the plan and run it."""
    with open(int(sys.argv[1]), encoding="utf-8") as pipe:
        plan = json.load(pipe)
    for program in plan["programs"]:
        program["waiting"] = program["waiting"] and Waiting(*program["waiting"])
    keep(Plan(**{**plan, "programs": [Program(**program) for program in plan["programs"]]}))


if __name__ == "__main__":
    main()
