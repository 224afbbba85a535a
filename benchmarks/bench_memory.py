"""What the served site holds in memory: web and worker together, after pages were read and a worker has worked.

Proportional set size, which counts a shared page once. The site is served as `make demo` serves it, in a folder of
its own.

    python -m benchmarks.bench_memory [--json]
"""

import urllib.request

from benchmarks.figures import sized, tell
from benchmarks.serving import family, pss_kb, served_site

LIMIT_MB = 400
READINGS = sized(200, smallest=2)
PAGES = ("/en-gb/", "/en-gb/c/marine-drive/", "/en-gb/c/marine-drive/t/pool-101-evening/", "/admin/login/")


def main() -> None:
    """Print the figures."""
    tell(__doc__, figures, at_most={"everything_mb": LIMIT_MB})


def figures() -> dict[str, float]:
    """Memory in MB of the supervisor and everything below it."""
    with served_site() as site:
        for _ in range(READINGS):
            for path in PAGES:
                urllib.request.urlopen(site.address + path).read()
        return {"everything_mb": sum(pss_kb(pid) for pid in family(site.pid)) / 1024}


if __name__ == "__main__":
    main()
