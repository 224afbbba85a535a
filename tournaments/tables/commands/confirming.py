"""Confirming a deal: the word of somebody else than whoever wrote it down, as the table asks for it.

Rules: docs/evening.md, "Confirmation". Who wrote a deal is whoever recorded it, or corrected it last; where a second
official is asked for, only a person who signed in may confirm. Whether the deal waits for a word at all is the rules'
to say.
"""

from uuid import UUID

from scoring.facts import wire
from scoring.facts.wire import Fact
from scoring.problems import Problem
from scoring.rules.table.table import Table
from tournaments import log


def word_problems(table_id: UUID, table: Table, fact: Fact, actor: str) -> list[Problem]:
    """What speaks against this actor's word on a deal; one query, and that only where a deal is confirmed."""
    if not isinstance(fact, wire.DealConfirmed):
        return []
    entry = table.deal_entry(fact.deal)
    if entry is None:
        return []
    problems = []
    version = entry.corrected_at or entry.version
    if log.actors_of(table_id, [version]).get(version) == actor:
        detail = f"deal {fact.deal} was written down by you: somebody else confirms it"
        problems.append(Problem(code="own_deal", field="deal", detail=detail))
    if table.setup.confirmation == "second_official" and not is_official(actor):
        detail = f"deal {fact.deal} is confirmed by a second official, who signs in"
        problems.append(Problem(code="not_an_official", field="deal", detail=detail))
    return problems


def is_official(name: str) -> bool:
    """Whether the actor of this name is a person who signed in, and no table's card or device."""
    return name.startswith("user:")
