"""Every public page of a tournament, and its words left in Latin letters."""

import re

from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from tests.builders.public_tables import address
from tournaments.models import Player, Tournament

BOARD = ("", "board/", "board/?at=3", "?at=known:3", "proof/", "share/", "?at=nonsense")
SUBPAGES = ("rounds/", "seating/", "schedule/", "prizes/", "rules/", "room/", "room/?by=name", "screen/")
JUDGED = (
    "/judge/",
    "/judge/?wild=5&cards=AH+2H+3H+4S+5D+6S+9C+9D+9S+KH+QD+2C+7C",
    "/judge/?ask=show&wild=4&group=QH+KH+AH&group=5C+6C+4S&group=8D+8D+8S&group=2S+3S+JD+TD",
    "/judge/?wild=zz&cards=xx+7H&max_set_size=99",
)
# Data, or names, in every language.
NAMES = (
    "Rummy Evening|Rummy Circle|Asha's club|Friday|Asha|Bo|Cy|Dev|English|Deutsch|CSV|XLSX|JSON|Atom|Python|QR|UTC|GMT|"
    "verify\\.py|Rummy Palace|RummyCircle|RummyCentral|foryourummy|https?://[^\\s]+|[\\w.-]+\\.(?:jsonl?|csv|xlsx)|"
    "max_set_size|Playship|Junglee|A23|Bicycle|Night \\d+|Asia|Kolkata"
)
CODE = ("code", "pre", "script", "style", "textarea", "head", "bdi", "[lang=en]", "[lang=en-gb]", ".seg")
READ_OUT = ("aria-label", "title", "placeholder", "alt", "data-summary", "data-earlier", "data-title")
LATIN = re.compile(r"[A-Za-z]{3,}[A-Za-z ’',]*")


def said_in_latin(client: Client, path: str) -> list[str]:
    """Text in Latin letters that a reader of the page sees or hears and that is no name."""
    answer = client.get(path)
    assert answer.status_code in (200, 400, 404), path
    tree = LexborHTMLParser(answer.content.decode())
    title = tree.css_first("title")
    heard = [node.attributes.get(name) or "" for name in READ_OUT for node in tree.css(f"body [{name}]")]
    for hidden in CODE:
        for node in tree.css(f"body {hidden}" if hidden != "head" else "head"):
            node.decompose()
    text = "\n".join([title.text() if title else "", tree.body.text(separator="\n") if tree.body else "", *heard])
    return sorted({found.strip() for found in LATIN.findall(re.sub(NAMES, "·", text))})


def pages_of(tournament: Tournament) -> list[str]:
    asha = Player.objects.get(club=tournament.club, name="Asha")
    sheet = [address(tournament, f"r1/table-1/{more}") for more in ("", "sheet/", "?at=2", "?at=known:2")]
    club = f"/c/{tournament.club.slug}/"
    own = [address(tournament, part) for part in (*BOARD, *SUBPAGES, f"who/{asha.pk}/")]
    return ["/", club, "/c/nobody/", *own, *sheet, *JUDGED, f"{club}seasons/", f"{club}ratings/"]
