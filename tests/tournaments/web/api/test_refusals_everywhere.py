"""A refusal is a problem document also where the answer itself would be YAML or HTML.

Planted fault that this catches: a refusal passed to the view's own renderer, which cannot render it, was a 500.
"""

import pytest
from django.test import Client

WAYS = [
    ("post", {}, 405),
    ("get", {"accept": "text/plain"}, 406),
    ("get", {"authorization": "Bearer unknown"}, 401),
]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/schema/", "/api/v1/docs/"])
@pytest.mark.parametrize(("method", "headers", "status"), WAYS)
def test_the_apis_own_description_refuses_in_the_apis_words(
    path: str, method: str, headers: dict[str, str], status: int
):
    answer = getattr(Client(raise_request_exception=False, headers=headers), method)(path)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == status
