"""Pages of a tournament: rounds, room, projector screens, house rules."""
