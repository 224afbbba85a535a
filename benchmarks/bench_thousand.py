"""What a thousand clubs on one PostgreSQL cost: the figures of docs/reference/scale.md.

Milliseconds are processor time, `_db_ms` that of PostgreSQL, which is that of the tests, with fsync off. It takes about
an hour.

    python -m benchmarks.bench_thousand [--json] [--clubs N]
"""

import os

from benchmarks.databases import postgresql
from benchmarks.figures import parser_of, report, sized


def main() -> None:
    """Print the figures."""
    parser = parser_of(__doc__)
    parser.add_argument("--clubs", type=int, default=sized(1000, smallest=3), help="how many clubs there are")
    options = parser.parse_args()
    with postgresql() as environment:
        os.environ |= environment | {"DJANGO_SETTINGS_MODULE": "rummy_site.settings", "LOG_LEVEL": "ERROR"}
        os.environ |= {"API_WRITER_PER_MINUTE": "100000", "API_ADDRESS_PER_MINUTE": "1000000"}
        import django  # noqa: PLC0415 - settings come from the environment of this process

        django.setup()
        from benchmarks.many_clubs import measure  # noqa: PLC0415 - its models need the settings

        report(measure(options.clubs), as_json=options.json)


if __name__ == "__main__":
    main()
