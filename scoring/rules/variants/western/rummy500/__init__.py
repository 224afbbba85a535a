"""Rummy 500: options and game."""
