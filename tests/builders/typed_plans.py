"""A plan as its form sends it."""

from typing import Any

from scoring.tournament.plans import read_plan
from tournaments.running.commands.create import whole_plan
from tournaments.web.admin.tournament.plan_form import stored_plan


def typed(plan: dict[str, Any], **more: str) -> dict[str, Any]:
    """The form as a browser sends it back."""
    form = stored_plan(whole_plan(read_plan(plan)))
    sent: dict[str, Any] = {"do": "save", "stages": str(len(form.stages)), "version": "99"}
    for stage in form.stage_forms:
        sent |= {one.input_name: one.text for one in (*stage.first, *stage.more)}
    for one in form.plan_fields:
        sent[one.input_name] = [text for text in one.texts if text] if one.texts else one.text
    return sent | more
