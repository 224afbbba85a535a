"""Tournaments of a club: tables, the event log, and the web interfaces."""
