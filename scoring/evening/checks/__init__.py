"""Whether a fact may join an evening: entries, rounds, clock, prizes and limits."""
