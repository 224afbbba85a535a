"""A whole simulated night of 48 players, from the first entry to the winner, and the proof of it.

Processor time of this process, through the same deeds as at a table, on a fresh SQLite database. The format is the
first that suits: half of the field goes on, then a table of six; and the longest, seven rounds of four.

    python -m benchmarks.bench_night [--json]
"""

import argparse
import json
import os
import tempfile
import time

PLAYERS, PRESET, SEED = 48, "pool_101", "20260131"
FORMATS = {"night_s": "48_24_6", "seven_rounds_s": "seven_rounds_of_four"}
AT_MOST = {"night_s": 60.0, "seven_rounds_s": 60.0}


def main() -> None:
    """Print the figures beside what was promised."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    found = figures()
    if parser.parse_args().json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:24} {value:12.2f}   {f'at most {AT_MOST[name]:g}' if name in AT_MOST else ''}")


def figures() -> dict[str, float]:
    """Every figure, in a database of its own that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="rummy-bench-") as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/bench.sqlite3"
        os.environ["VAR_DIR"] = folder
        os.environ["LOG_LEVEL"] = "ERROR"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
        import django  # noqa: PLC0415 - the environment comes first

        django.setup()
        from django.core.management import call_command  # noqa: PLC0415

        call_command("migrate", verbosity=0)
        found: dict[str, float] = {}
        for name, wanted in FORMATS.items():
            found |= _played(name, wanted)
        with open(os.devnull, "w", encoding="ascii") as nowhere:
            for command in ("verify_log", "check_ledger"):
                call_command(command, stdout=nowhere)
            call_command("rebuild", check=True, stdout=nowhere)
        return found


def _played(name: str, wanted: str) -> dict[str, float]:
    """Seconds for one night, and how many deals it had."""
    from django.utils.timezone import now  # noqa: PLC0415

    from tournaments.commands.rehearsing import NightDraft, rehearsal_club, simulate_night  # noqa: PLC0415

    draft = NightDraft(players=PLAYERS, preset=PRESET, seed=SEED, format=wanted)
    start = time.process_time()
    night = simulate_night(rehearsal_club(), draft, now=now())
    seconds = time.process_time() - start
    if len(night.winners) != 1:
        raise AssertionError(f"{night.winners} won")
    return {name: seconds, name.removesuffix("_s") + "_deals": float(night.told["deal_recorded"])}


if __name__ == "__main__":
    main()
