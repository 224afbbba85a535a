"""Addresses of the public pages: a club, its tournaments, their tables."""

from django.urls import path, register_converter

from tournaments.pages import boards, clubs, embeds, explain, feeds, judge, moments, proof, rooms, sheets


class SmallNumber:
    """A number that fits every column: longer ones are no address of ours."""

    regex = "[0-9]{1,4}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(SmallNumber, "small")

app_name = "pages"
TOURNAMENT = "c/<slug:club_slug>/t/<slug:slug>/"
TABLE = f"{TOURNAMENT}r<small:round>/table-<small:number>/"

urlpatterns = [
    path("", clubs.home, name="home"),
    path("judge/", judge.judge, name="judge"),
    path("judge/ruling/", judge.judge_ruling, name="judge_ruling"),
    path("c/<slug:club_slug>/", clubs.club, name="club"),
    path("c/<slug:club_slug>/results.atom", feeds.results, name="results"),
    path("c/<slug:club_slug>/tournaments.ics", feeds.calendar, name="calendar"),
    path("c/<slug:club_slug>/seals.jsonl", proof.seals_as_lines, name="seals"),
    path(TOURNAMENT, boards.tournament, name="tournament"),
    path(f"{TOURNAMENT}board/", boards.board_part, name="board_part"),
    path(f"{TOURNAMENT}board.json", boards.board_as_json, name="board_json"),
    path(f"{TOURNAMENT}board.csv", boards.board_as_csv, name="board_csv"),
    path(f"{TOURNAMENT}board.xlsx", boards.board_as_xlsx, name="board_xlsx"),
    path(f"{TOURNAMENT}embed/", embeds.embed, name="embed"),
    path(f"{TOURNAMENT}embed/part/", embeds.embed_part, name="embed_part"),
    path(f"{TOURNAMENT}share/", embeds.share, name="share"),
    path(f"{TOURNAMENT}room/", rooms.room, name="room"),
    path(f"{TOURNAMENT}room/part/", rooms.room_part, name="room_part"),
    path(f"{TOURNAMENT}past/", moments.past, name="past"),
    path(f"{TOURNAMENT}proof/", proof.proof, name="proof"),
    path(f"{TOURNAMENT}log.jsonl", proof.log_as_lines, name="log"),
    path(f"{TOURNAMENT}who/<uuid:player>/", explain.explanation, name="explanation"),
    path(TABLE, sheets.table, name="table"),
    path(f"{TABLE}sheet/", sheets.sheet_part, name="sheet_part"),
    path(f"{TABLE}sheet.json", sheets.sheet_as_json, name="sheet_json"),
    path(f"{TABLE}sheet.csv", sheets.sheet_as_csv, name="sheet_csv"),
]
