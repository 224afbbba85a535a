"""Promise 6: a board never shows what no prefix of the log produces.

Readers request the board while writers deal, correct and cancel at three tables of one tournament. Afterwards every
answer is compared with the fold of the log up to the position that the answer names.
"""

import json
import random
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from scoring.problems import RuleError
from tests.builders.public_tables import Seated, a_club, a_tournament, address, seat
from tournaments.boards.past import board_at
from tournaments.models import Tournament
from tournaments.printing.exports import board_json

WRITERS = 3


def test_a_board_shows_only_what_a_prefix_of_the_log_produces(transactional_db: None):
    """Planted fault: with tables read in a second statement, tables of one moment stand beside places of another."""
    prove(events=12)


@pytest.mark.slow(long=True)
def test_a_board_shows_only_what_a_prefix_of_the_log_produces_for_long(transactional_db: None):
    prove(events=250)


def prove(*, events: int) -> None:
    tournament = a_tournament(a_club(), "points")
    tables = [seat(tournament) for _ in range(WRITERS)]
    answers: list[Any] = []
    is_over = threading.Event()
    # The first request of a process imports what it needs: on a busy machine that took longer than all the writing.
    Client().get(address(tournament, "board.json"))
    reader = _started(lambda: _read_until(is_over, tournament, answers))
    writers = [_started(partial(_write, table, events, n, answers)) for n, table in enumerate(tables)]
    for writer in writers:
        writer.join()
    is_over.set()
    reader.join()
    positions = {answer["position"] for answer in answers}
    assert len(positions) > 2
    tournament.refresh_from_db()
    for answer in answers:
        expected = json.loads(_as_sent(tournament, answer["position"]))
        assert answer == expected | {"position": answer["position"], "fingerprint": answer["fingerprint"]}
        assert answer["fingerprint"].partition("-")[2] == expected["fingerprint"].partition("-")[2]


def _as_sent(tournament: Tournament, position: int) -> bytes:
    from tournaments.web.public.base.exports import json_text

    return json_text(board_json(board_at(tournament, position)))


def _write(table: Seated, events: int, number: int, answers: list[Any]) -> None:
    """Record so many events; now and then wait for the reader, who on a busy machine would come to none of them."""
    chance = random.Random(number)
    for at in range(events):
        answered, until = len(answers), time.monotonic() + 10
        try:
            _one_event(table, chance)
        except RuleError:
            continue
        while at % 4 == 3 and len(answers) == answered and time.monotonic() < until:
            time.sleep(0.01)


def _one_event(table: Seated, chance: random.Random) -> None:
    deals = table.game.next_deal - 1 if table.game else 0
    sheet: list[Any] = ["show", *(chance.randrange(1, 80) for _ in range(3))]
    act = chance.choice(["deal", "deal", "correct", "void"]) if deals else "deal"
    if act == "deal":
        table.deal(*sheet)
    elif act == "correct":
        table.correct(chance.randint(1, deals), *sheet)
    else:
        table.event(kind="deal_voided", deal=chance.randint(1, deals), reason="misdealt")


def _read_until(is_over: threading.Event, tournament: Tournament, answers: list[Any]) -> None:
    """Ask as a spectator's browser does, with the tag of the last answer; once more at the end."""
    client, tag = Client(), ""
    while True:
        last = is_over.is_set()
        answer = client.get(address(tournament, "board.json"), headers={"If-None-Match": tag})
        if answer.status_code == 200:
            tag = answer["ETag"]
            answers.append(json.loads(answer.content))
        if last:
            return


def _started(deed: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        try:
            deed()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread
