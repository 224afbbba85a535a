"""What is read of a seating."""
