"""Rummy Royal: options, board, game and score sheets."""
