"""Entries of an evening: lists, check-in, substitutes."""
