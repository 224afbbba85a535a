"""The folder that is the queue of one machine: kombu's, but a message appears in it only once it is complete."""

from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """Writes a message under another name and renames it at the end. kombu's own types of `_put` disagree."""

    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override]
        """Put a message into a queue. Raises ChannelError where the folder cannot be written to."""
        name = Path(self.data_folder_out) / f"{monotonic() * 1000:.0f}_{uuid4()}.{queue}.msg"
        unnamed = name.with_suffix(".part")
        try:
            unnamed.write_bytes(dumps(payload).encode())
            unnamed.replace(name)
        except OSError as error:
            # A disk that is full still takes the names of files.
            with suppress(OSError):
                unnamed.unlink()
            raise ChannelError(f"the queue takes no message: {error}") from error


class Transport(filesystem.Transport):
    """kombu's transport with that channel."""

    Channel = Channel
