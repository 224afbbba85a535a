"""Defects reported to a service that speaks Sentry's protocol: what broke and where, never what somebody typed.

The stack has files, lines and functions, without the values of variables. Messages of exceptions are left out, because
they can quote a name; so are bodies, query strings, cookies, headers and logins.
"""

from typing import Any


def report_defects(dsn: str, *, release: str) -> None:
    """Report every uncaught exception and every line that is logged as an error, from this process on."""
    import sentry_sdk  # noqa: PLC0415 (an extra)

    sentry_sdk.init(
        dsn=dsn,
        release=release,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        before_send=without_what_was_typed,
    )


def without_what_was_typed(event: Any, hint: Any) -> Any:
    """Keep the kind of a defect, its stack, the method of its request; drop all the rest that can be typed."""
    for exception in event.get("exception", {}).get("values", ()):
        exception.pop("value", None)
    if "logentry" in event:
        # The text as the code has it, without what is put into it.
        event["logentry"] = {"message": event["logentry"].get("message", "")}
    for name in ("extra", "user", "server_name", "modules", "breadcrumbs"):
        event.pop(name, None)
    request = event.pop("request", {})
    event["request"] = {"method": request.get("method", "")}
    return event
