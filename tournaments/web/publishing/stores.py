"""Destinations of copies: a folder served by a web server, or an S3 compatible store.

Rules: docs/how-to/publishing.md, "Publish on change". A file is written completely or not at all. Errors of a store
become `StoreRefused`, whatever its library raises.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from mimetypes import guess_type
from pathlib import Path
from tempfile import mkstemp
from typing import Protocol
from urllib.parse import urlsplit

from django.conf import settings

READABLE, ENTERABLE = 0o644, 0o755
S3 = "s3"
# A slow store delays only its own copies; they are tried again.
PATIENCE_SECONDS = 10
MOST_DELETED_AT_ONCE = 1_000
KINDS = {".jsonl": "application/jsonl", ".json": "application/json"}


class StoreRefused(Exception):
    """Why a file could not be written or deleted."""


class Store(Protocol):
    """A place for files by name."""

    def put(self, name: str, content: bytes, kept: str) -> None:
        """Write a file, replacing one with its name. `kept` is its Cache-Control, where the store sends one."""

    def delete(self, names: Iterable[str]) -> None:
        """Delete files; a missing file is not an error."""


class FolderStore:
    """A folder. A file is written beside its destination, synced to disk, and renamed."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, name: str, content: bytes, kept: str) -> None:
        """The web server sets Cache-Control: examples/nginx/published-copies.conf."""
        path = self.root / name
        with _refused_as_store():
            self._make(path.parent)
            handle, beside = mkstemp(dir=path.parent, prefix=".")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fchmod(handle, READABLE)
                    # Web servers make a file's tag of its size and the second of its change. Two boards of one second
                    # may have one size, and who read the first would be told for ever that nothing has changed.
                    with suppress(FileNotFoundError):
                        os.utime(handle, times=2 * (max(time.time(), path.stat().st_mtime // 1 + 1),))
                    os.fsync(handle)
                os.replace(beside, path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(beside)
                raise
            _force(path.parent)

    def delete(self, names: Iterable[str]) -> None:
        """Folders left empty are deleted too."""
        with _refused_as_store():
            for name in names:
                path = self.root / name
                path.unlink(missing_ok=True)
                with suppress(OSError):
                    for folder in path.relative_to(self.root).parents[:-1]:
                        (self.root / folder).rmdir()

    def _make(self, folder: Path) -> None:
        """Create the parent folders, readable for the web server."""
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            for directory in (folder, *folder.parents):
                if directory == self.root.parent:
                    break
                directory.chmod(ENTERABLE)


class BucketStore:
    """A bucket of S3, or of a compatible service."""

    def __init__(self, bucket: str, prefix: str) -> None:
        # Imported where copies go to a bucket, and nowhere else.
        import boto3  # noqa: PLC0415
        from botocore.config import Config  # noqa: PLC0415

        patience = Config(
            connect_timeout=PATIENCE_SECONDS, read_timeout=PATIENCE_SECONDS, retries={"total_max_attempts": 2}
        )
        self.bucket, self.prefix = bucket, f"{prefix}/" if prefix else ""
        self.client = boto3.client("s3", endpoint_url=settings.PUBLISH_S3_ENDPOINT or None, config=patience)

    def put(self, name: str, content: bytes, kept: str) -> None:
        """An object is written completely or not at all."""
        kind = KINDS.get(Path(name).suffix) or guess_type(name)[0] or "application/octet-stream"
        if kind.startswith("text/"):
            kind = f"{kind}; charset=utf-8"
        with _refused_as_store():
            self.client.put_object(
                Bucket=self.bucket, Key=self.prefix + name, Body=content, CacheControl=kept, ContentType=kind
            )

    def delete(self, names: Iterable[str]) -> None:
        """Delete as many per request as allowed."""
        keys = [{"Key": self.prefix + name} for name in names]
        with _refused_as_store():
            for at in range(0, len(keys), MOST_DELETED_AT_ONCE):
                some = keys[at : at + MOST_DELETED_AT_ONCE]
                response = self.client.delete_objects(Bucket=self.bucket, Delete={"Objects": some, "Quiet": True})
                if errors := response.get("Errors"):
                    raise StoreRefused(f"{errors[0].get('Key')}: {errors[0].get('Code')}")


def store_at(address: str) -> Store:
    """Return the store at `s3://bucket/prefix`, else in a folder."""
    parts = urlsplit(address)
    if parts.scheme != S3:
        return FolderStore(Path(address))
    with _refused_as_store():
        return BucketStore(parts.netloc, parts.path.strip("/"))


@contextmanager
def _refused_as_store() -> Iterator[None]:
    """Turn errors of a disk, a network or a store into `StoreRefused`."""
    try:
        yield
    except StoreRefused:
        raise
    except Exception as error:
        if isinstance(error, OSError) or type(error).__module__.partition(".")[0] in ("botocore", "boto3"):
            raise StoreRefused(f"{type(error).__name__}: {error}") from error
        raise


def _force(folder: Path) -> None:
    """Sync the folder, so that the file's name is on the disk as well."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
