"""Addresses below /api/v1/ that lead nowhere: a problem document, as for every other error here."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.people.permissions import Deed
from tournaments.web.api.base.doors import ApiView


@extend_schema(exclude=True)
class Elsewhere(ApiView):
    """Nothing is here, whatever is asked."""

    deeds = {"GET": Deed.SEE, "POST": Deed.SEE}
    is_public = True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse before anybody is asked who they are."""
        self.perform_content_negotiation(request, force=True)
        raise Http404

    def get(self, request: Request) -> Response:
        """Never reached."""
        raise Http404

    post = get
