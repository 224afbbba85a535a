"""Pages for the players of a tournament: entries, check-in, seating and moves."""
