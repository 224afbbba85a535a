"""Signing in: passwords, sessions and their ends, and who is refused after too many failures."""
