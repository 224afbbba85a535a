"""What changes an evening."""
