"""What is read of a table."""
