"""The books as a director or treasurer reads them: entries, accounts, and a statement for each player.

Read-only: nothing can be added, changed or deleted here.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, cast
from uuid import UUID

from django.contrib import admin
from django.contrib.admin import ChoicesFieldListFilter
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Exists, Model, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.forms.models import BaseInlineFormSet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from scoring.ledger import balance, postings_with_balance, statement_line
from scoring.models import Account, JournalEntry, Posting
from scoring.money import AccountKind
from scoring.money.formatting import DEFAULT_LOCALE, grouped_minor, money
from tournaments.books.queries import holders_of
from tournaments.models import Club, Player, Tournament
from tournaments.models.people import names_with
from tournaments.people.permissions import Permission, clubs_of, counting_blind
from tournaments.people.players import uuid_of
from tournaments.printing.books import SIGNS, balance_in_words, entry_titles, line_title, purpose_title, undone_text
from tournaments.rendering.i18n.translating import account_title
from tournaments.web.admin.base.scoping import BLIND, CarefulAdmin, CarefulList, actor_in, sees_several_clubs

LINES_PER_PAGE = 100


def visible_clubs(request: HttpRequest) -> Collection[UUID] | None:
    """The clubs whose books the user may see, None for all; looked up once a request."""
    if not hasattr(request, "books_of_clubs"):
        request.books_of_clubs = clubs_of(actor_in(request), Permission.SEE_BOOKS)  # type: ignore[attr-defined]
    return cast("Collection[UUID] | None", request.books_of_clubs)  # type: ignore[attr-defined]


def names_of(ids: Collection[str]) -> Mapping[str, str]:
    """Names of players, clubs, tournaments and till holders by their ids, in a few queries."""
    uuids = [uuid for text in ids if (uuid := uuid_of(text)) is not None]
    rows = [model.objects.filter(id__in=uuids).values_list("id", "name") for model in (Club, Tournament)]
    players = Player.objects.filter(id__in=uuids).names_in_books()
    return holders_of(ids) | {str(row): name for pairs in (players.items(), *rows) for row, name in pairs}


def players_called(text: str) -> Collection[str]:
    """Ids of players whose name contains all words of a text."""
    player_ids = Player.objects.filter(names_with(text)).values_list("id", flat=True)
    return [str(player) for player in player_ids]


# The locale in which an entry's, a posting's or an account's club writes amounts.
LOCALE = Coalesce(Subquery(Club.objects.filter(pk=OuterRef("club")).values("locale")), Value(DEFAULT_LOCALE))


def name_accounts(accounts: Collection[Account]) -> None:
    """Set the titles of accounts that are about to be shown, all of them in a few queries."""
    ids = {account.owner for account in accounts if account.owner} | {str(account.club) for account in accounts}
    names = names_of(ids) if ids else {}
    for account in accounts:
        name, kind = names.get(account.owner, account.owner), capfirst(account_title(AccountKind(account.kind)))
        is_players = account.kind == AccountKind.PLAYER
        account.title = name if is_players else f"{kind}: {name}" if name else kind  # type: ignore[attr-defined]
        account.club_name = names.get(str(account.club), "")  # type: ignore[attr-defined]


def nobody(model_admin: Any, request: HttpRequest, obj: Model | None = None) -> bool:
    """A permission check that always refuses."""
    return False


class ReadOnlyBooks(CarefulAdmin):
    """Read-only rows of the clubs whose books the user may see."""

    actions = None

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied(BLIND if counting_blind(actor_in(request).roles) else "")
        return super().changelist_view(request, extra_context)

    def get_list_display(self, request: HttpRequest) -> Any:
        names = super().get_list_display(request)
        return names if sees_several_clubs(request) else [name for name in names if name != "club_name"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        clubs = visible_clubs(request)
        zone = Subquery(Club.objects.filter(pk=OuterRef("club")).values("timezone"))
        rows: QuerySet[Any] = super().get_queryset(request).annotate(club_zone=Coalesce(zone, Value("UTC")))
        return rows if clubs is None else rows.filter(club__in=clubs)

    def zone_name(self, row: Any) -> str:
        return str(row.club_zone)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        # For another club's row Django would redirect to the menu, with a message that contains the id.
        row = super().get_object(request, object_id, from_field)
        if row is None:
            raise Http404
        return row

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if not (request.user.is_active and request.user.is_staff):
            return False
        clubs = visible_clubs(request)
        return clubs is None or (bool(clubs) if obj is None else cast("Any", obj).club in clubs)

    has_add_permission = has_change_permission = has_delete_permission = nobody


class NamedPostings(BaseInlineFormSet):  # type: ignore[type-arg]
    """The postings of one entry, in its club, with the names of their accounts."""

    def __init__(self, **words: Any) -> None:
        super().__init__(**{**words, "queryset": words["queryset"].filter(club=words["instance"].club)})

    def get_queryset(self) -> QuerySet[Posting]:
        rows = super().get_queryset()
        if not hasattr(self, "_is_named"):
            name_accounts([row.account for row in rows])
            self._is_named = True
        return rows


class PostingInline(admin.TabularInline):  # type: ignore[type-arg]
    """The postings of one entry."""

    model = Posting
    verbose_name_plural = gettext_lazy("Postings")
    formset = NamedPostings
    fields = readonly_fields = ("account_title", "purpose_title", "amount")
    ordering = ("id",)
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Posting]:
        rows: QuerySet[Posting] = super().get_queryset(request).select_related("account")
        return rows.annotate(locale=LOCALE)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        # Users who may read the entry may read its postings; the entry's own page has checked that.
        return True

    has_add_permission = has_change_permission = nobody

    @admin.display(description=gettext_lazy("account"))
    def account_title(self, posting: Posting) -> str:
        return str(posting.account.title)

    @admin.display(description=pgettext_lazy("what an amount is for", "For"))
    def purpose_title(self, posting: Posting) -> str:
        return purpose_title(posting.purpose)

    @admin.display(description=gettext_lazy("amount"))
    def amount(self, posting: Posting) -> str:
        return grouped_minor(posting.amount_minor, posting.account.currency, posting.locale)  # type: ignore[attr-defined]


class NamedEntries(CarefulList):
    """A page of journal entries, with what each is about."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        name_entries(list(self.result_list))


def name_entries(entries: Collection[JournalEntry]) -> None:
    """Set the titles of entries that are about to be shown, all of them in a few queries."""
    titles = entry_titles(entries)
    for entry in entries:
        title = titles[entry.reference]
        entry.title = undone_text(title) if entry.reverses_id else title  # type: ignore[attr-defined]


def stored(name: str, title: Any) -> Callable[[JournalEntry], Any]:
    """A column of an entry as it is stored, under a title that is translated."""

    @admin.display(description=title)
    def value(entry: JournalEntry) -> Any:
        field_value = getattr(entry, name)
        return "" if field_value is None else field_value

    return value


@admin.register(JournalEntry)
class JournalEntryAdmin(ReadOnlyBooks):
    """The journal, newest first."""

    list_display = ("posted_at", "title", "moved", "currency", "undone")
    numbers = frozenset({"moved"})
    list_display_links = ("title",)
    list_filter = ("posted_at", "currency")
    search_fields = ("reference",)
    search_help_text = gettext_lazy("A player's name, or part of a reference")
    ordering = ("-posted_at", "reference")
    show_full_result_count = False
    inlines = (PostingInline,)
    # Django takes functions here too; its types know of names alone.
    readonly_fields = (  # type: ignore[assignment]
        *("title", "posted_at", "currency", "moved", "undone"),
        stored("memo", gettext_lazy("Calculation")),
        stored("reverses", gettext_lazy("Undoes the entry")),
        stored("reference", gettext_lazy("Reference")),
        stored("cause", pgettext_lazy("of an entry of the journal", "Cause")),
        stored("slot", gettext_lazy("Part of the cause")),
        stored("version", gettext_lazy("Version of the cause")),
    )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        names = self.get_readonly_fields(request, obj)
        stored_names = {"classes": ["collapse"], "fields": names[5:]}
        return [(None, {"fields": names[:5]}), (gettext("For programs"), stored_names)]

    def heading(self, entry: JournalEntry) -> str:
        return self.title(entry)

    def get_queryset(self, request: HttpRequest) -> QuerySet[JournalEntry]:
        received = (
            Posting.objects.filter(club=OuterRef("club"), entry=OuterRef("pk"), amount_minor__gt=0)
            .order_by()
            .values("entry")
        )
        moved = Subquery(received.annotate(sum=Sum("amount_minor")).values("sum"))
        rows: QuerySet[JournalEntry] = super().get_queryset(request)
        return rows.annotate(moved_minor=moved, locale=LOCALE).select_related("reversal", "reverses")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        entries, repeats = super().get_search_results(request, queryset, search_term)
        if not search_term:
            return entries, repeats
        of_players = Posting.objects.filter(club=OuterRef("club"), entry=OuterRef("pk"))
        of_players = of_players.filter(account__owner__in=players_called(search_term))
        return entries | queryset.filter(Exists(of_players)), repeats

    @admin.display(description=gettext_lazy("amount moved"), ordering="moved_minor")
    def moved(self, entry: JournalEntry) -> str:
        return grouped_minor(entry.moved_minor, entry.currency, entry.locale)  # type: ignore[attr-defined]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return NamedEntries

    @admin.display(description=pgettext_lazy("an entry of the journal", "Entry"))
    def title(self, entry: JournalEntry) -> str:
        if not hasattr(entry, "title"):
            name_entries([entry])
        return str(entry.title)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("undone"))
    def undone(self, entry: JournalEntry) -> str:
        return gettext("undone") if hasattr(entry, "reversal") else ""


class AccountFilter(ChoicesFieldListFilter):
    """Filters accounts by kind, shown in words."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        titles = {str(title): account_title(kind) for kind, title in self.field.flatchoices}
        for choice in super().choices(changelist):
            yield {**choice, "display": titles.get(str(choice["display"]), choice["display"])}


class NamedAccounts(CarefulList):
    """A page of accounts, with their names."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        name_accounts(list(self.result_list))


@admin.register(Account)
class AccountAdmin(ReadOnlyBooks):
    """Accounts with their balances; each opens its statement."""

    list_display = ("title", "kind_title", "debit", "credit", "currency", "club_name")
    numbers = frozenset({"debit", "credit"})
    list_filter = (("kind", AccountFilter), "currency")
    search_fields = ("owner",)
    search_help_text = gettext_lazy("A player's name or id")
    ordering = ("kind", "owner", "currency")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        posted = Posting.objects.filter(club=OuterRef("club"), account=OuterRef("pk")).order_by().values("account")
        balance_minor = Coalesce(Subquery(posted.annotate(sum=Sum("amount_minor")).values("sum")), 0)
        rows: QuerySet[Account] = super().get_queryset(request)
        return rows.annotate(balance_minor=balance_minor, locale=LOCALE)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return NamedAccounts

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if not search_term:
            return queryset, False
        owner_filter = Q(owner__in=players_called(search_term))
        return queryset.filter(owner_filter | Q(owner__icontains=search_term)), False

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **words: Any) -> HttpResponse:
        account = self.get_object(request, object_id)
        if not self.has_view_permission(request, account):
            raise Http404
        name_accounts([account])
        newest_first = postings_with_balance(account.club, [account.id]).order_by("-entry__posted_at", "-id")
        page = Paginator(newest_first, LINES_PER_PAGE).get_page(request.GET.get("p"))
        titles = entry_titles([posting.entry for posting in page])
        balance_minor, locale = balance(account.club, account.id), str(account.locale)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Statement: {title}").format(title=account.title),
            "account": account,
            "held": balance_in_words(balance_minor, account.currency, locale)
            if account.kind == AccountKind.PLAYER
            else (),
            "signs": gettext(SIGNS[AccountKind(account.kind)]),
            "balance": money(balance_minor, account.currency, locale),
            "lines": [_shown(posting, titles, locale) for posting in page],
            "page": page,
        }
        return TemplateResponse(request, "admin/scoring/account/statement.html", context)

    @admin.display(description=gettext_lazy("account"), ordering="owner")
    def title(self, account: Account) -> str:
        return str(account.title)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("kind"), ordering="kind")
    def kind_title(self, account: Account) -> str:
        return str(capfirst(account_title(account.kind)))

    @admin.display(description=gettext_lazy("club"))
    def club_name(self, account: Account) -> str:
        return str(account.club_name)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("balance, debit"), ordering="balance_minor", empty_value="")
    def debit(self, account: Account) -> str:
        """What the club holds, or a player owes it."""
        return self._side(account, -account.balance_minor)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("balance, credit"), ordering="-balance_minor", empty_value="")
    def credit(self, account: Account) -> str:
        """What the club owes."""
        return self._side(account, account.balance_minor)  # type: ignore[attr-defined]

    def _side(self, account: Account, amount_minor: int) -> str:
        locale: str = account.locale  # type: ignore[attr-defined]
        return grouped_minor(amount_minor, account.currency, locale) if amount_minor > 0 else ""


def _shown(posting: Posting, titles: Mapping[str, str], locale: str) -> dict[str, Any]:
    line = statement_line(posting)
    return {
        "entry": posting.entry_id,
        "line": line,
        "title": titles[line.reference],
        "purpose": line_title(line, AccountKind(posting.account.kind)),
        "amount": grouped_minor(line.amount_minor, line.currency, locale),
        "balance": grouped_minor(line.balance_minor, line.currency, locale),
    }
