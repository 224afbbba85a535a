"""A whole simulated night of 48 players, from the first entry to the winner, and the proof of it.

Processor time of this process, through the same deeds as at a table, on a fresh SQLite database. The format is the
first that suits: half of the field goes on, then a table of six; and the longest, seven rounds of four.

    python -m benchmarks.bench_night [--json]
"""

import os
import time

from benchmarks.figures import tell, throwaway_site

PLAYERS, PRESET, SEED = 48, "pool_101", "20260131"
FORMATS = {"night_s": "48_24_6", "seven_rounds_s": "seven_rounds_of_four"}
AT_MOST = {"night_s": 60.0, "seven_rounds_s": 60.0}


def main() -> None:
    """Print the figures beside what was promised."""
    tell(__doc__, figures, at_most=AT_MOST)


def figures() -> dict[str, float]:
    """Every figure, in a database of its own that is thrown away."""
    with throwaway_site(LOG_LEVEL="ERROR"):
        from django.core.management import call_command  # noqa: PLC0415 - the site comes first

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

    from tournaments.rehearsal.night import NightDraft, simulate_night  # noqa: PLC0415
    from tournaments.rehearsal.plans import rehearsal_club  # noqa: PLC0415

    draft = NightDraft(players=PLAYERS, preset=PRESET, seed=SEED, format=wanted)
    start = time.process_time()
    night = simulate_night(rehearsal_club(), draft, now=now())
    seconds = time.process_time() - start
    if len(night.winners) != 1:
        raise AssertionError(f"{night.winners} won")
    return {name: seconds, name.removesuffix("_s") + "_deals": float(night.told["deal_recorded"])}


if __name__ == "__main__":
    main()
