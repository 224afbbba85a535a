"""Pages of a table: scoring, actions between deals, cards for devices."""
