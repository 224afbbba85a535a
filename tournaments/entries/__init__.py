"""Entries of a tournament: lists, check-in, substitutes."""
