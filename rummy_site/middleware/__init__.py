"""Middleware: what every request and response passes through, and the answers to failures."""
