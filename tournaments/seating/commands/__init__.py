"""What changes a seating."""
