"""What a phone at a table says of itself, sent by static/tournaments/outbox.js.

Rules: docs/how-to/without-network.md, "What a director sees".
"""

from django.http import HttpResponse, HttpResponseNotAllowed

from tournaments.people.permissions import Deed
from tournaments.tables.commands.devices import Heard, note_device
from tournaments.web.admin.base.command_fields import CarriedNumber, KeyField, ReadForm
from tournaments.web.admin.base.request import Envelope, Visit

# Longer than any browser keeps a deal; a clock that was set may say so.
MOST_OLDEST_DIGITS = 15


class DeviceForm(ReadForm):
    """The device by its own key, how many deals wait on it, and for how many milliseconds the oldest one has."""

    device = KeyField()
    waiting = CarriedNumber()
    oldest = CarriedNumber(most_digits=MOST_OLDEST_DIGITS)


def device(visit: Visit) -> HttpResponse:
    """Note what it says; nothing is shown."""
    if visit.request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    visit.require(Deed.RECORD)
    said = DeviceForm(visit.request.POST).read
    if said["device"]:
        heard = Heard(key=said["device"], waiting=said["waiting"], oldest_seconds=said["oldest"] // 1000)
        note_device(visit.seen.row.pk, heard, order=visit.order(Envelope(version=0)))
    return HttpResponse(status=204)
