"""A game of a club's own in a package that a test writes: high card, one line for each deal.

The player who draws the highest card takes a point; the first with enough points wins the pot. It represents any game
that a club may add: no other code of the service is written for it.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from textwrap import dedent

from scoring.rules import variants

GAME = dedent('''
    """High card: whoever draws the highest card takes a point, and the first with enough points wins."""

    from collections.abc import Mapping, Sequence
    from typing import Annotated, Any, Literal

    import msgspec
    from msgspec import Meta

    from scoring.events import wire
    from scoring.events.wire import Event
    from scoring.messages import say
    from scoring.money.payouts import Payout
    from scoring.options import Options
    from scoring.problems import Problem
    from scoring.rules.chance import Chance
    from scoring.rules.table.fields import SeatMark, SheetField
    from scoring.rules.table.standing import SeatStanding
    from scoring.rules.table.variant import Preset, Setup, Variant, Wire


    class HighCardOptions(Options, frozen=True, kw_only=True):
        """House options of a high card table."""

        points_to_win: Annotated[int, Meta(ge=1, le=9, description="Points that win")] = 3
        ace: Annotated[Literal["high", "low"], Meta(description="Aces")] = "high"


    class HighCardSheet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
        """One deal: who drew the highest card."""

        highest: str
        dealer: str | None = None

        @property
        def keeps_dealer(self) -> bool:
            return False

        def marks(self) -> dict[str, SeatMark]:
            return {self.highest: SeatMark(how="highest", title="Highest card", short="high", is_win=True)}

        def remarks(self) -> tuple[str, ...]:
            return ()


    class HighCardGame(msgspec.Struct, frozen=True, kw_only=True):
        """Points of each seat."""

        won: dict[str, int]
        is_closed: bool = False


    class HighCard(Variant[HighCardOptions, HighCardGame]):
        """High card for a pot."""

        name = "high_card"
        title = "High card"
        summary = "Whoever draws the highest card takes a point."
        presets = (Preset(name="high_card_to_3", title="High card to 3", options={}),)
        seats_allowed = range(2, 7)
        options_type = HighCardOptions
        game_type = HighCardGame
        sheet_type = HighCardSheet
        example = {"highest": "1"}
        rehearsed_deals = 20

        def read_sheet(
            self, raw: Mapping[str, Any], seats: Sequence[str]
        ) -> tuple[HighCardSheet | None, list[Problem]]:
            highest = raw.get("highest")
            if highest not in seats:
                detail = say("who drew the highest card is missing")
                return None, [Problem(code="missing_field", field="highest", detail=detail)]
            return HighCardSheet(highest=highest, dealer=raw.get("dealer")), []

        def entry_form(
            self, setup: Setup[HighCardOptions], game: HighCardGame, *, is_extra: bool
        ) -> tuple[SheetField, ...]:
            dealer = SheetField(path=("dealer",), title="Dealer", kind="seat")
            return (SheetField(path=("highest",), title="Highest card", kind="seat", is_required=True), dealer)

        def blank_sheet(self, playing: Sequence[str]) -> HighCardSheet:
            return HighCardSheet(highest=playing[0])

        def start(self, setup: Setup[HighCardOptions]) -> HighCardGame:
            return HighCardGame(won=dict.fromkeys(setup.seats, 0))

        def in_play(self, setup: Setup[HighCardOptions], game: HighCardGame) -> tuple[str, ...]:
            return setup.seats

        def check(self, setup: Setup[HighCardOptions], game: HighCardGame, event: Event) -> list[Problem]:
            match event:
                case wire.DealRecorded():
                    if self.is_finished(setup, game):
                        return [Problem(code="table_finished", detail=say("the table is decided"))]
                    return []
                case wire.TableClosed():
                    if self.is_finished(setup, game) or event.time_called:
                        return []
                    return [Problem(code="not_finished", detail=say("nobody has enough points"))]
            detail = say("{kind} has no place in High card", kind=event.kind)
            return [Problem(code="not_in_this_variant", field="kind", detail=detail)]

        def apply(self, setup: Setup[HighCardOptions], game: HighCardGame, event: Event) -> HighCardGame:
            match event:
                case wire.DealRecorded(sheet=sheet):
                    won = {**game.won, sheet.highest: game.won[sheet.highest] + 1}
                    return msgspec.structs.replace(game, won=won)
                case wire.TableClosed():
                    return msgspec.structs.replace(game, is_closed=True)
            return game

        def seats(self, setup: Setup[HighCardOptions], game: HighCardGame) -> dict[str, SeatStanding]:
            return {
                seat: SeatStanding(rank_key=(-won,), total=won, deals_won=won) for seat, won in game.won.items()
            }

        def is_finished(self, setup: Setup[HighCardOptions], game: HighCardGame) -> bool:
            return game.is_closed or max(game.won.values()) >= setup.options.points_to_win

        def winners(self, setup: Setup[HighCardOptions], game: HighCardGame) -> tuple[str, ...]:
            return tuple(seat for seat, won in game.won.items() if won and won == max(game.won.values()))

        def payouts(self, setup: Setup[HighCardOptions], game: HighCardGame) -> tuple[Payout, ...]:
            winners, charges = self.winners(setup, game), setup.entries
            if len(winners) != 1 or not self.is_finished(setup, game) or not any(charges.values()):
                return ()
            awards = {winners[0]: sum(charges.values())}
            return (Payout(slot="table", charges=charges, awards=awards, fee=0, because=()),)

        def simulate(
            self,
            setup: Setup[HighCardOptions],
            game: HighCardGame,
            *,
            dealer: str,
            chance: Chance,
            is_last: bool,
        ) -> Wire:
            return {"highest": chance.one_of(setup.seats), "dealer": dealer}


    GAME = HighCard()
''').lstrip()


@contextmanager
def registered(folder: Path, source: str = GAME, name: str = "high_card_of_a_club") -> Iterator[str]:
    """The package in a folder, registered like any game, and removed again."""
    package = folder / name
    package.mkdir()
    (package / "__init__.py").write_text(source)
    sys.path.insert(0, str(folder))
    invalidate_caches()
    known, presets = dict(variants.VARIANTS), dict(variants.PRESETS)
    try:
        variants.register(name)
        yield name
    finally:
        variants.VARIANTS.clear()
        variants.VARIANTS.update(known)
        variants.PRESETS.clear()
        variants.PRESETS.update(presets)
        sys.path.remove(str(folder))
        sys.modules.pop(name, None)
