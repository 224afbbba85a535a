"""The API: one of the doors. Every view reads its input, calls one command or query, and answers.

Rules: docs/reference/api.md. Deny by default: a view names the deed of each of its methods, or the method is refused.
"""
