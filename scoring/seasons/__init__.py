"""Seasons and ratings: what many nights come to, worked out from each night's places and tables.

Rules: docs/how-to/seasons.md. Pure: knows no clock, no names, no pages and no storage.
"""
