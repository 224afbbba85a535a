"""Queries about seatings."""
