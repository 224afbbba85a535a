"""A missing value is reported with its field's label, in the user's language."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.builders.admin_tables import person
from tests.builders.languages import in_language
from tests.builders.western_pages import evening_of, fields
from tournaments.models import Club, Role

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("language", "missing"), [("en-gb", "Bo: in hand"), ("de", "Bo: Auf der Hand"), ("hi", "Bo: हाथ में")]
)
def test_what_is_missing_is_called_as_its_field_is(club: Club, language: str, missing: str):
    """Planted fault: the English title beside a German form."""
    evening = evening_of(club, "rummy500")
    client = in_language(language, person("sam", Role.SCORER, club))
    answer = client.post(evening.page("preview"), fields(1, {"out": "1"})).content.decode()
    assert missing in {node.text() for node in LexborHTMLParser(answer).css(".still bdi")}
