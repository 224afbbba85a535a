"""Log lines: readable on one machine, JSON where machines collect them. Never a query string, never a body."""

import logging
from typing import Any

import structlog

SHARED_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def logging_config(*, level: str, as_json: bool) -> dict[str, Any]:
    """Django's LOGGING: one handler to stderr, whichever library speaks."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": structlog.stdlib.ProcessorFormatter, **_formatter(as_json=as_json)}},
        "filters": {"probes": {"()": QuietProbes}, "refusals": {"()": ShortRefusals}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "lines", "filters": ["probes", "refusals"]}
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Refused requests are answered, not alarming; only what we broke ourselves is worth a line.
            "django.request": {"level": "ERROR"},
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
        },
    }


def configure_structlog() -> None:
    """Send structlog's own loggers down the same road as everybody else's."""
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
        # The plain form: the rich one prints local variables, and those may hold what nobody should read.
        last = [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    return {
        # Of what libraries attach, the status alone: a request prints itself with its query string.
        "foreign_pre_chain": [*SHARED_PROCESSORS, structlog.stdlib.ExtraAdder(allow=["status_code"])],
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
    }


class QuietProbes(logging.Filter):
    """A machine asks /readyz every few seconds and reads the answer itself; "not yet" is no error of ours."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Drop Django's line about a 503 that /readyz meant."""
        request = getattr(record, "request", None)
        return getattr(request, "path_info", "") != "/readyz"


class ShortRefusals(logging.Filter):
    """A request for a foreign host, or one that is no request, costs one line: it is refused always at one place."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Take the traceback off."""
        if record.name.startswith("django.security"):
            record.exc_info = record.exc_text = None
        return True
