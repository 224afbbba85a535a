"""Settings, from environment variables alone. docs/reference/running.md lists them; each has a default."""

from datetime import timedelta
from typing import Any

from rummy_site import __version__
from rummy_site.database import default_database
from rummy_site.environment import (
    BASE_DIR,
    RESOURCES,
    address_without_secrets,
    backup_dir,
    backup_hours,
    backup_then,
    broker_options,
    cache,
    count,
    env,
    log_level,
    mail_server,
    networks,
    proxies,
    proxy_header,
    refuse_odd_counts,
    refuse_without,
    secret_key,
    share_counts,
    static_root,
    var_dir,
)
from rummy_site.middleware.headers import POLICY
from rummy_site.operations.logs import configure_structlog, logging_config
from rummy_site.operations.reports import report_defects
from rummy_site.startup import refuse_unsafe_settings, switch
from tournaments.checker import written_below

PRODUCTION = switch("PRODUCTION")
DEBUG = switch("DEBUG")
if PRODUCTION:
    refuse_unsafe_settings()
refuse_odd_counts()
VAR_DIR = var_dir()
SECRET_KEY = secret_key(folder=VAR_DIR, is_production=PRODUCTION)
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "rummy_site",
    "scoring",
    "tournaments",
    "rummy_site.admin_site.BackOfficeConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth.account",
    "allauth.mfa",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "django_htmx",
]

# Widgets look for their templates where pages do: templates/django/forms.
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

MIDDLEWARE = [
    "rummy_site.middleware.requests.RequestMiddleware",
    "rummy_site.middleware.headers.ContentPolicyMiddleware",
    "rummy_site.middleware.headers.OtherSitesMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "rummy_site.operations.health.ProbeMiddleware",
    "rummy_site.middleware.failures.MethodMiddleware",
    "rummy_site.middleware.lock_waits.LockWaitMiddleware",
    "rummy_site.authentication.sessions.SessionMiddleware",
    "rummy_site.authentication.sessions.RenewalMiddleware",
    "rummy_site.languages.LanguageMiddleware",
    "rummy_site.middleware.clocks.ClockMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "rummy_site.middleware.failures.FormerAddressMiddleware",
]

ROOT_URLCONF = "rummy_site.urls"
WSGI_APPLICATION = "rummy_site.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [RESOURCES / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["tournaments.rendering.i18n.filters.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "rummy_site.languages.choice",
                "tournaments.rendering.left_out.left_out_context",
            ],
            "libraries": {
                "lines": "tournaments.web.public.boards.standings",
                "lists": "tournaments.web.admin.register.lists",
                "saying": "tournaments.rendering.i18n.filters",
                "tabs": "tournaments.web.admin.register.home",
            },
        },
    },
]

# --- Database ---------------------------------------------------------------------------------------------
_KIND = env.str("PROCESS_KIND", default="")
DATABASES = {"default": default_database(folder=VAR_DIR, is_web=_KIND == "web", is_worker=_KIND == "worker")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- What a process remembers -----------------------------------------------------------------------------
# With an address, in a Valkey that all processes share: docs/decisions/0101-valkey-may-be-empty.md.
CACHE_URL = env.str("CACHE_URL", default="")
CACHES: dict[str, dict[str, Any]] = {
    # Counts of requests, one a minute for each address and writer: Django's 300 entries are fewer than a full hall has.
    "default": cache("default", CACHE_URL, entries=20_000),
    # What is published, as sent: docs/decisions/0079-one-cache.md.
    "answers": cache("answers", CACHE_URL, entries=900),
    # What they are made of, some ten objects for each of a dozen tournaments, in each process alone.
    "objects": {
        "BACKEND": "rummy_site.object_cache.ObjectCache",
        "LOCATION": "objects",
        "TIMEOUT": 600,
        "OPTIONS": {"MAX_ENTRIES": 180},
    },
}

# --- Language and time ------------------------------------------------------------------------------------
LANGUAGE_CODE = "en-gb"
# Each by its own name, so that visitors recognise it.
LANGUAGES = [("en-gb", "English"), ("hi", "हिन्दी"), ("de", "Deutsch")]
# A chosen language is kept for a year on that device. It does not identify the visitor.
LANGUAGE_COOKIE_AGE = int(timedelta(days=365).total_seconds())
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = PRODUCTION
LOCALE_PATHS = [BASE_DIR / "rummy_site" / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

# --- Files ------------------------------------------------------------------------------------------------
# One machine serves files where they lie; production collects them under names that carry their digest.
STATIC_URL = "static/"
STATIC_ROOT = static_root(folder=VAR_DIR) if PRODUCTION else None
# Files generated here: the script that verifies a log, assembled from its parts.
STATICFILES_DIRS = [written_below(VAR_DIR / "static")]
# The process itself writes files for its owner alone; these are for all users, and another web server may serve them.
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o644, 0o755
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage",
    },
}

# --- People -----------------------------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = [
    "rummy_site.authentication.sign_in.SignIn",
    # For sessions that began before the one above took its place; signs no one in.
    "django.contrib.auth.backends.ModelBackend",
]
# The first makes new hashes; old ones are renewed when a user signs in. Why this one: 0080-signing-in.md.
PASSWORD_HASHERS = [
    "rummy_site.authentication.sign_in.ClubHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher",
    "django.contrib.auth.hashers.ScryptPasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
# Does not validate passwords, but is notified of each changed one.
AUTH_PASSWORD_VALIDATORS.append({"NAME": "rummy_site.authentication.sign_in.TokensEnd"})
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
PASSWORD_RESET_TIMEOUT = int(timedelta(days=1).total_seconds())
SESSION_ENGINE = "rummy_site.authentication.sessions"
# Counted from the last use: an active user is not signed out in the middle of a form.
SESSION_COOKIE_AGE = int(timedelta(hours=16).total_seconds())

# --- Signing in with allauth: its pages, named in rummy_site/authentication/urls.py. Our own limits, in the database,
# take the place of its own: docs/decisions/0080-signing-in.md ---
ACCOUNT_ADAPTER = "rummy_site.authentication.adapters.LoginAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_RATE_LIMITS = False
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]
# allauth's own keeps a row for each address; ours is in the row of the login.
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "django.contrib.auth.tokens.PasswordResetTokenGenerator"  # noqa: S105 (a name)
ACCOUNT_FORMS = {
    "reauthenticate": "rummy_site.authentication.forms.PasswordAgainForm",
    "reset_password": "rummy_site.authentication.forms.ForgottenPasswordForm",
    "reset_password_from_key": "rummy_site.authentication.forms.NewPasswordForm",
}
MFA_ADAPTER = "rummy_site.authentication.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Rummy Evening"
# The code before and the one after, too: a telephone's clock is often half a minute off.
MFA_TOTP_TOLERANCE = 1
MFA_RATE_LIMITS = False
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "authenticate": "rummy_site.authentication.forms.CodeForm",
    "reauthenticate": "rummy_site.authentication.forms.CodeAgainForm",
    "activate_totp": "rummy_site.authentication.forms.FirstCodeForm",
    "login_webauthn": "rummy_site.authentication.passkey_forms.PasskeySignInForm",
    "authenticate_webauthn": "rummy_site.authentication.passkey_forms.PasskeyForm",
    "reauthenticate_webauthn": "rummy_site.authentication.passkey_forms.PasskeyAgainForm",
    "add_webauthn": "rummy_site.authentication.passkey_forms.NewPasskeyForm",
    "edit_webauthn": "rummy_site.authentication.passkey_forms.PasskeyNameForm",
}
ADMINISTRATORS_NEED_SECOND_FACTOR = env.bool("ADMINISTRATORS_NEED_SECOND_FACTOR", default=False)

# --- Signing in through another service ---
OPENID_NAME = env.str("OPENID_NAME", default="OpenID")
if OPENID_URL := env.str("OPENID_URL", default=""):
    refuse_without("requests", "jwt", what="OPENID_URL", extra="openid")
    INSTALLED_APPS += ["allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
    SOCIALACCOUNT_ADAPTER = "rummy_site.authentication.openid.OpenIdAdapter"
    SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
    # A link, no form: the site's policy lets no form lead elsewhere. Nobody is signed in who is not already there.
    SOCIALACCOUNT_LOGIN_ON_GET = True
    SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": {
            "OAUTH_PKCE_ENABLED": True,
            "APPS": [
                {
                    "provider_id": "openid",
                    "name": OPENID_NAME,
                    "client_id": env.str("OPENID_CLIENT_ID"),
                    "secret": env.str("OPENID_SECRET"),
                    "settings": {"server_url": OPENID_URL},
                }
            ],
        }
    }

# --- What a browser and a stranger may do -----------------------------------------------------------------
CONTENT_SECURITY_POLICY = POLICY
CSRF_FAILURE_VIEW = "rummy_site.middleware.failures.forged"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=PRODUCTION)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000 if PRODUCTION else 0)
# A browser keeps this promise for a year. What else is served under the domain may have no HTTPS: only its owner knows.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=False)
# Django warns of both where they are off.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_SECURE = PRODUCTION
CSRF_COOKIE_SECURE = PRODUCTION
if env.bool("BEHIND_TLS_PROXY", default=False):
    # Only for a proxy that sets this header itself: other clients could claim to use TLS.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Limits count by the address of the connection, unless our own proxies are in front: anyone can send a header.
PROXIES = proxies()
PROXY_HEADER = proxy_header()
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000
DATA_UPLOAD_MAX_NUMBER_FILES = 10

# --- API --------------------------------------------------------------------------------------------------
WEB_WORKERS = count("WEB_WORKERS")
# How many processes share a limit between them, each with a count of its own.
API_COUNTING_PROCESSES = 1 if CACHE_URL else WEB_WORKERS
REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_RENDERER_CLASSES": ["tournaments.web.api.bodies.StructRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tournaments.web.api.bodies.BoundedJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournaments.web.api.authentication.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    # A venue's phones share one address: 200 spectators who look every two seconds are 6,000 requests a minute.
    "DEFAULT_THROTTLE_RATES": {
        "address": f"{env.int('API_ADDRESS_PER_MINUTE', default=12_000)}/min",
        "writer": f"{env.int('API_WRITER_PER_MINUTE', default=600)}/min",
    },
    "EXCEPTION_HANDLER": "tournaments.web.api.problems.answer_refusal",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Rummy Evening",
    "DESCRIPTION": "Tournaments of a rummy club: events are written, leaderboards and tables are read.",
    "VERSION": __version__,
    "LICENSE": {"name": "Apache 2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
    "SERVERS": [{"url": "/", "description": "The server that gives this description"}],
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": ["tournaments.web.api.schema.add_components"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# --- Worker -----------------------------------------------------------------------------------------------
# What sends a message to a worker. A process loads it for its first one: docs/decisions/0057-loaded-when-used.md.
TASK_APP = "rummy_site.celery.app"
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="filesystem://localhost")
CELERY_BROKER_TRANSPORT_OPTIONS = broker_options(CELERY_BROKER_URL, folder=VAR_DIR / "broker")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_TIMEOUT = 3
CELERY_TASK_DEFAULT_QUEUE = "rummy"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# A message that cannot be sent at once is left to the periodic jobs; no user waits for it.
CELERY_TASK_PUBLISH_RETRY = False
# No prefetch limit: a message whose acknowledgement fails with its broker keeps its place in kombu's window, and with a
# full one the worker reads no socket any more, not even to see that the broker was down.
CELERY_WORKER_PREFETCH_MULTIPLIER = 0
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
# Settling continues without the broker, so the worker never stops reconnecting.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TIMEZONE = "UTC"
CELERY_DB_REUSE_MAX = 500
WORKER_HEARTBEAT_MAX_AGE = env.int("WORKER_HEARTBEAT_MAX_AGE", default=90)

# --- The example club -------------------------------------------------------------------------------------
EXAMPLES_DIR = RESOURCES / "examples"

# --- Backups --- where the doctor looks, and where `manage.py backup` puts them when no other folder is given ----
BACKUP_DIR = backup_dir(var_dir=VAR_DIR)
BACKUP_EVERY_HOURS = backup_hours()
BACKUP_THEN = backup_then()

# --- Published copies --- a folder, or s3://bucket/prefix; the address of the site, to which their links lead back ---
PUBLISH_TO = address_without_secrets("PUBLISH_TO")
PUBLISH_SITE = address_without_secrets("PUBLISH_SITE")
PUBLISH_S3_ENDPOINT = address_without_secrets("PUBLISH_S3_ENDPOINT")

# --- Messages --- a mail server as an address, or a mail service through anymail: docs/how-to/messages.md -------------
_SERVER, _MAIL = mail_server(env.str("EMAIL_URL", default=""))
globals().update(_MAIL)
_SERVICE = env.str("MAIL_SERVICE", default="")
HAS_MAIL_SERVER = bool(_SERVER or _SERVICE)
if _SERVICE:
    EMAIL_BACKEND = f"anymail.backends.{_SERVICE}.EmailBackend"
elif not HAS_MAIL_SERVER:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
ANYMAIL = env.json("MAIL_SERVICE_SETTINGS", default={})
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("MAIL_FROM", default="") or env.str(
    "DEFAULT_FROM_EMAIL", default="rummy-evening@localhost"
)
# To whom a mail goes about what is bad: docs/decisions/0099-who-is-told-what-is-bad.md. Empty: site administrators.
ALARMS_TO = [address.strip() for address in env.list("ALARMS_TO", default=[])]
# Webhooks to addresses inside the site's own network, and without TLS: for a site that needs it.
OUTBOX_ALLOWS_INNER = env.bool("OUTBOX_ALLOWS_INNER", default=False)
# To browsers through the push services of their makers, where the extra `push` is installed.
TELLS_BROWSERS = env.bool("TELLS_BROWSERS", default=True)

# --- Seen from outside --- docs/how-to/watching.md -------------------------------------------------------------------
METRICS_TOKEN, METRICS_FROM = env.str("METRICS_TOKEN", default=""), networks("METRICS_FROM")
HAS_METRICS = bool(METRICS_TOKEN or METRICS_FROM)
if HAS_METRICS:
    share_counts(folder=VAR_DIR / "metrics")
# Names and bodies do not leave the site: rummy_site/operations/reports.py.
SENTRY_DSN = env.str("SENTRY_DSN", default="")
if SENTRY_DSN:
    refuse_without("sentry_sdk", what="SENTRY_DSN", extra="sentry")
    report_defects(SENTRY_DSN, release=__version__)

# --- Logs -------------------------------------------------------------------------------------------------
LOG_REQUESTS = env.bool("LOG_REQUESTS", default=PRODUCTION)
LOGGING = logging_config(level=log_level(), as_json=env.bool("LOG_JSON", default=PRODUCTION))
configure_structlog()
