"""Readings of what is published: boards now and in the past, players, clubs, explanations."""
