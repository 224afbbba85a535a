"""Problems in pasted lists and score sheets are shown in the language of the page."""

import pytest

from scoring.messages import Message
from tests.builders.untranslated import left_in_english
from tournaments.entries.commands.lists import MOST_TEXT, read_csv, read_pasted
from tournaments.sheet_import import SheetRejected
from tournaments.sheet_import.sheets import open_paper, read_paper

TOP = "Club,Friday Club\nTournament,Friday\nTable,1\nGame,{game}\n"


def of_sheet(text: str) -> list[Message]:
    """All refusals of a sheet that need no database."""
    try:
        draft = open_paper(text.encode())
        read_paper(draft, draft.heading.played)
    except SheetRejected as refused:
        return [problem.message for problem in refused.problems]
    return []


def of_body(game: str, *lines: str) -> list[Message]:
    return of_sheet(TOP.format(game=game) + "\n".join(lines))


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_pasted, "Asha; perhaps\nBo; member; free"),
        (read_pasted, ""),
        (read_pasted, "Asha\n" * 501),
        (read_pasted, "A" * (MOST_TEXT + 1)),
        (read_csv, "name,paid,rate\nAsha,perhaps,\nBo,,half"),
        (read_csv, 'name\n"Asha'),
        (read_csv, 'name,paid\n"Asha" Rao,yes'),
    ],
)
def test_what_a_list_of_names_is_refused_for_has_its_form(read, text: str):
    details = [problem.message for problem in read(text).problems]
    assert details
    assert left_in_english(details) == set()


@pytest.mark.parametrize(
    "details",
    [
        lambda: of_sheet(
            "Nonsense,1\nClub,A\nClub,B\nDate,soon\nRound,x\nGame,Chess\nVariant,Go\nFee,much\nLevy,1 %,GST,air"
        ),
        lambda: of_sheet("Options,limit\nGame,pool_101\nVariant,gin\nFee,1.5 bp\nDeal,Asha,Asha,,\n1,2,3"),
        lambda: of_body("rum", "Deal", "1,2,3"),
        lambda: of_body(
            "pool_101",
            "Deal,Asha,Bo,Note",
            "1,?,show,,5",
            "void,1",
            "Club,x",
            "Nonsense,1",
            "rejoin",
            "penalty,x",
            "total,?",
        ),
        lambda: of_body("rum", "Deal,Asha,Bo,Dealer,Wnet out", "1,out,3,Cy"),
        lambda: of_body("rum", "Deal,Asha,Bo,Cy", "1,out,out,9", "2,out,3/4,9", "3,3,?,9"),
        lambda: of_body("gin", "Deal,Asha,Bo,Knocked,How,Knocked over the limit", "1,4,,Bo,won,perhaps"),
        lambda: of_body("rummy_royal", "Deal,Asha,Bo,Dealer,Boxes", "1,out,3,Bo,2H Asha"),
        lambda: of_body("rummy500", "Deal,Asha,Bo", "1,3/4/5,out", "2,1,2"),
        lambda: of_sheet(" " * 1_000_001),
        lambda: of_sheet(f"{'x,' * 41}x\n{'x' * 501}"),
    ],
)
def test_what_a_score_sheet_is_refused_for_has_its_form(details):
    found = details()
    assert found
    assert left_in_english(found) == set()
