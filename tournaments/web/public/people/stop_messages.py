"""The page on which a reader of mail stops it, without a login: the link in each message, and what mail programs post.

Rules: docs/how-to/messages.md, "Mail". Opening the link changes nothing, for mail scanners open every link.
"""

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from tournaments.models import Player, Receiver
from tournaments.outbox.mail import stopped_by
from tournaments.outbox.sending import switch_off


@csrf_exempt  # The signed token in the address is what permits it; a mail program posts without a session (RFC 8058).
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_messages(request: HttpRequest, token: str) -> HttpResponse:
    """Ask, and stop on POST; 404 for a token that this site has not made. Stopping twice changes nothing."""
    subject = stopped_by(token)
    if subject is None:
        raise Http404
    receiver, player = subject
    wants = False
    if request.method == "POST":
        if player is not None:
            # All rows of the person, also where they were merged after the mail.
            person = player.merged_into_id or player.pk
            Player.objects.filter(Q(pk__in=(player.pk, person)) | Q(merged_into=person)).update(wants_mail=False)
        elif receiver.is_on:
            switch_off(receiver, Receiver.OffReason.UNSUBSCRIBED, now=now())
    else:
        # Who opens the link again sees that it is done.
        wants = receiver.is_on if player is None else (player.merged_into or player).wants_mail
    return render(request, "pages/stop_messages.html", {"club": receiver.club, "is_done": not wants})
