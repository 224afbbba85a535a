"""Seating drafts, rounds that are seated, and players who are moved. The draw itself: `tournaments.draw`."""
