"""How the doorbell is wired: files in a folder on one machine, a real broker where there is one."""

from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps

TRANSPORT_ALIASES["filesystem"] = "rummy_site.worker.broker:Transport"
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


# The folder that carries bells on one machine: kombu's, but for one thing. A bell is in it once it is whole.


class Channel(filesystem.Channel):
    """Writes a message beside its name and gives it the name at the end. kombu's own types of `_put` disagree."""

    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override]
        """Put a message into a queue. Raises ChannelError where the folder takes none."""
        name = Path(self.data_folder_out) / f"{monotonic() * 1000:.0f}_{uuid4()}.{queue}.msg"
        unnamed = name.with_suffix(".part")
        try:
            unnamed.write_bytes(dumps(payload).encode())
            unnamed.replace(name)
        except OSError as error:
            raise ChannelError(f"the queue takes no message: {error}") from error


class Transport(filesystem.Transport):
    """kombu's transport with that channel."""

    Channel = Channel
