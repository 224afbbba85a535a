"""The back office (Django admin): setup, scoring pages and audit records. `tournaments/admin.py` registers it.

Rules: docs/reference/roles.md says who may do what; docs/how-to/evening.md how a tournament runs. Pages parse, call one
command or query, and answer.
"""
