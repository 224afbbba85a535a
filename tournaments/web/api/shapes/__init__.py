"""The shapes of answers and requests."""
