"""Rum and block rummy: options and games."""
