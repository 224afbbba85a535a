"""The outbox of a device: deals that wait there until the server has stored them.

Rules: docs/how-to/without-network.md. What is kept and sent stands in static/tournaments/outbox.js; here is the script
that lets a page open without network, where there is HTTPS.
"""

from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import FileResponse, HttpRequest
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def outbox_worker(request: HttpRequest) -> FileResponse:
    """The service worker, at an address above all pages: a worker may serve what lies below its own."""
    found = finders.find("tournaments/outbox_worker.js")
    return FileResponse(Path(str(found)).open("rb"), content_type="text/javascript")
