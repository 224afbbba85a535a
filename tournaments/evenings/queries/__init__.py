"""What is read of an evening."""
