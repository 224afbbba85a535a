"""Pages of an evening: rounds, rooms, screens, house rules."""
