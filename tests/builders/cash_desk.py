"""A user at a club's cash desk, as a browser without JavaScript: forms are sent with their present values."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.test import Client

from scoring import ledger
from scoring.cash import account_at, account_of_player
from tests.builders.admin_tables import person
from tests.builders.buttons import form_that
from tests.builders.flat import flat
from tournaments.models import CashBook, Club, Player, Role


@dataclass
class CashDesk:
    """One user with their browser. `sends` clicks a button of a page, as many times as given."""

    club: Club
    client: Client
    user: Any

    @property
    def till(self) -> str:
        return f"till:user:{self.user.pk}"

    @property
    def count_page(self) -> str:
        return f"tills/user:{self.user.pk}/"

    def url(self, path: str = "") -> str:
        return path if path.startswith("/") else f"/admin/tournaments/club/{self.club.pk}/cash/{path}"

    def page(self, path: str = "", status: int = 200) -> str:
        answer = self.client.get(self.url(path))
        assert answer.status_code == status, (path, answer.status_code)
        return flat(answer.content.decode())

    def form(self, path: str, deed: str) -> dict[str, Any]:
        """The values that a form would send for one of its buttons."""
        return {**form_that(self.page(path), deed).values, "do": deed}

    def sends(self, path: str, deed: str, *, status: int = 302, **typed: Any) -> Any:
        answer = self.client.post(self.url(path), {**self.form(path, deed), **typed})
        assert answer.status_code == status, answer.content.decode()[:20_000]
        return answer

    def opens(self, float_: str = "200") -> "CashDesk":
        self.sends("", "open", float=float_)
        return self

    def player(self, name: str) -> str:
        return f"player/{Player.objects.get(club=self.club, name=name).pk}/"

    def takes(self, amount: str, name: str = "Asha", **more: Any) -> "CashDesk":
        self.sends(self.player(name), "take", amount=amount, **more)
        return self

    def counts(self, **pieces: int) -> "CashDesk":
        """`counts(p500=2)`: two coins of 5.00."""
        typed: dict[str, Any] = {f"piece-{name[1:]}": str(number) for name, number in pieces.items()}
        self.sends(self.count_page, "count", **typed)
        return self

    def holds(self, place: str) -> int:
        return -self._balance(account_at(place))

    def has(self, name: str) -> int:
        return self._balance(account_of_player(str(Player.objects.get(club=self.club, name=name).pk)))

    def _balance(self, account: Any) -> int:
        return ledger.balances(self.club.pk, self.club.currency, [account])[account]

    @property
    def book(self) -> UUID:
        return CashBook.objects.get(club=self.club, is_closed=False).pk


def at_the_desk(club: Club, role: Role, login: str) -> CashDesk:
    """A user with a role, signed in."""
    user = person(login, role, club, first_name=login.capitalize())
    client = Client()
    client.force_login(user)
    return CashDesk(club=club, client=client, user=user)
