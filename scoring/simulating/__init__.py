"""Deals that could have been played at a real table, from a seed: for rehearsals, demos, load and tests.

Rules: docs/rehearsal.md. Pure: chance comes in as a seed. Knows nothing of tournaments, clocks or storage.
"""

from scoring.simulating.chance import Chance
from scoring.simulating.deals import misread, next_deal

__all__ = ["Chance", "misread", "next_deal"]
