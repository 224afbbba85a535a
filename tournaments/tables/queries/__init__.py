"""Queries about a table."""
