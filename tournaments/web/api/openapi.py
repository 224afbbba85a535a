"""The OpenAPI description of the API, as YAML or JSON: made once in each process, as making it takes 0.1 s."""

from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

RENDERERS = {renderer.format: renderer for renderer in (OpenApiYamlRenderer, OpenApiJsonRenderer)}


@lru_cache
def description(written_as: str) -> bytes:
    """Return the whole description as `yaml` or `json`: the same for everybody, changed by new code alone."""
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    text: bytes = RENDERERS[written_as]().render(schema, renderer_context={})
    return text


class DescriptionView(SpectacularAPIView):
    """drf-spectacular's own, without making the description anew for each request."""

    is_public = True

    @extend_schema(exclude=True)
    def get(self, request: Request, *_: Any, **__: Any) -> HttpResponse:
        """Return it in the format that the client accepts."""
        renderer = request.accepted_renderer
        kind = renderer.media_type if renderer.charset is None else f"{renderer.media_type}; charset=utf-8"
        name = {"Content-Disposition": f'inline; filename="Rummy Evening.{renderer.format}"'}
        return HttpResponse(description(renderer.format), content_type=kind, headers=name)
