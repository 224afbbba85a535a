"""The API: one of the doors. Every view reads its input, calls one command or query, and answers.

Rules: docs/reference/api.md. Deny by default: a method for which the view names no permission is refused.
"""
