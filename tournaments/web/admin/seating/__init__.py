"""Pages of seating drafts and of players who are moved."""
