"""What a correction would change, as text."""

from scoring.rules.table.previews import preview
from scoring.sheets.snapshots import load_table
from tournaments.boards.consequences import consequences
from tournaments.models import Scoresheet


def told(table, raw):
    """The preview of what a correction would change."""
    sheet = Scoresheet.objects.select_related("table__tournament__club").get(table=table.row)
    before = load_table(sheet.state)
    after = preview(before, raw).after
    assert after is not None
    return consequences(sheet, before, after)
