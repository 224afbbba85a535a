"""What is still to be done at a table before a cut is made or the tournament is closed, as a refusal says it."""

from scoring.problems import Problem
from tournaments.models import Scoresheet


def contradicting(sheet: Scoresheet) -> Problem:
    detail = f"{sheet.table} (round {sheet.table.round}) has facts that contradict each other"
    return Problem(code="open_conflict", field="table", detail=detail)


def disputed(sheet: Scoresheet) -> Problem:
    detail = f"{sheet.table} (round {sheet.table.round}) has a disputed deal"
    return Problem(code="open_dispute", field="table", detail=detail)


def unconfirmed(sheet: Scoresheet) -> Problem:
    detail = (
        f"{sheet.table} (round {sheet.table.round}) has {sheet.unconfirmed} "
        f"{'deal' if sheet.unconfirmed == 1 else 'deals'} that nobody else has confirmed"
    )
    return Problem(code="unconfirmed", field="table", detail=detail)


def still_open(sheet: Scoresheet) -> Problem:
    detail = (
        f"{sheet.table} (round {sheet.table.round}) is still open after {sheet.deals} "
        f"{'deal' if sheet.deals == 1 else 'deals'}"
    )
    return Problem(code="table_open", field="table", detail=detail)
