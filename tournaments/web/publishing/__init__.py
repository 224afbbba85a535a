"""Copies of published tournaments, written to a folder or an object store whenever something changes."""
