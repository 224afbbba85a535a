"""Pages of an evening: plan, clock, cuts, prizes, paper, screens."""
