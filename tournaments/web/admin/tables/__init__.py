"""Pages of a table: scoring, acts between deals, cards for devices."""
