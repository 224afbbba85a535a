"""What changes entries."""
