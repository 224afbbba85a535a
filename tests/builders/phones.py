"""A phone that calls the site within this process: as fast as the site itself, with lost answers simulated."""

import json
import random
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from tests.builders.club_at_play import Evening, Write


@dataclass
class NearPhone:
    """Sends writes through the whole site below the socket. A failure is an answer, as it is for a real phone."""

    state: Evening
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def send(self, write: Write) -> Any:
        return self.client.post(
            write.path,
            json.dumps(write.body),
            content_type="application/json",
            headers={"Idempotency-Key": write.key, "Authorization": f"Bearer {self.state.secret}"},
        )

    def board(self) -> Any:
        """The leaderboard, as it is public."""
        return self.client.get(self.state.board_path)


@dataclass
class LossyPhone:
    """Loses some of the answers, sends those writes again later and in any order, and some more for no reason."""

    phone: NearPhone
    chance: random.Random
    lost_share: float
    waiting: list[Write] = field(default_factory=list)
    first_answers: dict[str, bytes] = field(default_factory=dict)
    resent: int = 0

    def send(self, write: Write) -> None:
        """Send the write; its answer may be lost."""
        answer = self.phone.send(write)
        assert answer.status_code == 201, answer.content
        self.first_answers[write.key] = answer.content
        if self.chance.random() < self.lost_share:
            self.waiting.append(write)
        if self.waiting and self.chance.random() < self.lost_share:
            self.resend(self.chance.randrange(len(self.waiting)))

    def resend(self, place: int) -> None:
        """Send again; this answer may be lost as well, and then the write waits on."""
        write = self.waiting[place]
        answer = self.phone.send(write)
        self.resent += 1
        assert answer.status_code == 201, answer.content
        assert answer.headers["Idempotency-Replayed"] == "true"
        assert answer.content == self.first_answers[write.key]
        if self.chance.random() >= self.lost_share:
            del self.waiting[place]

    def finish(self) -> None:
        """Resend until every answer has come in."""
        while self.waiting:
            self.resend(self.chance.randrange(len(self.waiting)))
