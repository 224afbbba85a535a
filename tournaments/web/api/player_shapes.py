"""The answers and bodies about one player of a club, for those who work there.

Rules: docs/reference/api.md, "Players, people and the club".
"""

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tournaments.models.people import MOST_EMAIL, MOST_MEMBER_NUMBER, MOST_NOTE, MOST_PHONE
from tournaments.web.api.table_shapes import PlayerAnswer, Text
from tournaments.web.api.tournament_shapes import ProblemPart

NamingWord = Literal["", "full", "first", "initials", "pseudonym"]


class PlayerDetails(PlayerAnswer, frozen=True, kw_only=True):
    """Everything that the club's page of a player has. Contact and note are never public.

    `naming` is the player's choice, empty for the club's setting; `public_name` what follows from it.
    """

    is_suspended: bool
    email: str
    phone: str
    wants_mail: bool
    naming: NamingWord
    pseudonym: str
    public_name: str
    has_page: bool
    note: str
    created_at: datetime
    erased_at: datetime | None


class PlayerFields(msgspec.Struct, kw_only=True):
    """Fields of a player; those that are left out do not matter."""

    name: Text | UnsetType = UNSET
    member_number: Annotated[str, Meta(max_length=MOST_MEMBER_NUMBER)] | UnsetType = UNSET
    is_member: bool | UnsetType = UNSET
    is_suspended: bool | UnsetType = UNSET
    email: Annotated[str, Meta(max_length=MOST_EMAIL)] | UnsetType = UNSET
    wants_mail: bool | UnsetType = UNSET
    phone: Annotated[str, Meta(max_length=MOST_PHONE)] | UnsetType = UNSET
    naming: NamingWord | UnsetType = UNSET
    pseudonym: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    has_page: bool | UnsetType = UNSET
    note: Annotated[str, Meta(max_length=MOST_NOTE)] | UnsetType = UNSET


class PlayerChangeBody(PlayerFields, kw_only=True):
    """What is to change; what is left out stays. `expected`: values you saw; nothing is saved if one has changed."""

    expected: PlayerFields | UnsetType = UNSET


class RemovePlayerBody(msgspec.Struct, kw_only=True):
    """Removes a player who was added by mistake."""


class MergeBody(msgspec.Struct, kw_only=True):
    """The player who stays. `dry_run`: only tell what would move, and what speaks against it."""

    into: UUID
    dry_run: bool = False


class MergeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The player as they are now, and what the merge moves or moved: empty in a repetition.

    Amounts are by currency, in minor units. `lost_credit_minor`: credit limits that end. `problems`: why a dry run says
    that the merge would be refused.
    """

    player: PlayerDetails
    into: UUID
    tournaments: list[str] = []
    seasons: list[str] = []
    moved_minor: dict[str, int] = {}
    lost_credit_minor: dict[str, int] = {}
    problems: list[ProblemPart] = []


class UnmergeBody(msgspec.Struct, kw_only=True):
    """Makes a merged player one of their own again."""


class EraseBody(msgspec.Struct, kw_only=True):
    """`dry_run`: only tell what would go. `with_balance`: although money is open between the player and the club.

    `also`: keys of texts that a dry run listed, which are deleted with the player.
    """

    dry_run: bool = False
    with_balance: bool = False
    also: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=200)] = []


class ErasedSource(msgspec.Struct, frozen=True, kw_only=True):
    """A place that holds something about the player: how many entries, and whether erasing reaches them.

    `stays` says why it does not.
    """

    name: str
    entries: int
    is_erased: bool
    stays: str = ""


class MentionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A text of the club that may name the player.

    `key` is for `also`. Null where only people can rewrite it: then it is a name or description of the `kind` and `id`.
    """

    text: str
    key: str | None
    kind: Literal["tournament", "season", "club", "player"] | None = None
    id: UUID | None = None


class EraseAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The player, and what goes or went; empty in a repetition.

    `kept_until`: the day on which the books forget the name, null where they keep none. `problems`: why a dry run says
    that erasing would be refused.
    """

    player: PlayerDetails
    kept_until: date | None = None
    sources: list[ErasedSource] = []
    mentions: list[MentionAnswer] = []
    problems: list[ProblemPart] = []


class PlayerDataAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is known about one person, by the place that holds it, for the person who asks."""

    player: UUID
    club: str
    made_at: datetime
    sources: dict[str, list[dict[str, Any] | str]]
