"""What a scorer enters next at a table: the fields of its game, so that any app can draw the form."""

from uuid import UUID

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from scoring.rules.table.dealing import Due, deals_to_replay, due, next_dealer
from tournaments.models import Scoresheet
from tournaments.models.public_names import Names
from tournaments.people.permissions import Deed
from tournaments.tables.queries.sheets import SheetPage, seat_names, sheet_page
from tournaments.web.api.base.doors import ApiView, is_public, tag_of, unless_known
from tournaments.web.api.base.schema import describes
from tournaments.web.api.shapes.tables import EntryFormAnswer
from tournaments.web.api.views.tables import find_sheet


class EntryForm(ApiView):
    """The form of the next deal."""

    deeds = {"GET": Deed.SEE}
    is_public = True

    @describes("read_entry_form", EntryFormAnswer, has_tag=True)
    def get(self, request: Request, table_id: UUID) -> HttpResponseBase:
        """As of the table's version: send the deal with that as `expected_version`."""
        sheet = find_sheet(self, table_id)
        called = self.names_for(sheet.club_id)
        names = seat_names(table_id, called).values()

        def tag(shown: int) -> str:
            return tag_of(shown, "form", table_id, *names)

        return unless_known(
            request,
            tag(sheet.version),
            lambda: _form(sheet, sheet_page(table_id, called)),
            is_shared=is_public(sheet.table.tournament) and called is Names.PUBLIC,
            retag=lambda answer: tag(answer.version),
        )


def _form(sheet: Scoresheet, page: SheetPage) -> EntryFormAnswer:
    """The fields of what is due; none where nothing is."""
    table = page.table
    comes = due(table)
    is_over = comes is Due.NOTHING
    rules, is_extra = table.rules, comes is Due.TIEBREAK
    fields = () if is_over else rules.entry_form(table.setup, table.game, is_extra=is_extra)
    return EntryFormAnswer(
        table=sheet.table_id,
        version=table.version,
        variant=rules.name,
        due=comes.value,
        deal=table.next_deal,
        deals_to_replay=list(deals_to_replay(table)),
        dealer=None if is_over else next_dealer(table),
        seats={} if is_over else {seat: page.names[seat] for seat in table.in_play},
        fields=list(fields),
    )
