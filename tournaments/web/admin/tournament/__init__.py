"""Pages of a running tournament: plan, clock, cuts, prizes, printing, projector screens."""
