"""Where the files of an export go: a folder that is there whole or not at all, or a zip file.

The same files give the same bytes: a zip file says of none when it was written.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tournaments.web.static_site.rewriting import File, safe

READABLE, ENTERABLE = 0o644, 0o755
# The first moment that a zip file can name.
NO_TIME = (1980, 1, 1, 0, 0, 0)


class FolderTaken(Exception):
    """Something stands there already. An export never goes over anything."""


def keep_folder(files: Iterable[File], folder: Path) -> int:
    """Write the files beside the place first, then move them there at once. Answers how many there are."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise FolderTaken(str(folder))
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
    try:
        count = sum(_keep(file, beside) for file in files)
        _let_everybody_read(beside)
        os.replace(beside, folder)
    except BaseException:
        rmtree(beside, ignore_errors=True)
        raise
    return count


def keep_zip(files: Iterable[File], out: IO[bytes], *, folder: str) -> int:
    """Write the files into a zip file that unpacks to one folder. Answers how many there are."""
    count = 0
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for file in files:
            entry = ZipInfo(f"{safe(folder)}/{safe(file.name)}", NO_TIME)
            entry.compress_type = ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = READABLE << 16
            archive.writestr(entry, file.content)
            count += 1
    return count


def _keep(file: File, folder: Path) -> int:
    path = folder / safe(file.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file.content)
    return 1


def _let_everybody_read(folder: Path) -> None:
    """It is made to be served by whatever server; this process writes for its owner alone."""
    folder.chmod(ENTERABLE)
    for path in folder.rglob("*"):
        path.chmod(ENTERABLE if path.is_dir() else READABLE)
