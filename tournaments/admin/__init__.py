"""The back office: setting up, the scorer's page, and the evidence. Django finds the registrations here.

Rules: docs/roles.md says who may do what; docs/evening.md how an evening runs. Pages parse, call one command or
query, and answer.
"""

from tournaments.admin import books, evidence, logins, people, players, seasons, tables, tokens, tournaments

__all__ = ["books", "evidence", "logins", "people", "players", "seasons", "tables", "tokens", "tournaments"]
