"""Read models derived from the events: snapshots, score sheets, standings, leaderboards. Pure."""
