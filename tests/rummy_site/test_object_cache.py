"""The cache of objects that answers are made of: the objects themselves, bounded, for ten minutes."""

from datetime import timedelta

import pytest
import time_machine
from django.core.cache import caches
from django.test import override_settings
from django.utils.timezone import now

from rummy_site.settings import CACHES


def test_what_is_read_is_the_very_object_that_was_stored():
    """Planted fault: pickled, a board of 1,400 seats took longer to read than to make again."""
    objects, seats = caches["objects"], object()
    objects.set("seats", seats)
    assert objects.get("seats") is seats
    assert not objects.add("seats", object())
    assert objects.add("others", seats)
    assert objects.get("others") is seats
    assert objects.get("nothing", "else") == "else"


def test_what_holds_names_is_gone_after_ten_minutes():
    """Planted fault: without an end, a name that was erased stayed in a process that nobody asked for it."""
    objects, moment = caches["objects"], now()
    with time_machine.travel(moment, tick=False):
        objects.set("names", ["Bo"])
    with time_machine.travel(moment + timedelta(minutes=9), tick=False):
        assert objects.get("names") == ["Bo"]
    with time_machine.travel(moment + timedelta(minutes=11), tick=False):
        assert objects.get("names") is None
        assert objects.add("names", [])


@pytest.mark.parametrize("read_again", [0, 5])
def test_where_it_is_full_what_was_not_read_for_longest_goes_and_no_more(read_again: int):
    """Planted fault: a full cache that was emptied, so that a site of many tournaments made everything each time."""
    small = {**CACHES["objects"], "LOCATION": "small", "OPTIONS": {"MAX_ENTRIES": 9}}
    with override_settings(CACHES={**CACHES, "objects": small}):
        objects = caches["objects"]
        objects.clear()
        for number in range(9):
            objects.set(str(number), number)
        assert objects.get(str(read_again)) == read_again
        objects.set("new", "new")
        left = [number for number in range(9) if objects.get(str(number)) is not None]
        assert read_again in left
        assert len(left) == 6
        assert objects.get("new") == "new"
