"""Every public address: pages behind their language, and files, feeds and frames without one."""

from tournaments.web.public import urls

urlpatterns = [*urls.PAGES, *urls.FILES]
FILES = frozenset(each.name for each in urls.FILES)


def route(name: str | None) -> str:
    """The name of an address with its URL namespace."""
    return f"{'files' if name in FILES else 'pages'}:{name}"
