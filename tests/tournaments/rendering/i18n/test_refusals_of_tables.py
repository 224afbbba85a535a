"""Refusals of a table's log and of Indian sheets are translated with their prefixes, phrases and numbers."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.utils import translation

from scoring.messages import Message, with_names
from scoring.options import read_options
from scoring.problems import OptionsRejected
from scoring.rules.cards import CardsRejected, parse_cards
from scoring.rules.variants.indian.pool.options import PoolOptions
from tests.builders.rules import (
    CLOSED,
    SPLIT,
    TIME_CALLED,
    Evening,
    Wire,
    buys_in,
    corrected,
    deal,
    deals,
    ends,
    first_drop,
    last_standing,
    loses_holding,
    loses_with,
    penalty,
    points,
    pool,
    rejoins,
    show,
    tiebreak,
    withdrawn,
)
from tests.builders.untranslated import left_in_english
from tournaments.rendering.i18n.translating import translate

OUT = pool(seats=3).where(bo=70).after(show("asha"), loses_with("bo", 40), first_drop("cy"))
CONTRADICTED = OUT.told(rejoins("bo"), corrected(2, show("asha"), loses_with("bo", 4), first_drop("cy")))
BOUGHT_IN, LOST = points(table_stakes=True).told(buys_in("bo", 20_000)), (show("asha"), loses_with("bo", 80))
SHORT = "AD 2D"

REFUSED: tuple[tuple[Evening, Wire], ...] = (
    (pool(), deal(3, show("asha"), loses_with("bo", 9))),
    (pool(), deal(1, show("asha"), ends("bo", "absent", count=7))),
    (pool(), deal(1, show("asha"), ends("bo", "first_drop", loose=SHORT))),
    (pool(), deal(1, show("asha"), loses_with("bo", 9_999_999))),
    (pool(), deal(1, show("asha"), loses_holding("bo", SHORT, "7H 8H 9H", loose="KC"))),
    (pool(), deal(1, ends("asha", "show", groups=["7H 8H", "KH KH KH"], loose="2C"), first_drop("bo"))),
    (pool(), deal(1, last_standing("asha"), ends("bo", "lost"), ("cy", {}))),
    (pool(seats=3), deal(1, last_standing("asha"), ends("bo", "not_in_deal"), ends("cy", "not_in_deal"))),
    (pool(entry=100), TIME_CALLED),
    (pool(), CLOSED),
    (pool(seats=3), SPLIT),
    (pool(), withdrawn(7)),
    (deals(entry=100).after(show("asha"), loses_with("bo", 9)), TIME_CALLED),
    (deals(deals=6), tiebreak(show("asha"), loses_with("bo", 9))),
    (BOUGHT_IN.after(*LOST).after(*LOST), deal(3, *LOST)),
    (points(table_stakes=True), buys_in("bo", 150)),
    (points(), {**penalty("bo", 5), "points": "many", "reason": "x" * 600}),
    (points(), rejoins("bo")),
    (CONTRADICTED, CLOSED),
)


def said(table: Evening, raw: Mapping[str, Any]) -> list[Message]:
    return [problem.message for problem in table.considered(raw)[1]]


@pytest.mark.parametrize(("table", "raw"), REFUSED)
def test_what_a_table_refuses_is_known_and_can_be_told(table: Evening, raw: Wire):
    """Planted fault: an ending shown by its stored name."""
    refused = said(table, raw)
    assert refused
    assert left_in_english(refused) == set()
    with translation.override("de"):
        assert all(translate(message, {"asha": "Asha {1}", "bo": "{seat}"}) for message in refused)


def test_a_contradiction_is_known_with_the_name_in_its_place_and_without():
    found = [conflict.message for conflict in CONTRADICTED.table.conflicts]
    assert found
    assert left_in_english(found) == left_in_english(with_names(message, {"bo": "Bo: 5"}) for message in found) == set()


def test_what_options_and_cards_refuse_is_translated():
    with pytest.raises(OptionsRejected) as options:
        read_options(PoolOptions, {"limit": 9_999, "drops": "few", "drop_allowed": "no"})
    with pytest.raises(CardsRejected) as cards:
        parse_cards("7H 1Z " + "2C " * 200, "cards")
    with pytest.raises(CardsRejected) as card:
        parse_cards("1Z", "cards")
    found = [*options.value.problems, *cards.value.problems, *card.value.problems]
    assert len(found) == 5
    assert left_in_english(problem.message for problem in found) == set()
