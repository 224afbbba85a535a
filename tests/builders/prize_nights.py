"""Random plans of prizes, with entries and places that fit them."""

from typing import Any

from hypothesis import strategies as st

from scoring.messages import say
from scoring.tournament.standings import Corner, Finish
from scoring.tournament.state.fees import Entries, Owed

amounts = st.lists(st.integers(0, 50_000), max_size=5).map(lambda found: sorted(found, reverse=True))


@st.composite
def weights(draw: st.DrawFn) -> list[int]:
    """Shares by place that fall and sum to a whole."""
    cuts = sorted(draw(st.lists(st.integers(0, 10_000), max_size=4)))
    parts = [upto - before for before, upto in zip([0, *cuts], [*cuts, 10_000], strict=True)]
    return sorted(parts, reverse=True)


@st.composite
def plans(draw: st.DrawFn) -> dict[str, Any]:
    """Any plan of prizes that is admitted, with side pots and levies."""
    fixed, stage = draw(amounts), draw(amounts)
    by_field = draw(st.booleans())
    given = {
        "prizes_bp": [10_000] if by_field else draw(weights()),
        "paid_share_bp": draw(st.integers(1, 10_000)) if by_field else 0,
        "fixed_minor": fixed,
        "short": draw(st.sampled_from(("scale", "top_up"))),
        "leftover": draw(st.sampled_from(("spread", "first_place"))),
        "things": draw(st.sampled_from(([], ["cup"], ["cup", "ham", "towel"]))),
        "levy_bp": draw(st.integers(0, 10_000)),
        "levy_on": draw(st.sampled_from(("gross", "fee"))),
        "levy_rounding": draw(st.sampled_from(("pot", "entry"))),
        "fee_floor_minor": draw(st.sampled_from((0, 700))),
        "fee_cap_minor": draw(st.sampled_from((None, 900))),
        "stage_prizes": [{"of": "each_table", "amounts_minor": stage}] if any(stage) else [],
        "side_pots": [
            {"name": "high hand", "unwon": draw(st.sampled_from(("carried", "prizes"))), "carried_minor": 77},
            {"name": "biggest", "joins": "opt_in", "contribution_minor": 333},
        ],
    }
    if draw(st.booleans()) and (fixed or any(stage)):
        return given | {"over": "fund"}
    return given | {"guaranteed_minor": draw(st.sampled_from((0, 300_000)))}


@st.composite
def finishes(draw: st.DrawFn) -> Finish:
    """Players in order of place with any ties, some of them at tables with prizes of their own."""
    keys = sorted(draw(st.lists(st.integers(1, 8), min_size=1, max_size=12)))
    placed = tuple((f"p{number}", keys.index(key) + 1) for number, key in enumerate(keys))
    tables = [placed[start : start + 4] for start in range(0, len(placed), 4)] if draw(st.booleans()) else []
    corners = tuple(
        Corner(
            stage=1,
            title=say("round {round}, table {table}", round=1, table=number),
            placed=tuple((player, place - table[0][1] + 1) for player, place in table),
            is_table=True,
        )
        for number, table in enumerate(tables, 1)
    )
    return Finish(places=placed, corners=corners)


@st.composite
def nights(draw: st.DrawFn) -> tuple[dict[str, Any], Entries, Finish, dict[str, tuple[str, ...]]]:
    plan, finish = draw(plans()), draw(finishes())
    players = [player for player, _ in finish.places]
    owed = {
        player: Owed(
            entries=tuple(draw(st.lists(st.sampled_from((0, 1, 999, 10_000)), min_size=1, max_size=3))),
            pots={"biggest": 333} if draw(st.booleans()) else {},
        )
        for player in players
    }
    winners = tuple(draw(st.lists(st.sampled_from(players), max_size=3, unique=True)))
    won = {draw(st.sampled_from(("high hand", "biggest"))): winners} if winners else {}
    return plan, Entries(by_player=owed, fee_bp=draw(st.integers(0, 10_000))), finish, won
