"""Seasons: the nights that count, their standings and ratings."""
