"""Seasons: the tournaments that count, their standings, and ratings."""
