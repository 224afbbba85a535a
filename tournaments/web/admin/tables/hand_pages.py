"""One seat's cards judged while they are typed: the fragment that the scorer's page fetches.

Rules: docs/evening.md, "Scoring". Stores nothing.
"""

from django.http import Http404, HttpResponse

from scoring.rules.variants.indian.outcomes import DealOptions
from tournaments.web.admin.base.request import Visit
from tournaments.web.admin.sheets.deal_forms import DEAL_KINDS, RECORDED
from tournaments.web.admin.sheets.seat_hands import seat_hand
from tournaments.web.admin.sheets.sheet_entry import typed_in


def hand(visit: Visit) -> HttpResponse:
    """What is said of the cards of one seat, as the form stands."""
    post, setup = visit.request.POST, visit.seen.table.setup
    seat, options = post.get("seat", ""), setup.options
    if visit.request.method != "POST" or seat not in setup.seats or not isinstance(options, DealOptions):
        raise Http404
    kind = post.get("kind", "")
    visit.require_to_record(kind if kind in DEAL_KINDS else RECORDED)
    return visit.fragment("seat_hand.html", {"hand": seat_hand(options, typed_in(post, setup.seats), seat)})
