"""The queue that is a folder: a message is there completely or not at all."""

import errno
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection
from kombu.exceptions import ChannelError

from rummy_site.environment import broker_options
from rummy_site.worker.folder_transport import Channel

ADDRESS = "filesystem://localhost"


@pytest.fixture
def channel(tmp_path: Path) -> Iterator[Any]:
    with Connection(ADDRESS, transport_options=broker_options(ADDRESS, folder=tmp_path)) as connection:
        yield connection.channel()


def test_a_bell_that_is_being_written_is_not_heard_yet(channel: Any, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: kombu's own channel, whose file has its final name before its content."""
    looked = []
    write = Path.write_bytes

    def watched(path: Path, content: bytes) -> int:
        write(path, content[: len(content) // 2])
        with pytest.raises(Empty):
            channel._get("rummy")
        looked.append(path)
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", watched)
    channel._put("rummy", {"table": "T1"})
    assert len(looked) == 1
    assert channel._get("rummy") == {"table": "T1"}
    with pytest.raises(Empty):
        channel._get("rummy")


def test_every_bell_is_heard_once_and_in_its_own_queue(channel: Any):
    for number in range(5):
        channel._put("rummy", {"number": number})
        channel._put("others", {"number": -number})
    assert isinstance(channel, Channel)
    assert sorted(channel._get("rummy")["number"] for _ in range(5)) == [0, 1, 2, 3, 4]
    assert channel._get("others")["number"] <= 0


def test_a_full_disk_leaves_no_files_behind(channel: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Planted fault: an empty file for each message while the disk is full, for ever."""

    def full(path: Path, content: bytes) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ChannelError, match="No space left"):
        channel._put("rummy", {})
    assert list((tmp_path / "queue").iterdir()) == []


def test_a_folder_that_takes_nothing_is_told_as_kombu_tells_it(channel: Any, tmp_path: Path):
    (tmp_path / "queue").rename(tmp_path / "gone")
    with pytest.raises(ChannelError, match="the queue takes no message"):
        channel._put("rummy", {})
