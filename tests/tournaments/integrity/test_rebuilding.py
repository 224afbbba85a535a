"""Boards equal the log: a planted difference of any column is found, and a rebuild fixes it."""

from collections.abc import Callable
from io import StringIO
from itertools import product
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.builders.playing import deal, finished_pool, loses, new_table, new_tournament, show
from tests.builders.tampering import undone
from tournaments.integrity import BATCH
from tournaments.integrity.rebuild import rebuild, rebuild_differences
from tournaments.integrity.rebuild_tables import SHEET_COLUMNS
from tournaments.models import Scoresheet, Standing

pytestmark = pytest.mark.django_db

OTHER: dict[type, Callable[[Any], Any]] = {
    bool: lambda value: not value,
    int: lambda value: value - 1 if value else 1,
    str: lambda value: value + " ",
    list: lambda value: [9],
}


def a_stormy_table():
    table = new_table()
    table.deal(1, show, loses(80), loses(3), loses(4))
    table.deal(2, show, loses(30), loses(3), loses(4))
    table.record({"kind": "rejoined", "seat": "2"})
    table.record({"kind": "deal_voided", "deal": 1, "reason": "fourteen cards"})
    table.record({"kind": "fact_withdrawn", "version": 4, "reason": "was never out"})
    table.record(deal(1, show, loses(41), loses(3), loses(4)))
    return table


STANDING_COLUMNS = ("total", "place", "is_in", "deals_won", "rank_key", "payout_minor", "drops_left")


def test_a_changed_column_of_a_board_is_found_and_fixed():
    finished_pool().close()
    assert rebuild_differences() == []
    for model, column in (*product([Scoresheet], SHEET_COLUMNS), *product([Standing], STANDING_COLUMNS)):
        rows = model._default_manager.all()
        if model is Standing:
            rows = rows.filter(seat_number=1)
        with undone():
            value = getattr(rows.get(), column)
            change = OTHER.get(type(value), lambda moment: moment.replace(year=2001))
            rows.update(**{column: change(value)})
            (difference,) = rebuild_differences()
            assert f": {column} is" in difference
            rebuild()
            assert rebuild_differences() == []


@pytest.mark.postgres
def test_rows_that_are_gone_come_back_and_rows_of_nobody_go():
    table = a_stormy_table()
    assert rebuild_differences() == []
    before = table.totals()
    Scoresheet.objects.all().delete()
    Standing.objects.filter(seat_number__lte=2).delete()
    Standing.objects.filter(seat_number=3).update(seat_number=9)
    assert len(rebuild_differences()) == 5
    rebuild()
    assert rebuild_differences() == []
    assert table.totals() == before


def test_the_command_names_differences_and_fails():
    finished_pool()
    Standing.objects.filter(seat_number=2).update(total=7)
    said = StringIO()
    with pytest.raises(CommandError, match="1 differences"):
        call_command("rebuild", check=True, stdout=said)
    assert "total is '7', the log says '120'" in said.getvalue()
    call_command("rebuild", stdout=said)
    call_command("rebuild", check=True, stdout=said)
    assert said.getvalue().endswith("The boards equal the log.\n")


@pytest.mark.postgres
def test_statements_do_not_grow_with_the_tables_of_a_batch(django_assert_max_num_queries):
    tournament = new_tournament()
    for number in range(1, 13):
        new_table(tournament, number=number).deal(1, show, loses(3), loses(4), loses(5))
    assert BATCH >= 12
    with django_assert_max_num_queries(39):
        rebuild()
    with django_assert_max_num_queries(45):
        assert rebuild_differences() == []
