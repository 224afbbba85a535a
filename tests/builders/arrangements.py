"""Which rules of jokers there are, and whether groups of cards obey one."""

from scoring.rules.arrangements import HandOptions, arrange, kind_of
from scoring.rules.hands import laid_count, points_of

JOKER_RULES = ("one_natural", "any", "half", "two_natural", "one_in_sequence")


def holds_together(cards, wild, options):
    """Every card is laid once, every group is of its kind, and what is laid is worth the count."""
    best = arrange(cards, wild, options)
    laid = [card for group in best.groups for card in group.cards]
    assert sorted(card.number for card in [*laid, *best.loose]) == sorted(card.number for card in cards)
    assert all(kind_of(group.cards, wild, options) is group.kind for group in best.groups)
    assert points_of(best.loose, wild) == best.points
    as_laid = [(group.cards, group.kind) for group in best.groups]
    uncapped = HandOptions(**{**_named(options), "cap": None})
    assert laid_count(as_laid, cards, wild=wild, options=uncapped) == best.points
    if best.is_declarable and options.deduct_sets:
        assert best.points == 0
        assert not best.loose
    return best


def _named(options):
    return {name: getattr(options, name) for name in options.__struct_fields__}
