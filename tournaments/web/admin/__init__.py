"""The back office: setting up, the scorer's page, and the evidence. Django finds the registrations here.

Rules: docs/roles.md says who may do what; docs/evening.md how an evening runs. Pages parse, call one command or
query, and answer.
"""

from tournaments.web.admin.books import books, journal
from tournaments.web.admin.register import clubs, evidence, logins, players, tables, tournaments
from tournaments.web.admin.seasons import seasons

__all__ = ["books", "clubs", "evidence", "journal", "logins", "players", "seasons", "tables", "tournaments"]
