"""A club's log for programs that follow it: every event in the order of the log, no position left out.

Rules: docs/reference/api.md, "The log". Bodies are for the roles that may read them in the back office.
"""

from uuid import UUID

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from tournaments import log
from tournaments.models.public_names import Names
from tournaments.people.permissions import Permission, may, permission_to_read
from tournaments.projections.shown import version_shown
from tournaments.web.api.answers import event_answer, shaped
from tournaments.web.api.club_shapes import LogAnswer, LogEntry
from tournaments.web.api.clubs import find_club
from tournaments.web.api.doors import ApiView, limit_of, tag_of, unless_known, whole_number
from tournaments.web.api.schema import AFTER_POSITION, MOST_AFTER, PAGING, describes


class ClubLog(ApiView):
    """What happened in a club."""

    permissions = {"GET": Permission.SEE}

    @describes("read_log", LogAnswer, parameters=[AFTER_POSITION, PAGING[0]], has_tag=True)
    def get(self, request: Request, club_id: UUID) -> HttpResponseBase:
        """The club's events behind a position, in the order in which they were stored.

        Positions have no gaps: remember the last one, and go on from there.
        """
        club = find_club(self, club_id)
        after = whole_number(request, "after", default=0, most=MOST_AFTER)
        limit = limit_of(request)
        position = log.last_position(club_id)
        readable = frozenset(permission for permission in Permission if may(self.actor, permission, club))
        # A reason can be erased, together with the name that raises this version.
        tag = tag_of(position, club_id, after, limit, sorted(readable), version_shown(club, Names.REAL))
        return unless_known(request, tag, lambda: _answer(club_id, after, limit, position, readable), is_shared=False)


def _answer(club_id: UUID, after: int, limit: int, position: int, readable: frozenset[Permission]) -> LogAnswer:
    # Not beyond the position of the tag: what is stored in between belongs to the next answer.
    stored_events = log.read_club(club_id, after, min(limit, max(0, position - after)))
    kinds = log.stream_kinds(club_id, {stored.stream_id for stored in stored_events})
    entries = []
    for stored in stored_events:
        stream_kind = kinds[stored.stream_id]
        can_read = permission_to_read(stored.kind, is_cash=stream_kind is log.StreamKind.CASH) in readable
        whole = event_answer(stored, is_member=True) if can_read else None
        entries.append(
            shaped(
                LogEntry,
                stored,
                stream=stored.stream_id,
                stream_kind=stream_kind.value,
                event=whole.event if whole else None,
                id=whole.id if whole else None,
                hash=whole.hash if whole else None,
            )
        )
    last = after + len(entries)
    return LogAnswer(club=club_id, position=position, events=entries, next_after=last if last < position else None)
