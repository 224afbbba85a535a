"""The page about messages is true: its receiver verifies what we send, and its table has every kind and field."""

import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.utils.timezone import now

from tests.builders.playing import new_club
from tests.builders.prize_evening import Evening
from tests.builders.receivers import SECRET, Inbox, new_receiver
from tournaments.models import MessageKind
from tournaments.outbox import sending
from tournaments.outbox.sending import send_due, tell_owed

PAGE = (Path(__file__).parents[3] / "docs/how-to/messages.md").read_text(encoding="utf-8")


@pytest.mark.django_db
def test_the_receiver_on_the_page_takes_our_messages_and_no_others():
    [example] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    place: dict[str, Any] = {}
    exec(compile(example, "messages.md", "exec"), place)  # noqa: S102 - our own page
    read_message = place["read_message"]
    club = new_club(is_published=True)
    new_receiver(club)
    Evening(club).played()
    seen = []

    class Reader(Inbox):
        def __call__(self, url, body, headers, **extra):
            seen.append((headers, body, read_message(SECRET, headers, body)))
            return super().__call__(url, body, headers, **extra)

    with patch.object(sending, "post", Reader()):
        tell_owed(send_due)
    assert len({identity for _, _, (identity, _) in seen}) == 5
    headers, body, _ = seen[0]
    with pytest.raises(ValueError, match="not from the club"):
        read_message(SECRET, headers, body + b" ")
    with pytest.raises(ValueError, match="too old"):
        read_message(SECRET, {**headers, "webhook-timestamp": str(int(now().timestamp()) - 600)}, body)


def test_the_page_names_every_kind():
    told = PAGE.partition("## What is told")[2].partition("## Webhooks")[0]
    named = re.findall(r"^\| `(\w+)` \|", told, re.MULTILINE)
    assert named == list(MessageKind.values)


def test_the_page_names_every_pause():
    said = "after 5 and 30 seconds, 2, 10 and 30 minutes, 1, 3, 6 and 12 hours, and\ntwice after a day"
    assert said in PAGE
    assert [int(pause.total_seconds()) for pause in sending.PAUSES] == [
        *(5, 30, 120, 600, 1_800),
        *(hours * 3_600 for hours in (1, 3, 6, 12, 24, 24)),
    ]
