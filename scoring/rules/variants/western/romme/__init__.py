"""Romme: options and game."""
