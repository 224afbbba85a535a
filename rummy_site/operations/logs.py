"""Log lines: readable on one machine, JSON where machines collect them. Never a query string, never a body."""

import logging
from typing import Any

from rummy_site.middleware.secret_paths import without_secrets
from rummy_site.optional import without

# This module is the first to load it. It has coloured tracebacks, which would show local variables.
with without("rich", "better_exceptions"):
    import structlog

SHARED_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def logging_config(*, level: str, as_json: bool) -> dict[str, Any]:
    """Django's LOGGING: one handler to stderr, for every library."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": structlog.stdlib.ProcessorFormatter, **_formatter(as_json=as_json)}},
        "filters": {"probes": {"()": QuietProbes}, "refusals": {"()": ShortRefusals}, "secrets": {"()": NoSecrets}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "filters": ["probes", "refusals", "secrets"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Refused requests are answered, not alarming; only our own errors get a line.
            "django.request": {"level": "ERROR"},
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
        },
    }


def configure_structlog() -> None:
    """Route structlog's own loggers to the same handler as all others."""
    structlog.configure(
        processors=[*SHARED_PROCESSORS, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def _formatter(*, as_json: bool) -> dict[str, Any]:
    if as_json:
        last: list[Any] = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        # The plain form: the rich one prints local variables, which may be confidential.
        last = [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    return {
        # Of the attributes that libraries attach, only the status: a request prints itself with its query string.
        "foreign_pre_chain": [*SHARED_PROCESSORS, structlog.stdlib.ExtraAdder(allow=["status_code"])],
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
    }


class QuietProbes(logging.Filter):
    """Drops log lines of /readyz: machines ask every few seconds and read the answer, and its 503 is no error."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Drop Django's line about a 503 of /readyz."""
        request = getattr(record, "request", None)
        return getattr(request, "path_info", "") != "/readyz"


class ShortRefusals(logging.Filter):
    """Shortens the log of a request for a foreign host, or a malformed one, to one line: it has one cause."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Remove the traceback."""
        if record.name.startswith("django.security"):
            record.exc_info = record.exc_text = None
        return True


class NoSecrets(logging.Filter):
    """Leaves out what an address opens where Django names the path: of a defect, of a form that was refused."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the path."""
        if record.name.startswith("django.") and isinstance(record.args, tuple):
            record.args = tuple(without_secrets(word) if isinstance(word, str) else word for word in record.args)
        return True
