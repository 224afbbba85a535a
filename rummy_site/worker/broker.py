"""How the doorbell is wired: files in a folder on one machine, a real broker where there is one."""

from pathlib import Path
from typing import Any

# Celery looks into the folder this often; at its default of one second a bell answers visibly late.
LOOK_EVERY_SECONDS = 0.1
# Without it kombu goes on knocking for six seconds, in front of somebody whose deal is saved already.
KNOCK_ONCE = {"max_retries": 0}
# An unacknowledged task comes back after this long, should a worker die with it.
COME_BACK_SECONDS = 120


def broker_options(address: str, *, folder: Path) -> dict[str, Any]:
    """Celery's transport options for a broker address."""
    scheme = address.partition(":")[0]
    if scheme == "filesystem":
        return _folder_options(folder)
    if scheme in {"redis", "rediss"} or address.startswith("redis+socket"):
        waits = {"visibility_timeout": COME_BACK_SECONDS, "socket_connect_timeout": 3, "socket_timeout": 10}
        return {**waits, **KNOCK_ONCE}
    return {**KNOCK_ONCE}


def _folder_options(folder: Path) -> dict[str, Any]:
    queue, control = folder / "queue", folder / "control"
    for path in (queue, control):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        "data_folder_in": str(queue),
        "data_folder_out": str(queue),
        "control_folder": str(control),
        "polling_interval": LOOK_EVERY_SECONDS,
    }
