"""Signing in: passwords, sessions and how they end, and refusals after too many failures."""
