"""The folder that is the queue of one machine: kombu's, but for one thing. A message is in it once it is whole."""

from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps


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
