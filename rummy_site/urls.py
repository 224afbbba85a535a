"""URLs: the admin, a table's card, the API and the public pages.

Probes are answered earlier, by `rummy_site.operations.health`.
"""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path

from rummy_site.languages import choose
from rummy_site.middleware.headers import favicon
from rummy_site.optional import without

# For fields of PostgreSQL alone, requests of tests, texts of Markdown and the admin's own documentation.
with without("django.contrib.postgres.fields", "requests", "jinja2", "markdown", "pygments", "docutils"):
    from drf_spectacular.views import SpectacularSwaggerSplitView

    from tournaments.web.api.openapi import DescriptionView

from tournaments.web.admin.register.people_pages import first_people
from tournaments.web.admin.tables.offline_pages import outbox_worker
from tournaments.web.api.authentication import BearerToken
from tournaments.web.public.people.tell_me import tell_me
from tournaments.web.public.urls import FILES, PAGES

handler400 = "rummy_site.middleware.failures.answer_misfit"
handler500 = "rummy_site.middleware.failures.answer_failure"

# As everywhere below /api/v1/: these views would answer OPTIONS too, one of them with a failure, and check the CSRF
# token before the method. The description is the same for all users; a wrong token is reported.
READ_ONLY: dict[str, object] = {"http_method_names": ["get", "head"], "authentication_classes": [BearerToken]}

urlpatterns: list[URLPattern | URLResolver] = [
    path("favicon.ico", favicon, name="favicon"),
    path("language/", choose, name="language"),
    path("outbox_worker.js", outbox_worker, name="outbox_worker"),
    path("tell-me/", tell_me, name="tell_me"),
    path("admin/account/", include("rummy_site.authentication.urls")),
    path("admin/people/", admin.site.admin_view(first_people), name="people"),
    # Former addresses of the pages of logins.
    re_path("^admin/auth/user/", admin.site.admin_view(first_people)),
    path("admin/", admin.site.urls),
    # For allauth, which knows these pages by names of its own; the admin has answered already.
    path("admin/login/", admin.site.login, name="account_login"),
    path("admin/logout/", admin.site.logout, name="account_logout"),
    path("admin/password_change/", admin.site.password_change, name="account_change_password"),
    path("setup/", include("tournaments.web.admin.register.setup_pages")),
    path("join/", include("tournaments.web.admin.register.invitation_pages")),
    path("me/", include("tournaments.web.public.people.personal_link")),
    path("table/", include("tournaments.web.admin.tables.card_exchange")),
    path("api/v1/schema/", DescriptionView.as_view(**READ_ONLY), name="schema"),
    path("api/v1/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema", **READ_ONLY), name="docs"),
    path("api/v1/", include("tournaments.web.api.urls")),
    path("", include((FILES, "files"))),
    *i18n_patterns(path("", include((PAGES, "pages")))),
]
