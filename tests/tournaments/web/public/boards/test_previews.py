"""Link previews of a club's pages, and a tournament's podium as a picture."""

import hashlib
import re
import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from itertools import product
from pathlib import Path

import pytest
from django.test import Client
from django.utils.timezone import now
from PIL import Image
from selectolax.lexbor import LexborHTMLParser

from tests.builders.counted_calls import counted_calls
from tests.builders.playing import context
from tests.builders.public_tables import Seated, a_club, a_tournament, address, english, seat
from tournaments.boards import board
from tournaments.boards.players import player_page
from tournaments.models import Player, Tournament
from tournaments.rendering.social_cards import Podium, Step, Tone, podium_picture
from tournaments.rendering.social_cards.podium import COLOURS, fitted, ink_of, line_of
from tournaments.running.commands.close import close_tournament
from tournaments.web.public.boards.sharing import podium_of
from tournaments.web.public.people.players import player_podium

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[5]
# One name in each script that we ship, as its people write it.
NAMES = (
    *("Zoë", "आशा", "محمد", "ஸ்ரீ", "శ్రీ", "ਸਿੰਘ", "બા", "বসু", "ଶ୍ରୀ", "ಶ್ರೀ", "ശ്രീ", "כהן"),
    *("සුනිල්", "สมชาย", "Անի", "გიორგი"),
)
PICTURE = Podium(
    club="Rummy Circle",
    title="Friday",
    about="101 Pool",
    state="Final result",
    tone=Tone.DONE,
    steps=tuple(Step(rank=place, place=str(place), name=f"Player {place}", number="7") for place in (1, 2, 3)),
)


def told(client: Client, path: str) -> dict[str, str]:
    """The preview metadata of a page."""
    metas = LexborHTMLParser(client.get(path).content.decode()).css("meta")
    said = {
        meta.attributes.get("property") or meta.attributes.get("name"): meta.attributes.get("content") for meta in metas
    }
    return {name: content or "" for name, content in said.items() if name and name.startswith(("og:", "twitter:"))}


def printed_by(program: str) -> str:
    """The output of a process of its own."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def path_of(address: str) -> str:
    assert address.startswith("http://testserver/")
    return address.removeprefix("http://testserver")


@pytest.mark.parametrize("page", ["", "r1/table-1/", "proof/"])
def test_a_link_to_a_tournament_comes_with_its_podium(client: Client, tournament: Tournament, table: Seated, page: str):
    said = told(client, address(tournament, page))
    assert said["og:url"] == f"http://testserver{english(address(tournament, page))}"
    assert "Friday" in said["og:title"]
    assert said["twitter:card"] == "summary_large_image"
    # Networks keep a picture by its address.
    assert said["og:image"].endswith(f"podium.png?v={board(tournament).position}")
    answer = client.get(path_of(said["og:image"]))
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    size = Image.open(BytesIO(answer.content)).size
    assert size == (int(said["og:image:width"]), int(said["og:image:height"])) == (1200, 630)


def test_a_link_to_a_club_shows_the_tournament_that_runs(client: Client, tournament: Tournament, table: Seated):
    a_tournament(tournament.club, name="Next week")
    said = told(client, "/c/circle/")
    assert said["og:title"] == "Rummy Circle"
    assert path_of(said["og:image"]).partition("?")[0] == english(address(tournament, "podium.png"))


def test_a_link_to_a_player_shows_the_latest_results(client: Client, tournament: Tournament):
    table = seat(tournament, "Asha", "Bo").deal("show", 80).deal("show", 80).event(kind="table_closed")
    close_tournament(tournament.pk, context=context())
    asha = table.row.seats.get(number=1).player
    said = told(client, f"/c/circle/p/{asha.pk}/")
    assert said["twitter:card"] == "summary_large_image"
    answer = client.get(path_of(said["og:image"]))
    assert (answer.status_code, Image.open(BytesIO(answer.content)).size) == (200, (1200, 630))
    again = client.get(path_of(said["og:image"]), headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304
    page = player_page(Player.objects.select_related("club__shown_version").get(pk=asha.pk))
    assert page is not None
    shown = player_podium(page)
    assert (shown.title, shown.about) == ("Asha", "1 tournament · Tournaments won: 1")
    assert [(step.place, step.name, step.number) for step in shown.steps] == [("1", "Friday", "0")]
    Player.objects.filter(pk=asha.pk).update(has_page=False)
    assert client.get(path_of(said["og:image"])).status_code == 404


def test_names_stay_text_in_what_a_link_says(client: Client):
    hostile = '"><script>alert(1)</script>'
    tournament = a_tournament(a_club(slug="circle", name=hostile), name=hostile)
    text = client.get(address(tournament)).content.decode()
    assert "<script>alert" not in text
    assert told(client, address(tournament))["og:title"] == hostile


def test_what_is_not_published_says_nothing_and_has_no_picture(client: Client, admin_client: Client):
    tournament = a_tournament(a_club(slug="circle"), is_published=False)
    seat(tournament)
    assert client.get(address(tournament, "podium.png")).status_code == 404
    assert told(admin_client, address(tournament)) == {}
    assert "og:image" not in told(client, "/c/circle/")


def test_the_podium_has_the_boards_first_three_with_their_numbers(tournament: Tournament):
    seat(tournament, "Asha", "Bo", "Cy", "Dev", "Eli").deal("show", 34, 12, 12, 12)
    shown = podium_of(board(tournament))
    assert [(step.place, step.number) for step in shown.steps] == [("1", "0"), ("=2", "12"), ("=2", "12")]
    assert shown.more == "and 1 more on the same place"
    assert shown.state == "0 of 1 tables finished"


def test_before_the_first_deal_the_picture_says_when_and_where_and_of_what_was_given_up_it_shows_nobody(
    tournament: Tournament,
):
    shown = podium_of(board(tournament))
    assert (shown.steps, shown.notice[1]) == ((), "Rummy Circle")
    assert shown.notice[0].startswith("Begins ")
    tournament.club.venue = "12 Marine Drive"
    assert podium_of(board(tournament)).notice[1] == "12 Marine Drive"
    table = seat(tournament)
    assert podium_of(board(tournament)).steps == ()
    table.deal("show", 34, 12, "first_drop")
    tournament.is_cancelled, tournament.closed_at = True, now()
    shown = podium_of(board(tournament))
    assert (shown.steps, shown.state, shown.tone) == ((), "Abandoned", Tone.WARN)
    assert shown.notice[0] == "This tournament was abandoned"


@pytest.mark.slow
def test_the_same_podium_gives_the_same_bytes_in_any_process():
    """Planted fault: a font that is changed by what was drawn before it gives other bytes the second time."""
    drawn = hashlib.sha256(podium_picture(PICTURE)).hexdigest()
    program = (
        "import hashlib; from dataclasses import replace;"
        "from tests.tournaments.web.public.boards.test_previews import PICTURE, NAMES;"
        "from tournaments.rendering.social_cards import podium_picture;"
        "podium_picture(replace(PICTURE, title=' '.join(NAMES)));"
        "print(hashlib.sha256(podium_picture(PICTURE)).hexdigest())"
    )
    prelude = "import os, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings'; django.setup();"
    assert printed_by(prelude + program) == drawn


def test_every_script_has_its_letters_in_both_weights_joined_and_from_the_right():
    """Planted faults: a letter set in a font without it, which is glyph 0, an empty box; letters side by side."""
    for name, is_bold in product(NAMES, (False, True)):
        line = line_of(name, is_bold=is_bold)
        assert all(glyph.number for glyph in line.glyphs), name
        assert ink_of(line, 40) is not None
    assert len(line_of("ଶ୍ରୀ").glyphs) < len("ଶ୍ରୀ")
    hebrew, number = line_of("כהן").glyphs, line_of("כהן 7").glyphs
    assert [glyph.number for glyph in number[-3:]] == [glyph.number for glyph in hebrew]


def test_a_name_of_any_length_fits():
    """First it is set smaller, then cut behind a whole letter with an ellipsis."""
    for name in ("W" * 400, "ക്ഷ" * 200, "محمد " * 90, "a b " * 150, "x"):
        line, size = fitted(name, 700, (46, 32), is_bold=True)
        assert line.width * size <= 700
        assert size in range(32, 47)
        assert len(line.glyphs) > 3 or name == "x"


@pytest.mark.parametrize("is_mirrored", [False, True])
def test_nothing_is_drawn_over_the_edge_of_the_card(is_mirrored: bool):
    long = "Subrahmanyam Venkataraghavan " * 6
    steps = tuple(Step(rank=place, place=f"={place}00", name=long, number="−1,234,567,890.50") for place in (1, 2, 3))
    podium = replace(PICTURE, club=long, title=long, about=long, state=long, steps=steps, heading=long, more=long)
    image = Image.open(BytesIO(podium_picture(replace(podium, is_mirrored=is_mirrored)))).convert("RGB")
    edges = {image.getpixel((x, y)) for x in (62, 1137) for y in range(259, 490)}
    assert edges == {COLOURS["felt"]}


def test_the_picture_has_the_colours_of_the_pages():
    tokens = dict(re.findall(r"(--[\w-]+): (.+);", (ROOT / "tournaments/static/tournaments/tokens.css").read_text()))
    for name, (red, green, blue) in COLOURS.items():
        value = tokens[f"--{name}"].removeprefix("var(--on-light, ").partition(") var(--on-dark")[0]
        colour = tokens[value[len("var(") :].rstrip(")")] if value.startswith("var(") else value
        assert colour == f"#{red:02x}{green:02x}{blue:02x}", name


@pytest.mark.slow
def test_a_picture_costs_little_once_the_typefaces_are_read(monkeypatch: pytest.MonkeyPatch):
    """Planted fault: the typefaces read for every picture. 5,500 calls today."""
    # On two lines, as one that has to be cut is set several times.
    in_every_script = replace(PICTURE, title=" ".join(NAMES[:8]), about=" ".join(NAMES[8:]))
    podium_picture(in_every_script)
    monkeypatch.delattr(Path, "read_bytes")
    with counted_calls() as calls:
        podium_picture(in_every_script)
    assert calls.made < 8_500


def test_a_process_that_draws_nothing_holds_no_library_of_pictures():
    """Planted fault: with the import at the top of the package every web and worker process used 17 MB more."""
    ask = "print([m for m in ('PIL', 'uharfbuzz') if m in sys.modules])"
    program = f"import sys; import tournaments.rendering.social_cards; {ask}"
    assert printed_by(program) == "[]"
