"""One seat's cards judged while they are typed: the fragment that the scorer's page fetches.

Rules: docs/evening.md, "Scoring". Stores nothing.
"""

from django.http import Http404, HttpResponse

from scoring.rules.outcomes import DealOptions
from tournaments.admin.deal_forms import DEAL_KINDS, RECORDED
from tournaments.admin.seat_hands import seat_hand
from tournaments.admin.sheet_entry import typed_in
from tournaments.admin.visits import Visit


def hand(visit: Visit) -> HttpResponse:
    """What is said of the cards of one seat, as the form stands."""
    post, setup = visit.request.POST, visit.seen.table.setup
    seat, options = post.get("seat", ""), setup.options
    if visit.request.method != "POST" or seat not in setup.seats or not isinstance(options, DealOptions):
        raise Http404
    kind = post.get("kind", "")
    visit.require_to_record(kind if kind in DEAL_KINDS else RECORDED)
    return visit.fragment("seat_hand.html", {"hand": seat_hand(options, typed_in(post, setup.seats), seat)})
