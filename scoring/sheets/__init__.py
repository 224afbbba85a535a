"""Readings that come up out of the facts: snapshots, score sheets, standings, leaderboards. Pure."""
