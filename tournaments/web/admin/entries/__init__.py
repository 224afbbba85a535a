"""Pages of the players of a tournament: entered, checked in, seated and moved."""
