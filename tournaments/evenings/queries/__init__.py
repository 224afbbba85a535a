"""Queries about an evening."""
