"""What published copies cost: a deal at one of 40 tables until its files are on the disk, and what is written for it.

200 players at 40 tables of 5, a folder on this disk, three languages, in one process on a fresh SQLite database.
Seconds are those of a clock from the deal to the last file; a worker looks once a second, which comes on top.

    python -m benchmarks.bench_copies [--json]
"""

import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import sized, tell, throwaway_site

DEALS = sized(9, smallest=1)
AT_MOST = {"deal_to_files_s": 2.0, "deal_kb": 1000.0}


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_most=AT_MOST)


def figures() -> dict[str, float]:
    """Every figure, in a database of its own that is thrown away."""
    with throwaway_site(LOG_LEVEL="ERROR"), TemporaryDirectory() as folder:
        return _measured(Path(folder) / "copies")


def _measured(folder: Path) -> dict[str, float]:
    from django.test import override_settings  # noqa: PLC0415 - the site comes first

    from benchmarks.evenings import large_tournament  # noqa: PLC0415
    from tournaments.web.publishing import publish_owed  # noqa: PLC0415
    from tournaments.web.publishing.stores import FolderStore  # noqa: PLC0415

    state, sizes, seconds = large_tournament(), list[int](), list[float]()
    put = FolderStore.put

    def counted(store: FolderStore, name: str, content: bytes, kept: str) -> None:
        sizes[-1] += len(content)
        put(store, name, content, kept)

    FolderStore.put = counted  # type: ignore[method-assign,assignment]  # the real one, and a count
    with override_settings(PUBLISH_TO=str(folder)):
        for number in range(DEALS + 1):
            if number:
                state.deal(state.playing[0])
            sizes.append(0)
            began, processor = time.perf_counter(), time.process_time()
            list(publish_owed())
            seconds.append(time.perf_counter() - began)
            if not number:
                whole = time.process_time() - processor
    return {
        "whole_cpu_s": whole,
        "whole_kb": sizes[0] / 1000,
        "deal_to_files_s": statistics.median(seconds[1:]),
        "deal_kb": statistics.median(sizes[1:]) / 1000,
    }


if __name__ == "__main__":
    main()
