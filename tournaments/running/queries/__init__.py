"""Queries about a tournament."""
